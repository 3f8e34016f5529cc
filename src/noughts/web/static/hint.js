// A hint in steps, each of which says more: where to look, what can be reached there, and the move itself.

import { Problem } from "./api.js";
import { wordsOf } from "./board.js";

const SECONDS = 2;

/** Return {more()}, which asks for a hint or says more of it; `element` is where it is said. */
export function makeHint(session, api, element) {
  let hint = null; // {position, step, best, value, ...}
  let abort = null;

  session.onChange((what) => {
    if (what === "game" && hint && hint.position !== session.view.position) clear();
  });

  function clear() {
    abort?.abort();
    abort = null;
    hint = null;
    element.hidden = true;
    element.textContent = "";
  }

  async function more() {
    const { view, isPending } = session;
    if (isPending || abort || view.outcome || view.legal.length === 0) return;
    if (!hint) {
      say("Looking for a hint…");
      const mine = (abort = new AbortController());
      try {
        const found = await api.post("analyse", { game: view.game, seconds: SECONDS }, { signal: mine.signal });
        if (abort !== mine) return;
        const best = found.best[0] ?? found.line[0];
        hint = { position: view.position, step: 0, best, value: found.moves[best], moves: found.moves };
      } catch (error) {
        if (abort !== mine) return;
        if (!(error instanceof Problem)) throw error;
        say(error.message);
        return;
      } finally {
        if (abort === mine) abort = null;
      }
    }
    hint.step = Math.min(hint.step + 1, 3);
    const { text, cells } = STEPS[hint.step - 1](hint, session.view);
    say(text);
    session.annotate({ hint: cells });
  }

  function say(text) {
    element.hidden = false;
    element.textContent = text;
  }

  return { more };
}

const STEPS = [
  (hint, view) => {
    const region = regionOf(hint.best, view);
    const promise = hint.value?.proved ? { win: "There is a forced win. ", draw: "A draw can be held. ", loss: "" }[hint.value.value] : "";
    return { text: `${promise}Look at the ${region.text}.`, cells: region.cells };
  },
  (hint, view) => {
    const as = Object.values(hint.moves).filter((value) => wordsOf(value) === wordsOf(hint.value)).length;
    const others = as === 1 ? "only one move" : `${as} moves`;
    const text = hint.value.proved
      ? `The best is a ${wordsOf(hint.value)}: ${others} of ${view.legal.length}.`
      : `The best move is worth about ${wordsOf(hint.value)}; that is an estimate.`;
    return { text, cells: regionOf(hint.best, view).cells };
  },
  (hint) => ({ text: `Play ${hint.best}.`, cells: [hint.best] }),
];

/** Return the part of the board around a cell: a small board, or a third of the grid each way. */
function regionOf(name, view) {
  const index = view.cells.findIndex((cell) => cell.name === name);
  if (view.boards && !view.forced) {
    const { board } = view.cells[index];
    const cells = view.cells.filter((cell) => cell.board === board).map((cell) => cell.name);
    return { text: `board ${view.boards[board].name} (${view.boards[board].place})`, cells };
  }
  const isSmall = view.boards !== undefined;
  const [rows, cols] = isSmall ? [3, 3] : [view.rows, view.cols];
  const [row, col] = [Math.floor(index / view.cols) % rows, (index % view.cols) % cols];
  if (Math.max(rows, cols) <= 3) {
    const cells = view.cells.filter((cell, at) => (!isSmall || cell.board === view.cells[index].board) && Math.floor(at / view.cols) % rows === row);
    return { text: `${["top", "middle", "bottom"][row] ?? ""} row`.trim(), cells: cells.map((cell) => cell.name) };
  }
  const third = (at, size) => Math.min(2, Math.floor((3 * at) / size));
  const [down, right] = [third(row, rows), third(col, cols)];
  const cells = view.cells.filter((_, at) => third(Math.floor(at / cols), rows) === down && third(at % cols, cols) === right);
  const words = [["top", "middle", "bottom"][down], ["left", "centre", "right"][right]].join(" ");
  return { text: words === "middle centre" ? "centre" : words, cells: cells.map((cell) => cell.name) };
}
