/** How hard a board is (docs/grading.md), in words. */

/** The fewest moves, or where only bounds are known, these. @param {Figure} figure */
export function optimumInWords({ value, how, interval }) {
  if (value === null) return `${interval?.[0] ?? "?"} to ${interval?.[1] ?? "?"}`;
  return how === "sampled" ? `~${value}` : String(value);
}

/** The least share of greedy players who solve boards of each difficulty. */
const LEAST_SUCCESS = Object.entries({ easy: 0.5, medium: 0.15, hard: 0.02, expert: 0 });

/** One word for all measures. @param {Grades} grades @returns {string} empty where too little is known */
export function difficultyOf(grades) {
  if (!grades.optimum) return "no solution";
  const success = grades.greedy_success?.value;
  return LEAST_SUCCESS.find(([, least]) => Number(success ?? NaN) >= least)?.[0] ?? "";
}
