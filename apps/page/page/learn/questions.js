/** The questions that a SAT solver is asked, and its answers. */

import { div, h } from "../core/dom.js";
import { choice, intro, runButton, secondsInWords, status, table, waiting } from "./parts.js";

/** @param {Lessons} lessons */
export function questionsLesson(lessons) {
  const encoding = choice("Encoding");
  const solver = choice("SAT solver");
  const go = () => void ask(lessons, encoding.value(), solver.value());
  const draw = (/** @type {Learning} */ learning) => [
    intro(
      "A SAT solver says whether some rules about yes-or-no statements can all hold at once. Here each question " +
        "is: is there a solution of at most that many moves? After each “no” the next question allows more.",
    ),
    div(
      "settings",
      encoding.draw(learning.methods?.encodings ?? []),
      solver.draw(learning.methods?.sat_solvers ?? []),
      runButton(lessons, "questions", "Ask the solver", go),
    ),
    status(inWords(learning)),
    table(
      "Questions and answers",
      ["Moves", "Answer", "Variables", "Clauses", "Conflicts", "Seconds"],
      (learning.questions?.asked ?? []).map((each) => [
        each.horizon ?? "any number",
        answerOf(each),
        each.variables,
        each.clauses,
        each.conflicts,
        secondsInWords(each.seconds),
      ]),
    ),
    h(
      "p",
      { class: "fine" },
      "Variables are the statements, clauses the rules, and an encoding is a way to write these. A conflict is a " +
        "dead end: the solver learns a new rule from it and goes back.",
    ),
  ];
  return { draw };
}

/** @param {Lessons} lessons @param {string} encoding @param {string} solver */
async function ask(lessons, encoding, solver) {
  lessons.set({ questions: null });
  const fields = { ...lessons.position(), ...(encoding && { encoding }), ...(solver && { solver }) };
  const found = await lessons.run("questions", "horizons", fields, ({ questions = [], horizon = null }) => {
    lessons.set({ questions: { asked: questions, now: horizon, outcome: null } });
  });
  if (found) lessons.set({ questions: { asked: found.stats.questions ?? [], now: null, outcome: found } });
}

/** @param {Question} question */
function answerOf({ satisfiable, exact }) {
  if (satisfiable) return "yes";
  return exact ? "no; asked again without a shortcut" : "no";
}

/** @param {Learning} learning */
function inWords(learning) {
  const { questions, running } = learning;
  const now = questions?.now && `Is there a solution of at most ${questions.now} moves?`;
  if (running === "questions") return waiting(learning, now || "Looking for a first solution …");
  if (!questions) return "";
  const { asked, outcome } = questions;
  if (!outcome) return "Stopped.";
  if (outcome.status === "unsolvable") return "Proved: there is no solution, of whatever length.";
  if (outcome.status !== "optimal") return `Time is up. ${outcome.lower_bound} moves or more are needed.`;
  const { length } = outcome;
  if (asked.at(-1)?.satisfiable) return `The last answer is a solution of ${length} moves, and fewer are excluded.`;
  const found = `A quick search had found a solution of ${length} moves before`;
  return asked.length
    ? `${found}, and ${Number(length) - 1} or fewer are not enough. So ${length} are the fewest.`
    : `${found}, and a count shows that fewer can't be enough. There was nothing to ask.`;
}
