// Requests to the server. Every failure becomes a Problem, whatever went wrong and wherever.

/** @typedef {{signal?: AbortSignal, headers?: Record<string, string>}} Options */
/** @typedef {{message: string, code?: string, place?: {field?: string, offset?: number} | null, status?: number, retryAfter?: number | null}} Failure */
/** @typedef {typeof import("./api.js")} Api */

/** Gets an event "lost" whenever a request does not arrive, or its answer is cut off. */
export const connection = new EventTarget();

const ROOT = new URL("./api/", document.baseURI);
const TRIES = 5;
const PAUSES = [500, 1000, 2000, 5000, 10_000]; // milliseconds between attempts to reach a server that is away

/** What the server refuses, or that it cannot be reached. An aborted request stays an AbortError. */
export class Problem extends Error {
  /** @param {Failure} failure */
  constructor({ code = "unknown", message, place = null, status = 0, retryAfter = null }) {
    super(message);
    this.name = "Problem";
    this.code = code;
    this.place = place; // {field, offset} of what is wrong, where the server knows
    this.status = status; // 0 if there was no answer at all
    this.retryAfter = retryAfter; // seconds, where the server says when to come back
  }

  /** Whether the same request may succeed another time. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Return an error if it is a Problem; throw it if it is anything else.
 * @param {unknown} error
 */
export function problemOf(error) {
  if (error instanceof Problem) return error;
  throw error;
}

/**
 * Return the address of something below /api/.
 * @param {string} path
 */
export function address(path) {
  return new URL(path, ROOT).href;
}

/**
 * Send a GET request.
 * @param {string} path
 * @param {Options} options
 */
export function get(path, options = {}) {
  return answer(path, { ...options, method: "GET" });
}

/**
 * Send a POST request with a JSON body.
 * @param {string} path
 * @param {object} body
 * @param {Options} options
 */
export function post(path, body, options = {}) {
  return answer(path, posting(body, options));
}

/**
 * Send a POST request for a stream; `onProgress` gets what is known so far, the result is returned. Aborting the signal
 * closes the connection, which stops the work.
 * @param {string} path
 * @param {object} body
 * @param {{signal?: AbortSignal, onProgress?: (data: any) => void}} options
 */
export async function stream(path, body, { signal, onProgress } = {}) {
  const response = await request(path, posting(body, { signal, headers: { Accept: "text/event-stream" } }));
  try {
    for await (const { event, data } of events(response)) {
      if (event === "result") return data;
      if (event === "error") throw new Problem(data.error);
      if (event === "progress") onProgress?.(data);
    }
  } catch (error) {
    throw error instanceof Problem || isAbort(error) ? error : unreachable();
  }
  throw unreachable();
}

/**
 * Send a request again as long as that may help: after the time that a busy server names, and, if `isRepeatable`, after
 * a while also when the server cannot be reached.
 * @template Answer
 * @param {() => Promise<Answer>} send
 * @param {{signal?: AbortSignal, isRepeatable?: boolean}} options
 */
export async function retrying(send, { signal, isRepeatable = false } = {}) {
  for (let failures = 1; ; failures += 1) {
    try {
      return await send();
    } catch (error) {
      const { retryAfter, status } = problemOf(error);
      const isAway = isRepeatable && (status === 0 || status === 503);
      if ((retryAfter === null && !isAway) || failures === (isAway ? 3 : TRIES)) throw error;
      await new Promise((resolve) => setTimeout(resolve, isAway ? pauseAfter(failures) : 1000 * (retryAfter ?? 0)));
      signal?.throwIfAborted();
    }
  }
}

/**
 * Return how many milliseconds to wait after a number of failures in a row.
 * @param {number} failures
 */
export function pauseAfter(failures) {
  return PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 0;
}

/**
 * Yield the events of a server-sent stream, with their data read as JSON.
 * @param {Response} response
 * @returns {AsyncGenerator<{event: string, data: any}>}
 */
export async function* events(response) {
  let rest = "";
  for await (const chunk of chunks(response)) {
    rest += chunk;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).filter((line) => /^[a-z]+:/.test(line));
      const fields = new Map(
        lines.map((line) => [line.split(":", 1)[0], line.slice(line.indexOf(":") + 1).trimStart()]),
      );
      const data = fields.get("data");
      if (data !== undefined) yield { event: fields.get("event") ?? "message", data: JSON.parse(data) };
    }
  }
}

/** @param {Response} response */
async function* chunks({ body }) {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @param {object} body
 * @param {Options} options
 * @returns {RequestInit}
 */
function posting(body, options) {
  const headers = { "Content-Type": "application/json", ...options.headers };
  return { ...options, method: "POST", headers, body: JSON.stringify(body) };
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @returns {Promise<any>}
 */
async function answer(path, options) {
  const response = await request(path, options);
  try {
    return await response.json();
  } catch (error) {
    throw isAbort(error) ? error : unreachable();
  }
}

/**
 * Send a request and return the response, if it is a good one.
 * @param {string} path
 * @param {RequestInit} options
 */
export async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(address(path), options);
  } catch (error) {
    throw isAbort(error) ? error : unreachable();
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const after = Number.parseFloat(response.headers.get("Retry-After") ?? "");
  throw new Problem({
    message: `The server answered with an error (${response.status}).`,
    ...body?.error,
    status: response.status,
    retryAfter: Number.isFinite(after) ? after : null,
  });
}

/** @param {unknown} error */
export function isAbort(error) {
  return error instanceof Error && error.name === "AbortError";
}

function unreachable() {
  connection.dispatchEvent(new Event("lost"));
  return new Problem({ code: "unreachable", message: "The server cannot be reached." });
}
