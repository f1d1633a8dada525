/** How large things are drawn: as large as the place allows, and never below what a finger can hit. */

const CLOSE = 60; // pixels for a tube and a gap, below which gaps are narrow
const WIDEST_GAP = 16;
const WIDEST_SQUARE = 96;
const WORTH_A_ROW = 1.03; // times as large, for another row of tubes

/** All tubes in sight where that can be. @param {number} tubes @param {number} tallest cells @param {Room} room */
export function fitTubes(tubes, tallest, { width, height, least, most, around, over = 0 }) {
  let best = { columns: 1, size: 0, gap: 0 };
  for (let rows = 1; rows <= tubes; rows++) {
    const columns = Math.ceil(tubes / rows);
    let gap = width < 480 || width / columns < CLOSE ? 4 : 12;
    const across = Math.floor((width - (columns - 1) * gap) / columns);
    const down = Math.floor((height / rows - around) / (tallest * 0.8 + 0.5 + over / rows));
    const size = Math.max(Math.min(least, across), Math.min(most, across, down));
    gap = Math.max(gap, Math.min(WIDEST_GAP, Math.floor(width / columns) - size));
    if (size > best.size * WORTH_A_ROW) best = { columns, size, gap };
  }
  return best;
}

/** How many tubes stand in each of some rows, or of fewer. @param {number} tubes @param {number} rows */
export function evenly(tubes, rows) {
  const columns = Math.ceil(tubes / rows);
  const full = Array.from({ length: Math.floor(tubes / columns) }, () => columns);
  return tubes % columns ? [...full, tubes % columns] : full;
}

/** The side of a square of a grid. @param {number} columns @param {number} rows @param {Room} room */
export function fitGrid(columns, rows, { width, height, least }) {
  const across = Math.floor(width / columns);
  return Math.max(Math.min(across, least), Math.min(WIDEST_SQUARE, across, Math.floor(height / rows)));
}
