/** A board from a screenshot: look at what was found, correct what is doubtful, and get the moves. */

import { call, isAborted, Refusal, wordsFor } from "../core/api.js";
import { positionAfter } from "../core/ask.js";
import { button, div, fill, h, refusal, say, settled } from "../core/dom.js";
import { chooseFile } from "../core/files.js";
import { select, stepper, swatch, topBar } from "../core/parts.js";
import { counted } from "../core/steps.js";
import { unlike } from "../core/palette.js";
import {
  boardOf,
  coloursOn,
  doubtfulCell,
  foundIn,
  hasCovered,
  isSure,
  lookOf,
  withColour,
  withNewColour,
  withoutTop,
  withoutTube,
  withTubeAfter,
  wrongCounts,
} from "../picture/found.js";
import { Marker, nextCorner } from "../picture/marker.js";
import { nameOf, Overlay } from "../picture/overlay.js";
import { asQuery, isMarked, newRow, withCorner, withMoreCells, withMoreTubes, wrongMarks } from "../picture/rows.js";
import { PICTURES, sizesOf } from "../picture/shrink.js";

/** @import { FoundBoard, PictureWork, ShownRow } from "../types.d.ts" */
/** @import { Place } from "../picture/overlay.js" */

const PATIENCE = 150; // milliseconds without a change, after which the server is asked what it thinks
const COVERED = "Covered: not shown by the game";
const UNSEEN = "#888888"; // a colour that isn't in the picture
const EXPECTED = "This browser can't read the file. Expected a picture, such as PNG, JPEG, WebP or GIF.";
const STOPPED = { busy: false, problem: "Stopped.", failed: /** @type {const} */ ("unanswered") };
const REFUSED = "This board can't be played. Tap a wrong cell.";
const LONG = 10_000; // milliseconds of reading, after which other ways are named
const TAKES_LONG = "This takes long. Stop it to show where the tubes are, or to enter the board by hand.";
const IS_WHOLE = "Is the whole board in the picture?";
const CONTENT = { problem: "", why: "", failed: null };
const NOTHING = { ...CONTENT, bitmap: null, found: null, board: null, chosen: null, rows: [], row: null };

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store, game } = app;
  let work = new AbortController();
  /** @type {(() => Promise<import("../picture/shrink.js").Sent | null>) | null} what gives the picture as it was */
  let whole = null;

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
    store.set({ given: null, picture: { ...NOTHING, file: given, busy: true } });
    const sizes = await sizesOf(given);
    if (signal.aborted) return;
    if (!sizes) return change({ busy: false, problem: EXPECTED });
    whole = sizes.whole;
    change(sizes.small);
    await read();
  };

  const stop = () => {
    work.abort();
    change(STOPPED);
  };

  /** Reads the board, in the rows that a person has shown if there are any. */
  const read = async () => {
    const { picture } = store.state;
    if (!picture) return;
    const { signal } = (work = new AbortController());
    change({ busy: true, ...CONTENT });
    const late = setTimeout(() => change({ problem: TAKES_LONG }), LONG);
    signal.addEventListener("abort", () => clearTimeout(late));
    try {
      const found = await boardIn(picture, signal);
      if (signal.aborted) return;
      change({ busy: false, row: null });
      correct(found, doubtfulCell(found));
      const isAsked = !isSure(found) || (hasCovered(found) && found.puzzle === "water-sort");
      if (!isAsked && picture.row === null && store.state.screen === "picture") return void go();
      if (picture.row !== null) overlay.roving.focus();
      app.announce(inWords(found));
    } catch (error) {
      if (isAborted(error)) return;
      const refused = picture.row === null ? IS_WHOLE : "No cells were found at these dots.";
      change({ busy: false, ...failureOf(error, refused) });
    } finally {
      clearTimeout(late);
    }
  };

  /**
   * What a picture shows; in its whole size where the small one leaves doubts, or shows no board.
   * @param {PictureWork} picture @param {AbortSignal} signal @returns {Promise<FoundBoard>}
   */
  const boardIn = async ({ file, rows }, signal) => {
    const ask = async (/** @type {Blob} */ sent) => foundIn(await call(`read?${asQuery(rows)}`, sent, signal));
    const larger = rows.length ? null : whole;
    const first = ask(file);
    const small = await (larger ? first.catch((error) => (isRefused(error) ? null : Promise.reject(error))) : first);
    if (!larger || (small && isSure(small))) return small ?? first;
    const sent = await larger();
    const found = sent && (await ask(sent.file).catch((error) => (isAborted(error) ? Promise.reject(error) : null)));
    if (!found) return small ?? first;
    change(sent);
    whole = null;
    return found;
  };

  /** @param {FoundBoard} found @param {Place | null} chosen the cell to ask about next */
  const correct = (found, chosen) => {
    const problem = wrongCounts(found) || (found.doubts.length && !found.confirmed ? "Is it all as in your game?" : "");
    change({ ...CONTENT, found, chosen, problem, why: found.doubts.join("; ") });
    judge();
  };

  /** Asks the server whether the board can be played, unless wrong counts already say that it can't. */
  const judge = settled(async () => {
    const { picture } = store.state;
    if (!picture?.found || wrongCounts(picture.found)) return;
    try {
      await positionAfter({ board: boardOf(picture.found), moves: [] }, work.signal);
    } catch (error) {
      if (!isAborted(error) && store.state.picture?.found === picture.found) change(failureOf(error, REFUSED));
    }
  }, PATIENCE);

  // -- rows that a person shows ---------------------------------------------------------------------------

  const showRows = () => {
    const { picture } = store.state;
    if (!picture) return;
    change({ ...CONTENT, rows: picture.rows.length ? picture.rows : [newRow()], row: 0, chosen: null });
    marker.focus();
  };

  /** @param {number} at @param {(row: ShownRow) => ShownRow} how */
  const changeRow = (at, how) => {
    const { picture } = store.state;
    if (!picture) return;
    const rows = picture.rows.map((row, index) => (index === at ? how(row) : row));
    change({ ...CONTENT, rows, row: at, problem: wrongMarks(rows) });
  };

  /** Changes the row that is being shown. @param {(row: ShownRow) => ShownRow} how */
  const changeThisRow = (how) => changeRow(store.state.picture?.row ?? 0, how);

  const addRow = () => {
    const { picture } = store.state;
    if (!picture) return;
    change({ rows: [...picture.rows, newRow(picture.rows.at(-1))], row: picture.rows.length });
    marker.focus();
  };

  const removeRow = () => {
    const { picture } = store.state;
    if (!picture) return;
    const rows = picture.rows.filter((_, index) => index !== picture.row);
    change({ ...CONTENT, rows, row: rows.length - 1, problem: wrongMarks(rows) });
    another.focus();
  };

  const endRows = () => {
    const { picture } = store.state;
    if (!picture) return;
    change({ ...CONTENT, rows: [], row: null });
    if (picture.found) correct(picture.found, null);
    (picture.found ? elsewhere : where).focus();
  };

  const go = async () => {
    const { picture } = store.state;
    if (!picture?.found || picture.busy) return;
    const board = boardOf(picture.found);
    change({ ...CONTENT, busy: true, chosen: null, board });
    try {
      await game.open(board, [], "", lookOf(picture.found));
      change({ busy: false });
      app.go("follow");
    } catch (error) {
      change({ busy: false, ...failureOf(error, REFUSED) });
    }
  };

  // -- what is drawn ------------------------------------------------------------------------------------

  const overlay = new Overlay((chosen) => change({ chosen }));
  const marker = new Marker(
    (at, corner, point) => changeRow(at, (row) => withCorner(row, corner, point)),
    (row) => change({ row }),
  );
  overlay.element.append(marker.element);
  const area = div("picture-area", overlay.element);
  const said = h("p", { class: "sentence", role: "status" });
  const reveal = select({ run: "all cells of its colour that touch", cell: "one cell" }, () => setReveal());
  const revealing = h("label", { class: "revealing" }, "When a covered cell comes up, the game shows", reveal);
  const puzzle = select({ "water-sort": "all cells of one colour that touch", "ball-sort": "one cell" }, () =>
    setPuzzle(),
  );
  const moving = h("label", { class: "revealing" }, "A move takes", puzzle);
  const problem = refusal();
  const place = div("cell-sheet");
  const choose = () => chooseFile(PICTURES, (file) => void take(file));
  const other = button("camera", "Another picture", choose, { bare: true, class: "quiet" });
  const first = button("camera", "Choose a picture", choose, { class: "primary done" });
  const byHand = button("pencil", "Enter by hand", () => app.go("enter"), { class: "quiet" });
  const halt = button("stop", "Stop", stop, { class: "done" });
  const again = button("restart", "Try again", () => void read(), { class: "primary done" });
  const where = button(null, "Show where the tubes are", showRows, { class: "primary done" });
  const elsewhere = button(null, "Wrong tubes?", showRows, { class: "quiet", title: "Show where the tubes are" });
  const solve = button("solve", "Show me the moves", () => void go(), { class: "primary done" });
  const tubes = stepper("tubes", (by) => changeThisRow((row) => withMoreTubes(row, by)));
  const cells = stepper("cells", (by) => changeThisRow((row) => withMoreCells(row, by)));
  const sizes = div("steppers", tubes.element, cells.element);
  const another = button("board", "Another row", addRow, { class: "quiet" });
  const remove = button(null, "Remove this row", removeRow, { class: "quiet" });
  const cancel = button(null, "Cancel", endRows, { class: "quiet" });
  const readRows = button(null, "Read it", () => void read(), { class: "primary done" });
  const rowChoices = div("more", another, remove);

  const setReveal = () => {
    const found = store.state.picture?.found;
    if (found) correct({ ...found, reveal: reveal.value === "cell" ? "cell" : "run" }, null);
  };

  const setPuzzle = () => {
    const found = store.state.picture?.found;
    if (found) correct({ ...found, puzzle: puzzle.value, confirmed: true }, null);
  };

  /** @param {PictureWork | null} picture */
  const draw = (picture) => {
    const found = picture?.found ?? null;
    const row = picture?.row ?? null;
    area.hidden = !picture?.bitmap && !found;
    area.classList.toggle("whole", row !== null);
    say(said, sentence(picture));
    problem.tell(picture?.problem ?? "", picture?.why);
    problem.element.hidden = Boolean(picture?.chosen); // one thing at a time
    revealing.hidden =
      !found || row !== null || found.puzzle !== "water-sort" || !hasCovered(found) || Boolean(picture?.chosen);
    moving.hidden = !found?.doubts.length || row !== null || Boolean(picture?.chosen);
    if (found) reveal.value = found.reveal;
    if (found) puzzle.value = found.puzzle;
    solve.hidden = !found || row !== null;
    solve.disabled = !found || Boolean(picture?.busy) || wrongCounts(found) !== "" || picture?.failed === "refused";
    elsewhere.hidden = solve.hidden || Boolean(picture?.chosen) || !picture?.bitmap;
    byHand.hidden = Boolean(found) || row !== null || Boolean(picture?.busy);
    halt.hidden = !picture?.busy || (found !== null && row === null);
    first.hidden = byHand.hidden || Boolean(picture?.bitmap);
    again.hidden = byHand.hidden || picture?.failed !== "unanswered";
    where.hidden = byHand.hidden || !first.hidden || !again.hidden;
    fill(place, found && picture?.chosen ? question(found, picture.chosen) : null);
    drawRows(picture);
    if (!picture) return;
    overlay.show(picture); // when all else has taken its room
    marker.show(picture);
  };

  /** What is set of the rows that a person shows. @param {PictureWork | null} picture */
  const drawRows = (picture) => {
    const rows = picture?.rows ?? [];
    const row = rows[picture?.row ?? -1];
    for (const part of [sizes, rowChoices, cancel, readRows]) part.hidden = !row;
    if (!picture || !row) return;
    const isReady = rows.every(isMarked);
    tubes.tell(row.tubes);
    cells.tell(row.cells);
    sizes.hidden = !isMarked(row);
    another.hidden = !isReady;
    remove.hidden = rows.length === 1;
    rowChoices.hidden = another.hidden && remove.hidden;
    readRows.disabled = !isReady || picture.busy || wrongMarks(rows) !== "";
  };

  /** Asks which colour a cell has. @param {FoundBoard} found @param {Place} at */
  const question = (found, at) => {
    const tube = found.tubes[at.tube];
    const cell = tube?.cells[at.cell];
    const names = [
      ...new Set([
        ...(cell?.colour ? [cell.colour] : []),
        ...(cell?.alternatives ?? []),
        ...coloursOn(found),
        ...Object.keys(found.colours),
      ]),
    ];
    const next = (/** @type {FoundBoard} */ board) => correct(board, cell?.doubtful ? doubtfulCell(board, at) : null);
    const swatches = names.map((name) =>
      swatch(name, found.colours[name] ?? UNSEEN, () => next(withColour(found, at, name)), {
        "aria-pressed": String(name === cell?.colour),
      }),
    );
    const fresh = () => {
      const name = `colour ${Object.keys(found.colours).length + 1}`;
      next(withColour(withNewColour(found, name, unlike(Object.values(found.colours))), at, name));
    };
    const isTop = cell && tube && at.cell === tube.cells.length - 1;
    return h(
      "div",
      { class: "question", role: "group", "aria-label": `${nameOf(at)}: which colour?` },
      div(
        "head",
        h("h2", {}, `Tube ${at.tube + 1}: which colour is this?`),
        button("close", "Close", () => change({ chosen: null }), { bare: true }),
      ),
      div(
        "swatches",
        ...swatches,
        swatch("Another colour", "", fresh, {}, "+"),
        swatch("Covered", "", () => next(withColour(found, at, null)), { title: COVERED }, "?"),
      ),
      div(
        "more",
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
    topBar(app, h("h1", {}, "Your screenshot"), other),
    div("claim", said, elsewhere),
    area,
    place,
    moving,
    revealing,
    sizes,
    rowChoices,
    problem.element,
    div("row", halt, byHand, again, where, first, solve, cancel, readRows),
  );
  return { title: "Your screenshot", element };
}

/** @param {unknown} error */
function isRefused(error) {
  return error instanceof Refusal && error.status > 0 && error.status < 500;
}

/**
 * What to say of a question that failed.
 * @param {unknown} error @param {string} refused the sentence where it was refused
 * @returns {Pick<PictureWork, "problem" | "why" | "failed">}
 */
function failureOf(error, refused) {
  return isRefused(error)
    ? { problem: refused, why: wordsFor(error), failed: "refused" }
    : { problem: wordsFor(error), why: "", failed: "unanswered" };
}

/** What to do, or what is shown. @param {PictureWork | null} picture */
function sentence(picture) {
  if (!picture) return "Choose a screenshot, paste it, or drop it here.";
  const { busy, found, rows, row, bitmap, failed } = picture;
  if (busy && (!found || row !== null)) return "Reading the picture…";
  if (row !== null) {
    const next = nextCorner(rows);
    return next
      ? `Row ${next.row + 1}: tap the middle of the ${next.name} cell, even if empty.`
      : `Row ${row + 1}: set the numbers so that each cell has a dot in its middle.`;
  }
  if (found) return inWords(found);
  return bitmap && failed !== "unanswered" ? "The board wasn't found." : "The picture wasn't read.";
}

/** @param {FoundBoard} found */
function inWords(found) {
  const cells = found.tubes.flatMap(({ cells }) => cells);
  const covered = cells.filter(({ colour }) => colour === null).length;
  const doubtful = cells.filter((cell) => cell.doubtful).length;
  const parts = [
    counted(found.tubes.length, "tube"),
    counted(coloursOn(found).length, "colour"),
    covered && `${counted(covered, "covered cell")}`,
  ];
  return `${parts.filter(Boolean).join(", ")}${doubtful ? `. Doubtful: ${counted(doubtful, "cell")}, marked !` : ""}`;
}
