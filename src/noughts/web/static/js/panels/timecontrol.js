// The choice of a clock for a game by link: none, usual ones, or minutes and seconds of one's own.

import { h } from "../dom/dom.js";
import { counted } from "../dom/text.js";

/** Seconds for all moves of a side, and seconds that each move adds.
 * @typedef {{initial: number, increment: number}} TimeControl */

const USUAL = ["1+0", "3+2", "5+3", "10+5"]; // minutes, and seconds a move
const CUSTOM = "custom";

/** Return the fields of a form, with {element, read()}; `read` returns the chosen time control, or null for none. */
export function makeTimeControl() {
  const field = (/** @type {string} */ value, /** @type {string} */ text) => {
    const input = h("input", { type: "radio", name: "room-clock", value, checked: value === "", onchange: draw });
    return h("label", { class: "pill" }, input, h("span", {}, text));
  };
  const number = (/** @type {string} */ label, /** @type {object} */ limits) => {
    const input = h("input", { type: "number", inputmode: "decimal", required: true, ...limits });
    return { input, label: h("label", {}, h("span", { class: "about" }, label), input) };
  };
  const minutes = number("Minutes a side", { min: 0.5, max: 180, step: 0.5, value: 15 });
  const seconds = number("Seconds a move", { min: 0, max: 180, step: 1, value: 10 });
  const own = h("div", { class: "own-clock", hidden: true }, minutes.label, seconds.label);
  const pills = [field("", "No clock"), ...USUAL.map((each) => field(each, each)), field(CUSTOM, "Custom")];
  const about = h("p", { class: "about" });
  const element = h(
    "div",
    {},
    h("fieldset", { class: "pills clocks" }, h("legend", {}, "Clock"), ...pills),
    own,
    about,
  );

  function chosen() {
    return /** @type {HTMLInputElement} */ (element.querySelector("[name=room-clock]:checked")).value;
  }

  /** @returns {TimeControl | null} */
  function read() {
    if (chosen() === "") return null;
    const own = [minutes.input.valueAsNumber, seconds.input.valueAsNumber];
    const [initial, increment] = chosen() === CUSTOM ? own : chosen().split("+").map(Number);
    return { initial: Math.round(60 * initial), increment };
  }

  function draw() {
    own.hidden = chosen() !== CUSTOM;
    // What is hidden must not keep the form from being sent.
    for (const { input } of [minutes, seconds]) input.disabled = own.hidden;
    const control = read();
    about.textContent = control && own.hidden ? controlText(control) : "";
    about.hidden = about.textContent === "";
  }

  draw();
  return { element, read };
}

/**
 * Return a time control in words: 3 minutes for each side, and 2 seconds more with every move.
 * @param {TimeControl} control
 */
export function controlText({ initial, increment }) {
  const time = initial % 60 ? counted(initial, "second") : counted(initial / 60, "minute");
  return `${time} for each side${increment ? `, and ${counted(increment, "second")} more with every move` : ""}`;
}
