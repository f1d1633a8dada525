/**
 * What stands in tubes and columns, drawn: a ball, a layer of water, a tile, a covered cell. Lengths are in units of
 * the
 * drawing, 48 to a tube's width.
 */

import { set, svg } from "../core/dom.js";

/** @import { Colour, NamedColour } from "../types.d.ts" */
/**
 * @typedef {{ colour: Colour | null, look: NamedColour | null, covered: boolean }} Cell what is covered and unknown has
 *   no look
 */

export const WIDTH = 48;
export const PITCH = 37;
const RADIUS = 18;
const TOP = 22; // room above the rim, for what is lifted
const WALL = 3;

/** The height of a tube's drawing. @param {number} capacity */
export function heightOf(capacity) {
  return TOP + capacity * PITCH + 2 + WALL + 2;
}

/** The outline of a tube. @param {number} capacity @param {string} [kind] */
export function glass(capacity, kind = "glass") {
  const floor = heightOf(capacity) - WALL / 2;
  return svg("path", { d: `M1.5 ${TOP - 4} V${floor - 21} a22.5 21 0 0 0 45 0 V${TOP - 4}`, class: kind });
}

/** The middle of a cell, counted from the bottom. @param {number} level @param {number} capacity */
export function middleOf(level, capacity) {
  return heightOf(capacity) - WALL - 1.5 - PITCH / 2 - level * PITCH;
}

/**
 * @param {Cell} cell
 * @param {number} level
 * @param {number} capacity
 */
export function ball(cell, level, capacity) {
  const y = middleOf(level, capacity);
  const kind = cell.look === null ? "cell ball unknown" : cell.covered ? "cell ball covered" : "cell ball";
  const disc = svg("circle", { cx: WIDTH / 2, cy: y, r: RADIUS, class: "body" });
  paintBody(disc, cell);
  const shine = !cell.covered && cell.look && svg("circle", { cx: WIDTH / 2, cy: y, r: RADIUS, class: "shine" });
  return svg("g", { class: kind }, disc, shine, sign(cell, y));
}

/**
 * @param {Cell} cell
 * @param {number} level
 * @param {number} capacity
 */
export function water(cell, level, capacity) {
  const y = middleOf(level, capacity);
  const kind = cell.look === null ? "cell water unknown" : cell.covered ? "cell water covered" : "cell water";
  const top = y - PITCH / 2;
  const rest = level === 0 ? `v${PITCH - 18.5} a20 19.5 0 0 1 -40 0 z` : `v${PITCH + 0.6} h-40 z`;
  const layer = svg("path", { d: `M4 ${top} h40 ${rest}`, class: "body" });
  paintBody(layer, cell);
  return svg("g", { class: kind }, layer, sign(cell, y));
}

/**
 * @param {Cell} cell
 * @param {number} level
 * @param {number} rows
 */
export function tile(cell, level, rows) {
  const y = (rows - 1 - level) * WIDTH;
  const square = svg("rect", { x: 2, y: y + 2, width: WIDTH - 4, height: WIDTH - 4, rx: 8, class: "body" });
  paintBody(square, cell);
  return svg("g", { class: "cell tile" }, square, sign(cell, y + WIDTH / 2));
}

/** @param {SVGElement} body @param {Cell} cell */
function paintBody(body, cell) {
  if (!cell.look) return;
  body.style.setProperty(cell.covered ? "stroke" : "fill", cell.look.fill);
  set(body, { "data-dark": !cell.covered && cell.look.ink === "#ffffff" });
}

/** @param {Cell} cell @param {number} y */
function sign(cell, y) {
  const text = svg("text", { x: WIDTH / 2, y: y + 0.5, class: "sign" }, cell.look?.symbol ?? "?");
  if (cell.look && !cell.covered) text.style.setProperty("fill", cell.look.ink);
  return text;
}
