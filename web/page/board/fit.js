/**
 * How large things are drawn: as large as the place allows, and never below what a finger can hit.
 */

const LEAST = 44; // pixels, of a target
const MOST = 72;
const WORTH_A_ROW = 1.15; // times as large, for another row of tubes

/**
 * Columns and width for a number of tubes, all of them in sight where that can be.
 * @param {number} tubes
 * @param {number} tallest cells
 * @param {number} width pixels
 * @param {number} height pixels
 * @returns {{ columns: number, size: number, gap: number }}
 */
export function fitTubes(tubes, tallest, width, height) {
  const gap = width < 480 ? 4 : 12;
  let best = { columns: 1, size: 0, gap };
  for (let rows = 1; rows <= tubes; rows++) {
    const columns = Math.ceil(tubes / rows);
    const across = Math.floor((width - (columns - 1) * gap) / columns);
    const down = Math.floor((height / rows - 44) / (tallest * 0.8 + 0.5));
    const size = Math.max(Math.min(LEAST, across), Math.min(MOST, across, down));
    if (size > best.size * WORTH_A_ROW) best = { columns, size, gap };
  }
  return best;
}

/**
 * The side of a square of a grid.
 * @param {number} columns
 * @param {number} rows
 * @param {number} width pixels
 * @param {number} height pixels
 */
export function fitGrid(columns, rows, width, height) {
  const across = Math.floor(width / columns);
  return Math.max(Math.min(across, LEAST), Math.min(64, across, Math.floor(height / rows)));
}
