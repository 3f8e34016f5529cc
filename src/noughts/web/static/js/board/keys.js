// Keys for the whole page. The table is what the help dialog shows, too.
//
// Arrows, Home and End step through the moves, unless the focus is where these keys mean something else: in the
// board, in a list of tabs or in a field. Letters work everywhere but in fields.

import { closest, h } from "../dom/dom.js";

/** @typedef {import("../state/session.js").Session} Session */

/** What keys act on.
 * @typedef {object} Parts
 * @property {Session} session
 * @property {{focus(): void}} board
 * @property {{by(step: 1 | -1): unknown}} zoom
 * @property {{more(): unknown}} hint
 * @property {{copy(what: "game"): Promise<string>}} share
 * @property {HTMLDialogElement} help
 */

/** A key, shown as it is unless it has a sign; some are only for the session's own game, not for a mode.
 * @typedef {{keys: string[], about: string, isOwn?: boolean, run: (parts: Parts) => unknown}} Key */

/** @type {Key[]} */
const KEYS = [
  { keys: ["ArrowLeft", "k"], about: "one move back", run: ({ session }) => session.step(-1) },
  { keys: ["ArrowRight", "j"], about: "one move forward", run: ({ session }) => session.step(1) },
  { keys: ["Home", "ArrowUp", "0"], about: "to the first position", run: ({ session }) => session.jump(0) },
  { keys: ["End", "ArrowDown", "$"], about: "to the last position", run: ({ session }) => session.jump(Infinity) },
  {
    keys: ["u", "Ctrl+Z"],
    about: "undo: your move, and the answer to it",
    isOwn: true,
    run: ({ session }) => session.undo(),
  },
  { keys: ["Ctrl+Y"], about: "redo", isOwn: true, run: ({ session }) => session.redo() },
  { keys: ["n"], about: "new game", isOwn: true, run: ({ session }) => session.newGame() },
  { keys: ["h"], about: "hint (press again for more)", run: ({ hint }) => hint.more() },
  { keys: ["a"], about: "analysis on and off", run: toggleAnalysis },
  { keys: ["c"], about: "copy the game", run: copyGame },
  { keys: ["b"], about: "go to the board", run: ({ board }) => board.focus() },
  { keys: ["+", "="], about: "larger cells, where these are small", run: ({ zoom }) => zoom.by(1) },
  { keys: ["-"], about: "smaller cells", run: ({ zoom }) => zoom.by(-1) },
  { keys: ["?"], about: "this help", run: ({ help }) => help.showModal() },
];

/** @param {Parts} parts */
function toggleAnalysis({ session }) {
  session.openPanel(session.panel === "analysis" ? "game" : "analysis");
}

/** @param {Parts} parts */
async function copyGame({ session, share }) {
  session.say({ message: await share.copy("game"), tone: "good" });
}

const BOARD_KEYS = [
  { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], about: "from cell to cell" },
  { keys: ["Home", "End"], about: "to the ends of the row; with Ctrl, of the board" },
  { keys: ["Enter", "Space"], about: "play there" },
];

const LESSON_KEYS = [
  { keys: ["ArrowLeft", "ArrowRight"], about: "one step back, forward" },
  { keys: ["Home", "End"], about: "to the first, the last step" },
  { keys: ["p"], about: "play and pause" },
  { keys: ["g"], about: "go to the next game, move or check" },
];

const GESTURES = [
  ["A swipe to the left or right", "on the board or the moves: one move forward, back"],
  ["Two fingers", "on a board with small cells: larger and smaller"],
  ["One finger", "on a board with large cells: another part of it"],
];

/** @type {Record<string, string>} */
const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

const MOVING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const FIELDS = "input, select, textarea, [contenteditable]";

/**
 * Listen for keys.
 * @param {Parts} parts
 */
export function listenForKeys(parts) {
  const { session } = parts;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !session.viewOrNull || document.querySelector("dialog[open]")) return;
    if (closest(event, FIELDS)) return;
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const letter = key.toLowerCase();
    if ((ctrlKey || metaKey) && !altKey && (letter === "z" || letter === "y")) {
      event.preventDefault();
      if (shiftKey || letter === "y") session.redo();
      else session.undo();
      return;
    }
    if (ctrlKey || metaKey || altKey) return;
    if (MOVING.includes(key) && closest(event, "[role=grid], [role=tablist]")) return;
    const ofMode = session.mode?.keys?.[key];
    const found = KEYS.find(({ keys }) => keys.includes(key));
    if (!ofMode && (!found || (session.mode && found.isOwn))) return;
    event.preventDefault();
    if (ofMode) ofMode();
    else found?.run(parts);
  });
}

/**
 * Fill the help dialog.
 * @param {HTMLElement} element
 */
export function describeKeys(element) {
  const caps = (/** @type {string[]} */ keys) => keys.map((key) => h("kbd", {}, SIGNS[key] ?? key));
  /** @param {{keys: string[], about: string}[]} rows */
  const list = (rows) => rows.flatMap(({ keys, about }) => [h("dt", {}, ...caps(keys)), h("dd", {}, about)]);
  /** @param {{keys: string[], about: string}[]} rows */
  const section = (/** @type {string} */ title, rows) =>
    h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...list(rows)));
  const gestures = GESTURES.flatMap(([what, about]) => [h("dt", {}, what), h("dd", {}, about)]);
  const touch = h("section", {}, h("h3", {}, "By touch"), h("dl", { class: "gestures" }, ...gestures));
  const isTouched = matchMedia("(pointer: coarse)").matches;
  element.append(
    ...(isTouched ? [touch] : []),
    section("Anywhere", KEYS),
    section("In the board", BOARD_KEYS),
    section("In a lesson", LESSON_KEYS),
    ...(isTouched ? [] : [touch]),
  );
}
