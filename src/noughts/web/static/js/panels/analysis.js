// The panel "Analysis": what every legal move is worth, drawn on the board and listed, while the panel is open.
//
// It begins again whenever the position changes, and can be stopped. What is proved and what is estimated never
// look alike: see the legend.

import { wordsOf } from "../board/board.js";
import { button, h } from "../dom/dom.js";
import { problemOf } from "../server/api.js";
import { makeBar, standingOf } from "./evaluation.js";
import { reviewSection } from "./review.js";

/** @typedef {import("../state/game.js").MoveValue} MoveValue */
/** @typedef {import("../state/game.js").MoveValues} MoveValues */
/** @typedef {import("../state/game.js").View} View */

/** What the server answers: the values of the moves, best first, the best of them, and a line of best play.
 * @typedef {{moves: MoveValues, best: string[], line: string[], text: string, nodes: string, unit: string}} Answer */

const SECONDS = [2, 5, 10, 30, 60];
const USUAL_SECONDS = 5;
const KNOWN_POSITIONS = 200; // whose analysis is kept

/**
 * Return the panel of the analysis, with review() for the button at the end of a game.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 */
export function analysisPanel(session, api) {
  const most = session.version?.limits.max_seconds ?? USUAL_SECONDS;
  let isOpen = false;
  let isStopped = false;
  /** @type {{position: string, abort: AbortController, begun: number} | null} the request under way */
  let asked = null;
  /** @type {(Answer & {seconds: number}) | null} what is known of the position on the board */
  let found = null;
  let fault = ""; // why there is no answer
  /** @type {Map<string, Answer & {seconds: number}>} finished analyses by position */
  const known = new Map();

  const seconds = timeChoice(most, () => {
    known.clear();
    restart();
  });
  const toggle = button("Analyse", () => (asked ? stop() : restart()));
  const verdict = h("p", { class: "verdict", role: "status" });
  const bar = h("div", { class: "bar" });
  const effort = h("p", { class: "effort" });
  const line = h("p", { class: "line" });
  const list = h("ol", { class: "values", "aria-label": "Moves, from best to worst" });
  const evaluation = makeBar();
  const values = h("div", {}, evaluation.element, bar, effort, line, list, legend());
  const review = reviewSection(session, api, most);
  const element = h(
    "div",
    {},
    h("div", { class: "row spread" }, verdict, h("div", { class: "row" }, seconds, toggle)),
    values,
    review.element,
  );

  function stop() {
    giveUp();
    isStopped = true;
    draw();
  }

  function restart() {
    giveUp();
    isStopped = false;
    found = null;
    consider();
  }

  function giveUp() {
    asked?.abort.abort();
    asked = null;
  }

  /** Ask about the position on the board, unless that is done or under way. */
  function consider() {
    const { viewOrNull: view, isPending, mode } = session;
    if (!isOpen || isPending || !view) return;
    if (asked?.position !== view.position) {
      giveUp();
      fault = "";
      found = known.get(view.position) ?? null;
      if (!found && !isStopped && !view.outcome && !mode?.withoutHelp) ask(view);
    }
    draw();
  }

  /** @param {View} view */
  async function ask({ game, position }) {
    const abort = new AbortController();
    const mine = { position, abort, begun: performance.now() };
    asked = mine;
    const body = { game, seconds: Number(seconds.value) };
    const take = (/** @type {Answer} */ answer) => {
      if (asked !== mine) return;
      found = { ...answer, seconds: elapsed(mine) };
      draw();
    };
    try {
      const { signal } = abort;
      const send = () => api.stream("analyse", body, { signal, onProgress: take });
      const answer = await api.retrying(send, { signal });
      if (asked !== mine) return;
      take(answer);
      remember(position);
    } catch (error) {
      if (asked !== mine) return;
      fault = problemOf(error).message;
    }
    asked = null;
    draw();
  }

  /** @param {string} position */
  function remember(position) {
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= KNOWN_POSITIONS) known.delete(oldest);
    if (found) known.set(position, found);
  }

  // -- drawing --------------------------------------------------------------------------------------------

  function draw() {
    const { view, mode } = session;
    const isOff = view.outcome !== null || Boolean(mode?.withoutHelp);
    const moves = found?.moves ?? {};
    session.annotate({ values: found && moves, best: found?.best ?? [] });
    verdict.textContent = verdictText(view);
    toggle.textContent = asked ? "Stop" : "Analyse";
    toggle.hidden = isOff;
    seconds.hidden = isOff;
    values.hidden = isOff;
    bar.dataset.running = String(asked !== null);
    const best = moves[found?.best[0] ?? ""];
    const isKnown = best && (best.proved || best.score != null);
    const side = /** @type {import("../state/game.js").Side} */ (view.turn);
    evaluation.show(isKnown ? standingOf(best, side) : null, side);
    drawEffort();
    drawLine(view);
    list.replaceChildren(...Object.entries(moves).map(([name, value]) => row(name, value)));
    review.draw();
  }

  /** @param {View} view */
  function verdictText(view) {
    if (view.outcome) return "The game is over.";
    if (session.mode?.withoutHelp) return "Not during a game with a friend.";
    return fault || found?.text || (asked ? "Thinking" : "Stopped");
  }

  function drawEffort() {
    const time = asked ? elapsed(asked) : (found?.seconds ?? 0);
    const nodes = found && Number(found.nodes) ? `${Number(found.nodes).toLocaleString("en")} ${found.unit}, ` : "";
    effort.textContent = found || asked ? `${nodes}${time.toFixed(1)} s` : "";
  }

  /** @param {View} view */
  function drawLine(view) {
    const names = found?.line ?? [];
    line.hidden = names.length === 0;
    const moves = names.map((name, index) => moveButton(name, () => session.showLine(view, names, index + 1)));
    line.replaceChildren(h("span", { class: "caption" }, "Best line "), ...moves);
  }

  /**
   * @param {string} name
   * @param {MoveValue} value
   */
  function row(name, value) {
    const words = value.proved ? wordsOf(value) : `about ${wordsOf(value)}`;
    return h(
      "li",
      {},
      moveButton(name, () => session.play(name)),
      h("span", { class: "worth", "data-value": value.proved ? value.value : "estimate" }, words),
    );
  }

  session.on(["view"], consider);
  setInterval(() => asked && isOpen && drawEffort(), 200);

  return {
    name: "analysis",
    title: "Analysis",
    element,
    shown() {
      isOpen = true;
      isStopped = false;
      consider();
    },
    hidden() {
      isOpen = false;
      giveUp();
      session.annotate({ values: null, best: [] });
    },
    review: review.run,
  };
}

/**
 * @param {string} name
 * @param {() => unknown} onclick
 */
function moveButton(name, onclick) {
  return h("button", { type: "button", class: "move", onclick }, name);
}

/**
 * Return a choice of times that the server allows.
 * @param {number} most
 * @param {() => void} onchange
 */
function timeChoice(most, onchange) {
  const allowed = SECONDS.filter((time) => time <= most);
  const times = allowed.length ? allowed : [most];
  const usual = times.includes(USUAL_SECONDS) ? USUAL_SECONDS : times.at(-1);
  const options = times.map((time) => h("option", { value: time, selected: time === usual }, `${time} s`));
  return h("select", { "aria-label": "Time to think", onchange }, ...options);
}

/** @param {{begun: number}} request */
function elapsed({ begun }) {
  return (performance.now() - begun) / 1000;
}

/** Return what the labels on the board mean. */
function legend() {
  const entry = (/** @type {string} */ kind, /** @type {string} */ label, /** @type {string} */ about) =>
    h("li", {}, h("span", { class: "noughts-value", "data-value": kind }, label), h("span", {}, about));
  return h(
    "ul",
    { class: "legend", "aria-label": "Labels on the board" },
    entry("win", "W7", "wins, in 7 moves of both sides"),
    entry("draw", "D", "a draw"),
    entry("loss", "L4", "loses in 4"),
    entry("estimate", "61 %", "estimated chance; the stronger the tint, the better"),
  );
}
