// The session as an address and back: #game=3x3x3+b2+a1&x=person&o=casual&panel=analysis
//
// To share it, the same fields are behind a ?, so that the server can say what the link shows.
//
// People's moves and new games are entries of the browser's history; the computer's answers, steps through the
// moves and panels replace the current one, so that going back always leads to a person's turn.

import { gameText } from "./game.js";
import { PERSON } from "./session.js";

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
  return readable(new URLSearchParams({ game: gameText(here), x: players.X, o: players.O, panel, ...extras }));
}

/**
 * Return an address to share, whose fields are behind a ?: a server sees them, and can say what there is.
 * @param {Record<string, string>} fields
 */
export function shareAddress(fields) {
  return `${location.origin}${location.pathname}?${readable(new URLSearchParams(fields))}`;
}

/**
 * Return the address that shares what the session shows.
 * @param {Session} session
 */
export function shared(session) {
  const { room, puzzle } = session.extras;
  if (room) return shareAddress({ room });
  if (puzzle) return shareAddress({ puzzle });
  const fields = new URLSearchParams(write(session));
  if (fields.get("panel") === "share") fields.delete("panel");
  for (const side of ["x", "o"]) if (fields.get(side) === PERSON) fields.delete(side);
  return shareAddress(Object.fromEntries(fields));
}

/** Bring an address that was shared into the form that the page keeps: its fields behind the #. */
export function unfoldShared() {
  if (location.search === "") return;
  const fields = new URLSearchParams(location.search);
  // Sites add fields of their own to the links that are posted there.
  for (const name of [...fields.keys()]) if (/^(utm_|fbclid|gclid)/.test(name)) fields.delete(name);
  // Nobody plays a game that is shared, unless it says so.
  if (fields.has("game")) for (const side of ["x", "o"]) if (!fields.has(side)) fields.set(side, PERSON);
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) fields.set(name, text);
  window.history.replaceState(null, "", `${location.pathname}#${readable(fields)}`);
}

/**
 * @param {URLSearchParams} fields
 */
function readable(fields) {
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
