// Drawings beside the board: counts as bars, with a table that says the same, and positions as small pictures.

import { h, svg } from "./dom.js";
import { breakable, ratio, share, written } from "./text.js";

const WIDTH = 340;
const HEIGHT = 110;
const FOOT = 18; // for the labels below the bars
const MOST_LABELS = 16;
const CELL = 20; // of a small board

/**
 * Return a figure of counts by a small number. The drawing names the tallest bar in words; the table, which is folded
 * up, has them all.
 * @param {{caption: string, head: [string, string], rows: [string, bigint][], total: bigint}} figure
 */
export function barChart({ caption, head, rows, total }) {
  const [tallest = "", top = 0n] = rows.reduce((best, row) => (row[1] > best[1] ? row : best), rows[0] ?? ["", 0n]);
  const step = WIDTH / rows.length;
  const every = Math.ceil(rows.length / MOST_LABELS);
  const bars = rows.flatMap(([label, count], index) => {
    const height = Math.max(count > 0n ? 1.5 : 0, ratio(count, top) * HEIGHT);
    const width = Math.min(step * 0.75, 36);
    const middle = (index + 0.5) * step;
    const place = { x: middle - width / 2, y: HEIGHT - height, width, height, rx: Math.min(3, width / 4) };
    const bar = svg(
      "rect",
      { class: "column", "data-tallest": String(count === top), ...place },
      svg("title", {}, `${label} ${head[0].toLowerCase()}: ${written(count)}, ${share(count, total)}`),
    );
    const isLabelled = (rows.length - 1 - index) % every === 0;
    const tick = { class: "tick", x: middle, y: HEIGHT + FOOT - 4, "text-anchor": "middle" };
    return isLabelled ? [bar, svg("text", tick, label)] : [bar];
  });
  const about = `${caption}. Most have ${tallest}: ${written(top)}, ${share(top, total)}.`;
  const lines = rows.map(([label, count]) => [label, written(count), share(count, total)]);
  return h(
    "figure",
    { class: "chart" },
    h("figcaption", {}, caption),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "img", "aria-label": about },
      ...bars,
      svg("path", { class: "axis", d: `M0 ${HEIGHT}h${WIDTH}` }),
    ),
    h("details", {}, h("summary", {}, "As a table"), table(caption, [...head, "Share"], lines)),
  );
}

/**
 * Return a table whose first column names the rows.
 * @param {string} caption
 * @param {string[]} head
 * @param {string[][]} lines
 */
function table(caption, head, lines) {
  const cells = (/** @type {string[]} */ [first, ...others]) => [
    h("th", { scope: "row" }, first),
    ...others.map((text) => h("td", {}, ...breakable(text))),
  ];
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...lines.map((line) => h("tr", {}, ...cells(line)))),
  );
}

/**
 * Return a picture of a position in text form.
 * @param {string} position
 * @param {string} label what it is
 */
export function smallBoard(position, label) {
  const rows = rowsOf(position);
  const [height, width] = [rows.length * CELL, (rows[0] ?? "").length * CELL];
  const marks = rows.flatMap((row, y) => [...row].map((mark, x) => drawnMark(mark, x * CELL, y * CELL)));
  const isUltimate = position.startsWith("ultimate");
  return svg(
    "svg",
    { class: "small-board", viewBox: `-1 -1 ${width + 2} ${height + 2}`, role: "img", "aria-label": label },
    svg("path", { class: "lattice", d: lattice(width, height, CELL) }),
    isUltimate ? svg("path", { class: "lattice thick", d: lattice(width, height, 3 * CELL) }) : "",
    ...marks,
  );
}

/**
 * Return the rows of a position as they are drawn. Texts of Ultimate have a board where others have a row.
 * @param {string} position
 */
function rowsOf(position) {
  const rows = (position.split(/[:;]/).at(-1) ?? "").split("/");
  if (!position.startsWith("ultimate")) return rows;
  const at = (/** @type {number} */ row, /** @type {number} */ col) =>
    rows[Math.floor(row / 3) * 3 + Math.floor(col / 3)]?.[(row % 3) * 3 + (col % 3)] ?? ".";
  return rows.map((_, row) => Array.from({ length: 9 }, (_cell, col) => at(row, col)).join(""));
}

/**
 * @param {string} mark
 * @param {number} x
 * @param {number} y
 */
function drawnMark(mark, x, y) {
  if (mark === "X") return svg("path", { class: "mark", "data-mark": "X", d: `M${x + 5} ${y + 5}l10 10m0 -10l-10 10` });
  if (mark === "O") return svg("circle", { class: "mark", "data-mark": "O", cx: x + 10, cy: y + 10, r: 5.5 });
  return "";
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} step
 */
function lattice(width, height, step) {
  const lines = [];
  for (let x = 0; x <= width; x += step) lines.push(`M${x} 0v${height}`);
  for (let y = 0; y <= height; y += step) lines.push(`M0 ${y}h${width}`);
  return lines.join("");
}
