/** What several lessons are made of. */

import { button, div, h, redraw, relabel, set } from "../core/dom.js";
import { field } from "../core/parts.js";

/** @import { LessonName, Learning } from "../types.d.ts" */
/** @import { Lessons } from "./lessons.js" */

/**
 * A part of the screen.
 * @typedef {object} Lesson
 * @property {HTMLElement} element
 * @property {(learning: Learning) => void} show
 * @property {() => void} [shown] called each time the lesson comes up
 */

/** What a lesson is about, and its parts. @param {string} intro @param {...HTMLElement} parts */
export function lesson(intro, ...parts) {
  return div("stack", h("p", { class: "intro" }, intro), ...parts);
}

/**
 * A table that grows. The first cell of a row is its heading; a box around it scrolls where it is too wide.
 * @param {string} label
 * @param {string[]} columns
 */
export function table(label, columns) {
  const body = h("tbody");
  const heads = columns.map((column) => h("th", { scope: "col" }, column));
  const element = h(
    "div",
    { class: "wide", role: "region", tabindex: 0, "aria-label": label, hidden: true },
    h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body),
  );
  return {
    element,
    /** @param {(string | number | null)[][]} rows null is what isn't known */
    fill(rows) {
      element.hidden = rows.length === 0;
      const areNumbers = columns.map((_, at) => at > 0 && rows.every((row) => isNumber(row[at])));
      heads.forEach((head, at) => set(head, { "data-number": areNumbers[at] }));
      const cell = (/** @type {string | number | null} */ value, /** @type {number} */ at) =>
        at ? h("td", { "data-number": areNumbers[at] }, inWords(value)) : h("th", { scope: "row" }, inWords(value));
      redraw(body, ...rows.map((row) => h("tr", {}, ...row.map(cell))));
    },
  };
}

/** @param {string | number | null} value */
function inWords(value) {
  return typeof value === "number" ? value.toLocaleString("en") : (value ?? "–");
}

/**
 * Whether a value is a number, or may stand in a column of numbers.
 * @param {string | number | null | undefined} value
 */
function isNumber(value) {
  return typeof value === "string" ? /^[\d.]+$/.test(value) : true;
}

/**
 * A button that begins a search, and ends it while it runs.
 * @param {Lessons} lessons
 * @param {LessonName} lesson
 * @param {string} label
 * @param {() => void} begin
 */
export function runButton(lessons, lesson, label, begin) {
  const isRunning = () => lessons.state.running === lesson;
  const element = button("play", label, () => (isRunning() ? lessons.stop() : begin()), { class: "primary" });
  let was = false;
  return {
    element,
    show() {
      if (isRunning() === was) return;
      was = !was;
      relabel(element, was ? "stop" : "play", was ? "Stop" : label);
    },
  };
}

/** A field to choose one of some names. @param {string} label @param {() => void} [changed] */
export function choice(label, changed = () => {}) {
  const select = h("select", { onchange: changed });
  return {
    element: field(label, select),
    /** The name that is chosen; empty if there is none to choose. */
    value: () => select.value,
    /** @param {string[]} names */
    offer(names) {
      redraw(select, ...names.map((name) => h("option", {}, name)));
      select.disabled = names.length === 0;
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
