// The panel "Game": which game to play, and what the levels do. A preset or a form starts it; the one before is an
// entry of the browser's history, so nothing is lost.

import { h } from "./dom.js";
import { levelsOf } from "./players.js";
import { capital } from "./words.js";

const GRIDS = [
  { start: "3x3x3", title: "3 × 3", about: "three in a row" },
  { start: "4x4x3", title: "4 × 4", about: "three in a row" },
  { start: "5x5x4", title: "5 × 5", about: "four in a row" },
  { start: "15x15x5", title: "15 × 15", about: "five in a row" },
];

const VARIANTS = {
  ultimate: { title: "Ultimate", about: "nine boards in one" },
  "ultimate-open": { title: "Open", about: "captured boards stay playable" },
  "ultimate-most-boards": { title: "Most boards", about: "without a line, more boards win" },
  "ultimate-open-most-boards": { title: "Both", about: "open, and most boards" },
};

const LARGEST = 30; // what the form offers; larger boards may be pasted

/** Return the panel in which a game is chosen. */
export function gamePanel(session, _api, { version }) {
  const choice = ({ start, title, about }) =>
    h(
      "button",
      { type: "button", class: "choice", "data-start": start, onclick: () => session.newGame(start) },
      h("strong", {}, title),
      h("span", {}, about),
    );
  const names = version?.variants ?? ["ultimate"];
  const variants = names.map((start) => ({ start, title: start, about: "", ...VARIANTS[start] }));
  const choices = [...GRIDS, ...variants].map(choice);

  const [rows, cols, k] = [
    ["Rows", 6],
    ["Columns", 7],
    ["In a row", 4],
  ].map(([label, value]) => {
    const input = h("input", { type: "number", min: 1, max: LARGEST, value, required: true, inputmode: "numeric" });
    return { input, field: h("label", { class: "field" }, h("span", {}, label), input) };
  });
  const form = h(
    "form",
    { class: "custom", onsubmit: begin },
    rows.field,
    cols.field,
    k.field,
    h("button", { class: "button" }, "Play"),
  );

  function begin(event) {
    event.preventDefault();
    session.newGame([rows, cols, k].map(({ input }) => Number.parseInt(input.value, 10)).join("x"));
  }

  const levels = h("dl", { class: "levels" });
  let kind = null;

  session.onChange((what) => {
    if (what !== "game") return;
    if (kind !== session.view.kind) {
      kind = session.view.kind;
      const entry = ({ name, about }) => [h("dt", {}, capital(name)), h("dd", {}, about)];
      levels.replaceChildren(...levelsOf(version, kind).flatMap(entry));
    }
    const { start, ...view } = session.view;
    const isChosen = (button) => button.dataset.start === start;
    for (const button of choices) button.setAttribute("aria-pressed", String(isChosen(button)));
    // What is none of the choices was chosen by the form, or might be the next time.
    if (view.kind !== "grid" || choices.some(isChosen)) return;
    [rows.input.value, cols.input.value, k.input.value] = [view.rows, view.cols, view.k];
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
