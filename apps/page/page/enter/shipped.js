/** The boards that come with bsp-sat. */

import { looksOf } from "../core/paints.js";
import { thumbnail, whenSeen } from "../board/picture.js";
import { wordsFor } from "../core/api.js";
import { h } from "../core/dom.js";
import { shippedBoards } from "../core/load.js";

/** @import { Shipped } from "../core/load.js" */

/** @param {Omit<import("./dialog.js").Entering, "app">} entering */
export function shippedList({ play, complain }) {
  const list = h("ul", { class: "boards" });
  const load = async () => {
    try {
      list.replaceChildren(...(await shippedBoards()).map((board) => entryOf(board, play)));
    } catch (error) {
      complain(wordsFor(error));
    }
  };
  return { element: list, shown: () => void (list.childElementCount || load()) };
}

/** What boards are about, by the first word of their names; # is moves, or colours. @type {Record<string, string>} */
const TITLES = {
  colored: "A level with 13 colours",
  late: "Lost only near the end",
  level: "A level as games have them",
  longest: "# moves, the most of its size",
  shot: "Shot",
  tiles: "Tiles",
  traps: "Most moves lead into a trap",
  unsolvable: "No solution, of # colours",
};

/** @param {Shipped} board @param {import("./dialog.js").Entering["play"]} play */
function entryOf({ name, summary, optimum, board }, play) {
  const number = optimum === "unsolvable" ? parseInt(summary.replace(/\D+/, "")) : optimum;
  const title = TITLES[name.split("-")[0] ?? ""]?.replace("#", String(number)) ?? name;
  const best = typeof optimum === "number" ? `, ${optimum} moves` : "";
  const cells = /** @type {Colour[][]} */ (board.tubes ?? board.columns ?? []).flat();
  const looks = [...looksOf([...new Set(cells)]).values()];
  const colours = looks.map(({ colour, fill }) => /** @type {[Colour, string]} */ ([colour, fill]));
  const go = h(
    "button",
    { onclick: () => void play(board) },
    whenSeen(() => thumbnail(board, colours)),
    h("b", {}, title),
    h("span", {}, `${summary.replace("ball-sort, ", "")}${best}`),
    h("span", {}, name),
  );
  return h("li", {}, go);
}
