// Keys for the whole page. The table is what the help dialog shows, too.
//
// Arrows, Home and End step through the moves, unless the focus is where these keys mean something else: in the
// board, in a list of tabs or in a field. Letters work everywhere but in fields.

import { h } from "./dom.js";

/** The keys: how they are written, what they do in words, and what they do. */
const KEYS = [
  { keys: ["ArrowLeft", "k"], shown: ["←", "k"], about: "one move back", run: ({ session }) => session.step(-1) },
  { keys: ["ArrowRight", "j"], shown: ["→", "j"], about: "one move forward", run: ({ session }) => session.step(1) },
  { keys: ["Home", "ArrowUp", "0"], shown: ["Home", "↑", "0"], about: "to the first position", run: ({ session }) => session.jump(0) },
  { keys: ["End", "ArrowDown", "$"], shown: ["End", "↓", "$"], about: "to the last position", run: ({ session }) => session.jump(Infinity) },
  { keys: ["u"], shown: ["u", "Ctrl+Z"], about: "undo: take your move back, and the answer to it", run: ({ session }) => session.undo() },
  { keys: ["n"], shown: ["n"], about: "new game", run: ({ session }) => session.newGame() },
  { keys: ["h"], shown: ["h"], about: "hint; once more says more", run: ({ hint }) => hint.more() },
  { keys: ["a"], shown: ["a"], about: "analysis on and off", run: ({ session }) => session.show(session.panel === "analysis" ? "game" : "analysis") },
  { keys: ["c"], shown: ["c"], about: "copy the game", run: async ({ session, share }) => session.report({ message: await share.copy("game"), tone: "good" }) },
  { keys: ["b"], shown: ["b"], about: "go to the board", run: ({ board }) => board.focus() },
  { keys: ["?"], shown: ["?"], about: "this help", run: ({ help }) => help.showModal() },
];

const BOARD_KEYS = [
  { shown: ["←", "→", "↑", "↓"], about: "from cell to cell" },
  { shown: ["Home", "End"], about: "to the ends of the row; with Ctrl, of the board" },
  { shown: ["Enter", "Space"], about: "play there" },
];

const MOVING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const FIELDS = "input, select, textarea, [contenteditable]";

/** Listen for keys; `parts` are what they act on: session, board, hint, share, help. */
export function listenForKeys(parts) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const target = event.target;
    if (target.closest?.(FIELDS)) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.altKey) {
      event.preventDefault();
      if (event.shiftKey) parts.session.step(1);
      else parts.session.undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (MOVING.includes(event.key) && target.closest?.("[role=grid], [role=tablist]")) return;
    const found = KEYS.find(({ keys }) => keys.includes(event.key));
    if (!found || (parts.session.guest && found.keys.some((key) => "un".includes(key)))) return;
    event.preventDefault();
    found.run(parts);
  });
}

/** Fill the help dialog. */
export function describeKeys(element) {
  const table = (title, rows) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h("dl", { class: "keys" }, ...rows.flatMap(({ shown, about }) => [
        h("dt", {}, ...shown.flatMap((key, index) => (index ? [" ", h("kbd", {}, key)] : [h("kbd", {}, key)]))),
        h("dd", {}, about),
      ])),
    );
  element.append(table("Anywhere", KEYS), table("In the board", BOARD_KEYS));
}
