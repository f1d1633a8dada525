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

/** @param {App} app */
export function enterDialog(app) {
  const complaint = h("p", { class: "complaint", role: "alert" });
  const readings = div("readings");

  /** @param {string} words about the board, in place of all that was said before */
  const complain = (words) => {
    readings.replaceChildren();
    say(complaint, words);
  };

  /** @param {Board | string} board @param {string} [puzzle] @param {object} [choices] */
  const play = async (board, puzzle, choices) => {
    complain("");
    try {
      const opening = app.game.open(board, { puzzle, choices });
      const readAs = await unlessSoon(opening, () => complain("One moment: the board is being read…"));
      element.close();
      app.go("play");
      if (readAs) app.notice(readAs);
    } catch (error) {
      if (error instanceof Refusal && error.readings.length) ask(error, board, puzzle);
      else complain(wordsFor(error));
    }
  };

  /** Asks which board is meant. @param {Refusal} refusal @param {Board | string} board @param {string} [puzzle] */
  const ask = (refusal, board, puzzle) => {
    const asked = question(refusal.message, refusal.readings, (choices) => void play(board, puzzle, choices));
    complain("");
    readings.replaceChildren(asked);
    asked.scrollIntoView({ block: "nearest" });
    asked.querySelector("button")?.focus({ preventScroll: true });
  };

  const draw = button("pencil", "Draw", () => {
    element.close();
    app.go("enter");
  });
  const text = textForm({ app, play, complain }, draw);
  const boards = shippedList({ play, complain });
  const element = sheet("A board", text.element, complaint, readings, boards.element);
  const open = () => {
    show(element);
    complain("");
    boards.shown();
  };
  /** A file with a board. @param {File} file */
  const take = (file) => {
    open();
    void text.read(file);
  };
  return { open, take };
}
