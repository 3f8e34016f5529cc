// The session as an address and back: #game=3x3x3+b2+a1&x=person&o=casual&panel=analysis
//
// People's moves and new games are entries of the browser's history; the computer's answers, steps through the
// moves and panels replace the current one, so that going back always leads to a person's turn.

import { gameText } from "./game.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {Parameters<Session["restore"]>[0]} Wanted */

const OWN = ["game", "x", "o", "panel"];

/**
 * Return what an address says, with defaults for what it leaves out.
 * @param {string} hash
 * @param {Omit<Wanted, "extras">} defaults
 * @returns {Wanted}
 */
export function read(hash, defaults) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const extras = Object.fromEntries([...fields].filter(([name]) => !OWN.includes(name)));
  return {
    game: fields.get("game") ?? defaults.game,
    players: { X: fields.get("x") ?? defaults.players.X, O: fields.get("o") ?? defaults.players.O },
    panel: fields.get("panel") ?? defaults.panel,
    extras,
  };
}

/**
 * Return the part of an address behind the #.
 * @param {Session} session
 */
export function write({ here, players, panel, extras }) {
  const fields = new URLSearchParams({ game: gameText(here), x: players.X, o: players.O, panel, ...extras });
  return fields.toString().replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%7C", "|");
}

/**
 * Keep the browser's address and the session in step.
 * @param {Session} session
 * @param {() => void} restore called when the address changes
 */
export function keepAddress(session, restore) {
  session.on(["view", "players", "panel", "extras"], (history) => {
    if (!history || session.isPending) return;
    const hash = `#${write(session)}`;
    if (hash === location.hash) return;
    if (history === "push") window.history.pushState(null, "", hash);
    else window.history.replaceState(null, "", hash);
  });
  // Going back and forward, and an address that was typed or pasted.
  window.addEventListener("popstate", restore);
}
