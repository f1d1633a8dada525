/**
 * Parts of the page that are loaded when they are first needed.
 */

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
