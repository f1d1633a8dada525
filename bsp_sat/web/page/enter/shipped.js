/**
 * The boards that come with bsp-sat.
 */

import { wordsFor } from "../core/api.js";
import { shippedBoards } from "../core/boards.js";
import { h } from "../core/dom.js";

/** @import { Shipped } from "../core/boards.js" */

/** @param {import("./dialog.js").Entering} entering @returns {import("./dialog.js").Tab} */
export function shippedTab({ play, complain }) {
  const list = h("ul", { class: "boards" });
  const element = h("div", {}, list);
  const load = async () => {
    try {
      list.replaceChildren(...(await shippedBoards()).map((board) => entryOf(board, play)));
    } catch (error) {
      complain(wordsFor(error));
    }
  };
  return { element, shown: () => void (list.childElementCount || load()) };
}

/** @param {Shipped} board @param {import("./dialog.js").Entering["play"]} play */
function entryOf({ name, puzzle, summary, optimum, board }, play) {
  const best = typeof optimum === "number" ? `fewest moves: ${optimum}` : (optimum ?? "");
  const go = h(
    "button",
    { type: "button", onclick: () => void play(board) },
    h("b", {}, name),
    h("span", {}, [summary, best].filter(Boolean).join(" · ")),
  );
  const asWater =
    puzzle === "ball-sort" &&
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": `${name} as water sort`,
        onclick: () => void play(board, "water-sort"),
      },
      "as water sort",
    );
  return h("li", {}, go, asWater);
}
