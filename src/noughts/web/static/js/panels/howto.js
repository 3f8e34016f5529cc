// How to play, in three steps with a small board each: k in a row, and Ultimate. The boards move a little, but not for those
// who want no motion; the last picture of each says it all. The first game of Ultimate begins with it.

import { createBoard } from "../board/board.js";
import { button, h, isStill, setEnabled } from "../dom/dom.js";

/** @typedef {import("../state/game.js").View} View */

/** A step: what it says, and the games that its board shows one after the other.
 * @typedef {{text: string, games: string[]}} Step */

const FRAME = 1100; // milliseconds
const SEEN = "noughts.howto"; // in the browser's storage, once Ultimate was explained

const COUNTS = ["", "One", "Two", "Three", "Four", "Five", "Six"];

const CAPTURE = "ultimate ci ic cg gc ch"; // X captures the board at the top right
const WIN = "ultimate db ba ac ce eh hf fe ed dc ci ii ib bb bd da ad ee ef ff fa aa ai ig ge eb be bh hd fd";

/** @type {Step[]} */
const ULTIMATE = [
  {
    text: "Nine small boards make a large one. Three in a row capture a small board.",
    games: growing(CAPTURE),
  },
  {
    text: "The cell that you play in names the board that your opponent must play in next.",
    games: growing("ultimate ee ea ai").slice(1),
  },
  {
    text: "Sent to a board that is captured or full, you may play anywhere. Three captured boards in a row win.",
    games: [CAPTURE, `${CAPTURE} hc`, WIN],
  },
];

/**
 * Return the beginnings of a game, move by move.
 * @param {string} game
 */
function growing(game) {
  const words = game.split(" ");
  return words.map((_, at) => words.slice(0, at + 1).join(" "));
}

/**
 * Return the steps for grids.
 * @param {View} view
 * @returns {Step[]}
 */
function gridSteps({ k }) {
  const size = Math.max(3, Math.min(k, 6));
  const name = `${size}x${size}x${size}`;
  const cell = (/** @type {number} */ row, /** @type {number} */ col) => `${"abcdef"[col]}${row + 1}`;
  const moves = Array.from({ length: size }, (_, at) => [
    cell(at, at),
    ...(at + 1 < size ? [cell(at, at + 1)] : []),
  ]).flat();
  const games = growing([name, ...moves].join(" "));
  return [
    { text: "X begins. Take turns, and put a mark on any empty cell.", games: games.slice(0, 4) },
    { text: `${COUNTS[k] ?? k} in a row win: across, down, or along a diagonal.`, games },
    { text: "A full board without such a row is a draw.", games: ["3x3x3 a1 b1 c1 b2 a2 c2 b3 a3 c3"] },
  ];
}

/**
 * Return {open(), openOnce()}.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {HTMLDialogElement} dialog
 */
export function makeHowTo(session, api, dialog) {
  let at = 0;
  /** @type {Step[]} */
  let steps = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let turn = 0;

  const board = h("div", {});
  const drawn = createBoard(board, { onMove: () => {} });
  const text = h("p", { class: "step-text", role: "status" });
  const place = h("span", { class: "about" });
  const back = button("Back", () => go(at - 1));
  const next = button("Next", () => (at + 1 < steps.length ? go(at + 1) : dialog.close()), { class: "button strong" });
  dialog.append(
    h("h2", { id: "howto-title" }, "How to play"),
    h("div", { class: "howto-board", "aria-hidden": "true", inert: true }, board),
    text,
    h("div", { class: "row spread" }, back, place, next),
  );
  dialog.addEventListener("close", () => clearTimeout(timer));

  /** @param {number} step */
  async function go(step) {
    at = Math.max(0, step);
    clearTimeout(timer);
    const mine = ++turn;
    const { text: words, games } = steps[at];
    text.textContent = words;
    place.textContent = `${at + 1} of ${steps.length}`;
    next.textContent = at + 1 < steps.length ? "Next" : "Play";
    setEnabled(back, at > 0);
    const views = await Promise.all(games.map((game) => api.post("position", { game }))).catch(() => []);
    if (mine !== turn || views.length === 0) return; // the words are enough if the server is away
    const isAtEnd = isStill();
    show(views, isAtEnd ? views.length - 1 : 0, isAtEnd);
  }

  /**
   * @param {View[]} views
   * @param {number} index
   * @param {boolean} stays
   */
  function show(views, index, stays) {
    const view = views[index];
    drawn.show({ ...view, isWatched: true, arrow: arrowOf(view) }, {});
    if (!stays) timer = setTimeout(() => show(views, (index + 1) % views.length, false), FRAME);
  }

  function open() {
    const { view } = session;
    steps = view.kind === "ultimate" ? ULTIMATE : gridSteps(view);
    dialog.showModal();
    next.focus();
    go(0);
  }

  return {
    open,

    /** Explain Ultimate before the first game of it. */
    openOnce() {
      try {
        if (session.view.kind !== "ultimate" || localStorage.getItem(SEEN)) return;
        localStorage.setItem(SEEN, "seen");
      } catch {
        return; // without storage it would come again and again
      }
      open();
    },
  };
}

/**
 * Return the arrow from the last move to the board that it forces.
 * @param {View} view
 */
function arrowOf({ boards, forced, last, cells }) {
  if (!boards || !forced || !last) return null;
  return { cell: cells.findIndex(({ name }) => name === last), board: boards.findIndex(({ name }) => name === forced) };
}
