// A panel whose parts are loaded when it is opened for the first time, or when the address needs them: most people come to
// play at one screen.

import { h } from "../dom/dom.js";

/** @typedef {import("./tabs.js").Panel} Panel */

/**
 * Return the panel.
 * @param {import("../state/session.js").Session} session
 * @param {{name: string, title: string, load: () => Promise<Panel>, isWanted: () => boolean}} options `isWanted` says whether
 *   the address needs it
 * @returns {Panel}
 */
export function laterPanel(session, { name, title, load, isWanted }) {
  const element = h("div");
  /** @type {Promise<Panel> | null} */
  let loading = null;
  /** @type {Panel | null} */
  let panel = null;

  async function ready() {
    loading ??= load();
    try {
      panel = await loading;
    } catch {
      loading = null;
      session.say({ message: `${title} could not be loaded.`, retry: () => location.reload() });
      return;
    }
    if (!element.firstChild) element.append(panel.element);
  }

  session.on(["extras"], () => panel === null && isWanted() && ready());
  return {
    name,
    title,
    element,
    async shown() {
      await ready();
      panel?.shown?.();
    },
    hidden: () => panel?.hidden?.(),
  };
}
