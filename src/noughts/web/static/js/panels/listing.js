// All games from some position on, by number: first, previous, next, last, any, and one at random.

import { button, h, icon, STEP_SIGNS as SIGNS, setEnabled } from "../dom/dom.js";
import { breakable, capital, counted, readNumber, written } from "../dom/text.js";
import { isAbort, Problem, problemOf } from "../server/api.js";
import { gameText, trimmed } from "../state/game.js";

/** A game with its number.
 * @typedef {{number: string, game: string, moves: string[], outcome: string}} Listed */

/** Games as the server answers them, and how many there are.
 * @typedef {{total: string, games: Listed[]}} Page */

/** Which games there are to choose: what the choice says, and what it is called.
 * @type {Record<string, [string, (where: string) => string]>} */
const OUTCOMES = {
  "": ["all games", (where) => `All games ${where}`],
  X_wins: ["games that X wins", (where) => `The games ${where} that X wins`],
  O_wins: ["games that O wins", (where) => `The games ${where} that O wins`],
  draw: ["draws", (where) => `The games ${where} that are draws`],
};

/**
 * Return the part of a panel that steps through games by number, {element, show(view), hide()}. What it can step through is
 * known after the first answer, and only then is it offered.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {{go: (game: string) => Promise<void>}} exploring shows the games
 */
export function makeListing(session, api, exploring) {
  let base = ""; // the game from which they all go on
  let grid = "";
  /** @type {bigint | null} how many there are; null until that is known */
  let total = null;
  /** @type {bigint | null} the number of the game on the board */
  let number = null;
  /** @type {Listed | null} what is on the board */
  let shown = null;
  let why = ""; // they cannot be numbered
  let abort = new AbortController();

  const options = Object.entries(OUTCOMES).map(([value, [label]]) => h("option", { value }, label));
  const outcome = h("select", { "aria-label": "Which games", onchange: () => restart() }, ...options);
  const origin = h("p", { class: "about", role: "status" });
  const here = button("From here", () => canBegin() && restart(textOf(session.view)), {
    title: "Only games that go on from the position on the board",
  });
  const start = button("From the start", () => restart(grid));
  const typed = { inputmode: "numeric", autocomplete: "off", spellcheck: "false" };
  const field = h("input", { id: "game-number", "aria-describedby": "game-fault", ...typed });
  const fault = h("p", { id: "game-fault", class: "fault", role: "alert" });
  const said = h("p", { class: "said", role: "status" });
  /**
   * @param {string} path
   * @param {string} title
   * @param {(total: bigint) => bigint} choose
   */
  const step = (path, title, choose) => {
    const made = button("", () => go(choose), { class: "button icon-button", "aria-label": title, title });
    made.append(icon(path));
    return made;
  };
  const steps = h(
    "div",
    {},
    h(
      "div",
      { class: "row stepping", role: "group", "aria-label": "Step through the games" },
      step(SIGNS.first, "First game", () => 0n),
      step(SIGNS.back, "Previous game", () => (number === null ? 0n : number - 1n)),
      step(SIGNS.forward, "Next game", () => (number === null ? 0n : number + 1n)),
      step(SIGNS.last, "Last game", (count) => count - 1n),
      button("Random", random),
    ),
    said,
    h(
      "form",
      { onsubmit: submit, novalidate: true },
      h("label", { for: "game-number" }, "Number"),
      h("div", { class: "copying" }, field, h("button", { class: "button" }, "Go")),
    ),
    fault,
  );
  const element = h(
    "section",
    { class: "listing" },
    h("h3", {}, "Every game, by number"),
    h("div", { class: "row which" }, outcome, here, start),
    origin,
    steps,
  );

  /** Begin with other games: those from a position on, or those that end in a way. */
  function restart(from = base) {
    abort.abort();
    base = from;
    total = number = shown = null;
    why = "";
    field.value = "";
    fault.textContent = "";
    draw();
    count();
  }

  /** Ask how many there are. */
  async function count() {
    abort = new AbortController();
    const { signal } = abort;
    try {
      const found = BigInt((await page("games", { first: "0", limit: 1 }, signal)).total);
      if (signal.aborted) return;
      total = found;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      why = problemOf(error).message;
    }
    draw();
  }

  /** Whether there are other games to go through from the position on the board. */
  function canBegin() {
    const { viewOrNull: view } = session;
    return view !== null && view.outcome === null && textOf(view) !== base && view.played > 0;
  }

  function draw() {
    const { viewOrNull: view } = session;
    if (!view) return;
    const isWhole = base === grid;
    const which = OUTCOMES[outcome.value][1](isWhole ? `of ${grid}` : `that begin ${base}`);
    const many = total === null ? "counting…" : total === 0n ? "none" : `${written(total)}, numbered from 0`;
    origin.replaceChildren(...breakable(why ? `${which} are not numbered: ${why}.` : `${which}: ${many}.`));
    start.hidden = isWhole;
    setEnabled(here, canBegin());
    here.hidden = isWhole && why !== "";
    outcome.hidden = why !== "";
    steps.hidden = !total;
    said.textContent = shown ? sentence(shown) : "";
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    go((count) => readNumber(field.value, count));
  }

  /**
   * Show a game by its number.
   * @param {(total: bigint) => bigint} choose returns the number
   */
  async function go(choose) {
    await put((signal) => {
      if (!total) throw new Error("There is no such game.");
      number = within(choose(total), total); // known at once, for those who press a button many times
      return page("games", { first: String(number), limit: 1 }, signal);
    });
  }

  async function random() {
    await put((signal) => page("games/random", { number: 1 }, signal));
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal} signal
   * @returns {Promise<Page>}
   */
  function page(path, body, signal) {
    const whole = { game: base, outcome: outcome.value || null, ...body };
    return api.retrying(() => api.post(path, whole, { signal }), { signal });
  }

  /**
   * Put a game on the board; what fails is said, and the board stays.
   * @param {(signal: AbortSignal) => Promise<Page>} find
   */
  async function put(find) {
    if (!base) return; // the server has not been reached yet
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const before = number;
    fault.textContent = "";
    field.removeAttribute("aria-invalid");
    try {
      const [found] = (await find(signal)).games;
      if (signal.aborted) return;
      if (!found) throw new Error("There is no such game.");
      number = BigInt(found.number);
      field.value = written(number);
      await exploring.go(found.game);
      shown = found;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      number = before;
      fault.textContent =
        error instanceof Problem
          ? `${capital(error.message)}.`
          : String(error instanceof Error ? error.message : error);
      field.setAttribute("aria-invalid", "true");
    }
    draw();
  }

  /**
   * Follow the position on the board; another grid begins again.
   * @param {import("../state/game.js").View} view
   */
  function show(view) {
    if (grid !== view.name) {
      grid = view.name;
      restart(grid);
    }
    draw();
  }

  return { element, show, hide: () => {} };
}

/**
 * Return what there is to say of a game.
 * @param {Listed} game
 */
function sentence({ number, moves, outcome }) {
  const result = outcome === "draw" ? "a draw" : `${outcome[0]} wins`;
  return `Game ${written(number)}: ${counted(moves.length, "move")}, ${result}.`;
}

/**
 * Return a number if there is a game with it.
 * @param {bigint} wanted
 * @param {bigint} total
 */
function within(wanted, total) {
  if (wanted < 0n) throw new Error("This is the first game.");
  if (wanted >= total) throw new Error("This is the last game.");
  return wanted;
}

/**
 * Return the text of the game on the board without the moves that were undone.
 * @param {import("../state/game.js").View} view
 */
function textOf(view) {
  return gameText(trimmed(view));
}
