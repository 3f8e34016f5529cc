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

  const store = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // then it lasts as long as the page
    }
  };

  const apply = (theme) => {
    document.documentElement.dataset.theme = ["light", "dark"].includes(theme) ? theme : "auto";
  };

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => {
    const select = document.getElementById("theme");
    if (!select) return;
    select.value = document.documentElement.dataset.theme;
    select.addEventListener("change", () => {
      store(select.value);
      apply(select.value);
    });
  });
}
