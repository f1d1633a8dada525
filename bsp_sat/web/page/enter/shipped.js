/**
 * The boards that come with bsp-sat.
 */

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

/** @param {Shipped} board @param {(name: string, puzzle?: string) => void} open */
function entryOf({ name, puzzle, summary, optimum }, open) {
  const best = typeof optimum === "number" ? `fewest moves: ${optimum}` : (optimum ?? "");
  const go = h(
    "button",
    { type: "button", onclick: () => open(name) },
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
        onclick: () => open(name, "water-sort"),
      },
      "as water sort",
    );
  return h("li", {}, go, asWater);
}
