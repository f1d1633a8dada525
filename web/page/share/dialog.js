/**
 * The dialog for taking a board along: as a link, as text, as JSON, as a picture.
 */

import { button, fill, h } from "../core/dom.js";
import { linkPart } from "./link.js";
import { boardPart } from "./board.js";
import { picturePart } from "./picture.js";

/** @typedef {import("../main.js").App} App */

/** Each makes its part of the dialog anew when it opens, for the game as it is then. @type {((app: App) => HTMLElement)[]} */
export const PARTS = [linkPart, picturePart, boardPart];

export class ShareDialog {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.body = h("div", { class: "parts" });
    this.element = h(
      "dialog",
      { "aria-labelledby": "share-title" },
      h("div", { class: "head" }, h("h2", { id: "share-title" }, "Share"), button("close", "Close", () => this.element.close(), { bare: true })),
      this.body,
    );
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
  }

  open() {
    if (!this.app.store.state.board) return;
    fill(this.body, ...PARTS.map((part) => part(this.app)));
    this.element.showModal();
  }
}
