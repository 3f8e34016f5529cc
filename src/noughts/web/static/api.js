// Asking the server. Every failure becomes a Problem, whatever went wrong and wherever.

const ROOT = new URL("./api/", import.meta.url);
const TRIES = 5; // when the server is busy, before somebody has to say so

/** What the server refuses, or that it cannot be reached; an abort is no problem and stays an AbortError. */
export class Problem extends Error {
  constructor({ code = "unknown", message, place = null, status = 0, retryAfter = null }) {
    super(message);
    this.name = "Problem";
    this.code = code;
    this.place = place; // {field, offset} of what is wrong, where the server knows
    this.status = status; // 0 if there was no answer at all
    this.retryAfter = retryAfter; // seconds, where the server says when to come back
  }

  /** Whether the same question may be answered another time. */
  get isPassing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Return the address of something below /api/. */
export function address(path) {
  return new URL(path, ROOT).href;
}

/** Ask with GET. */
export function get(path, options = {}) {
  return answer(path, { ...options, method: "GET" });
}

/** Ask with POST and a JSON body; options may have a signal and headers. */
export function post(path, body, options = {}) {
  return answer(path, posting(body, options));
}

/**
 * Ask with POST for a stream; `onProgress` gets what is known so far, the result is returned.
 * Aborting the signal closes the connection, which stops the work.
 */
export async function stream(path, body, { signal, onProgress } = {}) {
  const response = await ask(path, posting(body, { signal, headers: { Accept: "text/event-stream" } }));
  try {
    for await (const { event, data } of events(response)) {
      if (event === "result") return data;
      if (event === "error") throw new Problem(data.error);
      if (event === "progress") onProgress?.(data);
    }
  } catch (error) {
    throw error instanceof Problem || error.name === "AbortError" ? error : unreachable();
  }
  throw unreachable();
}

/** Ask until there is an answer, as long as a busy server says when to come back. */
export async function patiently(ask, signal) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem) || error.retryAfter === null || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * error.retryAfter));
      signal?.throwIfAborted();
    }
  }
}

/** Yield the events of a server-sent stream, with their data read as JSON and their id, if they have one. */
export async function* events(response) {
  let rest = "";
  for await (const chunk of chunks(response)) {
    rest += chunk;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block
          .split(/\r?\n/)
          .filter((line) => /^[a-z]+:/.test(line))
          .map((line) => {
            const colon = line.indexOf(":");
            return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
          }),
      );
      if (fields.data !== undefined) {
        yield { event: fields.event ?? "message", id: fields.id ?? null, data: JSON.parse(fields.data) };
      }
    }
  }
}

async function* chunks(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
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

function posting(body, options) {
  const headers = { "Content-Type": "application/json", ...options.headers };
  return { ...options, method: "POST", headers, body: JSON.stringify(body) };
}

async function answer(path, options) {
  const response = await ask(path, options);
  try {
    return await response.json();
  } catch (error) {
    throw error.name === "AbortError" ? error : unreachable();
  }
}

/** Return the response if it is a good one. */
export async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(address(path), options);
  } catch (error) {
    throw error.name === "AbortError" ? error : unreachable();
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const after = Number.parseFloat(response.headers.get("Retry-After"));
  throw new Problem({
    code: "unknown",
    message: `The server answered with an error (${response.status}).`,
    ...body?.error,
    status: response.status,
    retryAfter: Number.isFinite(after) ? after : null,
  });
}

function unreachable() {
  return new Problem({ code: "unreachable", message: "The server cannot be reached." });
}
