/** Ball sort and water sort: each tube is a button. Choose a tube and then another one, or drag. */

import { group, h, set, style, svg } from "../core/dom.js";
import { sameMove } from "../core/steps.js";
import { FLOATS, heightOf, middleOf, PITCH, tube as tubeWith, WIDTH } from "./cells.js";
import { fitTubes } from "./fit.js";
import { fly } from "./flight.js";
import { byColour, inkOn } from "../core/palette.js";
import { Roving } from "./roving.js";

/** @import { Cell } from "./cells.js" */

const DRAG_FROM = 8; // pixels that a pointer moves before it drags

/** Whether a board has tubes. @param {Position | null} position */
export function isTubes(position) {
  return position?.puzzle === "ball-sort" || position?.puzzle === "water-sort";
}

/** What a tube may do where nothing is said of it. */
const USUAL_RULE = { locked: null, corked: false, takes: true, gives: true, accepts: null, colour: null };

/** As much of a position as a board is drawn from. @param {Board} board @param {[Colour, string][]} fills */
export function positionIn(board, fills) {
  const colours = fills.map(([colour, fill]) => ({ colour, name: String(colour), symbol: "", fill, ink: inkOn(fill) }));
  const capacities = /** @type {number[] | undefined} */ (board.capacities);
  const tubes = capacities?.map((capacity) => ({ ...USUAL_RULE, capacity }));
  const position = { puzzle: board.puzzle, position: board, colours, tubes, legal: [], words: [], goal: false };
  return /** @type {any} */ (position);
}

export class TubesView {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = group("tubes", "Tubes");
    this.roving = new Roving(this.element, ".tube");
    /** @type {HTMLButtonElement[]} */
    this.tubes = [];
    /** @type {string[]} what each tube was drawn from last */
    this.drawn = [];
    /** @type {State | null} */
    this.state = null;
  }

  /** @param {State} state */
  draw(state) {
    this.state = state;
    const { position } = state;
    if (!position) return;
    const contents = contentsOf(position);
    if (contents.length !== this.tubes.length) this.lay(contents.length);
    const tallest = Math.max(...contents.map(({ rule }) => rule.capacity));
    const { columns, size, gap } = fitTubes(contents.length, tallest, this.actions.room());
    style(this.element, { "--columns": columns, "--size": `${size}px`, "--gap": `${gap}px` });
    contents.forEach(({ cells, rule }, place) => this.drawTube(place, cells, rule, state));
    set(this.element, { "data-goal": position.goal });
    this.roving.refresh();
  }

  /** @param {number} count */
  lay(count) {
    this.drawn = [];
    this.tubes = Array.from({ length: count }, (_, place) => {
      const tube = h("button", { class: "tube", "data-place": place, onclick: () => this.actions.choose(place) });
      tube.addEventListener("pointerdown", (event) => this.press(event, place));
      return tube;
    });
    this.element.replaceChildren(...this.tubes);
  }

  /** @param {number} place @param {Cell[]} cells @param {TubeRule} rule @param {State} state */
  drawTube(place, cells, rule, state) {
    const tube = this.tubes[place];
    const { position, selected, hint } = state;
    if (!tube || !position) return;
    const move = [Number(selected), place];
    const at = selected === null ? -1 : position.legal.findIndex((each) => sameMove(each, move));
    const isTarget = at >= 0;
    const isSource = position.legal.some((move) => Array.isArray(move) && move[0] === place);
    const hinted = hint.tube === place || (Array.isArray(hint.move) && hint.move[1] === place);
    const found = isTarget && hint.costs?.find((each) => sameMove(each.move, move));
    const cost = found ? costInWords(found) : null;
    set(tube, {
      "aria-pressed": String(selected === place),
      "aria-label":
        labelOf(place, cells, rule) +
        (isTarget ? `. Move here: ${position.words[at]}` : "") +
        (cost ? `, ${cost}` : ""),
      "data-source": isSource && selected === null,
      "data-target": isTarget,
      "data-hint": hinted,
      "data-cost": cost,
      "data-lost": cost === "lost",
      "data-complete": isComplete({ cells, rule }) && !rule.corked,
    });
    const water = position.puzzle === "water-sort";
    const moving = position.position.drain ? cells.length : water ? topRun(cells) : 1;
    const lifted = selected === place ? moving : 0;
    const key = JSON.stringify([cells, rule, lifted, isTarget, water]);
    if (key === this.drawn[place]) return;
    this.drawn[place] = key;
    const badge = badgeOf(rule, byColour(position.colours));
    const number = h("span", { class: "number", "aria-hidden": "true" }, place + 1);
    tube.replaceChildren(drawing(cells, rule, lifted, isTarget, water), number);
    if (badge) tube.append(h("span", { class: "badge", "aria-hidden": "true" }, badge));
  }

  /** @param {Position} before @param {State} state @param {Move} move @param {boolean} backwards */
  animate(before, state, move, backwards) {
    if (!Array.isArray(move) || !state.position) return;
    const [source, target] = (backwards ? [...move].reverse() : move).map(Number);
    if (source === undefined || target === undefined) return;
    const was = contentsOf(before);
    const now = contentsOf(state.position);
    const amount = (was[source]?.cells.length ?? 0) - (now[source]?.cells.length ?? 0);
    const from = this.tubes[source]?.querySelector("svg");
    const to = this.tubes[target]?.querySelector("svg");
    const rule = was[source]?.rule;
    if (amount <= 0 || !from || !to || !rule) return;
    const cells = [...to.querySelectorAll(".cell")].slice(-amount);
    const level = was[source]?.cells.length ?? 0;
    const base = before.position.drain ? amount : level;
    const floats = !backwards && amount === 1; // it was chosen, and floats over its tube
    fly(cells, from, to, (number) => (floats ? FLOATS : middleOf(base - 1 - number, rule.capacity)));
  }

  // -- dragging --------------------------------------------------------------------------------------

  /** @param {PointerEvent} press @param {number} place */
  press(press, place) {
    const tube = this.tubes[place];
    const drawing = tube?.querySelector("svg");
    if (press.button !== 0 || !tube || !drawing) return;
    let dragging = false;
    const scale = WIDTH / drawing.getBoundingClientRect().width;
    const drag = (/** @type {PointerEvent} */ event) => {
      const across = event.clientX - press.clientX;
      const down = event.clientY - press.clientY;
      if (!dragging) {
        if (Math.hypot(across, down) < DRAG_FROM) return;
        dragging = true;
        tube.classList.add("dragged");
        if (this.state?.selected !== place) this.actions.select(place);
      }
      for (const each of tube.querySelectorAll(".cell.lifted")) {
        /** @type {SVGElement} */ (each).style.transform = `translate(${across * scale}px, ${down * scale - 14}px)`;
      }
    };
    const drop = (/** @type {PointerEvent} */ event) => {
      removeEventListener("pointermove", drag);
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
      tube.classList.remove("dragged");
      if (!dragging) return;
      // The click that follows a drag would choose the tube again.
      const swallow = (/** @type {Event} */ click) => click.stopImmediatePropagation();
      tube.addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => tube.removeEventListener("click", swallow, { capture: true }), 0);
      for (const each of tube.querySelectorAll(".cell.lifted")) /** @type {SVGElement} */ (each).style.transform = "";
      const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
      const target = under?.closest(".tube");
      if (target && target !== tube && this.element.contains(target)) {
        this.actions.choose(Number(target.getAttribute("data-place")));
      } else this.actions.select(null);
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }
}

/** What is in the tubes, and what they may do. @param {Position} position */
export function contentsOf(position) {
  const looks = byColour(position.colours);
  const tubes = /** @type {(Colour | null)[][]} */ (position.position.tubes ?? []);
  const hidden = /** @type {boolean[][] | undefined} */ (position.position.hidden);
  const common = Number(position.position.capacity ?? 0);
  return tubes.map((tube, place) => ({
    cells: tube.map((colour, level) => ({
      colour,
      look: colour === null ? null : (looks.get(colour) ?? null),
      covered: colour === null || Boolean(hidden?.[place]?.[level]),
    })),
    rule: position.tubes?.[place] ?? { ...USUAL_RULE, capacity: common },
  }));
}

/** How many tubes are full of one colour that can be seen. @param {Position | null} position */
export function completeTubes(position) {
  return position ? contentsOf(position).filter(isComplete).length : 0;
}

/** @param {{ cells: Cell[], rule: TubeRule }} tube */
function isComplete({ cells, rule }) {
  const isFull = cells.length === rule.capacity && cells.length > 0;
  return isFull && cells.every(({ colour, covered }) => !covered && colour === cells[0]?.colour);
}

/** @param {Cell[]} cells */
function topRun(cells) {
  const below = cells.findLastIndex(({ colour, covered }) => covered || colour !== cells.at(-1)?.colour);
  return Math.max(cells.length - 1 - below, 1);
}

/**
 * @param {Cell[]} cells @param {TubeRule} rule @param {number} lifted @param {boolean} isTarget
 * @param {boolean} isWater
 */
export function drawing(cells, rule, lifted, isTarget, isWater) {
  const { capacity } = rule;
  const high = heightOf(capacity);
  const y = middleOf(cells.length, capacity);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${high}`, class: "drawing", "aria-hidden": "true" },
    ...tubeWith(cells, rule, isWater, lifted),
    isTarget && svg("circle", { cx: WIDTH / 2, cy: y, r: PITCH / 2 - 5, class: "landing" }),
  );
}

/** A word or two: the rules stand in full below. @param {TubeRule} rule @param {Map<Colour, NamedColour>} looks */
function badgeOf(rule, looks) {
  if (rule.locked !== null) return "locked";
  if (!rule.takes) return "out only";
  if (!rule.gives) return "in only";
  if (rule.any_top) return "any";
  if (rule.colour !== null) return looks.get(rule.colour)?.symbol ?? String(rule.colour);
  return rule.accepts ? `only ${rule.accepts.map((colour) => looks.get(colour)?.symbol ?? colour).join(" ")}` : "";
}

/** What a tube may and may not. @param {TubeRule} rule */
export function rulesOf(rule) {
  return [
    rule.locked !== null && `locked ${rule.locked}`,
    rule.corked && "closed",
    !rule.takes && "only gives",
    !rule.gives && "only takes",
    rule.any_top && "takes any",
    rule.accepts && `only for ${rule.accepts.join(", ")}`,
    rule.colour !== null && `ends with ${rule.colour}`,
  ].flatMap((words) => words || []);
}

/** @param {number} place @param {Cell[]} cells @param {TubeRule} rule */
function labelOf(place, cells, rule) {
  const names = cells
    .map(({ look, covered }) => (look ? (covered ? `covered ${look.name}` : look.name) : "unknown"))
    .reverse();
  const inside = names.length ? `from the top: ${names.join(", ")}` : "empty";
  const room = rule.capacity - cells.length;
  return [`Tube ${place + 1}, ${inside}`, room ? `room for ${room}` : "full", ...rulesOf(rule)].join("; ");
}

/** `+0`, `+1–3`, `lost`, `+1 or more`, or `+1 or lost` if it isn't known. @param {MoveCost} cost */
export function costInWords({ lost, cost }) {
  if (lost || !cost) return "lost";
  const [low, high] = cost;
  if (low === high) return `+${low}`;
  if (high !== null) return `+${low}–${high}`;
  return lost === false ? `+${low} or more` : `+${low} or lost`;
}
