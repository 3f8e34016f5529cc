// What is behind every move of the position on the board: its proved value, and exactly how many games go on from it.
// Moves that are the same up to symmetry share a row. A click plays a move, in the mode of exploring.

import { button, h, markIcon } from "../dom/dom.js";
import { barChart } from "../dom/pictures.js";
import { breakable, capital, ratio, share, shortly, written } from "../dom/text.js";
import { problemOf } from "../server/api.js";

/** @typedef {import("../state/game.js").View} View */

/** How many games there are, by outcome and by the number of moves still to come; decimal strings.
 * @typedef {{total: string, x_wins: string, o_wins: string, draws: string, by_length: Record<string, string>}} Counts */

/** What is proved: a value, or bounds while it is open.
 * @typedef {{value: string, at_least: string, at_most: string, plies: number | null, proved: boolean}} Proof */

/** A move: what is proved of it, the moves that are the same up to symmetry, and the games behind it if they are counted.
 * @typedef {Proof & {alike: string[], games: Counts | null}} Explored */

/** What the server answers; the moves come best first.
 * @typedef {{position: string, text: string, games: Counts | null, moves: Record<string, Explored>, notes: string[]}} Answer */

/** A row of the table: the moves that are alike, what is known of them, and their place in the best order.
 * @typedef {{moves: string[], known: Explored, rank: number}} Row */

const PAUSE = 250; // milliseconds on a position before anything is asked: some only step through
const PATIENCE = 1000; // milliseconds for which what was there stays while nothing is known
const SECONDS = 10;
const KNOWN_POSITIONS = 300;

/** @type {["x_wins" | "draws" | "o_wins", string, string | null][]} */
const OUTCOMES = [
  ["x_wins", "X wins", "X"],
  ["draws", "Draws", null],
  ["o_wins", "O wins", "O"],
];

/** Which part of a row's games end in a way; nothing sorts them last.
 * @param {Row} row
 * @param {"x_wins" | "draws" | "o_wins"} outcome */
const partOf = ({ known: { games } }, outcome) => (games ? ratio(BigInt(games[outcome]), BigInt(games.total)) : -1);

/** How the table may be sorted: by name what a row is measured by, the largest first.
 * @type {Record<string, (row: Row) => number | bigint>} */
const SORTERS = {
  value: ({ rank }) => -rank,
  games: ({ known }) => (known.games ? BigInt(known.games.total) : -1n),
  x_wins: (row) => partOf(row, "x_wins"),
  draws: (row) => partOf(row, "draws"),
  o_wins: (row) => partOf(row, "o_wins"),
};

/**
 * Return the explorer, {element, show(view), hide()}.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {{play: (name: string) => unknown}} exploring plays the moves
 */
export function makeExplorer(session, api, exploring) {
  /** @type {Map<string, Answer>} finished answers by position */
  const known = new Map();
  /** @type {View | null} */
  let view = null;
  /** @type {Answer | null} what is known of its position */
  let answer = null;
  let isRunning = false;
  let fault = "";
  let sorting = "value";
  let isReversed = false;
  /** @type {string[]} the first moves of the rows as they are drawn */
  let order = [];
  /** @type {string | null} the move that is looked at */
  let looked = null;
  let abort = new AbortController();

  const most = Math.min(SECONDS, session.version?.limits.max_seconds ?? SECONDS);
  const title = h("h3", {});
  const verdict = h("p", { class: "verdict", role: "status" });
  const summary = h("div", { class: "summary" });
  const bar = h("div", { class: "bar" });
  const heads = Object.fromEntries(
    [["value", "Value"], ["games", "Games"], ...OUTCOMES].map(([name, label]) => [
      name,
      h("button", { type: "button", class: "sort", "data-sort": name, onclick: () => sort(name) }, label),
    ]),
  );
  const columns = {
    value: h("th", { scope: "col" }, heads.value),
    games: h("th", { scope: "col" }, heads.games),
  };
  const outcomes = h("th", { scope: "colgroup", colspan: 3 });
  outcomes.append(h("span", { class: "ends" }, heads.x_wins, heads.draws, heads.o_wins));
  const table = h(
    "table",
    { class: "moves-table" },
    h("caption", { class: "unseen" }, "Moves, with their values and the games behind them"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), columns.value, columns.games), h("tr", {}, outcomes)),
  );
  const alike = h("p", { class: "about" }, "Moves in one row are the same, turned or mirrored.");
  const notes = h("ul", { class: "notes" });
  const longer = button("Look longer", () => view && ask(view, session.version?.limits.max_seconds ?? SECONDS));
  const lengths = h("div", {});
  const element = h(
    "section",
    { class: "explorer" },
    title,
    verdict,
    summary,
    bar,
    table,
    alike,
    notes,
    longer,
    lengths,
  );

  // -- asking ---------------------------------------------------------------------------------------------

  /**
   * Show what is behind the moves of a view's position. What is there stays until there is something to show.
   * @param {View} next
   */
  async function show(next) {
    if (view?.position === next.position) return;
    hide();
    view = next;
    looked = null;
    fault = "";
    element.ariaBusy = "true";
    const found = known.get(next.position);
    if (found || next.outcome) return take(found ?? null);
    abort = new AbortController();
    const { signal } = abort;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (!signal.aborted) await ask(next, most);
    return undefined;
  }

  /** Ask for nothing any more. */
  function hide() {
    abort.abort();
    isRunning = false;
    view = null;
  }

  /**
   * @param {View} asked
   * @param {number} seconds
   */
  async function ask({ game, position }, seconds) {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    isRunning = true;
    fault = "";
    bar.dataset.running = "true";
    const begun = performance.now();
    const onProgress = (/** @type {Answer} */ progress) => {
      const isSoon = performance.now() - begun < PATIENCE;
      if (!signal.aborted && (rowsOf(progress).length > 0 || !isSoon)) take(progress);
    };
    try {
      const body = { game, seconds };
      const found = await api.retrying(() => api.stream("explore", body, { signal, onProgress }), { signal });
      if (signal.aborted) return;
      isRunning = false;
      remember(position, found);
      take(found);
    } catch (error) {
      if (signal.aborted) return;
      isRunning = false;
      fault = problemOf(error).message;
      take(answer?.position === position ? answer : null);
    }
  }

  /**
   * @param {string} position
   * @param {Answer} found
   */
  function remember(position, found) {
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= KNOWN_POSITIONS) known.delete(oldest);
    known.set(position, found);
  }

  // -- drawing --------------------------------------------------------------------------------------------

  /** @param {Answer | null} found */
  function take(found) {
    if (!view) return;
    const isOther = found?.position !== answer?.position;
    const hadFocus = table.contains(document.activeElement);
    answer = found;
    element.ariaBusy = "false";
    bar.dataset.running = String(isRunning);
    title.textContent = view.outcome ? "The game is over" : "Moves from here";
    verdict.textContent = found ? capital(`${found.text}.`) : "";
    drawTable(isOther || !isRunning);
    drawSummary();
    const why = fault ? [...(found?.notes ?? []), `${capital(fault)}.`] : isRunning ? [] : (found?.notes ?? []);
    notes.replaceChildren(...why.map((note) => h("li", {}, note)));
    longer.hidden = isRunning || why.length === 0 || !isWorthMore(found);
    drawLengths(found);
    if (hadFocus && isOther) buttonsOf()[0]?.focus({ preventScroll: true });
  }

  /**
   * Draw the rows. While more comes in, they keep their order: one is about to press one of them.
   * @param {boolean} isSorted whether to sort them
   */
  function drawTable(isSorted) {
    const rows = rowsOf(answer);
    table.hidden = rows.length === 0;
    alike.hidden = rows.every(({ moves }) => moves.length === 1);
    if (isSorted) order = sorted(rows).map(({ moves }) => moves[0]);
    const hasGames = Boolean(answer?.games);
    columns.games.hidden = outcomes.hidden = !hasGames;
    for (const [name, head] of Object.entries(heads)) {
      head.setAttribute("aria-pressed", String(name === sorting));
      head.dataset.reversed = String(name === sorting && isReversed);
    }
    const direction = isReversed ? "ascending" : "descending";
    for (const [name, column] of Object.entries(columns))
      column.setAttribute("aria-sort", name === sorting ? direction : "none");
    const byFirst = new Map(rows.map((row) => [row.moves[0], row]));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.move : undefined;
    for (const body of [...table.tBodies]) body.remove();
    for (const first of order) {
      const row = byFirst.get(first);
      if (row) table.append(bodyOf(row, answer?.games ?? null));
    }
    const buttons = buttonsOf();
    const kept = buttons.find(({ dataset }) => dataset.move === focused);
    rove(kept ?? buttons[0]);
    kept?.focus({ preventScroll: true });
  }

  /** @param {Row[]} rows */
  function sorted(rows) {
    const size = SORTERS[sorting];
    const sign = isReversed ? -1 : 1;
    return rows.sort((one, other) => {
      const [a, b] = [size(one), size(other)];
      return (a > b ? -1 : a < b ? 1 : one.rank - other.rank) * sign;
    });
  }

  /** @param {string} name */
  function sort(name) {
    isReversed = name === sorting && !isReversed;
    sorting = name;
    drawTable(true);
    heads[name].focus({ preventScroll: true });
  }

  /** Show the numbers of the move that is looked at, or of all. */
  function drawSummary() {
    const known = looked === null ? null : answer?.moves[looked];
    const games = known ? known.games : (answer?.games ?? null);
    summary.hidden = !answer?.games;
    if (!games) return;
    const total = BigInt(games.total);
    const what = known ? `after ${looked}` : "from here";
    const lines = OUTCOMES.map(([name, label, mark]) => {
      const count = BigInt(games[name]);
      const sign = mark ? markIcon(mark) : h("i", { class: "swatch" });
      return h(
        "tr",
        { "data-outcome": name },
        h("th", { scope: "row" }, h("span", {}, sign, label)),
        h("td", {}, ...breakable(written(count))),
        h("td", {}, share(count, total)),
      );
    });
    summary.replaceChildren(
      h(
        "p",
        {},
        h("strong", { class: "number" }, ...breakable(written(total))),
        ` ${total === 1n ? "game" : "games"} ${what}`,
      ),
      h("table", { class: "outcomes" }, h("caption", { class: "unseen" }, `Games ${what}`), h("tbody", {}, ...lines)),
    );
  }

  /** @param {Answer | null} found */
  function drawLengths(found) {
    lengths.replaceChildren();
    if (!found?.games) return;
    /** @type {[string, bigint][]} */
    const rows = Object.entries(found.games.by_length).map(([length, count]) => [length, BigInt(count)]);
    rows.sort(([one], [other]) => Number(one) - Number(other));
    const total = BigInt(found.games.total);
    lengths.append(barChart({ caption: "Moves left to the end", head: ["Moves", "Games"], rows, total }));
  }

  // -- looking and playing --------------------------------------------------------------------------------

  /** @param {string | null} name */
  function look(name) {
    if (name === looked || !view || session.viewOrNull?.position !== view.position) return;
    looked = name;
    const alike = name === null ? [] : (answer?.moves[name]?.alike ?? []);
    session.annotate({ preview: name === null ? [] : [name], marked: alike.length > 1 ? alike : [] });
    for (const body of table.tBodies) body.dataset.looked = String(body.dataset.moves?.split(" ").includes(name ?? ""));
    drawSummary();
  }

  /** @param {Event} event */
  function moveAt({ target }) {
    const at = target instanceof Element ? target : null;
    const name = at?.closest(".move");
    if (name instanceof HTMLElement) return name.dataset.move ?? null;
    const body = at?.closest("tbody");
    return body?.dataset.moves?.split(" ")[0] ?? null;
  }

  table.addEventListener("pointerover", (event) => look(moveAt(event)));
  table.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && look(null));
  table.addEventListener("focusin", (event) => {
    look(moveAt(event));
    if (event.target instanceof HTMLElement && event.target.dataset.move) rove(event.target);
  });
  table.addEventListener("focusout", (event) => {
    if (!(event.relatedTarget instanceof Node) || !table.contains(event.relatedTarget)) look(null);
  });
  table.addEventListener("click", (event) => {
    const isMove = event.target instanceof Element && event.target.closest(".move") !== null;
    const isMouse = !(event instanceof PointerEvent) || event.pointerType !== "touch";
    const name = moveAt(event);
    // A finger has nothing to look with, so a row that is not the name of a move is only looked at.
    if (name && (isMove || isMouse)) exploring.play(name);
    else look(name);
  });

  // One button is in the tab order, and arrows lead to the others; those to the sides step through the moves as elsewhere.
  table.addEventListener("keydown", (event) => {
    const buttons = buttonsOf();
    const at = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : -1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  });

  /** @returns {HTMLElement[]} */
  function buttonsOf() {
    return [...table.querySelectorAll("tbody .move")].filter((each) => each instanceof HTMLElement);
  }

  /** @param {HTMLElement | undefined} current */
  function rove(current) {
    for (const each of buttonsOf()) each.tabIndex = each === current ? 0 : -1;
  }

  return { element, show, hide };
}

/**
 * Return the rows of the moves that are alike, best first.
 * @param {Answer | null} answer
 * @returns {Row[]}
 */
function rowsOf(answer) {
  const entries = Object.entries(answer?.moves ?? {});
  const isAnythingKnown = answer?.games || entries.some(([, { proved }]) => proved);
  const firsts = new Set();
  return (isAnythingKnown ? entries : []).flatMap(([, known], rank) => {
    const { alike } = known;
    if (firsts.has(alike[0])) return [];
    firsts.add(alike[0]);
    return [{ moves: alike, known, rank }];
  });
}

/**
 * Return a row, drawn in two lines: the moves with their value and games, and how the games end.
 * @param {Row} row
 * @param {Counts | null} whole
 */
function bodyOf({ moves, known }, whole) {
  const names = moves.map((name) =>
    h("button", { type: "button", class: "move", "data-move": name, title: `Play ${name}` }, name),
  );
  const worth = known.proved ? known.value : "estimate";
  const { games } = known;
  const first = h(
    "tr",
    {},
    h("th", { scope: "row" }, h("span", { class: "names" }, ...names)),
    h("td", { class: "worth", "data-value": worth }, wordsOf(known)),
  );
  if (whole)
    first.append(
      h(
        "td",
        { title: games && written(games.total) },
        games ? shortly(games.total) : "not counted",
        games && h("small", {}, share(BigInt(games.total), BigInt(whole.total))),
      ),
    );
  const rows = [first];
  if (games) rows.push(h("tr", {}, h("td", { colspan: 3 }, endsOf(games), exactOf(games))));
  return h("tbody", { "data-moves": moves.join(" ") }, ...rows);
}

/**
 * Return how games end, as a bar whose parts say what they are.
 * @param {Counts} games
 */
function endsOf(games) {
  const total = BigInt(games.total);
  const parts = OUTCOMES.map(([name, label]) => {
    const count = BigInt(games[name]);
    const part = ratio(count, total);
    const words = `${label} ${share(count, total)}`;
    const text = part >= 0.14 ? `${Math.round(100 * part)} %` : "";
    const span = h(
      "span",
      { "data-outcome": name, title: `${label}: ${written(count)}` },
      h("span", { class: "unseen" }, `${words} `),
      h("span", { "aria-hidden": "true" }, text),
    );
    span.style.flexGrow = String(part);
    span.hidden = count === 0n;
    return span;
  });
  return h("div", { class: "outcome-bar ends-bar" }, ...parts);
}

/**
 * Return how many games end how, exactly; shown where there is no mouse to look at a move with.
 * @param {Counts} games
 */
function exactOf(games) {
  const parts = OUTCOMES.map(([name, label]) => h("span", {}, `${label} `, ...breakable(written(games[name]))));
  return h("div", { class: "exact" }, ...parts);
}

/**
 * Return a proof in words: win in 5, draw, at least a draw, not proved.
 * @param {Proof} proof
 */
function wordsOf({ value, at_least: least, at_most: most, plies, proved }) {
  if (proved) return plies ? `${value} in ${plies}` : value;
  return least === "draw" ? "at least a draw" : most === "draw" ? "at most a draw" : "not proved";
}

/**
 * Return whether more time may find more: not where the games are too many or the board too large.
 * @param {Answer | null} answer
 */
function isWorthMore(answer) {
  return answer === null || answer.notes.some((note) => note.endsWith("the time was not enough."));
}
