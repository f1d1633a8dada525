/** How levels are played, which is kept in the browser, and opening them. */

import { isSame, keptGames } from "../core/games.js";
import { read, write } from "../core/kept.js";
import { loadPacks, LOOK, nameOf, today } from "./packs.js";
import { daysInARow, results, starsOf } from "./results.js";

/** @import { App } from "../main.js" */
/** @import { Store } from "../core/store.js" */
/** @import { Settings } from "../types.d.ts" */
/** @import { Level } from "./packs.js" */

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
  await app.game.open(packs.board(level), [], "", LOOK);
  changeSettings(app.store, { puzzle: level.puzzle, difficulty: level.difficulty });
  app.go("levels");
}

/**
 * The first level after another one that is neither solved nor begun.
 * @param {Pick<Level, "puzzle" | "difficulty" | "number">} after
 */
export async function nextLevel(after) {
  const packs = await loadPacks();
  const kept = results();
  const begun = keptGames().filter(({ made }) => made.length > 0);
  return packs.next(
    after,
    (level) => starsOf(level, kept) > 0 || begun.some(({ board }) => isSame(board, packs.board(level))),
  );
}

/** What the first screen says of today's level, and a way to open it. @param {App} app */
export async function daily(app) {
  readSettings(app.store);
  const packs = await loadPacks();
  const kept = results();
  const level = packs.daily(app.store.state.settings.puzzle, today());
  const row = daysInARow(kept);
  const words = [nameOf(level), kept.days.includes(today()) && "solved", row > 1 && `${row} days in a row`];
  return {
    words: words.filter(Boolean).join(" · "),
    board: packs.board(level),
    colours: Object.entries(LOOK.colours),
    open: () => openLevel(app, level),
  };
}

/** Opens the first level of the kind played last that is neither solved nor begun. @param {App} app */
export async function openFresh(app) {
  readSettings(app.store);
  const { puzzle, difficulty } = app.store.state.settings;
  await openLevel(app, await nextLevel({ puzzle, difficulty, number: -1 }));
}
