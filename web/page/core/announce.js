/**
 * Tells what happens to those who can't see it.
 */

/** @param {HTMLElement} place a live region */
export function announcer(place) {
  let turn = false;
  return (/** @type {string} */ text) => {
    // The same words twice would be no change, and not be announced: a space more makes them one.
    turn = !turn;
    place.textContent = text && turn ? `${text}\u00a0` : text;
  };
}
