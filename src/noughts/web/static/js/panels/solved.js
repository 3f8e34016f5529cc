// Which puzzles were solved in this browser, and on how many days in a row.

const KEY = "noughts.puzzles";
const DAY = 86_400_000; // milliseconds

/** The day on which each puzzle was solved first, by its id.
 * @typedef {Record<string, string>} Solved */

/** @returns {Solved} */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {}; // no storage, or what is in it is not ours
  }
}

/**
 * Return a day as it is written, like 2026-01-31, where the reader is.
 * @param {Date} date
 */
export function dayOf(date) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** @param {string} id */
export function isSolved(id) {
  return Object.hasOwn(read(), id);
}

/**
 * Remember that a puzzle was solved.
 * @param {string} id
 * @param {string} day
 */
export function noteSolved(id, day) {
  const solved = read();
  solved[id] ??= day;
  try {
    localStorage.setItem(KEY, JSON.stringify(solved));
  } catch {
    // without storage it is forgotten
  }
}

/**
 * Return on how many days in a row, up to today or yesterday, at least one puzzle was solved.
 * @param {string} today
 */
export function streakOf(today) {
  const days = new Set(Object.values(read()));
  const before = (/** @type {string} */ day) => new Date(Date.parse(day) - DAY).toISOString().slice(0, 10);
  let [count, day] = [0, days.has(today) ? today : before(today)];
  for (; days.has(day); day = before(day)) count += 1;
  return count;
}
