/** The levels that somebody has made or collected: in the store, and kept in this browser. */

import { read, whenChanged, write } from "../core/kept.js";

/** @import { Making, Level } from "../types.d.ts" */
/** @import { Store } from "../core/store.js" */

export const MOST_LEVELS = 500;
const FULL = `There is room for ${MOST_LEVELS} levels. Save some as a file and delete them.`;
const NOT_KEPT =
  "The browser has no room for more: the last changes are lost with the next reload. Save the levels as a file.";

/** @type {Making} */
const NOTHING = {
  levels: [],
  chosen: [],
  before: null,
  preview: null,
  by: "",
  descending: false,
  work: "",
  done: "",
  problem: "",
};

/** Reads the levels kept in this browser, once; another tab's changes come too. @param {Store} store */
export function openGallery(store) {
  if (store.state.making) return;
  store.set({ making: { ...NOTHING, levels: read("levels") } });
  whenChanged("levels", () => change(store, { levels: read("levels"), before: null }, false));
}

/**
 * The one way to change what the screen shows.
 * @param {Store} store
 * @param {Partial<Making>} changes
 * @param {boolean} [keep] whether other levels are kept in the browser
 */
export function change(store, changes, keep = true) {
  const making = { ...(store.state.making ?? NOTHING), ...changes };
  if (changes.levels) {
    const there = new Set(changes.levels.map(({ id }) => id));
    making.chosen = making.chosen.filter((id) => there.has(id));
    if (keep && !write("levels", changes.levels)) making.problem = NOT_KEPT;
  }
  store.set({ making });
}

/**
 * Adds levels, but none that is there already.
 * @param {Store} store
 * @param {Omit<Level, "id">[]} added those without a name are numbered
 * @returns {number} how many were added
 * @throws {Error} there is no room for all
 */
export function addLevels(store, added) {
  openGallery(store);
  const { levels } = /** @type {Making} */ (store.state.making);
  const boards = new Set(levels.map(contentOf));
  const names = new Set(levels.map(({ name }) => name));
  let id = Math.max(0, ...levels.map((level) => level.id));
  let number = Math.max(0, ...levels.map(({ name }) => Number(/^Level (\d{1,6})$/.exec(name)?.[1] ?? 0)));
  const fresh = [];
  for (const level of added) {
    const content = contentOf(level);
    if (boards.has(content)) continue;
    boards.add(content);
    const name = unlike(level.name || `Level ${++number}`, names);
    names.add(name);
    fresh.push({ ...level, id: ++id, name });
  }
  const room = MOST_LEVELS - levels.length;
  if (fresh.length) change(store, { levels: [...levels, ...fresh.slice(0, room)], before: null });
  if (fresh.length > room) throw new Error(FULL);
  return fresh.length;
}

/** A name that isn't taken yet. @param {string} name @param {Set<string>} taken */
function unlike(name, taken) {
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${name} (${number})`;
  return found;
}

/**
 * What makes a board another one: all but what is said about it.
 * @param {{ board: import("../types.d.ts").Board }} level
 */
function contentOf({ board }) {
  const { source: _source, optimal: _optimal, ...content } = board;
  return JSON.stringify(Object.entries(content).sort());
}

/** @param {Store} store @param {number} id @param {Partial<Level>} changes */
export function changeLevel(store, id, changes) {
  const levels = store.state.making?.levels ?? [];
  change(store, { levels: levels.map((level) => (level.id === id ? { ...level, ...changes } : level)), before: null });
}

/** @param {Store} store @param {number[]} ids */
export function deleteLevels(store, ids) {
  const before = store.state.making?.levels ?? [];
  const levels = before.filter(({ id }) => !ids.includes(id));
  const count = before.length - levels.length;
  change(store, { levels, before, done: `${count} ${count === 1 ? "level" : "levels"} deleted.`, problem: "" });
}

/** Brings back what was deleted last. @param {Store} store */
export function undelete(store) {
  const { before } = store.state.making ?? NOTHING;
  if (before) change(store, { levels: before, before: null, done: "The levels are back.", problem: "" });
}

/** The figure that levels are sorted by. @param {Level} level @param {string} measure */
export function figureOf({ grades }, measure) {
  const figure = grades?.[measure];
  return figure?.value ?? null;
}

/** The levels in order; those without the figure come last. @param {Making} making */
export function shown({ levels, by, descending }) {
  const turn = descending ? -1 : 1;
  if (!by) return descending ? levels.toReversed() : levels;
  if (by === "name")
    return levels.toSorted((one, other) => turn * one.name.localeCompare(other.name, undefined, { numeric: true }));
  return levels.toSorted((one, other) => {
    const [first, second] = [figureOf(one, by), figureOf(other, by)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return turn * (first - second);
  });
}

/** The levels that are chosen, in order. @param {Making} making */
export function chosen(making) {
  return shown(making).filter(({ id }) => making.chosen.includes(id));
}

/** The levels that an action is for: those chosen, or all. @param {Making} making */
export function meant(making) {
  const some = chosen(making);
  return some.length ? some : shown(making);
}
