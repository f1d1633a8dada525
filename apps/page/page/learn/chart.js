/** How two bounds approach each other, one step to the right for each event, and the gap between them. */

import { svg } from "../core/dom.js";
import { secondsInWords } from "./parts.js";

const [WIDTH, HEIGHT] = [360, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 350, 12, 190];
const MOST_MARKS = 6; // on the axis of moves
const ROOM = 4; // moves above the lower bound while there is no upper one

/** @param {BoundPoint[]} points one or more, in order @param {number} shown points drawn; the axes are for all */
export function drawChart(points, shown) {
  const highest =
    Math.max(...points.map(({ upper }) => upper ?? 0)) || Math.max(...points.map(({ lower }) => lower)) + ROOM;
  const [low, high] = [Math.min(...points.map(({ lower }) => lower)) - 1, highest + 1];
  const x = (/** @type {number} */ event) => round(LEFT + ((RIGHT - LEFT) * event) / points.length);
  const y = (/** @type {number} */ moves) => round(BOTTOM - ((BOTTOM - TOP) * (moves - low)) / (high - low));
  const past = points.slice(0, shown);
  const now = past.at(-1);
  const found = past.findIndex(({ upper }) => upper !== null);
  const until = x(shown);
  const proved = past.map(({ lower }, event) => [x(event), y(lower)]);
  const solved = past.flatMap(({ upper }, event) => (upper === null ? [] : [[x(event), y(upper)]]));
  const [lower, upper] = [steps(proved, until), steps(solved, until)];
  const every = Math.max(1, Math.ceil((high - low) / MOST_MARKS));
  const marks = Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, mark) => low + mark * every).filter(
    (mark) => mark >= 0,
  );
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "chart",
      role: "img",
      "aria-label": now ? `After ${secondsInWords(now.seconds)} s: ${boundsInWords(now)}` : "",
    },
    ...marks.flatMap((mark) => [
      svg("path", { d: `M${LEFT} ${y(mark)}H${RIGHT}`, class: "level" }),
      svg("text", { x: LEFT - 6, y: y(mark) + 4, class: "of-moves" }, mark),
    ]),
    svg("text", { x: LEFT, y: BOTTOM + 18 }, "one step for each event →"),
    now && svg("text", { x: RIGHT, y: BOTTOM + 18, class: "of-moves" }, `${secondsInWords(now.seconds)} s`),
    upper && svg("path", { d: `${upper}V${y(low)}H${x(found)}Z`, class: "gap" }),
    lower && svg("path", { d: `${lower}V${y(low)}H${LEFT}Z`, class: "excluded" }),
    lower && svg("path", { d: lower, class: "lower" }),
    upper && svg("path", { d: upper, class: "upper" }),
  );
}

/** A line, level until its next point. @param {number[][]} places in pixels @param {number} end */
function steps(places, end) {
  const [first, ...others] = places;
  return first
    ? `M${first.join(" ")}${others.map(([x, y]) => `H${x}V${y}`).join("")}H${Math.max(end, first[0] ?? 0)}`
    : "";
}

/** @param {BoundPoint} point */
export function boundsInWords({ lower, upper }) {
  if (upper === lower) return `exactly ${lower} moves.`;
  return `at least ${lower} moves${upper === null ? "; no solution yet." : `, at most ${upper}.`}`;
}

/** @param {number} pixels */
function round(pixels) {
  return Math.round(pixels * 10) / 10;
}
