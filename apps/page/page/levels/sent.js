/** Levels in links: `#level.KIND.HARDNESS.NUMBER.MOVES` with the sender's moves, and `h` after a hint. */

import { loadPacks, LOOK } from "./packs.js";
import { scoreOf } from "./results.js";

const SENT = /^level\.([a-z-]+)\.([a-z]+)\.(\d+)(?:\.(\d+)(h?))?$/;

/** Empty if the page's address has no name. @param {Level} level @param {number} moves @param {boolean} hinted */
export function linkTo({ puzzle, difficulty, number }, moves, hinted) {
  if (!/\.[a-z]+$/i.test(location.hostname)) return "";
  const level = [puzzle, difficulty, number + 1, `${moves}${hinted ? "h" : ""}`].join(".");
  return `\n${location.origin}${location.pathname}#level.${level}`;
}

/** The level that a fragment names, and what is said of it. @param {string} fragment */
export async function levelSent(fragment) {
  const [, puzzle = "", difficulty, number, moves, hint] = SENT.exec(fragment) ?? [];
  const packs = await loadPacks();
  const level = packs.all(puzzle).find((each) => each.difficulty === difficulty && each.number + 1 === Number(number));
  if (!level) throw new Error("there is no such level");
  const isResult = Number(moves) >= level.optimum;
  const score = isResult && scoreOf({ level, added: 0 }, Number(moves), hint === "h");
  return { board: packs.board(level), look: LOOK, notice: score ? `Sent to you: ${score}. Your turn.` : "" };
}
