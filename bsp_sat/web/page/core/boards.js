/**
 * The boards that come with bsp-sat.
 */

import { data } from "./api.js";
import { once } from "./load.js";

/** @import { Board } from "../types.d.ts" */

/** @typedef {{ name: string, puzzle: string, summary: string, optimum: number | string | null, board: Board }} Shipped */

/** @type {() => Promise<Shipped[]>} */
export const shippedBoards = once(() => data("boards.json"));
