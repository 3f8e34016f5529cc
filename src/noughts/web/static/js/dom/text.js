// Texts and numbers as people read and type them. Counts pass 2^53, so they are BigInts.

const CONTEXT = 24; // characters on either side of the one that is wrong

/**
 * Return a text with a capital at its start, as a sentence has.
 * @param {string} text
 */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Return a number of things in words: 1 mark, 2 marks.
 * @param {number} count
 * @param {string} thing
 */
export function counted(count, thing) {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/**
 * Return a count with separators: 1,281,016,086,768.
 * @param {bigint | string} number
 */
export function written(number) {
  return BigInt(number).toLocaleString("en");
}

const LONG = 10n ** 10n; // what has more digits is rounded down where there is little room
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Return a count in little room: 4,805,761,572, but 1.38 × 10²³.
 * @param {bigint | string} number
 */
export function shortly(number) {
  const count = BigInt(number);
  if (count < LONG) return written(count);
  const digits = String(count);
  const power = [...String(digits.length - 1)].map((digit) => RAISED[Number(digit)]).join("");
  return `${digits[0]}.${digits.slice(1, 3)} × 10${power}`;
}

/**
 * Return a text with commas as nodes, so that a line may break behind each comma.
 * @param {string} text
 */
export function breakable(text) {
  return text.split(",").flatMap((part, index) => (index ? [",", document.createElement("wbr"), part] : [part]));
}

/**
 * Return what part of a whole a count is: 55.5 %, or < 0.1 % for what is there but would be 0.0 %.
 * @param {bigint} part
 * @param {bigint} whole
 */
export function share(part, whole) {
  if (whole === 0n) return "";
  const tenths = (part * 2000n + whole) / (2n * whole); // rounded
  return part > 0n && tenths === 0n ? "< 0.1 %" : `${tenths / 10n}.${tenths % 10n} %`;
}

/**
 * Return part / whole as a plain number, to draw it.
 * @param {bigint} part
 * @param {bigint} whole
 */
export function ratio(part, whole) {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
}

const PLAIN = /^-?\d+$/;
/** One separator throughout, between groups of three digits. */
const GROUPED = /^-?\d{1,3}([\s,_'’.])\d{3}(\1\d{3})*$/;

/**
 * Read a typed number below `total`, which may have separators, or throw an Error that says what is wrong.
 * @param {string} text
 * @param {bigint} total
 */
export function readNumber(text, total) {
  const typed = text.trim();
  const range = total > 0n ? `from 0 to ${written(total - 1n)}` : "";
  if (typed === "") throw new Error(`Type a number ${range}.`);
  if (!PLAIN.test(typed) && !GROUPED.test(typed))
    throw new Error(`“${clip(typed)}” is not a whole number. Games are numbered ${range}.`);
  const number = BigInt(typed.replace(/[^-\d]/g, ""));
  if (number < 0n || number >= total)
    throw new Error(`There is no game ${clip(written(number))}. They are numbered ${range}.`);
  return number;
}

/** @param {string} text */
function clip(text, most = 40) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}

/**
 * Return a text with the character that is wrong marked; only what is around it, if it is long.
 * @param {string} text
 * @param {number} [offset]
 */
export function pointAt(text, offset) {
  const line = document.createElement("p");
  line.className = "pointed";
  if (offset == null) {
    line.append(clip(text, 2 * CONTEXT));
    return line;
  }
  // Servers count characters, not the halves of which JavaScript makes some of them.
  const characters = [...text];
  const bad = characters[offset];
  const mark = document.createElement("mark");
  mark.append(bad === undefined || /\s/.test(bad) ? "␣" : bad);
  line.append(
    offset > CONTEXT ? "…" : "",
    characters.slice(Math.max(0, offset - CONTEXT), offset).join(""),
    mark,
    characters.slice(offset + 1, offset + 1 + CONTEXT).join(""),
    offset + 1 + CONTEXT < characters.length ? "…" : "",
  );
  return line;
}
