/** The dialog for entering a board: as text or a file, or one of those that come with bsp-sat. */

import { Refusal, wordsFor } from "../core/api.js";
import { unlessSoon } from "../core/load.js";
import { button, div, h, say } from "../core/dom.js";
import { sheet, show } from "../core/sheet.js";
import { question } from "./reading.js";
import { shippedList } from "./shipped.js";
import { textForm } from "./text.js";

/** @typedef {(board: Board | string, puzzle?: string) => Promise<void>} Play closes the dialog, or says why it can't */
/** What its parts get. @typedef {{ app: App, play: Play, complain: (words: string) => void }} Entering */

export class EnterDialog {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.complaint = h("p", { class: "complaint", role: "alert" });
    this.readings = div("readings");
    /** @type {Entering} */
    const entering = { app, play: (board, puzzle) => this.play(board, puzzle), complain: (words) => this.say(words) };
    const draw = button("pencil", "Draw", () => {
      this.element.close();
      app.go("enter");
    });
    this.text = textForm(entering, draw);
    this.boards = shippedList(entering);
    const said = [this.complaint, this.readings];
    this.element = sheet("A board", this.text.element, ...said, this.boards.element);
  }

  open() {
    show(this.element);
    this.say("");
    this.boards.shown();
  }

  /** A file with a board. @param {File} file */
  take(file) {
    this.open();
    void this.text.read(file);
  }

  /** @param {string} words about the board, in place of all that was said before */
  say(words) {
    this.readings.replaceChildren();
    say(this.complaint, words);
  }

  /** @param {Board | string} board @param {string} [puzzle] @param {object} [choices] */
  async play(board, puzzle, choices) {
    this.say("");
    try {
      const opening = this.app.game.open(board, { puzzle, choices });
      const readAs = await unlessSoon(opening, () => this.say("One moment: the board is being read…"));
      this.element.close();
      this.app.go("play");
      if (readAs) this.app.notice(readAs);
    } catch (error) {
      if (error instanceof Refusal && error.readings.length) this.ask(error, board, puzzle);
      else this.say(wordsFor(error));
    }
  }

  /** Asks which board is meant. @param {Refusal} error @param {Board | string} board @param {string} [puzzle] */
  ask({ message, readings }, board, puzzle) {
    const asked = question(message, readings, (choices) => void this.play(board, puzzle, choices));
    this.say("");
    this.readings.replaceChildren(asked);
    asked.scrollIntoView({ block: "nearest" });
    asked.querySelector("button")?.focus({ preventScroll: true });
  }
}
