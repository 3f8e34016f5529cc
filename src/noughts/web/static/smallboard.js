// A position as a picture of a few marks, for lists of positions.

import { svg } from "./dom.js";

const CELL = 20;

/** Return a picture of a position in text form; `label` says what it is. */
export function smallBoard(position, label) {
  const rows = rowsOf(position);
  const [height, width] = [rows.length * CELL, rows[0].length * CELL];
  const marks = rows.flatMap((row, y) => [...row].map((mark, x) => drawMark(mark, x * CELL, y * CELL)));
  const every = rows.length === 9 && position.startsWith("ultimate") ? 3 : 1;
  return svg(
    "svg",
    { class: "small-board", viewBox: `-1 -1 ${width + 2} ${height + 2}`, role: "img", "aria-label": label },
    svg("path", { class: "lattice", d: lattice(width, height, CELL) }),
    every > 1 ? svg("path", { class: "lattice thick", d: lattice(width, height, every * CELL) }) : "",
    ...marks,
  );
}

/** Return the rows of a position as they are drawn. Texts of Ultimate have a board where others have a row. */
function rowsOf(position) {
  const parts = position.split(/[:;]/);
  const rows = parts[parts.length - 1].split("/");
  if (!position.startsWith("ultimate")) return rows;
  const at = (row, col) => rows[Math.floor(row / 3) * 3 + Math.floor(col / 3)][(row % 3) * 3 + (col % 3)];
  return rows.map((_, row) => Array.from({ length: 9 }, (__, col) => at(row, col)).join(""));
}

function drawMark(mark, x, y) {
  if (mark === "X") return svg("path", { class: "mark", "data-mark": "X", d: `M${x + 5} ${y + 5}l10 10m0 -10l-10 10` });
  if (mark === "O") return svg("circle", { class: "mark", "data-mark": "O", cx: x + 10, cy: y + 10, r: 5.5 });
  return "";
}

function lattice(width, height, step) {
  const lines = [];
  for (let x = 0; x <= width; x += step) lines.push(`M${x} 0v${height}`);
  for (let y = 0; y <= height; y += step) lines.push(`M0 ${y}h${width}`);
  return lines.join("");
}
