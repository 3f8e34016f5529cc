// What a game by link adds to the cards of the players, clocks and greetings, and the menu to greet from.

import { makeClocks } from "../board/clock.js";
import { button, h } from "../dom/dom.js";
import { isMuted, mute } from "../server/room.js";
import { SIDES } from "../state/game.js";

/** @typedef {import("../server/room.js").RoomState} RoomState */
/** @typedef {import("../state/game.js").Side} Side */

const SHOWN = 6000; // milliseconds that a greeting is seen; longer than the server tells it
const PAUSE = 5000; // milliseconds between two greetings of a person, as the server wants it

/**
 * Return what stands in the players' cards, by side, with show(state, sent, nameOf).
 * @param {(text: string) => void} announce says something to those who do not see it
 * @param {(side: Side) => boolean} isMine
 */
export function makeCards(announce, isMine) {
  /** @type {(side: Side) => string} */
  let nameOf = (side) => side;
  const clocks = makeClocks((side, seconds) =>
    announce(isMine(side) ? `You have ${seconds} seconds left.` : `${nameOf(side)}: ${seconds} seconds left.`),
  );
  const bubbles = { X: h("span", { class: "bubble", hidden: true }), O: h("span", { class: "bubble", hidden: true }) };
  /** @type {Partial<Record<Side, ReturnType<typeof setTimeout>>>} while a greeting is seen */
  const timers = {};
  const elements = {
    X: h("span", { class: "beside" }, clocks.elements.X, bubbles.X),
    O: h("span", { class: "beside" }, clocks.elements.O, bubbles.O),
  };

  /**
   * @param {Side} side
   * @param {string | null} greeting
   */
  function say(side, greeting) {
    const isHeard = isMine(side) || !isMuted();
    if (!greeting || !isHeard || (timers[side] && bubbles[side].textContent === greeting)) return;
    clearTimeout(timers[side]);
    bubbles[side].textContent = greeting;
    bubbles[side].hidden = false;
    timers[side] = setTimeout(() => hush(side), SHOWN);
    if (!isMine(side)) announce(`${nameOf(side)}: ${greeting}`);
  }

  /** @param {Side} side */
  function hush(side) {
    clearTimeout(timers[side]);
    delete timers[side];
    bubbles[side].hidden = true;
  }

  /**
   * Show what a state says.
   * @param {RoomState} state
   * @param {number} sent when it was sent, by this page's clock
   * @param {(side: Side) => string} name how a player is called
   */
  function show({ clock, greetings, seats }, sent, name) {
    nameOf = name;
    clocks.show(clock, sent);
    for (const side of SIDES) {
      if (!seats[side]) clocks.elements[side].hidden = true; // its card says that a friend is waited for
      say(side, greetings[side]);
    }
  }

  /** Show nothing any more. */
  function clear() {
    clocks.show(null, 0);
    for (const side of SIDES) hush(side);
  }

  return { elements, show, clear };
}

/**
 * Return the menu of greetings.
 * @param {string[]} greetings all that one can say
 * @param {(greeting: string) => unknown} greet
 */
export function makeGreeter(greetings, greet) {
  const buttons = greetings.map((greeting) => button(greeting, () => say(greeting), { class: "button quiet" }));
  const muted = h("input", { type: "checkbox", onchange: () => mute(muted.checked) });
  const summary = h("summary", { class: "button" }, "Greet");
  const menu = h("div", { class: "menu" }, ...buttons, h("label", { class: "check" }, muted, "Mute theirs"));
  const element = h("details", { class: "greeter", ontoggle: draw }, summary, menu);

  /** @param {string} greeting */
  function say(greeting) {
    close();
    summary.focus();
    setPaused(true);
    setTimeout(() => setPaused(false), PAUSE);
    greet(greeting);
  }

  /** @param {boolean} isPaused */
  function setPaused(isPaused) {
    for (const each of buttons) each.disabled = isPaused;
  }

  function close() {
    element.open = false;
  }

  function draw() {
    muted.checked = isMuted();
  }

  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !element.open) return;
    close();
    summary.focus();
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !element.contains(target)) close();
  });

  return { element };
}
