// What each reader sets for themselves: colours, sounds, animations. Loaded before anything is drawn, so that nothing
// flashes; kept in the browser. The settings are attributes of the page, where style sheets and scripts find them:
//
//     data-theme    light, dark or auto, which is as the system has it
//     data-motion   full or reduced; until one chooses, as the system has it
//     data-sound    on or off
//
// A page has any of the controls data-setting="theme" (a list), "motion" and "sound" (boxes to tick).

{
  const KEY = "noughts-settings";
  const root = document.documentElement;
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  /** @returns {Record<string, string>} */
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? "{}");
    } catch {
      return {}; // a browser may keep nothing
    }
  };

  let chosen = stored();

  const apply = () => {
    const { theme = "auto", motion, sound = "off" } = chosen;
    root.dataset.theme = ["light", "dark"].includes(theme) ? theme : "auto";
    root.dataset.motion = motion ?? (still.matches ? "reduced" : "full");
    root.dataset.sound = sound;
    for (const control of document.querySelectorAll("[data-setting]")) show(control);
  };

  /** @param {Element} control */
  const show = (control) => {
    if (control instanceof HTMLSelectElement) control.value = root.dataset.theme ?? "auto";
    else if (control instanceof HTMLInputElement) {
      const { setting = "" } = control.dataset;
      control.checked = ["full", "on"].includes(root.dataset[setting] ?? "");
    }
  };

  /** @param {Event} event */
  const change = ({ target }) => {
    if (target instanceof HTMLSelectElement && target.dataset.setting === "theme") chosen.theme = target.value;
    else if (!(target instanceof HTMLInputElement)) return;
    else if (target.dataset.setting === "motion") chosen.motion = target.checked ? "full" : "reduced";
    else if (target.dataset.setting === "sound") chosen.sound = target.checked ? "on" : "off";
    else return;
    try {
      localStorage.setItem(KEY, JSON.stringify(chosen));
    } catch {
      // then it lasts as long as the page
    }
    apply();
  };

  apply();
  still.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("change", change);
  window.addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    chosen = stored(); // another window has changed them
    apply();
  });
}
