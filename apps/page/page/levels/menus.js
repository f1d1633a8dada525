/** Sheets of the screen with levels: which level, kept games, and all else. */

import { wordsFor } from "../core/api.js";
import { button, div, group, h, isCalm, redraw, say, style } from "../core/dom.js";
import { deleteGame, nameOf as nameOfGame, openGame } from "../core/games.js";
import { read, write } from "../core/kept.js";
import { areKeysOn, switchKeys } from "../core/keys.js";
import { openPart } from "../core/load.js";
import { check } from "../core/parts.js";
import { menu, opening, sheet } from "../core/sheet.js";
import { beats, counted } from "../core/steps.js";
import { nextTheme } from "../core/theme.js";
import { changeSettings, nextLevel, openLevel } from "./open.js";
import { capital, DIFFICULTIES, loadPacks, PUZZLES, shortNameOf, today } from "./packs.js";
import { daysInARow, MOST_STARS, starsOf } from "./results.js";

const CHAPTER = 10; // levels
const IN_A_ROW = 5;
const KEYS =
  "1 … 9, 0: choose a tube. U, Y: undo, redo. R: restart. H: hint. S: solve. P: play the plan, or pause. " +
  "N: new level. B: another board. Esc: choose nothing.";

/** The sheets with levels and with all else. @param {App} app @param {() => void} opened @param {Controls} controls */
export function makeMenus(app, opened, controls) {
  return { levels: { open: levelsMenu(app, opened) }, more: { open: moreMenu(app, gamesMenu(app, opened), controls) } };
}

/** Kind and number of a level. @param {App} app @param {() => void} opened called when a level was opened */
function levelsMenu(app, opened) {
  const { store } = app;
  const complaint = h("p", { class: "complaint", role: "alert" });
  const go = async (/** @type {Level} */ level) => {
    try {
      await openLevel(app, level);
      element.close();
      opened();
    } catch (error) {
      say(complaint, wordsFor(error));
    }
  };
  const kinds = group("kinds", "Balls or water");
  const difficulties = group("kinds", "How hard");
  const first = div("row");
  const sofar = h("p", { class: "fine" });
  const chapters = div("chapters");
  const ask = forgetSheet();
  const forget = () => {
    element.close();
    ask();
  };
  const forgetting = button(null, "Forget what I solved…", forget, { class: "quiet" });
  const element = sheet("Levels", kinds, difficulties, first, complaint, sofar, chapters, forgetting);

  /** @param {string} label @param {boolean} isChosen @param {Partial<Settings>} changes */
  const segment = (label, isChosen, changes) => {
    const choose = () => {
      changeSettings(store, changes);
      void draw();
    };
    return h("button", { "aria-pressed": String(isChosen), onclick: choose }, label);
  };
  const draw = async () => {
    const all = await loadPacks().catch(() => null);
    if (!all) return;
    const { puzzle, difficulty } = store.state.settings;
    const kept = read("results");
    say(complaint, "");
    redraw(kinds, ...Object.entries(PUZZLES).map(([key, label]) => segment(label, key === puzzle, { puzzle: key })));
    redraw(difficulties, ...DIFFICULTIES.map((key) => segment(capital(key), key === difficulty, { difficulty: key })));
    const next = await nextLevel({ puzzle, difficulty, number: -1 });
    const daily = all.daily(puzzle, today());
    const isDone = kept.days.includes(today());
    redraw(
      first,
      button("play", capital(shortNameOf(next)), () => void go(next), { class: "primary" }),
      button(isDone ? "solve" : null, `Daily level${isDone ? ", solved" : ""}`, () => void go(daily)),
    );
    const levels = all.of(puzzle, difficulty);
    const steps = levels.map((level) => {
      const stars = starsOf(level, kept);
      return { level, stars, element: stepOf(level, stars, level.number === next.number, () => void go(level)) };
    });
    const solved = steps.filter(({ stars }) => stars > 0).length;
    const sum = steps.reduce((total, { stars }) => total + stars, 0);
    const days = daysInARow(kept);
    const row = days > 1 ? `, the daily level on ${days} days in a row` : "";
    say(sofar, `${solved} of ${steps.length} solved, ${sum} of ${MOST_STARS * steps.length} stars${row}.`);
    const starts = steps.flatMap((_, at) => (at % CHAPTER ? [] : [at]));
    redraw(chapters, ...starts.map((start) => chapter(steps.slice(start, start + CHAPTER))));
    chapters.querySelector("[data-next]")?.scrollIntoView({ block: "nearest" });
  };
  return opening(element, draw);
}

/** Ten levels along a path. @param {{ level: Level, stars: number, element: HTMLElement }[]} steps */
function chapter(steps) {
  // The second row goes back to the left.
  steps.slice(IN_A_ROW).forEach(({ element }, at) => style(element, { "grid-area": `2 / ${IN_A_ROW - at}` }));
  const numbers = steps.map(({ level }) => level.number + 1);
  const colours = new Set(steps.flatMap(({ level }) => [new Set(level.balls).size]));
  const stars = steps.reduce((sum, step) => sum + step.stars, 0);
  return h(
    "section",
    {},
    h("h3", {}, `Levels ${numbers[0]} to ${numbers.at(-1)}`),
    h("p", { class: "fine" }, `${[...colours].join(" and ")} colours, ${stars} of ${MOST_STARS * steps.length} stars`),
    h("ol", { class: "path" }, ...steps.map(({ element }) => element)),
  );
}

/** @param {Level} level @param {number} stars @param {boolean} isNext @param {() => void} action */
function stepOf(level, stars, isNext, action) {
  const label =
    `${capital(shortNameOf(level))}${stars ? `, solved, ${counted(stars, "star")}` : ""}, ` +
    `best possible ${level.optimum}`;
  const shown = h("small", { "aria-hidden": "true" }, "★".repeat(stars));
  const step = { class: "step face", "aria-label": label, onclick: action };
  const number = String(level.number + 1);
  return h("li", {}, h("button", { ...step, "data-next": isNext, "data-solved": stars > 0 }, number), shown);
}

/** The games that were begun. @param {App} app @param {() => void} opened called when a game was opened */
function gamesMenu(app, opened) {
  const list = h("ul", { class: "kept-games" });
  const empty = h("p", { class: "fine" });
  const element = sheet("Your games", empty, list);
  const draw = () => {
    const games = read("games");
    const others = games.filter(({ made }) => made.length > 0);
    say(empty, others.length ? "Kept in this browser alone." : "No game has been begun.");
    redraw(list, ...others.map(entry));
  };
  const entry = (/** @type {KeptGame} */ kept) => {
    const name = nameOfGame(kept);
    const words = `${kept.solved ? "solved in " : ""}${counted(beats(kept.made))}`;
    const go = async () => {
      try {
        await openGame(app, kept);
        element.close();
        opened();
      } catch (error) {
        say(empty, wordsFor(error));
      }
    };
    const remove = () => {
      deleteGame(kept);
      draw();
      /** @type {HTMLElement | null} */ (element.querySelector("button"))?.focus();
    };
    return h(
      "li",
      {},
      h("button", { onclick: go }, h("b", {}, name), h("small", {}, words)),
      button("close", `Delete ${name}`, remove, { bare: true, class: "quiet" }),
    );
  };
  return opening(element, draw);
}

/** All else. @param {App} app @param {() => void} games opens these @param {Controls} controls */
function moreMenu(app, games, controls) {
  const { store } = app;
  const switches = div("more-rows");
  const element = menu(
    "More",
    [
      ["restart", "Start again", () => void controls.startAgain()],
      ["forward", "Another level", () => void controls.openNext()],
      ["play", "Your games", games],
      ["hint", "Analyse this board", () => app.go("play")],
      ["share", "Share", () => void openPart(app, app.shareDialog)],
      ["board", "Another board", () => void openPart(app, app.enterDialog)],
      ["theme", "Light or dark", () => app.announce(nextTheme())],
    ],
    switches,
  );
  return opening(element, () => {
    const { letters, sounds, vibration, proof } = store.state.settings;
    redraw(
      switches,
      check("Letters on colours", letters, (letters) => changeSettings(store, { letters })),
      check("Moves left, at the top", proof !== "hidden", (on) =>
        changeSettings(store, { proof: on ? "number" : "hidden" }),
      ),
      check("Sounds", Boolean(sounds), (sounds) => changeSettings(store, { sounds })),
      check("Vibration", vibration, (vibration) => changeSettings(store, { vibration })),
      isCalm() && h("p", { class: "fine" }, "Your system asks for less motion: nothing moves, sounds or vibrates."),
      ...(matchMedia("(hover: hover)").matches
        ? [check("Letters and digits on the keyboard play", areKeysOn(), switchKeys), h("p", { class: "fine" }, KEYS)]
        : []),
    );
  });
}

/** Asks before all stars are deleted, and brings them back. */
function forgetSheet() {
  const words = h("p", { role: "status" });
  const actions = div("row");
  const element = sheet("Forget what I solved", words, actions);
  const draw = () => {
    const kept = read("results");
    const solved = counted(Object.keys(kept.best).length, "level");
    say(words, `The stars of ${solved} and the days of the daily level will be deleted.`);
    const forget = () => {
      write("results", { best: {}, days: [] });
      say(words, `${solved} forgotten.`);
      redraw(actions, button("undo", "Undo", undo));
    };
    const undo = () => {
      write("results", kept);
      draw();
    };
    const keep = button(null, "Keep them", () => element.close());
    redraw(actions, button("close", "Forget them", forget), keep);
  };
  return opening(element, draw);
}
