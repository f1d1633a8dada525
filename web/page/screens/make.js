/**
 * Levels made to measure, one at a time, and boards drawn by hand.
 */

import { wordsFor } from "../core/api.js";
import { button, h, say } from "../core/dom.js";
import { randomTab } from "../enter/random.js";
import { open } from "../panels/tools.js";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const complaint = h("p", { class: "complaint", role: "alert" });
  const { element: form } = randomTab({
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
  const draw = async () => {
    await open(app, app.enterDialog);
    (await app.enterDialog()).show("draw");
  };
  const element = h(
    "main",
    { class: "plain" },
    h("div", { class: "head" }, button("back", "Back", () => history.back(), { bare: true }), h("h1", {}, "Make levels")),
    form,
    complaint,
    h("div", { class: "row" }, button("pencil", "Draw a board", () => void draw())),
  );
  return { title: "Make levels", element };
}
