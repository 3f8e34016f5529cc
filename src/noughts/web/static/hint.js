// A hint in steps, each of which says more: where to look, what can be reached there, and the move itself.

import { wordsOf } from "./board.js";
import { capital } from "./words.js";

const SECONDS = 2;

/** Return {more()}, which asks for a hint or says more of it; `element` is where it is said. */
export function makeHint(session, api, element) {
  let hint = null; // of the position on the board, once there is one
  let asked = null; // {position, abort} while there is none yet

  session.onChange((what) => {
    const position = hint?.position ?? asked?.position ?? null;
    if (what === "game" && position !== null && position !== session.view.position) clear();
  });

  function clear() {
    asked?.abort.abort();
    asked = null;
    hint = null;
    element.hidden = true;
    element.textContent = "";
  }

  async function more() {
    const { view, isPending } = session;
    if (isPending || asked || view.outcome || session.guest?.withoutHelp) return;
    if (!hint && !(await look(view))) return;
    const step = hint.steps[Math.min(hint.said, hint.steps.length - 1)];
    hint.said += 1;
    const { text, cells } = step(hint, view);
    say(text);
    session.annotate({ hint: cells });
  }

  /** Find a hint; return whether there is one that is still wanted. */
  async function look(view) {
    const abort = new AbortController();
    const mine = (asked = { position: view.position, abort });
    say("Looking for a hint");
    try {
      const { signal } = abort;
      const body = { game: view.game, seconds: SECONDS };
      const { best, moves } = await api.patiently(() => api.post("analyse", body, { signal }), signal);
      if (asked !== mine) return false;
      hint = hintOf(view, best[0], moves);
    } catch (error) {
      if (asked !== mine) return false;
      if (!(error instanceof api.Problem)) throw error;
      say(capital(error.message));
    }
    asked = null;
    return hint !== null;
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
  const steps = isClear ? [sayAll, sayMove] : [sayWhere, sayValue, sayMove];
  return { position: view.position, best, value, asGood, said: 0, steps };
}

function sayAll({ value }) {
  return { text: `Every move is a ${wordsOf(value)}.`, cells: [] };
}

const PROMISES = {
  win: "There is a forced win. ",
  draw: "A draw can be held. ",
  loss: "All moves lose, but not equally fast. ",
};

function sayWhere({ best, value }, view) {
  const promise = value.proved ? PROMISES[value.value] : "";
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

/** Return the part of the board to look at: a small board, a third of the grid each way, or a row of what is small. */
function regionOf(name, view) {
  const best = view.cells.find((cell) => cell.name === name);
  const area = view.cells.filter(({ board }) => board === best.board); // all cells of a grid
  if (view.boards && !view.forced) {
    const { name: letter, place } = view.boards[best.board];
    return { text: `board ${letter} (${place})`, cells: area.map((cell) => cell.name) };
  }
  const cols = view.boards ? 3 : view.cols;
  const third = (at, size) => Math.min(2, Math.floor((3 * at) / size));
  const row = (cell) => third(Math.floor(area.indexOf(cell) / cols), area.length / cols);
  const col = (cell) => third(area.indexOf(cell) % cols, cols);
  const isSmall = area.length <= 9;
  const near = area.filter((cell) => row(cell) === row(best) && (isSmall || col(cell) === col(best)));
  const words = [["top", "middle", "bottom"][row(best)], isSmall ? "row" : ["left", "centre", "right"][col(best)]];
  return { text: words.join(" ").replace("middle centre", "centre"), cells: near.map((cell) => cell.name) };
}
