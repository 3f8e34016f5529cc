// Who plays: a choice for either side, a person or a level, which may change in the middle of a game.

import { h, markIcon } from "../dom/dom.js";
import { capital } from "../dom/text.js";
import { PERSON } from "../state/session.js";

/**
 * Fill a side's seat above the board.
 * @param {import("../state/session.js").Session} session
 * @param {import("../state/game.js").Side} side
 * @param {HTMLElement} element
 */
export function showSeat(session, side, element) {
  const choose = () => session.setPlayer(side, select.value);
  const select = h("select", { "aria-label": `${side} is played by`, onchange: choose });
  const name = h("strong", { hidden: true });
  const turn = h("span", { class: "turn" });
  element.append(markIcon(side), select, name, turn);
  let kind = "";

  session.on(["view", "players"], () => {
    const { viewOrNull: view, players, mode } = session;
    if (!view) return;
    const levels = session.levelsOf(view.kind);
    if (kind !== view.kind) {
      kind = view.kind;
      const options = levels.map((level) => h("option", { value: level.name }, capital(level.name)));
      select.replaceChildren(
        h("option", { value: PERSON }, "Person"),
        h("optgroup", { label: "Computer" }, ...options),
      );
    }
    select.hidden = mode !== null;
    select.value = players[side];
    select.title = levels.find((level) => level.name === players[side])?.about ?? "";
    name.hidden = mode === null;
    name.textContent = mode?.seats[side] ?? "";
    const isTurn = !view.outcome && view.turn === side;
    element.dataset.turn = String(isTurn);
    turn.textContent = isTurn ? "to move" : view.outcome?.winner === side ? "wins" : "";
  });
}
