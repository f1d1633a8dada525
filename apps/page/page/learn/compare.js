/** Several solvers on the same board. */

import { div, h } from "../core/dom.js";
import { check } from "../core/parts.js";
import { intro, runButton, secondsInWords, status, table, waiting } from "./parts.js";

/** @import { Learning, SolverRun } from "../types.d.ts" */

const MOST = 10; // that the server runs in one request
const STATUSES = {
  optimal: "shortest, proved",
  feasible: "a solution",
  unsolvable: "no solution, proved",
  unknown: "nothing yet",
  failed: "failed",
};

/** @param {import("./lessons.js").Lessons} lessons @returns {import("./parts.js").Lesson} */
export function compareLesson(lessons) {
  const draw = (/** @type {Learning} */ learning) => {
    const { methods, chosen, compare } = learning;
    return [
      intro(
        "Different programs solve the same board, one after the other. Some prove that no solution is shorter than " +
          "theirs; others only find one.",
      ),
      h(
        "details",
        { class: "solvers" },
        h("summary", {}, `Solvers: ${chosen.length} chosen, at most ${MOST}`),
        div("only", ...(methods?.solvers ?? []).map((solver) => checkbox(lessons, solver))),
      ),
      div(
        "settings",
        runButton(lessons, "compare", "Compare", () => void runAll(lessons), !chosen.length),
      ),
      status(inWords(learning)),
      table(
        "Solvers side by side",
        ["Solver", "Answer", "Moves", "At least", "Seconds", "States"],
        (compare?.runs ?? []).map((run) => [
          run.solver,
          run.error ?? STATUSES[run.status],
          run.length,
          leastOf(run, compare?.lower[run.solver]),
          secondsInWords(run.seconds),
          run.explored,
        ]),
      ),
      h(
        "p",
        { class: "fine" },
        "“At least” is the number of moves that a solver has proved to be needed. States are the positions that it " +
          "looked at.",
      ),
    ];
  };
  return { draw };
}

/** @param {import("./lessons.js").Lessons} lessons @param {string} solver */
function checkbox(lessons, solver) {
  const { chosen } = lessons.state;
  const checked = chosen.includes(solver);
  const change = (/** @type {boolean} */ on) =>
    lessons.set({ chosen: on ? [...chosen, solver] : chosen.filter((each) => each !== solver) });
  return check(solver, checked, change, { value: solver, disabled: !checked && chosen.length === MOST });
}

/** @param {import("./lessons.js").Lessons} lessons */
async function runAll(lessons) {
  const solvers = lessons.state.chosen;
  /** @type {Record<string, number>} */
  const lower = {};
  lessons.set({ compare: { runs: [], lower, now: null, done: false } });
  const found = await lessons.run("compare", "compare", { ...lessons.position(), solvers }, (data) => {
    lower[data.solver] = data.lower ?? 0;
    lessons.set({ compare: { runs: data.runs, lower: { ...lower }, now: data.solver, done: false } });
  });
  if (found) lessons.set({ compare: { runs: found.runs, lower, now: null, done: true } });
}

/**
 * The fewest moves that a solver has proved to be needed.
 * @param {SolverRun} run
 * @param {number | undefined} last the last bound it sent
 */
function leastOf(run, last) {
  // Of a bound of 0 nothing had to be proved.
  return run.status === "optimal" ? run.length : run.status === "unsolvable" ? null : last || null;
}

/** @param {Learning} learning */
function inWords(learning) {
  const { compare, running } = learning;
  if (running === "compare") return waiting(learning, compare?.now ? `At work: ${compare.now}` : "Beginning …");
  if (!compare) return "";
  if (!compare.done) return "Stopped.";
  const proved = compare.runs.filter(({ status }) => status === "optimal" || status === "unsolvable");
  const quickest = proved.reduce(
    (/** @type {SolverRun | null} */ best, run) => (best && best.seconds <= run.seconds ? best : run),
    null,
  );
  return quickest
    ? `${proved.length} of ${compare.runs.length} proved their answer; the fastest of them was ${quickest.solver}.`
    : "None proved its answer.";
}
