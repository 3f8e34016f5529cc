// A room on the server (docs/http.md, "Games by link"): the seats of this browser, requests, and its states as they come.
//
// A seat's secret is made here and kept in this browser before it is sent, so that nothing is lost with an answer that
// gets lost. All requests may be repeated. The person's name is kept here, too, and whether greetings are muted.

import { Problem, pauseAfter } from "./api.js";

/** @typedef {import("../state/game.js").Side} Side */
/** @typedef {import("../state/game.js").View} View */
/** @typedef {import("./api.js").Api} Api */

/** Who may sit at a table: the one who opened the room, and the other player.
 * @typedef {"host" | "guest"} SeatName */

/** The seconds that each side has left when this is sent, and whose become less.
 * @typedef {{initial: number, increment: number, X: number, O: number, running: Side | null}} ClockState */

/** The state of a room; `version` counts its changes.
 * @typedef {object} RoomState
 * @property {string} room
 * @property {number} version
 * @property {number} round
 * @property {Record<Side, SeatName | null>} seats
 * @property {Record<Side, string | null>} names
 * @property {View} view
 * @property {{winner: Side | null, by: string, text: string} | null} result
 * @property {SeatName | null} rematch the seat that wants another round
 * @property {ClockState | null} clock
 * @property {Record<Side, string | null>} greetings what each side says now
 */

/** A seat of this browser; `seat` is null as long as the server has not confirmed it.
 * @typedef {{secret: string, seat: SeatName | null, name: string, at: number}} Seat */

const KEPT = "noughts.seat.";
const NAME = "noughts.name";
const MUTED = "noughts.muted";
const KNOWN_DURATIONS = 8; // of requests; the quickest is nearest to what the way takes
const SILENCE = 40_000; // milliseconds; the server sends something every 15 s, so it is gone after this time
const HIDDEN_PAUSE = 10_000; // a hidden page only looks now and then: browsers allow few connections

// -- seats ------------------------------------------------------------------------------------------------

/** @type {Map<string, Seat>} where a browser keeps nothing, a seat lasts as long as the page */
const fallback = new Map();

/**
 * Return the seat of this browser in a room, or null.
 * @param {string} room
 * @returns {Seat | null}
 */
export function seatIn(room) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + room) ?? "null") ?? fallback.get(room) ?? null;
  } catch {
    return fallback.get(room) ?? null;
  }
}

/**
 * Keep a seat, or forget it if it is null.
 * @param {string} room
 * @param {Seat | null} seat
 */
export function keepSeat(room, seat) {
  fallback.delete(room);
  try {
    if (seat) localStorage.setItem(KEPT + room, JSON.stringify(seat));
    else localStorage.removeItem(KEPT + room);
  } catch {
    if (seat) fallback.set(room, seat);
  }
}

/** Return the rooms in which this browser has a seat, the last one first. */
export function knownRooms() {
  /** @type {string[]} */
  let names = [];
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEPT));
    names = keys.map((key) => key.slice(KEPT.length));
  } catch {
    // then there are those of this page
  }
  return [...new Set([...names, ...fallback.keys()])]
    .map((room) => ({ room, ...seatIn(room) }))
    .filter(({ seat }) => seat)
    .sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
}

/** Return the name that this person goes by; empty if there is none. */
export function ownName() {
  return kept(NAME);
}

/**
 * Keep the name that this person goes by.
 * @param {string} name
 */
export function keepName(name) {
  keep(NAME, name);
}

/** Return whether this person wants no greetings. */
export function isMuted() {
  return kept(MUTED) !== "";
}

/** @param {boolean} isWanted */
export function mute(isWanted) {
  keep(MUTED, isWanted ? "yes" : "");
}

/** @param {string} key */
function kept(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return fallbackTexts.get(key) ?? "";
  }
}

/**
 * @param {string} key
 * @param {string} text
 */
function keep(key, text) {
  fallbackTexts.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // then it lasts as long as the page
  }
}

/** @type {Map<string, string>} */
const fallbackTexts = new Map();

// -- requests ---------------------------------------------------------------------------------------------

/** @type {number[]} how many milliseconds the last requests took */
const durations = [];

/**
 * Wait for a request, and note how long it takes.
 * @template Answer
 * @param {Promise<Answer>} request
 */
async function timed(request) {
  const begin = performance.now();
  const answer = await request;
  durations.push(performance.now() - begin);
  durations.splice(0, durations.length - KNOWN_DURATIONS);
  return answer;
}

/** Return when a state that has just arrived was sent, by this page's clock: half of the quickest way there and back ago. */
export function sentAt() {
  return performance.now() - (durations.length ? Math.min(...durations) / 2 : 0);
}

/**
 * Return the state of a room.
 * @param {Api} api
 * @param {string} room
 * @param {{signal?: AbortSignal}} options
 * @returns {Promise<RoomState>}
 */
export function stateOf(api, room, options = {}) {
  return timed(api.get(`rooms/${encodeURIComponent(room)}`, options));
}

/** Return a secret that cannot be guessed. */
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * Send a request with a secret, again if it does not arrive.
 * @param {Api} api
 * @param {string} path
 * @param {object} body
 * @param {string} [secret]
 */
export function send(api, path, body, secret) {
  const headers = { Authorization: `Bearer ${secret}` };
  return api.retrying(() => timed(api.post(path, body, { headers })), { isRepeatable: true });
}

// -- following --------------------------------------------------------------------------------------------

/**
 * Follow a room until `close()` is called; `look()` asks at once.
 * @param {Api} api
 * @param {string} room
 * @param {number} seen the version that is known
 * @param {object} events
 * @param {(state: RoomState) => void} events.onState called with every new state
 * @param {(isLive: boolean) => void} events.onLink called when the connection comes and goes
 * @param {(problem: Problem) => void} events.onGone called when the room is no longer there, which is the end
 */
export function followRoom(api, room, seen, { onState, onLink, onGone }) {
  let isOpen = true;
  let failures = 0;
  let lastNews = Date.now(); // this clock goes on while a laptop sleeps
  let abort = new AbortController();
  let wake = () => {};

  async function follow() {
    while (isOpen) {
      abort = new AbortController();
      try {
        if (document.hidden) await poll();
        else await stream();
        failures = 0;
      } catch (error) {
        if (error instanceof Problem && error.status === 404) {
          if (isOpen) onGone(error);
          close();
          return;
        }
        failures += 1;
      }
      if (isOpen) await pause();
    }
  }

  async function stream() {
    const headers = { Accept: "text/event-stream", "Last-Event-ID": String(seen) };
    const response = await api.request(`rooms/${room}/events`, { headers, signal: abort.signal });
    if (!isOpen) return;
    failures = 0;
    lastNews = Date.now();
    onLink(true);
    try {
      for await (const { event, data } of api.events(response)) {
        lastNews = Date.now();
        if (!isOpen) return;
        if (event === "room") take(data);
        if (event === "error")
          throw new Problem({ ...data.error, status: data.error.code === "not_found" ? 404 : 500 });
      }
    } finally {
      if (isOpen && !document.hidden) onLink(false);
    }
    failures = 1; // a stream that ends means a server that ends: not to be asked at once
  }

  async function poll() {
    const state = await stateOf(api, room, { signal: abort.signal });
    if (isOpen && state.version !== seen) take(state);
  }

  /** @param {RoomState} state */
  function take(state) {
    seen = state.version;
    onState(state);
  }

  /** @returns {Promise<void>} */
  function pause() {
    const usual = document.hidden ? HIDDEN_PAUSE : 0;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, failures ? pauseAfter(failures) : usual);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Connect anew, now. */
  function look() {
    failures = 0;
    lastNews = Date.now();
    abort.abort();
    wake();
  }

  const watchdog = setInterval(() => {
    if (!document.hidden && Date.now() - lastNews > SILENCE) look();
  }, 5000);
  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", look);

  function close() {
    isOpen = false;
    clearInterval(watchdog);
    window.removeEventListener("online", look);
    document.removeEventListener("visibilitychange", look);
    abort.abort();
    wake();
  }

  follow();
  return { close, look };
}
