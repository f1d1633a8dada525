/**
 * Keys that do something without Ctrl: who speaks to a computer, or rests a hand on it, can switch them off.
 */

const KEPT = "bsp-sat keys";

let on = true;
try {
  on = localStorage.getItem(KEPT) !== "off";
} catch {
  // They are on.
}

export function areKeysOn() {
  return on;
}

/** @param {boolean} wanted */
export function switchKeys(wanted) {
  on = wanted;
  try {
    localStorage.setItem(KEPT, wanted ? "on" : "off");
  } catch {
    // It holds for as long as the page is open.
  }
}

/** Whether a key is meant for the game: it belongs to no field and to no dialog, and is let through. @param {KeyboardEvent} event */
export function isForGame(event) {
  const target = /** @type {Element | null} */ (event.target);
  return on && !target?.closest("input, textarea, select, dialog") && !event.altKey;
}
