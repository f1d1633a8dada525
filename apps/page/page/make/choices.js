/** What a level may be like: one tap shows one that comes with the page, and better ones follow. */

/** @typedef {(best?: number) => string | null} Better the range of a better level's measure; null if nothing is */
/** @typedef {{ word: string, says: string, better: string, colours: number, measure: string, range: Better }} Choice */

const STEP = 0.01; // of the measures, all of which are shares

/** By the pack of levels that the first one is from. @type {Record<string, Choice>} */
export const CHOICES = {
  easy: {
    word: "Easy",
    says: "most players solve it",
    better: "easier",
    colours: 6,
    measure: "greedy_success",
    range: (best = 0.5 - STEP) => atLeast(best + STEP),
  },
  hard: {
    word: "Hard",
    says: "few players solve it",
    better: "harder",
    colours: 9,
    measure: "greedy_success",
    range: (best = 0.15) => (best < 0.02 + STEP ? null : `0.02..${(best - STEP).toFixed(2)}`),
  },
  tricky: {
    word: "Tricky",
    says: "many moves lead into a trap",
    better: "trickier",
    colours: 6,
    measure: "trap_share",
    range: (best = 0.1 - STEP) => atLeast(best + STEP),
  },
};

/** @param {number} share */
const atLeast = (share) => (share > 1 ? null : `${share.toFixed(2)}..`);
