/**
 * A small picture of a board: few elements, so that hundreds can stand on a page.
 */

import { svg } from "../core/dom.js";

/** @typedef {import("../types.d.ts").Colour} Colour */

const CELL = 10; // units of the drawing
const GAP = 3;
const SHAPE = 1.25; // width by height that is aimed at

/** @param {import("../types.d.ts").Level} level @returns {SVGElement} */
export function miniature({ board, colours }) {
  if (board.puzzle === "shot") return shot(board);
  const columns = /** @type {(Colour | null)[][]} */ (board.tubes ?? board.columns ?? []);
  const isTiles = board.puzzle === "tiles";
  const room = (/** @type {number} */ place) =>
    /** @type {number[] | undefined} */ (board.capacities)?.[place] ?? Number(board.capacity);
  const tallest = Math.max(1, ...columns.map((column, place) => (isTiles ? column.length : room(place))));
  const [wide, high] = isTiles ? [CELL, tallest * CELL] : [CELL + 2 + GAP, tallest * CELL + 2 + GAP];
  const across = isTiles ? columns.length : tubesInRow(columns.length, wide, high);
  const rows = Math.ceil(columns.length / across);
  /** @type {Map<Colour | null, string>} path by colour */
  const cells = new Map();
  let glass = "";
  columns.forEach((column, place) => {
    const left = (place % across) * wide;
    const floor = Math.floor(place / across) * high + tallest * CELL;
    if (!isTiles)
      glass +=
        `M${left + 0.5} ${floor - room(place) * CELL}v${room(place) * CELL - 4}` +
        `a5.5 5.5 0 0 0 11 0V${floor - room(place) * CELL}`;
    column.forEach((colour, level) => {
      const covered = /** @type {boolean[][] | undefined} */ (board.hidden)?.[place]?.[level];
      const key = covered ? null : colour;
      const shape = cellAt(String(board.puzzle), left + (isTiles ? 0 : 1), floor - (level + 1) * CELL, level);
      cells.set(key, (cells.get(key) ?? "") + shape);
    });
  });
  const fills = new Map(colours);
  const paths = [...cells].map(([colour, path]) => {
    const drawn = svg("path", { d: path, class: "covered" });
    const fill = colour === null ? undefined : fills.get(colour);
    if (fill) drawn.style.setProperty("fill", fill);
    return drawn;
  });
  return picture(across * wide - (isTiles ? 0 : GAP), rows * high, svg("path", { d: glass, class: "glass" }), ...paths);
}

/** @param {string} puzzle @param {number} x @param {number} y @param {number} level from the bottom */
function cellAt(puzzle, x, y, level) {
  if (puzzle === "tiles") return `M${x + 0.5} ${y + 0.5}h9v9h-9z`;
  if (puzzle === "ball-sort") return discAt(x, y);
  return `M${x + 0.5} ${y}h9v${level ? `${CELL + 0.3}h-9` : "5.5a4.5 4.5 0 0 1-9 0"}z`;
}

/** @param {number} x @param {number} y */
function discAt(x, y) {
  return `M${x + 0.4} ${y + CELL / 2}a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0`;
}

/** @param {import("../types.d.ts").Board} board */
function shot({ balls, width = 7, height = 9 }) {
  const [wide, high] = [Number(width) * CELL, Number(height) * CELL];
  const path = /** @type {[number, number][]} */ (balls).map(([x, y]) => discAt(x * CELL, y * CELL)).join("");
  return picture(
    wide,
    high,
    svg("rect", { width: wide, height: high, rx: 4, class: "glass" }),
    svg("path", { d: path, class: "shot-balls" }),
  );
}

/** @param {number} wide @param {number} high @param {...SVGElement} parts */
function picture(wide, high, ...parts) {
  return svg(
    "svg",
    { viewBox: `-1 -1 ${wide + 2} ${high + 2}`, class: "miniature", "aria-hidden": "true", focusable: "false" },
    ...parts,
  );
}

/** @param {number} tubes @param {number} wide @param {number} high */
function tubesInRow(tubes, wide, high) {
  let best = tubes;
  const distance = (/** @type {number} */ across) =>
    Math.abs(Math.log((across * wide) / (Math.ceil(tubes / across) * high) / SHAPE));
  for (let rows = 1; rows <= tubes; rows++) {
    const across = Math.ceil(tubes / rows);
    if (distance(across) < distance(best)) best = across;
  }
  return Math.max(1, best);
}
