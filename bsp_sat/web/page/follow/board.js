/**
 * The board with the next move drawn in: an arrow from tube to tube, these two bright, the others dimmed.
 */

import { ball, glass, heightOf, middleOf, PITCH, water, WIDTH } from "../board/cells.js";
import { contentsOf } from "../board/tubes.js";
import { set, svg } from "../core/dom.js";
import { layOut } from "./layout.js";

/** @import { Position } from "../types.d.ts" */
/** @import { Spot } from "./layout.js" */

const MOST_WITHOUT_SYMBOLS = 12; // colours that can be distinguished without their symbols

/**
 * @param {Position} position
 * @param {number[]} rows
 * @param {number} shape width of the place, divided by its height
 * @param {[number, number] | null} move from tube and to tube
 * @param {number | null} asked the tube that a question is about
 */
export function drawBoard(position, rows, shape, move, asked) {
  const contents = contentsOf(position);
  const { spots, width, height } = layOut(
    contents.map(({ rule }) => rule.capacity),
    rows,
    shape,
  );
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    class: "whole-board",
    role: "img",
    "aria-label": labelOf(contents),
    "data-symbols": position.colours.length > MOST_WITHOUT_SYMBOLS,
  });
  const draw = position.puzzle === "water-sort" ? water : ball;
  contents.forEach(({ cells, rule }, tube) => {
    const spot = spots[tube];
    if (!spot) return;
    const isIn = move === null || move.includes(tube);
    const drawn = svg("g", {
      transform: `translate(${spot.x} ${spot.y})`,
      class: "one-tube",
      "data-tube": tube,
      "data-dim": !isIn || (asked !== null && asked !== tube),
      "data-asked": asked === tube,
    });
    drawn.append(glass(rule.capacity), ...cells.map((cell, level) => draw(cell, level, rule.capacity)));
    if (rule.corked) drawn.append(svg("path", { d: "M8 14 h32 l-3 14 h-26 z", class: "cork" }));
    if (rule.locked !== null) drawn.append(glass(rule.capacity, "curtain"));
    if (asked === tube)
      drawn.append(
        svg("circle", {
          cx: WIDTH / 2,
          cy: middleOf(Math.max(0, cells.length - 1), rule.capacity),
          r: PITCH / 2,
          class: "pulse",
        }),
      );
    drawn.append(svg("text", { x: WIDTH / 2, y: heightOf(rule.capacity) + 15, class: "tube-number" }, tube + 1));
    picture.append(drawn);
  });
  const [from, to] = move?.map((tube) => spots[tube]) ?? [];
  if (from && to) picture.append(...arrow(from, to));
  return picture;
}

/**
 * An arrow from the top of one tube to the top of another.
 * @param {Pick<Spot, "x" | "y">} from
 * @param {Pick<Spot, "x" | "y">} to
 */
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

/** Puts a drawing in the place of another. @param {HTMLElement} place @param {SVGElement} picture */
export function show(place, picture) {
  set(picture, { preserveAspectRatio: "xMidYMid meet" });
  place.replaceChildren(picture);
}
