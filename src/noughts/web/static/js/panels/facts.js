// Facts about the position on the board: how many positions games from here reach, up to symmetry, and its symmetric images.

import { button, h } from "../dom/dom.js";
import { smallBoard } from "../dom/pictures.js";
import { breakable, written } from "../dom/text.js";
import { problemOf } from "../server/api.js";

/** @typedef {import("../state/game.js").View} View */

/** A symmetric image of a position.
 * @typedef {{symmetry: string, position: string}} Image */

const PAUSE = 250; // milliseconds on a position before anything is asked: some only step through
const SMALL = 16; // cells of a grid whose positions are counted without being asked for
const KNOWN_ANSWERS = 200;

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
 * Return the facts, {element, show(view, isFixed), hide()}.
 * @param {import("../server/api.js").Api} api
 * @param {(position: string) => void} open called with a symmetric image that was chosen
 */
export function makeFacts(api, open) {
  /** @type {Map<string, any>} answers by what was asked */
  const known = new Map();
  let abort = new AbortController();
  /** @type {string | null} */
  let shown = null;

  const positions = h("section", {});
  const images = h("section", {});
  const element = h("div", { class: "facts" }, positions, images);

  /**
   * Show the facts of a view's position; what was asked about another one is given up. Those of the position before stay
   * until there are others, so that nothing jumps.
   * @param {View} view
   * @param {boolean} isFixed whether no other position can be opened now
   */
  async function show(view, isFixed) {
    const key = `${view.position} ${isFixed}`;
    if (shown === key) return;
    hide();
    shown = key;
    abort = new AbortController();
    const { signal } = abort;
    if (known.size > KNOWN_ANSWERS) known.clear();
    for (const section of [positions, images]) section.ariaBusy = "true";
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (signal.aborted) return;
    await Promise.all([considerPositions(view, signal), showImages(view, isFixed, signal)]);
  }

  /** Ask for nothing any more. */
  function hide() {
    abort.abort();
    shown = null;
  }

  // -- counts ---------------------------------------------------------------------------------------------

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
    const total = await count(view.position, signal, (words) => fill(positions, title, words));
    if (total === null) return;
    const which = view.cells.every(({ mark }) => mark === ".")
      ? " up to symmetry, the empty board and finished ones among them."
      : " up to symmetry that games from here reach.";
    fill(positions, title, h("p", {}, bigNumber(total), which));
  }

  /**
   * Return the number of positions up to symmetry, or null if there is none.
   * @param {string} game
   * @param {AbortSignal} signal
   * @param {(words: Node) => void} say gets how far it is, or why there is none
   * @returns {Promise<string | null>}
   */
  async function count(game, signal, say) {
    const body = { game, of: "positions", up_to_symmetry: true };
    const onProgress = (/** @type {{share: number}} */ done) =>
      say(about(`Counting… ${Math.floor(100 * done.share)} %`));
    const slow = setTimeout(() => signal.aborted || say(about("Counting…")), PAUSE);
    try {
      const send = () => api.stream("count", body, { signal, onProgress });
      return (await once("count", body, () => api.retrying(send, { signal }))).total;
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

/** @param {string} text */
function about(text) {
  return h("p", { class: "about" }, text);
}

/** @param {string} number */
function bigNumber(number) {
  return h("strong", { class: "number" }, ...breakable(written(number)));
}
