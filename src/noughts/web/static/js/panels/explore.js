// The panel "Explore": set up any board, see facts about the one that is there, and go through all games by number.
// Its parts are loaded when it is opened for the first time: most people come to play.

import { button, h } from "../dom/dom.js";

/** @typedef {Awaited<ReturnType<typeof load>>} Parts */

const NOT_IN_A_ROOM = "The board belongs to a game by link. Leave it to set up boards and to go through games.";
const ONLY_ON_GRIDS =
  "Boards are set up, and games are numbered, on grids. A position of Ultimate can be pasted as text.";

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
  const element = h("div", { class: "explore" });

  async function open() {
    isOpen = true;
    loading ??= load(session, api, draw);
    try {
      parts = await loading;
    } catch {
      session.say({ message: "Explore could not be loaded.", retry: () => location.reload() });
      return;
    }
    const { first, note, editor, facts, listing } = parts;
    if (!element.firstChild) element.append(first, note, editor.element, facts.element, listing.element);
    draw();
  }

  /** Show what there is to see now; of a board that is being set up only the verdict. */
  function draw() {
    const { viewOrNull: view, mode, isPending } = session;
    if (!view || !parts) return;
    const { first, note, editor, facts, listing } = parts;
    const isGrid = view.kind === "grid";
    const isInRoom = mode !== null && !editor.isOpen;
    editor.element.hidden = !editor.isOpen;
    first.hidden = editor.isOpen || isInRoom || !isGrid;
    facts.element.hidden = editor.isOpen;
    listing.element.hidden = editor.isOpen || isInRoom || !isGrid;
    note.hidden = !first.hidden || editor.isOpen;
    note.textContent = isInRoom ? NOT_IN_A_ROOM : ONLY_ON_GRIDS;
    if (isOpen && !editor.isOpen && !isPending) facts.show(view, isInRoom);
    else facts.hide();
    if (isGrid && !mode) listing.follow(view);
  }

  function close() {
    isOpen = false;
    if (parts?.editor.isOpen) session.leave();
    parts?.facts.hide();
  }

  session.on(["view"], draw);
  return { name: "explore", title: "Explore", element, shown: open, hidden: close };
}

/**
 * Load and make what the panel consists of.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {() => void} onChange called when the editor opens and closes
 */
async function load(session, api, onChange) {
  const [{ makeEditor }, { makeFacts }, { makeListing }] = await Promise.all([
    import("./editor.js"),
    import("./facts.js"),
    import("./listing.js"),
  ]);
  const editor = makeEditor(session, api, { onChange, onCancel: () => begin.focus() });
  const begin = button("Set up a board", editor.begin);
  return {
    first: h("div", { class: "row" }, begin),
    note: h("p", { class: "about" }),
    editor,
    facts: makeFacts(api, (position) => session.goTo(position)),
    listing: makeListing(session, api),
  };
}
