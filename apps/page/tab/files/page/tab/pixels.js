/** The pixels of a picture, as bsp_sat.apps.page.tab.reading takes them. */

/** @param {Blob} picture */
export async function pixelsOf(picture) {
  const bitmap = await createImageBitmap(picture);
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!canvas) throw new Error("This browser can't draw pictures.");
  canvas.drawImage(bitmap, 0, 0);
  bitmap.close();
  const size = new DataView(new ArrayBuffer(8));
  size.setUint32(0, width, true);
  size.setUint32(4, height, true);
  return new Blob([size.buffer, canvas.getImageData(0, 0, width, height).data]);
}
