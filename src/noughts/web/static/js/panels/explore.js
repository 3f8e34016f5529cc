// The panel "Explore": try moves, go through all games by number, see a position's images, and set up any board. Its parts
// are loaded when it is opened for the first time, or when the address needs them: most people come to play.

import { button, h } from "../dom/dom.js";

/** @typedef {Awaited<ReturnType<typeof load>>} Parts */
/** @typedef {import("../state/game.js").View} View */
/** @typedef {"moves" | "games" | "positions"} Page */

const NOT_IN_A_ROOM = "The board belongs to a game with a friend. Leave it to explore others.";

/** @type {[Page, string][]} */
const PAGES = [
  ["moves", "Moves"],
  ["games", "Games"],
  ["positions", "Positions"],
];

/**
 * Return the panel.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @returns {import("./tabs.js").Panel}
 */
export function explorePanel(session, api) {
  let isOpen = false;
  /** @type {Promise<Parts> | null} */
  let loading = null;
  /** @type {Parts | null} */
  let parts = null;
  /** @type {Page} */
  let page = PAGES[0][0];
  const element = h("div", { class: "explore" });

  const pills = PAGES.map(([name, title]) => {
    const turn = () => {
      page = name;
      draw();
    };
    const input = h("input", { type: "radio", name: "explore", value: name, onchange: turn });
    return { name, input, label: h("label", { class: "pill" }, input, h("span", {}, title)) };
  });
  const pages = h("fieldset", { class: "pills" }, h("legend", { class: "unseen" }, "Explore"));
  pages.append(...pills.map(({ label }) => label));
  const begin = button("Set up", () => parts?.editor.begin(), { "aria-label": "Set up a board" });
  const top = h("div", { class: "row spread top-row" }, pages, begin);
  const note = h("p", { class: "about" }, NOT_IN_A_ROOM);

  /** Load the parts; return whether they are there. */
  async function ready() {
    loading ??= load(session, api, { draw, focus: () => begin.focus() });
    try {
      parts = await loading;
    } catch {
      loading = null;
      session.say({ message: "Explore could not be loaded.", retry: () => location.reload() });
      return false;
    }
    if (!element.firstChild) {
      const { editor, explorer, facts, listing } = parts;
      element.append(top, note, editor.element, explorer.element, listing.element, facts.element);
    }
    return true;
  }

  async function open() {
    isOpen = true;
    if (await ready()) draw();
  }

  /** Show what there is to see now; of a board that is being set up only the verdict. */
  function draw() {
    const { viewOrNull: view, mode, isPending } = session;
    if (!view || !parts) return;
    const { editor, explorer, exploring, facts, listing } = parts;
    const isGrid = view.kind === "grid";
    const isInRoom = mode !== null && !editor.isOpen && !exploring.isOn;
    const shown = isInRoom || !isGrid ? "positions" : page;
    for (const { name, input } of pills) input.checked = name === shown;
    editor.element.hidden = !editor.isOpen;
    top.hidden = editor.isOpen || isInRoom;
    pages.hidden = !isGrid;
    begin.hidden = !isGrid;
    note.hidden = !isInRoom;
    /** @type {Record<Page, {element: HTMLElement, show: (view: View, isFixed: boolean) => unknown, hide: () => void}>} */
    const all = { moves: explorer, games: listing, positions: facts };
    for (const [name, each] of Object.entries(all)) {
      const isHere = isOpen && !editor.isOpen && name === shown;
      each.element.hidden = editor.isOpen || name !== shown;
      if (!isHere) each.hide();
      else if (!isPending) keepPlace(() => each.show(view, isInRoom));
    }
  }

  /**
   * Change what is below without moving what is seen: the panel does not become shorter than what one has scrolled to.
   * @param {() => unknown} change
   */
  function keepPlace(change) {
    const { top, bottom } = element.getBoundingClientRect();
    const below = document.documentElement.scrollHeight - window.scrollY - bottom;
    const needed = window.scrollY > 0 ? window.innerHeight - top - below : 0;
    element.style.minHeight = `${Math.max(0, needed)}px`;
    change();
  }

  function close() {
    isOpen = false;
    if (parts?.editor.isOpen) session.leave();
    draw();
  }

  async function follow() {
    if (!parts && !session.extras.explore) return;
    if (await ready()) parts?.exploring.follow();
  }

  session.on(["view"], draw);
  session.on(["extras"], follow);
  return { name: "explore", title: "Explore", element, shown: open, hidden: close };
}

/**
 * Load and make what the panel consists of.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {{draw: () => void, focus: () => void}} panel
 */
async function load(session, api, { draw, focus }) {
  const [{ makeEditor }, { makeExplorer }, { makeExploring }, { makeFacts }, { makeListing }] = await Promise.all([
    import("./editor.js"),
    import("./explorer.js"),
    import("./exploring.js"),
    import("./facts.js"),
    import("./listing.js"),
  ]);
  const exploring = makeExploring(session);
  return {
    editor: makeEditor(session, api, { onChange: draw, onCancel: focus }),
    explorer: makeExplorer(session, api, exploring),
    exploring,
    facts: makeFacts(api, (position) => exploring.open(position)),
    listing: makeListing(session, api, exploring),
  };
}
