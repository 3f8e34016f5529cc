// Who is ahead: as a bar for the position on the board, and as a graph over a game that was reviewed, to click on.

import { percent } from "../board/board.js";
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
export function standingOf(value, side) {
  const own = ownShare(value);
  return { share: side === "X" ? own : 1 - own, proved: value.proved };
}

/**
 * Return the share of the result, from 0 to 1, that a move promises the side that makes it.
 * @param {MoveValue} value
 */
export function ownShare({ value, proved, score }) {
  return proved ? PROVED[value] : (score ?? 0.5);
}

/**
 * Return a standing in words: X wins, proved; about 43 % for O. Numbers are a side's own: on the board, in the list and for the
 * bar that of the side to move, in a graph always that of X.
 * @param {Standing} standing
 * @param {Side} side
 */
export function standingText({ share, proved }, side) {
  if (proved) return share === 0.5 ? "a draw, proved" : `${share > 0.5 ? "X" : "O"} wins, proved`;
  return `about ${percent(side === "X" ? share : 1 - share)} % for ${side}`;
}

/** Return the bar, {element, show(standing, side)}; null hides it. */
export function makeBar() {
  const part = h("div", { class: "share" });
  const element = h("div", { class: "evaluation", role: "img", hidden: true }, part);

  return {
    element,

    /**
     * @param {Standing | null} standing
     * @param {Side} side who is to move
     */
    show(standing, side) {
      element.hidden = standing === null;
      if (!standing) return;
      element.setAttribute("aria-label", `Who is ahead: ${standingText(standing, side)}`);
      element.dataset.proved = String(standing.proved);
      part.style.setProperty("width", `${100 * standing.share}%`);
    },
  };
}

/**
 * Return a graph of a game: how it stood for X before its first move and after each. `onJump` gets the number of moves of
 * the place that is clicked.
 * @param {number} moves
 * @param {(played: number) => unknown} onJump
 */
export function makeGraph(moves, onJump) {
  const x = (/** @type {number} */ at) => (at * WIDTH) / Math.max(1, moves);
  const y = (/** @type {Standing} */ { share }) => EDGE + (1 - share) * (HEIGHT - 2 * EDGE);
  let played = 0;
  /** @type {(Standing | null)[]} by the number of moves made; null while it is not known */
  let standings = [];

  const area = svg("path", { class: "area" });
  const strokes = svg("g", {});
  const here = svg("line", { class: "here", y1: 0, y2: HEIGHT });
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    area,
    svg("path", { class: "middle", d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
    strokes,
    here,
  );
  const slider = h("input", {
    type: "range",
    min: 0,
    max: moves,
    "aria-label": "Moves of the game",
    oninput: () => onJump(slider.valueAsNumber),
  });
  const element = h(
    "figure",
    { class: "graph" },
    h("figcaption", {}, "The chances of X after each move. Click to go there."),
    h("div", { class: "plot" }, drawing, slider),
  );

  function draw() {
    const known = standings.flatMap((standing, at) => (standing ? [{ at, standing }] : []));
    const points = known.map(({ at, standing }) => `${x(at).toFixed(1)} ${y(standing).toFixed(1)}`);
    const [first] = known;
    area.setAttribute("d", first ? `M${x(first.at)} ${HEIGHT}L${points.join("L")}V${HEIGHT}Z` : "");
    // What is estimated is dashed, as everywhere.
    const stroke = (/** @type {number} */ before) => {
      const proved = known[before].standing.proved && known[before + 1].standing.proved;
      const d = `M${points[before]}L${points[before + 1]}`;
      return svg("path", { class: "stroke", "data-proved": String(proved), d });
    };
    strokes.replaceChildren(...points.slice(1).map((_, before) => stroke(before)));
    const now = standings[played];
    slider.value = String(played);
    slider.setAttribute("aria-valuetext", `after ${played} moves, ${now ? standingText(now, "X") : "not known yet"}`);
    here.setAttribute("x1", String(x(played)));
    here.setAttribute("x2", String(x(played)));
  }

  return {
    element,

    /** @param {(Standing | null)[]} found */
    show(found) {
      standings = found;
      draw();
    },

    /** @param {number} at how many moves are made on the board */
    mark(at) {
      played = Math.max(0, Math.min(at, moves));
      draw();
    },
  };
}
