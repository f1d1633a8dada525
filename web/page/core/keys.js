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

/**
 * Calls a function with each key that is meant for the game: the screen with the board shows, and no field or dialog takes the key.
 * @param {import("./store.js").Store} store
 * @param {(event: KeyboardEvent) => void} act
 * @param {import("../types.d.ts").ScreenName} [screen] with the board
 */
export function onGameKey(store, act, screen = "play") {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element | null} */ (event.target);
    const isFree = store.state.screen === screen && !target?.closest("input, textarea, select, dialog") && !event.altKey;
    if (isFree && (on || event.key === "Escape")) act(event);
  });
}
