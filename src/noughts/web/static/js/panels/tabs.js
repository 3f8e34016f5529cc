// Panels as tabs: the name of the open one is in the session, and with it in the address.

import { h } from "../dom/dom.js";

/** What a tab shows.
 * @typedef {object} Panel
 * @property {string} name what the address says: #panel=name
 * @property {string} title what is on the tab
 * @property {HTMLElement} element
 * @property {() => void} [shown] called when the tab opens
 * @property {() => void} [hidden] called when the tab closes
 */

/**
 * Fill a list of tabs, and show the panel that the session names.
 * @param {import("../state/session.js").Session} session
 * @param {Panel[]} panels
 * @param {HTMLElement} list
 * @param {HTMLElement} stage
 */
export function makeTabs(session, panels, list, stage) {
  /** @type {Panel | null} */
  let open = null;
  const tabs = panels.map(({ name, title, element }) => {
    const id = `tab-${name}`;
    element.id = `panel-${name}`;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", id);
    element.tabIndex = 0;
    element.classList.add("panel");
    element.hidden = true;
    const onclick = () => session.openPanel(name);
    return h("button", { type: "button", role: "tab", id, "aria-controls": element.id, onclick }, title);
  });
  list.append(...tabs);
  stage.append(...panels.map(({ element }) => element));

  list.addEventListener("keydown", (event) => {
    const at = open ? panels.indexOf(open) : 0;
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: panels.length - 1 };
    if (!(event.key in places)) return;
    event.preventDefault();
    const next = (places[event.key] + panels.length) % panels.length;
    session.openPanel(panels[next].name);
    tabs[next].focus();
  });

  session.on(["view", "panel", "report"], () => {
    const wanted = panels.find(({ name }) => name === session.panel) ?? panels[0];
    if (wanted === open) return;
    const before = open;
    open = wanted;
    for (const [index, panel] of panels.entries()) {
      panel.element.hidden = panel !== wanted;
      tabs[index].setAttribute("aria-selected", String(panel === wanted));
      tabs[index].tabIndex = panel === wanted ? 0 : -1;
    }
    before?.hidden?.();
    wanted.shown?.();
  });
}
