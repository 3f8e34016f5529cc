// The panel "Share": the game as text, link and picture, and back from text.

import { button, closest, download, h } from "../dom/dom.js";
import { capital, pointAt } from "../dom/text.js";
import { problemOf } from "../server/api.js";
import { shared } from "../state/address.js";

const EMBEDDED = { width: 360, height: 440 }; // pixels of a board on another site
const MOVES_ALONE = /^\s*(?:\d+\.+\s*)?(?:[a-z]{1,2}\d+|[a-i]{2})(?:\s|,|$)/i;
const PNG_SCALE = 3;

/**
 * Return the panel, with copy(what) for the key, which returns what to say.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 */
export function sharePanel(session, api) {
  const said = h("p", { class: "said", role: "status" });
  const plain = { rows: 3, spellcheck: "false", autocomplete: "off", placeholder: "3x3x3 b2 a1" };
  const box = h("textarea", { id: "paste", ...plain });
  const fault = h("div", { class: "fault", role: "alert" });
  const texts = {
    game: () => session.view.game,
    position: () => session.view.position,
    link: () => shared(session),
    embed: () => embedCode(session.view),
  };

  const copyButton = (/** @type {string} */ label, /** @type {keyof typeof texts} */ what) =>
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
      copyButton("Embed code", "embed"),
    ),
    h("h3", {}, "Save a picture"),
    h(
      "div",
      { class: "row" },
      button("SVG", () => save(() => svg(), "noughts.svg")),
      button("PNG", () => save(png, "noughts.png")),
    ),
    said,
    h(
      "form",
      { onsubmit: submit },
      h("label", { for: "paste" }, h("h3", {}, "Paste")),
      h("p", { class: "about" }, "A position or moves, in any form that noughts reads. Ctrl+V anywhere does the same."),
      box,
      fault,
      h("div", { class: "row" }, h("button", { class: "button" }, "Open")),
    ),
  );

  /**
   * Copy something; return what to say about it.
   * @param {keyof typeof texts} what
   */
  async function copy(what) {
    const text = texts[what]();
    try {
      await navigator.clipboard.writeText(text);
      return `Copied: ${text}`;
    } catch {
      return `Your browser does not let pages copy. Here it is: ${text}`;
    }
  }

  /**
   * Return the picture of the position, in the colours that the page has. Where these are the reader's own choice, a drawing
   * follows its readers, too.
   * @param {string} theme
   */
  async function svg(theme = themeOfPage()) {
    const query = new URLSearchParams({ game: session.view.game, theme });
    const response = await api.request(`draw.svg?${query}`);
    return response.blob();
  }

  async function png() {
    const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = themeOfPage() === "auto" ? (isDark ? "dark" : "light") : themeOfPage();
    const address = URL.createObjectURL(await svg(theme));
    try {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = h("canvas", { width: image.naturalWidth * PNG_SCALE, height: image.naturalHeight * PNG_SCALE });
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
      return /** @type {Blob} */ (blob);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /**
   * Save a picture as a file.
   * @param {() => Promise<Blob>} picture
   * @param {string} name
   */
  async function save(picture, name) {
    try {
      download(await picture(), name);
      said.textContent = `Saved as ${name}.`;
    } catch {
      said.textContent = "The picture could not be made.";
    }
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    open(box.value);
  }

  /**
   * Open a text; what cannot be read is pointed at, and the game on the board stays.
   * @param {string} text
   */
  async function open(text) {
    fault.replaceChildren();
    if (!text.trim()) return blame("There is nothing to open.");
    // Moves alone are moves of the game on the board.
    const start = session.here && MOVES_ALONE.test(text) ? `${session.here.start} ` : "";
    const problem = await reading(start + text);
    if (!problem) {
      box.value = "";
      return undefined;
    }
    const { message, status, place } = problem;
    const offset = place?.offset == null ? undefined : place.offset - start.length;
    session.openPanel("share");
    box.value = text;
    const why = status === 413 ? "this is too long to be a game" : message;
    return blame(capital(why), pointAt(text, offset));
  }

  /**
   * Say what is wrong with the text in the box.
   * @param {string} message
   * @param {HTMLElement[]} details
   */
  function blame(message, ...details) {
    fault.replaceChildren(h("p", {}, message), ...details);
  }

  /**
   * Open a text as it is; return the Problem if it cannot be.
   * @param {string} text
   */
  async function reading(text) {
    try {
      await session.open(text);
      return null;
    } catch (error) {
      return problemOf(error);
    }
  }

  document.addEventListener("paste", (event) => {
    if (closest(event, "input, textarea, select")) return;
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trim()) return;
    event.preventDefault();
    open(text);
  });

  return { name: "share", title: "Share", element, copy };
}

/** Return light, dark or auto, as settings.js has it. */
function themeOfPage() {
  return document.documentElement.dataset.theme ?? "auto";
}

/**
 * Return the HTML that shows a game on another site, to look at and to step through.
 * @param {import("../state/game.js").View} view
 */
function embedCode({ game, name }) {
  const src = new URL(`embed?${new URLSearchParams({ game })}`, document.baseURI).href;
  const title = `${name} on noughts`;
  const frame = h("iframe", { src, title, ...EMBEDDED, frameborder: 0, loading: "lazy" });
  return frame.outerHTML;
}
