/** How levels are played, which is kept in the browser, and opening them. */

import { positionAfter } from "../core/ask.js";
import { isSame, openGame } from "../core/games.js";
import { read, write } from "../core/kept.js";
import { movesOf } from "../core/steps.js";
import { loadPacks, LOOK, nameOf, today } from "./packs.js";
import { daysInARow, starsOf } from "./results.js";

const WEEK = 7; // days that the first screen shows

/** Reads what was chosen before. @param {Store} store */
export function readSettings(store) {
  const letters = matchMedia("(prefers-contrast: more), (forced-colors: active)").matches;
  store.set({ settings: { ...store.state.settings, letters, ...read("settings") } });
}

/** @param {Store} store @param {Partial<Settings>} changes */
export function changeSettings(store, changes) {
  store.set({ settings: { ...store.state.settings, ...changes } });
  write("settings", { ...read("settings"), ...changes });
}

/** Opens a level on the screen for levels. @param {App} app @param {Level} level */
export async function openLevel(app, level) {
  const packs = await loadPacks();
  await app.game.open(packs.board(level), { look: LOOK });
  changeSettings(app.store, { puzzle: level.puzzle, difficulty: level.difficulty });
  app.go("levels");
}

/** The next level neither solved nor begun. @param {Pick<Level, "puzzle" | "difficulty" | "number">} after */
export async function nextLevel(after) {
  const packs = await loadPacks();
  const kept = read("results");
  const begun = read("games").filter(({ made }) => made.length > 0);
  return packs.next(
    after,
    (level) => starsOf(level, kept) > 0 || begun.some(({ board }) => isSame(board, packs.board(level))),
  );
}

/** What the first screen shows: today's level, or the next one once that is solved. @param {App} app */
export async function daily(app) {
  readSettings(app.store);
  const packs = await loadPacks();
  const kept = read("results");
  const { days } = kept;
  const { puzzle, difficulty } = app.store.state.settings;
  const isSolved = days.includes(today());
  const level = isSolved ? await nextLevel({ puzzle, difficulty, number: -1 }) : packs.daily(puzzle, today());
  const row = daysInARow(kept);
  const board = packs.board(level);
  const begun = read("games").find((each) => isSame(each.board, board) && each.made.length > 0 && !each.solved);
  return {
    title: isSolved ? "Next level" : "Today’s level",
    words: [nameOf(level), row > 1 && `${row} days in a row`].filter(Boolean).join(" · "),
    week: Array.from({ length: WEEK }, (_, day) => days.includes(today() - WEEK + 1 + day)),
    board,
    now: begun ? (await positionAfter({ board: begun.board, moves: movesOf(begun.made) })).position : board,
    colours: Object.entries(LOOK.colours),
    isBegun: begun !== undefined,
    open: () => (begun ? openGame(app, begun) : openLevel(app, level)),
  };
}

/** Opens the first level of the kind played last that is neither solved nor begun. @param {App} app */
export async function openFresh(app) {
  readSettings(app.store);
  const { puzzle, difficulty } = app.store.state.settings;
  await openLevel(app, await nextLevel({ puzzle, difficulty, number: -1 }));
}
