// After the game: which of its moves changed the result, proved where that is possible.

import { button, h, markIcon } from "../dom/dom.js";
import { problemOf } from "../server/api.js";
import { pairOf, wholeText } from "../state/game.js";
import { makeGraph, ownShare, standingOf } from "./evaluation.js";

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

const SECONDS_PER_MOVE = 0.08; // a game of Ultimate takes about four seconds; most others need less
const LEAST_SECONDS = 2;
const COSTLY = 0.1; // how much an estimate has to fall to be worth a word

/**
 * Return the part of a panel that looks for the moves that changed the result. The server goes from the end of the game
 * to its beginning, and what it has found so far is shown.
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
    graph = makeGraph(total, (played) => session.jump(played));
    place.replaceChildren(graph.element);
    draw();
    const onProgress = (/** @type {{moves: Reviewed[]}} */ { moves }) => {
      if (asked !== abort) return;
      said.textContent = `Looked at ${moves.length} of ${total} moves`;
      show(game, moves);
    };
    try {
      const { signal } = abort;
      const body = { game, seconds: Math.min(Math.max(SECONDS_PER_MOVE * total, LEAST_SECONDS), mostSeconds) };
      const send = () => api.stream("review", body, { signal, onProgress });
      const answer = await api.retrying(send, { signal });
      if (asked !== abort) return;
      asked = null;
      said.textContent = summary(answer.moves);
      show(game, answer.moves);
    } catch (error) {
      if (asked !== abort) return;
      forget();
      said.textContent = problemOf(error).message;
      draw();
    }
  }

  function forget() {
    asked?.abort();
    asked = null;
    shown = null;
    graph = null;
    place.replaceChildren();
    list.replaceChildren();
  }

  /**
   * Show what is known of the last moves of a game.
   * @param {string} game
   * @param {Reviewed[]} moves
   */
  function show(game, moves) {
    /** @type {Map<number, Remark>} */
    const remarks = new Map();
    /** @type {(import("./evaluation.js").Standing | null)[]} */
    const standings = Array(session.view.moves.length + 1).fill(null);
    for (const move of moves) {
      const remark = remarkOf(move);
      if (remark) remarks.set(move.number - 1, remark);
      standings[move.number] = standingOf(move.after, move.player);
    }
    const [first] = moves;
    if (first) standings[first.number - 1] = standingOf(first.before, first.player);
    list.replaceChildren(...moves.filter(({ number }) => remarks.has(number - 1)).map(entry));
    graph?.show(standings);
    session.mark(game, remarks);
    draw();
  }

  /** @param {Reviewed} move */
  function entry(move) {
    const { number, player, changed } = move;
    const label = `Before move ${number}, ${player} ${move.move}`;
    const onclick = () => session.jump(number - 1);
    return h(
      "li",
      { "data-estimate": String(changed === null) },
      h(
        "button",
        { type: "button", class: "move", "aria-label": label, onclick },
        `${pairOf(session.view, number - 1)}.`,
        markIcon(player),
        move.move,
      ),
      h("span", {}, wordsOf(move)),
    );
  }

  /** Show the button, or what was found; of a game that went another way it is forgotten. */
  function draw() {
    const { view, mode } = session;
    const game = wholeText(view);
    if (shown !== null && shown !== game) {
      forget();
      said.textContent = "";
    }
    graph?.mark(view.played);
    element.hidden = view.moves.length === 0 || Boolean(mode?.withoutHelp && !view.outcome);
    begin.hidden = shown === game;
  }

  return { element, draw, run };
}

/**
 * Return what a whole review found, in a sentence or two. What is proved comes first.
 * @param {Reviewed[]} moves
 */
function summary(moves) {
  const changes = moves.filter(({ changed }) => changed).length;
  const doubtful = moves.filter(isDoubtful).length;
  const open = moves.filter(({ changed }) => changed === null).length;
  const number = (/** @type {number} */ count) => (count === 1 ? "One move" : `${count} moves`);
  const sentences = [];
  if (changes) sentences.push(`${number(changes)} changed the result${open ? ", proved" : ""}.`);
  if (doubtful)
    sentences.push(`${number(doubtful)} ${doubtful === 1 ? "was probably a mistake" : "were probably mistakes"}.`);
  if (!changes && !doubtful) sentences.push(open ? "No clear mistake was found." : "No move changed the result.");
  if (open) sentences.push(`${moves.length - open} of ${moves.length} moves are proved, the others estimated.`);
  return sentences.join(" ");
}

/**
 * Return whether a move is estimated to have given much away.
 * @param {Reviewed} move
 */
function isDoubtful({ changed, cost }) {
  return changed === null && cost >= COSTLY;
}

/**
 * Return what there is to say of a move that was not the best.
 * @param {Reviewed} move
 */
function wordsOf({ changed, text, best, before, after, player }) {
  if (changed) return `${text}; ${best} was better`;
  const chance = (/** @type {MoveValue} */ value) => Math.round(100 * ownShare(value));
  return `${best} was probably better: ${chance(before)} % for ${player} before, ${chance(after)} % after`;
}

/**
 * Return what there is to say of a move in the list of moves, or null.
 * @param {Reviewed} move
 * @returns {Remark | null}
 */
function remarkOf(move) {
  if (move.changed) return { kind: "changed", sign: move.cost > 0.75 ? "??" : "?", text: wordsOf(move) };
  return isDoubtful(move) ? { kind: "estimate", sign: "?!", text: wordsOf(move) } : null;
}
