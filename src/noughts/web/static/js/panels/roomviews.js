// What is seen of a room, and what is said of it: the lobby before one, the card in one, and the buttons below the board.

import { turnText } from "../board/status.js";
import { button, h, markIcon, setText } from "../dom/dom.js";
import { capital } from "../dom/text.js";
import { problemOf } from "../server/api.js";
import { keepName, knownRooms, ownName } from "../server/room.js";
import { shareAddress } from "../state/address.js";
import { gameText, OTHER, SIDES, trimmed } from "../state/game.js";
import { controlText, makeTimeControl } from "./timecontrol.js";

/** @typedef {import("../server/room.js").RoomState} RoomState */
/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/game.js").View} View */

const MOST_NAME = 20; // characters, as the server has it
const SHOWN_ROOMS = 5;
const SURE_PAUSE = 4000; // milliseconds in which a second press means it
const ONLY_HERE =
  "It works on this computer only, unless the server is started with --host 0.0.0.0 and you open its address.";

// -- words ------------------------------------------------------------------------------------------------

/**
 * Return how the player of a side is called.
 * @param {RoomState} state
 * @param {Side} side
 * @param {Side | null} mine the side of the one who looks, or null for a watcher
 */
export function nameOf({ seats, names }, side, mine) {
  return names[side] ?? (mine ? "Your opponent" : seats[side] === "host" ? "The host" : "The guest");
}

/**
 * Return who plays a side.
 * @param {RoomState} state
 * @param {Side} side
 * @param {Side | null} mine
 */
export function seatText(state, side, mine) {
  if (side === mine) return "You";
  return state.seats[side] ? nameOf(state, side, mine) : "Waiting for a friend";
}

/**
 * Return whose move it is, or how the round ended for the one who looks, in a few words.
 * @param {RoomState} state
 * @param {View} view
 * @param {Side | null} mine
 */
export function turnOf({ result }, view, mine) {
  if (!result) return turnText(view, view.turn === mine);
  const { winner, by, text } = result;
  if (!winner || !mine) return text;
  if (by === "resignation") return winner === mine ? `You won, ${OTHER[mine]} resigned` : "You resigned";
  return `You ${winner === mine ? "won" : "lost"}${by === "time" ? " on time" : ""}`;
}

/**
 * Return why a click does nothing, or null if it does something.
 * @param {RoomState} state
 * @param {Side | null} mine
 */
export function clickRefusal(state, mine) {
  const { result, view } = state;
  const free = freeSide(state);
  if (!mine) return free ? `You are watching. Take the free seat to play as ${free}.` : "You are watching this game.";
  if (result) return "The game is over.";
  if (view.turn === mine) return null;
  return free ? `It is ${view.turn}'s turn, and that seat is still free.` : `It is ${view.turn}'s turn.`;
}

/**
 * Return what happened that is not to be seen on the board; empty if nothing.
 * @param {RoomState} before
 * @param {RoomState} state
 * @param {Side | null} mine
 */
export function newsOf(before, state, mine) {
  const { round, rematch, seats } = state;
  const isMine = (/** @type {string} */ seat) => mine !== null && seats[mine] === seat;
  if (round !== before.round) {
    return mine ? `Round ${round}: you play ${mine} now.` : `Round ${round} begins, with sides swapped.`;
  }
  if (rematch && !before.rematch && !isMine(rematch)) return `${askerOf(state, mine)} would like another round.`;
  if (freeSide(before) && !freeSide(state) && !isMine("guest")) {
    return mine ? `${nameOf(state, OTHER[mine], mine)} is here.` : "Both seats are taken now.";
  }
  return "";
}

/**
 * Return the name of the one who would like another round.
 * @param {RoomState} state
 * @param {Side | null} mine
 */
function askerOf(state, mine) {
  const side = SIDES.find((each) => state.seats[each] === state.rematch) ?? "X";
  return nameOf(state, side, mine);
}

/**
 * Return how things stand, in a sentence or two.
 * @param {RoomState} state
 * @param {Side | null} mine
 */
function noteOf(state, mine) {
  const { seats, result, rematch } = state;
  const free = freeSide(state);
  const role = mine ? `You play ${mine}.` : "You are watching.";
  if (result && rematch && mine) {
    const isMine = seats[mine] === rematch;
    const asked = `Waiting for ${mine && state.names[OTHER[mine]] ? state.names[OTHER[mine]] : "your opponent"} to agree`;
    return isMine ? `${asked} to another round.` : `${askerOf(state, mine)} would like another round.`;
  }
  if (result) return mine ? "" : role;
  if (free && mine) return `${role} The other seat is still free.`;
  if (free) return `${nameOf(state, OTHER[free], mine)} plays ${OTHER[free]}. Take the seat of ${free}, or just watch.`;
  return role;
}

/**
 * Return the side whose seat is free, or null.
 * @param {RoomState} state
 */
function freeSide({ seats }) {
  return SIDES.find((side) => !seats[side]) ?? null;
}

/** Whether the address of the server is one that other computers cannot reach. */
function isLocal() {
  return ["127.0.0.1", "[::1]", "localhost"].includes(location.hostname);
}

// -- before a room ----------------------------------------------------------------------------------------

/**
 * Return the part of the panel for those who are not in a room: it opens one, or goes back to one.
 * @param {import("../state/session.js").Session} session
 * @param {object} actions
 * @param {(game: string, side: Side, clock: import("./timecontrol.js").TimeControl | null) => Promise<void>} actions.open
 * @param {(room: string) => unknown} actions.enter
 */
export function makeLobby(session, { open, enter }) {
  const sides = ["X", "O", "?"].map((value) => {
    const input = h("input", { type: "radio", name: "room-side", value, checked: value === "X" });
    const face =
      value === "?" ? [h("span", {}, "Random side")] : [markIcon(value), h("span", { class: "unseen" }, value)];
    return { input, label: h("label", { class: "pill" }, input, ...face) };
  });
  const clock = makeTimeControl();
  const name = makeNameField("lobby-name", () => {});
  const goesOn = h("input", { type: "checkbox" });
  const goOn = h("label", { class: "check" }, goesOn, h("span", {}, "Go on with the game on the board"));
  const create = h("button", { class: "button strong" }, "Create a link");
  const form = h(
    "form",
    { onsubmit: begin },
    h("fieldset", { class: "pills" }, h("legend", {}, "You play"), ...sides.map(({ label }) => label)),
    clock.element,
    name.element,
    goOn,
    h("div", { class: "row" }, create),
  );
  const title = h("h3", {}, "Your games with friends");
  const list = h("ul", { class: "known-rooms" });
  const element = h(
    "div",
    {},
    h("h3", {}, "Play with a friend"),
    h(
      "p",
      {},
      "You get a link to this game and send it to a friend, who takes the other seat. Others who have it may watch.",
    ),
    form,
    title,
    list,
  );

  /** @param {SubmitEvent} event */
  async function begin(event) {
    event.preventDefault();
    const { viewOrNull: view } = session;
    if (!view) return; // the server has not been reached yet
    const chosen = sides.find(({ input }) => input.checked)?.input.value;
    const isX = crypto.getRandomValues(new Uint8Array(1))[0] % 2 === 0;
    const side = chosen === "X" || chosen === "O" ? chosen : isX ? "X" : "O";
    create.disabled = true;
    try {
      await open(goesOn.checked && canGoOn(view) ? gameText(trimmed(view)) : view.start, side, clock.read());
    } catch (error) {
      session.say({ message: problemOf(error).message });
    } finally {
      create.disabled = false;
    }
  }

  function draw() {
    const { viewOrNull: view } = session;
    if (!view) return;
    name.draw();
    goOn.hidden = !canGoOn(view);
    const rooms = knownRooms().slice(0, SHOWN_ROOMS);
    title.hidden = rooms.length === 0;
    list.replaceChildren(
      ...rooms.map(({ room, name, at }) => {
        const when = new Date(at ?? 0).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
        return h(
          "li",
          {},
          button(name ?? room, () => enter(room)),
          h("span", { class: "about" }, when),
        );
      }),
    );
  }

  return { element, draw };
}

/**
 * Return the field for the name of this person, with {element, draw()}.
 * @param {string} id
 * @param {() => unknown} onChange called after the name was changed
 */
function makeNameField(id, onChange) {
  const change = () => {
    keepName(input.value.trim());
    onChange();
  };
  const input = h("input", { id, maxlength: MOST_NAME, autocomplete: "nickname", onchange: change });
  const element = h(
    "div",
    { class: "name-field" },
    h("label", { for: id, class: "about" }, "Your name, if you like"),
    input,
  );
  const draw = () => {
    if (document.activeElement !== input) input.value = ownName();
  };
  return { element, draw };
}

/**
 * Whether there is a game on the board to go on with.
 * @param {View} view
 */
function canGoOn({ played, outcome }) {
  return played > 0 && !outcome;
}

// -- in a room --------------------------------------------------------------------------------------------

/**
 * Return the part of the panel for those who are in a room: how things stand, and the link.
 * @param {{leave: () => void, rename: () => unknown}} actions
 */
export function makeCard({ leave, rename }) {
  const connection = h("p", { class: "connection", role: "status" });
  const note = h("p", { class: "note" });
  const link = h("input", { id: "room-link", readonly: true, onfocus: () => link.select() });
  const copied = h("p", { class: "said", role: "status" });
  const invitation = h("p", { class: "about" });
  const name = makeNameField("room-name", rename);
  const element = h(
    "div",
    {},
    h("div", { class: "row spread" }, h("h3", {}, "A game with a friend"), connection),
    note,
    name.element,
    h("label", { for: "room-link" }, h("h3", {}, "The link")),
    invitation,
    h("div", { class: "copying" }, link, button("Copy", copy)),
    copied,
    h("div", { class: "row" }, button("Back to your own game", leave)),
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

  /**
   * @param {{room: string, state: RoomState, isLive: boolean | null}} here
   * @param {Side | null} mine
   */
  function draw({ room, state, isLive }, mine) {
    const isInviting = mine !== null && freeSide(state) !== null;
    connection.dataset.live = String(isLive === true);
    setText(connection, isLive ? "Live" : isLive === null ? "Connecting…" : "Reconnecting…");
    link.value = shareAddress({ room });
    const send = isLocal() ? `Send it to your opponent. ${ONLY_HERE}` : "Send it to your opponent.";
    invitation.textContent = isInviting ? send : "Those who have it may watch.";
    const parts = [state.round > 1 ? `Round ${state.round}.` : "", noteOf(state, mine)];
    if (state.clock && !state.result) parts.push(`${capital(controlText(state.clock))}.`);
    note.textContent = parts.filter(Boolean).join(" ");
    note.hidden = note.textContent === "";
    name.element.hidden = mine === null && freeSide(state) === null;
    name.draw();
  }

  return { element, draw };
}

/**
 * Return the buttons below the board for those who are in a room.
 * @param {HTMLElement} greeter
 * @param {{sit: () => unknown, resign: () => unknown, rematch: () => unknown}} actions
 */
export function makeButtons(greeter, { sit, resign, rematch }) {
  const sitButton = button("", sit, { class: "button strong" });
  const rematchButton = button("", rematch, { class: "button strong" });
  const resignButton = button("", resignIfSure);
  const element = h("div", { class: "actions" }, sitButton, rematchButton, resignButton, greeter);
  /** @type {ReturnType<typeof setTimeout> | null} runs after the first press */
  let timer = null;

  function resignIfSure() {
    const isSure = timer !== null;
    if (isSure) resign();
    ask(!isSure);
  }

  /** @param {boolean} isAsked */
  function ask(isAsked) {
    if (timer) clearTimeout(timer);
    timer = isAsked ? setTimeout(() => ask(false), SURE_PAUSE) : null;
    setText(resignButton, isAsked ? "Really resign?" : "Resign");
  }

  /**
   * @param {RoomState} state
   * @param {Side | null} mine
   */
  function draw(state, mine) {
    const { seats, result, rematch: asked } = state;
    const free = freeSide(state);
    const isInvited = asked !== null && mine !== null && seats[mine] !== asked;
    sitButton.hidden = mine !== null || free === null;
    setText(sitButton, `Play as ${free}`);
    resignButton.hidden = mine === null || result !== null || free !== null;
    greeter.hidden = mine === null || free !== null;
    if (resignButton.hidden || timer === null) ask(false);
    rematchButton.hidden = mine === null || result === null || free !== null || (asked !== null && !isInvited);
    setText(rematchButton, isInvited && mine ? `Yes, another round as ${OTHER[mine]}` : "Rematch");
  }

  return { element, draw };
}
