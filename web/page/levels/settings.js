/**
 * How levels are played: kept in the browser, changed here alone.
 */

/** @typedef {import("../types.d.ts").Settings} Settings */

const KEY = "bsp-sat levels";

/** Reads what was chosen before. @param {import("../core/store.js").Store} store */
export function readSettings(store) {
  const letters = matchMedia("(prefers-contrast: more), (forced-colors: active)").matches;
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    // As they are from the start.
  }
  store.set({ settings: { ...store.state.settings, letters, ...chosen } });
}

/** @param {import("../core/store.js").Store} store @param {Partial<Settings>} changes */
export function changeSettings(store, changes) {
  store.set({ settings: { ...store.state.settings, ...changes } });
  try {
    const chosen = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    localStorage.setItem(KEY, JSON.stringify({ ...chosen, ...changes }));
  } catch {
    // They hold for as long as the page is open.
  }
}
