/** How hard a board is (docs/grading.md), in words. */

/** The fewest moves, or where only bounds are known, these. @param {Figure} figure */
export function optimumInWords({ value, how, interval }) {
  if (value === null) return `${interval?.[0] ?? "?"} to ${interval?.[1] ?? "?"}`;
  return how === "sampled" ? `~${value}` : String(value);
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
