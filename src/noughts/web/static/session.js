// What is going on: the game, who plays it, which panel is open. The only place that changes any of it.
//
// The page knows no rules. A game is a start, its moves and how many of them are played, which is written
// down as the text that noughts reads everywhere; what it looks like, which moves are legal and what to say
// about it is a *view*, which the server makes of that text (docs/http.md). Everybody else reads the fields
// of the session and calls its methods, and is told by `onChange` when something changed.
//
// A *guest* may take the board over: somebody who shows views of their own and gets the clicks, like a game by
// link or the editor. While there is one, the session's own game waits; to open another game ends the visit.

import { Problem } from "./api.js";
import { whyNot } from "./words.js";

export const PERSON = "person";
export const OTHER = { X: "O", O: "X" };
const REMEMBERED_VIEWS = 500;
const NO_NOTES = { values: null, best: [], hint: null, review: null };

/** Return the text of a game. */
export function gameText({ start, moves, played }) {
  const words = [start, ...moves];
  if (played < moves.length) words.splice(1 + played, 0, "|");
  return words.join(" ");
}

export class Session {
  view = null; // what is on the board; while `isPending`, the server has not confirmed it
  isPending = false;
  players = { X: PERSON, O: PERSON }; // a person, or the name of a level
  panel = "";
  extras = {}; // what panels keep in the address, by name
  thinking = null; // {side, level} while an engine thinks
  problem = null; // {message, text, offset, retry, tone} of what there is to say, mostly that something went wrong
  notes = { ...NO_NOTES }; // what is drawn on the board and the moves
  guest = null; // {click(name), jump(played), players, withoutHelp, actions, dismissed()} who has the board

  #api;
  #listeners = new Set();
  #views = new Map(); // by game text, so that stepping through a game is instant
  #ahead = null; // the game that is asked for; the view follows
  #own = null; // the session's own view while a guest shows another
  #confirmed = null; // the last view that the server made, while another is guessed
  #abort = null;
  #settled = Promise.resolve();

  constructor(api) {
    this.#api = api;
  }

  /**
   * Call a listener after every change with what changed ("game", "players", "panel", "thinking", "problem",
   * "notes") and how the browser's history takes it: "push", "replace" or null. Return what ends this.
   */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(what, history = null) {
    for (const listener of this.#listeners) listener(what, history);
  }

  /** The game as it is, or will be once the server has answered: its start, its moves and how many are played. */
  get here() {
    return this.#ahead ?? this.#own ?? this.view;
  }

  /** The text of the game. */
  get text() {
    return this.view && gameText(this.here);
  }

  /** Whether an engine has to move, but waits as somebody looks at an earlier position. */
  get isWaiting() {
    const view = this.view;
    return !this.guest && !view.outcome && this.players[view.turn] !== PERSON && view.played < view.moves.length;
  }

  // -- the game -----------------------------------------------------------------------------------------

  /** Read a game in any form; on failure the game on the board stays, and the Problem is thrown. */
  async open(text) {
    await this.#fetch(text, { history: "push" });
    this.dismiss("push");
  }

  /** Open what is known to be a game; what fails is reported. */
  async goTo(text) {
    try {
      await this.open(text);
    } catch (error) {
      this.#failed(error, () => this.goTo(text));
    }
  }

  /** Play a move by its name. Clicks that come while another is on its way wait for it. */
  async play(name, { by = PERSON } = {}) {
    if (this.guest) return this.guest.click(name);
    await this.#settled.catch(() => {});
    const view = this.view;
    const player = this.players[view.turn];
    if (by === PERSON && player !== PERSON && !view.outcome) {
      const why = this.isWaiting
        ? `${view.turn} is played by the computer. Let it go on from here, or choose a person for ${view.turn}.`
        : `It is ${view.turn}'s turn, which the computer (${player}) plays.`;
      this.report({ message: why });
      return undefined;
    }
    if (view.moves[view.played] === name) return this.jump(view.played + 1);
    const next = { start: view.start, moves: [...view.moves.slice(0, view.played), name], played: view.played + 1 };
    // The computer's answer shares an entry of the browser's history with the move it answers: going back
    // leads to where a person has to move.
    const guessed = view.legal.includes(name) ? guess(view, name) : null;
    return this.#tryTo(next, guessed, by === PERSON ? "push" : "replace", (message) => whyNot(name, message));
  }

  /** Go to the position after so many moves. */
  jump(played) {
    if (this.guest) return this.guest.jump?.(played);
    const { start, moves } = this.here;
    const to = Math.max(0, Math.min(played, moves.length));
    return to === this.here.played ? undefined : this.#tryTo({ start, moves, played: to }, null, "replace");
  }

  /** Go some moves forward, or back. */
  step(by) {
    return this.jump((this.guest ? this.view : this.here).played + by);
  }

  /** Take a move back, and with it the computer's answer, so that it is a person's turn again. */
  undo() {
    const { played } = this.here;
    const turn = this.view.turn; // steps of two lead to the same side's turn
    const [mine, other] = [this.players[turn], this.players[OTHER[turn]]].map((player) => player === PERSON);
    return this.step(mine && !other && played > 1 ? -2 : -1);
  }

  /** Show a line of play from a view on: its moves are there to step through, so many of them played. */
  showLine(view, names, shown) {
    this.dismiss();
    const moves = [...view.moves.slice(0, view.played), ...names];
    return this.#tryTo({ start: view.start, moves, played: view.played + shown }, null, "push");
  }

  /** Forget the undone moves, so that whoever has to move goes on from here. */
  goOn() {
    const { start, moves, played } = this.here;
    return this.#tryTo({ start, moves: moves.slice(0, played), played }, null, "push");
  }

  /** Begin a game by the name of its start; the same one again if there is none. */
  newGame(start = this.here.start) {
    this.dismiss();
    return this.#tryTo({ start, moves: [], played: 0 }, null, "push");
  }

  /** Ask for the view of a game; what fails is reported, and what the rules refuse in the words that `say` finds for it. */
  async #tryTo(game, guessed, history, say) {
    try {
      await this.#fetch(gameText(game), { game, history, guessed });
    } catch (error) {
      this.#failed(error, () => this.#tryTo(game, guessed, history, say), say);
    }
  }

  /** Report a Problem, with a way to try again if that may help. */
  #failed(error, retry, say = (message) => message) {
    if (!(error instanceof Problem)) throw error;
    const { message, isPassing } = error;
    this.report(isPassing ? { message, retry } : { message: say(message) });
  }

  /** Ask for the view of a text and show it; meanwhile the guess, if there is one. `arrive` is called before that. */
  async #fetch(text, { game = null, history = null, guessed = null, arrive = () => {} }) {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    const before = this.#own ?? (this.isPending ? this.#confirmed : this.view);
    this.#confirmed = before;
    this.#ahead = game;
    const known = this.#views.get(text);
    const asked = known ? Promise.resolve(known) : this.#api.post("position", { game: text }, { signal: abort.signal });
    this.#settled = asked;
    if (guessed && !known) this.#show(guessed, true);
    try {
      const view = await asked;
      if (this.#abort !== abort) return;
      this.#remember(text, view);
      this.#ahead = null;
      this.problem = null;
      arrive();
      this.#show(view, false, history);
    } catch (error) {
      if (this.#abort !== abort) return; // somebody wanted something else meanwhile
      this.#ahead = null;
      if (this.isPending) this.#show(before, false);
      throw error;
    }
  }

  #show(view, isPending, history = null) {
    if (this.guest) {
      this.#own = view;
      return;
    }
    if (view.position !== this.view?.position) this.notes = { ...this.notes, values: null, best: [], hint: null };
    if (!sameGame(view, this.view)) this.notes = { ...this.notes, review: null };
    this.view = view;
    this.isPending = isPending;
    this.#changed("game", history);
  }

  #remember(text, view) {
    if (this.#views.size >= REMEMBERED_VIEWS) this.#views.delete(this.#views.keys().next().value);
    this.#views.set(text, view);
    this.#views.set(view.game, view);
  }

  // -- guests -------------------------------------------------------------------------------------------

  /**
   * Give the board to a guest, who is asked about clicks by `click(name)` and shows views by `showGuest`. A guest may have
   * `jump(played)` (for those who look back), `players` ({X, O}, what stands at the seats), `withoutHelp` (no analysis
   * and no hints), `actions` (an element with buttons, below the board instead of the usual ones) and `dismissed()`,
   * which is called when the board is taken away.
   */
  invite(guest) {
    if (this.guest) this.dismiss();
    this.#own = this.isPending ? this.#confirmed : this.view;
    this.guest = guest;
    this.notes = { ...NO_NOTES };
    this.#changed("players");
  }

  /** Show a guest's view. */
  showGuest(view) {
    if (view.position !== this.view?.position) this.notes = { ...NO_NOTES };
    this.view = view;
    this.isPending = false;
    this.#changed("game");
  }

  /** Take the board back from the guest; the session's own game is shown again. */
  dismiss(history = "replace") {
    if (!this.guest) return;
    const guest = this.guest;
    this.view = this.#own;
    this.guest = null;
    this.#own = null;
    this.notes = { ...NO_NOTES };
    guest.dismissed?.();
    this.#changed("players");
    this.#changed("game", history);
  }

  // -- all else -----------------------------------------------------------------------------------------

  /** Seat a person or a level at a side. */
  setPlayer(side, player) {
    this.players = { ...this.players, [side]: player };
    this.#changed("players", "replace");
  }

  /** Open a panel. */
  show(panel) {
    if (panel === this.panel) return;
    this.panel = panel;
    this.#changed("panel", "replace");
  }

  /** Keep something of a panel in the address, or no longer if the value is null. */
  setExtra(name, value, history = "replace") {
    const { [name]: _, ...others } = this.extras;
    this.extras = value === null ? others : { ...others, [name]: value };
    this.#changed("extras", history);
  }

  /** Become what an address says. If its game cannot be read, that is a Problem, and all stays as it is. */
  async restore({ game, players, panel, extras }) {
    const arrive = () => Object.assign(this, { players, panel, extras });
    await this.#fetch(game, { arrive });
    this.#changed("players");
    this.#changed("panel");
    this.#changed("extras");
  }

  setThinking(thinking) {
    this.thinking = thinking;
    this.#changed("thinking");
  }

  /**
   * Say what went wrong: a message, perhaps the text that is wrong and where, perhaps how to try again. With the tone
   * "good" it is no fault. Null takes it back.
   */
  report(problem) {
    this.problem = problem;
    this.#changed("problem");
  }

  /** Draw something on the board or the list of moves: values, best, hint, review. */
  annotate(notes) {
    this.notes = { ...this.notes, ...notes };
    this.#changed("notes");
  }
}

/** Return the view as it will be, as far as that takes no rules: the mark is there, and nobody can move. */
function guess(view, name) {
  const cells = view.cells.map((cell) => (cell.name === name ? { ...cell, mark: view.turn } : cell));
  const moves = [...view.moves.slice(0, view.played), name];
  const next = { cells, moves, played: moves.length, last: name, legal: [], turn: OTHER[view.turn] };
  return { ...view, ...next, game: "", position: "" };
}

function sameGame(one, other) {
  return other && one.start === other.start && one.moves.join() === other.moves.join();
}
