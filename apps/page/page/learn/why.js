/** Why the position is lost, or why it can't be solved in fewer moves. */

import { div, h } from "../core/dom.js";
import { intro, runButton, status, waiting } from "./parts.js";

/** @type {[keyof WhyAnswer, string][]} */
const FIGURES = [
  ["length", "fewest moves"],
  ["bound", "needed by a simple count"],
  ["positions", "positions that can follow"],
  ["states", "states that the search looked at"],
  ["tables", "tables that were tried"],
];

/** @param {Lessons} lessons */
export function whyLesson(lessons) {
  const ask = async () => {
    lessons.set({ why: null });
    const why = await lessons.run("why", "why", lessons.position());
    if (why) lessons.set({ why });
  };
  const draw = (/** @type {Learning} */ learning) => {
    const { why, running } = learning;
    const known = FIGURES.filter(([name]) => typeof why?.[name] === "number");
    const figures = known.map(([name, words]) =>
      h("div", {}, h("dt", {}, words), h("dd", {}, Number(why?.[name]).toLocaleString("en"))),
    );
    return [
      intro(
        "A lost position can't be solved by any moves; any other has a fewest number of moves. Both can be proved, " +
          "and this is the reason.",
      ),
      status(running === "why" ? waiting(learning, "Looking for the reason …") : titleOf(why)),
      div("stack reasons", ...(why?.sentences ?? []).map((words) => h("p", {}, words))),
      figures.length > 0 && h("dl", { class: "figures" }, ...figures),
      !why && div("settings", runButton(lessons, "why", "Tell me why", ask)),
    ];
  };
  const shown = () => {
    const { why, running, problem } = lessons.state;
    if (!why && !running && !problem && lessons.app.store.state.position) void ask();
  };
  return { draw, shown };
}

/** @param {WhyAnswer | null} why */
function titleOf(why) {
  if (!why) return "";
  const { status, length } = why;
  if (status === "unsolvable") return "Lost: no moves lead to the end.";
  if (status === "optimal")
    return length ? `Not in ${length === 1 ? "no move" : `${length - 1}`}: it takes ${length}.` : "Solved.";
  return "It isn't known yet.";
}
