// What is said: the line below the board, what went wrong, and what screen readers say of each move.

import { h } from "../dom/dom.js";
import { capital, counted, pointAt } from "../dom/text.js";
import { SIDES, whereToPlay } from "../state/game.js";
import { PERSON } from "../state/session.js";
import { ultimateName } from "./board.js";

/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/game.js").View} View */
/** @typedef {import("../state/session.js").Session} Session */

/**
 * Show the state of the game in words, and announce changes politely.
 * @param {Session} session
 * @param {{title: HTMLElement, status: HTMLElement, detail: HTMLElement, live: HTMLElement}} elements
 */
export function announceGame(session, { title, status, detail, live }) {
  /** @type {View | null} */
  let announced = null;
  session.on(["view", "players", "thinking"], () => {
    const { viewOrNull: view, isPending } = session;
    if (!view || isPending) return;
    status.textContent = statusOf(session);
    status.dataset.thinking = String(session.thinking !== null);
    title.textContent = nameOf(view);
    detail.textContent = session.mode ? "" : detailOf(view);
    detail.hidden = detail.textContent === "";
    document.title = `${view.status} · ${view.name} · noughts`;
    if (announced?.game === view.game) return;
    live.textContent = view.said ?? sentence(view, announced);
    announced = view;
  });
}

const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** @type {Record<string, string>} */
const VARIANTS = {
  ultimate: "Ultimate",
  "ultimate-open": "Ultimate, won boards stay open",
  "ultimate-most-boards": "Ultimate, most boards wins",
  "ultimate-open-most-boards": "Ultimate, won boards stay open, most boards wins",
};

/**
 * Return the game that is played, in words: 4 × 4, three in a row.
 * @param {View} view
 */
function nameOf({ kind, name, rows, cols, k }) {
  return kind === "grid" ? `${rows} × ${cols}, ${NUMBERS[k] ?? k} in a row` : (VARIANTS[name] ?? name);
}

/**
 * Return whose turn it is, and where.
 * @param {View} view
 * @param {boolean} isMine whether it is the turn of the person at the screen
 */
export function turnText(view, isMine) {
  const where = whereToPlay(view);
  if (isMine) return where ? `Your move: play ${where}` : `Your move, ${view.turn}`;
  return `${view.turn} to move${where && ` ${where}`}`;
}

/**
 * Return who has to do what, in a few words, or how the game ended for the person at the screen.
 * @param {Session} session
 */
function statusOf({ view, players, thinking, mode }) {
  if (mode?.name) return view.status; // it may begin with code, or with the name of a cell
  const me = SIDES.filter((side) => players[side] === PERSON);
  const isAgainstComputer = me.length === 1;
  const { outcome } = view;
  if (mode || (outcome && !isAgainstComputer)) return capital(outcome?.text ?? view.status);
  if (outcome) return outcome.winner === null ? "A draw" : outcome.winner === me[0] ? "You won" : "You lost";
  if (thinking) return `${thinking.side} is thinking`;
  return turnText(view, isAgainstComputer && view.turn === me[0]);
}

/**
 * Return how a game was won, by which line and after how many moves; and of one that nobody can win, that it is one.
 * @param {View} view
 */
function detailOf({ outcome, played, boards, rows, cols, k }) {
  if (!outcome) return k > Math.max(rows, cols) && !boards ? `No line of ${k} fits: every game is a draw.` : "";
  const [line] = outcome.lines;
  const after = `after ${counted(played, "move")}`;
  const what = line ? `${outcome.winner} has ${boards ? "boards " : ""}${line.join(" ")}, ` : "";
  return capital(`${what}${after}.`);
}

/**
 * Return what happened since the view that was announced last.
 * @param {View} view
 * @param {View | null} before
 */
function sentence(view, before) {
  const status = `${capital(view.status)}.`;
  const step = view.start === before?.start ? view.played - before.played : NaN;
  const cell = view.cells.find(({ name }) => name === view.last);
  if (step === 1 && cell)
    return `${cell.mark} plays ${view.boards ? ultimateName(cell.name, view.boards) : cell.name}. ${status}`;
  if (step < 0) return `Back to ${view.played ? `move ${view.played}` : "the start"}. ${status}`;
  return `${view.name}${view.played ? `, after ${view.played} moves` : ""}. ${status}`;
}

/**
 * Show what the session has to report, with a way to try again where there is one.
 * @param {Session} session
 * @param {HTMLElement} element
 */
export function showReports(session, element) {
  session.on(["report"], () => {
    const { report } = session;
    element.hidden = !report;
    element.replaceChildren();
    if (!report) return;
    const { message, text, offset, retry, tone = "bad" } = report;
    const tryAgain = () => {
      session.say(null);
      retry?.();
    };
    const again = retry && h("button", { type: "button", class: "button", onclick: tryAgain }, "Try again");
    const close = { type: "button", class: "dismiss", "aria-label": "Dismiss", onclick: () => session.say(null) };
    const pointed = text === undefined ? null : pointAt(text, offset);
    element.dataset.tone = tone;
    element.append(h("div", {}, h("p", {}, capital(message), " ", again), pointed), h("button", close, "×"));
  });
}
