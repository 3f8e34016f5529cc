// A swipe to the left or right with one finger, which nothing else takes: up and down the page scrolls.

const LEAST = 40; // pixels
const SLANT = 0.5; // how much of its length it may go up or down
const MOST_TIME = 800; // milliseconds

/**
 * Call a listener after each swipe: with 1 to the left, as if to the next page, and with -1 to the right.
 * @param {HTMLElement} element has touch-action: pan-y
 * @param {(step: 1 | -1) => unknown} onSwipe
 */
export function listenForSwipes(element, onSwipe) {
  /** @type {{id: number, x: number, y: number, time: number} | null} */
  let start = null;

  element.addEventListener("pointerdown", ({ pointerType, isPrimary, pointerId: id, clientX: x, clientY: y }) => {
    start = pointerType === "touch" && isPrimary ? { id, x, y, time: performance.now() } : null; // two fingers are none
  });
  element.addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
    if (start?.id !== pointerId) return;
    const { x, y, time } = start;
    start = null;
    const [across, down] = [clientX - x, clientY - y];
    const isSwipe = Math.abs(across) >= LEAST && Math.abs(down) <= SLANT * Math.abs(across);
    if (isSwipe && performance.now() - time <= MOST_TIME) onSwipe(across < 0 ? 1 : -1);
  });
  element.addEventListener("pointercancel", () => {
    start = null;
  });
}
