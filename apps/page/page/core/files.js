/** Files: dropped anywhere on the page, pasted or chosen; and made here, for the browser's downloads. */

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

/** Lets a person choose a file in the browser's dialog. @param {string} accept @param {(file: File) => void} take */
export function chooseFile(accept, take) {
  const input = h("input", { type: "file", accept });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) take(file);
  });
  input.click();
}

/** @param {Blob} content @param {string} name */
export function save(content, name) {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
