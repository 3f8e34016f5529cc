// What is said: the line below the board, problems, and what screen readers are told of each move.

import { ultimateName } from "./board.js";
import { h } from "./dom.js";
import { OTHER, PERSON } from "./session.js";
import { capital } from "./words.js";

/** Show the state of the game in words, and announce changes politely. */
export function announceGame(session, { status, live }) {
  let told = null;
  session.onChange((what) => {
    const { view, isPending } = session;
    if (!view || isPending) return;
    status.textContent = statusOf(session);
    status.dataset.thinking = String(session.thinking !== null);
    document.title = `${view.status} · ${view.name} · noughts`;
    if (what !== "game" || told?.game === view.game) return;
    live.textContent = sentence(view, told);
    told = view;
  });
}

/** Return who has to do what, in a few words. */
function statusOf({ view, players, thinking, guest }) {
  if (view.outcome) return capital(view.outcome.text);
  if (thinking) return `${thinking.side} is thinking`;
  const isMine = !guest && players[view.turn] === PERSON && players[OTHER[view.turn]] !== PERSON;
  return isMine ? view.status.replace(/^([XO]) to move/, "Your move, $1,").replace(/,$/, "") : capital(view.status);
}

/** Return what happened since the view that was told last. */
function sentence(view, before) {
  const isNext = before && view.start === before.start && view.played === before.played + 1 && view.last;
  const isBack = before && view.start === before.start && view.played < before.played;
  if (isNext) {
    const cell = view.cells.find(({ name }) => name === view.last);
    const where = view.boards ? ultimateName(view.last, view.boards) : view.last;
    return `${cell.mark} plays ${where}. ${capital(view.status)}.`;
  }
  if (isBack) return `Back to ${view.played ? `move ${view.played}` : "the start"}. ${capital(view.status)}.`;
  return `${view.name}${view.played ? `, after ${view.played} moves` : ""}. ${capital(view.status)}.`;
}

/** Show the session's problem, if there is one, with a way to try again where there is one. */
export function showProblems(session, element) {
  session.onChange((what) => {
    if (what !== "problem" && what !== "game") return;
    const { problem } = session;
    element.hidden = !problem;
    if (!problem) {
      element.replaceChildren();
      return;
    }
    const retry = problem.retry && h("button", { type: "button", class: "button", onclick: tryAgain }, "Try again");
    const close = () => session.report(null);
    const dismiss = h("button", { type: "button", class: "dismiss", "aria-label": "Dismiss", onclick: close }, "×");
    const parts = [h("p", {}, capital(problem.message), " ", retry)];
    if (problem.text !== undefined) parts.push(pointAt(problem.text, problem.offset));
    element.dataset.tone = problem.tone ?? "bad";
    element.replaceChildren(h("div", {}, ...parts), dismiss);
  });

  function tryAgain() {
    const { problem } = session;
    session.report(null);
    problem.retry();
  }
}

const CONTEXT = 24; // characters on either side of the bad one

/** Return a text with the character that is wrong marked; only what is around it, if it is long. */
export function pointAt(text, offset) {
  const characters = [...text];
  if (offset == null) return h("p", { class: "pointed" }, clip(characters, 2 * CONTEXT));
  // Servers count characters, not the halves of which JavaScript makes some of them.
  const before = characters.slice(Math.max(0, offset - CONTEXT), offset).join("");
  const bad = characters[offset];
  const after = characters.slice(offset + 1, offset + 1 + CONTEXT).join("");
  return h(
    "p",
    { class: "pointed" },
    offset > CONTEXT ? "…" : "",
    before,
    h("mark", {}, bad === undefined || /\s/.test(bad) ? "␣" : bad),
    after,
    offset + 1 + CONTEXT < characters.length ? "…" : "",
  );
}

function clip(characters, most) {
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : characters.join("");
}
