// Facts about the position on the board: how many games there are from here and how they end, how many
// positions up to symmetry, and what the position looks like turned and mirrored.

import { barChart } from "./chart.js";
import { h, markIcon } from "./dom.js";
import { breakable, ratio, share, written } from "./numbers.js";
import { smallBoard } from "./smallboard.js";

const PAUSE = 250; // milliseconds on a position before anything is asked: some only step through
const SMALL = 16; // cells of a grid whose positions are counted without being asked for
const REMEMBERED = 200;

const OUTCOMES = [
  ["x_wins", "X wins", "X"],
  ["o_wins", "O wins", "O"],
  ["draws", "Draws", null],
];

const SYMMETRIES = {
  identity: "as it is",
  rotate_90: "turned a quarter",
  rotate_180: "turned by half",
  rotate_270: "turned three quarters",
  mirror_left_right: "left and right swapped",
  mirror_top_bottom: "top and bottom swapped",
  transpose: "mirrored at a diagonal",
  antitranspose: "mirrored at the other diagonal",
};

/** Return the facts, {element, show(view), hide()}; `open(position)` is called for a twin that was chosen. */
export function makeFacts(api, open) {
  const known = new Map(); // answers by question
  let abort = new AbortController();
  let shown = null;

  const games = h("section", {});
  const positions = h("section", {});
  const twins = h("section", {});
  const element = h("div", { class: "facts" }, games, positions, twins);

  /** Show the facts of a view's position; what was asked about another one is given up. */
  async function show(view, { isFixed = false } = {}) {
    const key = `${view.position} ${isFixed}`;
    if (shown === key) return;
    hide();
    shown = key;
    const { signal } = (abort = new AbortController());
    if (known.size > REMEMBERED) known.clear();
    games.replaceChildren(h("h3", {}, "Games from here"), h("p", { class: "about" }, "Counting…"));
    positions.replaceChildren();
    twins.replaceChildren();
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    await Promise.all([showCounts(view, signal), showTwins(view, isFixed, signal)]);
  }

  /** Ask for nothing any more. */
  function hide() {
    abort.abort();
    shown = null;
  }

  // -- counts -------------------------------------------------------------------------------------------

  async function showCounts(view, signal) {
    const isStart = view.cells.every(({ mark }) => mark === ".");
    const found = await counted(view.position, "games", signal, (words) =>
      games.replaceChildren(h("h3", {}, "Games from here"), words),
    );
    if (!found) return;
    const whole = isStart ? found : await counted(view.name, "games", signal);
    if (signal.aborted) return;
    games.replaceChildren(...gamesOf(view, found, whole));
    const ask = () => showPositions(view, isStart, signal);
    if (view.cells.length <= SMALL) await ask();
    else
      positions.replaceChildren(
        h("h3", {}, "Positions"),
        h("button", { type: "button", class: "button", onclick: ask }, "Count the positions"),
      );
  }

  async function showPositions(view, isStart, signal) {
    const title = h("h3", {}, "Positions");
    const found = await counted(view.position, "positions", signal, (words) => positions.replaceChildren(title, words));
    if (!found) return;
    const total = BigInt(found.total);
    positions.replaceChildren(
      title,
      h(
        "p",
        {},
        h("strong", { class: "number" }, ...breakable(written(total))),
        isStart
          ? " up to symmetry, the empty board and finished ones among them."
          : " up to symmetry that games from here reach.",
      ),
    );
  }

  /** Return counts, or null if there are none, of which `say(words)` is told. */
  async function counted(game, of, signal, say = () => {}) {
    const body = { game, of, up_to_symmetry: of === "positions" };
    const onProgress = ({ share: part }) => say(h("p", { class: "about" }, `Counting… ${Math.floor(100 * part)} %`));
    try {
      say(h("p", { class: "about" }, "Counting…"));
      return await remembered("count", body, () =>
        api.patiently(() => api.stream("count", body, { signal, onProgress }), signal),
      );
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof api.Problem)) throw error;
      say(h("p", { class: "about" }, `Not counted: ${error.message}.`));
      return null;
    }
  }

  async function remembered(path, body, ask) {
    const key = `${path} ${JSON.stringify(body)}`;
    if (!known.has(key)) known.set(key, await ask());
    return known.get(key);
  }

  // -- twins --------------------------------------------------------------------------------------------

  async function showTwins(view, isFixed, signal) {
    try {
      const body = { game: view.position };
      const found = await remembered("twins", body, () => api.post("twins", body, { signal }));
      if (!signal.aborted) twins.replaceChildren(...twinsOf(found, isFixed));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof api.Problem)) throw error;
      twins.replaceChildren(h("h3", {}, "Symmetric twins"), h("p", { class: "about" }, error.message));
    }
  }

  function twinsOf({ position, canonical, twins: all }, isFixed) {
    const different = all.filter((twin, index) => all.findIndex((other) => other.position === twin.position) === index);
    const entry = (twin) => {
      const words = [
        SYMMETRIES[twin.symmetry] ?? twin.symmetry,
        twin.position === canonical ? "stands for all of them" : "",
      ]
        .filter(Boolean)
        .join(", ");
      const picture = smallBoard(twin.position, words);
      const isHere = twin.position === position;
      return h(
        "li",
        { "data-canonical": String(twin.position === canonical) },
        isFixed || isHere
          ? h("span", { class: "twin", "aria-current": isHere ? "true" : null, title: words }, picture)
          : h(
              "button",
              {
                type: "button",
                class: "twin",
                "aria-label": `Open the twin ${words}`,
                title: words,
                onclick: () => open(twin.position),
              },
              picture,
            ),
      );
    };
    const words =
      different.length === 1
        ? "Turning and mirroring change nothing here."
        : `${different.length} positions that are the same, turned or mirrored. The dotted one stands for all of them.`;
    return [
      h("h3", {}, "Symmetric twins"),
      h("p", { class: "about" }, words),
      h("ul", { class: "twins" }, ...different.map(entry)),
    ];
  }

  return { element, show, hide };
}

/** Return the number of games, how they end, and how long they are. */
function gamesOf(view, found, whole) {
  const total = BigInt(found.total);
  const rows = Object.entries(found.by_length).map(([length, count]) => [length, BigInt(count)]);
  rows.sort(([one], [other]) => one - other);
  const bar = h("div", { class: "outcome-bar", "aria-hidden": "true" });
  const lines = OUTCOMES.map(([name, label, mark]) => {
    const count = BigInt(found[name]);
    const part = h("span", { "data-outcome": name });
    part.style.flexGrow = String(ratio(count, total));
    if (count > 0n) bar.append(part);
    return h(
      "tr",
      { "data-outcome": name },
      h("th", { scope: "row" }, h("span", {}, mark ? markIcon(mark) : h("i", { class: "swatch" }), label)),
      h("td", {}, ...breakable(written(count))),
      h("td", {}, share(count, total)),
    );
  });
  const parts = [
    h("h3", {}, "Games from here"),
    h("p", {}, h("strong", { class: "number" }, ...breakable(written(total))), total === 1n ? " game" : " games"),
    whole && whole !== found
      ? h("p", { class: "about" }, ...breakable(`of all ${written(whole.total)} games of ${view.name}`))
      : null,
    bar,
    h("table", { class: "outcomes" }, h("caption", { class: "unseen" }, "Games by outcome"), h("tbody", {}, ...lines)),
  ];
  if (!view.outcome)
    parts.push(
      barChart({ caption: "By how many moves there are still to come", head: ["Moves", "Games"], rows, total }),
    );
  return parts.filter((part) => part !== null);
}
