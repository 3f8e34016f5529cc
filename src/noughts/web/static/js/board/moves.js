// The moves: a list one can click, and buttons to step through it. Undone moves stay, paler, until others are made.

import { h, icon, STEP_SIGNS as SIGNS, setEnabled } from "../dom/dom.js";
import { moverOf, pairOf } from "../state/game.js";

/** @typedef {import("../state/session.js").Session} Session */

/**
 * Keep the list of moves.
 * @param {Session} session
 * @param {{list: HTMLElement, empty: HTMLElement, name: HTMLElement}} elements
 */
export function listMoves(session, { list, empty, name }) {
  let drawn = "";
  session.on(["view", "notes"], () => {
    const { viewOrNull: view } = session;
    if (!view) return;
    const { start, moves, played, turn } = view;
    const { remarks } = session;
    const key = JSON.stringify([start, moves, played, turn, remarks && [...remarks]]);
    if (key === drawn) return;
    drawn = key;
    name.textContent = view.name;
    empty.hidden = moves.length > 0;
    list.replaceChildren();
    /** @type {HTMLElement | null} */
    let pair = null;
    for (const [index, move] of moves.entries()) {
      const mover = moverOf(view, index);
      if (pair === null || mover === "X") {
        const number = `${pairOf(view, index)}.`;
        pair = h("li", {}, h("span", { class: "number", "aria-hidden": "true" }, number));
        if (mover === "O") pair.append(h("span", { class: "nothing" }, "…"));
        list.append(pair);
      }
      pair.append(button(move, index, mover));
    }
    requestAnimationFrame(() => {
      const now = list.querySelector("[aria-current]");
      list.scrollTop = now instanceof HTMLElement ? now.offsetTop - list.clientHeight / 2 : 0;
    });
  });

  /**
   * @param {string} move
   * @param {number} index
   * @param {string} mover
   */
  function button(move, index, mover) {
    const { view } = session;
    const remark = session.remarks?.get(index);
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

/** @type {{label: string, path: string, go: (session: Session) => unknown, isBack: boolean}[]} */
const STEPS = [
  { label: "First position (Home)", path: SIGNS.first, go: (session) => session.jump(0), isBack: true },
  { label: "One move back (←)", path: SIGNS.back, go: (session) => session.step(-1), isBack: true },
  { label: "One move forward (→)", path: SIGNS.forward, go: (session) => session.step(1), isBack: false },
  {
    label: "Last position (End)",
    path: SIGNS.last,
    go: (session) => session.jump(Infinity),
    isBack: false,
  },
];

/**
 * Fill the row of buttons that step through the moves.
 * @param {Session} session
 * @param {HTMLElement} element
 */
export function stepButtons(session, element) {
  for (const { label, path, go, isBack } of STEPS) {
    const press = () => session.viewOrNull && go(session);
    const button = h(
      "button",
      { type: "button", class: "step", "aria-label": label, title: label, onclick: press },
      icon(path),
    );
    element.append(button);
    session.on(["moves"], () => {
      const { mode, walked } = session;
      if (!walked) return;
      const canStep = mode === null || mode.jump !== null;
      setEnabled(button, canStep && (isBack ? walked.played > 0 : walked.played < walked.moves.length));
    });
  }
}
