// Numbers as people read and type them. Counts pass 2^53, so they are BigInts.

/** Return a count with separators: 1,281,016,086,768. */
export function written(number) {
  return BigInt(number).toLocaleString("en");
}

/** Return a count, or any text with commas, as it is to be shown where it may have to go on in a new line. */
export function breakable(text) {
  return text.split(",").flatMap((part, index) => (index ? [",", document.createElement("wbr"), part] : [part]));
}

/** Return what part of a whole a count is: 55.5 %, or < 0.1 % for what is there but would be 0.0 %. */
export function share(part, whole) {
  if (whole === 0n) return "";
  const tenths = (part * 2000n + whole) / (2n * whole); // rounded
  return part > 0n && tenths === 0n ? "< 0.1 %" : `${tenths / 10n}.${tenths % 10n} %`;
}

/** Return part / whole as a plain number, to draw it. */
export function ratio(part, whole) {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
}

/** Read a number below `total` as somebody typed it, with any separators, or throw an Error that says what is wrong. */
export function readNumber(text, total) {
  const digits = text.replace(/[\s,_'’.]/g, "");
  const range = total > 0n ? `from 0 to ${written(total - 1n)}` : "";
  if (digits === "") throw new Error(`Type a number ${range}.`);
  if (!/^-?\d+$/.test(digits)) throw new Error(`“${clip(text.trim())}” is no number. Games are numbered ${range}.`);
  const number = BigInt(digits);
  if (number < 0n || number >= total)
    throw new Error(`There is no game ${clip(written(number))}. They are numbered ${range}.`);
  return number;
}

function clip(text) {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
