// Setting up a board: marks are placed and erased in any number and order, and every board gets its verdict with
// all reasons, also one that no game reaches. The editor is a mode of the board.

import { button, closest, h, markIcon, setEnabled } from "../dom/dom.js";
import { capital, counted } from "../dom/text.js";
import { problemOf } from "../server/api.js";
import { SIDES } from "../state/game.js";

/** @typedef {import("../state/game.js").Mark} Mark */
/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/game.js").View} View */

/** The answer of the server: a verdict, and the reasons for it with their cells. No verdict is a failure.
 * @typedef {{verdict: string | null, reasons: {message: string, cells: number[]}[]}} Judgement */

/** The board that is set up: the view that it began with, its marks, and what changed last in words.
 * @typedef {{view: View, marks: Mark[], change: string}} Board */

const PAUSE = 120; // milliseconds after the last change before the verdict is asked for

/** @type {Record<Mark, Mark>} */
const NEXT = { ".": "X", X: "O", O: "." };

/** @type {Record<string, Mark>} */
const KEYS = { x: "X", o: "O", delete: ".", backspace: "." };

const BRUSHES = [
  ["cycle", "X, O, empty", "each click gives the next: X, O, empty"],
  ["X", "X", "a click places X, or takes it away"],
  ["O", "O", "a click places O, or takes it away"],
  [".", "Erase", "a click empties the cell"],
];

/** @type {Record<string, string>} */
const VERDICTS = {
  X_turn: "X to move",
  O_turn: "O to move",
  X_wins: "X has won",
  O_wins: "O has won",
  draw: "A draw",
  invalid: "Impossible position",
};

/**
 * Return the editor, {element, begin(), isOpen}.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {{onChange: () => void, onCancel: () => void}} events when it opens and closes, and when it is cancelled
 */
export function makeEditor(session, api, { onChange, onCancel }) {
  /** @type {Board | null} while it is open */
  let board = null;
  /** @type {Judgement | null} of these marks; null until the server has answered */
  let judgement = null;
  let isLeaving = false; // the board as it is now is on its way to become a game
  let abort = new AbortController();

  const brushes = BRUSHES.map(([value, label, about]) => {
    const input = h("input", { type: "radio", name: "brush", value, checked: value === "cycle" });
    const face = "XO".includes(value)
      ? [markIcon(value), h("span", { class: "unseen" }, label)]
      : [h("span", {}, label)];
    return { input, label: h("label", { class: "pill", title: about }, input, ...face) };
  });
  const verdict = h("p", { class: "verdict" });
  const reasons = h("ul", { class: "reasons" });
  const play = button("Play from here", playFromHere, { class: "button strong" });
  const keys = ["X", "O", "Delete"].flatMap((key) => [" ", h("kbd", {}, key)]);
  const element = h(
    "section",
    { class: "editor" },
    h("h3", {}, "Setting up a board"),
    h("fieldset", { class: "pills" }, h("legend", {}, "Place"), ...brushes.map(({ label }) => label)),
    h("p", { class: "about" }, "In the board, the keys", ...keys, " do the same."),
    h("div", { class: "judgement", role: "status" }, verdict, reasons),
  );
  const actions = h("div", { class: "actions" }, play, button("Clear", clear), button("Cancel", cancel));

  function begin() {
    const { viewOrNull: view } = session;
    if (!view) return; // the server has not been reached yet
    board = { view, marks: view.cells.map(({ mark }) => mark), change: "" };
    session.enter({ click, jump: null, actions, onLeave, seats: {}, withoutHelp: true }, view);
    changed(board);
    onChange();
    focusBoard();
  }

  function cancel() {
    session.leave();
    onCancel();
  }

  function onLeave() {
    abort.abort();
    board = null;
    onChange();
  }

  // -- changing -------------------------------------------------------------------------------------------

  /** @param {string} name */
  function click(name) {
    if (!board) return;
    const brush = brushes.find(({ input }) => input.checked)?.input.value ?? "cycle";
    const mark = board.marks[indexOf(board, name)];
    place(name, brush === "cycle" ? NEXT[mark] : mark === brush ? "." : /** @type {Mark} */ (brush));
  }

  /**
   * @param {string} name
   * @param {Mark} mark
   */
  function place(name, mark) {
    if (!board || isLeaving) return;
    board.marks[indexOf(board, name)] = mark;
    board.change = `${name}: ${mark === "." ? "empty" : mark}`;
    changed(board);
  }

  function clear() {
    if (!board || isLeaving) return;
    board.marks.fill(".");
    board.change = "the board is empty";
    changed(board);
  }

  /** @param {Board} edited */
  function changed(edited) {
    judgement = null;
    show(edited);
    judge(edited);
  }

  document.addEventListener("keydown", (event) => {
    const name = closest(event, "#board [role=gridcell]")?.dataset.name;
    const mark = KEYS[event.key.toLowerCase()];
    if (!board || !name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (mark) place(name, mark);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
  });

  // -- judging --------------------------------------------------------------------------------------------

  /**
   * Ask for the verdict once nothing has changed for a moment; an answer to an earlier request is dropped.
   * @param {Board} edited
   */
  async function judge(edited) {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    try {
      const send = () => api.post("verdict", { board: textOf(edited) }, { signal });
      const answer = await api.retrying(send, { signal });
      if (signal.aborted) return;
      judgement = answer;
    } catch (error) {
      if (signal.aborted) return;
      judgement = { verdict: null, reasons: [{ message: problemOf(error).message, cells: [] }] };
    }
    show(edited);
  }

  async function playFromHere() {
    if (!board || isLeaving || !judgement?.verdict || judgement.verdict === "invalid") return;
    focusBoard();
    isLeaving = true;
    await session.goTo(textOf(board)).finally(() => {
      isLeaving = false;
    });
  }

  // -- showing --------------------------------------------------------------------------------------------

  /** @param {Board} edited */
  function show(edited) {
    const { view, marks } = edited;
    const value = judgement?.verdict ?? "";
    const why = judgement?.reasons ?? [];
    const seats = Object.fromEntries(
      SIDES.map((side) => [side, counted(marks.filter((mark) => mark === side).length, "mark")]),
    );
    session.present(editedView(edited, judgement), { seats });
    const named = why.flatMap(({ cells }) => cells.map((cell) => view.cells[cell].name));
    session.annotate({ guilty: value === "invalid" ? [...new Set(named)] : [] });
    element.dataset.verdict = value;
    if (!judgement) return; // the last verdict stays until there is another, so that nothing flickers
    verdict.textContent = value ? VERDICTS[value] : "No verdict";
    reasons.replaceChildren(...why.map(({ message }) => h("li", {}, capital(message))));
    setEnabled(play, value !== "" && value !== "invalid");
    play.textContent = ["X_wins", "O_wins", "draw"].includes(value) ? "Open this position" : "Play from here";
  }

  return {
    element,
    begin,
    get isOpen() {
      return board !== null;
    },
  };
}

/**
 * Return the view of a board that is being set up: one may click anywhere.
 * @param {Board} edited
 * @param {Judgement | null} judgement
 * @returns {View}
 */
function editedView({ view, marks, change }, judgement) {
  const { verdict: value = null, reasons = [] } = judgement ?? {};
  const text = textOf({ view, marks, change });
  const lines = reasons.map(({ cells }) => cells.map((cell) => view.cells[cell].name));
  const isWon = value === "X_wins" || value === "O_wins";
  const isTurn = value === "X_turn" || value === "O_turn";
  const words = value && `${VERDICTS[value]}${value === "invalid" ? `: ${reasons[0].message}` : ""}`;
  return {
    ...view,
    game: text,
    position: text,
    moves: [],
    played: 0,
    last: null,
    cells: view.cells.map((cell, index) => ({ ...cell, mark: marks[index] })),
    legal: view.cells.map(({ name }) => name),
    turn: isTurn ? /** @type {Side} */ (value[0]) : "",
    outcome: isWon ? { winner: /** @type {Side} */ (value[0]), lines, text: VERDICTS[value] } : null,
    status: words || change || "Setting up a board",
  };
}

/**
 * Return the text of a board.
 * @param {Board} edited
 */
function textOf({ view: { name, rows, cols }, marks }) {
  const lines = Array.from({ length: rows }, (_, row) => marks.slice(row * cols, (row + 1) * cols).join(""));
  return `${name}:${lines.join("/")}`;
}

/**
 * @param {Board} edited
 * @param {string} name
 */
function indexOf({ view }, name) {
  return view.cells.findIndex((cell) => cell.name === name);
}

/** Move the focus into the board: what had it is about to vanish. */
function focusBoard() {
  const cell = document.querySelector("#board [role=gridcell][tabindex='0']");
  if (cell instanceof HTMLElement) cell.focus({ preventScroll: true });
}
