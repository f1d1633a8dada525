/**
 * Where the tubes of a board are drawn: in the game's rows, or in those that make them largest.
 */

import { heightOf, WIDTH } from "../board/cells.js";

const GAP = 12; // between tubes
const LABEL = 22; // below a tube, for its number
const EDGE = 8;

/** @typedef {{ x: number, y: number, capacity: number }} Spot the left upper corner of a tube's drawing */

/**
 * @param {number[]} capacities
 * @param {number[]} rows tubes in each row; other than as many tubes as there are if that isn't known
 * @param {number} shape width of the place, divided by its height
 * @returns {{ spots: Spot[], width: number, height: number }}
 */
export function layOut(capacities, rows, shape) {
  const known = rows.reduce((sum, count) => sum + count, 0) === capacities.length;
  if (known) return inRows(capacities, rows);
  const all = Array.from({ length: Math.min(6, capacities.length) }, (_, index) =>
    inRows(capacities, evenly(capacities.length, index + 1)),
  );
  const scale = ({ width = 0, height = 0 }) => Math.min(shape / width, 1 / height);
  return all.reduce((best, next) => (scale(next) > scale(best) ? next : best));
}

/** @param {number} tubes @param {number} rows */
function evenly(tubes, rows) {
  const columns = Math.ceil(tubes / rows);
  const full = Array.from({ length: Math.floor(tubes / columns) }, () => columns);
  return tubes % columns ? [...full, tubes % columns] : full;
}

/** @param {number[]} capacities @param {number[]} rows */
function inRows(capacities, rows) {
  const width = Math.max(...rows) * (WIDTH + GAP) - GAP + 2 * EDGE;
  /** @type {Spot[]} */
  const spots = [];
  let y = EDGE;
  for (const count of rows) {
    const own = capacities.slice(spots.length, spots.length + count);
    const high = heightOf(Math.max(...own));
    const left = (width - count * (WIDTH + GAP) + GAP) / 2;
    own.forEach((capacity, column) =>
      spots.push({ x: left + column * (WIDTH + GAP), y: y + high - heightOf(capacity), capacity }),
    );
    y += high + LABEL;
  }
  return { spots, width, height: y };
}
