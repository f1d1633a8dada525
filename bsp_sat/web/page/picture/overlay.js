/**
 * The part of a picture that holds the board, with an outlined button over each cell.
 */

import { h } from "../core/dom.js";
import { Roving } from "../board/roving.js";
import { boxAbove, cropOf } from "./found.js";

/** @import { PictureWork, Box } from "../types.d.ts" */
/** @typedef {{ tube: number, cell: number }} Place */

export class Overlay {
  /** @param {(place: Place) => void} choose a cell was tapped */
  constructor(choose) {
    this.choose = choose;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.cells = h("div", { class: "over", role: "group", "aria-label": "Cells in the picture" });
    this.roving = new Roving(this.cells, "button");
    this.element = h("div", { class: "seen-board" }, this.canvas, this.cells);
    this.drawn = "";
  }

  /** @param {PictureWork} work */
  show(work) {
    const { bitmap, chosen } = work;
    const found = work.row === null ? work.found : null;
    /** @type {Box} */
    const crop = found ? cropOf(found) : [0, 0, bitmap?.width ?? 1, bitmap?.height ?? 1];
    this.draw(work, crop);
    if (!found) return this.cells.replaceChildren();
    const focused = this.roving.items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const buttons = found.tubes.flatMap((tube, number) => {
      const boxes = tube.cells.map(({ box }) => box);
      if (tube.cells.length < tube.capacity && !tube.locked) boxes.push(boxAbove(tube));
      return boxes.map((box, cell) => {
        const there = tube.cells[cell];
        const sign = !there ? "+" : there.doubtful ? "!" : there.colour === null ? "?" : "";
        const inside = there ? (there.colour ?? "covered") : "empty";
        const button = h(
          "button",
          {
            type: "button",
            class: there ? "mark" : "mark room",
            "data-doubtful": Boolean(there?.doubtful),
            "aria-pressed": String(chosen?.tube === number && chosen.cell === cell),
            "aria-label": `${nameOf({ tube: number, cell })}: ${inside}${there?.doubtful ? ", doubtful" : ""}`,
            onclick: () => this.choose({ tube: number, cell }),
          },
          h("span", { "aria-hidden": "true" }, sign),
        );
        place(button, box, crop);
        return button;
      });
    });
    this.cells.replaceChildren(...buttons);
    this.roving.refresh();
    if (focused >= 0) this.roving.focus();
  }

  /** @param {PictureWork} work @param {Box} crop */
  draw({ bitmap, file }, [left, top, right, bottom]) {
    const [width, height] = [Math.max(1, Math.round(right - left)), Math.max(1, Math.round(bottom - top))];
    this.element.style.setProperty("--shape", String(width / height));
    const key = [left, top, right, bottom, file.size, bitmap?.width].join();
    if (key === this.drawn) return;
    this.drawn = key;
    this.canvas.width = width;
    this.canvas.height = height;
    if (bitmap) this.canvas.getContext("2d")?.drawImage(bitmap, -Math.round(left), -Math.round(top));
  }
}

/** @param {Place} place */
export function nameOf({ tube, cell }) {
  return `Tube ${tube + 1}, cell ${cell + 1} from the bottom`;
}

/** @param {HTMLElement} element @param {Box} box @param {Box} crop */
function place(element, [left, top, right, bottom], [cropLeft, cropTop, cropRight, cropBottom]) {
  const [width, height] = [cropRight - cropLeft, cropBottom - cropTop];
  element.style.setProperty("left", `${(100 * (left - cropLeft)) / width}%`);
  element.style.setProperty("top", `${(100 * (top - cropTop)) / height}%`);
  element.style.setProperty("width", `${(100 * (right - left)) / width}%`);
  element.style.setProperty("height", `${(100 * (bottom - top)) / height}%`);
}
