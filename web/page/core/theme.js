/**
 * Light, dark, or as the system says.
 */

const THEMES = ["", "light", "dark"];
const KEY = "bsp-sat theme";
let theme = "";

/** Reads what was chosen before. */
export function applyTheme() {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    if (THEMES.includes(kept)) theme = kept;
  } catch {
    // As the system says.
  }
  document.documentElement.dataset.theme = theme;
}

/** Goes on to the next theme. */
export function nextTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds for as long as the page is open.
  }
}

/** The current theme, in words. */
export function themeInWords() {
  return `Colours: ${theme || "as the system"}`;
}
