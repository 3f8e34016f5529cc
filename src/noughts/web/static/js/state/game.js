// The game as the page knows it: a start, its moves, and how many of them are played. The page knows no rules; the
// server makes a *view* of the text of a game (docs/http.md), which says all there is to see of it.

/** @typedef {"X" | "O"} Side */
/** @typedef {Side | "."} Mark */

/** A game: its start as text, its moves by name, and how many of these are played; the others were undone.
 * @typedef {{start: string, moves: string[], played: number}} Game */

/** A cell as it is drawn; at Ultimate with the number of its small board.
 * @typedef {{name: string, mark: Mark, board?: number}} Cell */

/** One of the nine boards of Ultimate; the owner "#" is a full board without a line.
 * @typedef {{name: string, place: string, owner: Mark | "#", open: boolean}} SmallBoard */

/** How a game ended; the lines are made of cells, at Ultimate of boards.
 * @typedef {{winner: Side | null, lines: string[][], text: string}} Outcome */

/** The counters of constant-time play on n x n.
 * @typedef {{rows: number[], cols: number[], diagonal: number[], anti_diagonal: number[]}} Sums */

/** All there is to see of a game.
 * @typedef {object} View
 * @property {string} game the game as text
 * @property {"grid" | "ultimate"} kind
 * @property {string} name of the game that it is, like 4x4x3
 * @property {string} start
 * @property {string[]} moves
 * @property {number} played
 * @property {string} position the position now as text
 * @property {number} rows
 * @property {number} cols
 * @property {number} k how many in a row win
 * @property {Cell[]} cells row by row
 * @property {Side | ""} turn empty only in the editor, on a board that no game reaches
 * @property {string[]} legal the moves that may be made now
 * @property {string | null} last the move made last
 * @property {Outcome | null} outcome
 * @property {string} status whose turn it is, and where, or how it ended, in words
 * @property {string | null} [forced] the board to play in; at Ultimate only
 * @property {SmallBoard[]} [boards] at Ultimate only
 * @property {boolean} [isWatched] whether open boards are marked although nothing is legal here
 * @property {Sums} [sums] the counters around the board; in lessons only
 * @property {{cell: number, board: number} | null} [arrow] a cell, and the board that it forces; in lessons only
 * @property {string} [said] what screen readers are told, if it is not that a move was made
 */

/** What a move is worth to the side that makes it: proved, or estimated with a score from 0 to 1.
 * @typedef {{value: "win" | "draw" | "loss" | "unknown", plies: number | null, proved: boolean, score?: number | null}} MoveValue */

/** What moves are worth, by name, best first.
 * @typedef {Record<string, MoveValue>} MoveValues */

/** @type {Record<Side, Side>} */
export const OTHER = { X: "O", O: "X" };

/** @type {Side[]} */
export const SIDES = ["X", "O"];

/**
 * Return the text of a game, as noughts reads it everywhere.
 * @param {Game} game
 */
export function gameText({ start, moves, played }) {
  const words = [start, ...moves];
  if (played < moves.length) words.splice(1 + played, 0, "|");
  return words.join(" ");
}

/**
 * Return the game with a certain number of its moves played.
 * @param {Game} game
 * @param {number} played
 * @returns {Game}
 */
export function jumped({ start, moves }, played) {
  return { start, moves, played: Math.max(0, Math.min(played, moves.length)) };
}

/**
 * Return the game without the moves that were undone.
 * @param {Game} game
 * @returns {Game}
 */
export function trimmed({ start, moves, played }) {
  return { start, moves: moves.slice(0, played), played };
}

/**
 * Return the game after more moves; those that were undone are forgotten.
 * @param {Game} game
 * @param {string[]} names
 * @returns {Game}
 */
export function extended({ start, moves, played }, names) {
  return { start, moves: [...moves.slice(0, played), ...names], played: played + names.length };
}

/**
 * Return the text of a whole game, as if none of its moves had been undone.
 * @param {Game} game
 */
export function wholeText(game) {
  return gameText(jumped(game, game.moves.length));
}

/**
 * Return the side that made, or makes, a move of the game.
 * @param {View} view
 * @param {number} index
 * @returns {Side}
 */
export function moverOf({ played, turn }, index) {
  const side = /** @type {Side} */ (turn);
  return (played - index) % 2 === 0 ? side : OTHER[side];
}

/**
 * Return the number of the pair of moves, X's and O's, that a move belongs to.
 * @param {View} view
 * @param {number} index
 */
export function pairOf(view, index) {
  return Math.floor((index + (moverOf(view, 0) === "O" ? 1 : 0)) / 2) + 1;
}

/**
 * Return the view as it will be after a legal move, as far as that takes no rules: the mark is there, and no move
 * is legal yet.
 * @param {View} view
 * @param {string} name
 * @returns {View}
 */
export function guessed(view, name) {
  const side = /** @type {Side} */ (view.turn);
  const cells = view.cells.map((cell) => (cell.name === name ? { ...cell, mark: side } : cell));
  const next = { cells, ...extended(view, [name]), last: name, legal: [], turn: OTHER[side] };
  return { ...view, ...next, game: "", position: "" };
}

/**
 * Return a board of Ultimate in words: board e (centre).
 * @param {SmallBoard} board
 */
export function boardName({ name, place }) {
  return `board ${name} (${place})`;
}

/**
 * Return where the side to move may play, in words; empty on a grid.
 * @param {View} view
 */
export function whereToPlay({ boards, forced }) {
  if (!boards) return "";
  const board = boards.find(({ name }) => name === forced);
  return board ? `in the ${board.place} board` : "anywhere";
}

/**
 * Return why a cell cannot be played in, as a sentence; null if the view gives no reason against it.
 * @param {View} view
 * @param {string} name
 */
export function refusalOf(view, name) {
  const { outcome, cells, legal, boards, turn } = view;
  if (legal.includes(name)) return null;
  const refused = (/** @type {string} */ why) => `You cannot play ${name}: ${why}`;
  if (outcome) return refused(`the game is over: ${outcome.text}`);
  const cell = cells.find((each) => each.name === name);
  if (!cell) return refused("there is no such cell");
  if (cell.mark !== ".") return refused(`it is taken by ${cell.mark}`);
  const board = boards?.[cell.board ?? 0];
  if (!board) return null;
  const forced = boards?.find(({ name: letter }) => letter === view.forced);
  if (forced) return refused(`it is not in ${boardName(forced)}, where ${turn} must play`);
  return refused(`it is in ${boardName(board)}, which is closed`);
}
