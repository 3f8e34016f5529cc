// The panel "Game": which game to play, and what the levels do. A preset or a form starts it; the one before is an
// entry of the browser's history, so nothing is lost.

import { h } from "../dom/dom.js";
import { capital } from "../dom/text.js";

const GRIDS = [
  { start: "3x3x3", title: "3 × 3", about: "three in a row" },
  { start: "4x4x3", title: "4 × 4", about: "three in a row" },
  { start: "5x5x4", title: "5 × 5", about: "four in a row" },
  { start: "15x15x5", title: "15 × 15", about: "five in a row" },
];

/** @type {Record<string, {title: string, about: string}>} */
const VARIANTS = {
  ultimate: { title: "Ultimate", about: "nine boards in one" },
  "ultimate-open": { title: "Open", about: "captured boards stay playable" },
  "ultimate-most-boards": { title: "Most boards", about: "without a line, more boards win" },
  "ultimate-open-most-boards": { title: "Both", about: "open, and most boards" },
};

const LARGEST = 30; // what the form offers; larger boards may be pasted

/**
 * Return the panel in which a game is chosen.
 * @param {import("../state/session.js").Session} session
 * @returns {import("./tabs.js").Panel}
 */
export function gamePanel(session) {
  /** @param {{start: string, title: string, about: string}} game */
  const choice = ({ start, title, about }) =>
    h(
      "button",
      { type: "button", class: "choice", "data-start": start, onclick: () => session.newGame(start) },
      h("strong", {}, title),
      h("span", {}, about),
    );
  const names = session.version?.variants ?? ["ultimate"];
  const variants = names.map((start) => ({ start, ...(VARIANTS[start] ?? { title: start, about: "" }) }));
  const choices = [...GRIDS, ...variants].map(choice);

  const number = (/** @type {number} */ value) =>
    h("input", { type: "number", min: 1, max: LARGEST, value, required: true, inputmode: "numeric" });
  const [rows, cols, k] = [number(6), number(7), number(4)];
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
    h("label", { class: "field" }, h("span", {}, label), input);
  const form = h(
    "form",
    { class: "custom", onsubmit: begin },
    field("Rows", rows),
    field("Columns", cols),
    field("In a row", k),
    h("button", { class: "button" }, "Play"),
  );

  /** @param {SubmitEvent} event */
  function begin(event) {
    event.preventDefault();
    session.newGame([rows, cols, k].map(({ value }) => Number.parseInt(value, 10)).join("x"));
  }

  const levels = h("dl", { class: "levels" });
  let kind = "";

  session.on(["view"], () => {
    const { view } = session;
    if (kind !== view.kind) {
      kind = view.kind;
      const entries = session.levelsOf(kind).map(({ name, about }) => [h("dt", {}, capital(name)), h("dd", {}, about)]);
      levels.replaceChildren(...entries.flat());
    }
    const isChosen = (/** @type {HTMLElement} */ button) => button.dataset.start === view.start;
    for (const button of choices) button.setAttribute("aria-pressed", String(isChosen(button)));
    // A grid that is not among the choices was chosen by the form, or might be the next time.
    if (view.kind !== "grid" || choices.some(isChosen)) return;
    [rows.value, cols.value, k.value] = [view.rows, view.cols, view.k].map(String);
  });

  const element = h(
    "div",
    {},
    h("h3", {}, "Grids"),
    h("div", { class: "choices" }, ...choices.slice(0, GRIDS.length)),
    form,
    h("h3", {}, "Ultimate"),
    h("div", { class: "choices" }, ...choices.slice(GRIDS.length)),
    h("h3", {}, "Levels of the computer"),
    levels,
  );
  return { name: "game", title: "Game", element };
}
