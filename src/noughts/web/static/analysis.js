// The panel "Analysis": what every legal move is worth, drawn on the board and listed, while the panel is open.
//
// It begins again whenever the position changes, and can be stopped. What is proved and what is estimated never
// look alike: see the legend.

import { wordsOf } from "./board.js";
import { h } from "./dom.js";
import { reviewSection } from "./review.js";

const SECONDS = [2, 5, 10, 30, 60];
const USUAL_SECONDS = 5;
const REMEMBERED = 200; // positions whose analysis came to its end

/** Return the panel of the analysis, with review() for the button at the end of a game. */
export function analysisPanel(session, api, { version }) {
  const most = version?.limits.max_seconds ?? USUAL_SECONDS;
  let isOpen = false;
  let isStopped = false;
  let asked = null; // {position, abort} of the question under way
  let found = null; // what is known of the position on the board
  let fault = ""; // why there is no answer
  const done = new Map(); // by position

  const seconds = timeChoice(most, () => {
    done.clear();
    restart();
  });
  const toggle = h("button", { type: "button", class: "button", onclick: () => (asked ? stop() : restart()) });
  const verdict = h("p", { class: "verdict", role: "status" });
  const bar = h("div", { class: "bar" });
  const effort = h("p", { class: "effort" });
  const line = h("p", { class: "line" });
  const list = h("ol", { class: "values", "aria-label": "Moves, from best to worst" });
  const values = h("div", {}, bar, effort, line, list, legend());
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
    const { view, isPending } = session;
    if (!isOpen || isPending || !view) return;
    if (asked?.position !== view.position) {
      giveUp();
      fault = "";
      found = done.get(view.position) ?? null;
      if (!found && !isStopped && !view.outcome && !session.guest?.withoutHelp) ask(view);
    }
    draw();
  }

  async function ask(view) {
    const abort = new AbortController();
    const mine = (asked = { position: view.position, abort, begun: performance.now() });
    const body = { game: view.game, seconds: Number(seconds.value) };
    const hear = (answer) => {
      if (asked !== mine) return;
      found = { ...answer, seconds: elapsed(mine) };
      draw();
    };
    try {
      const { signal } = abort;
      const answer = await api.patiently(() => api.stream("analyse", body, { signal, onProgress: hear }), signal);
      if (asked !== mine) return;
      hear(answer);
      remember(view.position, found);
    } catch (error) {
      if (asked !== mine) return;
      if (!(error instanceof api.Problem)) throw error;
      fault = error.message;
    }
    asked = null;
    draw();
  }

  function remember(position, answer) {
    if (done.size >= REMEMBERED) done.delete(done.keys().next().value);
    done.set(position, answer);
  }

  // -- drawing --------------------------------------------------------------------------------------------

  function draw() {
    const { view, guest } = session;
    const isOff = view.outcome !== null || Boolean(guest?.withoutHelp);
    const moves = Object.entries(found?.moves ?? {});
    session.annotate({ values: found?.moves ?? null, best: bestOf(moves) });
    verdict.textContent = saying(view);
    toggle.textContent = asked ? "Stop" : "Analyse";
    toggle.hidden = isOff;
    seconds.hidden = isOff;
    values.hidden = isOff;
    bar.dataset.running = String(asked !== null);
    drawEffort();
    drawLine(view);
    list.replaceChildren(...moves.map(([name, value]) => row(name, value)));
    review.draw();
  }

  function saying(view) {
    if (view.outcome) return "The game is over.";
    if (session.guest?.withoutHelp) return "Not during a game by link.";
    return fault || found?.text || (asked ? "Thinking" : "Stopped");
  }

  function drawEffort() {
    const time = found && !asked ? found.seconds : asked ? elapsed(asked) : 0;
    const nodes = Number(found?.nodes) ? `${Number(found.nodes).toLocaleString("en")} ${found.unit}, ` : "";
    effort.textContent = found || asked ? `${nodes}${time.toFixed(1)} s` : "";
  }

  function drawLine(view) {
    const names = found?.line ?? [];
    line.hidden = names.length === 0;
    line.replaceChildren(
      h("span", { class: "caption" }, "Best line "),
      ...names.map((name, index) =>
        h("button", { type: "button", class: "move", onclick: () => session.showLine(view, names, index + 1) }, name),
      ),
    );
  }

  function row(name, value) {
    const words = value.proved ? wordsOf(value) : `about ${wordsOf(value)}`;
    return h(
      "li",
      {},
      h("button", { type: "button", class: "move", onclick: () => session.play(name) }, name),
      h("span", { class: "worth", "data-value": value.proved ? value.value : "estimate" }, words),
    );
  }

  session.onChange((what) => {
    if (what === "game" || what === "players") consider();
  });
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

/** Return a choice of times that the server allows. */
function timeChoice(most, onchange) {
  const times = SECONDS.filter((time) => time <= most);
  if (times.length === 0) times.push(most);
  const usual = times.includes(USUAL_SECONDS) ? USUAL_SECONDS : times.at(-1);
  const options = times.map((time) => h("option", { value: time, selected: time === usual }, `${time} s`));
  return h("select", { "aria-label": "Time to think", onchange }, ...options);
}

function elapsed({ begun }) {
  return (performance.now() - begun) / 1000;
}

/** Return the names of the moves that are as good as the first: of proofs all that say the same. */
function bestOf(moves) {
  if (moves.length === 0) return [];
  const [[first, best]] = moves;
  const isAsGood = (value) => value.proved && best.proved && wordsOf(value) === wordsOf(best);
  return moves.filter(([name, value]) => name === first || isAsGood(value)).map(([name]) => name);
}

/** Return what the labels on the board mean. */
function legend() {
  const entry = (kind, label, about) =>
    h("li", {}, h("span", { class: "noughts-value", "data-value": kind }, label), h("span", {}, about));
  return h(
    "ul",
    { class: "legend noughts-colours", "aria-label": "Labels on the board" },
    entry("win", "W7", "wins, in 7 moves of both sides"),
    entry("draw", "D", "a draw"),
    entry("loss", "L4", "loses in 4"),
    entry("estimate", "61 %", "an estimate; all else is proved"),
  );
}
