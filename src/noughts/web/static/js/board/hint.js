// A hint in steps, each of which says more: where to look, what can be reached there, and the move itself.

import { capital } from "../dom/text.js";
import { problemOf } from "../server/api.js";
import { boardName } from "../state/game.js";
import { wordsOf } from "./board.js";

/** @typedef {import("../server/api.js").Api} Api */
/** @typedef {import("../state/game.js").MoveValues} MoveValues */
/** @typedef {import("../state/game.js").View} View */
/** @typedef {import("../state/session.js").Session} Session */
/** @typedef {{text: string, cells: string[]}} Step something to say, and cells to look at */

const SECONDS = 2;

/** @type {Record<string, string>} */
const PROMISES = {
  win: "There is a forced win. ",
  draw: "A draw can be held. ",
  loss: "All moves lose, but not equally fast. ",
};

/**
 * Return {more()}, which asks for a hint or says more of it.
 * @param {Session} session
 * @param {Api} api
 * @param {HTMLElement} element where it is said
 */
export function makeHint(session, api, element) {
  /** @type {{position: string, steps: Step[], said: number} | null} a hint about the position on the board */
  let hint = null;
  /** @type {{position: string, abort: AbortController} | null} the request under way, while there is none */
  let asked = null;

  session.on(["view"], () => {
    const position = hint?.position ?? asked?.position ?? null;
    if (position !== null && position !== session.view.position) clear();
  });

  function clear() {
    asked?.abort.abort();
    asked = null;
    hint = null;
    element.hidden = true;
    element.textContent = "";
  }

  async function more() {
    const { view, isPending, mode } = session;
    if (isPending || asked || view.outcome || mode?.withoutHelp) return;
    hint ??= await find(view);
    const step = hint?.steps[Math.min(hint.said, hint.steps.length - 1)];
    if (!hint || !step) return;
    hint.said += 1;
    say(step.text);
    session.annotate({ hint: step.cells });
  }

  /**
   * Find a hint; return null if there is none, or if it is no longer wanted.
   * @param {View} view
   */
  async function find(view) {
    const { position, game } = view;
    const abort = new AbortController();
    const mine = { position, abort };
    asked = mine;
    say("Looking for a hint");
    try {
      const { signal } = abort;
      const send = () => api.post("analyse", { game, seconds: SECONDS }, { signal });
      const answer = await api.retrying(send, { signal });
      if (asked !== mine) return null;
      asked = null;
      return { position, steps: stepsOf(view, answer), said: 0 };
    } catch (error) {
      if (asked !== mine) return null;
      asked = null;
      say(capital(problemOf(error).message));
      return null;
    }
  }

  /** @param {string} text */
  function say(text) {
    element.hidden = false;
    element.textContent = text;
  }

  return { more };
}

/**
 * Return what to say, step by step.
 * @param {View} view
 * @param {{best: string[], moves: MoveValues}} answer the best moves, and the value of each legal move
 * @returns {Step[]}
 */
function stepsOf(view, { best: all, moves }) {
  const [best] = all;
  const value = moves[best];
  const { text, cells } = regionOf(best, view);
  const move = { text: `Play ${best}.`, cells: [best] };
  if (value.proved && all.length === view.legal.length)
    return [{ text: `Every move is a ${wordsOf(value)}.`, cells: [] }, move];
  const promise = value.proved ? PROMISES[value.value] : "";
  const worth = value.proved
    ? `${all.length} of ${view.legal.length} moves ${resultOf(value, all.length === 1)}.`
    : `The best move is worth about ${wordsOf(value)}, an estimate.`;
  return [{ text: `${promise}Look at the ${text}.`, cells }, { text: worth, cells }, move];
}

/**
 * Return what the best moves do, in words.
 * @param {import("../state/game.js").MoveValue} value
 * @param {boolean} isOne whether there is just one of them
 */
function resultOf({ value, plies }, isOne) {
  const s = isOne ? "s" : "";
  if (value === "draw") return `hold${s} the draw`;
  const when = plies ? ` in ${plies}` : "";
  return value === "win" ? `win${s}${when}` : `lose${s} latest${when && `,${when}`}`;
}

/**
 * Return the part of the board to look at: a small board, a third of the grid each way, or a row of what is small.
 * @param {string} name
 * @param {View} view
 * @returns {Step}
 */
function regionOf(name, view) {
  const best = view.cells.find((cell) => cell.name === name);
  const area = view.cells.filter(({ board }) => board === best?.board); // all cells of a grid
  const board = view.boards?.[best?.board ?? 0];
  if (board && !view.forced) return { text: boardName(board), cells: area.map((cell) => cell.name) };
  const cols = board ? 3 : view.cols;
  const third = (/** @type {number} */ at, /** @type {number} */ size) => Math.min(2, Math.floor((3 * at) / size));
  const places = area.map((cell, index) => ({
    name: cell.name,
    row: third(Math.floor(index / cols), area.length / cols),
    col: third(index % cols, cols),
  }));
  const isSmall = area.length <= 9;
  const { row = 1, col = 1 } = places.find((place) => place.name === name) ?? {};
  const near = places.filter((place) => place.row === row && (isSmall || place.col === col));
  const rowName = ["top", "middle", "bottom"][row];
  const isCentre = row === 1 && col === 1;
  const text = isSmall ? `${rowName} row` : isCentre ? "centre" : `${rowName} ${["left", "centre", "right"][col]}`;
  return { text, cells: near.map((place) => place.name) };
}
