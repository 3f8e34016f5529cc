// The clocks of a game by link, as they are seen in the players' cards. The server's clock is the truth; these show what
// it said last, less the time since then.

import { h } from "../dom/dom.js";
import { SIDES } from "../state/game.js";

/** @typedef {import("../server/room.js").ClockState} ClockState */
/** @typedef {import("../state/game.js").Side} Side */

const TENTHS_BELOW = 10; // seconds
const LOW = [10, 30]; // seconds at which a clock is said to be low, the lowest first

/**
 * Return the clocks of both sides. `onLow` is called once for each side and each of the low times.
 * @param {(side: Side, seconds: number) => void} onLow
 */
export function makeClocks(onLow) {
  const faces = { X: h("span"), O: h("span") };
  const elements = { X: makeFace(faces.X), O: makeFace(faces.O) };
  /** @type {Record<Side, number>} the seconds at which each side was said to be low, and has not had more since */
  const said = { X: Infinity, O: Infinity };
  /** @type {ClockState | null} */
  let clock = null;
  let sent = 0; // when the server said so, by this page's clock
  let frame = 0;

  /**
   * Show what the server said; null for no clock.
   * @param {ClockState | null} next
   * @param {number} at when it was sent, by this page's clock
   */
  function show(next, at) {
    [clock, sent] = [next, at];
    cancelAnimationFrame(frame);
    for (const side of SIDES) {
      elements[side].hidden = next === null;
      elements[side].dataset.long = String((next?.initial ?? 0) >= 3600);
      elements[side].dataset.running = String(next?.running === side);
      if (next && LOW.every((low) => next[side] > 2 * low)) said[side] = Infinity;
    }
    tick();
  }

  /** Draw both times, and again with the next picture while one of them runs. */
  function tick() {
    if (!clock) return;
    for (const side of SIDES) draw(side, clock);
    if (clock.running) frame = requestAnimationFrame(tick);
  }

  /**
   * @param {Side} side
   * @param {ClockState} state
   */
  function draw(side, { running, initial, ...left }) {
    const since = running === side ? (performance.now() - sent) / 1000 : 0;
    const seconds = Math.max(0, left[side] - Math.max(0, since));
    const text = timeText(seconds);
    if (faces[side].textContent !== text) faces[side].textContent = text; // most pictures change nothing
    const low = LOW.find((limit) => seconds <= limit) ?? Infinity;
    elements[side].dataset.low = String(low < Infinity);
    if (low >= said[side]) return;
    said[side] = low;
    if (running === side && low < initial) onLow(side, low);
  }

  return { elements, show };
}

/** @param {HTMLElement} face */
function makeFace(face) {
  return h("span", { class: "clock", role: "timer" }, h("span", { class: "unseen" }, "Time left: "), face);
}

/**
 * Return a time as clocks show it: 3:05, 1:00:00, and with tenths when it gets short: 0:09.4.
 * @param {number} seconds
 */
export function timeText(seconds) {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const whole = Math.floor(tenths / 10);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const clock = hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
  return seconds < TENTHS_BELOW ? `${clock}.${tenths % 10}` : clock;
}
