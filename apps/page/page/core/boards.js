/** The boards that come with bsp-sat. */

import { data } from "./api.js";
import { once } from "./load.js";

/** @import { Board } from "../types.d.ts" */

/**
 * @typedef {object} Shipped
 * @property {string} name
 * @property {string} puzzle
 * @property {string} summary
 * @property {number | string | null} optimum
 * @property {Board} board
 */

/** @type {() => Promise<Shipped[]>} */
export const shippedBoards = once(() => data("boards.json"));
