/**
 * The screen for learning in the address, before the board: `?learn=bounds&projector`. It can be bookmarked.
 */

import { LESSONS } from "./lessons.js";

/** @typedef {import("../types.d.ts").Learning} Learning */

/** What the address says. @returns {Partial<Learning>} */
export function read() {
  const fields = new URLSearchParams(location.search);
  const lesson = Object.keys(LESSONS).find((name) => name === fields.get("learn"));
  return { projector: fields.has("projector"), ...(lesson && { lesson: /** @type {Learning["lesson"]} */ (lesson) }) };
}

/** @param {Learning} learning */
export function write({ lesson, projector }) {
  history.replaceState(
    history.state,
    "",
    `${location.pathname}?learn=${lesson}${projector ? "&projector" : ""}${location.hash}`,
  );
}
