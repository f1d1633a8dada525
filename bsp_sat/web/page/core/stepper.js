/** A whole number that is set by two buttons. */

import { button, h, say } from "./dom.js";

/** A number with a button on each side. @param {string} what @param {(by: number) => void} change */
export function stepper(what, change) {
  const number = h("b", {});
  const output = h("output", {}, number, h("small", {}, what));
  const element = h(
    "div",
    { class: "stepper", role: "group", "aria-label": what },
    button("minus", `Fewer ${what}`, () => change(-1), { bare: true }),
    output,
    button("board", `More ${what}`, () => change(1), { bare: true }),
  );
  return { element, tell: (/** @type {number} */ count) => say(number, String(count)) };
}
