// What has come of a run so far: rules that were checked, moves that were judged, games that were found; and numbers.

import { h } from "../dom/dom.js";
import { capital, written } from "../dom/text.js";
import { gamesFound, movesTold } from "./trace.js";

/** @typedef {import("./trace.js").Step} Step */
/** @typedef {import("./trace.js").Trace} Trace */

/** A line of the list: its state is a word for style sheets, its sign is drawn, its note is said behind the text.
 * @typedef {{text: string, state: "open" | "good" | "bad", sign: string, note: string, isCurrent?: boolean}} Entry */

const MOST_GAMES = 6; // that are listed, the last ones
const FAR = 1500; // steps back that are searched for them

/** Return the list, {element, show(trace, step)}. */
export function makeLedger() {
  const title = h("h4", {});
  const list = h("ol", { class: "ledger", tabindex: "0", "aria-label": "Results so far" });
  const element = h("section", {}, title, list);

  return {
    element,

    /**
     * @param {Trace} trace
     * @param {Step} step
     */
    show(trace, step) {
      const [name, entries] = contents(trace, step);
      title.textContent = name;
      list.replaceChildren(...entries.map(row));
      const current = list.querySelector("[aria-current]");
      if (current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    },
  };
}

/** @param {Entry} entry */
function row({ text, state, sign, note, isCurrent }) {
  return h(
    "li",
    { "data-state": state, "aria-current": isCurrent ? "step" : null },
    h("span", { class: "sign", "aria-hidden": "true" }, sign),
    h("span", {}, text),
    note && h("span", { class: "note" }, note),
  );
}

/**
 * @param {Trace} trace
 * @param {Step} step
 * @returns {[string, Entry[]]}
 */
function contents(trace, step) {
  switch (trace.exercise) {
    case "state":
    case "valid":
      return ["Checks", checks(trace, step)];
    case "games":
      return ["Games found last", games(trace, step)];
    case "move":
      return ["Moves", plays(trace, step)];
    default:
      return ["Moves", replayed(trace, step)];
  }
}

/**
 * Return the checks in the order of the code; those that have run hold or do not.
 * @param {Trace} trace
 * @param {Step} step
 */
function checks(trace, step) {
  /** @type {Entry[]} */
  const entries = [];
  const ran = upTo(trace, step).filter(({ event }) => event === "check");
  for (const [index, line] of trace.source.lines.entries()) {
    const text = line.split("# check: ")[1];
    if (!text) continue;
    const found = ran.find((each) => each.line === index + 1);
    const state = found ? (found.holds ? "good" : "bad") : "open";
    const [sign, note] = { open: ["·", ""], good: ["✓", "holds"], bad: ["✗", "broken"] }[state];
    entries.push({ text: capital(text), state, sign, note, isCurrent: found?.step === step.step });
  }
  return entries;
}

/**
 * Return the moves of a list; those that were judged have their bit, and why.
 * @param {Trace} trace
 * @param {Step} step
 * @returns {Entry[]}
 */
function replayed({ input, bits }, step) {
  const told = movesTold(step);
  const hasEnded = step.stack.length === 1 && step.event === "return";
  return input.map((text, index) => {
    const bit = index < told ? bits.get(index) : undefined;
    /** @type {Entry} */
    const entry = { text: `${JSON.stringify(text).slice(1, -1)}`, state: "open", sign: "·", note: "" };
    entry.isCurrent = index === told && !hasEnded;
    if (!bit) return entry;
    const note = bit.text.replace(/^rejected: /, "");
    return bit.isAccepted
      ? { ...entry, state: "good", sign: "1", note: "accepted" }
      : { ...entry, state: "bad", sign: "0", note };
  });
}

/**
 * Return the moves of constant-time play, with what each of them returned.
 * @param {Trace} trace
 * @param {Step} step
 * @returns {Entry[]}
 */
function plays(trace, step) {
  const steps = upTo(trace, step);
  const results = steps.filter(({ stack, event }) => stack.length === 2 && (event === "return" || event === "win"));
  const begun = steps.filter(({ stack, event }) => stack.length === 2 && event === "call").length;
  return trace.input.slice(1).map((text, index) => {
    const result = results[index];
    const [, , player] = text.split(",");
    /** @type {Entry} */
    const entry = { text, state: "open", sign: "·", note: "", isCurrent: index === begun - 1 && !result };
    if (!result) return entry;
    const isWin = result.event === "win";
    return {
      ...entry,
      state: "good",
      sign: isWin ? player : "0",
      note: isWin ? `player ${player} wins` : "no winner yet",
    };
  });
}

/**
 * Return the games that were found last, as far as they are known, the newest first.
 * @param {Trace} trace
 * @param {Step} step
 */
function games(trace, step) {
  /** @type {Entry[]} */
  const entries = [];
  for (let number = step.step; number > step.step - FAR && number >= 0 && entries.length < MOST_GAMES; number -= 1) {
    const found = trace.known(number);
    if (!found) break;
    if (found.event !== "win" && found.event !== "draw") continue;
    const [result, moves] = found.text.split(/: game [\d,]+ is /);
    const state = found.event === "win" ? "good" : "open";
    const isCurrent = number === step.step;
    entries.push({ text: moves, state, sign: written(String(gamesFound(found) - 1)), note: result, isCurrent });
  }
  return entries;
}

/**
 * Return the steps up to one, as far as they are known.
 * @param {Trace} trace
 * @param {Step} last
 */
function upTo(trace, last) {
  const steps = Array.from({ length: last.step + 1 }, (_, number) => trace.known(number));
  return /** @type {Step[]} */ (steps.filter((step) => step !== undefined));
}

/** Return numbers about a run, {element, show(trace, step)}. */
export function makeCounters() {
  const element = h("dl", { class: "counters" });
  /** @type {Record<string, (step: Step) => number>} */
  const numbers = {
    call: ({ counts }) => counts.call ?? 0,
    deep: ({ stack }) => stack.length,
    mark: ({ counts }) => counts.place ?? 0,
    undo: ({ counts }) => counts.undo ?? 0,
    game: gamesFound,
    check: ({ counts }) => counts.check ?? 0,
    accepted: ({ counts }) => counts.accept ?? 0,
    rejected: ({ counts }) => counts.reject ?? 0,
  };
  /** @type {Record<string, string[]>} */
  const shown = {
    games: ["call", "deep", "mark", "undo", "game"],
    state: ["check", "call"],
    valid: ["check", "call"],
    move: ["call"],
    simulate: ["accepted", "rejected", "call"],
    ultimate: ["accepted", "rejected", "call"],
  };
  const hasPlural = (/** @type {string} */ name) => !["deep", "accepted", "rejected"].includes(name);

  return {
    element,

    /**
     * @param {Trace} trace
     * @param {Step} step
     */
    show({ exercise }, step) {
      const entries = shown[exercise].map((name) => {
        const number = numbers[name](step);
        const label = hasPlural(name) && number !== 1 ? `${name}s` : name;
        return h("div", {}, h("dt", {}, label), h("dd", {}, written(String(number))));
      });
      element.replaceChildren(...entries);
    },
  };
}
