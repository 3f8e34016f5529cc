// Panels as tabs: the open one is in the session, and with it in the address.

import { h } from "./dom.js";

/** Fill a list of tabs, and show the panel that the session names; panels are told when they are shown and hidden. */
export function makeTabs(session, panels, list, stage) {
  let open = null;
  const tabs = panels.map((panel) => {
    const ids = { id: `tab-${panel.name}`, "aria-controls": `panel-${panel.name}` };
    const open = () => session.show(panel.name);
    const tab = h("button", { type: "button", role: "tab", ...ids, onclick: open }, panel.title);
    panel.element.id = `panel-${panel.name}`;
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", tab.id);
    panel.element.tabIndex = 0;
    panel.element.classList.add("panel");
    panel.element.hidden = true;
    return tab;
  });
  list.append(...tabs);
  stage.append(...panels.map((panel) => panel.element));

  list.addEventListener("keydown", (event) => {
    const at = panels.indexOf(open);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: panels.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + panels.length) % panels.length;
    session.show(panels[next].name);
    tabs[next].focus();
  });

  session.onChange((what) => {
    if (what !== "panel" && open) return;
    const wanted = panels.find(({ name }) => name === session.panel) ?? panels[0];
    if (wanted === open) return;
    const before = open;
    open = wanted;
    panels.forEach((panel, index) => {
      panel.element.hidden = panel !== wanted;
      tabs[index].setAttribute("aria-selected", String(panel === wanted));
      tabs[index].tabIndex = panel === wanted ? 0 : -1;
    });
    before?.hidden?.();
    wanted.shown?.();
  });
}
