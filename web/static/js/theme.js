// Light or dark: what the reader chose here wins over what the device prefers. Runs before the page is drawn.
(() => {
  const KEY = "pithead-theme";
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch (error) {
      if (error instanceof DOMException) return null; // storage switched off: the device's choice holds
      throw error;
    }
  }

  function isDark() {
    return root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  const chosen = stored();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.hidden = false;
      button.setAttribute("aria-pressed", String(isDark()));
      button.addEventListener("click", () => {
        root.dataset.theme = isDark() ? "light" : "dark";
        button.setAttribute("aria-pressed", String(isDark()));
        try {
          localStorage.setItem(KEY, root.dataset.theme);
        } catch (error) {
          if (!(error instanceof DOMException)) throw error; // not remembered, still switched
        }
      });
    }
  });
})();
