// Sentences, where what the server says has to become one.

/** Return a text with a capital at its start, as a sentence has. */
export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Return why somebody cannot play in a cell. The server speaks to those who write games down: of "move 3: b2 (cell 4) is
 * taken by X", the numbers say nothing to whoever clicked.
 */
export function whyNot(name, message) {
  const why = message.replace(/^move \d+: /, "").replace(new RegExp(`^${name} \\((cell )?\\d+\\) `), "it ");
  return `You cannot play ${name}: ${why}`;
}
