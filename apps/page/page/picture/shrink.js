/** Pictures made smaller before they are sent: a screenshot holds far more pixels than its board needs. */

export const PICTURES = "image/*,.heic,.heif"; // of which the browser decodes more or fewer

const SENT_AS_THEY_ARE = ["image/png", "image/jpeg", "image/webp"];
const MOST_BYTES = 20_000_000; // of what is sent
const MOST_PIXELS = 10_000_000;
const LONGEST = 1600; // pixels
const SMALL_ENOUGH = 350_000; // bytes that are sent as they are
const QUALITY = 0.9;

/** @typedef {{ file: Blob, bitmap: ImageBitmap }} Sent a picture, and its pixels for the screen */

/** At most 1600 pixels a side, and what gives the whole; null if the browser can't decode it. @param {Blob} given */
export async function sizesOf(given) {
  const bitmap = await createImageBitmap(given).catch(() => null);
  if (!bitmap) return null;
  const { width, height } = bitmap;
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  const asItIs = SENT_AS_THEY_ARE.includes(given.type) && given.size <= MOST_BYTES ? { file: given, bitmap } : null;
  if (asItIs && scale === 1 && given.size <= SMALL_ENOUGH) return { small: asItIs, whole: null };
  const small = await drawn(bitmap, scale, "image/jpeg");
  if (!small || (asItIs && small.file.size >= given.size)) return asItIs && { small: asItIs, whole: null };
  const most = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  const whole = async () => (most === 1 && asItIs ? asItIs : drawn(bitmap, most, "image/png"));
  return { small, whole };
}

/** @param {ImageBitmap} bitmap @param {number} scale @param {string} type @returns {Promise<Sent | null>} */
async function drawn(bitmap, scale, type) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const file = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) =>
    canvas.toBlob(resolve, type, QUALITY),
  );
  return file && file.size <= MOST_BYTES ? { file, bitmap: await createImageBitmap(canvas) } : null;
}
