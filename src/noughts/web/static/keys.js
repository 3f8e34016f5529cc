// Keys for the whole page. The table is what the help dialog shows, too.
//
// Arrows, Home and End step through the moves, unless the focus is where these keys mean something else: in the
// board, in a list of tabs or in a field. Letters work everywhere but in fields.

import { h } from "./dom.js";

/** The keys, what they do in words, and what they do. A key is shown as it is, unless it has a sign. */
const KEYS = [
  { keys: ["ArrowLeft", "k"], about: "one move back", run: ({ session }) => session.step(-1) },
  { keys: ["ArrowRight", "j"], about: "one move forward", run: ({ session }) => session.step(1) },
  { keys: ["Home", "ArrowUp", "0"], about: "to the first position", run: ({ session }) => session.jump(0) },
  { keys: ["End", "ArrowDown", "$"], about: "to the last position", run: ({ session }) => session.jump(Infinity) },
  { keys: ["u", "Ctrl+Z"], about: "undo: your move, and the answer to it", run: ({ session }) => session.undo() },
  { keys: ["n"], about: "new game", run: ({ session }) => session.newGame() },
  { keys: ["h"], about: "hint; once more says more", run: ({ hint }) => hint.more() },
  { keys: ["a"], about: "analysis on and off", run: toggleAnalysis },
  { keys: ["c"], about: "copy the game", run: copyGame },
  { keys: ["b"], about: "go to the board", run: ({ board }) => board.focus() },
  { keys: ["?"], about: "this help", run: ({ help }) => help.showModal() },
];

function toggleAnalysis({ session }) {
  session.show(session.panel === "analysis" ? "game" : "analysis");
}

async function copyGame({ session, share }) {
  session.report({ message: await share.copy("game"), tone: "good" });
}

const BOARD_KEYS = [
  { keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], about: "from cell to cell" },
  { keys: ["Home", "End"], about: "to the ends of the row; with Ctrl, of the board" },
  { keys: ["Enter", "Space"], about: "play there" },
];

const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

const MOVING = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];
const FIELDS = "input, select, textarea, [contenteditable]";

/** Listen for keys; `parts` are what they act on: session, board, hint, share, help. */
export function listenForKeys(parts) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || !parts.session.view || document.querySelector("dialog[open]")) return;
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
  const caps = (keys) => keys.map((key) => h("kbd", {}, SIGNS[key] ?? key));
  const row = ({ keys, about }) => [h("dt", {}, ...caps(keys)), h("dd", {}, about)];
  const section = (title, rows) =>
    h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, ...rows.flatMap(row)));
  element.append(section("Anywhere", KEYS), section("In the board", BOARD_KEYS));
}
