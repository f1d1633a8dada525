/**
 * Screens in the browser's history. An entry's state names the screen; the fragment of its address holds the board, if
 * the screen shows one. A link that somebody else sends has a fragment and no state: it is for playing, unless its
 * query names a lesson (learn/lessons.js).
 */

import { whenLeft } from "./sheet.js";

export const NAMES = /** @type {const} */ (["home", "picture", "enter", "follow", "play", "levels", "make", "learn"]);

/** Whether a screen shows the board in play. @param {ScreenName | null} screen */
export function hasBoard(screen) {
  return needsBoard(screen) || screen === "learn";
}

/** Whether a screen shows nothing without a board. @param {ScreenName | null} screen */
export function needsBoard(screen) {
  return screen === "follow" || isInPlay(screen);
}

/** Whether the board can be played, as a level or with what is known of it. @param {ScreenName | null} screen */
export function isInPlay(screen) {
  return screen === "levels" || screen === "play";
}

/** Keeps something with the screen, for when the page is loaded again. @param {Record<string, unknown>} what */
export function keepOnScreen(what) {
  try {
    history.replaceState({ ...history.state, ...what }, "");
  } catch {
    // some browsers refuse more than a hundred changes in half a minute
  }
}

export class Navigation {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** Shows a screen, as a new entry of the history. @param {ScreenName} screen @param {string} [query] with its `?` */
  go(screen, query = "") {
    const left = whenLeft();
    if (left) return void left.then(() => this.go(screen, query));
    const how = history.state?.sheet ? "replaceState" : "pushState"; // a dialog that leads on leaves no entry
    if (screen !== this.store.state.screen) history[how]({ screen, isInside: true }, "", location.pathname + query);
    this.store.set({ screen, notice: "" });
  }

  /** Shows the screen before this one; the first one if this one was opened from outside. */
  back() {
    if (history.state?.isInside) history.back();
    else this.go("home");
  }

  /** The screen that the current entry of the history names. @returns {ScreenName} */
  named() {
    const named = NAMES.find((name) => name === history.state?.screen);
    if (named) return named;
    if (new URLSearchParams(location.search).has("learn")) return "learn";
    return location.hash.length > 1 ? "play" : "home";
  }
}
