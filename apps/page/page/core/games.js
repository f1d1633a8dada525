/** Games kept in this browser, the last one first: the one in play, and others that were begun and aren't solved. */

import { read, write } from "./kept.js";
import { needsBoard } from "./navigation.js";

const MOST = 20;
const MOST_CHARACTERS = 100_000; // of a game

/** Keeps the game in play, where it is played: a lesson about a board is no game. @param {State} state */
export function keepGame({ board, made, look, screen, position, hinted }) {
  if (!board || !needsBoard(screen)) return;
  const game = { board, made, look, screen, solved: Boolean(position?.goal), ...(hinted && { hinted }) };
  const others = read("games").filter((other) => other.made.length > 0 && !other.solved && !isSame(other.board, board));
  if (JSON.stringify(game).length <= MOST_CHARACTERS) write("games", [game, ...others].slice(0, MOST));
}

/** @param {KeptGame} game */
export function deleteGame(game) {
  const others = read("games").filter(({ board }) => !isSame(board, game.board));
  write("games", others);
}

/** Opens a kept game on the screen where it was played. @param {App} app @param {KeptGame} kept */
export async function openGame(app, { board, made, look, screen }) {
  await app.game.open(board, { steps: made, look });
  app.go(screen);
}

/** What a game is called. @param {KeptGame} game */
export function nameOf({ board }) {
  return String(board.name ?? "the last board");
}

/** Whether boards are the same but for empty tubes. @param {Board} one @param {Board} other */
export function isSame(one, other) {
  return filled(one) === filled(other);
}

/** @param {Board} board */
function filled(board) {
  const tubes = /** @type {unknown[][] | undefined} */ (board.tubes);
  return JSON.stringify({ ...board, tubes: tubes?.filter((tube) => tube.length > 0) });
}
