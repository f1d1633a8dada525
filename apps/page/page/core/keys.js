/** Keys that do something without Ctrl: who speaks to a computer, or rests a hand on it, can switch them off. */

import { read, write } from "./kept.js";
import { isInPlay } from "./navigation.js";

let on = read("keys") === "on";

export function areKeysOn() {
  return on;
}

/** @param {boolean} wanted */
export function switchKeys(wanted) {
  on = wanted;
  write("keys", wanted ? "on" : "off");
}

/**
 * Calls a function with each key that is meant for the game: the screen with the board shows, and no field or dialog
 * takes the key.
 * @param {Store} store @param {(event: KeyboardEvent) => void} act
 * @param {(screen: ScreenName | null) => boolean} [isThere] whether a screen shows the board
 */
export function onGameKey(store, act, isThere = isInPlay) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element | null} */ (event.target);
    const isFree = isThere(store.state.screen) && !target?.closest("input, textarea, select, dialog") && !event.altKey;
    if (isFree && (on || event.key === "Escape")) act(event);
  });
}

/**
 * Does what single keys stand for. Ctrl Z and Ctrl Shift Z do what U and Y do.
 * @param {Store} store @param {Record<string, () => unknown>} actions by the key's name in small letters
 * @param {Parameters<typeof onGameKey>[2]} [isThere]
 */
export function onLetters(store, actions, isThere) {
  onGameKey(
    store,
    (event) => {
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key !== "z" && key !== "y") return;
      const letter = key === "z" ? (event.shiftKey ? "y" : "u") : key;
      if (!Object.hasOwn(actions, letter)) return;
      if (key !== "escape") event.preventDefault(); // which closes dialogs too
      actions[letter]?.();
    },
    isThere,
  );
}
