/** The page's thread for the engine: it takes a task, a board and limits, and gives the answer, null if it has none. */

import { loadEngine, readBoard } from "./engine.js";

/** @typedef {import("../core/searcher.js").Task} Task */

const engine = loadEngine().catch((error) => {
  console.info(`The page asks Python alone: ${error}`);
  return null;
});
void engine.then((loaded) => loaded?.solve(readBoard("ab|ba|-"))); // so that its code is compiled when it is needed

onmessage = async ({ data }) => {
  const { task, board, limits } = /** @type {Task} */ (data);
  postMessage((await engine)?.[task](board, limits) ?? null);
};
