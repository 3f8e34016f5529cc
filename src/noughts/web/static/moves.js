// The moves: a list one can click, and buttons to step through it. Undone moves stay, paler, until others are made.

import { h, icon } from "./dom.js";
import { OTHER } from "./session.js";

/** Keep the list of moves. */
export function listMoves(session, { list, empty, name }) {
  let drawn = "";
  session.onChange(() => {
    const { view, notes } = session;
    if (!view) return;
    const { moves, played, turn } = view;
    const key = JSON.stringify([view.start, moves, played, turn, notes.review && [...notes.review]]);
    if (key === drawn) return;
    drawn = key;
    name.textContent = view.name;
    empty.hidden = moves.length > 0;
    const moverOf = (index) => ((played - index) % 2 === 0 ? turn : OTHER[turn]);
    list.replaceChildren();
    let pair = null;
    moves.forEach((move, index) => {
      if (pair === null || moverOf(index) === "X") {
        const number = list.childElementCount + 1;
        pair = h("li", {}, h("span", { class: "number", "aria-hidden": "true" }, `${number}.`));
        if (moverOf(index) === "O") pair.append(h("span", { class: "nothing" }, "…"));
        list.append(pair);
      }
      pair.append(button(move, index, moverOf(index)));
    });
    requestAnimationFrame(() => {
      const now = list.querySelector("[aria-current]");
      list.scrollTop = now ? now.offsetTop - list.clientHeight / 2 : 0;
    });
  });

  function button(move, index, mover) {
    const { view, notes } = session;
    const remark = notes.review?.get(index);
    const words = [`Move ${index + 1}: ${mover} ${move}`, index >= view.played ? "undone" : "", remark?.text ?? ""];
    return h(
      "button",
      {
        type: "button",
        class: "move",
        "aria-current": index + 1 === view.played ? "step" : null,
        "aria-label": words.filter((part) => part !== "").join(", "),
        "data-undone": String(index >= view.played),
        "data-remark": remark ? remark.kind : null,
        title: remark?.text,
        onclick: () => session.jump(index + 1),
      },
      move,
      remark ? h("span", { class: "remark", "aria-hidden": "true" }, remark.sign) : null,
    );
  }
}

const STEPS = [
  ["First position (Home)", "M6 5v14M18 6l-8 6 8 6z", (session) => session.jump(0), -1],
  ["One move back (←)", "M16 6l-8 6 8 6z", (session) => session.step(-1), -1],
  ["One move forward (→)", "M8 6l8 6-8 6z", (session) => session.step(1), 1],
  ["Last position (End)", "M18 5v14M6 6l8 6-8 6z", (session) => session.jump(Infinity), 1],
];

/** Fill the row of buttons that step through the moves. */
export function stepButtons(session, element) {
  const buttons = STEPS.map(([label, path, go, direction]) => {
    const button = h(
      "button",
      { type: "button", class: "step", "aria-label": label, title: label, onclick: () => session.view && go(session) },
      icon(path),
    );
    session.onChange(() => {
      const { guest } = session;
      const here = guest ? session.view : session.here;
      const canStep = !guest || guest.jump !== undefined;
      if (here) setEnabled(button, canStep && (direction < 0 ? here.played > 0 : here.played < here.moves.length));
    });
    return button;
  });
  element.append(...buttons);
}

/** Say whether a button does something now, without taking the focus from it. */
export function setEnabled(button, isEnabled) {
  button.setAttribute("aria-disabled", String(!isEnabled));
}
