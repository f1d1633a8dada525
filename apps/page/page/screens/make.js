/** Levels made to measure, drawn, or read from files: a gallery of them, and files of them. */

import { wordsFor } from "../core/api.js";
import { drawIn } from "../board/picture.js";
import { button, div, fill, h, say, set } from "../core/dom.js";
import { chooseFile, save } from "../core/files.js";
import { backButton } from "../core/parts.js";
import { entryOf } from "../enter/entry.js";
import { cards, inShort } from "../make/cards.js";
import { choices } from "../make/choices.js";
import { randomSeed, wishForm } from "../make/form.js";
import { change, deleteLevels, meant, openGallery, undelete } from "../make/gallery.js";
import { levelDialog } from "../make/level.js";
import { galleryTools } from "../make/tools.js";
import { asFile, boardOf, gradeLevels, importFile, makeLevels } from "../make/work.js";

/** @typedef {import("../types.d.ts").Level} Level */

const FILES = ".json,.jsonl,.ndjson,.txt,text/plain,application/json";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store, game } = app;
  let work = new AbortController();
  /** Begins something that takes a while; what was at work before ends. */
  const freshSignal = () => {
    work.abort();
    work = new AbortController();
    return work.signal;
  };
  const stop = () => work.abort();
  const levels = () => (store.state.making ? meant(store.state.making) : []);

  const play = async (/** @type {Level} */ level) => {
    const { grades: _grades, ...board } = boardOf(level);
    try {
      await game.open(board);
      app.go("play");
    } catch (error) {
      change(store, { problem: wordsFor(error) });
    }
  };
  const saveFile = (/** @type {Level[]} */ some) => {
    const [first] = some;
    if (first)
      save(
        new Blob([asFile(some)], { type: "application/jsonl" }),
        `${some.length === 1 ? first.name : "levels"}.jsonl`,
      );
  };
  const dialog = levelDialog(store, {
    play: (level) => void play(level),
    draw: ({ board, name, colours }) => {
      const looks = colours.map(([colour, fill]) => ({ colour, fill }));
      store.set({ entry: entryOf({ ...board, name }, looks) });
      app.go("enter");
    },
    grade: (level) => void begin((signal) => gradeLevels(store, [level], signal)),
    save: (level) => saveFile([level]),
    remove: ({ id }) => remove([id]),
  });
  /**
   * Begins something that takes a while, with the way to stop it at hand.
   * @param {(signal: AbortSignal) => Promise<void>} action
   */
  const begin = (action) => {
    const done = action(freshSignal());
    halt.focus({ preventScroll: true });
    return done;
  };
  const remove = (/** @type {number[]} */ ids) => {
    deleteLevels(store, ids);
    back.focus({ preventScroll: true });
  };
  const form = wishForm((wishes) => {
    const making = begin((signal) => makeLevels(store, wishes, signal));
    running.scrollIntoView();
    return making;
  });
  const ways = choices((wishes) => {
    const { puzzle } = store.state.settings;
    void begin((signal) => makeLevels(store, { ...wishes, puzzle, seed: randomSeed() }, signal));
  });
  const preview = h("section", { class: "card preview", "aria-label": "The level" });
  const tools = galleryTools(store, {
    open: () => chooseFile(FILES, (file) => void begin((signal) => importFile(store, file, signal))),
    draw: () => app.go("enter"),
    grade: () => void begin((signal) => gradeLevels(store, levels(), signal)),
    save: () => saveFile(levels()),
    remove: () => remove(levels().map(({ id }) => id)),
  });
  const gallery = cards(store, dialog.open);

  const status = h("p", { role: "status" });
  const problem = h("p", { class: "complaint", role: "alert" });
  const halt = button("stop", "Stop", stop);
  const back = button("undo", "Undo", () => undelete(store));
  const running = h("div", { class: "row running", tabindex: -1 }, status, back, halt);
  const wishes = h("details", { class: "card wishes" }, h("summary", {}, h("h2", {}, "By numbers")), form.element);
  const element = h(
    "main",
    { class: "plain making" },
    div("head", backButton(app), h("h1", {}, "Make levels")),
    ways,
    running,
    problem,
    preview,
    wishes,
    tools.element,
    gallery.element,
  );
  store.subscribe(({ making, given, screen }, before) => {
    if (given && screen === "make") {
      store.set({ given: null });
      void begin((signal) => importFile(store, given, signal));
    }
    if (!making || making === before.making) return;
    say(status, making.work || making.done);
    say(problem, making.problem);
    preview.hidden = !making.preview;
    if (making.preview && making.preview !== before.making?.preview) {
      const level = making.preview;
      const start = button("play", "Play", () => void play(level), { class: "primary" });
      const place = div("place");
      fill(preview, place, div("row", h("b", {}, level.name), h("span", {}, inShort(level)), start));
      drawIn(place, level.board, level.colours);
    }
    const hadFocus = running.contains(document.activeElement);
    halt.hidden = !making.work;
    back.hidden = making.before === null || making.work !== "";
    if (hadFocus) (making.work ? halt : running).focus({ preventScroll: true }); // what had it may be hidden now
    set(element, { "data-busy": making.work !== "" });
    form.tell(making.work !== "");
    tools.draw(making);
    gallery.draw(making);
  });
  return {
    title: "Make levels",
    element,
    shown: () => {
      openGallery(store);
    },
    left: dialog.close,
  };
}
