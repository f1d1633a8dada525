/**
 * How large things are drawn: as large as the place allows, and never below what a finger can hit.
 */

const LEAST = 44; // pixels, of a target
const MOST = 66;

/**
 * Columns and width for a number of tubes, all of them in sight where that can be.
 * @param {number} tubes
 * @param {number} tallest cells
 * @param {number} width pixels
 * @param {number} height pixels
 * @returns {{ columns: number, size: number, gap: number }}
 */
export function fitTubes(tubes, tallest, width, height) {
  let best = { columns: 1, size: 0, gap: 4 };
  for (let columns = 1; columns <= tubes; columns++) {
    const gap = width < 480 ? 4 : 12;
    const rows = Math.ceil(tubes / columns);
    const across = Math.floor((width - (columns - 1) * gap) / columns);
    if (across < LEAST && columns > 1) break;
    const down = Math.floor((height / rows - 44) / (tallest * 0.9 + 0.5));
    const size = Math.max(Math.min(LEAST, across), Math.min(MOST, across, down));
    const better = size > best.size || (size === best.size && rows < Math.ceil(tubes / best.columns));
    if (better) best = { columns, size, gap };
  }
  // The fewest tubes a row that need no more rows: no row is much shorter than the others.
  const rows = Math.ceil(tubes / best.columns);
  return { ...best, columns: Math.ceil(tubes / rows) };
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
