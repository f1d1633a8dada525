/** How the proof came about: the lower and the upper bound over time, and a slow replay of them. */

import { button, div, group, h } from "../core/dom.js";
import { boundsInWords, drawChart } from "./chart.js";
import { choice, intro, runButton, secondsInWords, status, table, waiting } from "./parts.js";

const PACE = 1000; // milliseconds between two points of a replay
const METHODS = { "a SAT solver": "horizons", "the usual search": "solve" };

/** @param {Lessons} lessons */
export function boundsLesson(lessons) {
  const how = choice("Proved by");
  const go = () => void prove(lessons, METHODS[/** @type {keyof typeof METHODS} */ (how.value())]);
  const goTo = (/** @type {number} */ shown) => {
    const { bounds } = lessons.state;
    if (bounds)
      lessons.set({ bounds: { ...bounds, shown: Math.max(1, Math.min(shown, bounds.points.length)), playing: false } });
  };
  /** @type {Learning["bounds"]} */
  let timed = null;
  let timer = 0;

  /** @param {Learning} learning */
  const draw = (learning) => {
    const { bounds } = learning;
    if (bounds !== timed) {
      clearTimeout(timer);
      timed = bounds;
      if (bounds?.playing) timer = setTimeout(() => playOn(lessons), PACE);
    }
    return [
      intro(
        "A proof closes a gap: each solution that is found says how many moves are enough, and each proof says how " +
          "many are needed. Where both meet, the answer is certain.",
      ),
      div("settings", how.draw(Object.keys(METHODS)), runButton(lessons, "bounds", "Prove it", go)),
      status(inWords(learning)),
      bounds && div("stack", ...partsOf(bounds, learning.running === "bounds")),
    ];
  };

  /** @param {NonNullable<Learning["bounds"]>} bounds @param {boolean} isRunning @returns {Child[]} */
  const partsOf = ({ points, shown, playing }, isRunning) => {
    const slider = h("input", {
      type: "range",
      min: 1,
      max: points.length,
      step: 1,
      value: shown,
      "aria-label": "Step of the replay",
      "aria-valuetext": `step ${shown} of ${points.length}`,
      oninput: (/** @type {any} */ { target }) => goTo(Number(target.value)),
    });
    const step = (/** @type {"back" | "forward"} */ sign, /** @type {string} */ words, /** @type {number} */ to) =>
      button(sign, words, () => goTo(to), { bare: true, disabled: to < 1 || to > points.length });
    return [
      h("figure", {}, drawChart(points, shown)),
      h(
        "p",
        { class: "fine chart-key" },
        h("b", { class: "of-upper" }, "Upper line"),
        ": the best solution so far. ",
        h("b", { class: "of-lower" }, "Lower line"),
        ": fewer moves are impossible.",
      ),
      !isRunning &&
        points.length > 1 &&
        group(
          "timeline",
          "Replay",
          step("back", "One step back", shown - 1),
          slider,
          step("forward", "One step on", shown + 1),
          button(playing ? "pause" : "play", playing ? "Pause" : "Replay slowly", () => replay(lessons), {
            bare: true,
          }),
        ),
      table(
        "Bounds over time",
        ["Seconds", "At least", "At most"],
        points.slice(0, shown).map(({ seconds, lower, upper }) => [secondsInWords(seconds), lower, upper]),
      ),
    ];
  };
  return { draw };
}

/** @param {Lessons} lessons @param {string} path */
async function prove(lessons, path) {
  const lower = lessons.state.methods?.lower_bound ?? 0;
  /** @type {BoundPoint[]} */
  let points = [{ seconds: 0, lower, upper: null }];
  const tell = (/** @type {SolveAnswer["status"] | null} */ outcome) =>
    lessons.set({ bounds: { points, shown: points.length, playing: false, outcome } });
  const add = (/** @type {number} */ seconds, /** @type {number | null} */ low, /** @type {number | null} */ high) => {
    const last = points.at(-1);
    const point = { seconds, lower: Math.max(low ?? 0, last?.lower ?? 0), upper: high };
    if (point.lower !== last?.lower || point.upper !== last.upper) points = [...points, point];
  };
  lessons.set({ bounds: null });
  const found = await lessons.run("bounds", path, lessons.position(), ({ seconds, lower, upper }) => {
    add(seconds, lower, upper);
    tell(null);
  });
  if (!found) return;
  add(found.seconds, found.lower_bound, found.length);
  tell(found.status);
}

/** Begins the replay, or pauses it. @param {Lessons} lessons */
function replay(lessons) {
  const { bounds } = lessons.state;
  if (!bounds) return;
  const atEnd = bounds.shown === bounds.points.length;
  lessons.set({ bounds: { ...bounds, playing: !bounds.playing, shown: atEnd ? 1 : bounds.shown } });
}

/** @param {Lessons} lessons */
function playOn(lessons) {
  const { bounds } = lessons.state;
  if (!bounds?.playing) return;
  const shown = bounds.shown + 1;
  lessons.set({ bounds: { ...bounds, shown, playing: shown < bounds.points.length } });
}

/** @param {Learning} learning */
function inWords(learning) {
  const { bounds, running } = learning;
  const last = bounds?.points.at(-1);
  if (running === "bounds") return waiting(learning, last ? `So far: ${boundsInWords(last)}` : "Searching …");
  if (!bounds || !last) return "";
  switch (bounds.outcome) {
    case "optimal":
      return `Proved: ${last.lower} moves are enough, and fewer are impossible.`;
    case "unsolvable":
      return "Proved: there is no solution.";
    case null:
      return `Stopped: ${boundsInWords(last)}`;
    default:
      return `Time is up: ${boundsInWords(last)}`;
  }
}
