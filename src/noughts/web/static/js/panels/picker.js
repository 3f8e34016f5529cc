// The panel "Game": who you play, and which game. A tile or the form starts it; the game before is an entry of the browser's
// history, so nothing is lost. In a small window the same panel comes up as a sheet over the board (sheet.js).

import { button, h, markIcon } from "../dom/dom.js";
import { smallBoard } from "../dom/pictures.js";
import { capital } from "../dom/text.js";
import { OTHER, SIDES } from "../state/game.js";
import { PERSON } from "../state/session.js";

/** @typedef {import("../state/game.js").Side} Side */

/** A game to choose, with a position of it to show.
 * @typedef {{start: string, title: string, about: string, picture: string}} Tile */

/** @type {Tile[]} */
const GRIDS = [
  { start: "3x3x3", title: "3 × 3", about: "three in a row", picture: "X.O/.X./O.X" },
  { start: "4x4x3", title: "4 × 4", about: "three in a row", picture: "O.../.XO./.XX./O..." },
  { start: "5x5x4", title: "5 × 5", about: "four in a row", picture: "O..../.X.../.OXO./..XX./....O" },
  { start: "6x6x4", title: "6 × 6", about: "four in a row", picture: "O...../.X..../.OXX../..XO../...O../......" },
  { start: "15x15x5", title: "15 × 15", about: "five in a row", picture: gomoku() },
];

/** @type {Record<string, Omit<Tile, "start">>} */
const VARIANTS = {
  ultimate: { title: "Ultimate", about: "nine boards in one", picture: ultimate() },
  "ultimate-open": { title: "Keep playing won boards", about: "they stay open", picture: "" },
  "ultimate-most-boards": { title: "Most boards wins", about: "if no line is made", picture: "" },
  "ultimate-open-most-boards": { title: "Both rules", about: "won boards stay open, most boards wins", picture: "" },
};

const LARGEST = 30; // what the form offers; larger boards may be pasted

/** How one may take part: as a side, as one that chance picks, or with both sides at one screen. */
const ROLES = ["X", "O", "random", "both"];

/**
 * Return the panel in which a game is chosen.
 * @param {import("../state/session.js").Session} session
 * @param {{open(): void, openOnce(): void}} howTo explains the game on the board
 * @returns {import("./tabs.js").Panel}
 */
export function gamePanel(session, howTo) {
  let isRandom = false; // whether chance picks the side of each new game
  /** @type {Record<string, string>} the level that was chosen last, by the kind of game */
  const chosen = {};

  // -- who plays ------------------------------------------------------------------------------------------

  const roles = ROLES.map((value) => {
    const input = h("input", { type: "radio", name: "role", value, onchange: () => takeRole(value) });
    const face = {
      random: [h("span", {}, "Random")],
      both: [h("span", {}, "Both", h("span", { class: "unseen" }, " sides"))],
    }[value] ?? [markIcon(value), h("span", { class: "unseen" }, value)];
    return { input, label: h("label", { class: "pill" }, input, ...face) };
  });
  const level = h("select", { onchange: () => playAgainst(level.value) });
  const against = h("label", { class: "against" }, h("span", {}, "Against"), level);
  const about = h("p", { class: "about" });

  /** The side that a person plays against the computer, or null if there is none, or if people play both. */
  function mySide() {
    const mine = SIDES.filter((side) => session.players[side] === PERSON);
    return mine.length === 1 ? mine[0] : null;
  }

  /** @param {string} role */
  function takeRole(role) {
    isRandom = role === "random";
    if (role === "both") session.setPlayers({ X: PERSON, O: PERSON });
    else sit(isRandom ? anySide() : /** @type {Side} */ (role), level.value);
  }

  /** @param {string} name */
  function playAgainst(name) {
    chosen[session.view.kind] = name;
    sit(mySide() ?? "X", name);
  }

  /**
   * @param {Side} side
   * @param {string} name the computer's level
   */
  function sit(side, name) {
    session.setPlayers(side === "X" ? { X: PERSON, O: name } : { X: name, O: PERSON });
  }

  /** @param {string} start */
  async function begin(start) {
    const side = mySide();
    if (isRandom && side) sit(anySide(), session.players[OTHER[side]]);
    await session.newGame(start);
    howTo.openOnce();
  }

  // -- which game -----------------------------------------------------------------------------------------

  /** @param {Tile} tile */
  const tileOf = ({ start, title, about: words, picture }) =>
    h(
      "button",
      { type: "button", class: "choice", "data-start": start, onclick: () => begin(start) },
      picture && h("span", { class: "thumbnail", "aria-hidden": "true" }, smallBoard(picture, "")),
      h("strong", {}, title),
      h("span", { class: "kind" }, words),
    );
  const names = session.version?.variants ?? ["ultimate"];
  const variants = names.map((start) => ({ start, ...(VARIANTS[start] ?? { title: start, about: "", picture: "" }) }));
  const tiles = [...GRIDS, ...variants].map(tileOf);
  const main = GRIDS.length + 1; // the grids, and Ultimate by its usual rules

  const number = (/** @type {number} */ value) =>
    h("input", { type: "number", min: 1, max: LARGEST, value, required: true, inputmode: "numeric" });
  const [rows, cols, k] = [number(6), number(7), number(4)];
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) =>
    h("label", { class: "field" }, h("span", {}, label), input);
  const warning = h("p", { class: "about", role: "status" });
  const form = h(
    "form",
    {
      class: "custom",
      oninput: warn,
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        begin([rows, cols, k].map(({ value }) => Number.parseInt(value, 10)).join("x"));
      },
    },
    field("Rows", rows),
    field("Columns", cols),
    field("In a row", k),
    h("button", { class: "button" }, "Play"),
    warning,
  );

  /** Say so if the board has no room for a line. */
  function warn() {
    const isTooLong = k.valueAsNumber > Math.max(rows.valueAsNumber, cols.valueAsNumber);
    warning.textContent = isTooLong ? `No line of ${k.value} fits this board: every game is a draw.` : "";
  }

  const others = h(
    "details",
    { class: "more-rules" },
    h("summary", {}, "Ultimate by other rules"),
    h("div", { class: "choices" }, ...tiles.slice(main)),
  );

  // -- showing --------------------------------------------------------------------------------------------

  let kind = "";

  session.on(["view", "players"], () => {
    const { viewOrNull: view, players, mode } = session;
    if (!view) return;
    const levels = session.levelsOf(view.kind);
    if (kind !== view.kind) {
      kind = view.kind;
      level.replaceChildren(...levels.map(({ name }) => h("option", { value: name }, capital(name))));
      level.value = chosen[kind] ?? levels[1]?.name ?? "";
    }
    const side = mySide();
    if (side) level.value = players[OTHER[side]];
    const isAlone = SIDES.every((each) => players[each] === PERSON);
    const role = isRandom && side ? "random" : (side ?? (isAlone ? "both" : ""));
    for (const { input } of roles) input.checked = input.value === role;
    against.hidden = isAlone;
    about.textContent = isAlone ? "Two people take turns at this screen." : aboutLevel(level.value);
    who.hidden = mode !== null;
    const isChosen = (/** @type {HTMLElement} */ tile) => tile.dataset.start === view.start;
    for (const tile of tiles) tile.setAttribute("aria-pressed", String(isChosen(tile)));
    if (tiles.slice(main).some(isChosen)) others.open = true;
    // A grid that is not among the choices was chosen by the form, or might be the next time.
    if (view.kind !== "grid" || tiles.some(isChosen)) return;
    [rows.value, cols.value, k.value] = [view.rows, view.cols, view.k].map(String);
    warn();
  });

  /** @param {string} name */
  function aboutLevel(name) {
    const found = session.levelsOf(session.view.kind).find((each) => each.name === name);
    return found ? `${capital(found.about)}.` : "";
  }

  const who = h(
    "section",
    { class: "who" },
    h("fieldset", { class: "pills" }, h("legend", {}, "You play"), ...roles.map(({ label }) => label)),
    against,
    about,
  );
  const explain = button("How to play", howTo.open, { class: "button quiet" });
  const element = h(
    "div",
    { class: "lobby" },
    who,
    h("div", { class: "row spread" }, h("h3", {}, "Start a game"), explain),
    h("div", { class: "choices" }, ...tiles.slice(0, main)),
    form,
    others,
  );
  return { name: "game", title: "Game", element };
}

/** @returns {Side} */
function anySide() {
  return SIDES[crypto.getRandomValues(new Uint8Array(1))[0] % 2];
}

/** Return a position of 15 x 15 to show. */
function gomoku() {
  const marks = { "7,7": "X", "6,8": "O", "8,6": "X", "6,6": "O", "5,9": "X", "9,5": "X", "8,8": "O", "10,4": "O" };
  return board(15, 15, marks);
}

/** Return a position of Ultimate to show. */
function ultimate() {
  const boards = [
    "X..OX...X",
    ".O.......",
    "O.X......",
    "..X......",
    "O..XX.O..",
    ".........",
    "..O......",
    ".X..O....",
    "...X....O",
  ];
  return `ultimate:${boards.join("/")}`;
}

/**
 * @param {number} rows
 * @param {number} cols
 * @param {Record<string, string>} marks by row,col
 */
function board(rows, cols, marks) {
  const row = (/** @type {number} */ at) =>
    Array.from({ length: cols }, (_, col) => marks[`${at},${col}`] ?? ".").join("");
  return Array.from({ length: rows }, (_, at) => row(at)).join("/");
}
