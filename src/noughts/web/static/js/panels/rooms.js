// The panel "With a friend": play with a friend who has the link. The room's game is a mode of the board.
//
// Those who open the link see the game and a button for the free seat; looking takes no seat. The session's own game
// waits meanwhile, and leaving the room leaves the room's game as it is.

import { h } from "../dom/dom.js";
import { problemOf } from "../server/api.js";
import { followRoom, keepSeat, newSecret, ownName, seatIn, send, sentAt, stateOf } from "../server/room.js";
import { gameText, guessed, jumped, refusalOf, SIDES } from "../state/game.js";
import { makeCards, makeGreeter } from "./roomcards.js";
import { clickRefusal, makeButtons, makeCard, makeLobby, nameOf, newsOf, seatText, turnOf } from "./roomviews.js";

/** @typedef {import("../server/room.js").RoomState} RoomState */
/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/game.js").View} View */

/** The room that the page is in.
 * @typedef {object} Room
 * @property {string} room
 * @property {RoomState} state
 * @property {View | null} past an earlier position that is looked at
 * @property {number} seen since when the position is on the board, by this page's clock
 * @property {View | null} guess the game as it will be once the server has the move that is on its way
 * @property {boolean | null} isLive whether it is connected; null before the first time
 * @property {ReturnType<typeof followRoom>} link
 */

/**
 * Return the panel of games by link.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @returns {import("./tabs.js").Panel}
 */
export function roomsPanel(session, api) {
  /** @type {Room | null} */
  let here = null;
  /** @type {string | null} the room that is being entered */
  let wanted = null;

  const lobby = makeLobby(session, { open, enter });
  const greeter = makeGreeter(session.version?.greetings ?? [], (greeting) => tell("greetings", { greeting }));
  const buttons = makeButtons(greeter.element, {
    sit,
    resign: () => act("resignation"),
    rematch: () => act("rematch"),
  });
  const rename = () => mine() && tell("name", { name: ownName() });
  const card = makeCard({ leave: () => session.leave("push"), rename });
  const said = h("p", { class: "unseen", role: "status" }); // what is only to be heard
  const cards = makeCards(announce, (side) => side === mine());
  buttons.element.append(said);
  const element = h("div", { class: "rooms" }, lobby.element, card.element);

  // -- coming and going -----------------------------------------------------------------------------------

  /**
   * Open a room for a game.
   * @param {string} game
   * @param {Side} side
   * @param {import("./timecontrol.js").TimeControl | null} clock
   */
  async function open(game, side, clock) {
    const secret = newSecret();
    const { state, seat } = await send(api, "rooms", { game, side, clock, name: ownName() }, secret);
    keepSeat(state.room, { secret, seat, name: state.view.name, at: Date.now() });
    settle(state);
  }

  /**
   * Go to a room; if there is none, say so and stay.
   * @param {string} room
   */
  async function enter(room) {
    wanted = room;
    try {
      const seat = seatIn(room);
      const state = await stateOf(api, room);
      if (wanted !== room) return;
      settle(state);
      if (seat && !seat.seat) await sit(); // the answer got lost the last time
    } catch (error) {
      if (wanted !== room) return;
      wanted = null;
      const problem = problemOf(error);
      if (problem.status === 404) gone(room, problem.message);
      else session.say({ message: problem.message, retry: () => enter(room) });
    }
  }

  /**
   * @param {string} room
   * @param {string} message
   */
  function gone(room, message) {
    keepSeat(room, null);
    if (here?.room === room) session.leave();
    else session.setExtras({ room: null });
    session.say({ message });
  }

  /**
   * Put the game of a room on the board, to play or to watch, and follow it.
   * @param {RoomState} state
   */
  function settle(state) {
    wanted = null;
    const { room } = state;
    const mode = { click, jump, actions: buttons.element, onLeave, seats: {}, withoutHelp: false };
    session.enter({ ...mode, beside: cards.elements }, state.view);
    const link = followRoom(api, room, state.version, {
      onState: take,
      onLink(isLive) {
        if (here) here.isLive = isLive;
        draw();
      },
      onGone: ({ message }) => gone(room, message),
    });
    here = { room, state, past: null, seen: performance.now(), guess: null, isLive: null, link };
    if (session.extras.room !== room) session.setExtras({ room }, "push");
    session.say(null);
    session.openPanel("link");
    showCards(state);
    show();
  }

  /** Leave the room; its game stays as it is. */
  function onLeave() {
    here?.link.close();
    here = null;
    cards.clear();
    session.say(null); // what was said there was about this room
    session.setExtras({ room: null }, null); // the address follows with the session's own game
    draw();
  }

  session.on(["view"], () => lobby.draw());
  session.on(["extras"], follow);

  /** Go to the room that the address names, or leave the one that it no longer names. */
  function follow() {
    const { room = null } = session.extras;
    if (room === (here?.room ?? wanted)) return;
    if (room) enter(room);
    else session.leave();
  }

  // -- in the room ----------------------------------------------------------------------------------------

  /**
   * Take a state of the room as the present one.
   * @param {RoomState} state
   */
  function take(state) {
    if (!here) return;
    const before = here.state;
    showCards(state);
    here.state = state;
    const isMoved = state.view.game !== before.view.game || state.round !== before.round;
    if (isMoved) {
      here.past = here.guess = null;
      here.seen = performance.now();
    }
    show();
    if (state.version === before.version) return; // only the clock was told anew, or a seat confirmed
    // An end without a move is not read aloud with the moves.
    if (state.result && !before.result && !isMoved) announce(`${turnOf(state, state.view, mine())}.`);
    const news = newsOf(before, state, mine());
    if (news) session.say({ message: news, tone: "good" });
    else if (isMoved || state.result) session.say(null); // what was said before is no longer so
  }

  /** @param {RoomState} state */
  function showCards(state) {
    cards.show(state, sentAt(), (side) => nameOf(state, side, mine()));
  }

  /** @param {string} text */
  function announce(text) {
    said.textContent = text;
  }

  /** Return the side that this browser plays in this round, or null if it watches. */
  function mine() {
    const seat = here && seatIn(here.room)?.seat;
    return SIDES.find((side) => seat && here?.state.seats[side] === seat) ?? null;
  }

  /** Show the game as it is now, or an earlier position of it. */
  function show() {
    if (!here) return;
    const { state, past, guess } = here;
    const { result } = state;
    const view = guess ?? past ?? state.view;
    const side = mine();
    const isMine = !past && !result && view.turn === side && !guess;
    const status = guess
      ? "…"
      : past
        ? `Looking back: after ${past.played} of ${past.moves.length} moves`
        : turnOf(state, view, side);
    // How it ended is said to each from their own side.
    const outcome = result && { ...(view.outcome ?? { winner: result.winner, lines: [] }), text: status };
    const shown = {
      ...view,
      legal: isMine ? view.legal : [],
      isWatched: !guess && !result, // open boards are marked also for those who may not play there
      status,
      outcome: past ? null : outcome,
    };
    const seats = Object.fromEntries(SIDES.map((each) => [each, seatText(state, each, side)]));
    session.present(shown, { seats, withoutHelp: side !== null && !result });
    draw();
  }

  /**
   * Look at the position after a number of moves.
   * @param {number} played
   */
  async function jump(played) {
    if (!here) return;
    const { state } = here;
    const to = jumped(state.view, played);
    try {
      const isNow = to.played === to.moves.length;
      const past = isNow ? null : await api.post("position", { game: gameText(to) });
      if (here?.state !== state) return; // there was a move, and that is shown
      here.past = past;
      show();
    } catch (error) {
      session.say({ message: problemOf(error).message });
    }
  }

  /** @param {string} name */
  function click(name) {
    if (!here || here.guess) return undefined;
    if (here.past) return jump(Infinity); // a click there leads back to the game as it is now
    const { view } = here.state;
    const message = clickRefusal(here.state, mine()) ?? refusalOf(view, name);
    if (message) return session.say({ message });
    here.guess = { ...view, cells: guessed(view, name).cells, last: name };
    show();
    const thought = (performance.now() - here.seen) / 1000; // the way to the server and back is no time of the player's
    return act("moves", { move: name, played: view.played, thought });
  }

  /**
   * Say something to the others in the room that is not about a round.
   * @param {string} what
   * @param {object} body
   */
  function tell(what, body) {
    return here && attempt(here.room, what, body, (state) => state);
  }

  /** Take the free seat. */
  async function sit() {
    if (!here) return;
    const { room, state } = here;
    const secret = seatIn(room)?.secret ?? newSecret();
    const seat = { secret, seat: null, name: state.view.name, at: Date.now() };
    keepSeat(room, seat);
    await attempt(room, "seats", { name: ownName() }, (answer) => {
      keepSeat(room, { ...seat, seat: answer.seat });
      return answer.state;
    });
  }

  /**
   * Do something in this round of the room.
   * @param {string} what
   * @param {object} body
   */
  function act(what, body = {}) {
    if (!here) return undefined;
    return attempt(here.room, what, { round: here.state.round, ...body }, (state) => state);
  }

  /**
   * Send a request to a room, with the secret of the seat.
   * @param {string} room
   * @param {string} what
   * @param {object} body
   * @param {(answer: any) => RoomState} stateIn
   */
  async function attempt(room, what, body, stateIn) {
    try {
      const state = stateIn(await send(api, `rooms/${room}/${what}`, body, seatIn(room)?.secret));
      if (here?.room !== room) return;
      session.say(null);
      if (what === "moves") here.guess = null;
      if (state.version >= here.state.version) take(state);
    } catch (error) {
      const problem = problemOf(error);
      const { status, message, isPassing } = problem;
      if (status === 403 || (what === "seats" && !isPassing)) keepSeat(room, null); // it belongs to another browser
      if (here?.room !== room) return;
      if (what === "moves") here.guess = null;
      show();
      if (status === 404) return gone(room, message);
      if (status === 409) here.link.look();
      session.fail(problem, () => attempt(room, what, body, stateIn));
    }
  }

  function draw() {
    lobby.element.hidden = here !== null;
    card.element.hidden = here === null;
    if (!here) return lobby.draw();
    card.draw(here, mine());
    return buttons.draw(here.state, mine());
  }

  draw();
  follow();
  return { name: "link", title: "Friends", element, shown: draw };
}
