/** Tubes and what stands in them, drawn for every screen. Lengths are in units of the drawing. */

import { set, svg } from "../core/dom.js";
import { nearTo } from "../core/palette.js";

/** @typedef {{ colour: Colour | null, look: NamedColour | null, covered: boolean }} Cell look: null where unknown */

export const WIDTH = 48;
export const PITCH = 37;
const RADIUS = 17.5;
const TOP = 22; // room above the rim, for what is lifted
const WALL = 3;
export const FLOATS = TOP - 28; // the middle of a ball that was chosen: it rests on the rim
const SURFACE = 4; // half the height of the ellipse that water shows from above

/** The height of a tube's drawing. @param {number} capacity @param {number} [pitch] the height of a cell */
export function heightOf(capacity, pitch = PITCH) {
  return TOP + capacity * pitch + 2 + WALL + 2;
}

/** The middle of a cell. @param {number} level @param {number} capacity @param {number} [pitch] the height of a cell */
export function middleOf(level, capacity, pitch = PITCH) {
  return heightOf(capacity, pitch) - WALL - 1.5 - pitch / 2 - level * pitch;
}

/**
 * A tube with what is in it: the glass, its cells from the bottom, what shines on it, and its rim.
 * @param {Cell[]} cells @param {TubeRule} rule @param {boolean} isWater
 * @param {number} [lifted] how many of its cells are lifted @param {number} [pitch] the height of a cell
 */
export function tube(cells, { capacity, corked, locked }, isWater, lifted = 0, pitch = PITCH) {
  const drawn = cells.map((cell, level) => {
    const below = cells[level - 1];
    const one = isWater
      ? water(cell, level, { capacity, pitch }, below, level === cells.length - 1)
      : ball(cell, middleOf(level, capacity, pitch));
    if (level >= cells.length - lifted) one.classList.add("lifted");
    if (lifted === 1) one.style.setProperty("--lift", `${FLOATS - middleOf(level, capacity, pitch)}px`);
    return one;
  });
  return [
    svg("path", { d: outline(capacity, pitch), class: "glass" }),
    ...drawn,
    svg("path", { d: outline(capacity, pitch), fill: "url(#gloss)" }),
    svg("rect", { x: 1, y: TOP - 7, width: WIDTH - 2, height: 7, rx: 3.5, class: "rim" }),
    corked && svg("path", { d: "M8 10 h32 l-3 14 h-26 z", class: "cork" }),
    locked !== null && svg("path", { d: outline(capacity, pitch), class: "curtain", fill: "url(#stripes)" }),
  ];
}

/** @param {number} capacity */
function outline(capacity, pitch = PITCH) {
  const floor = heightOf(capacity, pitch) - WALL / 2;
  return `M3 ${TOP - 2} V${floor - 20} a21 20 0 0 0 42 0 V${TOP - 2}`;
}

/** @param {Cell} cell @param {number} y its middle */
function ball(cell, y) {
  const [body, ...lights] = disc(y);
  return shape("ball", cell, y, body, lights);
}

/** A ball without a colour: its body, and what shines on it. @param {number} y its middle */
export function disc(y) {
  const circle = (/** @type {object} */ how) => svg("circle", { cx: WIDTH / 2, cy: y, r: RADIUS, ...how });
  const spark = { cx: 18, cy: y - 8.5, rx: 5, ry: 2.8, transform: `rotate(-28 18 ${y - 8.5})`, fill: "#ffffffbf" };
  return /** @type {const} */ ([circle({ class: "body" }), circle({ fill: "url(#shine)" }), svg("ellipse", spark)]);
}

/**
 * A layer, whose lower edge bulges where the colour below is another one; the highest one shows its surface.
 * @param {Cell} cell @param {number} level @param {{ capacity: number, pitch: number }} of the tube
 * @param {Cell | undefined} below @param {boolean} isTop
 */
function water(cell, level, { capacity, pitch }, below, isTop) {
  const y = middleOf(level, capacity, pitch);
  const top = y - pitch / 2;
  const joins = below && below.colour === cell.colour && below.covered === cell.covered;
  const bulge = joins ? "h-38" : `a19 ${SURFACE} 0 0 1 -38 0`;
  const rest = level === 0 ? `v${pitch - 18.5} a19 18 0 0 1 -38 0 z` : `v${pitch + 0.6} ${bulge} z`;
  const layer = (/** @type {object} */ how) => svg("path", { d: `M5 ${top} h38 ${rest}`, ...how });
  const surface = isTop && svg("ellipse", { cx: 24, cy: top, rx: 19, ry: SURFACE, class: "surface-of" });
  return shape("water", cell, y, layer({ class: "body" }), [layer({ fill: "url(#depth)" }), surface]);
}

/** @param {Cell} cell @param {number} level @param {number} rows */
export function tile(cell, level, rows) {
  const y = (rows - 1 - level) * WIDTH;
  const square = svg("rect", { x: 2, y: y + 2, width: WIDTH - 4, height: WIDTH - 4, rx: 8, class: "body" });
  return shape("tile", cell, y + WIDTH / 2, square, []);
}

/**
 * A cell in its colour, with its symbol, and with what makes it look like a thing where it isn't covered.
 * @param {string} kind @param {Cell} cell @param {number} y its middle @param {SVGElement} body
 * @param {(SVGElement | false)[]} lights
 */
function shape(kind, { look, covered }, y, body, lights) {
  const isKnown = look && !covered;
  const sign = svg("text", { x: WIDTH / 2, y: y + 0.5, class: "sign" }, look?.symbol ?? "?");
  const drawn = svg("g", { class: `cell ${kind}` }, body, ...(isKnown ? lights : []), sign);
  if (look) drawn.style.setProperty("--colour", look.fill);
  if (isKnown) {
    sign.style.setProperty("fill", look.ink);
    set(body, { "data-near": nearTo(look.fill) });
  } else drawn.classList.add(look ? "covered" : "unknown");
  return drawn;
}
