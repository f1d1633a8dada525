/** The levels that somebody has played, drawn or opened here: in the store, and kept in this browser. */

import { read, whenChanged, write } from "../core/kept.js";

export const MOST_LEVELS = 500; // the last ones
const NOT_KEPT =
  "The browser has no room for more: the last changes are lost with the next reload. Save the levels as a file.";

/** @type {Making} */
const NOTHING = { levels: [], level: null, choice: null, work: "", done: "", problem: "" };

/** Reads the levels kept in this browser, once; another tab's changes come too. @param {Store} store */
export function openGallery(store) {
  if (store.state.making) return;
  store.set({ making: { ...NOTHING, levels: read("levels") } });
  whenChanged("levels", () => change(store, { levels: read("levels") }, false));
}

/** Changes the screen. @param {Store} store @param {Partial<Making>} changes @param {boolean} [keep] in the browser */
export function change(store, changes, keep = true) {
  const making = { ...(store.state.making ?? NOTHING), ...changes };
  if (changes.levels && keep && !write("levels", changes.levels)) making.problem = NOT_KEPT;
  store.set({ making });
}

/** Adds levels, numbered if unnamed, and shows the last. @param {Store} store @param {Omit<OwnLevel, "id">[]} added */
export function addLevels(store, added) {
  openGallery(store);
  const { levels } = /** @type {Making} */ (store.state.making);
  const known = new Map(levels.map((level) => [contentOf(level), level]));
  const names = new Set(levels.map(({ name }) => name));
  let id = Math.max(0, ...levels.map((level) => level.id));
  let number = Math.max(0, ...levels.map(({ name }) => Number(/^Level (\d{1,6})$/.exec(name)?.[1] ?? 0)));
  /** @type {OwnLevel[]} */
  const fresh = [];
  for (const level of added) {
    const content = contentOf(level);
    if (known.has(content)) continue;
    const name = unlike(level.name || `Level ${++number}`, names);
    names.add(name);
    fresh.push({ ...level, id: ++id, name });
    known.set(content, /** @type {OwnLevel} */ (fresh.at(-1)));
  }
  const [last] = added.slice(-1);
  const all = fresh.length ? { levels: [...levels, ...fresh].slice(-MOST_LEVELS) } : {};
  change(store, { ...all, level: (last && known.get(contentOf(last))) ?? null, choice: null });
  return fresh;
}

/** A name that isn't taken yet. @param {string} name @param {Set<string>} taken */
function unlike(name, taken) {
  let found = name;
  for (let number = 2; taken.has(found); number++) found = `${name} (${number})`;
  return found;
}

/** What makes a board another one: all but what is said about it. @param {{ board: Board }} level */
function contentOf({ board }) {
  const { source: _source, optimal: _optimal, ...content } = board;
  return JSON.stringify(Object.entries(content).sort());
}

/** @param {Store} store @param {OwnLevel} level @param {string} name */
export function rename(store, level, name) {
  const named = { ...level, name };
  const levels = store.state.making?.levels ?? [];
  change(store, { levels: levels.map((each) => (each.id === level.id ? named : each)), level: named });
}
