/** The page's thread for the engine: it takes a task, a board and limits, and gives the answer, null if it has none. */

import { loadEngine } from "./engine.js";

/** @typedef {import("../core/searcher.js").Task} Task */

const engine = loadEngine().catch((error) => {
  console.info(`The page asks Python alone: ${error}`);
  return null;
});

onmessage = async ({ data }) => {
  const { task, board, limits } = /** @type {Task} */ (data);
  postMessage((await engine)?.[task](board, limits) ?? null);
};
