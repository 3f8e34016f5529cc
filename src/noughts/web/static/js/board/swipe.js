// A swipe to the left or right with one finger, which nothing else takes: up and down the page scrolls.

const LEAST = 40; // pixels
const SLANT = 0.5; // how much of its length it may go up or down

/**
 * Call a listener after each swipe: with 1 to the left, as if to the next page, and with -1 to the right.
 * @param {HTMLElement} element has touch-action: pan-y
 * @param {(step: 1 | -1) => unknown} onSwipe
 */
export function listenForSwipes(element, onSwipe) {
  /** @type {{id: number, x: number, y: number} | null} */
  let start = null;

  element.addEventListener("pointerdown", ({ pointerType, isPrimary, pointerId: id, clientX: x, clientY: y }) => {
    start = pointerType === "touch" && isPrimary ? { id, x, y } : null; // two fingers are none
  });
  element.addEventListener("pointerup", ({ pointerId, clientX, clientY }) => {
    if (start?.id !== pointerId) return;
    const [across, down] = [clientX - start.x, clientY - start.y];
    start = null;
    if (Math.abs(across) < LEAST || Math.abs(down) > SLANT * Math.abs(across)) return;
    onSwipe(across < 0 ? 1 : -1);
  });
  element.addEventListener("pointercancel", () => {
    start = null;
  });
}
