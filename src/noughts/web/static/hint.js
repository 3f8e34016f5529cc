// A hint in steps, each of which says more: where to look, what can be reached there, and the move itself.

import { wordsOf } from "./board.js";

const SECONDS = 2;

/** Return {more()}, which asks for a hint or says more of it; `element` is where it is said. */
export function makeHint(session, api, element) {
  let hint = null; // of the position on the board, once there is one
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
    if (isPending || abort || view.outcome || session.guest?.withoutHelp) return;
    if (!hint) {
      say("Looking for a hint…");
      const mine = (abort = new AbortController());
      const { signal } = mine;
      try {
        const found = await api.patiently(() => api.post("analyse", { game: view.game, seconds: SECONDS }, { signal }), signal);
        if (abort !== mine) return;
        const best = found.best[0] ?? found.line[0];
        hint = hintOf(view, best, found.moves);
      } catch (error) {
        if (abort !== mine) return;
        if (!(error instanceof api.Problem)) throw error;
        say(error.message);
        return;
      } finally {
        if (abort === mine) abort = null;
      }
    }
    const step = hint.steps[Math.min(hint.said, hint.steps.length - 1)];
    hint.said += 1;
    const { text, cells } = step(hint, view);
    say(text);
    session.annotate({ hint: cells });
  }

  function say(text) {
    element.hidden = false;
    element.textContent = text;
  }

  return { more };
}

/** Return a hint about which nothing was said yet: the best move, its value, and the steps of saying so. */
function hintOf(view, best, moves) {
  const value = moves[best];
  const asGood = Object.values(moves).filter((other) => wordsOf(other) === wordsOf(value)).length;
  const isClear = value.proved && asGood === view.legal.length;
  return { position: view.position, best, value, asGood, said: 0, steps: isClear ? [sayAll, sayMove] : [sayWhere, sayValue, sayMove] };
}

function sayAll({ value }) {
  return { text: `Every move is a ${wordsOf(value)}.`, cells: [] };
}

function sayWhere({ best, value }, view) {
  const promise = value.proved ? { win: "There is a forced win. ", draw: "A draw can be held. ", loss: "All moves lose, but not equally fast. " }[value.value] : "";
  const { text, cells } = regionOf(best, view);
  return { text: `${promise}Look at the ${text}.`, cells };
}

function sayValue({ best, value, asGood }, view) {
  const which = asGood === 1 ? "one move does it" : `${asGood} moves do it`;
  const text = value.proved
    ? `The best is a ${wordsOf(value)}: ${which}, of ${view.legal.length}.`
    : `The best move is worth about ${wordsOf(value)}, an estimate.`;
  return { text, cells: regionOf(best, view).cells };
}

function sayMove({ best }) {
  return { text: `Play ${best}.`, cells: [best] };
}

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
