/** What the page asks about a board: the engine in this browser answers if it can, and else Python (api.js). */

import { NotTaken } from "../engine/engine.js";
import { answer, call, stream } from "./api.js";
import { gameOf, positionOf } from "./position.js";
import { searcher } from "./searcher.js";
import { movesOf } from "./steps.js";

/** @import { Answer, Board as Plain } from "../engine/engine.js" */
/** @import { Asked } from "./position.js" */

/** @typedef {Asked & { seconds?: number }} Search `seconds` is for Python */

/** Boards that the engine has given up on, with what it found. @type {Map<string, Answer | null>} */
const hard = new Map();

/** What names the position in play. @param {State} state @returns {Asked} */
export function inPlay({ board, position, made, hidden }) {
  // A board whose cells have all been seen is one that can be solved.
  if (hidden && position) return { board: position.position, moves: [] };
  return { board: board ?? {}, moves: movesOf(made) };
}

/** @template T @param {() => T} look @returns {T | null} null where Python has to look */
function here(look) {
  try {
    return look();
  } catch (error) {
    if (error instanceof NotTaken) return null;
    throw error;
  }
}

/** After some moves. @param {Asked} asked @param {AbortSignal} [signal] @returns {Promise<Position>} */
export async function positionAfter(asked, signal) {
  return here(() => positionOf(asked)) ?? (await call("position", asked, signal));
}

/**
 * The events of a search for a shortest plan, see `stream`. The engine's answer comes alone, or before others what it
 * has found: bounds, and a plan.
 * @param {Search} asked @param {AbortSignal} signal @returns {AsyncGenerator<{ event: string, data: any }>}
 */
export async function* solving(asked, signal) {
  const found = await solvedHere(asked, signal);
  if (found) return yield { event: "answer", data: found };
  const { atLeast: lower, length: upper, plan } = hard.get(keyOf(boardHere(asked))) ?? {};
  if (plan) yield { event: "progress", data: { lower, upper, plan } };
  yield* stream("solve", asked, signal);
}

/** The last of these events. @param {Search} asked @param {AbortSignal} signal @returns {Promise<SolveAnswer>} */
export async function solutionOf(asked, signal) {
  return (await solvedHere(asked, signal)) ?? (await answer("solve", asked, signal));
}

/** What each move costs. @param {Search} asked @param {AbortSignal} signal @returns {Promise<HintAnswer>} */
export async function hintFor(asked, signal) {
  const found = await solvedHere(asked, signal);
  const board = found && boardHere(asked);
  const costs = board && (await searcher.ask("costs", board, signal));
  if (!costs) return answer("hint", asked, signal);
  const moves = costs.map(({ move, lost, cost }) => ({
    move,
    lost,
    cost: cost === null ? null : /** @type {[number, number]} */ ([cost, cost]),
  }));
  return { ...found, moves, recommended: found.plan?.[0] ?? null };
}

/** The position as a board that the engine takes. @param {Search} asked */
function boardHere(asked) {
  return here(() => gameOf(asked))?.at(-1);
}

/** @param {Plain | undefined} board */
const keyOf = (board) => JSON.stringify(board);

/** @param {Search} asked @param {AbortSignal} signal @returns {Promise<SolveAnswer | null>} null if Python has to */
async function solvedHere(asked, signal) {
  const board = boardHere(asked);
  const key = keyOf(board);
  if (!board || hard.has(key)) return null;
  const began = performance.now();
  const found = await searcher.ask("solve", board, signal);
  if (!found || found.status === "unknown") {
    hard.set(key, found);
    return null;
  }
  const { status, length, plan } = found;
  const isAsGiven = status === "unsolvable" && asked.moves.length === 0;
  const seconds = (performance.now() - began) / 1000;
  const notes = isAsGiven ? await misreading(board, signal) : [];
  return { status, length, lower_bound: length, plan, reason: "", seconds, notes };
}

/** What else may be meant by a board without a solution. @param {Plain} board @param {AbortSignal} signal */
async function misreading(board, signal) {
  const turned = { ...board, tubes: board.tubes.map((tube) => tube.toReversed()) };
  const found = await searcher.ask("solve", turned, signal);
  return found?.plan ? ["with its tubes read top-down, this board is solvable"] : [];
}
