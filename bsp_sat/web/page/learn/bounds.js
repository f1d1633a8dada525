/** How the proof came about: the lower and the upper bound over time, and a slow replay of them. */

import { button, div, fill, h, relabel, say, set } from "../core/dom.js";
import { boundsInWords, drawChart } from "./chart.js";
import { choice, lesson, runButton, secondsInWords, table, waiting } from "./parts.js";

/** @import { Learning, BoundPoint } from "../types.d.ts" */

const PACE = 1000; // milliseconds between two points of a replay
const METHODS = { "a SAT solver": "horizons", "the usual search": "solve" };

/** @param {import("./lessons.js").Lessons} lessons @returns {import("./parts.js").Lesson} */
export function boundsLesson(lessons) {
  const how = choice("Proved by");
  how.offer(Object.keys(METHODS));
  const go = runButton(
    lessons,
    "bounds",
    "Prove it",
    () => void prove(lessons, METHODS[/** @type {keyof typeof METHODS} */ (how.value())]),
  );
  const status = h("p", { role: "status" });
  const chart = h("figure", {});
  const list = table("Bounds over time", ["Seconds", "At least", "At most"]);
  const step = (/** @type {number} */ by) => goTo((lessons.state.bounds?.shown ?? 0) + by);
  const goTo = (/** @type {number} */ shown) => {
    const { bounds } = lessons.state;
    if (bounds)
      lessons.set({ bounds: { ...bounds, shown: Math.max(1, Math.min(shown, bounds.points.length)), playing: false } });
  };
  const back = button("back", "One step back", () => step(-1), { bare: true });
  const forward = button("forward", "One step on", () => step(1), { bare: true });
  const play = button("play", "Replay slowly", () => replay(lessons), { bare: true });
  const slider = h("input", {
    type: "range",
    min: 1,
    step: 1,
    "aria-label": "Step of the replay",
    oninput: () => goTo(Number(slider.value)),
  });
  const controls = h("div", { class: "timeline", role: "group", "aria-label": "Replay" }, back, slider, forward, play);
  const key = h(
    "p",
    { class: "fine chart-key" },
    h("b", { class: "of-upper" }, "Upper line"),
    ": the best solution so far. ",
    h("b", { class: "of-lower" }, "Lower line"),
    ": fewer moves are impossible.",
  );
  const result = h("div", { class: "stack", hidden: true }, chart, key, controls, list.element);
  /** @type {Learning["bounds"]} */
  let drawn = null;
  let timer = 0;

  /** @param {Learning} learning */
  const show = (learning) => {
    const { bounds, running } = learning;
    go.show();
    say(status, inWords(learning));
    if (bounds === drawn && result.hidden === !bounds) return;
    const wasPlaying = drawn?.playing ?? false;
    drawn = bounds;
    result.hidden = !bounds;
    clearTimeout(timer);
    if (!bounds) return;
    const { points, shown, playing } = bounds;
    fill(chart, drawChart(points, shown));
    list.fill(points.slice(0, shown).map(({ seconds, lower, upper }) => [secondsInWords(seconds), lower, upper]));
    controls.hidden = running === "bounds" || points.length < 2;
    set(slider, { max: points.length, "aria-valuetext": `step ${shown} of ${points.length}` });
    slider.value = String(shown);
    slider.style.setProperty("--at", `${points.length > 1 ? (100 * (shown - 1)) / (points.length - 1) : 0}%`);
    back.disabled = shown === 1;
    forward.disabled = shown === points.length;
    if (playing !== wasPlaying) {
      relabel(play, playing ? "pause" : "play", playing ? "Pause" : "Replay slowly");
    }
    if (playing) timer = setTimeout(() => playOn(lessons), PACE);
  };

  const element = lesson(
    "A proof closes a gap: each solution that is found says how many moves are enough, and each proof says how " +
      "many are needed. Where both meet, the answer is certain.",
    div("settings", how.element, go.element),
    status,
    result,
  );
  return { element, show };
}

/** @param {import("./lessons.js").Lessons} lessons @param {string} path */
async function prove(lessons, path) {
  const lower = lessons.state.methods?.lower_bound ?? 0;
  /** @type {BoundPoint[]} */
  let points = [{ seconds: 0, lower, upper: null }];
  const tell = (/** @type {import("../types.d.ts").SolveAnswer["status"] | null} */ outcome) =>
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

/** Begins the replay, or pauses it. @param {import("./lessons.js").Lessons} lessons */
function replay(lessons) {
  const { bounds } = lessons.state;
  if (!bounds) return;
  const atEnd = bounds.shown === bounds.points.length;
  lessons.set({ bounds: { ...bounds, playing: !bounds.playing, shown: atEnd ? 1 : bounds.shown } });
}

/** @param {import("./lessons.js").Lessons} lessons */
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
