/** The part of a picture that holds the board, with an outlined button over each cell. */

import { div, group, h, redraw, style } from "../core/dom.js";
import { Roving } from "../board/roving.js";
import { boxAbove, cropOf } from "./found.js";

const LEAST = 36; // pixels of a cell that is corrected

export class Overlay {
  /** @param {(place: Place) => void} choose a cell was tapped */
  constructor(choose) {
    this.choose = choose;
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.cells = group("over", "Cells in the picture");
    this.roving = new Roving(this.cells, "button");
    this.element = div("seen-board", this.canvas, this.cells);
    this.drawn = "";
  }

  /** @param {PictureWork} work */
  show(work) {
    const { bitmap, chosen } = work;
    const found = work.row === null ? work.found : null;
    /** @type {Box} */
    const crop = found ? this.part(found, chosen) : [0, 0, bitmap?.width ?? 1, bitmap?.height ?? 1];
    this.draw(work, crop);
    if (!found) return this.cells.replaceChildren();
    const buttons = found.tubes.flatMap((tube, number) => {
      const boxes = tube.cells.map(({ box }) => box);
      if (tube.cells.length < tube.capacity && !tube.locked) boxes.push(boxAbove(tube));
      return boxes.flatMap((box, cell) => {
        const there = tube.cells[cell];
        const sign = !there ? "+" : there.doubtful ? "!" : there.colour === null ? "?" : "";
        const inside = there ? (there.colour ?? "covered") : "empty";
        const button = h(
          "button",
          {
            class: there ? "mark" : "mark room",
            "data-doubtful": Boolean(there?.doubtful),
            "aria-pressed": String(chosen?.tube === number && chosen.cell === cell),
            "aria-label": `${nameOf({ tube: number, cell })}: ${inside}${there?.doubtful ? ", doubtful" : ""}`,
            onclick: () => this.choose({ tube: number, cell }),
          },
          h("span", { "aria-hidden": "true" }, sign),
        );
        place(button, box, crop);
        return isInside(box, crop) ? [button] : [];
      });
    });
    const strange = found.doubts.length && !found.confirmed ? found.unexplained : [];
    const marks = strange.map((box) => {
      const mark = h("div", { class: "mark unexplained", role: "img", "aria-label": "What is this?" }, "?");
      place(mark, box, crop);
      return mark;
    });
    redraw(this.cells, ...buttons, ...marks);
    this.roving.refresh();
  }

  /**
   * The part of the picture that shows: the whole board, or as much around a chosen cell as lets fingers hit each cell.
   * @param {FoundBoard} found @param {Place | null} chosen @returns {Box}
   */
  part(found, chosen) {
    const whole = cropOf(found);
    const tube = found.tubes[chosen?.tube ?? -1];
    const { clientWidth, clientHeight } = this.element.parentElement ?? this.element;
    if (!tube || !chosen || !clientWidth || !clientHeight) return whole;
    const cell = tube.cells[chosen.cell]?.box ?? boxAbove(tube);
    const scale = LEAST / Math.min(lengthOf(cell, 0), lengthOf(cell, 1)); // of the screen to the picture
    const [width, height] = [clientWidth / scale, clientHeight / scale];
    const [left, right] = around(cell, width, whole, 0);
    const [top, bottom] = around(cell, height, whole, 1);
    return width < lengthOf(whole, 0) || height < lengthOf(whole, 1) ? [left, top, right, bottom] : whole;
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

/** @param {Box} box @param {0 | 1} axis across, or down */
function lengthOf(box, axis) {
  return box[axis === 0 ? 2 : 3] - box[axis];
}

/**
 * The ends of a part of a box with another one in its middle, as far as that can be.
 * @param {Box} inner @param {number} length of the part @param {Box} whole @param {0 | 1} axis
 * @returns {[number, number]}
 */
function around(inner, length, whole, axis) {
  const least = Math.min(length, lengthOf(whole, axis));
  const start = inner[axis] + (lengthOf(inner, axis) - least) / 2;
  const begins = Math.max(whole[axis], Math.min(start, whole[axis] + lengthOf(whole, axis) - least));
  return [begins, begins + least];
}

/** Whether all of a box can be tapped. @param {Box} box @param {Box} crop */
function isInside(box, crop) {
  return box[0] >= crop[0] && box[1] >= crop[1] && box[2] <= crop[2] && box[3] <= crop[3];
}

/** @param {Place} place */
export function nameOf({ tube, cell }) {
  return `Tube ${tube + 1}, cell ${cell + 1} from the bottom`;
}

/** @param {HTMLElement} element @param {Box} box @param {Box} crop */
function place(element, [left, top, right, bottom], [cropLeft, cropTop, cropRight, cropBottom]) {
  const [width, height] = [cropRight - cropLeft, cropBottom - cropTop];
  style(element, {
    left: `${(100 * (left - cropLeft)) / width}%`,
    top: `${(100 * (top - cropTop)) / height}%`,
    width: `${(100 * (right - left)) / width}%`,
    height: `${(100 * (bottom - top)) / height}%`,
  });
}
