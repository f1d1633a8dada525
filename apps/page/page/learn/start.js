/** Start here: from a board to a formula to a proof, in five steps on one small board. */

import { button, div, h } from "../core/dom.js";
import { arrowInWords, counted } from "../core/steps.js";
import { status, sum, table, waiting } from "./parts.js";

/** @typedef {{ formula: FormulaAnswer, outcome: SolveAnswer, why: WhyAnswer }} Known */

/** Two more moves than a simple count needs: the solver says no twice. */
export const SMALL = {
  name: "two colours",
  puzzle: "ball-sort",
  capacity: 3,
  tubes: [["red", "blue", "red"], ["blue", "red", "blue"], []],
};

const MOST_KINDS = 4; // of statements that are shown

/** @param {Lessons} lessons */
export function startLesson(lessons) {
  let at = 0;
  const turn = (/** @type {number} */ by) => () => {
    at += by;
    lessons.set({});
  };

  /** @param {Learning} learning */
  const draw = (learning) => {
    const known = learning.start;
    if (!known) at = 0; // which needs nothing
    const isLast = at === STEPS.length - 1;
    return [
      h("h2", {}, `${at + 1} of ${STEPS.length}: ${STEPS[at]?.title}`),
      div("stack", ...(STEPS[at]?.draw(/** @type {Known} */ (known)) ?? [])),
      !known && status(learning.running === "start" ? waiting(learning, "The solver is at work …") : ""),
      div(
        "row",
        button("back", "Back", turn(-1), { disabled: at === 0 }),
        button("forward", "Next", turn(1), { class: "primary", disabled: !known || isLast }),
      ),
    ];
  };

  const shown = async () => {
    if (lessons.state.start || lessons.state.running || !lessons.app.store.state.position) return;
    const position = lessons.position();
    const formula = await lessons.run("start", "formula", position);
    const outcome = formula && (await lessons.run("start", "horizons", position));
    const why = outcome && (await lessons.run("start", "why", position));
    if (why) lessons.set({ start: { formula, outcome, why } });
  };
  return { draw, shown: () => void shown() };
}

const p = (/** @type {string} */ words) => h("p", {}, words);

/** @type {{ title: string, draw: (known: Known) => Child[] }[]} */
const STEPS = [
  {
    title: "a board",
    draw: () => [
      p("A move takes the top of a tube to another one: onto its own colour, or to the bottom of an empty one."),
      p("At the end each tube holds one colour, or nothing. How many moves are needed at least? Guess first."),
    ],
  },
  {
    title: "statements that are true or false",
    draw: ({ formula }) => {
      const kinds = formula.variables.filter(({ meaning }) => meaning).slice(0, MOST_KINDS);
      return [
        p(
          `Can it be done in ${counted(formula.horizon)}? To ask that, what may happen is written as ` +
            `${sum(formula.variables)} statements. Each is true or false:`,
        ),
        formula.blocks &&
          p("A block is a run of one colour. It is dug when it leaves its tube. Block 0 is at the bottom of tube 1."),
        h("ul", { class: "reasons" }, ...kinds.map(({ meaning, count }) => h("li", {}, `${count} × ${meaning}`))),
      ];
    },
  },
  {
    title: "rules, which make a formula",
    draw: ({ formula: { clauses } }) => {
      const example = clauses.find(({ words }) => words);
      return [
        p(`${sum(clauses)} rules say what a solution is. All of them together are the formula. One of them:`),
        h("p", { class: "clause" }, example?.example ?? ""),
        p(example?.words ?? ""),
      ];
    },
  },
  {
    title: "one question after the other",
    draw: ({ outcome: { stats, length, plan } }) => {
      const asked = stats?.questions ?? [];
      const rows = [
        ...asked.map(({ horizon, satisfiable, clauses }) => [
          `at most ${horizon}`,
          satisfiable ? "yes" : "no",
          clauses,
        ]),
        ...(asked.at(-1)?.satisfiable || length === null ? [] : [[`at most ${length}`, "yes: there is one", null]]),
      ];
      return [
        p("A SAT solver says whether all rules can hold at once. After each “no” one move more is allowed:"),
        table("Questions and answers", ["Moves", "Answer", "Rules"], rows),
        p(plan ? `The solution: ${plan.map(arrowInWords).join(", ")}.` : ""),
      ];
    },
  },
  {
    title: "why not one move less",
    draw: ({ outcome: { length }, why }) => [
      p(length ? `${counted(length)} are enough, and ${length - 1} are not. That is a proof in two halves.` : ""),
      ...why.sentences.map(p),
      p("Nobody has to trust the solver: “Share” saves its “no” as files, which a small program checks."),
    ],
  },
];
