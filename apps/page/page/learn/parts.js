/** What several lessons are made of. */

import { button, h } from "../core/dom.js";
import { field, select } from "../core/parts.js";

/** What a lesson is about. @param {string} words */
export const intro = (words) => h("p", { class: "intro" }, words);

/** How it goes. @param {string} words */
export const status = (words) => h("p", { role: "status" }, words);

/**
 * A table. The first cell of a row is its heading; a box around it scrolls where it is too wide.
 * @param {string} label @param {string[]} columns @param {(string | number | null)[][]} rows null is what isn't known
 * @returns {Child} nothing where there are no rows
 */
export function table(label, columns, rows) {
  const isWord = (/** @type {unknown} */ value) => typeof value === "string" && !/^[\d.]+$/.test(value);
  const areNumbers = columns.map((_, at) => at > 0 && !rows.some((row) => isWord(row[at])));
  const heads = columns.map((column, at) => h("th", { scope: "col", "data-number": areNumbers[at] }, column));
  const cell = (/** @type {string | number | null} */ value, /** @type {number} */ at) =>
    at ? h("td", { "data-number": areNumbers[at] }, inWords(value)) : h("th", { scope: "row" }, inWords(value));
  const body = rows.map((row) => h("tr", {}, ...row.map(cell)));
  const box = { class: "wide", role: "region", tabindex: 0, "aria-label": label };
  return (
    rows.length > 0 && h("div", box, h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body)))
  );
}

/** @param {string | number | null} value */
function inWords(value) {
  return typeof value === "number" ? value.toLocaleString("en") : (value ?? "–");
}

/** How many there are of all kinds. @param {{ count: number }[]} kinds */
export const sum = (kinds) => inWords(kinds.reduce((total, { count }) => total + count, 0));

/**
 * A button that begins a search, and ends it while it runs.
 * @param {Lessons} lessons @param {LessonName} lesson @param {string} label @param {() => void} begin
 */
export function runButton(lessons, lesson, label, begin, disabled = false) {
  const more = { class: "primary", disabled };
  return lessons.state.running === lesson
    ? button("stop", "Stop", () => lessons.stop(), more)
    : button("play", label, begin, more);
}

/** A field to choose one of some names, which stays chosen. @param {string} label @param {() => void} [changed] */
export function choice(label, changed = () => {}) {
  let value = "";
  const choose = (/** @type {string} */ name) => {
    value = name;
    changed();
  };
  return {
    /** The name that is chosen; empty if there is none to choose. */
    value: () => value,
    /** @param {string[]} names */
    draw(names) {
      if (!names.includes(value)) value = names[0] ?? "";
      const options = Object.fromEntries(names.map((name) => [name, name]));
      return field(label, select(options, choose, { value, disabled: !names.length }));
    },
  };
}

/** What a person waits for. @param {Learning} learning @param {string} words while the search runs */
export function waiting({ ahead }, words) {
  return ahead ? `Waiting for ${ahead === 1 ? "one other search" : `${ahead} other searches`} …` : words;
}

/** @param {number} seconds */
export function secondsInWords(seconds) {
  return seconds < 0.1 ? String(Number(seconds.toPrecision(2))) : seconds.toFixed(seconds < 10 ? 2 : 0);
}
