/**
 * The boards that come with bsp-sat.
 */

import { thumbnail, whenSeen } from "../board/picture.js";
import { call, wordsFor } from "../core/api.js";
import { h } from "../core/dom.js";

/** @typedef {{ name: string, puzzle: string, summary: string, optimum: number | string | null }} Shipped */

/** @param {import("./dialog.js").Entering} entering @returns {import("./dialog.js").Tab} */
export function shippedTab({ play, complain }) {
  const list = h("ul", { class: "boards" });
  const element = h("div", {}, list);
  const open = async (/** @type {string} */ name, /** @type {string} */ puzzle = "") => {
    try {
      const { board } = await call(`boards/${encodeURIComponent(name)}`);
      await play(board, puzzle);
    } catch (error) {
      complain(wordsFor(error));
    }
  };
  const load = async () => {
    try {
      const boards = /** @type {Shipped[]} */ (await call("boards"));
      list.replaceChildren(...boards.map((board) => entryOf(board, open)));
    } catch (error) {
      complain(wordsFor(error));
    }
  };
  return { element, shown: () => void (list.childElementCount || load()) };
}

/** What each board is about, by the first word of its name. @type {Record<string, string>} */
const TITLES = {
  colored: "A level with 13 colours",
  late: "Lost late",
  level: "A level of a game",
  longest: "The longest way of its size",
  shot: "Shot",
  tiles: "Tiles",
  traps: "Full of traps",
  unsolvable: "No solution, of",
};

/** @param {Shipped} board @param {(name: string, puzzle?: string) => void} open */
function entryOf({ name, puzzle, summary, optimum }, open) {
  const best = typeof optimum === "number" ? `${optimum} moves` : null;
  const colours = summary.match(/\d+ colours/)?.[0];
  const title = TITLES[name.split("-")[0] ?? ""] ?? name;
  const go = h(
    "button",
    { type: "button", "aria-label": `${title}: ${name}`, onclick: () => open(name) },
    whenSeen(() => pictureOf(name)),
    h("b", {}, optimum === "unsolvable" ? `${title} ${colours}` : title),
    h("span", {}, [summary.replace("ball-sort, ", ""), best].filter(Boolean).join(" · ")),
    h("span", {}, name),
  );
  const asWater =
    puzzle === "ball-sort" &&
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": `${name} as water sort`,
        onclick: () => open(name, "water-sort"),
      },
      "as water sort",
    );
  return h("li", {}, go, asWater);
}

/** @param {string} name of a shipped board */
async function pictureOf(name) {
  const { board } = await call(`boards/${encodeURIComponent(name)}`);
  const { colours } = /** @type {import("../types.d.ts").Position} */ (await call("position", { board, moves: [] }));
  return thumbnail(
    board,
    colours.map(({ colour, fill }) => [colour, fill]),
  );
}
