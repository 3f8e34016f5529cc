// The computer's moves: whenever a level has to move, the server is asked for a move, and only then.
//
// A request belongs to one position and one level. When either changes (an undo, a new game, another player), the
// request is given up, which stops the work on the server too.

import { isAbort, problemOf } from "../server/api.js";
import { PERSON } from "../state/session.js";

/** @typedef {import("../server/api.js").Api} Api */
/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/session.js").Session} Session */
/** @typedef {{key: string, game: string, side: Side, level: string}} Question */

const SECONDS = 1; // for a move
const PAUSE = 350; // milliseconds at least, so that one sees what happened

/**
 * Let levels play in this session.
 * @param {Session} session
 * @param {Api} api
 */
export function seatOpponent(session, api) {
  /** @type {{key: string, abort: AbortController} | null} the request under way, or the one that failed */
  let asked = null;

  session.on(["moves", "players"], consider);
  consider();

  function consider() {
    const question = questionOf(session);
    if ((asked?.key ?? null) === (question?.key ?? null)) return;
    asked?.abort.abort();
    asked = null;
    if (session.thinking) session.setThinking(null);
    if (question) ask(question);
  }

  /** @param {Question} question */
  async function ask({ key, game, side, level }) {
    const abort = new AbortController();
    const mine = { key, abort };
    asked = mine;
    session.setThinking({ side, level });
    try {
      const { signal } = abort;
      const send = () => api.post("move", { game, level, seconds: SECONDS }, { signal });
      const [{ view }] = await Promise.all([api.retrying(send, { signal }), sleep(PAUSE)]);
      if (asked !== mine) return;
      session.setThinking(null);
      await session.playAnswer(view);
    } catch (error) {
      if (asked !== mine || isAbort(error)) return;
      session.setThinking(null);
      session.fail(problemOf(error), again, (message) => `The computer cannot move: ${message}`);
    }
  }

  function again() {
    asked = null;
    consider();
  }
}

/**
 * Return what the server has to be asked, or null if the computer does not have to move.
 * @param {Session} session
 * @returns {Question | null}
 */
function questionOf({ viewOrNull: view, players, isMoving, mode }) {
  if (!view || mode || isMoving || view.outcome || view.played < view.moves.length) return null;
  const side = /** @type {Side} */ (view.turn);
  const level = players[side];
  return level === PERSON ? null : { key: `${view.game} ${level}`, game: view.game, side, level };
}

/** @param {number} milliseconds */
function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
