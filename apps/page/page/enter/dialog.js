/** The dialog for entering a board. Each way is a tab; a tab's element is made when it is first looked at. */

import { Refusal, wordsFor } from "../core/api.js";
import { unlessSoon } from "../core/load.js";
import { button, div, h, say } from "../core/dom.js";
import { tabs } from "../core/parts.js";
import { dialog, show } from "../core/sheet.js";
import { randomTab } from "./random.js";
import { question } from "./reading.js";
import { shippedTab } from "./shipped.js";
import { textTab } from "./text.js";

/**
 * What a tab gets: the page, and ways to end.
 * @typedef {object} Entering
 * @property {import("../main.js").App} app
 * @property {(board: import("../types.d.ts").Board | string, puzzle?: string) => Promise<void>} play opens a board and
 *   closes the dialog;
 *   where the server refuses it, its words are shown in the dialog
 * @property {(words: string) => void} complain
 */

/**
 * @typedef {object} Tab
 * @property {HTMLElement} element
 * @property {(...given: any[]) => void} [shown] called each time the tab comes up, with what `show` was given
 */

/** @type {Record<string, { label: string, make: (entering: Entering) => Tab }>} */
export const TABS = {
  shipped: { label: "Boards", make: shippedTab },
  random: { label: "Random", make: randomTab },
  text: { label: "Text or file", make: textTab },
};

export class EnterDialog {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, Tab>} */
    this.made = new Map();
    this.complaint = h("p", { class: "complaint", role: "alert" });
    this.panel = h("div", { class: "panel", role: "tabpanel", id: "enter-panel" });
    const names = Object.fromEntries(Object.entries(TABS).map(([name, { label }]) => [name, label]));
    this.tabs = tabs("Ways to enter a board", names, this.panel, (name) => this.show(name));
    const draw = button("pencil", "Draw", () => {
      this.element.close();
      app.go("enter");
    });
    const ways = div("row", this.tabs.element, draw);
    this.readings = div("readings");
    this.element = dialog("large", "A board", ways, this.panel, this.complaint, this.readings);
    /** @type {Entering} */
    this.entering = { app, play: (board, puzzle) => this.play(board, puzzle), complain: (words) => this.say(words) };
  }

  open(name = "") {
    show(this.element);
    this.show(name || this.element.dataset.tab || "shipped");
  }

  /** @param {string} name @param {...any} given */
  show(name, ...given) {
    const entry = TABS[name];
    if (!entry) return;
    show(this.element);
    const tab = this.made.get(name) ?? entry.make(this.entering);
    this.made.set(name, tab);
    this.element.dataset.tab = name;
    this.say("");
    this.tabs.show(name, tab.element);
    tab.shown?.(...given);
  }

  /** @param {string} words about the board, in place of all that was said before */
  say(words) {
    this.readings.replaceChildren();
    say(this.complaint, words);
  }

  /** @param {import("../types.d.ts").Board | string} board @param {string} [puzzle] @param {object} [choices] */
  async play(board, puzzle, choices) {
    this.say("");
    try {
      const opening = this.app.game.open(board, [], puzzle, null, choices);
      const readAs = await unlessSoon(opening, () => this.say("One moment: the board is being read…"));
      this.element.close();
      this.app.go("play");
      if (readAs) this.app.notice(readAs);
    } catch (error) {
      if (error instanceof Refusal && error.readings.length) this.ask(error, board, puzzle);
      else this.say(wordsFor(error));
    }
  }

  /**
   * Asks which board is meant.
   * @param {Refusal} error
   * @param {import("../types.d.ts").Board | string} board
   * @param {string} [puzzle]
   */
  ask({ message, readings }, board, puzzle) {
    const asked = question(message, readings, (choices) => void this.play(board, puzzle, choices));
    this.say("");
    this.readings.replaceChildren(asked);
    asked.scrollIntoView({ block: "nearest" });
    asked.querySelector("button")?.focus({ preventScroll: true });
  }

  /** A file with a board. @param {File} file */
  take(file) {
    this.show("text", file);
  }
}
