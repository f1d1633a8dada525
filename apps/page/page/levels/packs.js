/** The levels that come with the page (docs/page.md, "Levels"): 100 of each difficulty, with their proved optima. */

import { FILLS } from "../core/palette.js";
import { data } from "../core/api.js";
import { CHOICES } from "../core/kept.js";
import { once } from "../core/load.js";

/** @import { Board, Look } from "../types.d.ts" */

/**
 * @typedef {object} Level
 * @property {string} puzzle
 * @property {string} difficulty
 * @property {number} number counted from 0
 * @property {number} optimum proved
 * @property {number} easier how many of 100 boards of its size are easier
 */

/** @type {Record<string, string>} */
export const PUZZLES = { "ball-sort": "Ball sort", "water-sort": "Water sort" };
export const DIFFICULTIES = CHOICES.difficulty;

const COLOURS = Object.entries(FILLS).slice(0, 12); // a, b, c …
const FIRST_LETTER = "a".charCodeAt(0);
const DAILY_STEP = 157;
const PLAIN_KEYS = ["name", "puzzle", "capacity", "tubes"];

/** How levels are shown. @type {Look} */
export const LOOK = { rows: [], colours: Object.fromEntries(COLOURS) };

export class Packs {
  /**
   * @param {{ capacity: number, empty: number, packs: Record<string, Record<string, string[]>>,
   *   tricky: Record<string, string[]> }} file
   */
  constructor({ capacity, empty, packs, tricky }) {
    this.capacity = capacity;
    this.empty = empty;
    /** @type {Record<string, Record<string, string[]>>} */
    this.packs = {};
    for (const puzzle of Object.keys(PUZZLES)) this.packs[puzzle] = { ...packs[puzzle], tricky: tricky[puzzle] ?? [] };
    /** @type {Map<string, Level>} by puzzle and balls */
    this.byBalls = new Map();
    for (const puzzle of Object.keys(PUZZLES)) {
      for (const level of this.all(puzzle)) this.byBalls.set(`${puzzle} ${this.balls(level)}`, level);
    }
  }

  /** How many levels there are of a difficulty. @param {string} puzzle @param {string} difficulty */
  count(puzzle, difficulty) {
    return this.packs[puzzle]?.[difficulty]?.length ?? 0;
  }

  /** All levels of a puzzle, from easy to expert. @param {string} puzzle @returns {Level[]} */
  all(puzzle) {
    return DIFFICULTIES.flatMap((difficulty) =>
      Array.from({ length: this.count(puzzle, difficulty) }, (_, number) => this.level(puzzle, difficulty, number)),
    );
  }

  /** @param {string} puzzle @param {string} difficulty @param {number} number @returns {Level} */
  level(puzzle, difficulty, number) {
    const [, optimum, easier] = this.words({ puzzle, difficulty, number });
    return { puzzle, difficulty, number, optimum: Number(optimum), easier: Number(easier) };
  }

  /** The level of a day, the same for all. @param {string} puzzle @param {number} day */
  daily(puzzle, day) {
    const all = this.all(puzzle);
    return /** @type {Level} */ (all[(DAILY_STEP * day) % all.length]);
  }

  /** The board of a level. @param {Level} level @returns {Board} */
  board(level) {
    const { capacity, empty } = this;
    const colours = [...this.balls(level)].map((letter) => COLOURS[letter.charCodeAt(0) - FIRST_LETTER]?.[0] ?? letter);
    const full = Array.from({ length: colours.length / capacity }, (_, tube) =>
      colours.slice(tube * capacity, (tube + 1) * capacity),
    );
    return {
      name: nameOf(level),
      puzzle: level.puzzle,
      capacity,
      tubes: [...full, ...Array.from({ length: empty }, () => [])],
    };
  }

  /**
   * The level that a board is, and how many tubes were added to it.
   * @param {Board | null} board
   * @returns {{ level: Level, added: number } | null} null for other boards
   */
  levelOf(board) {
    if (!board || Object.keys(board).some((key) => !PLAIN_KEYS.includes(key)) || board.capacity !== this.capacity)
      return null;
    const tubes = /** @type {string[][]} */ (board.tubes ?? []);
    const full = tubes.filter((tube) => tube.length > 0);
    const letters = full
      .flat()
      .map((colour) => String.fromCharCode(FIRST_LETTER + COLOURS.findIndex(([name]) => name === colour)));
    const level = this.byBalls.get(`${board.puzzle} ${letters.join("")}`);
    const added = tubes.length - full.length - this.empty;
    const isWhole =
      full.every((tube) => tube.length === this.capacity) &&
      tubes.slice(0, full.length).every((tube) => tube.length > 0);
    return level && isWhole && added >= 0 ? { level, added } : null;
  }

  /**
   * The next level that isn't done: of the same difficulty, else of a harder one, else simply the next.
   * @param {Pick<Level, "puzzle" | "difficulty" | "number">} after
   * @param {(level: Level) => boolean} isDone
   */
  next({ puzzle, difficulty, number }, isDone) {
    const all = this.all(puzzle);
    const own = all.filter((level) => level.difficulty === difficulty);
    const harder = all.slice(all.indexOf(/** @type {Level} */ (own.at(-1))) + 1);
    const order = [...own.slice(number + 1), ...own.slice(0, number + 1), ...harder];
    return order.find((level) => !isDone(level)) ?? /** @type {Level} */ (order[0]);
  }

  /** @param {Pick<Level, "puzzle" | "difficulty" | "number">} level */
  balls(level) {
    return this.words(level)[0] ?? "";
  }

  /** @param {Pick<Level, "puzzle" | "difficulty" | "number">} level */
  words({ puzzle, difficulty, number }) {
    return this.packs[puzzle]?.[difficulty]?.[number]?.split(" ") ?? [];
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
