/** A board from a screenshot: look at what was found, correct what is doubtful, and get the moves. */

import { call, isAborted, prepare, Refusal, wordsFor } from "../core/api.js";
import { positionAfter } from "../core/ask.js";
import { button, div, group, h, redraw, refusal, set, settled } from "../core/dom.js";
import { chooseFile } from "../core/files.js";
import { field, select, stepper, swatch, header } from "../core/parts.js";
import { counted } from "../core/steps.js";
import { unlike } from "../core/palette.js";
import * as boards from "../picture/found.js";
import { Marker, nextCorner } from "../picture/marker.js";
import { nameOf, Overlay } from "../picture/overlay.js";
import { asQuery, isMarked, newRow, withCorner, withMore, wrongMarks } from "../picture/rows.js";
import { PICTURES, sizesOf } from "../picture/shrink.js";

const PATIENCE = 150; // milliseconds without a change, after which the server is asked what it thinks
const COVERED = "Covered: not shown by the game";
const UNSEEN = "#888888"; // a colour that isn't in the picture
const EXPECTED = "This browser can't read the file. Expected a picture, such as PNG, JPEG, WebP or GIF.";
const STOPPED = { busy: false, problem: "Stopped.", failed: /** @type {const} */ ("unanswered") };
const REFUSED = "This board can't be played. Tap a wrong cell.";
const LONGEST = 10_000; // milliseconds of reading, after which it ends: it takes a tenth of that where all is well
const TOOK_LONG = "Reading took too long. Show where the tubes are, or enter the board by hand.";
const IS_WHOLE = "Is the whole board in the picture?";
const SHOW = "Show where the tubes are";
const MAIN = { class: "primary done" };
const COMES = { run: "all cells of its colour that touch", cell: "one cell" };
const MOVES = { "water-sort": "all cells of one colour that touch", "ball-sort": "one cell" };
const CONTENT = { problem: "", why: "", failed: null };
const NOTHING = { ...CONTENT, bitmap: null, found: null, board: null, chosen: null, rows: [], row: null };

/** @param {App} app */
export function makeScreen(app) {
  const { store, game } = app;
  let work = new AbortController();
  /** @type {(() => Promise<import("../picture/shrink.js").Sent | null>) | null} what gives the picture as it was */
  let whole = null;

  /** @param {Partial<PictureWork> | ((picture: PictureWork) => Partial<PictureWork>)} changes */
  const change = (changes) => {
    const { picture } = store.state;
    const changed = picture && typeof changes === "function" ? changes(picture) : changes;
    if (picture) store.set({ picture: { ...picture, ...changed } });
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
    const late = new AbortController();
    let timer = 0;
    void prepare().then(() => (timer = setTimeout(() => late.abort(), LONGEST)));
    try {
      const found = await boardIn(picture, AbortSignal.any([signal, late.signal]));
      if (signal.aborted) return;
      change({ busy: false, row: null });
      correct(found, boards.doubtfulCell(found));
      const isAsked = !boards.isSure(found) || (boards.hasCovered(found) && found.puzzle === "water-sort");
      if (!isAsked && picture.row === null && store.state.screen === "picture") return void go();
      if (picture.row !== null) overlay.roving.focus();
      app.announce(inWords(found));
    } catch (error) {
      if (signal.aborted) return;
      if (isAborted(error)) return change({ busy: false, problem: TOOK_LONG, failed: "unanswered" });
      const refused = picture.row === null ? IS_WHOLE : "No cells were found at these dots.";
      change({ busy: false, ...failureOf(error, refused) });
    } finally {
      clearTimeout(timer);
    }
  };

  /** In its whole size if the small one leaves doubts. @param {PictureWork} picture @param {AbortSignal} signal */
  const boardIn = async ({ file, rows }, signal) => {
    const ask = async (/** @type {Blob} */ sent) => boards.foundIn(await call(`read?${asQuery(rows)}`, sent, signal));
    const larger = rows.length ? null : whole;
    const first = ask(file);
    const small = await (larger ? first.catch((error) => (isRefused(error) ? null : Promise.reject(error))) : first);
    if (!larger || (small && boards.isSure(small))) return small ?? first;
    const sent = await larger();
    const found = sent && (await ask(sent.file).catch(() => null));
    if (!found) return small ?? first;
    change(sent);
    whole = null;
    return found;
  };

  /** @param {FoundBoard} found @param {Place | null} chosen the cell to ask about next */
  const correct = (found, chosen) => {
    const problem =
      boards.wrongCounts(found) || (found.doubts.length && !found.confirmed ? "Is it all as in your game?" : "");
    change({ ...CONTENT, found, chosen, problem, why: found.doubts.join("; ") });
    judge();
  };

  /** Asks the server whether the board can be played, unless wrong counts already say that it can't. */
  const judge = settled(async () => {
    const { picture } = store.state;
    if (!picture?.found || boards.wrongCounts(picture.found)) return;
    try {
      await positionAfter({ board: boards.boardOf(picture.found), moves: [] }, work.signal);
    } catch (error) {
      if (!isAborted(error) && store.state.picture?.found === picture.found) change(failureOf(error, REFUSED));
    }
  }, PATIENCE);

  // -- rows that a person shows ---------------------------------------------------------------------------

  const showRows = () => {
    change(({ rows }) => ({ ...CONTENT, rows: rows.length ? rows : [newRow()], row: 0, chosen: null }));
    marker.focus();
  };

  /** @param {number} at @param {(row: ShownRow) => ShownRow} how */
  const changeRow = (at, how) =>
    change((picture) => {
      const rows = picture.rows.map((row, index) => (index === at ? how(row) : row));
      return { ...CONTENT, rows, row: at, problem: wrongMarks(rows) };
    });

  const addRow = () => {
    change(({ rows }) => ({ rows: [...rows, newRow(rows.at(-1))], row: rows.length }));
    marker.focus();
  };

  const removeRow = () =>
    change((picture) => {
      const rows = picture.rows.filter((_, index) => index !== picture.row);
      return { ...CONTENT, rows, row: rows.length - 1, problem: wrongMarks(rows) };
    });

  const endRows = () => {
    change({ ...CONTENT, rows: [], row: null });
    const found = store.state.picture?.found;
    if (found) correct(found, null);
  };

  const go = async () => {
    const { picture } = store.state;
    if (!picture?.found || picture.busy) return;
    const board = boards.boardOf(picture.found);
    change({ ...CONTENT, busy: true, chosen: null, board });
    try {
      await game.open(board, { look: boards.lookOf(picture.found) });
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
  const problem = refusal();
  const choose = () => chooseFile(PICTURES, (file) => void take(file));
  const other = button("camera", "Another picture", choose, { bare: true, class: "quiet" });
  const bar = header(app, "back", ["Your screenshot"], other);
  const element = h("main", { class: "picture-screen" });

  /**
   * @param {string} words @param {Record<string, string>} options @param {string} value
   * @param {(value: string) => Partial<FoundBoard>} how
   */
  const rule = (words, options, value, how) => {
    const set = (/** @type {string} */ chosen) => {
      const found = store.state.picture?.found;
      if (found) correct({ ...found, ...how(chosen) }, null);
    };
    return field(words, select(options, set, { value }));
  };

  /** @param {PictureWork | null} picture */
  const draw = (picture) => {
    const { found = null, bitmap = null, busy = false, failed = null, chosen = null } = picture ?? {};
    const row = picture?.rows[picture.row ?? -1] ?? null;
    const isFound = found !== null && !row;
    const isAsked = isFound && chosen !== null;
    const isSeen = isFound && chosen === null;
    const isIdle = !found && !row && !busy;
    set(element, { "data-marking": row !== null });
    problem.tell(picture?.problem ?? "", picture?.why);
    redraw(
      element,
      bar,
      div(
        "claim",
        h("p", { class: "sentence", role: "status" }, sentence(picture)),
        isSeen && bitmap && button(null, "Wrong tubes?", showRows, { class: "quiet", title: SHOW }),
      ),
      (bitmap || found) && area,
      div("cell-sheet", isAsked && question(found, chosen)),
      isSeen &&
        found.doubts.length > 0 &&
        rule("A move takes", MOVES, found.puzzle, (puzzle) => ({ puzzle, confirmed: true })),
      isSeen &&
        found.puzzle === "water-sort" &&
        boards.hasCovered(found) &&
        rule("When a covered cell comes up, the game shows", COMES, found.reveal, (reveal) => ({
          reveal: reveal === "run" ? "run" : "cell",
        })),
      ...(picture && row ? rowChoices(picture.rows, row) : []),
      !isAsked && problem.element, // one thing at a time
      div(
        "row",
        busy && !isFound && button("stop", "Stop", stop, { class: "done" }),
        isIdle && button("pencil", "Enter by hand", () => app.go("enter"), { class: "quiet" }),
        isIdle && bitmap && button(null, SHOW, showRows, { class: failed === "unanswered" ? "done" : "primary done" }),
        isIdle && failed === "unanswered" && button("restart", "Try again", read, MAIN),
        isIdle && !bitmap && button("camera", "Choose a picture", choose, MAIN),
        isFound && button("solve", "Show me the moves", go, { ...MAIN, disabled: !canGo(picture) }),
        row && button(null, "Cancel", endRows, { class: "quiet" }),
        row && button(null, "Read it", read, { ...MAIN, disabled: !canRead(picture) }),
      ),
    );
    if (!picture) return;
    overlay.show(picture); // when all else has taken its room
    marker.show(picture);
  };

  /** What is set of the rows that a person shows. @param {ShownRow[]} rows @param {ShownRow} row */
  const rowChoices = (rows, row) => {
    const size = (/** @type {"tubes" | "cells"} */ what) => {
      const { element, tell } = stepper(what, (by) => changeRow(rows.indexOf(row), (each) => withMore(each, what, by)));
      tell(row[what]);
      return element;
    };
    const isReady = rows.every(isMarked);
    return [
      isMarked(row) && div("steppers", size("tubes"), size("cells")),
      (isReady || rows.length > 1) &&
        div(
          "more",
          isReady && button("board", "Another row", addRow, { class: "quiet" }),
          rows.length > 1 && button(null, "Remove this row", removeRow, { class: "quiet" }),
        ),
    ];
  };

  /** Asks which colour a cell has. @param {FoundBoard} found @param {Place} at */
  const question = (found, at) => {
    const tube = found.tubes[at.tube];
    const cell = tube?.cells[at.cell];
    const likely = [cell?.colour ?? [], cell?.alternatives ?? []].flat();
    const names = [...new Set([...likely, ...boards.coloursOn(found), ...Object.keys(found.colours)])];
    const next = (/** @type {FoundBoard} */ board) =>
      correct(board, cell?.doubtful ? boards.doubtfulCell(board, at) : null);
    const swatches = names.map((name) =>
      swatch(name, found.colours[name] ?? UNSEEN, () => next(boards.withColour(found, at, name)), {
        "aria-pressed": String(name === cell?.colour),
      }),
    );
    const fresh = () => {
      const name = `colour ${Object.keys(found.colours).length + 1}`;
      next(boards.withColour(boards.withNewColour(found, name, unlike(Object.values(found.colours))), at, name));
    };
    const isTop = cell && tube && at.cell === tube.cells.length - 1;
    return group(
      "question",
      `${nameOf(at)}: which colour?`,
      div(
        "head",
        h("h2", {}, `Tube ${at.tube + 1}: which colour is this?`),
        button("close", "Close", () => change({ chosen: null }), { bare: true }),
      ),
      div(
        "swatches",
        ...swatches,
        swatch("Another colour", "", fresh, {}, "+"),
        swatch("Covered", "", () => next(boards.withColour(found, at, null)), { title: COVERED }, "?"),
      ),
      div(
        "more",
        isTop && button(null, "Nothing there", () => next(boards.withoutTop(found, at.tube)), { class: "quiet" }),
        button(null, "Remove tube", () => correct(boards.withoutTube(found, at.tube), null), { class: "quiet" }),
        button(null, "Add a tube", () => correct(boards.withTubeAfter(found, at.tube), null), { class: "quiet" }),
      ),
    );
  };

  store.subscribe((state, before) => {
    if (state.picture !== before.picture) draw(state.picture);
    if (state.given && state.screen === "picture") void take(state.given);
  });
  draw(store.state.picture);
  return { title: "Your screenshot", element };
}

/** @param {PictureWork | null} picture */
function canGo(picture) {
  return picture?.found && !picture.busy && !boards.wrongCounts(picture.found) && picture.failed !== "refused";
}

/** @param {PictureWork | null} picture */
function canRead(picture) {
  return picture && picture.rows.every(isMarked) && !picture.busy && !wrongMarks(picture.rows);
}

/** @param {unknown} error */
function isRefused(error) {
  return error instanceof Refusal && error.status > 0 && error.status < 500;
}

/** @param {unknown} error @param {string} refused what to say then @returns {Partial<PictureWork>} */
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
    counted(boards.coloursOn(found).length, "colour"),
    covered && `${counted(covered, "covered cell")}`,
  ];
  return `${parts.filter(Boolean).join(", ")}${doubtful ? `. Doubtful: ${counted(doubtful, "cell")}, marked !` : ""}`;
}
