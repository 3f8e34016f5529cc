// All games from some position on, by number: first, previous, next, last, any, and one at random.

import { h } from "./dom.js";
import { breakable, readNumber, written } from "./numbers.js";
import { capital } from "./words.js";

const OUTCOMES = [
  ["", "all games"],
  ["X_wins", "games that X wins"],
  ["O_wins", "games that O wins"],
  ["draw", "draws"],
];

/** Return the part of a panel that steps through games by number, {element, follow(view)}. */
export function makeListing(session, api) {
  let base = null; // the game from which they all go on
  let grid = null;
  let total = null; // how many there are; known after the first answer
  let number = null; // of the game on the board
  let abort = null;

  const outcome = h(
    "select",
    { "aria-label": "Which games", onchange: () => restart() },
    ...OUTCOMES.map(([value, label]) => h("option", { value }, label)),
  );
  const origin = h("p", { class: "about" });
  const here = h(
    "button",
    { type: "button", class: "button", onclick: () => session.view && restart(textOf(session.view)) },
    "From this position",
  );
  const start = h("button", { type: "button", class: "button", onclick: () => restart(grid) }, "From the start");
  const field = h("input", {
    id: "game-number",
    inputmode: "numeric",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": "game-fault",
  });
  const fault = h("p", { id: "game-fault", class: "fault", role: "alert" });
  const said = h("p", { class: "said", role: "status" });
  const step = (label, title, to) =>
    h("button", { type: "button", class: "button", "aria-label": title, title, onclick: () => go(to) }, label);
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
      step("Last", "Last game", () => total - 1n),
      h("button", { type: "button", class: "button", onclick: random }, "Random"),
    ),
    said,
  );

  /** Begin with other games: those from a position on, or those that end in a way. */
  function restart(from = base) {
    abort?.abort();
    base = from;
    total = null;
    number = null;
    field.value = "";
    fault.textContent = "";
    said.textContent = "";
    draw();
  }

  function draw() {
    if (!session.view) return;
    const isWhole = base === grid;
    origin.replaceChildren(
      ...breakable(
        `${isWhole ? `All games of ${grid}` : `Those that go on from ${base}`}${total === null ? "." : `: ${written(total)}, numbered from 0.`}`,
      ),
    );
    start.hidden = isWhole;
    here.hidden = session.view.outcome !== null || textOf(session.view) === base || session.view.played === 0;
  }

  function submit(event) {
    event.preventDefault();
    go(() => readNumber(field.value, total));
  }

  /** Show the game with the number that `choose()` returns, which may use the total. */
  async function go(choose) {
    await ask(async (signal) => {
      if (total === null) total = BigInt((await page("games", { first: "0", limit: 1 }, signal)).total);
      if (total === 0n) throw new Error("There is no such game.");
      number = within(choose()); // known at once, for those who press a button many times
      const { games } = await page("games", { first: String(number), limit: 1 }, signal);
      return games[0];
    });
  }

  function within(wanted) {
    if (wanted < 0n) throw new Error("This is the first game.");
    if (wanted >= total) throw new Error("This is the last game.");
    return wanted;
  }

  async function random() {
    await ask(async (signal) => {
      const answer = await page("games/random", { number: 1 }, signal);
      total = BigInt(answer.total);
      if (!answer.games.length) throw new Error("There is no such game.");
      return answer.games[0];
    });
  }

  function page(path, body, signal) {
    return api.patiently(
      () => api.post(path, { game: base, outcome: outcome.value || null, ...body }, { signal }),
      signal,
    );
  }

  /** Put the game that `find` returns on the board; what fails is said, and the board stays. */
  async function ask(find) {
    if (!base) return; // the server has not been reached yet
    abort?.abort();
    const { signal } = (abort = new AbortController());
    const before = number;
    fault.textContent = "";
    field.removeAttribute("aria-invalid");
    said.textContent = "Looking…";
    try {
      const found = await find(signal);
      if (signal.aborted) return;
      number = BigInt(found.number);
      field.value = written(number);
      await session.open(found.game);
      said.textContent = `Game ${written(number)}: ${found.moves.length} moves, ${found.outcome === "draw" ? "a draw" : `${found.outcome[0]} wins`}.`;
    } catch (error) {
      if (signal.aborted || error.name === "AbortError") return;
      number = before;
      said.textContent = "";
      fault.textContent = error instanceof api.Problem ? `${capital(error.message)}.` : error.message;
      field.setAttribute("aria-invalid", "true");
    }
    draw();
  }

  /** Notice another position; another grid begins again. */
  function follow(view) {
    if (grid !== view.name) {
      grid = view.name;
      restart(grid);
    }
    draw();
  }

  return { element, follow };
}

/** Return the game on the board without the moves that were taken back. */
function textOf({ start, moves, played }) {
  return [start, ...moves.slice(0, played)].join(" ");
}
