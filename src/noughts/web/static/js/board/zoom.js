// Zoom and pan for boards with small cells, as on phones: by pinching, by buttons, by keys, by Ctrl and the wheel.
//
// The board becomes wider than the port that shows a part of it, and the browser scrolls the port: by a finger, a wheel, a
// scrollbar, and to a cell that gets the focus. The port keeps its size, so nothing else moves. Where cells are too small for
// a finger, a board begins with larger ones; in the whole board a tap goes there first, and the next one plays.

import { isStill } from "../dom/dom.js";

/** @typedef {import("../state/game.js").View} View */
/** @typedef {{x: number, y: number}} Point in the window */

const FEW_COLS = 12; // need no zoom,
const WIDE = 28; // nor do cells of so many pixels
const TOO_SMALL = 22; // for a finger
const COMFORTABLE = 40;
const LEVELS = [28, COMFORTABLE, 64]; // how wide cells are, after the whole board
const MOST = LEVELS[LEVELS.length - 1];
const FLAT = 320; // pixels: so high at most is the port for boards of few rows, which in whole are flat
const STRIP = 24; // above the cells, for the letters
const NEAR = 1.05; // so close to the whole board it is that

/**
 * Return {update(view, cell), by(steps)}.
 * @param {{port: HTMLElement, board: HTMLElement, buttons: {out: HTMLElement, in: HTMLElement}, group: HTMLElement, live: HTMLElement}} elements
 *   `port` shows a part of the board, `group` has the buttons, and `live` tells screen readers what a tap did
 */
export function makeZoom({ port, board, buttons, group, live }) {
  let shape = "";
  let isWanted = false; // for this board
  let rows = 0;
  let whole = 0; // how wide a cell is where the whole board is seen
  let zoom = 1;
  let seen = ""; // the cell that was brought into sight last
  let portWidth = 0;
  let isTouch = false; // whether the last press was a finger's

  const cellAt = (/** @type {string} */ name) => board.querySelector(`[data-name="${CSS.escape(name)}"]`);
  const widthOf = (/** @type {Element | null} */ element) => element?.getBoundingClientRect().width ?? 0;
  const isOffered = () => isWanted && whole < WIDE;

  /** Look how large the whole board is, and give the port its size. */
  function measure() {
    zoom = 1;
    port.style.removeProperty("height");
    draw();
    whole = widthOf(board.querySelector("[role=gridcell]"));
    group.hidden = !isOffered();
    port.dataset.pinch = String(isOffered());
    if (!isOffered()) return;
    const height = board.offsetHeight;
    port.style.height = `${Math.max(height, Math.min(rows * COMFORTABLE + STRIP, FLAT))}px`;
  }

  function draw() {
    board.style.width = zoom === 1 ? "" : `${100 * zoom}%`;
    port.dataset.zoomed = String(zoom > 1);
    buttons.out.setAttribute("aria-disabled", String(zoom === 1));
    buttons.in.setAttribute("aria-disabled", String(zoom >= MOST / whole));
  }

  /**
   * Make cells wider or narrower. What is at a point of the window goes to another one, or stays.
   * @param {number} wanted
   * @param {Point} from
   * @param {Point} to
   */
  function set(wanted, from = middle(), to = from) {
    const stage = /** @type {HTMLElement} */ (board.querySelector(".noughts-stage"));
    const before = stage.getBoundingClientRect();
    const [x, y] = [(from.x - before.left) / before.width, (from.y - before.top) / before.height];
    zoom = Math.max(1, Math.min(wanted, MOST / whole));
    draw();
    const after = stage.getBoundingClientRect();
    port.scrollBy(after.left + x * after.width - to.x, after.top + y * after.height - to.y);
  }

  /** @returns {Point} */
  function middle() {
    const { left, top, width, height } = port.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  /**
   * Bring a cell into sight, unless it is; the page does not scroll.
   * @param {string} name
   * @param {ScrollBehavior} behavior
   */
  function reveal(name, behavior) {
    const cell = cellAt(name)?.getBoundingClientRect();
    const stage = board.querySelector(".noughts-stage")?.getBoundingClientRect();
    if (zoom === 1 || !cell || !stage) return;
    const box = port.getBoundingClientRect();
    const [left, top] = [box.left + stage.left - board.getBoundingClientRect().left, box.top + COMFORTABLE / 2];
    if (cell.left >= left && cell.right <= box.right && cell.top >= top && cell.bottom <= box.bottom) return;
    const { x, y } = middle();
    port.scrollBy({ left: (cell.left + cell.right) / 2 - x, top: (cell.top + cell.bottom) / 2 - y, behavior });
  }

  /**
   * Go to the next wider or narrower cells.
   * @param {1 | -1} step
   */
  function by(step) {
    if (!isOffered()) return;
    const levels = [whole, ...LEVELS.filter((level) => level > NEAR * whole)];
    const now = zoom * whole;
    const next = step > 0 ? levels.find((level) => level > NEAR * now) : levels.findLast((level) => NEAR * level < now);
    if (next) set(next / whole);
  }

  /**
   * The board shows a view.
   * @param {View} view
   * @param {{cell?: string, isSmall?: boolean}} options `cell` is to be brought into sight if it is not the last move;
   *   `isSmall` is a board that is meant to be so
   */
  function update(view, { cell = view.last ?? "", isSmall = false }) {
    const before = shape;
    shape = `${view.kind} ${view.rows} ${view.cols} ${isSmall}`;
    isWanted = view.cols > FEW_COLS && !isSmall;
    rows = view.rows;
    if (shape !== before) begin(cell);
    else if (cell !== seen) reveal(cell, isStill() ? "instant" : "smooth");
    seen = cell;
  }

  /**
   * Show a board of another shape, or in a window of another width.
   * @param {string} cell
   */
  function begin(cell, width = 0) {
    measure();
    portWidth = port.clientWidth;
    const isHard = matchMedia("(pointer: coarse)").matches && whole < TOO_SMALL;
    const wanted = width || (isHard ? COMFORTABLE : 0);
    if (!isOffered() || wanted <= NEAR * whole) return;
    set(wanted / whole);
    reveal(cell, "instant");
  }

  new ResizeObserver(() => {
    if (!shape || port.clientWidth === portWidth) return;
    begin(seen, zoom > 1 ? zoom * whole : 0);
  }).observe(port);

  // -- what people do -------------------------------------------------------------------------------------------

  buttons.out.addEventListener("click", () => by(-1));
  buttons.in.addEventListener("click", () => by(1));

  port.addEventListener("pointerdown", ({ pointerType }) => {
    isTouch = pointerType === "touch";
  });

  port.addEventListener(
    "click",
    (event) => {
      if (!isTouch || !isOffered() || zoom * whole >= TOO_SMALL) return;
      event.stopPropagation();
      set(COMFORTABLE / whole, { x: event.clientX, y: event.clientY }, middle());
      live.textContent = "Zoomed in. Choose the cell again.";
    },
    { capture: true },
  );

  port.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey || !isOffered()) return;
      event.preventDefault();
      set(zoom * Math.exp(-event.deltaY / 200), { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );

  /** @type {{spread: number, zoom: number, at: Point} | null} two fingers on the board */
  let pinch = null;

  /** @param {TouchEvent} event */
  function fingers({ touches: [one, other] }) {
    const at = { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    return { at, spread: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) };
  }

  port.addEventListener(
    "touchstart",
    (event) => {
      if (event.touches.length !== 2 || !isOffered()) return;
      if (event.cancelable) event.preventDefault();
      pinch = { ...fingers(event), zoom };
    },
    { passive: false },
  );

  port.addEventListener(
    "touchmove",
    (event) => {
      if (!pinch || event.touches.length !== 2) return;
      if (event.cancelable) event.preventDefault();
      const { at, spread } = fingers(event);
      set(pinch.zoom * (spread / pinch.spread), pinch.at, at);
      pinch.at = at;
    },
    { passive: false },
  );

  for (const end of ["touchend", "touchcancel"]) {
    port.addEventListener(end, () => {
      if (!pinch) return;
      pinch = null;
      if (zoom < NEAR) set(1);
    });
  }

  return { update, by };
}
