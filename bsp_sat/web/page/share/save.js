/**
 * Files made in the page, for the browser's downloads.
 */

import { h } from "../core/dom.js";

/** @param {Blob} content @param {string} name */
export function save(content, name) {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
