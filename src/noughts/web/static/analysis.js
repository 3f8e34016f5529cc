// The panel "Analysis": what every legal move is worth, drawn on the board and listed, while the panel is open.
//
// It begins again whenever the position changes, and can be stopped. What is proved and what is estimated never
// look alike: see the legend. After the game it finds the moves that changed the result.

import { Problem } from "./api.js";
import { wordsOf } from "./board.js";
import { h } from "./dom.js";

const SECONDS = [2, 5, 10, 30, 60];

/** Return the panel of the analysis. */
export function analysisPanel(session, api, { version }) {
  let isOpen = false;
  let isStopped = false;
  let asked = null; // {position, abort}
  let found = null;

  const most = version?.limits.max_seconds ?? 5;
  const times = SECONDS.filter((seconds) => seconds <= most);
  const seconds = h(
    "select",
    { "aria-label": "Time to think", onchange: () => restart() },
    ...(times.length ? times : [most]).map((time) => h("option", { value: time }, `${time} s`)),
  );
  seconds.value = String(times.includes(5) ? 5 : (times.at(-1) ?? most));
  const toggle = h("button", { type: "button", class: "button", onclick: stopOrGo }, "Stop");
  const verdict = h("p", { class: "verdict" });
  const effort = h("p", { class: "effort" });
  const bar = h("div", { class: "bar", hidden: true });
  const line = h("p", { class: "line" });
  const list = h("ol", { class: "values" });
  const review = reviewSection(session, api, most);
  const element = h(
    "div",
    {},
    h("div", { class: "row spread" }, verdict, h("div", { class: "row" }, seconds, toggle)),
    bar,
    effort,
    line,
    review.element,
    list,
    legend(),
  );

  function stopOrGo() {
    if (asked) stop();
    else restart();
  }

  function stop() {
    asked?.abort.abort();
    asked = null;
    isStopped = true;
    draw();
  }

  function restart() {
    isStopped = false;
    asked?.abort.abort();
    asked = null;
    consider();
  }

  /** Ask about the position on the board, unless that is done or under way. */
  function consider() {
    const { view, isPending } = session;
    if (!isOpen || isPending || !view) return;
    if (asked?.position === view.position) return;
    asked?.abort.abort();
    asked = null;
    if (found?.position !== view.position) found = null;
    if (!view.outcome && !isStopped) ask(view);
    draw();
  }

  async function ask(view) {
    const abort = new AbortController();
    const mine = (asked = { position: view.position, abort });
    const begun = performance.now();
    const body = { game: view.game, seconds: Number(seconds.value) };
    try {
      const know = (answer, isDone) => {
        if (asked !== mine) return;
        found = { ...answer, position: view.position, isDone, elapsed: (performance.now() - begun) / 1000 };
        if (isDone) asked = null;
        draw();
      };
      know(await api.stream("analyse", body, { signal: abort.signal, onProgress: (answer) => know(answer, false) }), true);
    } catch (error) {
      if (asked !== mine) return;
      asked = null;
      isStopped = true;
      if (!(error instanceof Problem)) throw error;
      draw();
      verdict.textContent = error.message;
    }
  }

  function draw() {
    const { view } = session;
    const moves = Object.entries(found?.moves ?? {});
    session.annotate({ values: isOpen && found ? found.moves ?? null : null, best: isOpen ? (found?.best ?? []) : [] });
    toggle.textContent = asked ? "Stop" : "Go";
    toggle.hidden = view.outcome !== null;
    bar.hidden = !asked;
    verdict.textContent = view.outcome ? "The game is over" : found?.text ?? (asked ? "Thinking" : "Stopped");
    effort.textContent = found?.nodes ? `${Number(found.nodes).toLocaleString("en")} ${found.unit ?? "nodes"}, ${found.elapsed.toFixed(1)} s` : "";
    drawLine(view);
    list.replaceChildren(...moves.map(([name, value]) => row(name, value)));
    review.draw();
  }

  function drawLine(view) {
    const names = found?.line ?? [];
    line.hidden = names.length === 0;
    line.replaceChildren(
      h("span", { class: "caption" }, "Best line "),
      ...names.flatMap((name, index) => [
        h("button", { type: "button", class: "move", onclick: () => session.showLine(view, names, index + 1) }, name),
        " ",
      ]),
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
    if (what === "game") consider();
  });

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
      asked?.abort.abort();
      asked = null;
      session.annotate({ values: null, best: [] });
    },
  };
}

/** Return what the labels on the board mean. */
function legend() {
  const entry = (kind, label, about) =>
    h("li", {}, h("span", { class: "noughts-value sample", "data-value": kind }, label), h("span", {}, about));
  return h(
    "ul",
    { class: "legend", "aria-label": "Labels on the board" },
    entry("win", "W7", "proved: wins in 7 moves of both sides"),
    entry("draw", "D", "proved: a draw"),
    entry("loss", "L4", "proved: loses in 4"),
    entry("estimate", "61 %", "an estimate, not a proof"),
  );
}

/** Return the part that looks for the moves that changed the result. */
function reviewSection(session, api, most) {
  const button = h("button", { type: "button", class: "button", onclick: run }, "Which moves decided the game?");
  const said = h("p", { class: "said" });
  const list = h("ol", { class: "turning" });
  const element = h("section", { class: "review", hidden: true }, button, said, list);
  let abort = null;

  async function run() {
    abort?.abort();
    const mine = (abort = new AbortController());
    const { view } = session;
    said.textContent = "Looking at every move…";
    button.hidden = true;
    try {
      const answer = await api.post("review", { game: view.game, seconds: Math.min(10, most) }, { signal: mine.signal });
      if (abort !== mine) return;
      show(answer);
    } catch (error) {
      if (abort !== mine) return;
      if (!(error instanceof Problem)) throw error;
      said.textContent = error.message;
      button.hidden = false;
    } finally {
      if (abort === mine) abort = null;
    }
  }

  function show() {}

  function draw() {
    const { view } = session;
    element.hidden = view.played === 0;
  }

  return { element, draw };
}
