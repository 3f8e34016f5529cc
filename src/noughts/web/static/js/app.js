// Start-up: makes the session, the board and the panels, and connects them. Nothing is decided here.
//
// How to add a panel: write a module in panels/ that exports `panel(session, api)`, which returns what tabs.js describes
// as a Panel, and add the function to PANELS. `session` is in state/session.js: read its fields, call its methods, and
// subscribe with `session.on(topics, listener)`. `api` is server/api.js. A panel that wants the board for itself is a
// mode: `session.enter(mode, view)`, then `session.present(view)`, and `session.leave()` at the end. What a panel wants to
// have in the address is `session.setExtras({name: text})`; it is found in `session.extras`, whose topic is "extras".

import { createBoard } from "./board/board.js";
import { makeHint } from "./board/hint.js";
import { describeKeys, listenForKeys } from "./board/keys.js";
import { listMoves, stepButtons } from "./board/moves.js";
import { seatOpponent } from "./board/opponent.js";
import { showSeat } from "./board/seats.js";
import { announceGame, showReports } from "./board/status.js";
import { listenForSwipes } from "./board/swipe.js";
import { makeZoom } from "./board/zoom.js";
import { byId, icon, setEnabled } from "./dom/dom.js";
import { analysisPanel } from "./panels/analysis.js";
import { explorePanel } from "./panels/explore.js";
import { makeHowTo } from "./panels/howto.js";
import { laterPanel } from "./panels/later.js";
import { learnPanel } from "./panels/learn.js";
import { gamePanel } from "./panels/picker.js";
import { puzzlesPanel } from "./panels/puzzles.js";
import { sharePanel } from "./panels/share.js";
import { makeSheet } from "./panels/sheet.js";
import { makeTabs } from "./panels/tabs.js";
import * as api from "./server/api.js";
import { keepPages } from "./server/offline.js";
import { watchServer } from "./server/presence.js";
import * as address from "./state/address.js";
import { SIDES } from "./state/game.js";
import { recall, remember } from "./state/memory.js";
import { PERSON, Session } from "./state/session.js";

const SLIDERS = "M4 7h9M19 7h1M16 4a3 3 0 1 0 0 6a3 3 0 0 0 0-6M4 17h1M11 17h9M8 14a3 3 0 1 0 0 6a3 3 0 0 0 0-6";
const DEFAULTS = { game: "3x3x3", players: { X: PERSON, O: "casual" }, panel: "game" };

async function start() {
  const version = await api.get("version").catch(() => null);
  const known = version ? null : recall(); // the server is away
  const session = new Session(api, version ?? known?.version ?? null, known?.views);
  remember(session);
  watchServer(session, api, byId("main"), version);
  const { board, zoom } = connectBoard(session);
  for (const side of SIDES) showSeat(session, side, byId(`seat-${side.toLowerCase()}`));
  announceGame(session, {
    title: byId("title"),
    status: byId("status"),
    detail: byId("detail"),
    live: byId("live"),
  });
  showReports(session, byId("problem"));
  listMoves(session, { list: byId("moves"), empty: byId("no-moves"), name: byId("name") });
  stepButtons(session, byId("steps"));
  const hint = makeHint(session, api, byId("hint"));
  const [analysis, share] = [analysisPanel(session, api), sharePanel(session, api)];
  const [explore, learn, puzzles] = [explorePanel, learnPanel, puzzlesPanel].map((panel) => panel(session, api));
  const rooms = laterPanel(session, {
    name: "link",
    title: "Friends",
    load: async () => (await import("./panels/rooms.js")).roomsPanel(session, api),
    isWanted: () => Boolean(session.extras.room),
  });
  const howTo = makeHowTo(session, api, /** @type {HTMLDialogElement} */ (byId("howto")));
  const game = gamePanel(session, howTo);
  const panels = [game, analysis, explore, learn, puzzles, rooms, share];
  makeTabs(session, panels, byId("tabs"), byId("panels"));

  const help = /** @type {HTMLDialogElement} */ (byId("help"));
  describeKeys(byId("keys"));
  byId("to-board").addEventListener("click", () => board.focus());
  byId("open-settings").append(icon(SLIDERS));
  byId("open-help").addEventListener("click", () => help.showModal());
  const sheet = makeSheet(session, /** @type {HTMLDialogElement} */ (byId("sheet")), game.element);
  connectButtons(session, hint, analysis, sheet);
  listenForKeys({ session, board, zoom, hint, help, share });
  for (const element of [byId("port"), byId("moves-card")]) {
    listenForSwipes(element, (step) => {
      const key = session.mode?.keys?.[step > 0 ? "ArrowRight" : "ArrowLeft"]; // a lesson has steps of its own
      if (element.dataset.zoomed === "true") return; // it scrolled
      if (key) key();
      else if (session.walked) session.step(step);
    });
  }

  connectSounds(session);
  address.unfoldShared();
  const restore = () => open(session, address.read(location.hash, DEFAULTS));
  address.keepAddress(session, restore);
  await restore();
  seatOpponent(session, api);
  document.documentElement.dataset.ready = "true";
  keepPages();
}

/**
 * Become what an address says; one that cannot be read is pointed at, and there is a game all the same.
 * @param {Session} session
 * @param {address.Wanted} wanted
 * @returns {Promise<void>}
 */
async function open(session, wanted) {
  try {
    await session.restore(wanted);
  } catch (error) {
    const problem = api.problemOf(error);
    if (!session.viewOrNull) await session.restore({ ...wanted, game: DEFAULTS.game }).catch(() => {});
    // Without a game not even the levels may be known: then it is best to begin again.
    const retry = session.viewOrNull ? () => open(session, wanted) : () => location.reload();
    if (problem.isPassing) session.fail(problem, retry);
    else session.say({ message: problem.message, text: wanted.game, offset: problem.place?.offset });
  }
}

/**
 * Draw the session's view on the board, and play where it is clicked.
 * @param {Session} session
 */
function connectBoard(session) {
  const element = byId("board");
  const board = createBoard(element, { onMove: (name) => session.play(name) });
  const buttons = { out: byId("zoom-out"), in: byId("zoom-in") };
  const zoom = makeZoom({ port: byId("port"), board: element, buttons, group: byId("zoom"), live: byId("live") });
  buttons.out.append(icon("M5 12h14"));
  buttons.in.append(icon("M5 12h14M12 5v14"));
  session.on(["view", "notes"], () => {
    const { viewOrNull: view, notes } = session;
    if (!view) return;
    element.ariaBusy = String(session.isPending);
    element.dataset.game = view.game;
    board.show(view, notes);
    // All that is above and below is as wide as the board.
    byId("table").style.setProperty("--ratio", String(board.ratio));
    byId("table").style.setProperty("--units", String(board.units));
    const cell = notes.hint.length === 1 ? notes.hint[0] : undefined;
    zoom.update(view, { cell, isSmall: session.mode?.name === "lesson" });
  });
  // Where the board stays in sight, the style sheets need to know what there is above and below it.
  const table = byId("table");
  const measure = () => {
    const { style } = document.documentElement;
    style.setProperty("--height", `${table.offsetHeight}px`);
    style.setProperty("--above", `${element.getBoundingClientRect().top - table.getBoundingClientRect().top}px`);
  };
  new ResizeObserver(measure).observe(table);
  // A click into the board leaves the field that had the focus, so that keys are for the game again.
  element.addEventListener("mousedown", () => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && !element.contains(activeElement)) activeElement.blur();
  });
  return { board, zoom };
}

/**
 * Load sounds when they are wanted, and let one be heard when they are switched on.
 * @param {Session} session
 */
function connectSounds(session) {
  /** @type {Promise<ReturnType<typeof import("./board/sounds.js").playSounds>> | null} */
  let sounds = null;
  const load = () => {
    if (document.documentElement.dataset.sound !== "on") return null;
    sounds ??= import("./board/sounds.js").then(({ playSounds }) => playSounds(session));
    return sounds;
  };
  const observer = new MutationObserver(async () => (await load())?.play("X"));
  observer.observe(document.documentElement, { attributeFilter: ["data-sound"] });
  load();
}

/**
 * Connect the buttons below the board.
 * @param {Session} session
 * @param {{more(): unknown}} hint
 * @param {{review(): unknown}} analysis
 * @param {{isWanted: boolean, open(): void}} sheet
 */
function connectButtons(session, hint, analysis, sheet) {
  const review = () => {
    session.openPanel("analysis");
    analysis.review();
  };
  const toggleAnalysis = () => session.openPanel(session.panel === "analysis" ? "game" : "analysis");
  /** @type {Record<string, {run: () => unknown, isEnabled?: () => boolean}>} */
  const buttons = {
    review: { run: review },
    rematch: { run: () => session.newGame() },
    swap: { run: () => session.swapSides() },
    undo: { run: () => session.undo(), isEnabled: () => !session.mode && session.here.played > 0 },
    redo: {
      run: () => session.redo(),
      isEnabled: () => !session.mode && session.here.played < session.here.moves.length,
    },
    "show-hint": { run: () => hint.more(), isEnabled: () => !session.mode?.withoutHelp && !session.view.outcome },
    "show-analysis": { run: toggleAnalysis },
    "new-game": { run: () => (sheet.isWanted ? sheet.open() : session.newGame()) },
    "go-on": { run: () => session.goOn() },
  };
  byId("undo").append(icon("M4 9h10a5 5 0 0 1 0 10h-4M8 4.5L3.5 9l4.5 4.5"));
  byId("redo").append(icon("M20 9H10a5 5 0 0 0 0 10h4M16 4.5L20.5 9 16 13.5"));
  for (const [id, { run, isEnabled = () => true }] of Object.entries(buttons)) {
    byId(id).addEventListener("click", () => session.viewOrNull && isEnabled() && run());
    session.on(["moves"], () => session.viewOrNull && setEnabled(byId(id), isEnabled()));
  }
  session.on(["view", "players", "panel"], () => {
    const { viewOrNull: view, mode, players } = session;
    if (!view) return;
    const isOver = view.outcome !== null && mode === null;
    const isAgainstComputer = SIDES.filter((side) => players[side] === PERSON).length === 1;
    byId("go-on").hidden = !session.isWaiting;
    byId("rematch").hidden = !isOver;
    byId("swap").hidden = !isOver || !isAgainstComputer;
    byId("review").hidden = !view.outcome || view.moves.length === 0 || mode?.name === "explore";
    byId("show-hint").hidden = view.outcome !== null;
    byId("show-analysis").setAttribute("aria-pressed", String(session.panel === "analysis"));
    byId("game-bar").hidden = mode !== null;
    byId("main").dataset.mode = mode?.name ?? "";
    byId("main").dataset.panel = session.panel;
    const actions = mode ? [mode.actions] : [];
    if (byId("mode-actions").firstChild !== (mode?.actions ?? null)) byId("mode-actions").replaceChildren(...actions);
  });
}

start();
