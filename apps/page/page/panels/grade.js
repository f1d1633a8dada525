/** How hard the board is, by exact definitions (docs/grading.md). */

import { answer, isAborted, wordsFor } from "../core/api.js";
import { button, div, fill, h, relabel } from "../core/dom.js";
import { difficultyOf, figureInWords, MEASURES } from "../core/measures.js";
import { isTubes } from "../board/tubes.js";

export class GradePanel {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    this.body = h("div", {});
    this.go = button(null, "Grade this board", () => void this.grade());
    this.element = h(
      "section",
      { class: "card grade", "aria-label": "How hard it is" },
      h("h2", {}, "How hard is it?"),
      this.body,
      div("actions", this.go),
    );
    this.work = new AbortController();
    this.busy = false;
    app.store.subscribe((state, before) => {
      if (state.board === before.board) return;
      this.work.abort();
      this.idle();
      fill(this.body);
      this.element.hidden = state.hidden || !isTubes(state.position);
    });
  }

  idle() {
    this.busy = false;
    this.go.hidden = false;
    relabel(this.go, null, "Grade this board");
  }

  async grade() {
    if (this.busy) {
      this.work.abort();
      fill(this.body);
      return this.idle();
    }
    const { board } = this.app.store.state;
    this.work = new AbortController();
    this.busy = true;
    relabel(this.go, null, "Stop");
    fill(this.body, h("p", { class: "fine", role: "status" }, "Playing it some hundred times…"));
    try {
      const found = await answer("grade", { board }, this.work.signal);
      if (this.app.store.state.board !== board) return;
      this.idle();
      this.go.hidden = true;
      this.show(found);
    } catch (error) {
      if (isAborted(error)) return;
      this.idle();
      fill(this.body, h("p", { class: "fine" }, wordsFor(error)));
    }
  }

  /** @param {{ grades: import("../types.d.ts").Grades | null, board_class: string | null }} found */
  show({ grades, board_class: boardClass }) {
    const among = boardClass
      ? "Each bar shows where this stands among boards of its size, from the least to the most."
      : "There is no table of boards of this size to compare with.";
    fill(this.body, ...gradesInWords(grades), h("p", { class: "fine" }, `${among} ~ is an estimate.`));
  }
}

/**
 * The word for how hard a board is, and a table of its measures, with bars for percentiles.
 * @param {import("../types.d.ts").Grades | null} grades
 */
export function gradesInWords(grades) {
  if (!grades) return [];
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
  ];
}
