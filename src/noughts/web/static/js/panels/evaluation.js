// Who is ahead: as a bar for the position on the board, and as a graph over a game that was reviewed, to click on.

import { h, svg } from "../dom/dom.js";

/** @typedef {import("../state/game.js").MoveValue} MoveValue */
/** @typedef {import("../state/game.js").Side} Side */

/** How a position stands for X: its share from 0 to 1, and whether that is proved.
 * @typedef {{share: number, proved: boolean}} Standing */

const WIDTH = 340;
const HEIGHT = 72;
const EDGE = 4; // above and below, for the dots

/** @type {Record<string, number>} */
const PROVED = { win: 1, draw: 0.5, loss: 0 };

/**
 * Return how a position stands for X, from what a move is worth to the side that makes it.
 * @param {MoveValue} value
 * @param {Side} side
 * @returns {Standing}
 */
export function standingOf({ value, proved, score }, side) {
  const own = proved ? PROVED[value] : (score ?? 0.5);
  return { share: side === "X" ? own : 1 - own, proved };
}

/**
 * Return a standing in words: X wins, proved; 57 % for X.
 * @param {Standing} standing
 */
export function standingText({ share, proved }) {
  if (proved) return share === 0.5 ? "a draw, proved" : `${share > 0.5 ? "X" : "O"} wins, proved`;
  const percent = Math.round(100 * Math.max(share, 1 - share));
  return `about ${percent} % for ${share >= 0.5 ? "X" : "O"}`;
}

/** Return the bar, {element, show(standing)}; null hides it. */
export function makeBar() {
  const part = h("div", { class: "share" });
  const element = h("div", { class: "evaluation", role: "img", hidden: true }, part);

  return {
    element,

    /** @param {Standing | null} standing */
    show(standing) {
      element.hidden = standing === null;
      if (!standing) return;
      element.setAttribute("aria-label", `Who is ahead: ${standingText(standing)}`);
      element.dataset.proved = String(standing.proved);
      part.style.setProperty("width", `${100 * standing.share}%`);
    },
  };
}

/**
 * Return a graph of a game: how it stood for X before its first move and after each. `onJump` gets the number of moves of
 * the place that is clicked.
 * @param {Standing[]} standings
 * @param {(played: number) => unknown} onJump
 */
export function makeGraph(standings, onJump) {
  const step = WIDTH / Math.max(1, standings.length - 1);
  const x = (/** @type {number} */ at) => at * step;
  const y = (/** @type {number} */ at) => EDGE + (1 - standings[at].share) * (HEIGHT - 2 * EDGE);
  const point = (/** @type {number} */ at) => `${x(at).toFixed(1)} ${y(at).toFixed(1)}`;
  const last = standings.length - 1;
  const area = `M0 ${HEIGHT}L${standings.map((_, at) => point(at)).join("L")}L${x(last)} ${HEIGHT}Z`;
  // What is estimated is dashed, as everywhere.
  const strokes = standings.slice(1).map((standing, before) => {
    const proved = standing.proved && standings[before].proved;
    return svg("path", { class: "stroke", "data-proved": String(proved), d: `M${point(before)}L${point(before + 1)}` });
  });
  const here = svg("line", { class: "here", y1: 0, y2: HEIGHT });
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { class: "area", d: area }),
    svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    ...strokes,
    here,
  );
  const slider = h("input", {
    type: "range",
    min: 0,
    max: last,
    "aria-label": "Moves of the game",
    oninput: () => onJump(slider.valueAsNumber),
  });
  const element = h(
    "figure",
    { class: "graph" },
    h("figcaption", {}, "How it stood for X, after each move. Click to go there."),
    h("div", { class: "plot" }, drawing, slider),
  );

  return {
    element,

    /** @param {number} played */
    mark(played) {
      const at = Math.max(0, Math.min(played, last));
      slider.value = String(at);
      slider.setAttribute("aria-valuetext", `after ${at} moves, ${standingText(standings[at])}`);
      here.setAttribute("x1", String(x(at)));
      here.setAttribute("x2", String(x(at)));
    },
  };
}
