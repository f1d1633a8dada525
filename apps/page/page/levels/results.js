/** What was solved, kept in this browser alone, and how well. */

import { read, write } from "../core/kept.js";
import { counted } from "../core/steps.js";
import { today } from "./packs.js";

const TWO_STARS = 4; // one more move for each this many that are needed
export const MOST_STARS = 3;

/**
 * What a game counts as: null with a tube more; and with a hint it has a star less than the best ones.
 * @param {Level} level @param {number} moves @param {number} added tubes @param {boolean} hinted
 */
export function worth({ optimum }, moves, added, hinted) {
  if (added) return null;
  return hinted ? Math.max(moves, optimum + 1) : moves;
}

/** Notes a solved level. @param {Level} level @param {number | null} moves see `worth` @param {boolean} isDaily */
export function record(level, moves, isDaily) {
  const { best, days } = read("results");
  const key = keyOf(level);
  const before = best[key];
  best[key] = moves === null ? (before ?? null) : Math.min(moves, before ?? moves);
  if (isDaily && !days.includes(today())) days.push(today());
  write("results", { best, days });
}

/** @param {Level} level @param {Results} kept @returns {number} 0 if it isn't solved */
export function starsOf(level, { best }) {
  const moves = best[keyOf(level)];
  return moves === undefined ? 0 : starsFor(level, moves);
}

/** @param {Level} level @param {number | null} moves see `worth` */
export function starsFor({ optimum }, moves) {
  if (moves === null) return 1;
  if (moves <= optimum) return MOST_STARS;
  return moves <= optimum + Math.floor(optimum / TWO_STARS) ? 2 : 1;
}

/** @param {Played} played @param {number} moves @param {boolean} hinted */
export function resultInWords({ level: { optimum }, added }, moves, hinted) {
  if (added) return `${counted(moves)}, with a tube more`;
  const compared = moves === optimum ? "the best possible" : `best possible ${optimum}`;
  return `${counted(moves)}, ${compared}${hinted ? ", with a hint" : ""}`;
}

/** Stars and words for a result. @param {Played} played @param {number} moves @param {boolean} hinted */
export function scoreOf(played, moves, hinted) {
  const { level, added } = played;
  const stars = "★".repeat(starsFor(level, worth(level, moves, added, hinted))).padEnd(MOST_STARS, "☆");
  return `${stars} ${resultInWords(played, moves, hinted)}`;
}

/** On how many days in a row, up to today or yesterday, the daily level was solved. @param {Results} kept */
export function daysInARow({ days }) {
  const solved = new Set(days);
  const last = solved.has(today()) ? today() : today() - 1;
  let day = last;
  while (solved.has(day)) day--;
  return last - day;
}

/** @param {Level} level */
function keyOf({ puzzle, difficulty, number }) {
  return `${puzzle} ${difficulty} ${number + 1}`;
}
