/** Marks over a picture, with which a person shows where the rows of tubes are. */

import { WAYS } from "../board/roving.js";
import { group, h, redraw, set, style, svg } from "../core/dom.js";
import { dotsOf, isMarked } from "./rows.js";

const NAMES = ["top left", "bottom right"];
const HOW = "Drag it, or move it with the arrow keys, faster with Shift";
const STEP = 2; // pixels for a press of an arrow key
const FAR = 20; // with Shift

export class Marker {
  /** @param {(row: number, corner: number, point: Point) => void} mark @param {(row: number) => void} choose */
  constructor(mark, choose) {
    this.mark = mark;
    this.choose = choose;
    this.surface = h("button", { class: "surface", onclick: (/** @type {MouseEvent} */ event) => this.tap(event) });
    this.shade = svg("path", { class: "shade" });
    this.dots = svg("path", { class: "dots" });
    this.grid = svg("svg", { preserveAspectRatio: "none", "aria-hidden": "true" }, this.shade, this.dots);
    this.element = group("over marker", "Where the tubes are");
    /** @type {HTMLButtonElement[]} two for each row */
    this.marks = [];
    /** @type {[number, number]} */
    this.size = [1, 1];
    /** @type {ShownRow[]} */
    this.rows = [];
  }

  /** @param {PictureWork} work */
  show({ bitmap, rows, row }) {
    if (row === null || !bitmap) return redraw(this.element);
    this.size = [bitmap.width, bitmap.height];
    this.rows = rows;
    const next = nextCorner(rows);
    set(this.surface, {
      disabled: !next,
      "aria-label": next ? `Mark the ${next.name} cell of row ${next.row + 1}` : "The picture",
    });
    const path = rows
      .flatMap(dotsOf)
      .map(([x, y]) => `M${x} ${y}h0`)
      .join("");
    set(this.grid, { viewBox: `0 0 ${bitmap.width} ${bitmap.height}` });
    set(this.shade, { d: path });
    set(this.dots, { d: path });
    while (this.marks.length < 2 * rows.length) this.add();
    const marks = this.marks.filter((mark, index) => {
      const [of, corner] = [Math.floor(index / 2), index % 2];
      const point = rows[of]?.corners[corner];
      if (!point) return false;
      set(mark, {
        "aria-label":
          `Row ${of + 1}, ${NAMES[corner]} cell: ` + `${Math.round(point[0])} across, ${Math.round(point[1])} down`,
        "data-chosen": of === row,
        "data-through": next !== null && next.row !== of,
      });
      const [left, top] = [(100 * point[0]) / bitmap.width, (100 * point[1]) / bitmap.height];
      style(mark, { left: `${left}%`, top: `${top}%` });
      return true;
    });
    redraw(this.element, this.surface, this.grid, ...marks);
  }

  /** Adds a mark, which is dragged and moved by keys. */
  add() {
    const [row, corner] = [Math.floor(this.marks.length / 2), this.marks.length % 2];
    const mark = h("button", { class: "corner", title: HOW });
    /** @type {Point | null} from the pointer to the middle of the mark, while it is dragged */
    let held = null;
    mark.addEventListener("pointerdown", (event) => {
      const { left, top, width, height } = mark.getBoundingClientRect();
      held = [left + width / 2 - event.clientX, top + height / 2 - event.clientY];
      mark.setPointerCapture(event.pointerId);
    });
    mark.addEventListener("pointermove", (event) => {
      if (held) this.mark(row, corner, this.pixel(event.clientX + held[0], event.clientY + held[1]));
    });
    for (const end of ["pointerup", "pointercancel"]) mark.addEventListener(end, () => (held = null));
    // Else a quick drag counts as a swipe, and browsers ignore a tap soon after one.
    mark.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
    mark.addEventListener("keydown", (event) => {
      const way = WAYS[event.key];
      if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const far = event.shiftKey ? FAR : STEP;
      const [x, y] = this.rows[row]?.corners[corner] ?? [0, 0];
      this.mark(row, corner, this.inside([x + far * way[0], y + far * way[1]]));
    });
    mark.addEventListener("focus", () => this.choose(row));
    this.marks.push(mark);
  }

  focus() {
    this.surface.focus({ preventScroll: true });
  }

  /** Sets the next corner where the picture was tapped, or in sight. @param {MouseEvent} event */
  tap(event) {
    const next = nextCorner(this.rows);
    if (!next) return;
    const point = event.detail ? this.pixel(event.clientX, event.clientY) : this.somewhere(next.corner);
    this.mark(next.row, next.corner, point);
    this.marks[2 * next.row + next.corner]?.focus({ preventScroll: true });
  }

  /** @param {number} corner @returns {Point} */
  somewhere(corner) {
    const { left, right } = this.surface.getBoundingClientRect();
    const seen = (this.element.closest(".picture-area") ?? this.element).getBoundingClientRect();
    const share = corner ? 0.75 : 0.25;
    return this.pixel(left + share * (right - left), seen.top + share * (seen.bottom - seen.top));
  }

  /** The pixel of the picture at a place in the window. @param {number} x @param {number} y @returns {Point} */
  pixel(x, y) {
    const { left, top, width, height } = this.surface.getBoundingClientRect();
    return this.inside([((x - left) / width) * this.size[0], ((y - top) / height) * this.size[1]]);
  }

  /** @param {Point} point @returns {Point} the nearest one in the picture */
  inside([x, y]) {
    const [width, height] = this.size;
    return [Math.max(0, Math.min(width - 1, x)), Math.max(0, Math.min(height - 1, y))];
  }
}

/** The corner to be marked next, null if all are. @param {ShownRow[]} rows */
export function nextCorner(rows) {
  const row = rows.findIndex((each) => !isMarked(each));
  const corner = rows[row]?.corners.length ?? 0;
  return row < 0 ? null : { row, corner, name: NAMES[corner] ?? "" };
}
