/** The page's thread for the engine: it takes a task, a board and limits, and gives the answer, null if it has none. */

import { loadEngine, readBoard } from "./engine.js";

/** @typedef {import("../core/searcher.js").Task} Task */

const SMALL = readBoard("ab|ba|-"); // whose search has the code compiled before it is needed

const engine = loadEngine().then(
  (loaded) => {
    loaded.solve(SMALL);
    return loaded;
  },
  (error) => {
    console.info(`The page asks Python alone: ${error}`);
    return null;
  },
);

onmessage = async ({ data }) => {
  const { task, board, limits } = /** @type {Task} */ (data);
  postMessage((await engine)?.[task](board, limits) ?? null);
};
