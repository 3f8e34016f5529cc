// Who plays: a choice for either side, a person or a level, which may change in the middle of a game.

import { h, markIcon } from "./dom.js";
import { PERSON } from "./session.js";
import { capital } from "./words.js";

/** Return the levels of a kind of game as the server lists them: [{name, about}], from the weakest on. */
export function levelsOf(version, kind) {
  return version?.levels[kind] ?? [];
}

/** Return the level of another kind of game that is as far up the list. */
export function likeLevel(version, player, kind) {
  const here = levelsOf(version, kind);
  if (player === PERSON || here.some(({ name }) => name === player)) return player;
  const there = Object.values(version?.levels ?? {}).find((levels) => levels.some(({ name }) => name === player));
  if (!there || here.length === 0) return PERSON;
  const rank = there.findIndex(({ name }) => name === player) / (there.length - 1);
  return here[Math.round(rank * (here.length - 1))].name;
}

/** Fill a side's place at the table. */
export function seat(session, version, side, element) {
  const choose = () => session.setPlayer(side, select.value);
  const select = h("select", { "aria-label": `${side} is played by`, onchange: choose });
  const guestName = h("strong", { hidden: true });
  const turn = h("span", { class: "turn" });
  element.append(markIcon(side), select, guestName, turn);
  let kind = null;

  session.onChange(() => {
    const { view, players, guest } = session;
    if (!view) return;
    if (kind !== view.kind) {
      kind = view.kind;
      const levels = levelsOf(version, kind).map(({ name }) => h("option", { value: name }, capital(name)));
      select.replaceChildren(h("option", { value: PERSON }, "Person"), h("optgroup", { label: "Computer" }, ...levels));
    }
    const player = likeLevel(version, players[side], kind);
    if (player !== players[side]) {
      session.setPlayer(side, player); // it comes back here
      return;
    }
    select.hidden = guest !== null;
    select.value = player;
    select.title = levelsOf(version, kind).find(({ name }) => name === player)?.about ?? "";
    guestName.hidden = guest === null;
    guestName.textContent = guest?.players?.[side] ?? "";
    const isTurn = !view.outcome && view.turn === side;
    element.dataset.turn = String(isTurn);
    turn.textContent = isTurn ? "to move" : view.outcome?.winner === side ? "wins" : "";
  });
}
