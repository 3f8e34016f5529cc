// The steps of one run of a textbook form. The server makes them; they come in pieces, when they are asked for, so a run
// may have any length. Pieces that were looked at are kept, so that steps can be taken back at once.

/** @typedef {import("../server/api.js").Api} Api */
/** @typedef {import("../state/game.js").Sums} Sums */
/** @typedef {import("../state/game.js").View} View */

/** A call that has not ended, with its variables as text.
 * @typedef {{function: string, line: number, variables: Record<string, string>}} Frame */

/** The board after a step; cells are numbered as they lie on the table.
 * @typedef {object} TraceBoard
 * @property {number} rows
 * @property {number} cols
 * @property {string} marks
 * @property {number[]} cells those that the step is about
 * @property {string} [owners] at Ultimate only
 * @property {number[]} [playable] at Ultimate only: the boards that may be played in
 * @property {[number, number] | null} [arrow] at Ultimate only: a cell, and the board that it forces
 * @property {Sums} [sums] of constant-time play only
 */

/** One step, as docs/http.md describes it.
 * @typedef {object} Step
 * @property {number} step its number, from 0
 * @property {string} event
 * @property {string} text what happens, in words
 * @property {number} line the line that has run, from 1
 * @property {number} end the last line of a statement that is longer
 * @property {boolean | null} holds of a check: whether the rule is kept
 * @property {boolean} key whether the step belongs to the story without the details
 * @property {Frame[]} stack the running calls, the innermost last
 * @property {TraceBoard} board
 * @property {Record<string, number>} counts how often each event has happened so far
 */

/** What became of a move of a list, and why.
 * @typedef {{isAccepted: boolean, text: string}} Bit */

const PIECE = 100; // steps
const MOST_PIECES = 60; // that are kept
export const MOST_STEPS = 200_000; // that the server goes to

export class Trace {
  #api;
  /** @type {AbortSignal} */
  #signal;
  /** @type {Map<number, Promise<Step[]>>} by their number; those used last are last */
  #pieces = new Map();
  /** @type {Map<number, Step>} steps that are there */
  #steps = new Map();
  /** @type {Map<number, Bit>} what became of the moves of a list, by their number from 0 */
  bits = new Map();

  /**
   * @param {Api} api
   * @param {string} exercise
   * @param {any} first the server's first answer
   * @param {View} base the empty board
   * @param {AbortSignal} signal
   */
  constructor(api, exercise, first, base, signal) {
    this.#api = api;
    this.#signal = signal;
    this.exercise = exercise;
    /** @type {string[]} */
    this.input = first.input;
    /** @type {{name: string, lines: string[]}} */
    this.source = first.source;
    /** @type {number | null} null if there are more than can be asked for */
    this.total = first.total;
    this.base = base;
    this.#keep(0, Promise.resolve(first.steps));
    this.#note(first.steps);
  }

  /**
   * Ask for the first steps of a run. A bad input is a Problem.
   * @param {Api} api
   * @param {string} exercise
   * @param {string[] | null} input null for the server's example
   * @param {AbortSignal} signal
   */
  static async open(api, exercise, input, signal) {
    const send = () => api.post("trace", { exercise, input, limit: PIECE }, { signal });
    const first = await api.retrying(send, { signal });
    const base = await api.retrying(() => api.post("position", { game: first.game }, { signal }), { signal });
    return new Trace(api, exercise, first, base, signal);
  }

  /** The number of the last step that can be shown. */
  get last() {
    return (this.total ?? MOST_STEPS) - 1;
  }

  /**
   * Return a step, if it is there already.
   * @param {number} number
   */
  known(number) {
    return this.#steps.get(number);
  }

  /**
   * Return a step; one that lies behind the last is the last.
   * @param {number} number
   */
  async step(number) {
    const wanted = Math.max(0, Math.min(number, this.last));
    const piece = await this.#piece(Math.floor(wanted / PIECE));
    return piece[wanted % PIECE];
  }

  /**
   * Return the number of the nearest step behind, or before, a step that passes a test; the end of the run, or its
   * beginning, if there is none.
   * @param {number} from
   * @param {1 | -1} direction
   * @param {(step: Step) => boolean} test
   */
  async find(from, direction, test) {
    let number = from + direction;
    while (number > 0 && number < this.last && !test(await this.step(number))) number += direction;
    return Math.max(0, Math.min(number, this.last));
  }

  /**
   * Load all steps up to one: what a list of moves says of earlier ones was told by them.
   * @param {number} number
   */
  async loadUpTo(number) {
    for (let piece = 0; piece * PIECE <= number; piece += 1) await this.#piece(piece);
  }

  /**
   * Return the number of the first step in which this run differs from an earlier one of the same exercise.
   * @param {Trace} other
   */
  async parting(other) {
    const most = Math.min(this.last, other.last);
    for (let number = 0; number <= most; number += 1) {
      const [here, there] = [await this.step(number), await other.step(number)];
      if (here.line !== there.line || (number > 0 && here.text !== there.text)) return number;
    }
    return most;
  }

  /** @param {number} index */
  #piece(index) {
    const known = this.#pieces.get(index);
    const piece = known ?? this.#fetch(index);
    this.#pieces.delete(index); // and put it at the end
    this.#keep(index, piece);
    return piece;
  }

  /**
   * @param {number} index
   * @param {Promise<Step[]>} piece
   */
  #keep(index, piece) {
    this.#pieces.set(index, piece);
    const [oldest] = this.#pieces.keys();
    if (this.#pieces.size <= MOST_PIECES) return;
    this.#pieces.delete(oldest);
    for (let number = oldest * PIECE; number < (oldest + 1) * PIECE; number += 1) this.#steps.delete(number);
  }

  /**
   * @param {number} index
   * @returns {Promise<Step[]>}
   */
  #fetch(index) {
    const { exercise, input } = this;
    const body = { exercise, input, start: index * PIECE, limit: PIECE };
    const signal = this.#signal;
    const piece = this.#api
      .retrying(() => this.#api.post("trace", body, { signal }), { signal })
      .then(({ steps }) => {
        this.#note(steps);
        return steps;
      });
    piece.catch(() => this.#pieces.delete(index)); // so that it can be asked for again
    return piece;
  }

  /** @param {Step[]} steps */
  #note(steps) {
    for (const step of steps) {
      this.#steps.set(step.step, step);
      if (step.event !== "accept" && step.event !== "reject") continue;
      this.bits.set(movesTold(step) - 1, { isAccepted: step.event === "accept", text: step.text });
    }
  }
}

/**
 * Return of how many moves of a list it was told by a step whether they are accepted.
 * @param {Step} step
 */
export function movesTold({ counts }) {
  return (counts.accept ?? 0) + (counts.reject ?? 0);
}

/**
 * Return how many games were found by a step.
 * @param {Step} step
 */
export function gamesFound({ counts }) {
  return (counts.win ?? 0) + (counts.draw ?? 0);
}
