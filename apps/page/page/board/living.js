/** A board that plays itself a little, to be looked at: the first easy level, by a shortest plan. */

import { h, isCalm } from "../core/dom.js";
import { NO_HINT } from "../core/store.js";
import { inkOn, USUAL } from "../core/palette.js";
import { TubesView } from "./tubes.js";

/** @import { Position, State } from "../types.d.ts" */

const TUBES = ["abcc", "ddde", "bbec", "aabe", "deca", "", ""]; // each from the bottom
const PLAN = "05 05 25 16 26 36 02 32 03 43 45 46 41".split(" ");
const PACE = 900; // milliseconds between moves
const LEAST = 24; // pixels, of a tube
const REST = 3000; // milliseconds before it begins again

export function livingBoard() {
  const nothing = () => {};
  const element = h("div", { class: "living", "aria-hidden": "true", inert: true });
  const room = () => ({ width: element.clientWidth, height: element.clientHeight, least: LEAST });
  const view = new TubesView({ select: nothing, choose: nothing, move: nothing, room });
  element.append(view.element);
  let tubes = TUBES.map((tube) => [...tube]);
  let made = 0;
  let timer = 0;
  const draw = () => view.draw(stateOf(tubes));
  const go = () => {
    if (!element.clientWidth) return; // it isn't shown, and begins again when it is
    const [from = 0, to = 0] = [...(PLAN[made] ?? "")].map(Number);
    const before = stateOf(tubes);
    const isNew = made === PLAN.length;
    tubes = isNew ? TUBES.map((tube) => [...tube]) : tubes.map((tube) => [...tube]);
    if (!isNew) tubes[to]?.push(...(tubes[from]?.splice(-1) ?? []));
    made = isNew ? 0 : made + 1;
    draw();
    if (!isNew) view.animate(/** @type {Position} */ (before.position), stateOf(tubes), [from, to], false);
    wait();
  };
  const wait = () => (timer = setTimeout(go, made === PLAN.length ? REST : PACE));
  return {
    element,
    play: () => {
      clearTimeout(timer);
      draw();
      if (!isCalm()) wait();
    },
    stop: () => {
      clearTimeout(timer);
      view.lay(0);
    },
  };
}

/** As much of a state as a board is drawn from. @param {string[][]} tubes @returns {State} */
function stateOf(tubes) {
  const colours = Object.values(USUAL).map((fill, at) => {
    const symbol = String.fromCharCode("a".charCodeAt(0) + at);
    return { colour: symbol, name: symbol, symbol, fill, ink: inkOn(fill) };
  });
  const position = {
    puzzle: "ball-sort",
    position: { capacity: 4, tubes },
    colours,
    legal: [],
    words: [],
    goal: false,
  };
  return /** @type {any} */ ({ position, selected: null, hint: NO_HINT });
}
