/** A plain board and the moves made on it, as the page shows them: what Python's `position_json` says of any board. */

import * as engine from "../engine/engine.js";
import { looksOf } from "./paints.js";
import { Refusal } from "./api.js";
import { counted } from "./steps.js";

/** @import { Board as Plain, Move as Pour } from "../engine/engine.js" */

/** @typedef {{ board: Board | string, moves: Move[], puzzle?: string }} Asked */

const MOST_PLACES = 2500; // of a board: the page takes no larger ones
const MOST_MOVES = 3000;

/**
 * The board at its start and after each move.
 * @param {Asked} asked @returns {Plain[]} @throws {engine.NotTaken} Python has to look at it
 * @throws {Refusal} a move is illegal, or nobody takes the board
 */
export function gameOf({ board, moves, puzzle }) {
  const fields = typeof board === "string" ? engine.fieldsOf(board) : board;
  const start = readBoardOf(puzzle ? { ...fields, puzzle } : fields, fields === board && !puzzle);
  if (!isUsual(fields) || start.tubes.length * start.capacity > MOST_PLACES || moves.length > MOST_MOVES)
    throw new engine.NotTaken();
  const game = [start];
  for (const [step, move] of moves.entries()) {
    if (!isPour(move)) throw new engine.NotTaken();
    const now = /** @type {Plain} */ (game.at(-1));
    const refusal = engine.refusalOf(now, move);
    if (refusal) throw new Refusal(`move ${step + 1} (${described(now, move)}) is illegal: ${refusal}`, 400);
    game.push(engine.play(now, move));
  }
  return game;
}

/** @param {Board} fields @param {boolean} isSaid whether they are all that is known: no text was read */
function readBoardOf(fields, isSaid) {
  try {
    return engine.readBoard(fields);
  } catch (error) {
    if (error instanceof engine.NoBoard && isSaid) throw new Refusal(error.message, 400);
    throw error;
  }
}

/** Whether what a file says about its board is what such files say. @param {Board} fields */
function isUsual({ name = null, source = null, optimal = null }) {
  const isText = (/** @type {unknown} */ value) =>
    value === null || (typeof value === "string" && !/\p{Cs}/u.test(value));
  const isAnswer = (/** @type {unknown} */ value) =>
    value === "unsolvable" || value === "unknown" || (Number.isSafeInteger(value) && Number(value) >= 0);
  const areAnswers =
    !Array.isArray(optimal) && typeof optimal === "object" && Object.values(optimal ?? {}).every(isAnswer);
  return isText(name) && isText(source) && areAnswers;
}

/** @param {Move} move @returns {move is Pour} */
function isPour(move) {
  return Array.isArray(move) && move.length === 2 && move.every(Number.isInteger);
}

/** @param {Plain} board @param {Pour} move */
function described({ tubes }, [from, to]) {
  const ball = tubes[from]?.at(-1);
  return `${from + 1} → ${to + 1}${ball === undefined ? "" : `  ${engine.colourInWords(ball)}`}`;
}

/** @param {Asked} asked @returns {Position} @throws {engine.NotTaken | Refusal} see `gameOf` */
export function positionOf(asked) {
  const game = gameOf(asked);
  const about = typeof asked.board === "string" ? {} : engine.aboutBoard(asked.board);
  const now = /** @type {Plain} */ (game.at(-1));
  const start = /** @type {Plain} */ (game[0]);
  const [before, last] = [game.at(-2), asked.moves.at(-1)];
  const legal = engine.legalMoves(now);
  const palette = [...new Set(start.tubes.flat())];
  const looks = looksOf(palette);
  const effect = before ? effectOf(before, /** @type {Pour} */ (last)) : null;
  return {
    name: String(about.name || now.puzzle),
    puzzle: now.puzzle,
    read_as: "",
    summary:
      `${now.puzzle}, ${counted(palette.length, "colour")}, ${counted(now.tubes.length, "tube")} of ${now.capacity}` +
      (now.goal === "full" ? "" : `, goal ${now.goal}`),
    board: { ...about, ...fieldsIn(start) },
    position: fieldsIn(now),
    text: textOf(now, looks),
    moves: asked.moves,
    legal,
    words: legal.map((move) => `Move ${inWords(effectOf(now, move))}`),
    goal: engine.isSolved(now),
    lower_bound: null,
    colours: [...looks.values()],
    hidden: false,
    unseen: [],
    reveal: null,
    last: effect && `Moved ${inWords(effect)}`,
    effect,
    tubes: null,
    picture: null,
  };
}

/** A board as files have it. @param {Plain} board @returns {Board} */
function fieldsIn({ puzzle, capacity, tubes, goal }) {
  return { puzzle, capacity, tubes, ...(goal !== "full" && { goal }) };
}

/** @typedef {{ from: number, to: number, amount: number, colour: Colour }} Effect */

/** @param {Plain} board @param {Pour} move @returns {Effect} */
function effectOf(board, move) {
  const [from, to] = move;
  return { from, to, amount: engine.amountOf(board, move), colour: board.tubes[from]?.at(-1) ?? "" };
}

/** @param {Effect} effect */
function inWords({ from, to, amount, colour }) {
  return `${amount === 1 ? "" : `${amount} `}${engine.colourInWords(colour)} from tube ${from + 1} to tube ${to + 1}`;
}

/** In text notation (docs/formats.md). @param {Plain} board @param {ReturnType<typeof looksOf>} looks */
function textOf({ capacity, goal, tubes }, looks) {
  const lines = tubes.map((tube) => tube.map((ball) => looks.get(ball)?.symbol).join("") || "-");
  if (goal !== "full") lines.unshift(`goal ${goal}`);
  const lacksRoom = tubes.every((tube) => tube.length === capacity) && tubes.some((tube) => new Set(tube).size > 1);
  // Where readers would ask whether that is meant.
  const isOdd = new Set(tubes.flat()).size === 1 || capacity === 1 || tubes.length === 1;
  if (capacity !== engine.usualCapacity(tubes) || lacksRoom || isOdd) lines.unshift(`capacity ${capacity}`);
  return `${lines.join("\n")}\n`;
}
