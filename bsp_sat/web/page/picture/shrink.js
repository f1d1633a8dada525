/** Pictures made smaller before they are sent: a screenshot holds far more pixels than its board needs. */

/** Types of pictures that the server reads. */
export const PICTURES = ["image/png", "image/jpeg", "image/webp"];

const LONGEST = 1600; // pixels
const SMALL_ENOUGH = 350_000; // bytes that are sent as they are
const QUALITY = 0.9;

/**
 * A picture of at most 1600 pixels a side, and its pixels for the screen.
 * @param {Blob} file
 * @returns {Promise<{ file: Blob, bitmap: ImageBitmap | null }>} no pixels if the browser can't decode it
 */
export async function shrunk(file) {
  let whole;
  try {
    whole = await createImageBitmap(file);
  } catch {
    return { file, bitmap: null };
  }
  const scale = Math.min(1, LONGEST / Math.max(whole.width, whole.height));
  if (scale === 1 && file.size <= SMALL_ENOUGH) return { file, bitmap: whole };
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(whole.width * scale));
  canvas.height = Math.max(1, Math.round(whole.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return { file, bitmap: whole };
  context.imageSmoothingQuality = "high";
  context.drawImage(whole, 0, 0, canvas.width, canvas.height);
  const small = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) =>
    canvas.toBlob(resolve, "image/jpeg", QUALITY),
  );
  if (!small || small.size >= file.size) return { file, bitmap: whole };
  whole.close();
  return { file: small, bitmap: await createImageBitmap(canvas) };
}
