// The panel "Learn": the exercises, shown step by step beside the code that runs. Its parts are loaded when it is opened
// for the first time: most people come to play.

import { h } from "../dom/dom.js";

/** @typedef {Awaited<ReturnType<typeof load>>} Parts */

/**
 * Return the panel.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @returns {import("./tabs.js").Panel}
 */
export function learnPanel(session, api) {
  let isOpen = false;
  /** @type {Promise<Parts> | null} */
  let loading = null;
  /** @type {Parts | null} */
  let parts = null;
  const element = h("div", { class: "learn" });

  async function open() {
    isOpen = true;
    loading ??= load(session, api, element);
    try {
      parts = await loading;
    } catch {
      loading = null;
      session.say({ message: "Learn could not be loaded.", retry: () => location.reload() });
      return;
    }
    if (isOpen) parts.follow();
  }

  function close() {
    isOpen = false;
    parts?.leave();
  }

  session.on(["extras", "view"], () => isOpen && parts?.follow());
  return { name: "learn", title: "Learn", element, shown: open, hidden: close };
}

/**
 * Load and make what the panel consists of.
 * @param {import("../state/session.js").Session} session
 * @param {import("../server/api.js").Api} api
 * @param {HTMLElement} element
 */
async function load(session, api, element) {
  const { makeClassroom } = await import("../learn/classroom.js");
  return makeClassroom(session, api, element);
}
