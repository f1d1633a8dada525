/** Rows of tubes that a person shows in a picture. Functions give back new rows and leave the old ones as they were. */

const SIZES = { tubes: { least: 1, most: 40 }, cells: { least: 2, most: 16 } };
const LEAST_STEP = 8; // pixels from dot to dot

/** A row that isn't marked yet, of the size of another one. @param {ShownRow} [like] @returns {ShownRow} */
export function newRow({ tubes, cells } = { corners: [], tubes: 4, cells: 4 }) {
  return { corners: [], tubes, cells };
}

/** @param {ShownRow} row @param {number} corner 0 or 1 @param {Point} point @returns {ShownRow} */
export function withCorner(row, corner, point) {
  const corners = [...row.corners];
  corners[corner] = point;
  return { ...row, corners };
}

/** @param {ShownRow} row @param {"tubes" | "cells"} what @param {number} by @returns {ShownRow} */
export function withMore(row, what, by) {
  const { least, most } = SIZES[what];
  return { ...row, [what]: Math.max(least, Math.min(most, row[what] + by)) };
}

/** @param {ShownRow} row */
export function isMarked({ corners }) {
  return corners.length === 2;
}

/** The middles of a row's cells; none until both corners are marked. @param {ShownRow} row @returns {Point[]} */
export function dotsOf(row) {
  if (!isMarked(row)) return [];
  const { left, top, right, bottom } = frameOf(row);
  const at = (/** @type {[number, number]} */ [from, to], /** @type {number} */ index, /** @type {number} */ count) =>
    from + (to - from) * (count > 1 ? index / (count - 1) : 0);
  return Array.from({ length: row.tubes * row.cells }, (_, index) => [
    at([left, right], index % row.tubes, row.tubes),
    at([top, bottom], Math.floor(index / row.tubes), row.cells),
  ]);
}

/** What is wrong with the marks, in words; empty if nothing is. @param {ShownRow[]} rows */
export function wrongMarks(rows) {
  const dense = rows.findIndex((row) => {
    if (!isMarked(row)) return false;
    const { left, top, right, bottom } = frameOf(row);
    return bottom - top < LEAST_STEP * (row.cells - 1) || right - left < LEAST_STEP * (row.tubes - 1);
  });
  return dense < 0
    ? ""
    : `The dots of row ${dense + 1} are too close together. Move its marks apart, or make the numbers smaller.`;
}

/** Rows as the server takes them, from the top. @param {ShownRow[]} rows all of them marked */
export function asQuery(rows) {
  const frames = rows.map((row) => ({ ...frameOf(row), ...row })).sort((one, other) => one.top - other.top);
  const words = frames.map(({ left, top, right, bottom, tubes, cells }) => [left, top, right, bottom, tubes, cells]);
  return new URLSearchParams(words.map((row) => ["row", row.join()]));
}

/** A rectangle through the middles of the corner cells, in whole pixels. @param {ShownRow} row */
function frameOf({ corners, tubes }) {
  const [across, down] = [0, 1].map((axis) =>
    corners.map((corner) => Math.round(corner[axis] ?? 0)).sort((one, other) => one - other),
  );
  const [first = 0, last = 0] = across ?? [];
  const [top = 0, bottom = 0] = down ?? [];
  const middle = Math.round((first + last) / 2);
  return tubes === 1 ? { left: middle, top, right: middle, bottom } : { left: first, top, right: last, bottom };
}
