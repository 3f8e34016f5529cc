// What the page knows, kept for a start without the server: its levels, and the last positions that were on the board.
//
// The page knows no rules, so this is all that it can show then. While the server is there, nothing of it is used.

/** @typedef {import("./game.js").View} View */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./session.js").Version} Version */
/** @typedef {{version: Version, views: View[]}} Known */

const KEY = "noughts-known";
const VIEWS = 60;

/**
 * Keep what a session knows whenever the page may be about to end.
 * @param {Session} session
 */
export function remember(session) {
  const keep = () => {
    if (!session.version) return;
    try {
      const known = { version: session.version, views: session.knownViews.slice(-VIEWS) };
      localStorage.setItem(KEY, JSON.stringify(known));
    } catch {
      // a browser may keep nothing, or not as much
    }
  };
  window.addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
}

/**
 * Return what was kept; null if there is nothing.
 * @returns {Known | null}
 */
export function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}
