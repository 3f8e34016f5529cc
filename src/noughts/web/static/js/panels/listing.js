// All games from some position on, by number: first, previous, next, last, any, and one at random.

import { button, h } from "../dom/dom.js";
import { breakable, capital, readNumber, written } from "../dom/text.js";
import { isAbort, Problem } from "../server/api.js";
import { gameText, trimmed } from "../state/game.js";

/** A game with its number.
 * @typedef {{number: string, game: string, moves: string[], outcome: string}} Listed */

/** Games as the server answers them, and how many there are.
 * @typedef {{total: string, games: Listed[]}} Page */

const OUTCOMES = [
  ["", "all games"],
  ["X_wins", "games that X wins"],
  ["O_wins", "games that O wins"],
  ["draw", "draws"],
];

/**
 * Return the part of a panel that steps through games by number, {element, follow(view)}.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 */
export function makeListing(session, api) {
  let base = ""; // the game from which they all go on
  let grid = "";
  /** @type {bigint | null} how many there are; known after the first answer */
  let total = null;
  /** @type {bigint | null} the number of the game on the board */
  let number = null;
  let abort = new AbortController();

  const options = OUTCOMES.map(([value, label]) => h("option", { value }, label));
  const outcome = h("select", { "aria-label": "Which games", onchange: () => restart() }, ...options);
  const origin = h("p", { class: "about" });
  const here = button("From this position", () => session.viewOrNull && restart(textOf(session.view)));
  const start = button("From the start", () => restart(grid));
  const typed = { inputmode: "numeric", autocomplete: "off", spellcheck: "false" };
  const field = h("input", { id: "game-number", "aria-describedby": "game-fault", ...typed });
  const fault = h("p", { id: "game-fault", class: "fault", role: "alert" });
  const said = h("p", { class: "said", role: "status" });
  /**
   * @param {string} label
   * @param {string} title
   * @param {(total: bigint) => bigint} choose
   */
  const step = (label, title, choose) => button(label, () => go(choose), { "aria-label": title, title });
  const element = h(
    "section",
    { class: "listing" },
    h("h3", {}, "Every game, by number"),
    h("div", { class: "row" }, outcome, here, start),
    origin,
    h(
      "form",
      { onsubmit: submit, novalidate: true },
      h("label", { for: "game-number" }, "Number"),
      h("div", { class: "copying" }, field, h("button", { class: "button" }, "Go")),
    ),
    fault,
    h(
      "div",
      { class: "row stepping", role: "group", "aria-label": "Step through the games" },
      step("First", "First game", () => 0n),
      step("Previous", "Previous game", () => (number === null ? 0n : number - 1n)),
      step("Next", "Next game", () => (number === null ? 0n : number + 1n)),
      step("Last", "Last game", (count) => count - 1n),
      button("Random", random),
    ),
    said,
  );

  /** Begin with other games: those from a position on, or those that end in a way. */
  function restart(from = base) {
    abort.abort();
    base = from;
    total = null;
    number = null;
    field.value = "";
    fault.textContent = "";
    said.textContent = "";
    draw();
  }

  function draw() {
    const { viewOrNull: view } = session;
    if (!view) return;
    const isWhole = base === grid;
    const which = isWhole ? `All games of ${grid}` : `Those that go on from ${base}`;
    origin.replaceChildren(
      ...breakable(total === null ? `${which}.` : `${which}: ${written(total)}, numbered from 0.`),
    );
    start.hidden = isWhole;
    here.hidden = view.outcome !== null || textOf(view) === base || view.played === 0;
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
    await show(async (signal) => {
      total ??= BigInt((await page("games", { first: "0", limit: 1 }, signal)).total);
      if (total === 0n) throw new Error("There is no such game.");
      number = within(choose(total), total); // known at once, for those who press a button many times
      return page("games", { first: String(number), limit: 1 }, signal);
    });
  }

  async function random() {
    await show(async (signal) => {
      const answer = await page("games/random", { number: 1 }, signal);
      total = BigInt(answer.total);
      return answer;
    });
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
  async function show(find) {
    if (!base) return; // the server has not been reached yet
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    const before = number;
    fault.textContent = "";
    field.removeAttribute("aria-invalid");
    said.textContent = "Looking…";
    try {
      const [found] = (await find(signal)).games;
      if (signal.aborted) return;
      if (!found) throw new Error("There is no such game.");
      number = BigInt(found.number);
      field.value = written(number);
      await session.open(found.game);
      const result = found.outcome === "draw" ? "a draw" : `${found.outcome[0]} wins`;
      said.textContent = `Game ${written(number)}: ${found.moves.length} moves, ${result}.`;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      number = before;
      said.textContent = "";
      fault.textContent =
        error instanceof Problem
          ? `${capital(error.message)}.`
          : String(error instanceof Error ? error.message : error);
      field.setAttribute("aria-invalid", "true");
    }
    draw();
  }

  /**
   * Notice another position; another grid begins again.
   * @param {import("../state/game.js").View} view
   */
  function follow(view) {
    if (grid !== view.name) {
      grid = view.name;
      restart(grid);
    }
    draw();
  }

  return { element, follow };
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
