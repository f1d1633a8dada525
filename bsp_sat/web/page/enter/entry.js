/**
 * A board while it is entered by hand. Functions give back a new entry and leave the old one as it was.
 */

import { unlike, USUAL } from "../board/palette.js";

/** @import { Entry, Board, Look, Position } from "../types.d.ts" */
/** @typedef {{ tube: number, cell: number }} Place */

export const MOST_TUBES = 40;
export const MOST_COLOURS = 30;
const MOST_IN_A_ROW = 7;
const EMPTY = 2; // tubes that most levels leave empty

/** @param {number} tubes @param {number} capacity @param {string} puzzle @returns {Entry} */
export function newEntry(tubes = 14, capacity = 4, puzzle = "water-sort") {
  return sized(
    { puzzle, capacity, tubes: [], empty: EMPTY, at: null, colours: {}, rows: [], before: null, problem: "" },
    tubes,
    Math.max(1, tubes - EMPTY),
    capacity,
  );
}

/**
 * Another number of tubes, colours or cells; what was filled in stays where it still has a place.
 * @param {Entry} entry @param {number} tubes @param {number} colours @param {number} capacity
 * @returns {Entry}
 */
export function sized(entry, tubes, colours, capacity) {
  const count = Math.max(2, Math.min(MOST_TUBES, tubes));
  const kept = Math.max(1, Math.min(MOST_COLOURS, count, colours));
  const fills = Object.fromEntries(Object.entries(entry.colours).slice(0, kept));
  while (Object.keys(fills).length < kept) addColour(fills);
  const cells = Array.from({ length: count }, (_, tube) =>
    Array.from({ length: capacity }, (_, cell) => {
      const there = entry.tubes[tube]?.[cell];
      return there && !Object.hasOwn(fills, there) ? undefined : there;
    }),
  );
  return moved(
    {
      ...entry,
      capacity,
      tubes: cells,
      empty: Math.max(0, count - kept),
      colours: fills,
      rows: rowsOf(count),
      before: entry,
      problem: "",
    },
    null,
  );
}

/** Adds a colour that isn't there yet. @param {Record<string, string>} fills */
function addColour(fills) {
  const usual = Object.entries(USUAL).find(([name]) => !Object.hasOwn(fills, name));
  const [name, fill] = usual ?? [`colour ${Object.keys(fills).length + 1}`, unlike(Object.values(fills))];
  fills[name] = fill;
}

/** @param {number} tubes */
function rowsOf(tubes) {
  const rows = Math.ceil(tubes / MOST_IN_A_ROW);
  const columns = Math.ceil(tubes / rows);
  return Array.from({ length: rows }, (_, row) => Math.min(columns, tubes - row * columns));
}

/**
 * Fills the cell that is next, goes on to another one, and fills in what is forced.
 * @param {Entry} entry
 * @param {string | null | undefined} colour null for a covered cell, undefined to clear it
 * @returns {Entry}
 */
export function put(entry, colour) {
  const { at } = entry;
  if (!at) return entry;
  const tubes = entry.tubes.map((cells, tube) =>
    tube === at.tube ? cells.map((there, cell) => (cell === at.cell ? colour : there)) : cells,
  );
  const filled = { ...entry, tubes, before: entry, problem: "" };
  const forced = forcedColour(filled);
  const whole =
    forced === null
      ? filled
      : {
          ...filled,
          tubes: tubes.map((cells, tube) =>
            isEmpty(filled, tube) ? cells : cells.map((there) => (there === undefined ? forced : there)),
          ),
        };
  return moved(whole, at);
}

/**
 * The next open cell after a place, in the order of reading: tube by tube, from the top.
 * @param {Entry} entry
 * @param {Place | null} after
 * @returns {Entry}
 */
function moved(entry, after) {
  const order = entry.tubes.flatMap((cells, tube) =>
    isEmpty(entry, tube) ? [] : cells.map((_, cell) => ({ tube, cell: cells.length - 1 - cell })),
  );
  const from = after ? order.findIndex(({ tube, cell }) => tube === after.tube && cell === after.cell) + 1 : 0;
  const at = [...order.slice(from), ...order.slice(0, from)].find(
    ({ tube, cell }) => entry.tubes[tube]?.[cell] === undefined,
  );
  return { ...entry, at: at ?? null };
}

/**
 * Whether a tube is one of those that stay empty: at the end, and nothing was put there.
 * @param {Entry} entry
 * @param {number} tube
 */
export function isEmpty({ tubes, empty }, tube) {
  return tube >= tubes.length - empty && (tubes[tube] ?? []).every((colour) => colour === undefined);
}

/** How many cells of a colour are still to come. @param {Entry} entry @param {string} colour */
export function left({ tubes, capacity }, colour) {
  return capacity - tubes.flat().filter((each) => each === colour).length;
}

/** The colour that all open cells have to have, if that is known. @param {Entry} entry */
function forcedColour(entry) {
  const open = entry.tubes
    .flatMap((cells, tube) => (isEmpty(entry, tube) ? [] : cells))
    .filter((colour) => colour === undefined).length;
  const missing = Object.keys(entry.colours).filter((colour) => left(entry, colour) > 0);
  const [only] = missing;
  return only !== undefined && missing.length === 1 && left(entry, only) === open ? only : null;
}

/** What stands in the way of solving, in words; empty if nothing is known. @param {Entry} entry */
export function problemOf({ tubes, at }) {
  const gap = tubes.findIndex(
    (cells, tube) =>
      tube !== at?.tube &&
      cells.some((colour, cell) => colour !== undefined && cell > 0 && cells[cell - 1] === undefined),
  );
  return gap >= 0 ? `Tube ${gap + 1} has a gap below a colour.` : "";
}

/** Whether there are colours, and each can fill tubes: covered cells may be what is missing. @param {Entry} entry */
export function isWhole({ tubes, capacity }) {
  const cells = tubes.flat().filter((colour) => colour !== undefined);
  const counts = [...new Set(cells)].map((colour) => cells.filter((each) => each === colour).length);
  return cells.length > 0 && (cells.includes(null) || counts.every((count) => count % capacity === 0));
}

/** @param {Entry} entry @returns {Board} */
export function boardOf({ puzzle, capacity, tubes }) {
  const filled = tubes.map((cells) => cells.filter((colour) => colour !== undefined));
  const covered = filled.some((cells) => cells.includes(null));
  return {
    name: "My level",
    puzzle,
    capacity,
    tubes: filled,
    ...(covered && { hidden: filled.map((cells) => cells.map((colour) => colour === null)) }),
  };
}

/** @param {Entry} entry @returns {Look} */
export function lookOf({ rows, colours }) {
  return { rows, colours };
}

/** A position to be corrected by hand. @param {Position} position @param {Look | null} look @returns {Entry} */
export function entryOf(position, look) {
  const tubes = /** @type {(string | number | null)[][]} */ (position.position.tubes ?? []);
  const capacity = Number(position.position.capacity ?? 4);
  const cells = tubes.map((tube) =>
    Array.from({ length: capacity }, (_, cell) =>
      cell < tube.length ? (tube[cell] === null ? null : String(tube[cell])) : undefined,
    ),
  );
  const colours = Object.fromEntries(position.colours.map(({ colour, fill }) => [String(colour), fill]));
  const rows = look?.rows.length ? look.rows : rowsOf(tubes.length);
  return {
    puzzle: position.puzzle,
    capacity,
    tubes: cells,
    empty: tubes.length,
    at: null,
    colours,
    rows,
    before: null,
    problem: "",
  };
}
