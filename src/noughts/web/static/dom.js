// Making elements. Text only ever becomes text: nothing here, or anywhere else, parses HTML.

/** Return a new element; attributes named on... are listeners, true and false switch an attribute. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Return a new SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Return a drawn X or O, as large as the text around it. */
export function markIcon(mark) {
  const shape =
    mark === "O" ? svg("circle", { cx: 50, cy: 50, r: 30 }) : svg("path", { d: "M22 22L78 78M78 22L22 78" });
  return svg("svg", { class: "mark-icon", "data-mark": mark, viewBox: "0 0 100 100", "aria-hidden": "true" }, shape);
}

/** Return an icon made of strokes; `path` is drawn in a square of 24 units. */
export function icon(path) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** Hand something over as a file. */
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
