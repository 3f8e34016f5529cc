// The session: the game, who plays it, what has the board, which panel is open; and all that can be done with them.
//
// It is the only place that changes the state. The other modules read it, call the methods here, and subscribe to
// topics. A *mode* takes over the board, as a game by link and the editor do: it shows views of its own and gets
// the clicks, and the session's own game waits until the mode is left. To open another game leaves it.

import { problemOf } from "../server/api.js";
import { extended, gameText, guessed, jumped, OTHER, refusalOf, SIDES, trimmed, wholeText } from "./game.js";
import { Store } from "./store.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").MoveValue} MoveValue */
/** @typedef {import("./game.js").Side} Side */
/** @typedef {import("./game.js").View} View */
/** @typedef {import("./store.js").History} History */
/** @typedef {import("../server/api.js").Api} Api */
/** @typedef {Record<Side, string>} Players */

/** A level of the computer, and what it does.
 * @typedef {{name: string, about: string}} Level */

/** The answer of /api/version: what the server allows, and its levels for each kind of game, from the weakest on.
 * @typedef {{strength: "full" | "warming", limits: {max_seconds: number}, levels: Record<string, Level[]>, variants: string[], greetings: string[]}} Version */

/** What has taken over the board.
 * @typedef {object} Mode
 * @property {(name: string) => unknown} click called with the name of a cell that was clicked
 * @property {((played: number) => unknown) | null} jump called to look at another position; null if there is none
 * @property {HTMLElement} actions the buttons below the board
 * @property {() => void} onLeave called after the mode was left
 * @property {Partial<Players>} seats what stands at the seats
 * @property {Record<Side, HTMLElement>} [beside] what stands beside that
 * @property {boolean} withoutHelp whether hints and analysis are off
 * @property {string} [name] what the style sheets know it by
 * @property {Record<string, () => unknown>} [keys] what other keys do
 */

/** What is drawn on the board for one position.
 * @typedef {object} Notes
 * @property {string} position the position that they are about
 * @property {Record<string, MoveValue> | null} values of its moves
 * @property {string[]} best the best moves
 * @property {string[]} hint the cells to look at
 * @property {string[]} marked the cells that are looked at: a step of a lesson, or moves that are alike
 * @property {string[]} preview the cells with a mark that a move would make
 * @property {string[]} guilty the cells that break a rule
 */

/** What a review found about a move, by the number of the move from 0.
 * @typedef {{kind: "changed" | "estimate", sign: string, text: string}} Remark */

/** Something to say: mostly that something went wrong, perhaps where in a text, perhaps how to try again.
 * @typedef {{message: string, text?: string, offset?: number, retry?: () => unknown, isAway?: boolean, tone?: "good" | "bad"}} Report */

/**
 * @typedef {object} State
 * @property {View | null} own the session's own game as the server confirmed it last; null before the first answer
 * @property {Game | null} asked the game whose view is on its way; null if there is none
 * @property {View | null} guess what is drawn until that view is there, if the page can guess it
 * @property {Mode | null} mode what has taken over the board; null if the session's own game is there
 * @property {View | null} shown what the mode shows on the board
 * @property {Players} players who plays each side of the session's own game: a person, or the name of a level
 * @property {string} panel the name of the open panel
 * @property {Record<string, string>} extras what panels keep in the address, by name
 * @property {{side: Side, level: string} | null} thinking which side the computer is thinking for, and as what level
 * @property {Report | null} report what there is to say
 * @property {Notes} notes what is drawn on the board; of another position it is void
 * @property {{game: string, remarks: Map<number, Remark>} | null} review what a review found, and of which whole game
 */

export const PERSON = "person";
const KNOWN_VIEWS = 500;

/** @type {Notes} */
const NO_NOTES = { position: "", values: null, best: [], hint: [], marked: [], preview: [], guilty: [] };

/**
 * What one can subscribe to, and the fields that it is made of.
 * @satisfies {Record<string, (keyof State)[]>}
 */
const TOPICS = {
  view: ["own", "guess", "mode", "shown"], // what is on the board, or what has it
  moves: ["own", "asked", "guess", "mode", "shown"], // where the game is, or is going to be
  players: ["players"],
  panel: ["panel"],
  extras: ["extras"],
  thinking: ["thinking"],
  report: ["report"],
  notes: ["notes", "review"],
};

export class Session {
  #api;
  /** @type {Store<State>} */
  #store;
  /** @type {Map<string, View>} by the text of the game, so that stepping through a game is instant */
  #views = new Map();
  /** @type {AbortController | null} of the view that is on its way */
  #abort = null;
  /** @type {Promise<unknown>} when nothing is on its way any more */
  #settled = Promise.resolve();

  /**
   * @param {Api} api
   * @param {Version | null} version null if the server did not answer
   * @param {View[]} views that are known already
   */
  constructor(api, version, views = []) {
    this.#api = api;
    this.version = version;
    for (const view of views) this.#know(view.game, view);
    /** @type {State} */
    const state = {
      own: null,
      asked: null,
      guess: null,
      mode: null,
      shown: null,
      players: { X: PERSON, O: PERSON },
      panel: "",
      extras: {},
      thinking: null,
      report: null,
      notes: NO_NOTES,
      review: null,
    };
    this.#store = new Store(state);
  }

  /**
   * Call a listener after each change of any of these topics. Return a function that ends the subscription.
   * @param {(keyof typeof TOPICS)[]} topics
   * @param {(history: History) => void} listener gets how the browser's history takes the change
   */
  on(topics, listener) {
    return this.#store.subscribe(
      topics.flatMap((topic) => TOPICS[topic]),
      listener,
    );
  }

  // -- what there is --------------------------------------------------------------------------------------

  /** What is on the board. Nothing else is shown before the first view is there, so it is not null for those who are. */
  get view() {
    return /** @type {View} */ (this.viewOrNull);
  }

  get viewOrNull() {
    const { own, guess, mode, shown } = this.#store.state;
    return mode ? shown : (guess ?? own);
  }

  /** All views that are known, each once, the newest last. */
  get knownViews() {
    return [...new Set(this.#views.values())];
  }

  /** Whether the view is a guess that the server has not confirmed. */
  get isPending() {
    const { mode, guess } = this.#store.state;
    return mode === null && guess !== null;
  }

  /** The session's own game as it is, or will be once the server has answered. */
  get here() {
    const { asked, own } = this.#store.state;
    return /** @type {Game} */ (asked ?? own);
  }

  /** Whether the session's own game is on its way to another position. */
  get isMoving() {
    return this.#store.state.asked !== null;
  }

  /** The game that one steps through: that of the mode, if there is one. */
  get walked() {
    return this.mode ? this.view : this.here;
  }

  get mode() {
    return this.#store.state.mode;
  }

  get players() {
    return this.#store.state.players;
  }

  get panel() {
    return this.#store.state.panel;
  }

  get extras() {
    return this.#store.state.extras;
  }

  get thinking() {
    return this.#store.state.thinking;
  }

  get report() {
    return this.#store.state.report;
  }

  /** What is drawn on the board, which is nothing if it is about another position. */
  get notes() {
    const { notes } = this.#store.state;
    return notes.position === this.viewOrNull?.position ? notes : NO_NOTES;
  }

  /** What a review found about the moves on the board, by their number from 0. */
  get remarks() {
    const { review } = this.#store.state;
    return review && review.game === wholeText(this.view) ? review.remarks : null;
  }

  /** Whether the computer has to move, but waits while an earlier position is looked at. */
  get isWaiting() {
    const { view, players } = this;
    if (this.mode || view.outcome || view.played === view.moves.length) return false;
    return players[/** @type {Side} */ (view.turn)] !== PERSON;
  }

  /**
   * Return the levels of a kind of game; none if the server did not say.
   * @param {string} kind
   */
  levelsOf(kind) {
    return this.version?.levels[kind] ?? [];
  }

  // -- the game -------------------------------------------------------------------------------------------

  /**
   * Read a game in any form. If it cannot be read, the game on the board stays, and the Problem is thrown.
   * @param {string} text
   */
  async open(text) {
    await this.#load(text, { history: "push" });
    this.leave("push");
  }

  /**
   * Open what is known to be a game; a failure is reported.
   * @param {string} text
   */
  goTo(text) {
    return this.attempt(() => this.open(text));
  }

  /**
   * Play a person's move, which follows a click on a cell. Clicks that come while a view is on its way wait for it.
   * @param {string} name
   */
  async play(name) {
    if (this.mode) return this.mode.click(name);
    await this.#settled;
    const { view } = this;
    const player = this.players[/** @type {Side} */ (view.turn)];
    if (player !== PERSON && !view.outcome) {
      const message = this.isWaiting
        ? `${view.turn} is played by the computer. Let it go on from here, or choose a person for ${view.turn}.`
        : `It is ${view.turn}'s turn, which the computer (${player}) plays.`;
      return this.say({ message });
    }
    const refusal = refusalOf(view, name);
    if (refusal) return this.say({ message: refusal });
    if (view.moves[view.played] === name) return this.jump(view.played + 1);
    return this.#show(extended(view, [name]), "push", guessed(view, name));
  }

  /**
   * Play the computer's move, whose view came with it. It shares an entry of the browser's history with the move that it
   * answers, so that going back leads to where a person has to move.
   * @param {View} next
   */
  async playAnswer(next) {
    this.#know(gameText(next), next);
    await this.#show(next, "replace");
  }

  /**
   * Go to the position after a number of moves.
   * @param {number} played
   */
  jump(played) {
    if (this.mode) return this.mode.jump?.(played);
    const to = jumped(this.here, played);
    return to.played === this.here.played ? undefined : this.#show(to, "replace");
  }

  /**
   * Go some moves forward, or back if negative.
   * @param {number} count
   */
  step(count) {
    return this.jump(this.walked.played + count);
  }

  /** Take a move back, and with it the computer's answer, so that it is a person's turn again. A mode has its own rules. */
  undo() {
    return this.mode ? undefined : this.step(-this.#movesOfTurn(this.here.played));
  }

  /** Play the next undone move again, and the computer's answer to it. A mode has its own rules. */
  redo() {
    return this.mode ? undefined : this.step(this.#movesOfTurn(this.here.moves.length - this.here.played));
  }

  /**
   * Return how many moves lead to a person's turn again: two if it is a person's turn against the computer.
   * @param {number} most
   */
  #movesOfTurn(most) {
    const side = /** @type {Side} */ (this.view.turn); // steps of two lead to the same side's turn
    const isAnswered = this.players[side] === PERSON && this.players[OTHER[side]] !== PERSON;
    return isAnswered && most > 1 ? 2 : 1;
  }

  /**
   * Show a line of play that begins at a view; the rest of the line is there to step through.
   * @param {View} view
   * @param {string[]} names
   * @param {number} count how many of its moves are played
   */
  showLine(view, names, count) {
    this.leave();
    return this.#show(jumped(extended(view, names), view.played + count), "push");
  }

  /** Forget the undone moves, so that the side to move plays from here. */
  goOn() {
    return this.#show(trimmed(this.here), "push");
  }

  /**
   * Begin a game by the name of its start; the same one again if there is none.
   * @param {string} start
   */
  newGame(start = this.here.start) {
    this.leave();
    return this.#show({ start, moves: [], played: 0 }, "push");
  }

  /**
   * Become what an address says. If its game cannot be read, that is a Problem, and all stays as it is.
   * @param {{game: string, players: Players, panel: string, extras: Record<string, string>}} wanted
   */
  restore({ game, ...others }) {
    return this.#load(game, { others });
  }

  /**
   * Go to a game; a failure is reported.
   * @param {Game} game
   * @param {History} history
   * @param {View | null} guess
   * @returns {Promise<void>}
   */
  #show({ start, moves, played }, history, guess = null) {
    const asked = { start, moves, played };
    return this.attempt(() => this.#load(gameText(asked), { asked, guess, history }));
  }

  /**
   * Ask for the view of a text unless it is known, and show it; until then the guess, if there is one. A later call takes
   * the place of an earlier one, which then does nothing.
   * @param {string} text
   * @param {{asked?: Game | null, guess?: View | null, history?: History, others?: Partial<State>}} options
   */
  async #load(text, { asked = null, guess = null, history = null, others = {} }) {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const known = this.#known(text, asked);
    const answer = known ?? this.#api.post("position", { game: text }, { signal: abort.signal });
    const arrival = Promise.resolve(answer).then(
      (/** @type {View} */ view) => {
        if (this.#abort !== abort) return;
        this.#know(text, view);
        const players = this.#fitting(others.players ?? this.players, view);
        this.#update(
          { report: null, ...others, own: view, players, asked: null, guess: null },
          this.mode ? null : history,
        );
      },
      (error) => {
        if (this.#abort !== abort) return; // something else was wanted meanwhile
        this.#update({ asked: null, guess: null });
        throw error;
      },
    );
    this.#settled = arrival.catch(() => {});
    this.#update({ asked, guess: known ? null : guess });
    await arrival;
  }

  /**
   * Return the view of a game that is not to become the session's own, as a mode needs it.
   * @param {string | Game} game
   * @param {AbortSignal} signal
   * @returns {Promise<View>}
   */
  async look(game, signal) {
    const asked = typeof game === "string" ? null : game;
    const text = typeof game === "string" ? game : gameText(game);
    const known = this.#known(text, asked);
    if (known) return known;
    const view = await this.#api.post("position", { game: text }, { signal });
    this.#know(text, view);
    return view;
  }

  /**
   * Return the view of a text, if it is known. A position is the same whatever was undone after it.
   * @param {string} text
   * @param {Game | null} asked
   */
  #known(text, asked) {
    const view = this.#views.get(text);
    if (view || !asked) return view;
    const same = this.#views.get(gameText(trimmed(asked)));
    return same && { ...same, game: text, moves: asked.moves };
  }

  /**
   * Remember a view under the text that asked for it and under its own.
   * @param {string} text
   * @param {View} view
   */
  #know(text, view) {
    const [oldest] = this.#views.keys();
    if (oldest !== undefined && this.#views.size >= KNOWN_VIEWS) this.#views.delete(oldest);
    this.#views.set(text, view);
    this.#views.set(view.game, view);
  }

  /**
   * Return players that the game of a view has: a level of another kind of game becomes the one as far up the list.
   * @param {Players} players
   * @param {View} view
   */
  #fitting(players, { kind }) {
    const fitting = { ...players };
    const levels = this.levelsOf(kind);
    for (const side of SIDES) {
      const player = players[side];
      if (player === PERSON || levels.some(({ name }) => name === player)) continue;
      const others = Object.values(this.version?.levels ?? {}).find((list) => list.some(({ name }) => name === player));
      const rank = others ? others.findIndex(({ name }) => name === player) / (others.length - 1) : 0;
      fitting[side] = (others && levels[Math.round(rank * (levels.length - 1))]?.name) ?? PERSON;
    }
    return SIDES.every((side) => fitting[side] === players[side]) ? players : fitting;
  }

  /**
   * @param {Partial<State>} changes
   * @param {History} history
   */
  #update(changes, history = null) {
    this.#store.update(changes, history);
  }

  // -- modes ----------------------------------------------------------------------------------------------

  /**
   * Let a mode take over the board, and show its first view.
   * @param {Mode} mode
   * @param {View} view
   */
  enter(mode, view) {
    this.leave();
    this.#update({ mode, shown: view, notes: NO_NOTES });
  }

  /**
   * Show another view of the mode, whose seats and help may change with it.
   * @param {View} view
   * @param {Partial<Mode>} changes
   */
  present(view, changes = {}) {
    if (this.mode) this.#update({ mode: { ...this.mode, ...changes }, shown: view });
  }

  /**
   * Leave the mode, if there is one; the session's own game is on the board again.
   * @param {History} history
   */
  leave(history = "replace") {
    const { mode } = this;
    if (!mode) return;
    this.#store.batch(() => {
      this.#update({ mode: null, shown: null, notes: NO_NOTES }, history);
      mode.onLeave();
    });
  }

  // -- all else -------------------------------------------------------------------------------------------

  /**
   * Seat a person or a level at a side.
   * @param {Side} side
   * @param {string} player
   */
  setPlayer(side, player) {
    this.#update({ players: { ...this.players, [side]: player } }, "replace");
  }

  /**
   * Seat people or levels at both sides.
   * @param {Players} players
   */
  setPlayers(players) {
    this.#update({ players }, "replace");
  }

  /** Play the same game again with the sides swapped. */
  swapSides() {
    const { X, O } = this.players;
    this.setPlayers({ X: O, O: X });
    return this.newGame();
  }

  /**
   * Open a panel.
   * @param {string} panel
   */
  openPanel(panel) {
    this.#update({ panel }, "replace");
  }

  /**
   * Keep texts of a panel in the address, by name; those that are null no longer.
   * @param {Record<string, string | null>} texts
   * @param {History} history
   */
  setExtras(texts, history = "replace") {
    const changed = Object.entries(texts).filter(([name, text]) => (this.extras[name] ?? null) !== text);
    if (changed.length === 0) return;
    const kept = Object.entries({ ...this.extras, ...texts }).filter(([, text]) => text !== null);
    this.#update({ extras: /** @type {Record<string, string>} */ (Object.fromEntries(kept)) }, history);
  }

  /** @param {State["thinking"]} thinking */
  setThinking(thinking) {
    this.#update({ thinking });
  }

  /**
   * Say something below the board; null takes it back.
   * @param {Report | null} report
   */
  say(report) {
    this.#update({ report });
  }

  /**
   * Do something that may fail with a Problem: it is reported, with a way to try again if that may help.
   * @param {() => Promise<unknown>} action
   * @param {(message: string) => string} word makes a sentence of what the server says
   */
  async attempt(action, word = (message) => message) {
    try {
      await action();
    } catch (error) {
      this.fail(problemOf(error), () => this.attempt(action, word), word);
    }
  }

  /**
   * Report a Problem, with a way to try again if that may help.
   * @param {import("../server/api.js").Problem} problem
   * @param {() => unknown} retry
   * @param {(message: string) => string} word makes a sentence of what the server says
   */
  fail({ message, isPassing, status }, retry, word = (text) => text) {
    this.say(isPassing ? { message: word(message), retry, isAway: status === 0 } : { message: word(message) });
  }

  /**
   * Draw something on the board, for the position that is there.
   * @param {Partial<Omit<Notes, "position">>} notes
   */
  annotate(notes) {
    this.#update({ notes: { ...this.notes, ...notes, position: this.viewOrNull?.position ?? "" } });
  }

  /**
   * Mark moves of a whole game in the list.
   * @param {string} game
   * @param {Map<number, Remark>} remarks
   */
  mark(game, remarks) {
    this.#update({ review: { game, remarks } });
  }
}
