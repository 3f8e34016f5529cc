// After the game: which of its moves changed the result, proved where that is possible.

import { button, h, markIcon } from "../dom/dom.js";
import { problemOf } from "../server/api.js";
import { pairOf, wholeText } from "../state/game.js";
import { makeGraph, standingOf } from "./evaluation.js";

/** @typedef {import("../state/session.js").Remark} Remark */

/** @typedef {import("../state/game.js").MoveValue} MoveValue */

/** What the server found about a move, seen from the side that made it: the value of the best move and of the one played,
 * what it gave away, from 0 to 1, and whether it changed the result if that is proved.
 * @typedef {object} Reviewed
 * @property {number} number
 * @property {import("../state/game.js").Side} player
 * @property {string} move
 * @property {string} best
 * @property {MoveValue} before
 * @property {MoveValue} after
 * @property {boolean | null} changed
 * @property {number} cost
 * @property {string} text
 */

const SECONDS = 10; // for a whole game
const COSTLY = 0.2; // how much an estimate has to fall to be worth a word

/**
 * Return the part of a panel that looks for the moves that changed the result.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {number} mostSeconds
 */
export function reviewSection(session, api, mostSeconds) {
  const begin = button("Review the whole game", run);
  const said = h("p", { class: "said", role: "status" });
  const list = h("ol", { class: "turning" });
  const place = h("div", {});
  /** @type {ReturnType<typeof makeGraph> | null} */
  let graph = null;
  const element = h("section", { class: "review" }, begin, said, place, list);
  /** @type {AbortController | null} of the request under way */
  let asked = null;
  /** @type {string | null} the whole game that the list is about */
  let shown = null;

  async function run() {
    const game = wholeText(session.view);
    const total = session.view.moves.length;
    asked?.abort();
    const abort = new AbortController();
    asked = abort;
    shown = game;
    list.replaceChildren();
    said.textContent = "Looking at every move";
    draw();
    const onProgress = (/** @type {{moves: Reviewed[]}} */ { moves }) => {
      if (asked === abort) said.textContent = `Looked at ${moves.length} of ${total} moves`;
    };
    try {
      const { signal } = abort;
      const body = { game, seconds: Math.min(SECONDS, mostSeconds) };
      const send = () => api.stream("review", body, { signal, onProgress });
      const answer = await api.retrying(send, { signal });
      if (asked !== abort) return;
      asked = null;
      show(game, answer.moves);
    } catch (error) {
      if (asked !== abort) return;
      asked = null;
      shown = null;
      said.textContent = problemOf(error).message;
      draw();
    }
  }

  /**
   * @param {string} game
   * @param {Reviewed[]} moves
   */
  function show(game, moves) {
    /** @type {Map<number, Remark>} */
    const remarks = new Map();
    for (const [index, move] of moves.entries()) {
      const remark = remarkOf(move);
      if (remark) remarks.set(index, remark);
    }
    const changes = [...remarks.values()].filter(({ kind }) => kind === "changed").length;
    const open = moves.filter(({ changed }) => changed === null).length;
    const found = changes === 0 ? "No move" : changes === 1 ? "One move" : `${changes} moves`;
    const proved = open && changes === 0 ? "No mistake could be proved." : `${found} changed the result.`;
    said.textContent = open ? `${proved} ${open} of ${moves.length} moves could only be estimated.` : proved;
    list.replaceChildren(...moves.filter((_, index) => remarks.has(index)).map(entry));
    const [first] = moves;
    if (first) {
      const after = moves.map(({ after: value, player }) => standingOf(value, player));
      graph = makeGraph([standingOf(first.before, first.player), ...after], (played) => session.jump(played));
      place.replaceChildren(graph.element);
    }
    session.mark(game, remarks);
    draw();
  }

  /** @param {Reviewed} move */
  function entry({ number, player, move, best, changed, text }) {
    const isEstimate = changed === null;
    const label = `Before move ${number}, ${player} ${move}`;
    const onclick = () => session.jump(number - 1);
    return h(
      "li",
      { "data-estimate": String(isEstimate) },
      h(
        "button",
        { type: "button", class: "move", "aria-label": label, onclick },
        `${pairOf(session.view, number - 1)}.`,
        markIcon(player),
        move,
      ),
      h("span", {}, isEstimate ? `probably worse than ${best}` : `${text}; ${best} was better`),
    );
  }

  /** Show the button, or what was found; of a game that went another way it is forgotten. */
  function draw() {
    const { view, mode } = session;
    const game = wholeText(view);
    if (shown !== null && shown !== game) {
      asked?.abort();
      asked = null;
      shown = null;
      said.textContent = "";
      graph = null;
      place.replaceChildren();
      list.replaceChildren();
    }
    graph?.mark(view.played);
    element.hidden = view.moves.length === 0 || Boolean(mode?.withoutHelp && !view.outcome);
    begin.hidden = shown === game;
  }

  return { element, draw, run };
}

/**
 * Return what there is to say of a move in the list of moves, or null.
 * @param {Reviewed} move
 * @returns {Remark | null}
 */
function remarkOf({ changed, cost, text, best }) {
  if (changed) return { kind: "changed", sign: cost > 0.75 ? "??" : "?", text: `${text}; ${best} was better` };
  if (changed === null && cost >= COSTLY) return { kind: "estimate", sign: "?!", text: `probably worse than ${best}` };
  return null;
}
