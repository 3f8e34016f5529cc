// The panel "Puzzles": the one of the day, and all others by game and difficulty. A puzzle is a mode of the board: a click is an
// attempt, which the server judges. What was solved is kept in this browser alone.

import { bringIntoSight, button, h, setEnabled } from "../dom/dom.js";
import { smallBoard } from "../dom/pictures.js";
import { counted } from "../dom/text.js";
import { problemOf } from "../server/api.js";
import { refusalOf } from "../state/game.js";
import { dayOf, isSolved, noteSolved, streakOf } from "./solved.js";

/** @typedef {import("../state/game.js").View} View */

/** A puzzle without its solution, as docs/http.md describes it.
 * @typedef {{id: string, name: string, kind: string, title: string, game: string, position: string, stars: number}} Summary */

/** What a move of an attempt is worth.
 * @typedef {{right: boolean, solved: boolean, text: string, hint: string | null, view: View}} Attempt */

/** The puzzle on the board.
 * @typedef {object} Run
 * @property {Summary} puzzle
 * @property {View} view
 * @property {string[]} moves the solver's own, so far all right
 * @property {boolean} isOver whether it is solved, or its solution was shown
 * @property {boolean} isSending whether an attempt is on its way
 * @property {string | null} hint where the next move is, if the server said so
 */

const SHOWN = 30; // puzzles of the list, until one asks for all
const IN_A_ROOM = "The board belongs to a game with a friend. Leave it to solve puzzles.";

/** @type {Record<string, string>} */
const KINDS = { win: "win", draw: "hold the draw", block: "find the block" };

/**
 * Return the panel.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @returns {import("./tabs.js").Panel}
 */
export function puzzlesPanel(session, api) {
  let isOpen = false;
  /** @type {Summary[] | null} all of them, once they were asked for */
  let all = null;
  /** @type {Run | null} */
  let run = null;
  let isWhole = false; // whether all of the list is shown
  /** @type {string | null} the puzzle that is on its way */
  let wanted = null;

  // -- what there is to press -----------------------------------------------------------------------------

  const daily = button("Puzzle of the day", () => start("daily"), { class: "button strong" });
  const streak = h("p", { class: "about", role: "status" });
  const game = h("select", { "aria-label": "Game", onchange: drawList }, h("option", { value: "" }, "Any game"));
  const kind = h(
    "select",
    { "aria-label": "Kind", onchange: drawList },
    h("option", { value: "" }, "Any kind"),
    ...Object.entries(KINDS).map(([value, label]) => h("option", { value }, label)),
  );
  const stars = h(
    "select",
    { "aria-label": "Difficulty", onchange: drawList },
    h("option", { value: "" }, "Any stars"),
    ...[1, 2, 3, 4, 5].map((value) => h("option", { value: String(value) }, starText(value))),
  );
  const list = h("ul", { class: "puzzle-list", tabindex: "0", "aria-label": "Puzzles" });
  const more = button("", () => {
    isWhole = true;
    drawList();
  });
  const note = h("p", { class: "about" });
  const hint = button("Hint", showHint);
  const give = button("Solution", showSolution);
  const next = button("Next puzzle", startNext);
  const leave = button("Leave", () => session.leave());
  const actions = h("div", { class: "actions" }, hint, give, next, leave);
  const element = h(
    "div",
    { class: "puzzles" },
    h("div", { class: "row" }, daily),
    streak,
    h("h3", {}, "All puzzles"),
    h("div", { class: "row filters" }, game, kind, stars),
    note,
    list,
    more,
  );

  // -- coming and going -----------------------------------------------------------------------------------

  async function open() {
    isOpen = true;
    draw();
    if (!all) {
      await session.attempt(async () => {
        all = (await api.get("puzzles")).puzzles;
        const names = [...new Set((all ?? []).map(({ name }) => name))];
        game.append(...names.map((name) => h("option", { value: name }, name)));
      });
    }
    draw();
    follow();
  }

  /** Show the puzzle that the address names. */
  function follow() {
    const { puzzle: id } = session.extras;
    if (!isOpen || !id || id === wanted || id === run?.puzzle.id || isInRoom()) return;
    start(id);
  }

  /**
   * Put a puzzle on the board.
   * @param {string} id or "daily"
   */
  async function start(id) {
    if (isInRoom()) return;
    wanted = id;
    try {
      const path = id === "daily" ? `puzzles/daily?date=${dayOf(new Date())}` : `puzzles/${encodeURIComponent(id)}`;
      const { view, ...puzzle } = await api.retrying(() => api.get(path));
      if (wanted !== id) return;
      enter(puzzle, view);
    } catch (error) {
      if (wanted !== id) return;
      const { message, isPassing } = problemOf(error);
      if (!run) session.setExtras({ puzzle: null });
      session.say(isPassing ? { message, retry: () => start(id) } : { message });
    } finally {
      if (wanted === id) wanted = null;
    }
  }

  /**
   * @param {Summary} puzzle
   * @param {View} view
   */
  function enter(puzzle, view) {
    const isFirst = run === null;
    run = { puzzle, view, moves: [], isOver: false, isSending: false, hint: null };
    session.say(null);
    session.setExtras({ puzzle: puzzle.id }, "push");
    if (isFirst) {
      session.enter({ name: "puzzle", click, jump: null, actions, onLeave, seats: {}, withoutHelp: true }, view);
    }
    show(view, puzzle.title);
    draw();
    bringIntoSight("table");
  }

  function onLeave() {
    run = wanted = null;
    session.setExtras({ puzzle: null });
    draw();
  }

  /** Start the puzzle behind the current one in the list, the first that is not solved if there is none. */
  function startNext() {
    const shown = chosen();
    const at = shown.findIndex(({ id }) => id === run?.puzzle.id);
    const following = [...shown.slice(at + 1), ...shown].find(({ id }) => id !== run?.puzzle.id && !isSolved(id));
    if (following) start(following.id);
    else session.say({ message: "All of these are solved.", tone: "good" });
  }

  // -- solving --------------------------------------------------------------------------------------------

  /** @param {string} name */
  async function click(name) {
    const mine = run;
    if (!mine || mine.isSending || mine.isOver) return;
    const refusal = refusalOf(mine.view, name);
    if (refusal) return session.say({ message: refusal });
    mine.isSending = true;
    session.say(null);
    try {
      const body = { moves: [...mine.moves, name] };
      /** @type {Attempt} */
      const attempt = await api.retrying(() => api.post(`puzzles/${mine.puzzle.id}/attempt`, body));
      if (run !== mine) return;
      mine.hint = attempt.hint;
      if (attempt.right) mine.moves = body.moves;
      mine.isOver = attempt.solved;
      if (attempt.solved) noteSolved(mine.puzzle.id, dayOf(new Date()));
      show(attempt.view, attempt.text, attempt.right ? [] : [name]);
      draw();
    } catch (error) {
      if (run === mine) session.fail(problemOf(error), () => click(name));
    } finally {
      mine.isSending = false;
    }
  }

  async function showHint() {
    if (!run || run.isOver) return;
    const { puzzle } = run;
    await session.attempt(async () => {
      run && (run.hint ??= (await api.get(`puzzles/${puzzle.id}?solution=true`)).hint);
      if (run?.puzzle.id === puzzle.id && run.hint) session.say({ message: run.hint, tone: "good" });
    });
  }

  async function showSolution() {
    if (!run) return;
    const { puzzle } = run;
    await session.attempt(async () => {
      const { line } = await api.get(`puzzles/${puzzle.id}?solution=true`);
      const view = await api.post("position", { game: [puzzle.game, ...line].join(" ") });
      if (run?.puzzle.id !== puzzle.id) return;
      run.isOver = true;
      show(view, `The solution is ${line.join(" ")}.`);
      draw();
    });
  }

  // -- showing --------------------------------------------------------------------------------------------

  /**
   * @param {View} view
   * @param {string} text
   * @param {string[]} guilty the move that was wrong
   */
  function show(view, text, guilty = []) {
    if (!run) return;
    run.view = view;
    const legal = run.isOver ? [] : view.legal;
    session.present({ ...view, moves: [], played: 0, legal, status: text, said: text });
    session.annotate({ guilty });
  }

  const isInRoom = () => session.mode !== null && !run;

  /** Return the puzzles that the filters let through. */
  function chosen() {
    return (all ?? []).filter(
      (each) =>
        (game.value === "" || each.name === game.value) &&
        (kind.value === "" || each.kind === kind.value) &&
        (stars.value === "" || each.stars === Number(stars.value)),
    );
  }

  function draw() {
    const days = streakOf(dayOf(new Date()));
    streak.textContent = days
      ? `Solved on ${counted(days, "day")} in a row.`
      : "A new one every day, the same for all.";
    setEnabled(daily, !isInRoom());
    setEnabled(hint, run !== null && !run.isOver);
    setEnabled(give, run !== null && !run.isOver);
    next.classList.toggle("strong", Boolean(run?.isOver));
    drawList();
  }

  function drawList() {
    if (!isOpen) return;
    const shown = chosen();
    const solved = shown.filter(({ id }) => isSolved(id)).length;
    note.textContent = isInRoom() ? IN_A_ROOM : all ? `${solved} of ${shown.length} solved.` : "Loading";
    const current = run?.puzzle.id;
    const first = shown.filter(({ id }, at) => isWhole || at < SHOWN || id === current);
    list.replaceChildren(...first.map(entry));
    more.hidden = first.length === shown.length;
    more.textContent = `Show all ${shown.length}`;
  }

  /** @param {Summary} puzzle */
  function entry({ id, name, title, position, stars: count }) {
    const solved = isSolved(id);
    const label = `${title}, ${name}, ${starText(count)}${solved ? ", solved" : ""}`;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "puzzle",
          "aria-label": label,
          "aria-current": run?.puzzle.id === id ? "true" : null,
          "data-solved": String(solved),
          onclick: () => start(id),
        },
        h("span", { class: "thumbnail", "aria-hidden": "true" }, smallBoard(position, "")),
        h("span", {}, h("strong", {}, title), h("span", { class: "kind" }, `${name}  ${"★".repeat(count)}`)),
        h("span", { class: "done", "aria-hidden": "true" }, solved ? "✓" : ""),
      ),
    );
  }

  session.on(["extras"], follow);
  return {
    name: "puzzles",
    title: "Puzzles",
    element,
    shown: open,
    hidden() {
      isOpen = false;
      if (run) session.leave();
    },
  };
}

/** @param {number} count */
function starText(count) {
  return counted(count, "star");
}
