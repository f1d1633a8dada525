/** Questions on boards with hidden cells: what came up, and what has happened to locks, corks and the game. */

import { isWaiting } from "../core/advisor.js";
import { button, div, group, h } from "../core/dom.js";
import { check, swatch } from "../core/parts.js";

export class Questions {
  /** @param {Game} game @param {() => void} changed called where another question about the position follows */
  constructor(game, changed) {
    this.game = game;
    this.changed = changed;
    /** @type {Position | null} that the answers are about */
    this.position = null;
    /** @type {Record<string, Colour[]>} unknown cells that came up, by tube, from the top down */
    this.seen = {};
    /** @type {Colour | null} that came up in the tube which is asked about */
    this.colour = null;
  }

  /** The tube that the next question is about, null if it is about none. @param {Position} position */
  tube(position) {
    if (position !== this.position) {
      this.position = position;
      this.seen = {};
      this.colour = null;
    }
    return position.looking?.find((tube) => !(tube in this.seen)) ?? null;
  }

  /** The next question, null if there is none. @param {Position} position */
  next(position) {
    const tube = this.tube(position);
    if (tube !== null) return this.colourQuestion(position, tube);
    return isWaiting(position) && position.asking
      ? effectsQuestion(position.asking, (noticed) => void this.game.say({ noticed }))
      : null;
  }

  /** Asks which colour came up, and how many unless it is clear. @param {Position} position @param {number} tube */
  colourQuestion(position, tube) {
    const cells = /** @type {(Colour | null)[][]} */ (position.position.tubes)[tube] ?? [];
    const named = Object.values(this.seen).flat();
    const isUnseen = (/** @type {Colour} */ colour) => position.unseen.includes(colour) && !named.includes(colour);
    const fresh = position.unseen.find(isUnseen);
    const top = cells.at(-1) ?? null; // if it is known, no other colour can have come up
    const colour = top ?? this.colour;
    const tell = (/** @type {Colour} */ colour, /** @type {number} */ unknown) =>
      this.tell(tube, Array(unknown).fill(colour));
    const choose = (/** @type {Colour} */ colour) => {
      const [only, ...others] = runsOf(cells, colour, position.reveal);
      if (only && !others.length) tell(colour, only.unknown);
      else this.choose(colour);
    };
    const looks = position.colours.filter((look) =>
      colour === null ? look.colour === fresh || !isUnseen(look.colour) : look.colour === colour,
    );
    const swatches = looks.map((look) => {
      const isNew = look.colour === fresh;
      const name = isNew ? "A new colour" : look.name;
      const more = { "aria-pressed": String(colour !== null), disabled: top !== null };
      const act = () => (colour === null ? choose(look.colour) : this.choose(null));
      return swatch(name, isNew ? "" : look.fill, act, more, isNew && "new");
    });
    const counts =
      colour === null
        ? []
        : runsOf(cells, colour, position.reveal).map(({ length, unknown }) =>
            button(null, String(length), () => tell(colour, unknown)),
          );
    return question(
      `${colour === null ? "What came up in" : "How many on top of"} tube ${tube + 1}?`,
      div("swatches", ...swatches, ...counts),
    );
  }

  /** @param {Colour | null} colour */
  choose(colour) {
    this.colour = colour;
    this.changed();
  }

  /** @param {number} tube @param {Colour[]} colours */
  tell(tube, colours) {
    const seen = (this.seen = { ...this.seen, [tube]: colours });
    this.choose(null);
    if (!this.position?.looking?.every((each) => each in seen)) return;
    void this.game.say({ saw: seen }).then(() => {
      if (this.seen !== seen) return; // about another position, which follows
      this.seen = {}; // they were refused, and are asked for again
      this.changed();
    });
  }
}

/**
 * How many cells of a colour may be on top of a tube, and how many of them are unknown.
 * @param {(Colour | null)[]} cells from the bottom, null for unknown ones @param {Colour} colour
 * @param {Position["reveal"]} reveal
 */
function runsOf(cells, colour, reveal) {
  if (reveal !== "run") return [{ length: 1, unknown: 1 }];
  const runs = [];
  for (let length = 0, unknown = 0; ; length++) {
    const next = cells[cells.length - 1 - length];
    if (next !== colour && length) runs.push({ length, unknown }); // it may end here
    if (next === null) unknown++;
    else if (next !== colour) return runs;
  }
}

/** @param {string} words @param {...Child} answers */
function question(words, ...answers) {
  return group("question", words, h("p", { class: "sentence" }, words), ...answers);
}

/** Asks what has happened. @param {Effects} asking @param {(effects: Effects) => void} answer */
function effectsQuestion(asking, answer) {
  /** @type {Effects} */
  const found = { opened: [], corked: [], solved: false };
  const box = (/** @type {"opened" | "corked"} */ what, /** @type {number} */ tube, /** @type {string} */ words) =>
    check(`Tube ${tube + 1} ${words}`, false, (on) => {
      found[what] = on ? [...found[what], tube] : found[what].filter((each) => each !== tube);
    });
  const boxes = [
    ...asking.opened.map((tube) => box("opened", tube, "has opened")),
    ...asking.corked.map((tube) => box("corked", tube, "is closed for good")),
    asking.solved && check("The level is solved", false, (on) => (found.solved = on)),
  ];
  const done = () => answer(found);
  return question("What has happened?", ...boxes, button(null, "Next", done, { class: "primary" }));
}
