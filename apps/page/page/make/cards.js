/** The gallery: a card for each level that shows. */

import { fill, h } from "../core/dom.js";
import { difficultyOf, figureInWords, MEASURES } from "../core/measures.js";
import { change, shown } from "./gallery.js";
import { thumbnail, whenSeen } from "../board/picture.js";

/** @import { Level, Making } from "../types.d.ts" */

/** What is known of a level in a few words. @param {Level} level */
export function inShort({ grades }) {
  if (!grades) return "not graded";
  const optimum = grades.optimum && `${figureInWords("optimum", grades.optimum)} moves`;
  return [optimum, difficultyOf(grades)].filter(Boolean).join(" · ");
}

/** @param {import("../core/store.js").Store} store @param {(id: number) => void} open */
export function cards(store, open) {
  const list = h("ul", { class: "levels" });
  /** @type {Map<Level, { element: HTMLElement, box: HTMLInputElement, tell: (by: string) => void }>} */
  let made = new Map();
  /** @type {Level[]} */
  let drawn = [];

  /** @param {Level} level */
  const card = (level) => {
    const { id, name, grades } = level;
    const box = h("input", { type: "checkbox", "aria-label": `Choose ${name}`, onchange: () => toggle(id) });
    const figure = h("span", {});
    const button = h(
      "button",
      { type: "button", "data-level": id, onclick: () => open(id) },
      whenSeen(() => thumbnail(level.board, level.colours)),
      h("b", {}, name),
      h("span", {}, inShort(level)),
      figure,
    );
    const tell = (/** @type {string} */ by) => {
      const value = by !== "optimum" && grades?.[by];
      fill(figure, value && `${MEASURES[by]}: ${figureInWords(by, value)}`);
    };
    return { element: h("li", {}, button, h("label", { class: "choice" }, box)), box, tell };
  };
  const toggle = (/** @type {number} */ id) => {
    const chosen = store.state.making?.chosen ?? [];
    change(store, { chosen: chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id] });
  };

  /** @param {Making} making */
  const draw = (making) => {
    const levels = shown(making);
    made = new Map(levels.map((level) => [level, made.get(level) ?? card(level)]));
    for (const [{ id }, { box, tell }] of made) {
      box.checked = making.chosen.includes(id);
      tell(making.by);
    }
    if (levels.length === drawn.length && levels.every((level, place) => level === drawn[place])) return;
    drawn = levels;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const id = list.contains(focused) ? focused?.dataset.level : undefined;
    fill(list, ...[...made.values()].map(({ element }) => element));
    if (id)
      /** @type {HTMLElement | null} */ (list.querySelector(`[data-level="${id}"]`))?.focus({ preventScroll: true });
  };
  return { element: list, draw };
}
