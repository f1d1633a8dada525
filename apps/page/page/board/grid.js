/** Shot: balls on a grid. Choose a ball, then the way that it goes; or drag it that way. */

import { group, h, isCalm, redraw, style, svg } from "../core/dom.js";
import { disc } from "./cells.js";
import { fitGrid } from "./fit.js";
import { Roving } from "./roving.js";

const MILLISECONDS = 260;
const DRAG_FROM = 16; // pixels
const WAYS = /** @type {const} */ (["left", "right", "up", "down"]);
/** @type {Record<string, [number, number]>} */
const STEP = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

export class GridView {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = group("grid", "Grid");
    this.roving = new Roving(this.element, "button");
    this.element.addEventListener("keydown", (event) => this.key(event), { capture: true });
    /** @type {State | null} */
    this.state = null;
    this.size = 48;
  }

  /** @param {State} state */
  draw(state) {
    const { position, selected, hint } = state;
    if (!position) return;
    this.state = state;
    const { width, height, balls } = gridOf(position);
    this.size = fitGrid(width, height, this.actions.room());
    style(this.element, { "--wide": width, "--high": height, "--size": `${this.size}px` });
    const hintedBall = Array.isArray(hint.move) ? `${hint.move[0]},${hint.move[1]}` : null;
    const buttons = balls.map(([x, y]) => {
      const key = `${x},${y}`;
      const ways = waysOf(position, x, y);
      const button = h("button", {
        class: "shot",
        "data-key": key,
        "aria-pressed": String(selected === key),
        "aria-label":
          `Ball in column ${x + 1}, row ${y + 1}; ` + `${ways.length ? `can go ${ways.join(", ")}` : "can't go"}`,
        "data-source": ways.length > 0,
        "data-hint": hintedBall === key,
        onclick: () => this.actions.select(selected === key || !ways.length ? null : key),
        onpointerdown: (/** @type {PointerEvent} */ event) => this.press(event, x, y, ways),
      });
      button.append(svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, ...disc(24)));
      return this.place(button, x, y);
    });
    redraw(this.element, lines(width, height), ...buttons, ...this.arrows(state));
    this.roving.refresh();
  }

  /** The ways of the chosen ball, as buttons on the squares beside it. @param {State} state */
  arrows({ position, selected, hint }) {
    if (!position || typeof selected !== "string") return [];
    const [x = 0, y = 0] = selected.split(",").map(Number);
    return waysOf(position, x, y).map((way) => {
      const [dx, dy] = STEP[way] ?? [0, 0];
      const hinted = Array.isArray(hint.move) && hint.move.join() === `${x},${y},${way}`;
      const arrow = h("button", {
        class: "way",
        "data-way": way,
        "data-hint": hinted,
        "aria-label": `Send it ${way}`,
        onclick: () => this.actions.move([x, y, way]),
      });
      const transform = `rotate(${(Math.atan2(dy, dx) * 180) / Math.PI} 24 24)`;
      const drawn = svg("path", { d: "M16 24h16m-6-7 7 7-7 7", transform });
      arrow.append(svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" }, drawn));
      return this.place(arrow, x + dx, y + dy);
    });
  }

  /** @template {HTMLElement} T @param {T} element @param {number} x @param {number} y */
  place(element, x, y) {
    style(element, { "--x": x, "--y": y });
    return element;
  }

  /** Arrow keys send the chosen ball. @param {KeyboardEvent} event */
  key(event) {
    const way = event.key.startsWith("Arrow") ? event.key.slice(5).toLowerCase() : "";
    const { selected, position } = this.state ?? {};
    if (!way || typeof selected !== "string" || !position) return;
    event.preventDefault();
    event.stopPropagation();
    const [x = 0, y = 0] = selected.split(",").map(Number);
    this.actions.move([x, y, way]);
  }

  /** @param {PointerEvent} press @param {number} x @param {number} y @param {string[]} ways */
  press(press, x, y, ways) {
    const drop = (/** @type {PointerEvent} */ event) => {
      removeEventListener("pointerup", drop);
      removeEventListener("pointercancel", drop);
      const across = event.clientX - press.clientX;
      const down = event.clientY - press.clientY;
      if (event.type !== "pointerup" || Math.hypot(across, down) < DRAG_FROM) return;
      const way = Math.abs(across) > Math.abs(down) ? (across < 0 ? "left" : "right") : down < 0 ? "up" : "down";
      if (ways.includes(way)) this.actions.move([x, y, way]);
    };
    if (press.button !== 0) return;
    addEventListener("pointerup", drop);
    addEventListener("pointercancel", drop);
  }

  /** @param {Position} before @param {State} _ @param {Move} move @param {boolean} backwards */
  animate(before, _, move, backwards) {
    if (isCalm() || backwards || !Array.isArray(move)) return;
    const [x, y, way] = move;
    const [dx, dy] = STEP[String(way)] ?? [0, 0];
    const along = (/** @type {number[]} */ [a = 0, b = 0]) => a * dx + b * dy;
    const start = along([Number(x), Number(y)]);
    const onLine = gridOf(before)
      .balls.filter(([a, b]) => (dx ? b === y : a === x) && along([a, b]) >= start)
      .sort((a, b) => along(a) - along(b));
    onLine.slice(0, -1).forEach((ball, number) => {
      const next = onLine[number + 1];
      if (!next) return;
      const [endX, endY] = [next[0] - dx, next[1] - dy];
      const button = this.element.querySelector(`[data-key="${endX},${endY}"]`);
      const from = `translate(${(ball[0] - endX) * this.size}px, ${(ball[1] - endY) * this.size}px)`;
      const share = MILLISECONDS / onLine.length;
      button?.animate([{ transform: from }, { transform: "none" }], {
        duration: share,
        delay: share * number,
        fill: "backwards",
        easing: "ease-out",
      });
    });
  }
}

/** @param {Position} position */
function gridOf(position) {
  const { width, height, balls } = position.position;
  return { width: Number(width), height: Number(height), balls: /** @type {[number, number][]} */ (balls ?? []) };
}

/** @param {Position} position @param {number} x @param {number} y */
function waysOf(position, x, y) {
  return WAYS.filter((way) => position.legal.some((move) => Array.isArray(move) && move.join() === `${x},${y},${way}`));
}

/** @param {number} width @param {number} height */
function lines(width, height) {
  const picture = svg("svg", { viewBox: `0 0 ${width * 48} ${height * 48}`, class: "lines", "aria-hidden": "true" });
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) picture.append(svg("circle", { cx: x * 48 + 24, cy: y * 48 + 24, r: 2.5 }));
  }
  return picture;
}
