// The computer at the table: whenever a level has to move, it is asked for a move, and only then.
//
// What it is asked belongs to one position and one level. When either changes (an undo, a new game, another
// player) the question is given up, which stops the work on the server too.

import { Problem } from "./api.js";
import { PERSON } from "./session.js";

const SECONDS = 1; // for a move
const PAUSE = 350; // milliseconds at least, so that one sees what happened

/** Let levels play in this session. */
export function seatOpponent(session, api) {
  let asked = null; // {key, abort} of the question under way, or of the one that failed

  session.onChange(consider);
  consider();

  function consider() {
    const key = question(session);
    if (asked?.key === key) return;
    asked?.abort.abort();
    asked = null;
    if (session.thinking) session.setThinking(null);
    if (key) ask(key);
  }

  async function ask(key) {
    const abort = new AbortController();
    const mine = (asked = { key, abort });
    const { text, view, players } = session;
    const level = players[view.turn];
    session.setThinking({ side: view.turn, level });
    try {
      const body = { game: text, level, seconds: SECONDS };
      const { signal } = abort;
      const answer = api.patiently(() => api.post("move", body, { signal }), signal);
      const [{ move }] = await Promise.all([answer, sleep(PAUSE)]);
      if (asked !== mine) return;
      session.setThinking(null);
      await session.play(move, { by: level });
    } catch (error) {
      if (asked !== mine) return;
      session.setThinking(null);
      if (!(error instanceof Problem)) throw error;
      session.report({ message: `The computer cannot move: ${error.message}`, retry: again });
    }
  }

  function again() {
    asked = null;
    consider();
  }
}

/** Return what the computer has to be asked, or null if it has nothing to do. */
function question(session) {
  const { view, players, isPending, guest } = session;
  if (!view || guest || isPending || view.outcome || view.played < view.moves.length) return null;
  const level = players[view.turn];
  return level === PERSON ? null : `${view.game} ${level}`;
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
