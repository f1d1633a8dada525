/**
 * A board from a screenshot: look at what was found, correct what is doubtful, and get the moves.
 */

import { call, isAborted, wordsFor } from "../core/api.js";
import { button, fill, h, say, settled } from "../core/dom.js";
import { chooseFile } from "../core/files.js";
import { counted } from "../core/steps.js";
import { unlike } from "../board/palette.js";
import { boardOf, coloursOn, doubtfulCell, foundIn, hasCovered, lookOf, withColour, withNewColour, withoutTop, withoutTube, withTubeAfter, wrongCounts } from "../picture/found.js";
import { nameOf, Overlay } from "../picture/overlay.js";
import { PICTURES, shrunk } from "../picture/shrink.js";

/** @typedef {import("../types.d.ts").FoundBoard} FoundBoard */
/** @typedef {import("../types.d.ts").PictureWork} PictureWork */
/** @typedef {import("../picture/overlay.js").Place} Place */

const MOST_BYTES = 20_000_000;
const PATIENCE = 150; // milliseconds without a change, after which the server is asked what it thinks
const EXPECTED = "Expected a picture as PNG, JPEG or WebP.";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store, game } = app;
  let work = new AbortController();

  /** @param {Partial<PictureWork>} changes */
  const change = (changes) => {
    const { picture } = store.state;
    if (picture) store.set({ picture: { ...picture, ...changes } });
  };

  // -- what a person does -------------------------------------------------------------------------------

  /** Reads a picture. @param {File} given */
  const take = async (given) => {
    work.abort();
    const { signal } = (work = new AbortController());
    store.set({ given: null, picture: { file: given, bitmap: null, found: null, chosen: null, busy: true, problem: "" } });
    if (!PICTURES.includes(given.type)) return change({ busy: false, problem: EXPECTED });
    if (given.size > MOST_BYTES) return change({ busy: false, problem: `Expected a picture of at most ${MOST_BYTES / 1e6} MB.` });
    const { file, bitmap } = await shrunk(given);
    if (signal.aborted) return;
    change({ file, bitmap });
    await read();
  };

  const read = async () => {
    const { picture } = store.state;
    if (!picture) return;
    const { signal } = work;
    change({ busy: true, problem: "" });
    try {
      const found = foundIn(await call("read", picture.file, signal));
      if (signal.aborted) return;
      change({ busy: false });
      correct(found, doubtfulCell(found));
      app.announce(inWords(found));
    } catch (error) {
      if (!isAborted(error)) change({ busy: false, problem: wordsFor(error) });
    }
  };

  /** @param {FoundBoard} found @param {Place | null} chosen the cell to ask about next */
  const correct = (found, chosen) => {
    const problem = wrongCounts(found) || (found.doubts.length ? `Not sure: ${found.doubts.join("; ")}.` : "");
    change({ found, chosen, problem });
    if (!wrongCounts(found)) judge();
  };

  /** Asks the server whether the board can be played. */
  const judge = settled(async () => {
    const { picture } = store.state;
    if (!picture?.found) return;
    try {
      await call("position", { board: boardOf(picture.found), moves: [] }, work.signal);
    } catch (error) {
      if (!isAborted(error) && store.state.picture?.found === picture.found) change({ problem: wordsFor(error) });
    }
  }, PATIENCE);

  const go = async () => {
    const { picture } = store.state;
    if (!picture?.found || picture.busy) return;
    change({ busy: true, problem: "", chosen: null });
    try {
      await game.open(boardOf(picture.found), [], "", lookOf(picture.found));
      change({ busy: false });
      app.go("follow");
    } catch (error) {
      change({ busy: false, problem: wordsFor(error) });
    }
  };

  // -- what is drawn ------------------------------------------------------------------------------------

  const overlay = new Overlay((chosen) => change({ chosen }));
  const area = h("div", { class: "picture-area" }, overlay.element);
  const said = h("p", { class: "sentence", role: "status" });
  const reveal = h("select", { onchange: () => setReveal() }, h("option", { value: "run" }, "all cells of its colour that touch"), h("option", { value: "cell" }, "one cell"));
  const revealing = h("label", { class: "revealing" }, "When a covered cell comes up, the game shows", reveal);
  const problem = h("p", { class: "complaint", role: "alert" });
  const place = h("div", { class: "cell-sheet" });
  const other = button("camera", "Another picture", () => chooseFile(PICTURES.join(","), (file) => void take(file)), { bare: true, class: "quiet" });
  const byHand = button("pencil", "Enter by hand", () => app.go("enter"), { class: "quiet" });
  const again = button("restart", "Try again", () => void read());
  const solve = button("solve", "Show me the moves", () => void go(), { class: "primary done" });

  const setReveal = () => {
    const found = store.state.picture?.found;
    if (found) correct({ ...found, reveal: reveal.value === "cell" ? "cell" : "run" }, null);
  };

  /** @param {PictureWork | null} picture */
  const draw = (picture) => {
    const found = picture?.found ?? null;
    area.hidden = !picture?.bitmap && !found;
    if (picture) overlay.show(picture);
    say(said, !picture ? "Choose a screenshot, paste it, or drop it here." : found ? inWords(found) : picture.busy ? "Reading the picture…" : "The board wasn't found.");
    say(problem, picture?.problem ?? "");
    revealing.hidden = !found || found.puzzle !== "water-sort" || !hasCovered(found) || Boolean(picture?.chosen);
    if (found) reveal.value = found.reveal;
    solve.hidden = !found;
    solve.disabled = !found || Boolean(picture?.busy) || wrongCounts(found) !== "";
    again.hidden = !picture || Boolean(found) || picture.busy;
    byHand.hidden = Boolean(found) || Boolean(picture?.busy);
    fill(place, found && picture?.chosen ? question(found, picture.chosen) : null);
  };

  /**
   * Asks which colour a cell has.
   * @param {FoundBoard} found
   * @param {Place} at
   */
  const question = (found, at) => {
    const tube = found.tubes[at.tube];
    const cell = tube?.cells[at.cell];
    const names = [...new Set([...(cell?.colour ? [cell.colour] : []), ...(cell?.alternatives ?? []), ...coloursOn(found), ...Object.keys(found.colours)])];
    const next = (/** @type {FoundBoard} */ board) => correct(board, cell?.doubtful ? doubtfulCell(board, at) : null);
    const swatches = names.map((name) => {
      const swatch = h("button", { type: "button", class: "swatch", "aria-pressed": String(name === cell?.colour), "aria-label": name, title: name, onclick: () => next(withColour(found, at, name)) });
      swatch.style.setProperty("background", found.colours[name] ?? "#888888");
      return swatch;
    });
    const fresh = () => {
      const name = `colour ${Object.keys(found.colours).length + 1}`;
      next(withColour(withNewColour(found, name, unlike(Object.values(found.colours))), at, name));
    };
    const isTop = cell && tube && at.cell === tube.cells.length - 1;
    return h(
      "div",
      { class: "question", role: "group", "aria-label": `${nameOf(at)}: which colour?` },
      h("div", { class: "head" }, h("h2", {}, `Tube ${at.tube + 1}: which colour is this?`), button("close", "Close", () => change({ chosen: null }), { bare: true })),
      h(
        "div",
        { class: "swatches" },
        ...swatches,
        h("button", { type: "button", class: "swatch new", "aria-label": "Another colour", title: "Another colour", onclick: fresh }, "+"),
        h("button", { type: "button", class: "swatch new", "aria-label": "Covered", title: "Covered: not shown by the game", onclick: () => next(withColour(found, at, null)) }, "?"),
      ),
      h(
        "div",
        { class: "more" },
        isTop && button(null, "Nothing there", () => next(withoutTop(found, at.tube)), { class: "quiet" }),
        button(null, "Remove tube", () => correct(withoutTube(found, at.tube), null), { class: "quiet" }),
        button(null, "Add a tube", () => correct(withTubeAfter(found, at.tube), null), { class: "quiet" }),
      ),
    );
  };

  store.subscribe((state, before) => {
    if (state.picture !== before.picture) draw(state.picture);
    if (state.given && state.screen === "picture") void take(state.given);
  });
  draw(store.state.picture);

  const element = h(
    "main",
    { class: "picture-screen" },
    h("div", { class: "slim" }, button("back", "Back", () => history.back(), { bare: true, class: "quiet" }), h("h1", {}, "Your screenshot"), other),
    said,
    area,
    place,
    revealing,
    problem,
    h("div", { class: "row" }, again, byHand, solve),
  );
  return { title: "Your screenshot", element };
}

/** @param {FoundBoard} found */
function inWords(found) {
  const cells = found.tubes.flatMap(({ cells }) => cells);
  const covered = cells.filter(({ colour }) => colour === null).length;
  const doubtful = cells.filter((cell) => cell.doubtful).length;
  const parts = [counted(found.tubes.length, "tube"), counted(coloursOn(found).length, "colour"), covered && `${counted(covered, "covered cell")}`];
  return `${parts.filter(Boolean).join(", ")}${doubtful ? `. Doubtful: ${counted(doubtful, "cell")}, marked !` : ""}`;
}
