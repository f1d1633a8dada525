/** What levels to make: how many, of what size, and ranges of measures. */

import { button, div, h } from "../core/dom.js";
import { field, select } from "../core/parts.js";
import { DIFFICULTIES, isShare, MEASURES, successOf } from "../core/measures.js";

/** @typedef {import("./work.js").Wishes} Wishes */

/** By name: label, value at first, least and most. @type {Record<string, [string, number, number, number]>} */
const NUMBERS = {
  colours: ["Colours", 8, 1, 40],
  capacity: ["Balls a tube", 4, 1, 20],
  empty: ["Empty tubes", 2, 0, 20],
};
const MOST = 100;
const MOST_SEED = 2 ** 53 - 1 - MOST;
const AT_FIRST = ["optimum", "random_success", "dead_share"]; // measures that show without asking for more

/** @param {(wishes: Wishes) => Promise<void>} make */
export function wishForm(make) {
  const puzzle = select({ "ball-sort": "Ball sort", "water-sort": "Water sort" });
  const count = whole(10, 1, MOST);
  const seed = whole(randomSeed(), 0, MOST_SEED);
  const numbers = Object.entries(NUMBERS).map(([name, [label, ...range]]) => ({ name, label, input: whole(...range) }));
  const difficulty = select({ "": "any", ...Object.fromEntries(DIFFICULTIES.map(({ word }) => [word, word])) });
  const ranges = Object.entries(MEASURES).map(([name, label]) => rangeOf(name, label));
  const go = h("button", { class: "primary" }, "Make levels");
  const more = h(
    "details",
    {},
    h("summary", {}, "More ranges"),
    div("ranges", ...ranges.filter(({ name }) => !AT_FIRST.includes(name)).map(({ element }) => element)),
  );

  /** @returns {Wishes} */
  const wishes = () => {
    const byWord = difficulty.value && { greedy_success: successOf(difficulty.value) };
    const asked = ranges.flatMap(({ name, value }) => (value() ? [[name, value()]] : []));
    return {
      puzzle: puzzle.value,
      count: Number(count.value),
      seed: Number(seed.value),
      numbers: Object.fromEntries(numbers.map(({ name, input }) => [name, Number(input.value)])),
      ranges: { ...(byWord || {}), ...Object.fromEntries(asked) },
    };
  };
  const form = h(
    "form",
    { class: "stack" },
    div(
      "fields",
      field("Puzzle", puzzle),
      field("How many", count),
      ...numbers.map(({ label, input }) => field(label, input)),
      field("Difficulty", difficulty),
    ),
    div("ranges", ...ranges.filter(({ name }) => AT_FIRST.includes(name)).map(({ element }) => element)),
    more,
    div(
      "row seed",
      field("Seed", seed),
      button("restart", "Another seed", () => (seed.value = String(randomSeed())), { bare: true }),
      go,
    ),
  );
  more.addEventListener("invalid", () => (more.open = true), { capture: true }); // what is wrong must be in sight
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = wishes();
    await make(wanted);
    seed.value = String(wanted.seed + wanted.count); // the same wishes again make other levels
  });
  return {
    element: form,
    /** @param {boolean} busy whether something is at work already */
    tell: (busy) => {
      go.disabled = busy;
    },
  };
}

/** Two numbers, either of which may be left out. @param {string} name @param {string} label */
function rangeOf(name, label) {
  const unit = isShare(name) ? " (%)" : "";
  const bound = (/** @type {string} */ word) =>
    h("input", {
      type: "number",
      min: 0,
      max: unit ? 100 : null,
      step: unit ? "any" : 1,
      inputmode: "decimal",
      placeholder: word,
      "aria-label": `${label}${unit}, ${word}`,
    });
  const low = bound("from");
  const high = bound("to");
  if (name === "decision_bits") for (const input of [low, high]) input.step = "any";
  low.addEventListener("input", () => check());
  high.addEventListener("input", () => check());
  const check = () =>
    high.setCustomValidity(
      low.value && high.value && Number(low.value) > Number(high.value) ? `Expected at least ${low.value}.` : "",
    );
  const figure = (/** @type {string} */ text) => (text && unit ? String(Number(text) / 100) : text);
  const value = () => (low.value || high.value ? `${figure(low.value)}..${figure(high.value)}` : "");
  return {
    name,
    value,
    element: h("div", { class: "range", role: "group", "aria-label": label }, h("span", {}, label + unit), low, high),
  };
}

/** @param {number} value @param {number} least @param {number} most */
function whole(value, least, most) {
  return h("input", { type: "number", value, min: least, max: most, step: 1, required: true, inputmode: "numeric" });
}

export function randomSeed() {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 1_000_000;
}
