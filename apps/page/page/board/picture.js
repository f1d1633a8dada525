/** Boards as pictures, which nobody plays on: with the next move drawn in, or small. */

import { h, set, svg } from "../core/dom.js";
import { disc, heightOf, middleOf, PITCH, tile, tube as tubeWith, WIDTH } from "./cells.js";
import { evenly } from "./fit.js";
import { contentsOf, positionIn } from "./tubes.js";

/** @typedef {{ x: number, y: number, capacity: number }} Spot the left upper corner of a tube's drawing */

const GAP = 6; // between tubes
const LABEL = 22; // below a tube, for its number
const EDGE = 4;
/** How much higher cells may be than they are wide, where there is room. @type {Record<string, number>} */
const TALLEST = { "ball-sort": 1.3, "water-sort": 1.7 };
const MOST_WITHOUT_SYMBOLS = 12; // colours that can be distinguished without their symbols

/**
 * `shape` is width by height; a question is about the tube `asked`.
 * @param {Position} position @param {number[]} rows @param {number} shape @param {[number, number] | null} move
 * @param {number | null} asked
 */
export function drawBoard(position, rows, shape, move, asked) {
  const contents = contentsOf(position);
  const capacities = contents.map(({ rule }) => rule.capacity);
  const { spots, width, height, pitch } = stretched(capacities, rows, shape, TALLEST[position.puzzle] ?? 1);
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "whole-board",
    role: "img",
    "aria-label": labelOf(contents),
    "data-symbols": position.colours.length > MOST_WITHOUT_SYMBOLS,
  });
  contents.forEach(({ cells, rule }, tube) => {
    const spot = spots[tube];
    if (!spot) return;
    const isIn = move === null || move.includes(tube);
    const drawn = svg(
      "g",
      {
        transform: `translate(${spot.x} ${spot.y})`,
        class: "one-tube",
        "data-tube": tube,
        "data-dim": !isIn || (asked !== null && asked !== tube),
        "data-asked": asked === tube,
      },
      ...tubeWith(cells, rule, position.puzzle === "water-sort", 0, pitch),
    );
    const top = middleOf(Math.max(0, cells.length - 1), rule.capacity, pitch);
    if (asked === tube) drawn.append(svg("circle", { cx: WIDTH / 2, cy: top, r: PITCH / 2, class: "pulse" }));
    drawn.append(svg("text", { x: WIDTH / 2, y: heightOf(rule.capacity, pitch) + 15, class: "tube-number" }, tube + 1));
    picture.append(drawn);
  });
  const [from, to] = move?.map((tube) => spots[tube]) ?? [];
  if (from && to) picture.append(...arrow(from, to));
  return picture;
}

/** An arrow from tube to tube. @param {Pick<Spot, "x" | "y">} from @param {Pick<Spot, "x" | "y">} to */
export function arrow(from, to) {
  const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y + 16, to.x + WIDTH / 2, to.y + 16];
  const side = Math.sign(x2 - x1) || 1;
  const isLevel = Math.abs(y1 - y2) < PITCH;
  // Between tubes of a row over their rims, and between rows straight on.
  const bend = isLevel
    ? { x: (x1 + x2) / 2, y: Math.min(y1, y2) - 26 }
    : { x: (x1 + x2) / 2 + 12 * side, y: (y1 + y2) / 2 };
  const angle = Math.atan2(y2 - bend.y, x2 - bend.x);
  const point = (/** @type {number} */ turn, /** @type {number} */ length) =>
    `${x2 - length * Math.cos(angle + turn)} ${y2 - length * Math.sin(angle + turn)}`;
  const line = `M${x1} ${y1} Q${bend.x} ${bend.y} ${x2} ${y2} M${point(0.6, 15)} L${x2} ${y2} L${point(-0.6, 15)}`;
  return ["halo", "arrow"].map((kind) => svg("path", { d: line, class: kind }));
}

/** @param {ReturnType<typeof contentsOf>} contents */
function labelOf(contents) {
  const tubes = contents.map(({ cells }, tube) => {
    const names = cells.map(({ look, covered }) => (look && !covered ? look.name : "covered")).reverse();
    return `tube ${tube + 1}: ${names.length ? names.join(", ") : "empty"}`;
  });
  return `The board, each tube from the top. ${tubes.join("; ")}.`;
}

/** @param {Board} board @param {[Colour, string][]} colours with fills @param {number} [shape] width by height */
export function thumbnail(board, colours, shape = 1.25) {
  const position = positionIn(board, colours);
  if (board.puzzle === "tiles") return tilesOf(board, position.colours);
  if (board.puzzle === "shot") return ballsOf(board);
  const drawn = drawBoard(position, [], shape, null, null);
  set(drawn, { class: "thumbnail", role: null, "aria-label": null, "aria-hidden": "true", "data-symbols": false });
  return drawn;
}

/** A place for a small picture, drawn when it comes into view. @param {() => SVGElement | Promise<SVGElement>} draw */
export function whenSeen(draw) {
  const place = h("span", { class: "thumbnail", "aria-hidden": "true" });
  near.observe(place);
  drawings.set(place, draw);
  return place;
}

/** @type {WeakMap<Element, () => SVGElement | Promise<SVGElement>>} */
const drawings = new WeakMap();
const near = new IntersectionObserver(
  async (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      target.replaceChildren(await /** @type {() => SVGElement} */ (drawings.get(target))());
    }
  },
  { rootMargin: "300px" },
);

/** @param {Board} board @param {NamedColour[]} looks */
function tilesOf({ columns }, looks) {
  const all = /** @type {Colour[][]} */ (columns);
  const rows = Math.max(1, ...all.map((column) => column.length));
  const cells = all.flatMap((column, x) =>
    column.map((colour, level) => {
      const look = looks.find((each) => each.colour === colour) ?? null;
      return svg("g", { transform: `translate(${x * WIDTH} 0)` }, tile({ colour, look, covered: false }, level, rows));
    }),
  );
  return small(all.length * WIDTH, rows * WIDTH, ...cells);
}

/** @param {Board} board */
function ballsOf({ balls, width = 7, height = 9 }) {
  const [wide, high] = [Number(width) * WIDTH, Number(height) * WIDTH];
  const discs = /** @type {[number, number][]} */ (balls).map(([x, y]) =>
    svg("g", { class: "shot", "data-source": "", transform: `translate(${x * WIDTH} 0)` }, ...disc(y * WIDTH + 24)),
  );
  return small(wide, high, svg("rect", { width: wide, height: high, rx: 16, class: "glass" }), ...discs);
}

/** @param {number} width @param {number} height @param {...SVGElement} parts */
function small(width, height, ...parts) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "thumbnail", "aria-hidden": "true" }, ...parts);
}

/** @param {number[]} capacities @param {number[]} rows of another number of tubes if not known @param {number} shape */
function layOut(capacities, rows, shape) {
  const known = rows.reduce((sum, count) => sum + count, 0) === capacities.length;
  if (known) return inRows(capacities, rows);
  const all = Array.from({ length: Math.min(6, capacities.length) }, (_, index) =>
    inRows(capacities, evenly(capacities.length, index + 1)),
  );
  const scale = ({ width = 0, height = 0 }) => Math.min(shape / width, 1 / height);
  return all.reduce((best, next) => (scale(next) > scale(best) ? next : best));
}

/** Fills the height. @param {number[]} capacities @param {number[]} rows @param {number} shape @param {number} most */
function stretched(capacities, rows, shape, most) {
  const first = layOut(capacities, rows, shape);
  const cells = (first.height - EDGE - first.rows.length * (heightOf(0) + LABEL)) / PITCH;
  const pitch = Math.max(PITCH, Math.min(most * PITCH, PITCH + (first.width / shape - first.height) / cells));
  return { ...inRows(capacities, first.rows, pitch), pitch };
}

/** @param {number[]} capacities @param {number[]} rows @param {number} [pitch] */
function inRows(capacities, rows, pitch = PITCH) {
  const width = Math.max(...rows) * (WIDTH + GAP) - GAP + 2 * EDGE;
  /** @type {Spot[]} */
  const spots = [];
  let y = EDGE;
  for (const count of rows) {
    const own = capacities.slice(spots.length, spots.length + count);
    const high = heightOf(Math.max(...own), pitch);
    const left = (width - count * (WIDTH + GAP) + GAP) / 2;
    own.forEach((capacity, column) =>
      spots.push({ x: left + column * (WIDTH + GAP), y: y + high - heightOf(capacity, pitch), capacity }),
    );
    y += high + LABEL;
  }
  return { spots, width, height: y, rows };
}
