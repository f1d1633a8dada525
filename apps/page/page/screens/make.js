/** Levels: one that gets better, drawn ones, and files of them. */

import { thumbnail, whenSeen } from "../board/picture.js";
import { wordsFor } from "../core/api.js";
import { button, div, group, h, redraw, say, set } from "../core/dom.js";
import { chooseFile, save } from "../core/files.js";
import { difficultyOf, optimumInWords } from "../core/measures.js";
import { field, header } from "../core/parts.js";
import { entryOf } from "../enter/entry.js";
import { CHOICES } from "../make/choices.js";
import { addLevels, change, openGallery, rename } from "../make/gallery.js";
import { asFile, boardOf, importFile, makeLevel, showReady } from "../make/work.js";

const FILES = ".json,.jsonl,.ndjson,.txt,text/plain,application/json";

/** @param {App} app */
export function makeScreen(app) {
  const { store, game } = app;
  let work = new AbortController();
  /** What was at work before ends. @param {(signal: AbortSignal) => Promise<void>} action */
  const begin = (action) => {
    work.abort();
    work = new AbortController();
    void action(work.signal);
  };
  const stop = () => work.abort();
  const open = (/** @type {File} */ file) => begin((signal) => importFile(store, file, signal));

  /** What is done with the level that is shown; it is kept from then on. @param {(level: OwnLevel) => void} action */
  const withLevel = (action) => () => {
    const { level } = store.state.making ?? {};
    if (!level) return;
    stop();
    if (!level.id) addLevels(store, [level]);
    action(/** @type {OwnLevel} */ (store.state.making?.level));
  };
  const play = withLevel(async (level) => {
    const { grades: _grades, ...board } = boardOf(level);
    try {
      await game.open(board);
      app.go("play");
    } catch (error) {
      change(store, { problem: wordsFor(error) });
    }
  });
  const draw = withLevel(({ board, name, colours }) => {
    const looks = colours.map(([colour, fill]) => ({ colour, fill }));
    store.set({ entry: entryOf({ ...board, name }, looks) });
    app.go("enter");
  });
  const saveFile = (/** @type {OwnLevel[]} */ levels, /** @type {string} */ name) =>
    save(new Blob([asFile(levels)], { type: "application/jsonl" }), `${name}.jsonl`);

  const kinds = Object.entries(CHOICES).map(([name, { word, says }]) => {
    const choose = () => begin((signal) => makeLevel(store, name, signal));
    const card = { class: "way-in raised", "data-choice": name, onclick: choose };
    return h("button", card, h("b", { class: "face" }, word), h("small", {}, says));
  });
  const place = div("place");
  const about = div("stack");
  const status = h("p", { role: "status" });
  const problem = h("p", { class: "complaint", role: "alert" });
  const halt = button("stop", "Stop", () => {
    running.focus({ preventScroll: true }); // the button goes
    stop();
  });
  const running = h("div", { class: "row running", tabindex: -1 });
  const kept = h("ul", { class: "levels" });
  const own = div(
    "row",
    button("board", "Open a file", () => chooseFile(FILES, open)),
    button("pencil", "Draw", () => app.go("enter")),
    button("share", "Save file", () => saveFile(store.state.making?.levels ?? [], "levels")),
  );
  const element = h(
    "main",
    { class: "plain making" },
    header(app, "back", ["Make levels"]),
    group("kinds", "Make a level", ...kinds),
    h("section", { class: "card preview", "aria-label": "The level" }, place, about),
    running,
    problem,
    h("h2", {}, "Your levels"),
    own,
    kept,
  );

  /** @param {OwnLevel} level @param {string} sort what was chosen */
  const drawLevel = (level, sort) => {
    const { id, name, board, summary } = level;
    const retype = (/** @type {{ target: HTMLInputElement }} */ { target }) =>
      target.value.trim() ? rename(store, level, target.value.trim()) : (target.value = name);
    const canChange = board.puzzle === "ball-sort" || board.puzzle === "water-sort";
    redraw(
      about,
      id ? field("Name", h("input", { type: "text", maxlength: 60, value: name, onchange: retype })) : h("b", {}, sort),
      h("span", {}, [inShort(level), summary].filter(Boolean).join(" · ")),
      div(
        "row",
        button("play", "Play", play, { class: "primary done" }),
        canChange && button("pencil", "Change", draw),
        button("share", "Save", () => saveFile([level], name || sort)),
      ),
    );
  };

  store.subscribe(({ making, given, screen }, before) => {
    if (given && screen === "make") {
      store.set({ given: null });
      open(given);
    }
    const last = before.making;
    if (!making || making === last) return;
    const { level, levels, choice } = making;
    say(status, making.work || making.done);
    say(problem, making.problem);
    redraw(running, status, making.work && halt);
    for (const card of kinds) set(card, { "aria-pressed": String(card.dataset.choice === choice) });
    if (level && level !== last?.level) {
      drawLevel(level, CHOICES[choice ?? ""]?.word ?? "");
      const shape = place.clientWidth / (place.clientHeight || 1);
      place.replaceChildren(thumbnail(level.board, level.colours, shape));
    }
    if (levels !== last?.levels) kept.replaceChildren(...levels.toReversed().map((each) => cardOf(store, each)));
  });
  return {
    title: "Make levels",
    element,
    shown: () => {
      openGallery(store);
      if (!store.state.making?.level) begin((signal) => showReady(store, "easy", signal));
    },
    left: stop,
  };
}

/** What is known of a level in a few words. @param {OwnLevel} level */
function inShort({ grades }) {
  if (!grades) return "";
  const optimum = grades.optimum && `${optimumInWords(grades.optimum)} moves`;
  return [optimum, difficultyOf(grades)].filter(Boolean).join(" · ");
}

/** @param {Store} store @param {OwnLevel} level */
function cardOf(store, level) {
  const show = () => {
    change(store, { level, choice: null });
    scrollTo({ top: 0 });
  };
  const picture = whenSeen(() => thumbnail(level.board, level.colours));
  const words = [h("b", {}, level.name), h("span", {}, inShort(level))];
  return h("li", {}, h("button", { onclick: show }, picture, ...words));
}
