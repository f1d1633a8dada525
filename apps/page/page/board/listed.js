/** Puzzles that this page has no view of: the cells that the command line shows, and a button for each legal move. */

import { div, h, redraw, set } from "../core/dom.js";
import { sameMove } from "../core/steps.js";
import { byColour, paint } from "../core/palette.js";
import { Roving } from "./roving.js";

export class ListedView {
  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.picture = h("table", { class: "picture" });
    this.moves = h("div", { class: "moves", role: "group" });
    this.roving = new Roving(this.moves, "button");
    this.element = div("listed", this.picture, this.moves);
  }

  /** @param {State} state */
  draw({ position, hint }) {
    if (!position?.picture) return;
    const { rows, header, move_key: key } = position.picture;
    const looks = byColour(position.colours);
    const body = rows.map((row) =>
      row.map(([text, colour]) => {
        const cell = h("td", {}, text);
        if (colour !== null) paint(cell, looks.get(colour));
        return cell;
      }),
    );
    const labels = header.some(Boolean) && h("tr", {}, ...header.map((label) => h("td", { class: "number" }, label)));
    redraw(this.picture, ...body.map((cells) => h("tr", {}, ...cells)), labels);
    set(this.picture, { "aria-label": position.summary });
    set(this.moves, { "aria-label": `Moves: ${key}` });
    const buttons = position.legal.map((move, index) => {
      const isHint = hint.move !== null && sameMove(move, hint.move);
      return h("button", { "data-hint": isHint, onclick: () => this.actions.move(move) }, position.words[index]);
    });
    redraw(this.moves, h("p", { class: "fine" }, key), ...buttons);
    this.roving.refresh();
  }
}
