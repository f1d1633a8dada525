/** Measures of how hard a board is (docs/grading.md), in words. */

/** @import { Figure, Grades } from "../types.d.ts" */

// computed: page-measures

/** What each measure means to a player. @type {Record<string, string>} */
export const MEASURES = {
  optimum: "Fewest moves",
  bound_gap: "Above a simple count",
  shortest_plans: "Shortest plans",
  decision_bits: "Choices to get right, in bits",
  forced_share: "Forced positions",
  effort: "Search effort",
  min_empty: "Empty tubes needed",
  random_success: "Random players succeed",
  greedy_success: "Greedy players succeed",
  dead_share: "Lost positions",
  trap_share: "Moves into a trap",
  costliest_slip: "Costliest slip",
  safe_from: "Safe from move",
};

/** Measures from 0 to 1, which people read in percent. @type {Record<string, boolean>} */
const SHARES = { forced_share: true, random_success: true, greedy_success: true, dead_share: true, trap_share: true };

// end

/** @type {Intl.NumberFormatOptions} */
const LARGE = { notation: "compact", compactDisplay: "long", maximumFractionDigits: 1 };
/** Whether a measure is a share, which people read in percent. @param {string} name */
function isShare(name) {
  return name in SHARES;
}

/** @param {string} name of a measure @param {Figure} figure */
export function figureInWords(name, { value, how, interval }) {
  const number = (/** @type {number | null | undefined} */ one) => {
    if (one === null || one === undefined) return "?";
    if (isShare(name)) return `${(100 * one).toFixed(one && one < 0.1 ? 1 : 0)}\u00a0%`;
    return one >= 1e6 ? one.toLocaleString("en", LARGE) : Number(one.toFixed(2)).toLocaleString("en");
  };
  if (value === null) return `${number(interval?.[0])} to ${number(interval?.[1])}`;
  return how === "sampled" ? `~${number(value)}` : number(value);
}

/** The share of greedy players who solve boards of each difficulty: at least `low`, and less than `high`. */
export const DIFFICULTIES = [
  { word: "easy", low: 0.5, high: Infinity },
  { word: "medium", low: 0.15, high: 0.5 },
  { word: "hard", low: 0.02, high: 0.15 },
  { word: "expert", low: 0, high: 0.02 },
];

/** One word for all measures. @param {Grades} grades @returns {string} empty where too little is known */
export function difficultyOf(grades) {
  if (!grades.optimum) return "no solution";
  const success = grades.greedy_success?.value;
  const found = DIFFICULTIES.find(({ low, high }) => typeof success === "number" && low <= success && success < high);
  return found?.word ?? "";
}
