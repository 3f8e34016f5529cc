// Exploring: a mode in which moves are tried for both sides, and games are gone through. The session's own game waits
// meanwhile. What is on the board is in the address: #...&explore=3x3x3+b2+a1

import { button, h } from "../dom/dom.js";
import { isAbort } from "../server/api.js";
import { extended, gameText, jumped, refusalOf, trimmed } from "../state/game.js";

/** @typedef {import("../state/game.js").Game} Game */
/** @typedef {import("../state/game.js").View} View */
/** @typedef {import("../state/store.js").History} History */

/**
 * Return what shows games in this mode, {go(game), open(game), play(name), follow(), isOn}.
 * @param {import("../state/session.js").Session} session
 */
export function makeExploring(session) {
  let isOn = false;
  /** @type {string | null} the game that the mode shows, or that is on its way */
  let text = null;
  let abort = new AbortController();

  const take = button("Play from here", () => session.goTo(gameText(trimmed(session.view))), {
    class: "button strong",
  });
  const leave = button("Back to your game", () => session.leave("push"));
  const actions = h("div", { class: "actions" }, take, leave);

  /**
   * Show a game, in the mode from now on. Fails with a Problem; what was there stays then.
   * @param {string | Game} game
   * @param {History} history how the address takes it; where the mode begins is always an entry of its own
   */
  async function go(game, history = "replace") {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const view = await session.look(game, signal);
    if (signal.aborted) return;
    const isFirst = !isOn;
    isOn = true;
    text = view.game;
    take.textContent = view.outcome ? "Open this game" : "Play from here";
    session.say(null);
    if (isFirst) {
      const seats = { X: "You", O: "You" };
      session.enter({ name: "explore", click: play, jump, actions, onLeave, seats, withoutHelp: false }, view);
    } else session.present(view);
    session.setExtras({ explore: text }, isFirst ? "push" : history);
  }

  /**
   * Show what is known to be a game; a failure is reported.
   * @param {string | Game} game
   * @param {History} history
   */
  function open(game, history = "push") {
    return session.attempt(() => go(game, history).catch(unlessGivenUp));
  }

  /**
   * Play a move, for whichever side has it.
   * @param {string} name
   */
  function play(name) {
    const { view } = session;
    const refusal = refusalOf(view, name);
    if (refusal) return session.say({ message: refusal });
    const isNext = view.moves[view.played] === name;
    return open(isNext ? jumped(view, view.played + 1) : extended(view, [name]));
  }

  /** @param {number} played */
  function jump(played) {
    return open(jumped(session.view, played), "replace");
  }

  function onLeave() {
    abort.abort();
    isOn = false;
    text = null;
    session.setExtras({ explore: null }, null);
  }

  /** Become what the address says. */
  async function follow() {
    const wanted = session.extras.explore ?? null;
    if (wanted === text || (session.mode && !isOn)) return;
    if (wanted === null) return session.leave(null);
    text = wanted;
    let isDone = false;
    await session.attempt(async () => {
      await go(wanted).catch(unlessGivenUp);
      isDone = true;
    });
    if (isDone) return;
    text = isOn ? session.view.game : null;
    session.setExtras({ explore: text });
  }

  return {
    go,
    open,
    play,
    follow,
    get isOn() {
      return isOn;
    },
  };
}

/** @param {unknown} error */
function unlessGivenUp(error) {
  if (!isAbort(error)) throw error;
}
