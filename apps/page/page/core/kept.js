/**
 * What the page keeps in the browser: under which key, and what of it can be used. Only this module asks the browser.
 *
 * A key keeps its meaning for ever: another form gets another key, with the next number. Copies of the page at one
 * origin share what is kept, and some are older. So what earlier versions kept is read, and stays.
 */

import { lookOf } from "./link.js";
import { needsBoard } from "./navigation.js";

/** @type {Record<keyof Kept, string>} */
export const KEYS = {
  games: "bsp-sat games",
  keys: "bsp-sat keys",
  levels: "bsp-sat levels 2",
  results: "bsp-sat results",
  settings: "bsp-sat settings 2",
  theme: "bsp-sat theme",
};

/** Both were under one key, which holds a list of levels, settings, or both in one object. */
const EARLIER = { levels: "bsp-sat levels", settings: "bsp-sat levels" };

/** What each setting may be. @satisfies {Record<keyof Kept["settings"], unknown[]>} */
export const CHOICES = {
  puzzle: ["ball-sort", "water-sort"],
  difficulty: ["easy", "medium", "hard", "expert"],
  letters: [true, false],
  sounds: [true, false],
  vibration: [true, false],
  proof: ["hidden", "number", "all"],
};

/** What can be used of what is kept: it may be damaged. @type {{ [Name in keyof Kept]: (kept: any) => Kept[Name] }} */
const USABLE = {
  games: (kept) =>
    valuesOf(kept)
      .filter(isGame)
      .map((game) => ({ ...game, look: lookOf(game.look) })),
  keys: (kept) => (kept === "off" ? "off" : "on"),
  levels: (kept) =>
    valuesOf(kept)
      .filter(isLevel)
      .map((level) => ({ ...level, grades: areGrades(level.grades) ? level.grades : null })),
  results: (kept) => ({
    best: Object.fromEntries(
      Object.entries(kept?.best ?? {}).filter(([, moves]) => moves === null || Number.isInteger(moves)),
    ),
    days: valuesOf(kept?.days).filter(Number.isInteger),
  }),
  settings: (kept) =>
    Object.fromEntries(
      Object.entries(CHOICES).flatMap(([name, values]) =>
        /** @type {unknown[]} */ (values).includes(kept?.[name]) ? [[name, kept[name]]] : [],
      ),
    ),
  theme: (kept) => (kept === "light" || kept === "dark" ? kept : ""),
};

/** What was kept, as far as it can be used. @template {keyof Kept} Name @param {Name} name @returns {Kept[Name]} */
export function read(name) {
  let text;
  try {
    const earlier = EARLIER[/** @type {keyof typeof EARLIER} */ (name)] ?? KEYS[name];
    text = localStorage.getItem(KEYS[name]) ?? localStorage.getItem(earlier);
    return USABLE[name](JSON.parse(text ?? "null"));
  } catch {
    return USABLE[name](text); // a word alone, something damaged, or nothing may be kept
  }
}

/** Whether there was room to keep it. @template {keyof Kept} Name @param {Name} name @param {Kept[Name]} value */
export function write(name, value) {
  try {
    localStorage.setItem(KEYS[name], typeof value === "string" ? value : JSON.stringify(value));
    lost = false;
  } catch {
    lost = true;
  }
  return !lost;
}

let lost = false;

/** Whether the browser has refused to keep what was written last. */
export const keepsNothing = () => lost;

/** Calls a function when another tab has kept something else. @param {keyof Kept} name @param {() => void} action */
export function whenChanged(name, action) {
  addEventListener("storage", ({ key }) => key === KEYS[name] && action());
}

/** Whether the browser lets the page keep something. */
export function canKeep() {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

// Boards are checked as far as they are drawn without asking the server.

/** @param {unknown} kept @returns {any[]} */
function valuesOf(kept) {
  return Object.values(Object(kept));
}

/** @param {unknown} value @returns {value is Record<string, any>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {any} value */
function areLists(value) {
  return Array.isArray(value) && value.every(Array.isArray);
}

/** @param {any} board */
function isBoard(board) {
  if (!isObject(board)) return false;
  const { puzzle, tubes = [], columns = [], balls = puzzle === "shot" ? null : [] } = board;
  return [tubes, columns, balls].every(areLists);
}

/** @param {any} game */
function isGame(game) {
  if (!isObject(game) || !isBoard(game.board) || !Array.isArray(game.made)) return false;
  return game.made.every(isObject) && needsBoard(game.screen);
}

/** @param {any} level */
function isLevel(level) {
  if (!isObject(level) || !Number.isSafeInteger(level.id) || typeof level.name !== "string") return false;
  return isBoard(level.board) && areLists(level.colours);
}

/** @param {any} grades */
function areGrades(grades) {
  const isFigure = (/** @type {any} */ figure) =>
    isObject(figure) &&
    [figure.value, figure.interval ?? []].flat().every((number) => typeof number === "number" || number === null);
  return isObject(grades) && Object.values(grades).every(isFigure);
}
