/** Tiles: each column is a button, which takes the group that reaches its bottom. */

import { group, h, isCalm, redraw, set, svg } from "../core/dom.js";
import { tile, WIDTH } from "./cells.js";
import { fitGrid } from "./fit.js";
import { byColour } from "../core/palette.js";
import { Roving } from "./roving.js";

const MILLISECONDS = 240;

export class TilesView {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.element = group("columns", "Columns");
    this.roving = new Roving(this.element, ".column");
    this.rows = 0;
    /** @type {Position | null} */
    this.position = null;
  }

  /** @param {State} state */
  draw(state) {
    const { position } = state;
    if (!position) return;
    this.position = position;
    const columns = columnsOf(position);
    const start = /** @type {Colour[][]} */ (state.board?.columns ?? columns);
    this.rows = Math.max(1, ...start.map((column) => column.length), ...columns.map((column) => column.length));
    this.element.style.setProperty("--size", `${fitGrid(columns.length, this.rows, this.actions.room())}px`);
    redraw(this.element, ...columns.map((column, x) => this.column(x, column, position, state.hint.tube === x)));
    this.roving.refresh();
  }

  /** @param {number} x @param {Colour[]} column @param {Position} position @param {boolean} isHint */
  column(x, column, { colours, legal, words }, isHint) {
    const looks = byColour(colours);
    const at = legal.indexOf(x);
    const names = column.map((colour) => looks.get(colour)?.name ?? String(colour));
    const inside = column.length ? `from the bottom: ${names.join(", ")}. ${words[at] ?? ""}` : "empty";
    const tiles = column.map((colour, level) => {
      const drawn = tile({ colour, look: looks.get(colour) ?? null, covered: false }, level, this.rows);
      set(drawn, { "data-at": `${x},${level}` });
      return drawn;
    });
    const mark = (/** @type {boolean} */ on) => () => this.mark(x, on);
    return h(
      "button",
      {
        class: "column",
        "data-place": x,
        "data-hint": isHint,
        "aria-label": `Column ${x + 1}, ${inside}`,
        "aria-disabled": at < 0 ? "true" : null,
        onclick: () => this.actions.move(x),
        onmouseenter: mark(true),
        onmouseleave: mark(false),
        onfocus: mark(true),
        onblur: mark(false),
      },
      svg("svg", { viewBox: `0 0 ${WIDTH} ${this.rows * WIDTH}`, class: "drawing", "aria-hidden": "true" }, ...tiles),
      h("span", { class: "number", "aria-hidden": "true" }, x + 1),
    );
  }

  /** Shows what a click would take. @param {number} x @param {boolean} on */
  mark(x, on) {
    for (const each of this.element.querySelectorAll(".taken")) each.classList.remove("taken");
    if (!on || !this.position) return;
    for (const at of groupAt(columnsOf(this.position), x))
      this.element.querySelector(`[data-at="${at}"]`)?.classList.add("taken");
  }

  /** @param {Position} before @param {State} _ @param {Move} move @param {boolean} backwards */
  animate(before, _, move, backwards) {
    if (isCalm() || backwards || typeof move !== "number") return;
    const was = columnsOf(before);
    const gone = groupAt(was, move);
    [...this.element.children].forEach((button, x) => {
      const removed = (was[x] ?? []).map((_, level) => gone.has(`${x},${level}`));
      const left = removed.flatMap((is, level) => (is ? [] : [level]));
      button.querySelectorAll(".cell").forEach((cell, level) => {
        const fall = (left[level] ?? level) - level;
        if (fall) {
          const from = { transform: `translateY(${-fall * WIDTH}px)` };
          cell.animate([from, { transform: "none" }], { duration: MILLISECONDS, easing: "cubic-bezier(.5,0,.75,.6)" });
        }
      });
    });
  }
}

/** @param {Position} position */
function columnsOf(position) {
  return /** @type {Colour[][]} */ (position.position.columns ?? []);
}

/** The group at a column's bottom, as `column,level`. @param {Colour[][]} columns @param {number} column */
function groupAt(columns, column) {
  const colour = columns[column]?.[0];
  const found = new Set();
  const todo = colour === undefined ? [] : [[column, 0]];
  for (;;) {
    const [x = -1, y = -1] = todo.pop() ?? [];
    if (x < 0 && !todo.length) return found;
    if (y < 0 || columns[x]?.[y] !== colour || found.has(`${x},${y}`)) continue;
    found.add(`${x},${y}`);
    todo.push([x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]);
  }
}
