/** A board by hand: a size, then the colours. A moment after each change it is said what is proved of it. */

import { Roving } from "../board/roving.js";
import { isTubes } from "../board/tubes.js";
import { isAborted, wordsFor } from "../core/api.js";
import { positionAfter, solving } from "../core/ask.js";
import { button, div, group, h, redraw, refusal, say, settled, style } from "../core/dom.js";
import { onLetters } from "../core/keys.js";
import { keepOnScreen } from "../core/navigation.js";
import { select, stepper, swatch, header } from "../core/parts.js";
import { menu as menuOf, show } from "../core/sheet.js";
import { counted } from "../core/steps.js";
import * as entries from "../enter/entry.js";
import { rulesSheet } from "../enter/rules.js";
import { keepBoard } from "../make/work.js";

const COVERED = "Covered: not shown by the game";
const FIRST = "Tap colours from the top; ? if covered.";
const MOST_CAPACITY = 40;
const PATIENCE = 250; // milliseconds without a change, after which it is worth asking what is proved
const SECONDS = 5; // of the search for that

/** @param {App} app */
export function makeScreen(app) {
  const { store, game } = app;
  let work = new AbortController();

  /** Another entry, from which the one before can be had back. @param {(entry: Entry) => Entry} how */
  const change = (how) => {
    const { entry } = store.state;
    const next = entry && how(entry);
    if (next && next !== entry) store.set({ entry: { ...next, before: entry, after: null, problem: "" } });
  };
  const undo = () => {
    const { entry } = store.state;
    if (entry?.before) store.set({ entry: { ...entry.before, after: entry } });
  };
  const redo = () => {
    const { entry } = store.state;
    if (entry?.after) store.set({ entry: entry.after });
  };

  const puzzle = select(
    { "water-sort": "Water", "ball-sort": "Balls" },
    (value) => change((entry) => entries.withRules(entry, { puzzle: value })),
    { "aria-label": "Puzzle" },
  );
  const capacity = select(
    Object.fromEntries(Array.from({ length: MOST_CAPACITY }, (_, cells) => [cells + 1, `${cells + 1} high`])),
    (cells) => change((entry) => entries.withCapacity(entry, Number(cells))),
    { "aria-label": "Cells in a tube" },
  );
  const back = button("undo", "Undo", undo, { bare: true, class: "quiet" });
  const resize = (/** @type {number} */ tubes, /** @type {number} */ colours) =>
    change((entry) => entries.sized(entry, entry.tubes.length + tubes, Object.keys(entry.colours).length + colours));
  const tubes = stepper("tubes", (by) => resize(by, by));
  const colours = stepper("colours", (by) => resize(0, by));
  const board = div("entry-board");
  const cells = new Roving(board, ".cell-slot");
  const palette = group("swatches", "Colours");
  const others = group("swatches", "Other cells");
  const problem = refusal();
  const verdict = h("p", { role: "status" });
  const solve = button("solve", "Show me the moves", () => open("follow"), { class: "primary done" });
  const more = button("menu", "More", () => show(menu), { bare: true, class: "quiet" });

  // -- what becomes of it -------------------------------------------------------------------------------

  let busy = false;
  const trying = async (/** @type {(entry: Entry) => Promise<void>} */ action) => {
    const { entry } = store.state;
    if (!entry || busy) return;
    busy = true;
    try {
      await action(entry);
    } catch (error) {
      store.set({ entry: { ...entry, problem: wordsFor(error) } });
    } finally {
      busy = false;
    }
  };
  const open = (/** @type {"follow" | "play"} */ screen) =>
    void trying(async (entry) => {
      await game.open(entries.boardOf(entry), { look: entries.lookOf(entry) });
      app.go(screen);
    });
  const keep = () =>
    void trying(async (entry) => {
      const { name, ...content } = entries.boardOf(entry);
      const own = name === entries.NO_NAME ? "" : String(name);
      await keepBoard(store, content, own);
      app.go("make");
    });
  const inPlay = () => {
    const { position, look } = store.state;
    if (position && isTubes(position)) change(() => entries.entryOf(position.board, position.colours, look?.rows));
  };
  const menu = menuOf("More", [
    ["redo", "Redo", redo],
    ["list", "Rules and names", rulesSheet(store, change)],
    ["play", "Play it", () => open("play")],
    ["make", "Keep level", keep],
    ["board", "Empty board", () => change(entries.newEntry)],
    ["back", "The board in play", inPlay],
  ]);
  onLetters(store, { u: undo, y: redo }, (screen) => screen === "enter");

  const judge = settled(async () => {
    const { entry, screen } = store.state;
    if (!entry || screen !== "enter") return;
    const { signal } = (work = new AbortController());
    const asked = { board: entries.boardOf(entry), moves: [] };
    try {
      const { summary, hidden } = await positionAfter(asked, signal);
      if (hidden) return say(verdict, `${summary}.`);
      for await (const { event, data } of solving({ ...asked, seconds: SECONDS }, signal)) {
        if (event === "answer") say(verdict, solvedInWords(data));
        else if (event === "progress") say(verdict, boundsInWords(data.lower, data.upper));
      }
    } catch (error) {
      if (!isAborted(error)) say(verdict, wordsFor(error));
    }
  }, PATIENCE);

  // -- what is drawn ------------------------------------------------------------------------------------

  /** @param {Entry} entry */
  const draw = (entry) => {
    puzzle.value = String(entry.about.puzzle);
    capacity.value = String(entry.capacity);
    back.disabled = entry.before === null;
    tubes.tell(entry.tubes.length);
    colours.tell(Object.keys(entry.colours).length);
    drawBoard(entry);
    drawPalette(entry);
    problem.tell(entry.problem ? "There are no moves for this board." : entries.problemOf(entry), entry.problem);
    solve.disabled = !isReady(entry);
  };

  /** Ends what was asked about the board before, and asks about this one. @param {Entry} entry */
  const judgeAgain = (entry) => {
    work.abort();
    say(verdict, entries.isWhole(entry) ? "" : FIRST);
    if (isReady(entry)) judge();
    else judge.cancel();
  };

  /** @param {Entry} entry */
  const drawBoard = (entry) => {
    let first = 0;
    const rows = entry.rows.map((count) => {
      const row = entry.tubes.slice(first, first + count).map((_, place) => tubeOf(entry, first + place));
      first += count;
      return div("entry-row", ...row);
    });
    const columns = Math.max(...entry.rows);
    const tallest = Math.max(...entry.tubes.map((tube) => tube.cells.length));
    style(board, { "--rows": entry.rows.length, "--cells": tallest, "--columns": columns });
    redraw(board, ...rows);
    cells.refresh();
  };

  /** @param {Entry} entry @param {number} place */
  const tubeOf = (entry, place) => {
    const { cells = [], lock, takes = true, gives = true, accepts } = entry.tubes[place] ?? {};
    const slots = cells.map((inside, cell) => {
      const isNext = entry.at?.tube === place && entry.at.cell === cell;
      const words = inside ? [inside.covered && "covered", inside.colour].filter(Boolean).join(" ") : "open";
      const slot = h(
        "button",
        {
          class: "cell-slot",
          "data-next": isNext,
          "data-filled": inside !== null,
          "data-covered": inside?.covered,
          "aria-label": `Tube ${place + 1}, cell ${cell + 1} from the bottom: ${words}${isNext ? ", next" : ""}`,
          onclick: () => store.set({ entry: { ...entry, at: { tube: place, cell } } }),
        },
        inside?.covered ? "?" : "",
      );
      const look = entry.colours[inside?.colour ?? ""];
      if (look) style(slot, { [inside?.covered ? "border-color" : "background"]: look });
      return slot;
    });
    const isRuled = Boolean(lock || !takes || !gives || accepts?.length);
    const label = `Tube ${place + 1}${isRuled ? ", with rules" : ""}`;
    const properties = { "aria-label": label, "data-empty": entries.isEmpty(entry, place), "data-ruled": isRuled };
    return h("div", { class: "entry-tube", role: "group", ...properties }, ...slots.reverse());
  };

  /** @param {Entry} entry */
  const drawPalette = (entry) => {
    const put = (/** @type {EntryCell | null} */ inside) => () => change((now) => entries.put(now, inside));
    const swatches = Object.entries(entry.colours).map(([name, look]) => {
      const { missing, words, sign } = entries.left(entry, name);
      const more = { "data-colour": name, "data-used": missing <= 0, "aria-label": `${name}, ${words}`, title: name };
      return swatch(name, look, put({ colour: name, covered: false }), more, sign);
    });
    const covered = swatch("Covered", "", put({ colour: null, covered: true }), { title: COVERED }, "?");
    const clear = swatch("Nothing there", "", put(null), {}, "⌫");
    const turn = swatch("Cover or show", "", () => change(entries.turned), {}, "▦");
    redraw(palette, ...swatches);
    redraw(others, covered, clear, entries.chosenCell(entry)?.colour && turn);
  };

  store.subscribe((state, before) => {
    const { entry } = state;
    if (!entry || entry === before.entry) return;
    draw(entry);
    if (state.screen === "enter") keepThis(entry);
    if (entry.tubes !== before.entry?.tubes || entry.about !== before.entry.about) judgeAgain(entry);
  });

  addEventListener("popstate", () => {
    // What was changed while a sheet was open was kept with the sheet.
    if (history.state?.screen === "enter" && store.state.entry) keepThis(store.state.entry);
  });

  const element = h(
    "main",
    { class: "enter" },
    header(app, "back", ["Enter by hand", verdict], back, more),
    div("steppers", puzzle, capacity, tubes.element, colours.element),
    board,
    palette,
    problem.element,
    div("row", others, solve),
  );
  return {
    title: "Enter by hand",
    element,
    shown: () => {
      const { entry } = store.state;
      const kept = history.state?.entry;
      if (!entry) return store.set({ entry: entries.isEntry(kept) ? kept : entries.newEntry() });
      keepThis(entry);
      judgeAgain(entry);
    },
    left: () => work.abort(),
  };
}

/** Phones end pages in the background. @param {Entry} entry */
function keepThis(entry) {
  keepOnScreen({ entry: { ...entry, before: null, after: null } });
}

/** @param {Entry} entry */
function isReady(entry) {
  return entries.problemOf(entry) === "" && entries.isWhole(entry);
}

/** @param {SolveAnswer} found */
function solvedInWords({ status, length, lower_bound: low }) {
  if (status === "unsolvable") return "It has no solution, proved.";
  if (status === "optimal") return length ? `Solved in ${counted(length)} at best, proved.` : "It is solved already.";
  return boundsInWords(low, length);
}

/** What is proved while the search goes on. @param {number | null} low @param {number | null} high */
function boundsInWords(low, high) {
  const words = [low && `At least ${counted(low)}`, high !== null && `${high} are enough`].filter(Boolean);
  return words.length ? `${words.join(", ")}.` : "Nothing is proved yet.";
}
