// Light, dark, or as the system has it. Loaded before anything is drawn, so that nothing flashes; any page may
// have a select with the id "theme" whose options are light, dark and auto.

{
  const KEY = "noughts-theme";

  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // a browser may keep nothing
    }
  };

  const store = (/** @type {string} */ theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // then it lasts as long as the page
    }
  };

  const apply = (/** @type {string | null} */ theme) => {
    document.documentElement.dataset.theme = theme === "light" || theme === "dark" ? theme : "auto";
  };

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => {
    const select = document.getElementById("theme");
    if (!(select instanceof HTMLSelectElement)) return;
    select.value = document.documentElement.dataset.theme ?? "auto";
    select.addEventListener("change", () => {
      store(select.value);
      apply(select.value);
    });
  });
}
