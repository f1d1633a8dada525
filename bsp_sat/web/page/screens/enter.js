/**
 * A board by hand: choose its size, then tap the colours, tube by tube from the top. The next cell is chosen by itself.
 */

import { wordsFor } from "../core/api.js";
import { button, fill, h, refusal, style } from "../core/dom.js";
import { select, swatch } from "../core/parts.js";
import { stepper } from "../core/stepper.js";
import { boardOf, isEmpty, isWhole, left, lookOf, newEntry, problemOf, put, sized } from "../enter/entry.js";

/** @typedef {import("../types.d.ts").Entry} Entry */

const COVERED = "Covered: not shown by the game";
const CAPACITIES = [2, 3, 4, 5, 6, 7, 8, 10, 12];

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store, game } = app;
  const change = (/** @type {(entry: Entry) => Entry} */ how) => {
    const { entry } = store.state;
    if (entry) store.set({ entry: how(entry) });
  };

  const puzzle = select(
    [
      ["water-sort", "Water"],
      ["ball-sort", "Balls"],
    ],
    (value) => change((entry) => ({ ...entry, puzzle: value })),
    { "aria-label": "Puzzle" },
  );
  const capacity = select(
    CAPACITIES.map((cells) => [cells, `${cells} high`]),
    (cells) => change((entry) => sized(entry, entry.tubes.length, Object.keys(entry.colours).length, Number(cells))),
    { "aria-label": "Cells in a tube" },
  );
  const undo = button("undo", "Undo", () => change((entry) => entry.before ?? entry), { bare: true, class: "quiet" });
  const tubes = stepper("tubes", (by) =>
    change((entry) => sized(entry, entry.tubes.length + by, Object.keys(entry.colours).length + by, entry.capacity)),
  );
  const colours = stepper("colours", (by) =>
    change((entry) => sized(entry, entry.tubes.length, Object.keys(entry.colours).length + by, entry.capacity)),
  );
  const board = h("div", { class: "entry-board" });
  const palette = h("div", { class: "swatches", role: "group", "aria-label": "Colours" });
  const problem = refusal();
  const solve = button("solve", "Show me the moves", () => void go(), { class: "primary done" });
  let busy = false;

  const go = async () => {
    const { entry } = store.state;
    if (!entry || busy) return;
    busy = true;
    try {
      await game.open(boardOf(entry), [], "", lookOf(entry));
      app.go("follow");
    } catch (error) {
      store.set({ entry: { ...entry, problem: wordsFor(error) } });
    } finally {
      busy = false;
    }
  };

  /** @param {Entry} entry */
  const draw = (entry) => {
    puzzle.value = entry.puzzle;
    if (!CAPACITIES.includes(entry.capacity))
      capacity.append(h("option", { value: entry.capacity }, `${entry.capacity} high`));
    capacity.value = String(entry.capacity);
    undo.disabled = entry.before === null;
    tubes.tell(entry.tubes.length);
    colours.tell(Object.keys(entry.colours).length);
    drawBoard(entry);
    drawPalette(entry);
    problem.tell(entry.problem ? "There are no moves for this board." : problemOf(entry), entry.problem);
    solve.disabled = problemOf(entry) !== "" || !isWhole(entry);
  };

  /** @param {Entry} entry */
  const drawBoard = (entry) => {
    let first = 0;
    const rows = entry.rows.map((count) => {
      const row = entry.tubes.slice(first, first + count).map((cells, place) => {
        const tube = first + place;
        const buttons = cells.map((colour, cell) => {
          const isNext = entry.at?.tube === tube && entry.at.cell === cell;
          const inside = colour === undefined ? "open" : (colour ?? "covered");
          const slot = h(
            "button",
            {
              type: "button",
              class: "cell-slot",
              "data-next": isNext,
              "data-filled": colour !== undefined,
              "data-covered": colour === null,
              "aria-label": `Tube ${tube + 1}, cell ${cell + 1} from the bottom: ${inside}${isNext ? ", next" : ""}`,
              onclick: () => change((now) => ({ ...now, at: { tube, cell } })),
            },
            colour === null ? "?" : "",
          );
          const look = colour ? entry.colours[colour] : undefined;
          if (look) slot.style.setProperty("background", look);
          return slot;
        });
        return h(
          "div",
          { class: "entry-tube", role: "group", "aria-label": `Tube ${tube + 1}`, "data-empty": isEmpty(entry, tube) },
          ...buttons.reverse(),
        );
      });
      first += count;
      return h("div", { class: "entry-row" }, ...row);
    });
    const columns = Math.max(...entry.rows);
    style(board, { "--rows": entry.rows.length, "--cells": entry.capacity, "--columns": columns });
    fill(board, ...rows);
  };

  /** @param {Entry} entry */
  const drawPalette = (entry) => {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.colour;
    const swatches = Object.entries(entry.colours).map(([name, look]) => {
      const missing = left(entry, name);
      const state = missing > 0 ? `${missing} left` : missing === 0 ? "complete" : `${-missing} too many`;
      const more = { "data-colour": name, "data-used": missing <= 0, "aria-label": `${name}, ${state}`, title: name };
      return swatch(name, look, () => change((now) => put(now, name)), more, missing === 0 ? "✓" : missing);
    });
    const covered = swatch("Covered", "", () => change((now) => put(now, null)), { title: COVERED }, "?");
    const clear = swatch("Nothing there", "", () => change((now) => put(now, undefined)), {}, "⌫");
    fill(palette, ...swatches, covered, clear);
    if (focused)
      /** @type {HTMLElement | null} */ (palette.querySelector(`[data-colour="${CSS.escape(focused)}"]`))?.focus();
  };

  store.subscribe((state, before) => {
    if (state.entry && state.entry !== before.entry) draw(state.entry);
  });

  const element = h(
    "main",
    { class: "enter" },
    h(
      "div",
      { class: "slim" },
      button("back", "Back", () => app.back(), { bare: true, class: "quiet" }),
      h("h1", { class: "unseen" }, "Enter by hand"),
      puzzle,
      capacity,
      undo,
    ),
    h("div", { class: "steppers" }, tubes.element, colours.element),
    board,
    palette,
    problem.element,
    solve,
  );
  return {
    title: "Enter by hand",
    element,
    shown: () => {
      if (!store.state.entry) store.set({ entry: newEntry() });
    },
  };
}
