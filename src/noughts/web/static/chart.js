// Counts as a drawing for those who see it and as a table for everybody.

import { h, svg } from "./dom.js";
import { breakable, ratio, share, written } from "./numbers.js";

const WIDTH = 340;
const HEIGHT = 110;
const FOOT = 18; // for the labels below the bars
const MOST_LABELS = 16;

/**
 * Return a figure of counts by a small number, {caption, unit, rows: [[label, count], ...], total}. The drawing tells
 * the tallest bar in words; the table, which is folded up, tells all.
 */
export function barChart({ caption, head, rows, total }) {
  // biome-ignore lint/complexity/useMathMinMax: these are BigInts
  const top = rows.reduce((most, [, count]) => (most < count ? count : most), 0n);
  const [tallest, most] = rows.find(([, count]) => count === top);
  const step = WIDTH / rows.length;
  const every = Math.ceil(rows.length / MOST_LABELS);
  const bars = rows.flatMap(([label, count], index) => {
    const height = Math.max(count > 0n ? 1.5 : 0, ratio(count, top) * HEIGHT);
    const width = Math.min(step * 0.75, 36);
    const middle = (index + 0.5) * step;
    const bar = svg(
      "rect",
      {
        class: "column",
        "data-tallest": String(count === top),
        x: middle - width / 2,
        y: HEIGHT - height,
        width,
        height,
        rx: Math.min(3, width / 4),
      },
      svg("title", {}, `${label} ${head[0].toLowerCase()}: ${written(count)}, ${share(count, total)}`),
    );
    const isLabelled = (rows.length - 1 - index) % every === 0;
    return [
      bar,
      isLabelled ? svg("text", { class: "tick", x: middle, y: HEIGHT + FOOT - 4, "text-anchor": "middle" }, label) : "",
    ];
  });
  const about = `${caption}. Most have ${tallest}: ${written(most)}, ${share(most, total)}.`;
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
    h(
      "details",
      {},
      h("summary", {}, "As a table"),
      table(
        caption,
        [...head, "Share"],
        rows.map(([label, count]) => [label, written(count), share(count, total)]),
      ),
    ),
  );
}

/** Return a table whose first column names the rows. */
export function table(caption, head, rows) {
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h(
      "tbody",
      {},
      ...rows.map(([first, ...others]) =>
        h("tr", {}, h("th", { scope: "row" }, first), ...others.map((text) => h("td", {}, ...breakable(text)))),
      ),
    ),
  );
}
