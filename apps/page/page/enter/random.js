/** Boards at random. */

import { isAborted, stream, wordsFor } from "../core/api.js";
import { button, div, h, relabel } from "../core/dom.js";
import { field, select } from "../core/parts.js";

/**
 * @typedef {object} Field
 * @property {string} label
 * @property {string} [value]
 * @property {[number, number]} [range] of a whole number; without it the field is a text
 * @property {string} [hint]
 * @property {Record<string, string>} [choices]
 */

/** @type {Record<string, Field>} */
const SORT = {
  colours: { label: "Colours", value: "8", range: [1, 40] },
  capacity: { label: "Balls a tube", value: "4", range: [2, 20] },
  empty: { label: "Empty tubes", value: "2", range: [0, 20] },
  hide: { label: "Covered", choices: { "": "nothing", 0.5: "half of what is below", tops: "all below the tops" } },
  locked: { label: "Locked tubes", value: "", hint: "none" },
  capacities: { label: "Capacities", value: "", hint: "4,5,6" },
};
/** @type {Record<string, { label: string, kind: string, puzzle?: string, fields: Record<string, Field> }>} */
const KINDS = {
  ball: { label: "Ball sort", kind: "random", puzzle: "ball-sort", fields: SORT },
  water: { label: "Water sort", kind: "random", puzzle: "water-sort", fields: SORT },
  tiles: {
    label: "Tiles",
    kind: "tiles",
    fields: {
      columns: { label: "Columns", value: "6", range: [1, 30] },
      rows: { label: "Rows", value: "6", range: [1, 30] },
      colours: { label: "Colours", value: "4", range: [1, 20] },
    },
  },
  shot: {
    label: "Shot",
    kind: "shot",
    fields: {
      balls: { label: "Balls", value: "6", range: [1, 60] },
      width: { label: "Columns", value: "7", range: [1, 20] },
      height: { label: "Rows", value: "9", range: [1, 20] },
    },
  },
};

/** @param {import("./dialog.js").Entering} entering @returns {import("./dialog.js").Tab} */
export function randomTab({ play, complain }) {
  const labels = Object.entries(KINDS).map(([key, { label }]) => [key, label]);
  const kind = select(Object.fromEntries(labels), () => lay());
  const fields = div("fields");
  const solvable = h("input", { type: "checkbox", checked: true });
  const choice = h("label", { class: "choice" }, solvable, "solvable for sure");
  let work = new AbortController();
  let busy = false;
  const make = button("play", "Make one", () => void (busy ? work.abort() : go()), { class: "primary" });

  const lay = () => {
    const { fields: listed, kind: command } = chosen();
    fields.replaceChildren(...Object.entries(listed).map(([name, asked]) => labelled(name, asked)));
    choice.hidden = command === "tiles";
  };
  const chosen = () => /** @type {NonNullable<typeof KINDS[string]>} */ (KINDS[kind.value]);
  const tell = (/** @type {boolean} */ now) => {
    busy = now;
    relabel(make, now ? "stop" : "play", now ? "Stop" : "Make one");
  };
  const go = async () => {
    work = new AbortController();
    complain("");
    tell(true);
    try {
      const asked = askedOf(chosen(), fields, choice.hidden ? false : solvable.checked);
      for await (const { event, data } of stream("generate", asked, work.signal)) {
        const found = event === "answer" ? data.boards[0] : null;
        if (found) await play(found);
        else if (event === "answer") complain("No such board was found.");
      }
    } catch (error) {
      if (!isAborted(error)) complain(wordsFor(error));
    } finally {
      tell(false);
    }
  };
  lay();
  const form = h("form", { class: "stack" }, field("Puzzle", kind), fields, choice, div("row end", make));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void go();
  });
  return { element: form };
}

/** @param {string} name @param {Field} asked */
function labelled(name, { label, value = "", range, hint = "", choices }) {
  const input = choices
    ? select(choices, () => {}, { name })
    : range
      ? h("input", { name, type: "number", value, min: range[0], max: range[1], inputmode: "numeric" })
      : h("input", { name, type: "text", value, placeholder: hint, autocomplete: "off" });
  return field(label, input);
}

/**
 * What to ask the server for.
 * @param {NonNullable<typeof KINDS[string]>} kind
 * @param {HTMLElement} fields
 * @param {boolean} solvable
 */
function askedOf({ kind, puzzle, fields: listed }, fields, solvable) {
  /** @type {Record<string, unknown>} */
  const asked = { kind, seed: crypto.getRandomValues(new Uint32Array(1))[0] };
  if (puzzle) asked.puzzle = puzzle;
  if (solvable) asked.solvable = true;
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (fields.querySelectorAll("[name]"))) {
    const value = input.value.trim();
    if (!value) continue;
    asked[input.name] = listed[input.name]?.range ? Number(value) : value;
  }
  return asked;
}
