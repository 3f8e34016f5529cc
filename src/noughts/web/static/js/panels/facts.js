// Facts about the position on the board: how many games there are from here and how they end, how many
// positions up to symmetry, and its symmetric images.

import { button, h, markIcon } from "../dom/dom.js";
import { barChart, smallBoard } from "../dom/pictures.js";
import { breakable, ratio, share, written } from "../dom/text.js";
import { problemOf } from "../server/api.js";

/** @typedef {import("../state/game.js").View} View */

/** Counts as the server answers them.
 * @typedef {{total: string, x_wins: string, o_wins: string, draws: string, by_length: Record<string, string>}} Counts */

/** A symmetric image of a position.
 * @typedef {{symmetry: string, position: string}} Image */

const PAUSE = 250; // milliseconds on a position before anything is asked: some only step through
const SMALL = 16; // cells of a grid whose positions are counted without being asked for
const KNOWN_ANSWERS = 200;

/** @type {["x_wins" | "o_wins" | "draws", string, string | null][]} */
const OUTCOMES = [
  ["x_wins", "X wins", "X"],
  ["o_wins", "O wins", "O"],
  ["draws", "Draws", null],
];

/** @type {Record<string, string>} */
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

/**
 * Return the facts, {element, show(view, page, isFixed), hide()}.
 * @param {import("../server/api.js").Api} api
 * @param {(position: string) => void} open called with a symmetric image that was chosen
 */
export function makeFacts(api, open) {
  /** @type {Map<string, any>} answers by what was asked */
  const known = new Map();
  let abort = new AbortController();
  /** @type {string | null} */
  let shown = null;

  const games = h("section", {});
  const positions = h("section", {});
  const images = h("section", {});
  const element = h("div", { class: "facts" }, games, positions, images);

  /**
   * Show the facts of a view's position; what was asked about another one is given up. Those of the position before stay
   * until there are others, so that nothing jumps.
   * @param {View} view
   * @param {"games" | "positions"} page which of them
   * @param {boolean} isFixed whether no other position can be opened now
   */
  async function show(view, page, isFixed) {
    const key = `${view.position} ${page} ${isFixed}`;
    if (shown === key) return;
    hide();
    shown = key;
    abort = new AbortController();
    const { signal } = abort;
    if (known.size > KNOWN_ANSWERS) known.clear();
    games.hidden = page !== "games";
    positions.hidden = images.hidden = page === "games";
    for (const section of [games, positions, images]) section.ariaBusy = "true";
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    if (page === "games") await showGames(view, signal);
    else await Promise.all([considerPositions(view, signal), showImages(view, isFixed, signal)]);
  }

  /** Ask for nothing any more. */
  function hide() {
    abort.abort();
    shown = null;
  }

  // -- counts ---------------------------------------------------------------------------------------------

  /**
   * @param {View} view
   * @param {AbortSignal} signal
   */
  async function showGames(view, signal) {
    const say = (/** @type {Node} */ words) => fill(games, h("h3", {}, "Games from here"), words);
    const found = await count(view.position, "games", signal, say);
    if (!found) return;
    const whole = isStart(view) ? null : await count(view.name, "games", signal);
    if (!signal.aborted) fill(games, ...gamesOf(view, found, whole));
  }

  /**
   * Show how many positions there are where that takes a moment, and offer to count them elsewhere.
   * @param {View} view
   * @param {AbortSignal} signal
   */
  async function considerPositions(view, signal) {
    const ask = () => showPositions(view, signal);
    if (view.kind !== "grid") fill(positions);
    else if (view.cells.length <= SMALL) await ask();
    else fill(positions, h("h3", {}, "Positions"), button("Count the positions", ask));
  }

  /**
   * @param {View} view
   * @param {AbortSignal} signal
   */
  async function showPositions(view, signal) {
    const title = h("h3", {}, "Positions");
    const found = await count(view.position, "positions", signal, (words) => fill(positions, title, words));
    if (!found) return;
    const which = isStart(view)
      ? " up to symmetry, the empty board and finished ones among them."
      : " up to symmetry that games from here reach.";
    fill(positions, title, h("p", {}, bigNumber(found.total), which));
  }

  /**
   * Return counts, or null if there are none.
   * @param {string} game
   * @param {"games" | "positions"} of
   * @param {AbortSignal} signal
   * @param {(words: Node) => void} say gets how far it is, or why there are none
   * @returns {Promise<Counts | null>}
   */
  async function count(game, of, signal, say = () => {}) {
    const body = { game, of, up_to_symmetry: of === "positions" };
    const onProgress = (/** @type {{share: number}} */ done) =>
      say(about(`Counting… ${Math.floor(100 * done.share)} %`));
    const slow = setTimeout(() => signal.aborted || say(about("Counting…")), PAUSE);
    try {
      return await once("count", body, () =>
        api.retrying(() => api.stream("count", body, { signal, onProgress }), { signal }),
      );
    } catch (error) {
      if (signal.aborted) return null;
      say(about(`Not counted: ${problemOf(error).message}.`));
      return null;
    } finally {
      clearTimeout(slow);
    }
  }

  /**
   * Return the answer to a request, which is sent only once.
   * @param {string} path
   * @param {object} body
   * @param {() => Promise<any>} send
   */
  async function once(path, body, send) {
    const key = `${path} ${JSON.stringify(body)}`;
    try {
      if (!known.has(key)) known.set(key, await send());
    } catch (error) {
      if (problemOf(error).code === "limit") known.set(key, error); // it would be the same again
      throw error;
    }
    const answer = known.get(key);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  // -- symmetric images -----------------------------------------------------------------------------------

  /**
   * @param {View} view
   * @param {boolean} isFixed
   * @param {AbortSignal} signal
   */
  async function showImages(view, isFixed, signal) {
    const title = h("h3", {}, "Symmetric images");
    try {
      const body = { game: view.position };
      const found = await once("twins", body, () => api.post("twins", body, { signal }));
      if (!signal.aborted) fill(images, title, ...imagesOf(found, isFixed));
    } catch (error) {
      if (signal.aborted) return;
      fill(images, title, about(problemOf(error).message));
    }
  }

  /**
   * @param {{position: string, canonical: string, twins: Image[]}} found
   * @param {boolean} isFixed
   */
  function imagesOf({ position, canonical, twins: all }, isFixed) {
    const positions = all.map((image) => image.position);
    const different = all.filter((image, index) => positions.indexOf(image.position) === index);
    const entry = (/** @type {Image} */ image) => {
      const isCanonical = image.position === canonical;
      const isHere = image.position === position;
      const title = `${SYMMETRIES[image.symmetry] ?? image.symmetry}${isCanonical ? ", the canonical form" : ""}`;
      const picture = smallBoard(image.position, title);
      const choose = { type: "button", "aria-label": `Open the image ${title}`, onclick: () => open(image.position) };
      return h(
        "li",
        { "data-canonical": String(isCanonical) },
        isFixed || isHere
          ? h("span", { class: "image", "aria-current": isHere ? "true" : null, title }, picture)
          : h("button", { class: "image", title, ...choose }, picture),
      );
    };
    const words =
      different.length === 1
        ? "Turning and mirroring change nothing here."
        : `${different.length} positions that are the same, turned or mirrored. The dotted one is the canonical form.`;
    return [about(words), h("ul", { class: "images" }, ...different.map(entry))];
  }

  return { element, show, hide };
}

/**
 * Replace what is in a section, which is about the position on the board then.
 * @param {HTMLElement} section
 * @param {Node[]} nodes
 */
function fill(section, ...nodes) {
  section.replaceChildren(...nodes);
  section.ariaBusy = "false";
}

/** @param {View} view */
function isStart({ cells }) {
  return cells.every(({ mark }) => mark === ".");
}

/**
 * Return the number of games, how they end, and how long they are.
 * @param {View} view
 * @param {Counts} found
 * @param {Counts | null} whole the counts from the empty board, if that is another position
 */
function gamesOf(view, found, whole) {
  const total = BigInt(found.total);
  const bar = h("div", { class: "outcome-bar", "aria-hidden": "true" });
  const lines = OUTCOMES.map(([name, label, mark]) => {
    const count = BigInt(found[name]);
    const part = h("span", { "data-outcome": name });
    part.style.flexGrow = String(ratio(count, total));
    if (count > 0n) bar.append(part);
    const sign = mark ? markIcon(mark) : h("i", { class: "swatch" });
    const head = h("th", { scope: "row" }, h("span", {}, sign, label));
    return h(
      "tr",
      { "data-outcome": name },
      head,
      h("td", {}, ...breakable(written(count))),
      h("td", {}, share(count, total)),
    );
  });
  /** @type {Node[]} */
  const parts = [h("h3", {}, "Games from here"), h("p", {}, bigNumber(found.total), total === 1n ? " game" : " games")];
  if (whole)
    parts.push(h("p", { class: "about" }, ...breakable(`of all ${written(whole.total)} games of ${view.name}`)));
  parts.push(
    bar,
    h("table", { class: "outcomes" }, h("caption", { class: "unseen" }, "Games by outcome"), h("tbody", {}, ...lines)),
  );
  if (!view.outcome) {
    /** @type {[string, bigint][]} */
    const rows = Object.entries(found.by_length).map(([length, count]) => [length, BigInt(count)]);
    rows.sort(([one], [other]) => Number(one) - Number(other));
    parts.push(barChart({ caption: "Moves left to the end", head: ["Moves", "Games"], rows, total }));
  }
  return parts;
}

/** @param {string} text */
function about(text) {
  return h("p", { class: "about" }, text);
}

/** @param {string} number */
function bigNumber(number) {
  return h("strong", { class: "number" }, ...breakable(written(number)));
}
