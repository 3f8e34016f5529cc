// The notebook's part of the board. It stands behind board.js in one module, as a notebook loads only one: so
// everything is inside of one function, and `createBoard` is there.

export default {
  /** Draw what the kernel shows, and send it what is clicked. */
  render({ model, el }) {
    const make = (tag, attributes, ...children) => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.append(...children);
      return element;
    };
    const order = (name) => () => model.send({ order: name });
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

    // biome-ignore lint/correctness/noUndeclaredVariables: board.js stands before this file
    const board = createBoard(place, {
      onMove: (move) => model.send({ move, on: model.get("shown").view.game }),
    });

    function show() {
      const { view, values, best, players, thinking, message: text } = model.get("shown");
      board.show(view, { values, best });
      root.style.setProperty("--cols", view.cols);
      status.textContent = thinking ? `${view.turn} (${players[view.turn]}) is thinking` : wordsOn(view);
      message.textContent = text && sentence(text);
      message.hidden = !text;
    }

    function wordsOn(view) {
      const last = view.cells.find(({ name }) => name === view.last);
      return `${last ? `${last.mark} played ${last.name}. ` : ""}${sentence(view.status)}`;
    }

    /** Return a text as a sentence; but the name of a cell, which may begin it, stays as it is. */
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
