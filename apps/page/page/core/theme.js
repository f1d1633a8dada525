/** Light, dark, or as the system says. */

import { read, write } from "./kept.js";

/** @type {Theme[]} */
const THEMES = ["", "light", "dark"];
/** @type {Theme} */
let theme = "";

/** Reads what was chosen before. */
export function applyTheme() {
  theme = read("theme");
  document.documentElement.style.colorScheme = theme;
}

/** Goes on to the next theme, and says which it is. */
export function nextTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "";
  document.documentElement.style.colorScheme = theme;
  write("theme", theme);
  return themeInWords();
}

/** The current theme, in words. */
export function themeInWords() {
  return `Colours: ${theme || "as the system"}`;
}
