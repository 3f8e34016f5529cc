// The panel "By link": play with somebody who has the link. The room's game is a guest on the board.
//
// Whoever opens the link sees the game and a button for the free seat; nobody sits down by looking. The session's own game
// waits meanwhile, and leaving the room leaves the room's game as it is.

import { h, markIcon } from "./dom.js";
import { keepSeat, listen, newSecret, ourRooms, seatIn, send } from "./room.js";
import { gameText, OTHER } from "./session.js";
import { capital, whyNot } from "./words.js";

const SHOWN_ROOMS = 5;

/** Return the panel of games by link. */
export function roomsPanel(session, api) {
  let here = null; // {room, state, past, link, guest, isLive, isSending} of the room that we are in
  let wanted = null; // the room that is being entered

  const door = makeDoor(session, { open, enter });
  const actions = makeActions({ sit, resign, rematch });
  const table = makeTable({ leave: () => session.dismiss("push") });
  const element = h("div", { class: "rooms" }, door.element, table.element);

  // -- coming and going ---------------------------------------------------------------------------------

  /** Open a room for a game. */
  async function open(game, side) {
    const secret = newSecret();
    const { state, seat } = await send(api, "rooms", { game, side }, secret);
    keepSeat(state.room, { secret, seat, name: state.view.name, at: Date.now() });
    settle(state);
  }

  /** Go to a room; if there is none, say so and stay. */
  async function enter(room) {
    wanted = room;
    try {
      const ours = seatIn(room);
      const state = await api.get(`rooms/${encodeURIComponent(room)}`);
      if (wanted !== room) return;
      settle(state);
      if (ours && !ours.seat) await sit(); // the answer got lost the last time
    } catch (error) {
      if (wanted !== room) return;
      wanted = null;
      if (!(error instanceof api.Problem)) throw error;
      if (error.status === 404) gone(room, error);
      else session.report({ message: error.message, retry: () => enter(room) });
    }
  }

  function gone(room, problem) {
    keepSeat(room, null);
    if (here?.room === room) session.dismiss();
    else session.setExtra("room", null);
    session.report({ message: problem.message });
  }

  /** Sit down at the table of a room, to play or to watch. */
  function settle(state) {
    wanted = null;
    const { room } = state;
    const guest = { click, jump, players: {}, withoutHelp: false, actions: actions.element, dismissed };
    session.invite(guest);
    const link = listen(api, room, state.version, {
      onState: take,
      onLink(isLive) {
        here.isLive = isLive;
        draw();
      },
      onGone: (problem) => gone(room, problem),
    });
    here = { room, state: null, past: null, guest, link, isLive: null, isSending: false };
    if (session.extras.room !== room) session.setExtra("room", room, "push");
    session.report(null);
    session.show("link");
    take(state);
  }

  /** The board was taken away: the room is left, and its game stays where it is. */
  function dismissed() {
    here.link.close();
    here = null;
    session.report(null); // whatever it was, it was said of this room
    session.setExtra("room", null, null); // the address follows with the session's own game
    draw();
  }

  session.onChange((what) => {
    if (what === "game" || what === "players") door.draw();
    if (what !== "extras") return;
    const { room } = session.extras;
    if (room === (here?.room ?? wanted ?? undefined)) return;
    if (room) enter(room);
    else session.dismiss();
  });

  // -- in the room --------------------------------------------------------------------------------------

  /** Take a state of the room as the present one. */
  function take(state) {
    const before = here.state;
    here.state = state;
    here.past = null;
    here.isSending = false;
    show();
    if (!before || before.version === state.version) return;
    const news = newsOf(before, state, mine());
    session.report(news ? { message: news, tone: "good" } : null); // what was said before is no longer so
  }

  /** The side that we play in this round, or null if we watch. */
  function mine() {
    const seat = seatIn(here.room)?.seat;
    return ["X", "O"].find((side) => seat && here.state.seats[side] === seat) ?? null;
  }

  /** Show the game as it is now, or an earlier position of it that somebody looks back at. */
  function show(view = here.past ?? here.state.view) {
    const { state, guest, past } = here;
    const side = mine();
    const isOurTurn = !past && !state.result && view.turn === side && !here.isSending;
    guest.players = Object.fromEntries(["X", "O"].map((each) => [each, nameOf(state, each, side)]));
    guest.withoutHelp = Boolean(side) && !state.result;
    session.showGuest({
      ...view,
      legal: isOurTurn ? view.legal : [],
      isWatched: !here.isSending, // where one may play is drawn also for those who may not
      status: here.isSending
        ? "…"
        : past
          ? `Looking back: after ${past.played} of ${past.moves.length} moves`
          : statusOf(state, view, side),
      outcome: past
        ? null
        : (view.outcome ?? (state.result && { winner: state.result.winner, lines: [], text: state.result.text })),
    });
    draw();
  }

  /** Look at the position after so many moves. */
  async function jump(played) {
    const { state } = here;
    const { start, moves } = state.view;
    const to = Math.max(0, Math.min(played, moves.length));
    try {
      const past =
        to === moves.length ? null : await api.post("position", { game: gameText({ start, moves, played: to }) });
      if (here?.state !== state) return; // somebody moved, and that is shown
      here.past = past;
      show();
    } catch (error) {
      if (!(error instanceof api.Problem)) throw error;
      session.report({ message: error.message });
    }
  }

  function click(name) {
    if (here.past) return jump(Infinity); // nobody moves in the past
    const { state, isSending } = here;
    const { view } = state;
    const side = mine();
    const refusal = isSending ? "" : refusalOf(state, side);
    if (refusal) session.report({ message: refusal });
    if (refusal || isSending) return undefined;
    if (view.legal.includes(name)) {
      here.isSending = true;
      const cells = view.cells.map((cell) => (cell.name === name ? { ...cell, mark: side } : cell));
      show({ ...view, cells, last: name });
    }
    const say = (message) => whyNot(name, message);
    return act("moves", { move: name, round: state.round, played: view.played }, say);
  }

  function resign() {
    return act("resignation", { round: here.state.round });
  }

  function rematch() {
    return act("rematch", { round: here.state.round });
  }

  /** Take the free seat. */
  async function sit() {
    const { room, state } = here;
    const secret = seatIn(room)?.secret ?? newSecret();
    const seat = { secret, seat: null, name: state.view.name, at: Date.now() };
    keepSeat(room, seat);
    await attempt(room, "seats", {}, (answer) => {
      keepSeat(room, { ...seat, seat: answer.seat });
      return answer.state;
    });
  }

  /** Do something in the room with our secret; what the rules refuse is told in the words that `say` finds for it. */
  function act(what, body, say) {
    return attempt(here.room, what, body, (state) => state, say);
  }

  async function attempt(room, what, body, stateOf, say = (message) => message) {
    try {
      const state = stateOf(await send(api, `rooms/${room}/${what}`, body, seatIn(room)?.secret));
      if (here?.room !== room) return;
      session.report(null);
      if (state.version >= here.state.version) take(state);
    } catch (error) {
      if (!(error instanceof api.Problem)) throw error;
      if (what === "seats" && !error.isPassing) keepSeat(room, null);
      if (error.status === 403) keepSeat(room, null); // somebody else's seat, whatever we thought
      if (here?.room !== room) return;
      here.isSending = false;
      show();
      if (error.status === 404) return gone(room, error);
      if (error.status === 409) here.link.look();
      const { message, isPassing, status } = error;
      const retry = () => attempt(room, what, body, stateOf, say);
      session.report(isPassing ? { message, retry } : { message: status === 422 ? say(message) : message });
    }
  }

  function draw() {
    door.element.hidden = here !== null;
    table.element.hidden = here === null;
    if (here?.state) {
      table.draw(here, mine());
      actions.draw(here.state, mine());
    } else door.draw();
  }

  draw();
  return { name: "link", title: "By link", element, shown: draw };
}

// -- words ------------------------------------------------------------------------------------------------

/** Return who plays a side, as seen by whoever has the side `mine`. */
function nameOf({ seats }, side, mine) {
  if (side === mine) return "You";
  if (!seats[side]) return "Free seat";
  if (mine) return "Your opponent";
  return seats[side] === "host" ? "The host" : "The guest";
}

/** Return whose move it is, in a few words. */
function statusOf({ result }, view, mine) {
  if (result) return result.text;
  const rest = view.status.replace(/^[XO] to move/, "");
  return view.turn === mine ? `Your move, ${mine}${rest && `,${rest}`}` : view.status;
}

/** Return why a click does nothing, or nothing if it does something. */
function refusalOf(state, mine) {
  const { result, view } = state;
  const free = freeSide(state);
  if (!mine) return free ? `You are watching. Take the free seat to play as ${free}.` : "You are watching this game.";
  if (result) return "The game is over.";
  if (view.turn === mine) return "";
  return free ? `It is ${view.turn}'s turn, and nobody has taken that seat yet.` : `It is ${view.turn}'s turn.`;
}

/** Return what happened that is not to be seen on the board. */
function newsOf(before, state, mine) {
  const { result, round, rematch, seats } = state;
  const isOurs = (seat) => mine !== null && seats[mine] === seat;
  if (round !== before.round)
    return mine ? `Round ${round}: you play ${mine} now.` : `Round ${round} begins, with sides swapped.`;
  if (result?.by === "resignation" && !before.result) return `${result.text}.`;
  if (rematch && !before.rematch && !isOurs(rematch)) {
    return mine ? "Your opponent would like another round." : `The ${rematch} would like another round.`;
  }
  if (Object.values(before.seats).includes(null) && !Object.values(seats).includes(null) && !isOurs("guest")) {
    return mine ? "Your opponent is here." : "Both seats are taken now.";
  }
  return "";
}

// -- before a room ----------------------------------------------------------------------------------------

/** Return the part of the panel for those who are in no room: it opens one, or goes back to one. */
function makeDoor(session, { open, enter }) {
  const sides = ["X", "O", "?"].map((side) => {
    const input = h("input", { type: "radio", name: "room-side", value: side, checked: side === "X" });
    const shown = side === "?" ? "Either" : side;
    return {
      input,
      label: h(
        "label",
        { class: "pill" },
        input,
        side === "?" ? null : markIcon(side),
        h("span", { class: side === "?" ? "" : "unseen" }, shown),
      ),
    };
  });
  const goesOn = h("input", { type: "checkbox" });
  const goOn = h("label", { class: "check" }, goesOn, h("span", {}, "Go on with the game on the board"));
  const button = h("button", { class: "button strong" }, "Create a link");
  const form = h(
    "form",
    { onsubmit: begin },
    h("fieldset", { class: "pills" }, h("legend", {}, "You play"), ...sides.map(({ label }) => label)),
    goOn,
    h("div", { class: "row" }, button),
  );
  const game = h("strong");
  const title = h("h3", {}, "Your games by link");
  const list = h("ul", { class: "our-rooms" });
  const element = h(
    "div",
    {},
    h("h3", {}, "Play with a friend"),
    h(
      "p",
      {},
      "You get a link to ",
      game,
      " and send it to whomever you like. They open it and take the other seat; everybody else with the link may watch.",
    ),
    form,
    title,
    list,
  );

  async function begin(event) {
    event.preventDefault();
    const { view } = session;
    if (!view) return; // the server has not been reached yet
    const chosen = sides.find(({ input }) => input.checked).input.value;
    const side = chosen === "?" ? (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? "X" : "O") : chosen;
    const played = [view.start, ...view.moves.slice(0, view.played)].join(" ");
    button.disabled = true;
    try {
      await open(goesOn.checked && canGoOn() ? played : view.start, side);
    } catch (error) {
      if (error.name !== "Problem") throw error;
      session.report({ message: error.message });
    } finally {
      button.disabled = false;
    }
  }

  /** Whether there is a game on the board to go on with. */
  function canGoOn() {
    const { view } = session;
    return view.played > 0 && !view.outcome;
  }

  function draw() {
    if (!session.view) return;
    game.textContent = session.view.name;
    goOn.hidden = !canGoOn();
    const rooms = ourRooms().slice(0, SHOWN_ROOMS);
    title.hidden = rooms.length === 0;
    list.replaceChildren(
      ...rooms.map(({ room, name, at }) =>
        h(
          "li",
          {},
          h("button", { type: "button", class: "button", onclick: () => enter(room) }, name),
          h("span", { class: "about" }, new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })),
        ),
      ),
    );
  }

  return { element, draw };
}

// -- in a room --------------------------------------------------------------------------------------------

/** Return the part of the panel for those who are in a room: how things stand, and the link. */
function makeTable({ leave }) {
  const connection = h("p", { class: "connection", role: "status" });
  const note = h("p", { class: "note" });
  const link = h("input", { id: "room-link", readonly: true, onfocus: () => link.select() });
  const copied = h("p", { class: "said", role: "status" });
  const invitation = h("p", { class: "about" });
  const element = h(
    "div",
    {},
    h("div", { class: "row spread" }, h("h3", {}, "A game by link"), connection),
    note,
    h("label", { for: "room-link" }, h("h3", {}, "The link")),
    invitation,
    h("div", { class: "copying" }, link, h("button", { type: "button", class: "button", onclick: copy }, "Copy")),
    copied,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "button", onclick: leave }, "Back to your own game"),
    ),
  );

  async function copy() {
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      link.select(); // pages that came without encryption have no other way
      if (!document.execCommand("copy")) {
        copied.textContent = "Your browser does not let pages copy: the link is marked, so that you can.";
        return;
      }
    }
    copied.textContent = "Copied.";
  }

  function draw({ room, state, isLive }, mine) {
    const free = freeSide(state);
    connection.dataset.live = String(isLive === true);
    say(connection, isLive ? "Live" : isLive === null ? "Connecting…" : "Reconnecting…");
    link.value = `${location.origin}${location.pathname}#room=${room}`;
    invitation.textContent =
      free && mine
        ? `Send it to whoever is to play with you.${isAlone() ? ` ${ALONE}` : ""}`
        : "Everybody who has it may watch.";
    note.textContent = [state.round > 1 ? `Round ${state.round}.` : "", noteOf(state, mine, free)].join(" ").trim();
  }

  return { element, draw };
}

const ALONE =
  "It works on this computer only, unless the server is started with --host 0.0.0.0 and you open its address.";

/** Whether nobody else can reach the server at the address at which we have. */
function isAlone() {
  return ["127.0.0.1", "[::1]", "localhost"].includes(location.hostname);
}

/** Return the buttons below the board for those who are in a room. */
function makeActions({ sit, resign, rematch }) {
  const button = (onclick, kind) => h("button", { type: "button", class: `button ${kind}`, onclick });
  const sitButton = button(sit, "strong");
  const rematchButton = button(rematch, "strong");
  const resignButton = button(resignIfSure, "");
  const element = h("div", { class: "actions" }, sitButton, rematchButton, resignButton);
  let isSure = null; // the timer of a button that was pressed once

  function resignIfSure() {
    if (isSure) resign();
    ask(!isSure);
  }

  function ask(isAsked) {
    clearTimeout(isSure);
    isSure = isAsked ? setTimeout(() => ask(false), 4000) : null;
    say(resignButton, isAsked ? "Really resign?" : "Resign");
  }

  function draw(state, mine) {
    const { seats, result, rematch: asked } = state;
    const free = freeSide(state);
    const isAsked = asked !== null && mine !== null && seats[mine] !== asked;
    sitButton.hidden = mine !== null || free === null;
    say(sitButton, `Play as ${free}`);
    resignButton.hidden = mine === null || result !== null || free !== null;
    if (resignButton.hidden || !isSure) ask(false);
    rematchButton.hidden = mine === null || result === null || free !== null || (asked !== null && !isAsked);
    say(rematchButton, isAsked ? `Yes, another round as ${OTHER[mine]}` : "Rematch");
  }

  return { element, draw };
}

/** Return the side whose seat is free, or null. */
function freeSide({ seats }) {
  return ["X", "O"].find((side) => !seats[side]) ?? null;
}

/** Change a text only if it is another one: what is live would be said again. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return how things stand, in a sentence or two. */
function noteOf({ seats, result, rematch }, mine, free) {
  const role = mine ? `You play ${mine}.` : "You are watching.";
  if (result) {
    if (rematch && mine)
      return seats[mine] === rematch
        ? "Waiting for your opponent to agree to another round."
        : "Your opponent would like another round.";
    return `${capital(result.text)}. ${mine ? "" : role}`;
  }
  if (free) return mine ? `${role} Nobody has taken the other seat yet.` : `${role} The seat of ${free} is free.`;
  return role;
}
