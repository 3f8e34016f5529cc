// The code that runs, with the line of the current step, and the calls that are running.

import { h } from "../dom/dom.js";

/** @typedef {import("./trace.js").Frame} Frame */
/** @typedef {import("./trace.js").Step} Step */

const KEYWORDS = /^(?:False|None|True|and|class|continue|def|elif|else|for|from|if|import|in|is|not|or|return|yield)$/;
const PIECES = /(#.*|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*)/; // comments, strings and words
const FENCE = '"""'; // a docstring begins or ends

/**
 * Return a listing of code, {element, show(source), mark(step)}.
 */
export function makeListing() {
  const list = h("ol", { class: "code" });
  const name = h("span", { class: "file" });
  const stage = h(
    "div",
    { class: "code-stage", tabindex: "0", role: "region", "aria-label": "The code that runs" },
    list,
  );
  const element = h("section", { class: "listing-of-code" }, h("h4", {}, "Code ", name), stage);
  /** @type {HTMLElement[]} */
  let lines = [];
  let shown = "";

  return {
    element,

    /** @param {{name: string, lines: string[]}} source */
    show(source) {
      if (shown === source.name) return;
      shown = source.name;
      name.textContent = source.name;
      let isText = false;
      lines = source.lines.map((line, index) => {
        const fences = line.split(FENCE).length - 1;
        const code = isText || fences > 0 ? [h("span", { class: "comment" }, line)] : coloured(line);
        if (fences === 1) isText = !isText;
        return h("li", { value: index + 1 }, h("code", {}, ...code));
      });
      list.replaceChildren(...lines);
    },

    /**
     * Mark the line of a step, and those from which the running calls were made.
     * @param {Step} step
     */
    mark({ line, end, stack }) {
      const callers = new Set(stack.slice(0, -1).map((frame) => frame.line));
      for (const [index, element] of lines.entries()) {
        const number = index + 1;
        const isCurrent = number >= line && number <= end;
        if (isCurrent) element.setAttribute("aria-current", "step");
        else element.removeAttribute("aria-current");
        element.dataset.caller = String(callers.has(number));
      }
      const current = lines[line - 1];
      if (!current) return;
      // Only the listing scrolls, never the page.
      const [top, height] = [current.offsetTop, stage.clientHeight];
      if (top < stage.scrollTop + 24 || top > stage.scrollTop + height - 48) stage.scrollTop = top - height / 3;
    },
  };
}

/**
 * Return a line of Python with its comments and keywords told apart.
 * @param {string} line
 */
function coloured(line) {
  return line.split(PIECES).map((piece, index) => {
    const kind = index % 2 === 0 ? "" : piece.startsWith("#") ? "comment" : KEYWORDS.test(piece) ? "keyword" : "";
    return kind ? h("span", { class: kind }, piece) : piece;
  });
}

/** Return the calls that are running, {element, show(stack)}: the outermost first, each with its variables. */
export function makeStack() {
  const list = h("ol", { class: "stack", tabindex: "0", "aria-label": "Running calls, the innermost last" });
  const depth = h("span", { class: "file" });
  const element = h("details", { class: "stack-of-calls" }, h("summary", {}, "Call stack ", depth), list);

  return {
    element,

    /** @param {Frame[]} stack */
    show(stack) {
      depth.textContent = `${stack.length} deep`;
      list.replaceChildren(...stack.map(row));
      list.scrollTop = list.scrollHeight;
    },
  };

  /** @param {Frame} frame */
  function row({ function: name, line, variables }) {
    const shown = Object.entries(variables).map(([key, value]) =>
      h("span", { class: "variable" }, h("b", {}, key), ` = ${value}`),
    );
    return h("li", {}, h("code", {}, name), h("span", { class: "file" }, ` line ${line}`), h("div", {}, ...shown));
  }
}
