/**
 * The dialog for taking a board along: as a link, as text, as JSON, as a picture.
 */

import { fill, h } from "../core/dom.js";
import { dialog } from "../core/sheet.js";
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
    this.element = dialog("", "Share", this.body);
  }

  open() {
    if (!this.app.store.state.board) return;
    fill(this.body, ...PARTS.map((part) => part(this.app)));
    this.element.showModal();
  }
}
