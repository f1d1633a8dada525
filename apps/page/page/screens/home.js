/** The first screen: today's level, the game played last, and ways in. */

import { drawIn } from "../board/picture.js";
import { prepare, UNREACHABLE, wordsFor } from "../core/api.js";
import { button, div, fill, h, icon, say } from "../core/dom.js";
import { chooseFile } from "../core/files.js";
import { keptGames, nameOf, openGame } from "../core/games.js";
import { beats, counted } from "../core/steps.js";
import { daily, openFresh } from "../levels/open.js";
import { PICTURES } from "../picture/shrink.js";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store } = app;
  const notice = h("p", { class: "fine notice", role: "alert" });
  const goOn = h("button", { type: "button", class: "wide-way go-on raised", hidden: true });
  const today = h("button", { type: "button", class: "today raised", hidden: true });
  const element = h(
    "main",
    { class: "home plain" },
    div("name", h("h1", {}, "Fewest Moves"), h("p", { class: "fine" }, "by bsp-sat")),
    today,
    goOn,
    div(
      "ways",
      way(
        "camera",
        "Solve a screenshot",
        () => {
          prepare(); // while a person looks for the picture
          chooseFile(PICTURES, (given) => {
            store.set({ given });
            app.go("picture");
          });
        },
        "primary",
      ),
      way("play", "Play", () => unlessUnreachable(openFresh(app)), "raised"),
      way("pencil", "Enter by hand", () => app.go("enter"), "raised"),
    ),
    h("p", { class: "fine for-mice" }, "A screenshot can also be pasted, or dropped anywhere on this page."),
    notice,
    div(
      "row",
      button("make", "Make levels", () => app.go("make"), { class: "quiet" }),
      button("learn", "Learn", () => app.go("learn"), { class: "quiet" }),
    ),
  );
  store.subscribe((state) => say(notice, state.notice));

  const unlessUnreachable = (/** @type {Promise<void>} */ opening) => void opening.catch(() => app.notice(UNREACHABLE));

  const shown = () => {
    const [last] = keptGames();
    goOn.hidden = !last?.made.length;
    if (last) {
      const moves = counted(beats(last.made));
      const progress = last.solved ? `Solved in ${moves}` : `${moves} made`;
      fill(goOn, h("b", { class: "face" }, `Continue ${nameOf(last)}`), h("small", {}, progress));
      goOn.onclick = () => void openGame(app, last).catch((error) => app.notice(wordsFor(error)));
    }
    // It is there when the levels are; without them all else still is.
    void daily(app)
      .then(({ words, board, colours, open }) => {
        const place = div("place");
        today.hidden = false;
        fill(today, h("b", { class: "face" }, "Today’s level"), h("small", {}, words), place);
        drawIn(place, board, colours);
        today.onclick = () => unlessUnreachable(open());
      })
      .catch(() => {});
  };
  return { title: "", element, shown };
}

/**
 * A large button.
 * @param {Parameters<typeof icon>[0]} sign
 * @param {string} label
 * @param {() => void} action
 * @param {string} kind
 */
function way(sign, label, action, kind) {
  return h("button", { type: "button", class: `way-in face ${kind}`, onclick: action }, icon(sign), label);
}
