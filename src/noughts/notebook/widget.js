// The notebook's part of the board. It stands behind board.js in one module, as a notebook loads only one: so
// everything is inside of one function, and `createBoard` is there.

/** @typedef {import("../web/static/js/state/game.js").View} View */
/** @typedef {import("../web/static/js/state/game.js").MoveValue} MoveValue */

/** What the kernel shows.
 * @typedef {object} Shown
 * @property {View} view
 * @property {Record<string, string>} players
 * @property {Record<string, MoveValue>} values
 * @property {string[]} best
 * @property {boolean} thinking
 * @property {string} message
 */

/** The kernel's end, as anywidget has it.
 * @typedef {object} Model
 * @property {(name: "shown") => Shown} get
 * @property {(content: object) => void} send
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 */

export default {
  /**
   * Draw what the kernel shows, and send it what is clicked.
   * @param {{model: Model, el: HTMLElement}} place
   */
  render({ model, el }) {
    /**
     * @template {keyof HTMLElementTagNameMap} Tag
     * @param {Tag} tag
     * @param {object} attributes
     * @param {(Node | string)[]} children
     */
    const make = (tag, attributes, ...children) => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.append(...children);
      return element;
    };
    const order = (/** @type {string} */ name) => () => model.send({ order: name });
    const place = make("div", {});
    const status = make("p", { className: "noughts-status", role: "status" });
    const message = make("p", { className: "noughts-message", role: "alert" });
    const buttons = ["undo", "redo", "new"].map((name) =>
      make("button", { type: "button", onclick: order(name) }, name[0].toUpperCase() + name.slice(1)),
    );
    const root = make("div", { className: "noughts-widget noughts-colours" }, place, status, message);
    root.append(make("div", { className: "noughts-buttons" }, ...buttons));
    // Keys that are pressed on the board are not the notebook's: neither JupyterLab's nor those of others.
    root.dataset.lmSuppressShortcuts = "true";
    root.addEventListener("keydown", (event) => event.stopPropagation());

    /** @type {typeof import("../web/static/js/board/board.js").createBoard} */
    // @ts-expect-error: board.js stands before this file, in the same module
    const makeBoard = createBoard;
    const board = makeBoard(place, {
      onMove: (move) => model.send({ move, on: model.get("shown").view.game }),
    });

    function show() {
      const { view, values, best, players, thinking, message: text } = model.get("shown");
      board.show(view, { values, best });
      root.style.setProperty("--cols", String(view.cols));
      status.textContent = thinking ? `${view.turn} (${players[view.turn]}) is thinking` : wordsOn(view);
      message.textContent = text && sentence(text);
      message.hidden = !text;
    }

    /** @param {View} view */
    function wordsOn(view) {
      const last = view.cells.find(({ name }) => name === view.last);
      return `${last ? `${last.mark} played ${last.name}. ` : ""}${sentence(view.status)}`;
    }

    /**
     * Return a text as a sentence; but the name of a cell, which may begin it, stays as it is.
     * @param {string} text
     */
    function sentence(text) {
      const begin = /^\w+ \(/.test(text) ? text[0] : text[0].toUpperCase();
      return `${begin}${text.slice(1)}.`;
    }

    show();
    el.append(root);
    model.on("change:shown", show);
    return () => model.off("change:shown", show);
  },
};
