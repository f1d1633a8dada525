/** Parts of the page that are loaded when they are first needed, and what is said where that takes long. */

import { data, reach, UNREACHABLE } from "./api.js";

/** @typedef {{ name: string, summary: string, optimum: number | string | null, board: Board }} Shipped */

const SOON = 300; // milliseconds that people wait without a word

/** Says something if work takes long. @template T @param {Promise<T>} work @param {() => void} say */
export async function unlessSoon(work, say) {
  const timer = setTimeout(say, SOON);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a dialog, perhaps after loading it. @param {App} app @param {() => Promise<{ open(): void }>} dialog */
export async function openPart(app, dialog) {
  try {
    (await dialog()).open();
  } catch {
    app.notice(UNREACHABLE);
  }
}

/**
 * Makes something once; after a failure the next call tries again.
 * @template T @param {() => Promise<T>} make @returns {() => Promise<T>}
 */
export function once(make) {
  /** @type {Promise<T> | null} */
  let made = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
}

/** The boards that come with bsp-sat. @type {() => Promise<Shipped[]>} */
export const shippedBoards = once(() => data("boards.json"));

/**
 * The same for what needs a module. Browsers may keep a module's failure as long as the page lives, so that the call
 * after a failed one loads the page again where the server answers.
 * @template T @param {() => Promise<T>} load @returns {() => Promise<T>}
 */
export function onceLoaded(load) {
  let failed = false;
  const loaded = once(load);
  return async () => {
    if (failed) {
      await reach();
      location.reload();
    }
    try {
      return await loaded();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
}
