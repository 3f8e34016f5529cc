// Start-up: makes the session, the board and the panels, and connects them. Nothing is decided here.
//
// How to add a panel: write a module that exports `panel(session, api, server)`, which returns
//
//     {name, title, element, shown(), hidden()}
//
// `name` is what the address says (#panel=name), `title` is on the tab, `element` is what the tab shows. `shown` and
// `hidden` are called when the tab opens and closes; both may be left out. Then add the function to PANELS. `session` is
// in session.js: read its fields, call its methods, and `session.onChange(listener)`. `api` is api.js: get, post, stream,
// events, address, Problem. `server` has `version`, the answer of /api/version, or null if there was none. A panel that
// wants the board for itself is a guest: `session.invite({click(name), ...})`, then `session.showGuest(view)`, and
// `session.dismiss()` at the end. What a panel wants to have in the address is `session.setExtra(name, value)`; it is
// found in `session.extras`, and changes of it by going back are told as "extras".

import * as address from "./address.js";
import { analysisPanel } from "./analysis.js";
import { announceGame, showProblems } from "./announce.js";
import * as api from "./api.js";
import { createBoard } from "./board.js";
import { explorePanel } from "./explore.js";
import { makeHint } from "./hint.js";
import { describeKeys, listenForKeys } from "./keys.js";
import { listMoves, setEnabled, stepButtons } from "./moves.js";
import { seatOpponent } from "./opponent.js";
import { gamePanel } from "./picker.js";
import { seat } from "./players.js";
import { roomsPanel } from "./rooms.js";
import { PERSON, Session } from "./session.js";
import { sharePanel } from "./share.js";
import { makeTabs } from "./tabs.js";

const PANELS = [gamePanel, analysisPanel, explorePanel, roomsPanel, sharePanel];

const DEFAULTS = { game: "3x3x3", players: { X: PERSON, O: "casual" }, panel: "game" };

const by = (id) => document.getElementById(id);

async function start() {
  const session = new Session(api);
  const server = { version: await api.get("version").catch(() => null) };

  const board = createBoard(by("board"), { onMove: (name) => session.play(name) });
  session.onChange((what) => {
    const { view, notes } = session;
    if (!view || !["game", "notes"].includes(what)) return;
    by("board").ariaBusy = String(session.isPending);
    by("board").dataset.game = view.game;
    board.show(view, { values: notes.values, best: notes.best, hint: notes.hint ?? [] });
    // All that is above and below is as wide as the board.
    by("table").style.setProperty("--ratio", board.ratio);
    by("table").style.setProperty("--units", board.units);
  });
  // A click into the board leaves the field in which one was, so that keys are for the game again.
  by("board").addEventListener("mousedown", () => {
    if (!by("board").contains(document.activeElement)) document.activeElement?.blur();
  });
  for (const side of ["X", "O"]) seat(session, server.version, side, by(`seat-${side.toLowerCase()}`));
  announceGame(session, { status: by("status"), live: by("live") });
  showProblems(session, by("problem"));
  listMoves(session, { list: by("moves"), empty: by("no-moves"), name: by("name") });
  stepButtons(session, by("steps"));
  const hint = makeHint(session, api, by("hint"));
  const panels = PANELS.map((panel) => panel(session, api, server));
  makeTabs(session, panels, by("tabs"), by("panels"));

  const help = by("help");
  describeKeys(by("keys"));
  by("to-board").addEventListener("click", () => board.focus());
  by("open-help").addEventListener("click", () => help.showModal());
  connectActions(session, { hint, analysis: panels.find(({ name }) => name === "analysis") });
  listenForKeys({ session, board, hint, help, share: panels.find(({ name }) => name === "share") });

  const restore = () => open(session, address.read(location.hash, DEFAULTS));
  address.keepAddress(session, restore);
  await restore();
  seatOpponent(session, api);
  document.documentElement.dataset.ready = "true";
}

/** Become what an address says; one that cannot be read is pointed at, and there is a game all the same. */
async function open(session, wanted) {
  try {
    await session.restore(wanted);
  } catch (error) {
    if (!(error instanceof api.Problem)) throw error;
    const { message, place, isPassing } = error;
    if (!session.view) await session.restore({ ...wanted, game: DEFAULTS.game }).catch(() => {});
    // Without a game not even the levels may be known: then it is best to begin again.
    const retry = session.view ? () => open(session, wanted) : () => location.reload();
    session.report(isPassing ? { message, retry } : { message, text: wanted.game, offset: place?.offset });
  }
}

function connectActions(session, { hint, analysis }) {
  const buttons = {
    review: { run: review, isEnabled: () => true },
    undo: { run: () => session.undo(), isEnabled: () => !session.guest && session.here.played > 0 },
    "show-hint": { run: () => hint.more(), isEnabled: () => !session.guest?.withoutHelp && !session.view.outcome },
    "new-game": { run: () => session.newGame(), isEnabled: () => true },
    "go-on": { run: () => session.goOn(), isEnabled: () => true },
  };
  for (const [id, { run, isEnabled }] of Object.entries(buttons)) {
    const button = by(id);
    button.addEventListener("click", () => session.view && isEnabled() && run());
    session.onChange(() => session.view && setEnabled(button, isEnabled()));
  }
  session.onChange(() => {
    if (!session.view) return;
    by("go-on").hidden = !session.isWaiting;
    by("review").hidden = !session.view.outcome || session.view.moves.length === 0;
    const { guest } = session;
    by("show-hint").hidden = session.view.outcome !== null || Boolean(guest?.actions);
    by("undo").hidden = by("new-game").hidden = Boolean(guest?.actions);
    const actions = guest?.actions ?? null;
    if (by("guest-actions").firstChild !== actions) by("guest-actions").replaceChildren(...(actions ? [actions] : []));
  });

  function review() {
    session.show("analysis");
    analysis.review();
  }
}

start();
