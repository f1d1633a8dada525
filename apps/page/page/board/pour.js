/** Water poured from a tube. The board behind it is the new one already, so that a move can follow at once. */

import { drawing } from "./tubes.js";
import { div, isCalm, style } from "../core/dom.js";

const MILLISECONDS = 300;
const ARRIVES = 0.35; // of that time
const LEAVES = 0.75;
const TILT = 65; // degrees
const STREAM = 5; // pixels wide

/**
 * @param {ReturnType<typeof import("./tubes.js").contentsOf>[number]} was what the tube held before
 * @param {number} amount cells that go @param {HTMLElement} source @param {HTMLElement} target
 * @param {HTMLElement} place where it is drawn
 */
export function pour({ cells, rule }, amount, source, target, place) {
  const [from, to] = [source, target].map((tube) => tube.querySelector("svg"));
  if (isCalm() || !from || !to) return;
  const start = from.getBoundingClientRect();
  const end = to.getBoundingClientRect();
  if (!start.width || !end.width) return; // one of them isn't shown
  const side = start.left < end.left ? 1 : -1; // it comes from the left, or from the right
  const middle = end.left + end.width / 2;
  const rim = start.width * 0.4; // from the top of a drawing
  const across = middle - side * STREAM - (side > 0 ? start.right : start.left);
  const up = end.top - start.top - rim / 2;

  const tube = drawing(cells, rule, 0, false, true);
  tube.classList.add("poured");
  style(tube, {
    left: `${start.left}px`,
    top: `${start.top}px`,
    width: `${start.width}px`,
    height: `${start.height}px`,
    "transform-origin": `${side > 0 ? 100 : 0}% ${rim}px`,
  });
  const there = `translate(${across}px, ${up}px) rotate(${side * TILT}deg)`;
  const time = { duration: MILLISECONDS, easing: "ease-in-out" };
  const offset = [0, ARRIVES, LEAVES, 1];
  const way = tube.animate({ transform: ["none", there, there, "none"], offset }, time);
  for (const layer of [...tube.querySelectorAll(".cell")].slice(-amount))
    layer.animate({ opacity: [1, 1, 0, 0], offset }, time);

  const landed = [...to.querySelectorAll(".cell")].slice(-amount);
  const surface = landed[0]?.getBoundingClientRect().bottom ?? end.bottom;
  const stream = div("poured");
  const colour = cells.at(-1)?.look?.fill ?? "";
  style(stream, {
    left: `${middle - STREAM / 2}px`,
    top: `${end.top + rim / 2}px`,
    width: `${STREAM}px`,
    height: `${surface - end.top - rim / 2}px`,
    background: colour,
  });
  const shows = [0, ARRIVES - 0.05, ARRIVES, LEAVES, LEAVES + 0.05, 1];
  stream.animate({ opacity: [0, 0, 1, 1, 0, 0], offset: shows }, time);
  landed.forEach((layer, number) => {
    const begins = ARRIVES + ((LEAVES - ARRIVES) * number) / amount;
    const ends = ARRIVES + ((LEAVES - ARRIVES) * (number + 1)) / amount;
    /** @type {SVGElement} */ (layer).style.transformBox = "fill-box";
    /** @type {SVGElement} */ (layer).style.transformOrigin = "50% 100%";
    const rising = { transform: ["scaleY(0)", "scaleY(0)", "none", "none"], offset: [0, begins, ends, 1] };
    layer.animate(rising, { duration: MILLISECONDS });
  });

  from.style.setProperty("visibility", "hidden");
  place.append(stream, tube);
  way.finished
    .catch(() => {})
    .then(() => {
      stream.remove();
      tube.remove();
      from.style.removeProperty("visibility");
    });
}
