/** Which board is meant, where a text may be one or another: each is drawn, and one tap chooses. */

import { h } from "../core/dom.js";
import { thumbnail } from "../board/picture.js";

/** @param {string} why it isn't sure @param {BoardReading[]} readings @param {(choices: object) => void} choose */
export function question(why, readings, choose) {
  const isOne = readings.length === 1;
  const title = h("h3", { id: "which-board" }, isOne ? "Is it this board?" : "Which board is it?");
  const cards = readings.map(({ words, doubts, board, colours, choices }) =>
    h(
      "button",
      { class: "reading", onclick: () => choose(choices) },
      thumbnail(board, colours, 1),
      h("b", {}, words),
      ...doubts.map((doubt) => h("span", {}, doubt)),
    ),
  );
  const reason = isOne && h("p", { class: "fine" }, why);
  return h("div", { role: "group", "aria-labelledby": "which-board" }, title, reason, ...cards);
}
