// A room on the server (docs/http.md, "Games by link"): our seats, what is done there, and listening to it.
//
// A seat's secret is made here and kept in this browser before it is sent, so that nothing is lost with an answer that
// gets lost. All that is sent may be sent again, so what does not arrive is repeated.

const KEPT = "noughts.seat.";
const TRIES = 3;
const PAUSES = [500, 1000, 2000, 5000, 10_000]; // milliseconds between attempts to be connected again
const SILENCE = 40_000; // the server says something every 15 s; after this time nobody is there
const HIDDEN_PAUSE = 10_000; // a page that nobody sees only looks now and then: browsers allow few connections

// -- seats ------------------------------------------------------------------------------------------------

const fallback = new Map(); // where a browser keeps nothing, a seat lasts as long as the page

/** Return our seat in a room, {secret, seat, name, at}, or null; `seat` is null if it is not certain to be ours. */
export function seatIn(room) {
  try {
    return JSON.parse(localStorage.getItem(KEPT + room)) ?? fallback.get(room) ?? null;
  } catch {
    return fallback.get(room) ?? null;
  }
}

/** Keep a seat, or forget it if it is null. */
export function keepSeat(room, seat) {
  fallback.delete(room);
  try {
    if (seat) localStorage.setItem(KEPT + room, JSON.stringify(seat));
    else localStorage.removeItem(KEPT + room);
  } catch {
    if (seat) fallback.set(room, seat);
  }
}

/** Return the rooms in which we have a seat, [{room, seat, name, at}], the last one first. */
export function ourRooms() {
  let names = [];
  try {
    names = Object.keys(localStorage)
      .filter((key) => key.startsWith(KEPT))
      .map((key) => key.slice(KEPT.length));
  } catch {
    // then there are those of this page
  }
  return [...new Set([...names, ...fallback.keys()])]
    .map((room) => ({ room, ...seatIn(room) }))
    .filter(({ seat }) => seat)
    .sort((one, other) => other.at - one.at);
}

/** Return a secret that nobody can guess. */
export function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

// -- doing ------------------------------------------------------------------------------------------------

/** Send something to the server with a secret, again if it does not arrive. */
export async function send(api, path, body, secret) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.post(path, body, { headers: { Authorization: `Bearer ${secret}` } });
    } catch (error) {
      const isWorthIt = error instanceof api.Problem && (error.status === 0 || error.status === 503);
      if (!isWorthIt || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSES[tries - 1]));
    }
  }
}

// -- listening --------------------------------------------------------------------------------------------

/**
 * Listen to a room until `close()` is called. `onState(state)` gets every state, `onLink(isLive)` is told when the
 * connection comes and goes, `onGone(problem)` when the room is no longer there, which is the end. `look()` asks at once.
 */
export function listen(api, room, seen, { onState, onLink, onGone }) {
  let isOpen = true;
  let failures = 0;
  let lastNews = Date.now(); // this clock goes on while a laptop sleeps
  let abort = new AbortController();
  let wake = () => {};

  async function follow() {
    while (isOpen) {
      abort = new AbortController();
      try {
        if (document.hidden) await glance();
        else await stream();
        failures = 0;
      } catch (error) {
        if (error instanceof api.Problem && error.status === 404) {
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
    const headers = { Accept: "text/event-stream", ...(seen === null ? {} : { "Last-Event-ID": String(seen) }) };
    const response = await api.ask(`rooms/${room}/events`, { headers, signal: abort.signal });
    if (!isOpen) return;
    failures = 0;
    lastNews = Date.now();
    onLink(true);
    try {
      for await (const { event, data } of api.events(response)) {
        lastNews = Date.now();
        if (!isOpen) return;
        if (event === "room") tell(data);
        if (event === "error")
          throw new api.Problem({ ...data.error, status: data.error.code === "not_found" ? 404 : 500 });
      }
    } finally {
      if (isOpen && !document.hidden) onLink(false);
    }
    failures = 1; // a stream that ends means a server that ends: not to be asked at once
  }

  async function glance() {
    const state = await api.get(`rooms/${room}`, { signal: abort.signal });
    if (isOpen && state.version !== seen) tell(state);
  }

  function tell(state) {
    seen = state.version;
    onState(state);
  }

  function pause() {
    const usual = document.hidden ? HIDDEN_PAUSE : 0;
    const time = failures ? PAUSES[Math.min(failures, PAUSES.length) - 1] : usual;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
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
