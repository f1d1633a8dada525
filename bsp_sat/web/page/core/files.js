/**
 * Files from wherever: dropped anywhere on the page, pasted, or chosen.
 */

import { h } from "./dom.js";

/** @param {(file: File) => Promise<void>} take */
export function listenForFiles(take) {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void take(file);
  });
  addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    if (file) void take(file);
  });
}

/**
 * Lets a person choose a file in the browser's own dialog.
 * @param {string} accept
 * @param {(file: File) => void} take
 */
export function chooseFile(accept, take) {
  const input = h("input", { type: "file", accept });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) take(file);
  });
  input.click();
}
