/**
 * Dialogs that come up from the bottom of the window.
 */

import { button, h } from "./dom.js";

/**
 * A sheet, which has to be put into the page.
 * @param {string} title
 * @param {...HTMLElement} children
 */
export function sheet(title, ...children) {
  const dialog = h("dialog", { class: "sheet", "aria-label": title });
  dialog.append(h("div", { class: "head" }, h("h2", {}, title), button("close", "Close", () => dialog.close(), { bare: true })), ...children);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
