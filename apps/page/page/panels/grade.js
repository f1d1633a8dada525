/** How hard the board is, by exact definitions (docs/grading.md). */

import { answer, isAborted, wordsFor } from "../core/api.js";
import { button, div, fill, h, redraw } from "../core/dom.js";
import { difficultyOf, figureInWords, MEASURES } from "../core/measures.js";
import { isTubes } from "../board/tubes.js";

/** @param {import("../main.js").App} app */
export function gradePanel({ store }) {
  const body = h("div", {});
  const actions = div("actions");
  const title = h("h2", {}, "How hard is it?");
  const element = h("section", { class: "card grade", "aria-label": "How hard it is" }, title, body, actions);
  let work = new AbortController();
  const offer = (/** @type {import("../core/dom.js").Child} */ words = null) => {
    fill(body, words);
    redraw(
      actions,
      button(null, "Grade this board", () => void grade()),
    );
  };
  const stop = () => {
    work.abort();
    offer();
  };
  const grade = async () => {
    const { signal } = (work = new AbortController());
    fill(body, h("p", { class: "fine", role: "status" }, "Playing it some hundred times…"));
    redraw(actions, button(null, "Stop", stop));
    try {
      const found = await answer("grade", { board: store.state.board }, signal);
      fill(body, ...gradesInWords(found));
      fill(actions);
    } catch (error) {
      if (!isAborted(error)) offer(h("p", { class: "fine" }, wordsFor(error)));
    }
  };
  store.subscribe((state, before) => {
    if (state.board === before.board) return;
    stop();
    element.hidden = state.hidden || !isTubes(state.position);
  });
  return element;
}

/**
 * The word for how hard a board is, and a table of its measures, with bars for percentiles.
 * @param {{ grades: import("../types.d.ts").Grades, board_class: string | null }} found
 */
function gradesInWords({ grades, board_class: boardClass }) {
  const among = boardClass
    ? "Each bar shows where this stands among boards of its size, from the least to the most."
    : "There is no table of boards of this size to compare with.";
  const rows = Object.entries(grades).map(([name, figure]) => {
    const { percentile } = figure;
    const share = h("span");
    share.style.setProperty("width", `${percentile}%`);
    const bar = [
      h("div", { class: "percentile", "aria-hidden": "true" }, share),
      h("span", { class: "unseen" }, `percentile ${Math.round(percentile ?? 0)}`),
    ];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, MEASURES[name] ?? name),
      h("td", { title: figure.how }, figureInWords(name, figure)),
      h("td", {}, ...(typeof percentile === "number" ? bar : [])),
    );
  });
  const heads = ["Measure", "Figure", "Percentile"].map((word) => h("th", { scope: "col" }, word));
  return [
    h("p", { class: "difficulty" }, difficultyOf(grades)),
    h("table", { class: "grades" }, h("thead", { class: "unseen" }, h("tr", {}, ...heads)), h("tbody", {}, ...rows)),
    h("p", { class: "fine" }, `${among} ~ is an estimate.`),
  ];
}
