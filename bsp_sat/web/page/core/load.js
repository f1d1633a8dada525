/**
 * Parts of the page that are loaded when they are first needed.
 */

import { reach } from "./api.js";

/**
 * A function that makes something once. A failed attempt is forgotten, so that the next call tries again.
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
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

/**
 * The same for what needs a module. Browsers may keep a module's failure as long as the page lives, so that the call
 * after
 * a failed one loads the page again where the server answers.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>}
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
