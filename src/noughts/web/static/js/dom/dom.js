// Making elements. Text only ever becomes text: nothing here, or anywhere else, parses HTML.

/** @typedef {Record<string, any>} Attributes */
/** @typedef {(Node | string | null | undefined | false)[]} Children */

/**
 * Return a new element; attributes named on... are listeners, true and false switch an attribute.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Children} children
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/**
 * Return a new SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Children} children
 */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Children} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => typeof child === "string" || child instanceof Node));
  return element;
}

/**
 * Return a button that does something when it is pressed.
 * @param {string} label
 * @param {() => unknown} onclick
 * @param {Attributes} attributes
 */
export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", class: "button", onclick, ...attributes }, label);
}

/**
 * Return the element of the page that has an id.
 * @param {string} id
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Return the element nearest to where an event happened, itself among its parents, that fits a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * Say whether a button does something now, without taking the focus from it.
 * @param {Element} element
 * @param {boolean} isEnabled
 */
export function setEnabled(element, isEnabled) {
  element.setAttribute("aria-disabled", String(!isEnabled));
}

/**
 * Change a text only if it is another one: what is live would be said again.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Return a drawn X or O, as large as the text around it.
 * @param {string} mark
 */
export function markIcon(mark) {
  const shape =
    mark === "O" ? svg("circle", { cx: 50, cy: 50, r: 30 }) : svg("path", { d: "M22 22L78 78M78 22L22 78" });
  return svg("svg", { class: "mark-icon", "data-mark": mark, viewBox: "0 0 100 100", "aria-hidden": "true" }, shape);
}

/**
 * Return an icon made of strokes.
 * @param {string} path drawn in a square of 24 units
 */
export function icon(path) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

/** What is on buttons that go through something, as paths for `icon`. */
export const STEP_SIGNS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M16 6l-8 6 8 6z",
  forward: "M8 6l8 6-8 6z",
  last: "M18 5v14M6 6l8 6-8 6z",
};

/** Whether nothing should move, as the system or the reader has it (settings.js). */
export function isStill() {
  return document.documentElement.dataset.motion === "reduced";
}

/**
 * Save something as a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Scroll to an element if its top is out of sight, as on a phone, where the panels lie below the board.
 * @param {string} id
 */
export function bringIntoSight(id) {
  const element = byId(id);
  if (element.getBoundingClientRect().top < 0) element.scrollIntoView();
}
