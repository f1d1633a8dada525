/** The question as the SAT solver gets it: variables and clauses of this board by kind, and one clause in words. */

import { div, h } from "../core/dom.js";
import { field } from "../core/parts.js";
import { choice, intro, runButton, status, sum, table, waiting } from "./parts.js";

/** @param {Lessons} lessons */
export function formulaLesson(lessons) {
  const encoding = choice("Encoding");
  const group = choice("A clause of the kind", () => lessons.set({}));
  /** @type {number | null} as a person has set it */
  let horizon = null;
  const go = () => void ask(lessons, encoding.value(), horizon ?? NaN);

  /** @param {Learning} learning */
  const draw = (learning) => {
    const { methods, running, formula } = learning;
    const set = (/** @type {{ target: HTMLInputElement }} */ { target }) => (horizon = target.valueAsNumber);
    const moves = h("input", {
      type: "number",
      min: 0,
      max: 3000,
      step: 1,
      inputmode: "numeric",
      value: Number.isNaN(horizon) ? "" : (horizon ?? methods?.lower_bound),
      oninput: set,
    });
    return [
      intro(
        "This is the board as a SAT solver sees it. Variables are statements that can be true or false; clauses are " +
          "rules; an encoding is a way to write them. If no choice of true and false obeys all rules, there is no " +
          "solution of that many moves.",
      ),
      div(
        "settings",
        encoding.draw(methods?.encodings ?? []),
        field("Moves allowed", moves),
        runButton(lessons, "formula", "Show the formula", go),
      ),
      status(running === "formula" ? waiting(learning, "Writing the formula …") : inWords(formula)),
      formula && div("stack", ...partsOf(formula)),
    ];
  };

  /** @param {FormulaAnswer} formula @returns {Child[]} */
  const partsOf = (formula) => {
    const { variables, clauses, blocks, colours } = formula;
    // Those whose example can be said in words come first.
    const sorted = clauses.toSorted((one, other) => Number(other.words !== null) - Number(one.words !== null));
    const kinds = group.draw(sorted.map((each) => each.group));
    const found = clauses.find((each) => each.group === group.value());
    const unsaid = found?.example ? "This encoding doesn't say what its variables mean." : "";
    return [
      h("h2", {}, "One clause"),
      kinds,
      h("p", { class: "clause" }, found?.example ?? "There is no clause of this kind."),
      h("p", {}, found?.words ?? unsaid),
      h("h2", {}, "Clauses"),
      table(
        "Clauses by kind",
        ["Kind", "How many", "What it says"],
        clauses.map((each) => [each.group, each.count, each.meaning]),
      ),
      h("h2", {}, "Variables"),
      table(
        "Variables by kind",
        ["Variable", "How many", "What it says"],
        variables.map((each) => [
          each.arguments ? `${each.kind}(${each.arguments.join(", ")})` : each.kind,
          each.count,
          each.meaning,
        ]),
      ),
      blocks &&
        h(
          "details",
          {},
          h("summary", {}, "The blocks by number"),
          h("p", { class: "fine" }, "A block is a run of one colour in a tube."),
          table(
            "Blocks of the board",
            ["Block", "Tube", "From the bottom", "Balls", "Colour"],
            blocks.map((each, number) => [
              number,
              each.tube + 1,
              each.level + 1,
              each.size,
              String(colours?.[each.colour] ?? each.colour),
            ]),
          ),
        ),
    ];
  };
  return { draw };
}

/** @param {Lessons} lessons @param {string} encoding @param {number} horizon NaN for the default */
async function ask(lessons, encoding, horizon) {
  const fields = { ...lessons.position(), ...(encoding && { encoding }), ...(!Number.isNaN(horizon) && { horizon }) };
  lessons.set({ formula: null });
  const formula = await lessons.run("formula", "formula", fields);
  if (formula) lessons.set({ formula });
}

/** @param {FormulaAnswer | null} formula */
function inWords(formula) {
  if (!formula) return "";
  return (
    `${sum(formula.variables)} variables and ${sum(formula.clauses)} clauses. ` +
    `If they can't all hold, ${formula.unsat}.`
  );
}
