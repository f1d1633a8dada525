/**
 * Boards to learn from: those that come with bsp-sat, with what is known of each.
 */

import { wordsFor } from "../core/api.js";
import { button, h, say } from "../core/dom.js";
import { shippedTab } from "../enter/shipped.js";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const complaint = h("p", { class: "complaint", role: "alert" });
  const boards = shippedTab({
    app,
    complain: (words) => say(complaint, words),
    show: () => {},
    play: async (board, puzzle) => {
      try {
        await app.game.open(board, [], puzzle);
        app.go("play");
      } catch (error) {
        say(complaint, wordsFor(error));
      }
    },
  });
  const element = h(
    "main",
    { class: "plain" },
    h("div", { class: "head" }, button("back", "Back", () => history.back(), { bare: true }), h("h1", {}, "Learn")),
    h("p", {}, "Open a board, press Solve, and look at what is proved after each move."),
    complaint,
    boards.element,
  );
  return { title: "Learn", element, shown: () => boards.shown?.() };
}
