/**
 * A few colours of each cell in a picture, in rows of tubes that a person has shown: bsp_sat.screenshots.samples makes
 * a
 * board of them.
 */

/** @typedef {[number, number, number]} Rgb */

const PATCH = 0.08; // half the side of a sample, over the width of a cell
const CORNER = 0.38; // from the middle of a cell to its corners, likewise: more than a ball reaches

/**
 * @param {Blob} picture
 * @param {string[]} rows each LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS
 * @returns {Promise<{ size: [number, number], samples: [Rgb, [Rgb, Rgb]][][] }>} the cells of each tube, the lowest
 *   first
 */
export async function samplesOf(picture, rows) {
  const bitmap = await createImageBitmap(picture);
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error("This browser can't draw pictures.");
  canvas.drawImage(bitmap, 0, 0);
  bitmap.close();

  /** @param {number} x @param {number} y @param {number} radius @returns {Rgb} */
  const at = (x, y, radius) => {
    const side = 2 * radius + 1;
    const { data } = canvas.getImageData(Math.round(x) - radius, Math.round(y) - radius, side, side);
    return /** @type {Rgb} */ ([0, 1, 2].map((level) => median(data.filter((_, place) => place % 4 === level))));
  };

  const samples = rows.flatMap((row) => {
    const [left = 0, top = 0, right = 0, bottom = 0, tubes = 1, cells = 2] = row.split(",").map(Number);
    const pitch = (bottom - top) / (cells - 1);
    const step = tubes > 1 ? (right - left) / (tubes - 1) : pitch;
    const cell = Math.min(pitch, step);
    const radius = Math.max(1, Math.round(PATCH * cell));
    return Array.from({ length: tubes }, (_, tube) =>
      Array.from({ length: cells }, (_, place) => {
        const [x, y] = [left + tube * step, bottom - place * pitch];
        const corners = [-1, 1].map((side) => at(x + side * CORNER * cell, y - CORNER * cell, radius));
        return /** @type {[Rgb, [Rgb, Rgb]]} */ ([at(x, y, radius), corners]);
      }),
    );
  });
  return { size: [width, height], samples };
}

/** @param {Uint8ClampedArray} levels */
function median(levels) {
  return levels.sort()[levels.length >> 1] ?? 0;
}
