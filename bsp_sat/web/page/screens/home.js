/**
 * The first screen: three ways in, and the game played last.
 */

import { UNREACHABLE, wordsFor } from "../core/api.js";
import { button, h, icon, say } from "../core/dom.js";
import { chooseFile } from "../core/files.js";
import { keptGames, nameOf, openGame } from "../core/games.js";
import { onceLoaded } from "../core/load.js";
import { PICTURES } from "../picture/shrink.js";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store } = app;
  const notice = h("p", { class: "complaint", role: "alert" });
  const goOn = h("button", { type: "button", class: "go-on", hidden: true });
  const element = h(
    "main",
    { class: "home plain" },
    h("h1", {}, h("img", { src: "page/icon.svg", alt: "", width: 32, height: 32 }), "bsp-sat"),
    h("p", { class: "fine" }, "Ball sort and water sort puzzles, solved in the fewest moves."),
    goOn,
    h(
      "div",
      { class: "ways" },
      way("camera", "Solve a screenshot", "See the next move for the level you are stuck on", () =>
        chooseFile(PICTURES.join(","), (given) => {
          store.set({ given });
          app.go("picture");
        }),
      ),
      way("play", "Play", "Levels from easy to expert, with hints", () => void play()),
      way("pencil", "Enter by hand", "Tap in the colours of your level", () => app.go("enter")),
    ),
    h("p", { class: "fine" }, "A screenshot can also be pasted, or dropped anywhere on this page."),
    notice,
    h(
      "div",
      { class: "row" },
      button("make", "Make levels", () => app.go("make"), { class: "quiet" }),
      button("learn", "Learn", () => app.go("learn"), { class: "quiet" }),
    ),
  );
  store.subscribe((state) => say(notice, state.notice));

  const levels = onceLoaded(() => import("../levels/open.js"));

  /** Opens a fresh level. */
  const play = async () => {
    try {
      await (await levels()).openFresh(app);
    } catch {
      app.notice(UNREACHABLE);
    }
  };

  /** Offers the game played last. */
  const offer = () => {
    const [last] = keptGames();
    goOn.hidden = !last;
    if (!last) return;
    say(goOn, `Go on with ${nameOf(last)}`);
    goOn.onclick = () => void openGame(app, last).catch((error) => app.notice(wordsFor(error)));
  };
  return { title: "", element, shown: offer };
}

/**
 * A large button.
 * @param {Parameters<typeof icon>[0]} sign
 * @param {string} label
 * @param {string} words
 * @param {() => void} action
 */
function way(sign, label, words, action) {
  return h(
    "button",
    { type: "button", class: "way-in", onclick: action },
    icon(sign),
    h("b", {}, label),
    h("small", {}, words),
  );
}
