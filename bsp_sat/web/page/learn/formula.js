/** The question as the SAT solver gets it: variables and clauses of this board by kind, and one clause in words. */

import { div, h, say } from "../core/dom.js";
import { field } from "../core/parts.js";
import { choice, lesson, runButton, table, waiting } from "./parts.js";

/** @import { Learning, FormulaAnswer } from "../types.d.ts" */

/** @param {import("./lessons.js").Lessons} lessons @returns {import("./parts.js").Lesson} */
export function formulaLesson(lessons) {
  const encoding = choice("Encoding");
  const horizon = h("input", { type: "number", min: 0, max: 3000, step: 1, inputmode: "numeric" });
  const go = runButton(
    lessons,
    "formula",
    "Show the formula",
    () => void ask(lessons, encoding.value(), horizon.valueAsNumber),
  );
  const status = h("p", { role: "status" });
  const variables = table("Variables by kind", ["Variable", "How many", "What it says"]);
  const clauses = table("Clauses by kind", ["Kind", "How many", "What it says"]);
  const group = choice("A clause of the kind", () => showClause());
  const clause = h("p", { class: "clause" });
  const words = h("p", {});
  const blocks = table("Blocks of the board", ["Block", "Tube", "From the bottom", "Balls", "Colour"]);
  const legend = h(
    "details",
    {},
    h("summary", {}, "The blocks by number"),
    h("p", { class: "fine" }, "A block is a run of one colour in a tube."),
    blocks.element,
  );
  const result = h(
    "div",
    { class: "stack", hidden: true },
    h("h2", {}, "One clause"),
    group.element,
    clause,
    words,
    h("h2", {}, "Clauses"),
    clauses.element,
    h("h2", {}, "Variables"),
    variables.element,
    legend,
  );
  /** @type {FormulaAnswer | null} */
  let drawn = null;
  /** @type {Learning["methods"]} */
  let offered = null;

  const showClause = () => {
    const found = drawn?.clauses.find((each) => each.group === group.value());
    say(clause, found?.example ?? "There is no clause of this kind.");
    say(words, found?.words ?? (found?.example ? "This encoding doesn't say what its variables mean." : ""));
  };

  /** @param {Learning} learning */
  const show = (learning) => {
    go.show();
    encoding.offer(learning.methods?.encodings ?? []);
    if (learning.methods !== offered && !horizon.value) horizon.value = String(learning.methods?.lower_bound ?? "");
    offered = learning.methods;
    say(
      status,
      learning.running === "formula" ? waiting(learning, "Writing the formula …") : inWords(learning.formula),
    );
    drawn = learning.formula;
    result.hidden = !drawn;
    if (!drawn) return;
    variables.fill(
      drawn.variables.map((each) => [
        each.arguments ? `${each.kind}(${each.arguments.join(", ")})` : each.kind,
        each.count,
        each.meaning,
      ]),
    );
    clauses.fill(drawn.clauses.map((each) => [each.group, each.count, each.meaning]));
    group.offer(bySaying(drawn).map((each) => each.group));
    legend.hidden = !drawn.blocks;
    const { colours } = drawn;
    blocks.fill(
      (drawn.blocks ?? []).map((each, number) => [
        number,
        each.tube + 1,
        each.level + 1,
        each.size,
        String(colours?.[each.colour] ?? each.colour),
      ]),
    );
    showClause();
  };

  const at = field("Moves allowed", horizon);
  const element = lesson(
    "This is the board as a SAT solver sees it. Variables are statements that can be true or false; clauses are " +
      "rules. If no choice of true and false obeys all rules, there is no solution of that many moves.",
    div("settings", encoding.element, at, go.element),
    status,
    result,
  );
  return { element, show };
}

/** The groups whose example can be said in words first. @param {FormulaAnswer} formula */
function bySaying({ clauses }) {
  return [...clauses].sort((one, other) => Number(other.words !== null) - Number(one.words !== null));
}

/**
 * @param {import("./lessons.js").Lessons} lessons
 * @param {string} encoding
 * @param {number} horizon NaN for the default
 */
async function ask(lessons, encoding, horizon) {
  const fields = { ...lessons.position(), ...(encoding && { encoding }), ...(!Number.isNaN(horizon) && { horizon }) };
  lessons.set({ formula: null });
  const formula = await lessons.run("formula", "formula", fields);
  if (formula) lessons.set({ formula });
}

/** @param {FormulaAnswer | null} formula */
function inWords(formula) {
  if (!formula) return "";
  const sum = (/** @type {{ count: number }[]} */ counts) =>
    counts.reduce((all, { count }) => all + count, 0).toLocaleString("en");
  return (
    `${sum(formula.variables)} variables and ${sum(formula.clauses)} clauses. ` +
    `If they can't all hold, ${formula.unsat}.`
  );
}
