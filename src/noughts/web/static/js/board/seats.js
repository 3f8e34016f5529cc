// Who plays: a card for either side, with a menu of a person and the levels. The player may change in the middle of a game.

import { h, markIcon } from "../dom/dom.js";
import { capital } from "../dom/text.js";
import { OTHER } from "../state/game.js";
import { PERSON } from "../state/session.js";

/**
 * Fill a side's card above the board.
 * @param {import("../state/session.js").Session} session
 * @param {import("../state/game.js").Side} side
 * @param {HTMLElement} element
 */
export function showSeat(session, side, element) {
  const choose = () => session.setPlayer(side, select.value);
  const select = h("select", { "aria-label": `${side} is played by`, onchange: choose });
  const person = h("option", { value: PERSON });
  const name = h("strong", { hidden: true });
  const turn = h("span", { class: "unseen" });
  const beside = h("span", { class: "contents" });
  element.append(markIcon(side), select, name, turn, beside);
  const narrow = matchMedia("(max-width: 30rem)"); // no room for a long name
  let kind = "";

  session.on(["view", "players"], () => {
    const { viewOrNull: view, players, mode } = session;
    if (!view) return;
    const levels = session.levelsOf(view.kind);
    if (kind !== view.kind) {
      kind = view.kind;
      select.replaceChildren(person, ...levels.map((level) => h("option", { value: level.name })));
    }
    for (const option of select.options) {
      const level = capital(option.value);
      if (option !== person) option.textContent = narrow.matches ? level : `Computer · ${level}`;
    }
    person.textContent = players[OTHER[side]] === PERSON ? "Person" : "You";
    select.hidden = mode !== null;
    select.value = players[side];
    select.title = levels.find((level) => level.name === players[side])?.about ?? "";
    name.hidden = mode === null;
    name.textContent = mode?.seats[side] ?? "";
    name.title = name.textContent; // it may not fit
    const more = mode?.beside?.[side] ?? null;
    if (beside.firstChild !== more) beside.replaceChildren(...(more ? [more] : []));
    const isTurn = !view.outcome && view.turn === side;
    const hasWon = view.outcome?.winner === side;
    element.dataset.turn = String(isTurn);
    element.dataset.winner = String(hasWon);
    turn.textContent = isTurn ? "to move" : hasWon ? "won" : "";
  });
}
