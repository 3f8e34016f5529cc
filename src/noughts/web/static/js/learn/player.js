// Going through the steps of a run: one forward or back, to the next stop, to any step, or on and on at some speed.

import { h, icon, STEP_SIGNS, setEnabled } from "../dom/dom.js";
import { written } from "../dom/text.js";
import { isAbort, problemOf } from "../server/api.js";
import { MOST_STEPS } from "./trace.js";

/** @typedef {import("./exercises.js").Exercise} Exercise */
/** @typedef {import("./trace.js").Step} Step */
/** @typedef {import("./trace.js").Trace} Trace */

/** What is called when another step is to be shown; `isNext` says that it follows the one before it.
 * @typedef {(step: Step, how: {isNext: boolean, isPlaying: boolean}) => void} OnStep */

const SPEEDS = [
  ["1", "slow"],
  ["3", "normal"],
  ["10", "fast"],
  ["40", "very fast"],
];
const USUAL_SPEED = "3";
const PATHS = {
  ...STEP_SIGNS,
  play: "M7 5l12 7-12 7z",
  pause: "M8 6v12M16 6v12",
  stop: "M5 6l7 6-7 6zM13 6l7 6-7 6z",
};

/**
 * Return what goes through a run, with its buttons. `onStop` is called when playing ends, `onFail` with what went
 * wrong and a way to try again.
 * @param {{onStep: OnStep, onStop: () => void, onFail: (problem: import("../server/api.js").Problem, retry: () => unknown) => void}} events
 */
export function makePlayer({ onStep, onStop, onFail }) {
  /** @type {{trace: Trace, exercise: Exercise} | null} */
  let run = null;
  let at = 0; // the step that is shown, or will be once it is there
  let turn = 0; // counts what was asked for, so that only the last one is shown
  let until = Infinity; // the step at which playing ends
  /** @type {ReturnType<typeof setTimeout> | null} */
  let timer = null;

  const control = (/** @type {string} */ path, /** @type {string} */ label, /** @type {() => unknown} */ onclick) =>
    h(
      "button",
      { type: "button", class: "button step-control", "aria-label": label, title: label, onclick },
      icon(path),
    );
  const first = control(PATHS.first, "First step (Home)", () => jump(0));
  const back = control(PATHS.back, "One step back (←)", () => step(-1));
  const play = control(PATHS.play, "Play (p)", toggle);
  const forward = control(PATHS.forward, "One step forward (→)", () => step(1));
  const stopName = h("span", {}, "Next");
  const stop = h("button", { type: "button", class: "button stop", onclick: toStop }, stopName, icon(PATHS.stop));
  play.classList.add("strong");

  const slider = h("input", { type: "range", min: 0, value: 0, "aria-label": "Step", oninput: slide });
  const place = h("output", { class: "place" });
  const speeds = SPEEDS.map(([value, label]) => h("option", { value, selected: value === USUAL_SPEED }, label));
  const speed = h("select", {}, ...speeds);
  const detail = h(
    "select",
    {},
    h("option", { value: "all" }, "every line"),
    h("option", { value: "key" }, "only what happens"),
  );
  const element = h(
    "div",
    { class: "player" },
    h("div", { class: "buttons", role: "group", "aria-label": "Steps" }, first, back, play, forward, stop),
    h("div", { class: "sliding" }, slider, place),
    h("div", { class: "choosing" }, h("label", {}, "Speed ", speed), h("label", {}, "Show ", detail)),
  );

  // -- going ----------------------------------------------------------------------------------------------

  /**
   * Show a step, and forget what was asked for before.
   * @param {(run: {trace: Trace, exercise: Exercise}) => Promise<number>} choose
   * @param {boolean} isNext
   * @returns {Promise<boolean>} whether it was shown
   */
  async function go(choose, isNext = false) {
    const asked = ++turn;
    if (!run) return false;
    const { trace } = run;
    try {
      const number = await choose(run);
      if (trace.exercise !== "games") await trace.loadUpTo(number);
      const step = await trace.step(number);
      if (asked !== turn) return false;
      const from = at;
      at = step.step;
      draw();
      onStep(step, { isNext: isNext && at > from, isPlaying: timer !== null });
      return true;
    } catch (error) {
      if (asked !== turn || isAbort(error)) return false;
      pause();
      onFail(problemOf(error), () => go(choose, isNext));
      return false;
    }
  }

  /** @param {Step} step */
  const isShown = (step) => detail.value === "all" || step.key;

  /** @param {1 | -1} direction */
  function step(direction) {
    pause();
    return go(({ trace }) => trace.find(at, direction, isShown), direction > 0);
  }

  function toStop() {
    pause();
    return go(({ trace, exercise }) => trace.find(at, 1, exercise.isStop), true);
  }

  /**
   * Show a step by its number. One that is next to the current one is the next one of those that are shown.
   * @param {number} number
   */
  function jump(number) {
    if (number === at + 1) return step(1);
    if (number === at - 1) return step(-1);
    pause();
    return go(async ({ trace }) => Math.min(number, trace.last));
  }

  function slide() {
    const number = slider.valueAsNumber; // before it is drawn anew
    pause();
    place.textContent = placeText(number);
    go(async () => number);
  }

  // -- playing --------------------------------------------------------------------------------------------

  function toggle() {
    if (timer) pause();
    else if (run) playTo(Infinity);
  }

  /**
   * Play up to a step; from the beginning if this is the end.
   * @param {number} last
   */
  function playTo(last) {
    pause();
    until = last;
    if (run && at >= run.trace.last) at = -1;
    timer = setTimeout(tick, 0);
    draw();
  }

  async function tick() {
    const begun = performance.now();
    const mine = timer;
    const isThere = await go(({ trace }) => trace.find(at, 1, isShown), true);
    if (timer !== mine || mine === null) return;
    if (!run || !isThere || at >= Math.min(run.trace.last, until)) {
      pause();
      return;
    }
    const pace = 1000 / Number(speed.value);
    timer = setTimeout(tick, Math.max(0, pace - (performance.now() - begun)));
  }

  function pause() {
    if (timer) clearTimeout(timer);
    const wasPlaying = timer !== null;
    timer = null;
    until = Infinity;
    draw();
    if (wasPlaying) onStop();
  }

  // -- showing --------------------------------------------------------------------------------------------

  /** @param {number} number */
  function placeText(number) {
    const total = run?.trace.total ?? null;
    const all = total === null ? `${written(String(MOST_STEPS))}+` : written(String(total));
    return `step ${written(String(number + 1))} of ${all}`;
  }

  function draw() {
    if (!run) return;
    const { trace, exercise } = run;
    const isPlaying = timer !== null;
    slider.max = String(trace.last);
    slider.value = String(at);
    slider.setAttribute("aria-valuetext", placeText(at));
    place.textContent = placeText(at);
    stopName.textContent = exercise.stop;
    stop.title = `${exercise.stop} (g)`;
    setEnabled(first, at > 0);
    setEnabled(back, at > 0);
    setEnabled(forward, at < trace.last);
    setEnabled(stop, at < trace.last);
    if (element.dataset.playing === String(isPlaying)) return;
    element.dataset.playing = String(isPlaying);
    play.replaceChildren(icon(isPlaying ? PATHS.pause : PATHS.play));
    play.ariaLabel = play.title = isPlaying ? "Pause (p)" : "Play (p)";
  }

  return {
    element,
    jump,
    toggle,
    toStop,
    playTo,
    pause,
    focus: () => forward.focus({ preventScroll: true }),

    /**
     * Begin with a run at one of its steps.
     * @param {Trace} trace
     * @param {Exercise} exercise
     * @param {number} number
     */
    begin(trace, exercise, number) {
      pause();
      run = { trace, exercise };
      at = 0;
      return go(async () => Math.min(number, trace.last));
    },

    end() {
      pause();
      turn += 1;
      run = null;
    },

    /** The number of the step that is shown. */
    get at() {
      return at;
    },
  };
}
