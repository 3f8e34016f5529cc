// Who plays: a choice for either side, a person or a level, which may change in the middle of a game.

import { h, markIcon } from "./dom.js";
import { PERSON } from "./session.js";

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
  const select = h("select", { "aria-label": `${side} is played by`, onchange: choose });
  const about = h("span", { class: "about" });
  const turn = h("span", { class: "turn" });
  element.append(markIcon(side), select, about, turn);
  let kind = null;

  function choose() {
    session.setPlayer(side, select.value);
  }

  session.onChange(() => {
    const { view, players, thinking, guest } = session;
    if (!view) return;
    if (kind !== view.kind) {
      kind = view.kind;
      const levels = levelsOf(version, kind).map(({ name }) => h("option", { value: name }, `Computer: ${name}`));
      select.replaceChildren(h("option", { value: PERSON }, "Person"), ...levels);
    }
    const player = likeLevel(version, players[side], kind);
    if (player !== players[side]) {
      session.setPlayer(side, player);
      return;
    }
    select.hidden = guest !== null;
    select.value = player;
    const level = levelsOf(version, kind).find(({ name }) => name === player);
    about.textContent = guest ? (guest.players?.[side] ?? "") : (level?.about ?? "");
    select.title = level?.about ?? "";
    const isTurn = !view.outcome && view.turn === side;
    element.dataset.turn = String(isTurn);
    element.dataset.won = String(view.outcome?.winner === side);
    turn.textContent = thinking?.side === side ? "thinking" : isTurn ? "to move" : view.outcome?.winner === side ? "wins" : "";
    turn.dataset.thinking = String(thinking?.side === side);
  });
}
