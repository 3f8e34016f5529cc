// The panel "Share": the game as text, link and picture, and back from text.

import { pointAt } from "./announce.js";
import { download, h } from "./dom.js";
import { capital } from "./words.js";

const PNG_SCALE = 3;

/** Return the panel, with copy(what) for the key, which returns what to say. */
export function sharePanel(session, api) {
  const said = h("p", { class: "said", role: "status" });
  const plain = { rows: 3, spellcheck: "false", autocomplete: "off", placeholder: "3x3x3 b2 a1" };
  const box = h("textarea", { id: "paste", ...plain });
  const fault = h("div", { class: "fault", role: "alert" });
  const texts = {
    game: () => session.view.game,
    position: () => session.view.position,
    link: () => location.href,
  };

  const button = (label, onclick) => h("button", { type: "button", class: "button", onclick }, label);
  const copyButton = (label, what) =>
    button(label, async () => {
      said.textContent = await copy(what);
    });
  const element = h(
    "div",
    {},
    h("h3", {}, "Copy"),
    h(
      "div",
      { class: "row" },
      copyButton("Link", "link"),
      copyButton("Game", "game"),
      copyButton("Position", "position"),
    ),
    h("h3", {}, "Save a picture"),
    h("div", { class: "row" }, button("SVG", saveSvg), button("PNG", savePng)),
    said,
    h(
      "form",
      { onsubmit: load },
      h("label", { for: "paste" }, h("h3", {}, "Paste")),
      h("p", { class: "about" }, "A position or moves, in any form that noughts reads. Ctrl+V anywhere does the same."),
      box,
      fault,
      h("div", { class: "row" }, h("button", { class: "button" }, "Open")),
    ),
  );

  /** Copy something; return what to say about it. */
  async function copy(what) {
    const text = texts[what]();
    try {
      await navigator.clipboard.writeText(text);
      return `Copied: ${text}`;
    } catch {
      return `Your browser does not let pages copy. Here it is: ${text}`;
    }
  }

  async function picture() {
    const response = await fetch(api.address(`draw.svg?game=${encodeURIComponent(session.view.game)}`));
    if (!response.ok) throw new Error(String(response.status));
    return response.blob();
  }

  async function saveSvg() {
    try {
      download(await picture(), "noughts.svg");
      said.textContent = "Saved as noughts.svg.";
    } catch {
      said.textContent = "The picture could not be made.";
    }
  }

  async function savePng() {
    let address = null;
    try {
      address = URL.createObjectURL(await picture());
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = h("canvas", { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      download(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), "noughts.png");
      said.textContent = "Saved as noughts.png.";
    } catch {
      said.textContent = "The picture could not be made.";
    } finally {
      if (address) URL.revokeObjectURL(address);
    }
  }

  function load(event) {
    event.preventDefault();
    open(box.value);
  }

  /** Open a text; what cannot be read is pointed at, and the game on the board stays. */
  async function open(text) {
    fault.replaceChildren();
    if (!text.trim()) {
      blame("There is nothing to open.");
      return;
    }
    // Moves alone are moves of the game on the board. If it cannot be read either way, the better half counts:
    // the reading that gets further knows best what is wrong.
    const start = `${session.here?.start ?? ""} `;
    const whole = await reading(text);
    const moves = whole && (await reading(start + text));
    if (!whole || !moves) {
      box.value = "";
      return;
    }
    const [wholeAt, movesAt] = [whole.place?.offset ?? 0, (moves.place?.offset ?? 0) - start.length];
    const isMoves = movesAt > wholeAt && !/[:/]/.test(text); // which only positions have
    const { message, status } = isMoves ? moves : whole;
    session.show("share");
    box.value = text;
    const said = status === 413 ? "this is too long to be a game" : message;
    blame(capital(said), pointAt(text, isMoves ? movesAt : whole.place?.offset));
  }

  /** Say what is wrong with the text in the box. */
  function blame(message, ...details) {
    fault.replaceChildren(h("p", {}, message), ...details);
  }

  /** Open a text as it is; return the Problem if it cannot be. */
  async function reading(text) {
    try {
      await session.open(text);
      return null;
    } catch (error) {
      if (error instanceof api.Problem) return error;
      throw error;
    }
  }

  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea, select")) return;
    const text = event.clipboardData.getData("text/plain");
    if (!text.trim()) return;
    event.preventDefault();
    open(text);
  });

  return { name: "share", title: "Share", element, copy };
}
