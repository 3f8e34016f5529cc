// Setting up a board: marks are placed and erased in any number and order, and every board gets its verdict with
// all reasons, also one that no game reaches. The editor is a guest on the board.

import { h, markIcon } from "./dom.js";
import { setEnabled } from "./moves.js";
import { capital } from "./words.js";

const PAUSE = 120; // milliseconds after the last change before the verdict is asked for
const NEXT = { ".": "X", X: "O", O: "." };
const KEYS = { x: "X", o: "O", delete: ".", backspace: "." };
const BRUSHES = [
  ["cycle", "Cycle", "each click gives the next: X, O, empty"],
  ["X", "X", "a click places X, or takes it away"],
  ["O", "O", "a click places O, or takes it away"],
  [".", "Erase", "a click empties the cell"],
];
const VERDICTS = {
  X_turn: "X to move",
  O_turn: "O to move",
  X_wins: "X has won",
  O_wins: "O has won",
  draw: "A draw",
  invalid: "No game leads here",
};

/** Return the editor, {element, begin(), isOpen}; `onChange` is called when it opens and closes, `onCancel` when it is left. */
export function makeEditor(session, api, { onChange, onCancel }) {
  let board = null; // {view, marks, changed} while it is open
  let judgement = null; // of these marks; null until the server has answered
  let isLeaving = false; // the board as it is now is on its way to become a game
  let abort = new AbortController();

  const brushes = BRUSHES.map(([value, label, about]) => {
    const input = h("input", { type: "radio", name: "brush", value, checked: value === "cycle" });
    const face = "XO".includes(value)
      ? [markIcon(value), h("span", { class: "unseen" }, label)]
      : [h("span", {}, label)];
    return { input, label: h("label", { class: "pill", title: about }, input, ...face) };
  });
  const button = (label, onclick) => h("button", { type: "button", class: "button", onclick }, label);
  const verdict = h("p", { class: "verdict" });
  const reasons = h("ul", { class: "reasons" });
  const play = h("button", { type: "button", class: "button strong", onclick: playFromHere }, "Play from here");
  const element = h(
    "section",
    { class: "editor" },
    h("h3", {}, "Setting up a board"),
    h("fieldset", { class: "pills" }, h("legend", {}, "A click makes"), ...brushes.map(({ label }) => label)),
    h(
      "p",
      { class: "about" },
      "In the board, the keys ",
      h("kbd", {}, "X"),
      " ",
      h("kbd", {}, "O"),
      " and ",
      h("kbd", {}, "Delete"),
      " do the same.",
    ),
    h("div", { class: "judgement", role: "status" }, verdict, reasons),
  );
  const actions = h("div", { class: "actions" }, play, button("Clear", clear), button("Cancel", cancel));
  const guest = { click, players: {}, withoutHelp: true, actions, dismissed };

  function begin() {
    const { view } = session;
    if (!view) return; // the server has not been reached yet
    board = { view, marks: view.cells.map(({ mark }) => mark), changed: "" };
    judgement = null;
    session.invite(guest);
    show();
    judge();
    onChange();
    focusBoard();
  }

  function cancel() {
    session.dismiss();
    onCancel();
  }

  function dismissed() {
    abort.abort();
    board = null;
    onChange();
  }

  // -- changing -----------------------------------------------------------------------------------------

  function click(name) {
    const brush = brushes.find(({ input }) => input.checked).input.value;
    const mark = board.marks[indexOf(name)];
    place(name, brush === "cycle" ? NEXT[mark] : mark === brush ? "." : brush);
  }

  function place(name, mark) {
    if (isLeaving) return;
    board.marks[indexOf(name)] = mark;
    board.changed = `${name}: ${mark === "." ? "empty" : mark}`;
    changed();
  }

  function clear() {
    if (isLeaving) return;
    board.marks.fill(".");
    board.changed = "the board is empty";
    changed();
  }

  function indexOf(name) {
    return board.view.cells.findIndex((cell) => cell.name === name);
  }

  function changed() {
    judgement = null;
    show();
    judge();
  }

  document.addEventListener("keydown", (event) => {
    const name = event.target.closest?.("#board [role=gridcell]")?.dataset.name;
    const mark = KEYS[event.key.toLowerCase()];
    if (!board || !name || event.ctrlKey || event.metaKey || event.altKey) return;
    if (mark) place(name, mark);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
  });

  // -- judging ------------------------------------------------------------------------------------------

  function text() {
    const { view, marks } = board;
    const rows = Array.from({ length: view.rows }, (_, row) =>
      marks.slice(row * view.cols, (row + 1) * view.cols).join(""),
    );
    return `${view.name}:${rows.join("/")}`;
  }

  /** Ask for the verdict once nothing has changed for a moment; an answer to an earlier question is not heard. */
  async function judge() {
    abort.abort();
    const { signal } = (abort = new AbortController());
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    try {
      const answer = await api.patiently(() => api.post("verdict", { board: text() }, { signal }), signal);
      if (signal.aborted) return;
      judgement = answer;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof api.Problem)) throw error;
      judgement = { verdict: null, reasons: [{ message: error.message, cells: [] }] };
    }
    show();
  }

  async function playFromHere() {
    if (isLeaving || !judgement?.verdict || judgement.verdict === "invalid") return;
    focusBoard();
    isLeaving = true;
    await session.goTo(text()).finally(() => (isLeaving = false));
  }

  // -- showing ------------------------------------------------------------------------------------------

  function show() {
    const { view, marks, changed: status } = board;
    const { verdict: value, reasons: why } = judgement ?? { verdict: undefined, reasons: [] };
    const named = (cells) => cells.map((cell) => view.cells[cell].name);
    const isWon = value === "X_wins" || value === "O_wins";
    const names = view.cells.map(({ name }) => name);
    for (const side of ["X", "O"]) guest.players[side] = marksOf(marks.filter((mark) => mark === side).length);
    session.showGuest({
      ...view,
      game: text(),
      position: text(),
      moves: [],
      played: 0,
      last: null,
      cells: view.cells.map((cell, index) => ({ ...cell, mark: marks[index] })),
      legal: names, // one may click anywhere
      turn: value?.endsWith("_turn") ? value[0] : "", // a board that no game reaches is nobody's turn
      outcome: isWon ? { winner: value[0], lines: why.map(({ cells }) => named(cells)), text: VERDICTS[value] } : null,
      status: value
        ? `${VERDICTS[value]}${value === "invalid" ? `: ${why[0].message}` : ""}`
        : status || "Setting up a board",
    });
    session.annotate({ hint: value === "invalid" ? [...new Set(why.flatMap(({ cells }) => named(cells)))] : null });
    element.dataset.verdict = value ?? "";
    if (!judgement) return; // the last verdict stays until there is another, so that nothing flickers
    verdict.textContent = value ? VERDICTS[value] : "No verdict";
    reasons.replaceChildren(...why.map(({ message }) => h("li", {}, capital(message))));
    setEnabled(play, Boolean(value) && value !== "invalid");
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

function marksOf(count) {
  return `${count} ${count === 1 ? "mark" : "marks"}`;
}

/** Go on in the board: what had the focus is about to vanish. */
function focusBoard() {
  document.querySelector("#board [role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
}
