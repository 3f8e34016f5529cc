// A step on the board: the view of the game it would be, what is marked in it, and moves that fly in or bounce.

import { markShape } from "../board/board.js";
import { isStill, svg } from "../dom/dom.js";

/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/game.js").View} View */
/** @typedef {import("./trace.js").Step} Step */
/** @typedef {import("./trace.js").Trace} Trace */

const FLIGHT = 380; // milliseconds
const BY_NUMBERS = ["move", "simulate"]; // exercises whose code counts rows and columns from 0

/**
 * Return the view of the board after a step.
 * @param {Trace} trace
 * @param {Step} step
 * @param {string} said what screen readers are told
 * @returns {View}
 */
export function viewOf({ exercise, base }, { step: number, event, text, board }, said) {
  const names = namesOf(exercise, base);
  const { marks, cells, owners, playable = [], arrow, sums } = board;
  const { isOver, isLegal } = rulesOf(exercise, board);
  const [only] = cells;
  return {
    ...base,
    game: `${exercise} ${number}`,
    position: `${exercise} ${number}`,
    moves: [],
    played: number,
    cells: base.cells.map((cell, index) => ({
      ...cell,
      name: names[index],
      mark: /** @type {Side | "."} */ (marks[index]),
    })),
    legal: names.filter((_, index) => isLegal(index)),
    turn: "",
    last: event === "place" || event === "accept" || (exercise === "move" && cells.length === 1) ? names[only] : null,
    outcome:
      event === "win" && cells.length > 1 && !owners
        ? { winner: /** @type {Side} */ (marks[only]), lines: [cells.map((cell) => names[cell])], text }
        : null,
    status: text,
    said,
    isWatched: !isOver,
    forced: null,
    boards: base.boards?.map((each, index) => ({
      ...each,
      owner: /** @type {Side | "." | "#"} */ (owners?.[index] ?? "."),
      open: playable.includes(index),
    })),
    sums,
    arrow: arrow ? { cell: arrow[0], board: arrow[1] } : null,
  };
}

/**
 * Return the names of the cells as the code of an exercise has them.
 * @param {string} exercise
 * @param {View} base
 */
function namesOf(exercise, { cells, cols }) {
  if (!BY_NUMBERS.includes(exercise)) return cells.map(({ name }) => name);
  return cells.map((_, index) => `${Math.floor(index / cols)},${index % cols}`);
}

/**
 * Return which cells look as if one may click them, and whether a game of Ultimate is over.
 * @param {string} exercise
 * @param {Step["board"]} board
 */
function rulesOf(exercise, { marks, owners, playable = [] }) {
  const isEmpty = (/** @type {number} */ index) => marks[index] === ".";
  const boardOf = (/** @type {number} */ index) => Math.floor(index / 27) * 3 + Math.floor((index % 9) / 3);
  /** @type {Record<string, (index: number) => boolean>} */
  const rules = {
    games: () => false,
    move: isEmpty,
    ultimate: (index) => isEmpty(index) && playable.includes(boardOf(index)),
  };
  return { isLegal: rules[exercise] ?? (() => true), isOver: Boolean(owners) && playable.length === 0 };
}

/**
 * Return the cells that a step is about, and those that break a rule.
 * @param {View} view
 * @param {Step} step
 */
export function notesOf({ cells, last, outcome }, { event, holds, board }) {
  const names = board.cells.map((cell) => cells[cell].name);
  if (holds === false || event === "reject") return { marked: [], guilty: names };
  return { marked: last || outcome ? [] : names, guilty: [] }; // these are marked already
}

/**
 * Let the move of a step fly in and stay, or bounce off. Nothing flies for those who want no motion.
 * @param {HTMLElement} board
 * @param {View} view
 * @param {Step} step
 * @param {string} player whose move it is
 */
export function fly(board, view, { event, board: { cells } }, player) {
  if (isStill()) return;
  const name = view.cells[cells[0]]?.name;
  const cell = name === undefined ? null : board.querySelector(`[data-name="${name}"]`);
  if (!cell) return;
  if (event === "place") {
    const frames = [{ transform: "translateY(-140%) scale(1.5)", opacity: 0 }, { opacity: 1 }, {}];
    cell.querySelector(".noughts-mark")?.animate(frames, { duration: FLIGHT, easing: "ease-in" });
  } else if (event === "reject") {
    const ghost = svg("svg", { class: "bouncing", viewBox: "0 0 100 100", "aria-hidden": "true" }, markShape(player));
    cell.append(ghost);
    const frames = [
      { transform: "translateY(-140%) scale(1.5)", opacity: 0 },
      { transform: "translateY(-20%)", opacity: 1 },
      { transform: "translate(60%, -130%) rotate(40deg)", opacity: 0 },
    ];
    ghost.animate(frames, { duration: 2 * FLIGHT, easing: "ease-in-out" }).finished.finally(() => ghost.remove());
  }
}
