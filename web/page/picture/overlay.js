/**
 * A picture with what was understood of it: a canvas, and over each cell a button.
 */

import { h } from "../core/dom.js";
import { Roving } from "../board/roving.js";

/** @typedef {import("../types.d.ts").Reading} Reading */
/** @typedef {import("../types.d.ts").Box} Box */
/** @typedef {{ tube: number, cell: number }} Place */

const MOST_PIXELS = 1600; // of the longer side, on the canvas

export class Overlay {
  /** @param {(place: Place) => void} choose a cell was clicked */
  constructor(choose) {
    this.choose = choose;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.cells = h("div", { class: "over", role: "group", "aria-label": "Cells in the picture" });
    this.roving = new Roving(this.cells, "button");
    this.element = h("div", { class: "seen-board", hidden: true }, this.canvas, this.cells);
    /** @type {Blob | null} */
    this.file = null;
  }

  /**
   * Shows a picture. It is decoded here and never gets an address, so that the page needs no exception to load it.
   * @param {Blob} file
   */
  async load(file) {
    this.file = file;
    this.cells.replaceChildren();
    const bitmap = await createImageBitmap(file);
    if (this.file !== file) return; // another one came meanwhile
    const scale = Math.min(1, MOST_PIXELS / Math.max(bitmap.width, bitmap.height));
    this.canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    this.canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    this.canvas.getContext("2d")?.drawImage(bitmap, 0, 0, this.canvas.width, this.canvas.height);
    bitmap.close();
    this.element.hidden = false;
  }

  /**
   * Draws what was understood; the cell that had the focus has it afterwards.
   * @param {Reading} reading
   * @param {Place | null} chosen
   */
  show(reading, chosen) {
    const focused = this.roving.items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const doubtful = new Set(reading.doubtful.map(String));
    const buttons = reading.picture.tubes.flatMap((seen, tube) => {
      const colours = reading.tubes[tube] ?? [];
      const capacity = reading.capacities?.[tube] ?? reading.capacity;
      const boxes = seen.cells.map(({ box }) => box);
      if (colours.length < capacity) boxes.push(above(seen.box, boxes, capacity));
      return boxes.map((box, cell) => {
        const isChosen = chosen?.tube === tube && chosen.cell === cell;
        const fill = reading.picture.colours[colours[cell] ?? ""];
        const isDoubtful = doubtful.has(`${tube},${cell}`);
        const button = h(
          "button",
          {
            type: "button",
            class: cell < colours.length ? "mark" : "mark room",
            "data-tube": tube,
            "data-cell": cell,
            "data-doubtful": isDoubtful,
            "aria-pressed": String(isChosen),
            "aria-label": `${nameOf({ tube, cell })}: ${inside(colours, cell)}${isDoubtful ? ", doubtful" : ""}`,
            onclick: () => this.choose({ tube, cell }),
          },
          h("span", { class: "dot", "aria-hidden": "true" }, sign(colours, cell, isDoubtful)),
        );
        place(button, box, reading.picture.size);
        if (fill) button.style.setProperty("--fill", fill);
        return button;
      });
    });
    this.cells.replaceChildren(...buttons);
    this.roving.refresh();
    if (focused >= 0) this.roving.focus();
  }

  /** Brings a cell into view. @param {Place} place */
  look({ tube, cell }) {
    this.cells.querySelector(`[data-tube="${tube}"][data-cell="${cell}"]`)?.scrollIntoView({ block: "nearest" });
  }
}

/** @param {Place} place */
export function nameOf({ tube, cell }) {
  return `Tube ${tube + 1}, cell ${cell + 1} from the bottom`;
}

/** @param {(string | null)[]} colours @param {number} cell */
function inside(colours, cell) {
  if (cell >= colours.length) return "empty";
  return colours[cell] ?? "hidden";
}

/** @param {(string | null)[]} colours @param {number} cell @param {boolean} isDoubtful */
function sign(colours, cell, isDoubtful) {
  if (cell >= colours.length) return "+";
  if (isDoubtful) return "!";
  return colours[cell] === null ? "?" : "";
}

/**
 * Where the next cell of a tube would be.
 * @param {Box} tube
 * @param {Box[]} cells
 * @param {number} capacity
 * @returns {Box}
 */
function above(tube, cells, capacity) {
  const top = cells.at(-1);
  const [left, upper, right, lower] = top ?? tube;
  const height = top ? lower - upper : (lower - upper) / capacity;
  return top ? [left, upper - height, right, upper] : [left, lower - height, right, lower];
}

/** @param {HTMLElement} element @param {Box} box @param {[number, number]} size */
function place(element, [left, top, right, bottom], [width, height]) {
  const upper = Math.max(0, top);
  element.style.setProperty("left", `${(100 * left) / width}%`);
  element.style.setProperty("top", `${(100 * upper) / height}%`);
  element.style.setProperty("width", `${(100 * (right - left)) / width}%`);
  element.style.setProperty("height", `${(100 * (bottom - upper)) / height}%`);
}
