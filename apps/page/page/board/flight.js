/** Balls that fly from tube to tube. The board behind them is the new one already: a move can follow at once. */

import { isCalm } from "../core/dom.js";
import { WIDTH } from "./cells.js";

const MILLISECONDS = 230;
const APART = 20; // milliseconds between balls
const MOST = 60; // milliseconds that all of them are apart

/**
 * @param {Element[]} cells drawn where they land, the lowest first @param {Element} from @param {Element} to
 * @param {(number: number) => number} middle where the n-th to leave was, in the drawing that it left
 */
export function fly(cells, from, to, middle) {
  if (isCalm()) return;
  const there = from.getBoundingClientRect();
  const here = to.getBoundingClientRect();
  if (!there.width || !here.width) return; // one of them isn't shown
  const scale = WIDTH / here.width;
  const across = (there.left - here.left) * scale;
  const raised = (there.top - here.top) * scale;
  const above = Math.min(0, raised) - 4;
  const tube = /** @type {HTMLElement} */ (to.parentElement);
  const apart = Math.min(APART, MOST / cells.length);
  tube.classList.add("flown-to");
  let going = cells.length;
  cells.forEach((cell, number) => {
    const lands = Number(cell.querySelector(".sign")?.getAttribute("y") ?? 0); // its middle
    const left = middle(number) + raised - lands;
    const over = above - lands + 16;
    const stops = [`translate(${across}px, ${left}px)`, `translate(${across}px, ${over}px)`, `translate(0, ${over}px)`];
    const flight = cell.animate(
      { transform: [...stops, "none"], offset: [0, 0.3, 0.7, 1] },
      { duration: MILLISECONDS, delay: number * apart, easing: "ease-in-out", fill: "backwards" },
    );
    flight.finished.catch(() => {}).then(() => --going || tube.classList.remove("flown-to"));
  });
}
