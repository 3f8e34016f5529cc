// The panel "Explore": set up any board, see facts about the one that is there, and go through all games by number.

import { h } from "./dom.js";
import { makeEditor } from "./editor.js";
import { makeFacts } from "./facts.js";
import { makeListing } from "./listing.js";

/** Return the panel. */
export function explorePanel(session, api) {
  let isOpen = false;
  const editor = makeEditor(session, api, { onChange: draw, onCancel: () => begin.focus() });
  const facts = makeFacts(api, (position) => session.goTo(position));
  const listing = makeListing(session, api);
  const begin = h("button", { type: "button", class: "button", onclick: editor.begin }, "Set up a board");
  const first = h("div", { class: "row" }, begin);
  const note = h("p", { class: "about" });
  const element = h("div", { class: "explore" }, first, note, editor.element, facts.element, listing.element);

  /** Show what there is to see now; of a board that is being set up only the verdict. */
  function draw() {
    const { view, guest } = session;
    if (!view) return;
    const isGrid = view.kind === "grid";
    const isElsewhere = guest !== null && !editor.isOpen; // a game by link has the board
    editor.element.hidden = !editor.isOpen;
    first.hidden = editor.isOpen || isElsewhere || !isGrid;
    facts.element.hidden = editor.isOpen;
    listing.element.hidden = editor.isOpen || isElsewhere || !isGrid;
    note.hidden = !first.hidden || editor.isOpen;
    note.textContent = isElsewhere
      ? "The board belongs to a game by link. Leave it to set up boards and to go through games."
      : "Boards are set up, and games are numbered, on grids. A position of Ultimate can be pasted as text.";
    if (isOpen && !editor.isOpen && !session.isPending) facts.show(view, { isFixed: isElsewhere });
    else facts.hide();
    if (isGrid && !guest) listing.follow(view);
  }

  session.onChange((what) => {
    if (what === "game" || what === "players") draw();
  });

  return {
    name: "explore",
    title: "Explore",
    element,
    shown() {
      isOpen = true;
      draw();
    },
    hidden() {
      isOpen = false;
      if (editor.isOpen) session.dismiss();
      facts.hide();
    },
  };
}
