// What the panel "Learn" does: the list of exercises, and one exercise that runs. It is a mode of the board; what it shows
// is in the address: #panel=learn&trace=games&input=2x2x2&step=26, where the texts of an input have a line each.

import { bringIntoSight, button, h } from "../dom/dom.js";
import { pointAt } from "../dom/text.js";
import { isAbort, problemOf } from "../server/api.js";
import { makeListing, makeStack } from "./code.js";
import { EXERCISES, inputOf, READINGS, textsOf } from "./exercises.js";
import { makeCounters, makeLedger } from "./ledger.js";
import { makePlayer } from "./player.js";
import { fly, notesOf, viewOf } from "./stage.js";
import { movesTold, Trace } from "./trace.js";

/** @typedef {import("./exercises.js").Exercise} Exercise */
/** @typedef {import("./trace.js").Step} Step */

/** The exercise that runs.
 * @typedef {{name: string, exercise: Exercise, trace: Trace, step: Step | null}} Run */

const REST = 200; // milliseconds after which a step is kept in the address
const IN_A_ROOM = "The board belongs to a game with a friend. Leave it to watch an exercise.";

/**
 * Fill the panel.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {HTMLElement} element
 */
export function makeClassroom(session, api, element) {
  /** @type {Run | null} */
  let run = null;
  /** @type {string | null} the exercise and input that are on their way, as in the address */
  let wanted = null;
  /** @type {string | undefined} the step in the address, as it was last followed or written */
  let place;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let noting;
  /** @type {string[] | null} the input after the last click, until it is there */
  let ahead = null;
  let abort = new AbortController();

  const player = makePlayer({
    onStep: show,
    onStop: rest,
    onFail: (problem, retry) => session.fail(problem, retry),
  });
  const [listing, stack, ledger, counters] = [makeListing(), makeStack(), makeLedger(), makeCounters()];
  stack.element.open = matchMedia("(min-width: 60.01rem)").matches;
  const actions = h("div", { class: "actions lesson-actions" }, player.element, counters.element, stack.element);

  const title = h("h3", { tabindex: "-1" });
  const lesson = h("a", {}, "Read the lesson");
  const form = h("form", { class: "input-form", novalidate: true });
  const fault = h("div", { id: "input-fault", class: "fault", role: "alert" });
  const clicking = h("p", { class: "about" });
  const room = h(
    "div",
    { class: "lesson", hidden: true },
    h("div", { class: "row spread lesson-top" }, button("All exercises", chooseAnother), lesson),
    title,
    listing.element,
    ledger.element,
    h("section", {}, h("h4", {}, "Another input"), form, fault, clicking),
  );
  const note = h("p", { class: "about" }, IN_A_ROOM);
  const catalogue = makeCatalogue(begin);
  element.append(note, catalogue, room);

  // -- coming and going -----------------------------------------------------------------------------------

  /** Become what the address says. Called whenever it, or what is on the board, may have changed. */
  function follow() {
    const { trace: name, input, step } = session.extras;
    const isInRoom = session.mode !== null && !run;
    note.hidden = !isInRoom;
    catalogue.hidden = isInRoom || run !== null;
    room.hidden = run === null;
    if (isInRoom || !session.viewOrNull) return;
    if (!name) {
      if (run) session.leave();
      return;
    }
    const key = keyOf(name, input);
    if (key === wanted) return;
    if (run && key === keyOf(run.name, run.trace.input.join("\n"))) {
      if (step !== place) player.jump(Number(step) || 0);
      place = step;
      return;
    }
    start(name, input === undefined ? null : input.split("\n"), { at: Number(step) || 0 });
  }

  /** @param {string} name */
  function begin(name) {
    return start(name, EXERCISES[name].examples[0].input, { isChosen: true });
  }

  /**
   * Run an exercise. What cannot be read is said, and a run that is there stays.
   * @param {string} name
   * @param {string[] | null} input
   * @param {{at?: number, isChosen?: boolean, isPlayed?: boolean}} how where to begin; whether a person chose it just now,
   *     and whether what is new in it is to be played
   */
  async function start(name, input, { at = 0, isChosen = false, isPlayed = false } = {}) {
    const exercise = Object.hasOwn(EXERCISES, name) ? EXERCISES[name] : null;
    if (!exercise) {
      forget();
      return session.say({ message: `There is no exercise “${name}” to watch.` });
    }
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    wanted = keyOf(name, input?.join("\n"));
    try {
      const trace = await Trace.open(api, name, input, signal);
      const before = run?.name === name ? run.trace : null;
      const from = isPlayed && before ? await trace.parting(before) : at;
      if (signal.aborted) return;
      wanted = ahead = null;
      enter({ name, exercise, trace, step: null }, isChosen || isPlayed);
      await player.begin(trace, exercise, from);
      if (isPlayed) player.playTo(Infinity);
      if (isChosen) {
        player.focus();
        bringIntoSight("table");
      }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      wanted = ahead = null;
      const problem = problemOf(error);
      const retry = () => start(name, input, { at, isChosen, isPlayed });
      if (run) keepInput(run); // the address says what is on the board
      if (problem.isPassing) session.fail(problem, retry);
      else if (run) refuse(problem);
      else {
        forget();
        session.say({ message: problem.message, text: input?.join(" "), offset: problem.place?.offset });
      }
    }
  }

  /**
   * Put a run on the board, in place of another one or of the session's own game.
   * @param {Run} next
   * @param {boolean} isNew whether it is to be an entry of the browser's history
   */
  function enter(next, isNew) {
    const before = run;
    run = next;
    const { name, exercise, trace } = next;
    session.say(null);
    title.textContent = exercise.title;
    lesson.href = `learn/${exercise.lesson}.html`;
    clicking.textContent = exercise.onClick;
    listing.show(trace.source);
    if (before?.name !== name) fillForm(exercise);
    fillFields(exercise, trace.input);
    place = session.extras.step;
    keepInput(next, isNew ? "push" : "replace");
    if (before) return;
    const keys = { p: player.toggle, g: player.toStop };
    const mode = { name: "lesson", click, jump: player.jump, actions, onLeave, seats: {}, withoutHelp: true, keys };
    session.enter(mode, { ...trace.base, moves: [], played: 0, legal: [], status: exercise.title });
  }

  function chooseAnother() {
    session.leave();
    follow();
    const last = catalogue.querySelector("button");
    last?.focus();
  }

  function onLeave() {
    abort.abort();
    clearTimeout(noting);
    player.end();
    run = wanted = ahead = null;
    forget();
  }

  /**
   * @param {Run} shown
   * @param {import("../state/store.js").History} history
   */
  function keepInput({ name, trace }, history = "replace") {
    session.setExtras({ trace: name, input: trace.input.join("\n") }, history);
  }

  function forget() {
    session.setExtras({ trace: null, input: null, step: null });
  }

  // -- showing --------------------------------------------------------------------------------------------

  /**
   * @param {Step} step
   * @param {{isNext: boolean, isPlaying: boolean}} how
   */
  function show(step, { isNext, isPlaying }) {
    if (!run) return;
    run.step = step;
    const { trace } = run;
    // While it plays, only those who look follow each step; the others hear where it stops.
    const view = viewOf(trace, step, isPlaying ? "" : step.text);
    session.present(view);
    session.annotate(notesOf(view, step));
    listing.mark(step);
    stack.show(step.stack);
    ledger.show(trace, step);
    counters.show(trace, step);
    const move = trace.input[movesTold(step) - (step.event === "reject" ? 1 : 0)] ?? "";
    const board = document.getElementById("board");
    if (!isPlaying) keepPlace();
    if (isNext && board) fly(board, view, step, move.at(-1) ?? "");
  }

  /** Keep the step in the address once the run has come to rest: browsers refuse to note many a second. */
  function keepPlace() {
    clearTimeout(noting);
    noting = setTimeout(() => {
      if (!run) return;
      place = String(player.at);
      session.setExtras({ step: place });
    }, REST);
  }

  /** Say the step at which playing has ended. */
  function rest() {
    if (run?.step) session.present({ ...viewOf(run.trace, run.step, run.step.text), game: `${run.name} at rest` });
    keepPlace();
  }

  // -- another input --------------------------------------------------------------------------------------

  /** @param {Exercise} exercise */
  function fillForm({ fields, examples }) {
    const inputs = fields.map(({ label, isList }, index) => {
      const attributes = {
        id: `input-${index}`,
        spellcheck: "false",
        autocomplete: "off",
        "aria-describedby": "input-fault",
      };
      const field = isList ? h("textarea", { rows: 5, ...attributes }) : h("input", attributes);
      return h("label", { class: "field" }, h("span", {}, label), field);
    });
    const names = examples.map(({ name }, index) => h("option", { value: String(index) }, name));
    const choice = h("select", { "aria-label": "Examples" }, h("option", { value: "" }, "An example …"), ...names);
    choice.addEventListener("change", () => {
      const example = examples[Number(choice.value)];
      if (choice.value !== "" && example && run) start(run.name, example.input);
      choice.value = "";
    });
    form.replaceChildren(...inputs, h("div", { class: "row" }, h("button", { class: "button" }, "Run"), choice));
  }

  /** The fields of the form. */
  const fieldsOf = () =>
    /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ ([...form.querySelectorAll("input, textarea")]);

  /**
   * @param {Exercise} exercise
   * @param {string[]} input
   */
  function fillFields(exercise, input) {
    fault.replaceChildren();
    const texts = textsOf(exercise, input);
    for (const [index, field] of fieldsOf().entries()) {
      field.value = texts[index];
      field.removeAttribute("aria-invalid");
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!run) return;
    const texts = fieldsOf().map(({ value }) => value);
    start(run.name, inputOf(run.exercise, texts), { isChosen: true });
  });

  /**
   * Say why an input is refused, beside its field.
   * @param {import("../server/api.js").Problem} problem
   */
  function refuse({ message, place }) {
    const [field] = fieldsOf();
    const isOne = fieldsOf().length === 1 && field instanceof HTMLInputElement;
    const pointed = isOne && place?.offset !== undefined ? pointAt(field.value.trim(), place.offset) : "";
    fault.replaceChildren(h("p", {}, `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`), pointed);
    for (const each of fieldsOf()) each.setAttribute("aria-invalid", "true");
  }

  /** @param {string} name */
  function click(name) {
    if (!run?.step) return;
    const { exercise, trace } = run;
    const last = trace.known(trace.last);
    if (run.name === "move" && last && hasWinner(last)) {
      return session.say({ message: "The game is won. Take a move out of the list, or choose another example." });
    }
    const cell = viewOf(trace, run.step, "").cells.findIndex((each) => each.name === name);
    const clicked = exercise.click(ahead ?? trace.input, cell);
    if ("message" in clicked) return session.say({ message: clicked.message });
    ahead = clicked.input;
    return start(run.name, clicked.input, { isPlayed: true });
  }

  return {
    follow,
    leave() {
      if (run) session.leave();
      else onLeave();
    },
  };
}

/**
 * Return an exercise and its input as one text, to compare them.
 * @param {string} name
 * @param {string} [input]
 */
function keyOf(name, input = "") {
  return `${name} ${input}`;
}

/**
 * Return whether the last move of constant-time play has won.
 * @param {Step} step the last one of the run
 */
function hasWinner({ text }) {
  return /[12]\]$/.test(text);
}

/**
 * Return the list of exercises and lessons.
 * @param {(name: string) => unknown} begin
 */
function makeCatalogue(begin) {
  const read = (/** @type {string} */ lesson, /** @type {string} */ title) =>
    h("a", { href: `learn/${lesson}.html`, "aria-label": `Read the lesson: ${title}` }, "Read the lesson");
  const exercises = Object.entries(EXERCISES).map(([name, { title, about, lesson }]) =>
    h(
      "li",
      {},
      h("h4", {}, title),
      h("p", {}, about),
      h(
        "div",
        { class: "row" },
        button("Watch it run", () => begin(name), { "data-exercise": name, "aria-label": `Watch it run: ${title}` }),
        read(lesson, title),
      ),
    ),
  );
  const readings = READINGS.map(({ title, about, lesson }) =>
    h("li", {}, h("h4", {}, title), h("p", {}, about), h("div", { class: "row" }, read(lesson, title))),
  );
  const about =
    "Five exercises lead people to this field. Watch the code run line by line, change the input, and read why it is right.";
  return h(
    "div",
    { class: "catalogue" },
    h("h3", {}, "The exercises, step by step"),
    h("p", { class: "about" }, about),
    h("ul", {}, ...exercises, ...readings),
  );
}
