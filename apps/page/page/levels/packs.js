/** The levels that come with the page (docs/page.md, "Levels"): 100 of each difficulty, with their proved optima. */

import { FILLS } from "../core/palette.js";
import { data } from "../core/api.js";
import { CHOICES } from "../core/kept.js";
import { once } from "../core/load.js";

/** @typedef {Record<string, string[]>} Lists */

/** @type {Record<string, string>} */
export const PUZZLES = { "ball-sort": "Ball sort", "water-sort": "Water sort" };
export const DIFFICULTIES = CHOICES.difficulty;

const COLOURS = Object.entries(FILLS).slice(0, 12); // a, b, c …
const FIRST_LETTER = "a".charCodeAt(0);
const TRICKY = "tricky";
const DAILY_STEP = 157;
const PLAIN_KEYS = ["name", "puzzle", "capacity", "tubes"];

/** How levels are shown. @type {Look} */
export const LOOK = { rows: [], colours: Object.fromEntries(COLOURS) };

export class Packs {
  /** @param {{ capacity: number, empty: number, packs: Record<string, Lists>, tricky: Lists }} file */
  constructor({ capacity, empty, packs, tricky }) {
    this.capacity = capacity;
    this.empty = empty;
    /** @param {string} puzzle @param {string} difficulty */
    const levelsOf = (puzzle, difficulty) =>
      ((difficulty === TRICKY ? tricky[puzzle] : packs[puzzle]?.[difficulty]) ?? []).map((words, number) => {
        const [balls = "", optimum] = words.split(" ");
        return { puzzle, difficulty, number, balls, optimum: Number(optimum) };
      });
    const kinds = [...DIFFICULTIES, TRICKY];
    /** @type {Level[]} from easy to expert, and the tricky ones */
    this.levels = Object.keys(PUZZLES).flatMap((puzzle) => kinds.flatMap((each) => levelsOf(puzzle, each)));
  }

  /** @param {string} puzzle @param {string} difficulty */
  of(puzzle, difficulty) {
    return this.levels.filter((level) => level.puzzle === puzzle && level.difficulty === difficulty);
  }

  /** All levels of a puzzle, from easy to expert. @param {string} puzzle */
  all(puzzle) {
    return this.levels.filter((level) => level.puzzle === puzzle && level.difficulty !== TRICKY);
  }

  /** The level of a day, the same for all. @param {string} puzzle @param {number} day */
  daily(puzzle, day) {
    const all = this.all(puzzle);
    return /** @type {Level} */ (all[(DAILY_STEP * day) % all.length]);
  }

  /** The board of a level. @param {Level} level @returns {Board} */
  board(level) {
    const { capacity, empty } = this;
    const colours = [...level.balls].map((letter) => COLOURS[letter.charCodeAt(0) - FIRST_LETTER]?.[0] ?? letter);
    const full = Array.from({ length: colours.length / capacity }, (_, tube) =>
      colours.slice(tube * capacity, (tube + 1) * capacity),
    );
    const bare = Array.from({ length: empty }, () => []);
    return { name: nameOf(level), puzzle: level.puzzle, capacity, tubes: [...full, ...bare] };
  }

  /** The level that a board is, and tubes added; null for other boards. @param {Board | null} board */
  levelOf(board) {
    if (!board || Object.keys(board).some((key) => !PLAIN_KEYS.includes(key)) || board.capacity !== this.capacity)
      return null;
    const tubes = /** @type {string[][]} */ (board.tubes ?? []);
    const full = tubes.filter((tube) => tube.length > 0);
    const letters = full
      .flat()
      .map((colour) => String.fromCharCode(FIRST_LETTER + COLOURS.findIndex(([name]) => name === colour)));
    const level = this.all(String(board.puzzle)).find(({ balls }) => balls === letters.join(""));
    const added = tubes.length - full.length - this.empty;
    const isWhole =
      full.every((tube) => tube.length === this.capacity) &&
      tubes.slice(0, full.length).every((tube) => tube.length > 0);
    return level && isWhole && added >= 0 ? { level, added } : null;
  }

  /**
   * The next level that isn't done: of the same difficulty, else of a harder one, else simply the next.
   * @param {Pick<Level, "puzzle" | "difficulty" | "number">} after @param {(level: Level) => boolean} isDone
   */
  next({ puzzle, difficulty, number }, isDone) {
    const all = this.all(puzzle);
    const own = this.of(puzzle, difficulty);
    const harder = all.slice(all.indexOf(/** @type {Level} */ (own.at(-1))) + 1);
    const order = [...own.slice(number + 1), ...own.slice(0, number + 1), ...harder];
    return order.find((level) => !isDone(level)) ?? /** @type {Level} */ (order[0]);
  }
}

export const loadPacks = once(async () => new Packs(await data("levels.json")));

/** What a level is called. @param {Level} level */
export function nameOf(level) {
  return `${PUZZLES[level.puzzle]}, ${shortNameOf(level)}`;
}

/** @param {Level} level */
export function shortNameOf({ difficulty, number }) {
  return `${difficulty} ${number + 1}`;
}

/** @param {string} word */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The day of the player's calendar, counted from 1 January 1970. */
export function today() {
  const now = new Date();
  return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000;
}
