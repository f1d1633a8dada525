/** A board while it is entered by hand, perhaps incomplete. Each change makes a new entry. */

import { evenly } from "../board/fit.js";
import { unlike, FILLS } from "../core/palette.js";

export const NO_NAME = "My level"; // of a board that nobody has named
const MOST_TUBES = 100;
const MOST_COLOURS = 64;
const MOST_IN_A_ROW = 7;
const EMPTY = 2; // tubes that most levels leave empty
const OF_TUBES = ["tubes", "capacity", "capacities", "hidden", "locked", "any_in", "no_in", "no_out", "accepts"];
const OF_ANOTHER = ["order", "optimal", "contents", "colours", "source"]; // keys that a changed board can't keep

/** Fourteen tubes, none of them filled. @returns {Entry} */
export function newEntry() {
  const about = { name: NO_NAME, puzzle: "water-sort" };
  const nothing = { tubes: [], empty: 0, at: null, colours: {}, rows: [], before: null, after: null, problem: "" };
  return sized({ about, capacity: 4, ...nothing }, 14, 14 - EMPTY);
}

/** @param {any} value @param {object} model whether it has what the model has, each of the same type */
function isLike(value, model) {
  const typeOf = (/** @type {unknown} */ each) => (Array.isArray(each) ? "list" : each === null ? "null" : typeof each);
  const has = (/** @type {[string, unknown]} */ [key, each]) => typeOf(value[key]) === typeOf(each);
  return typeOf(value) === "object" && Object.entries(model).every(has);
}

/** Whether it is an entry of this form: the browser may have kept one of another form. @param {any} value */
export function isEntry(value) {
  const { at: _at, ...form } = newEntry();
  const isCell = (/** @type {any} */ cell) =>
    cell === null || (isLike(cell, { covered: true }) && [null, String(cell.colour)].includes(cell.colour));
  try {
    return (
      isLike(value, form) &&
      (value.at === null || isLike(value.at, { tube: 0, cell: 0 })) &&
      value.tubes.every((/** @type {any} */ tube) => isLike(tube, newTube(0)) && tube.cells.every(isCell)) &&
      Boolean(boardOf(value))
    );
  } catch {
    return false; // a lock isn't JSON
  }
}

/**
 * A board to be changed; colours that are numbers become names.
 * @param {Board} board a sort board, as the server writes it @param {{ colour: Colour, fill: string }[]} colours of it
 * @param {number[]} [rows] of its tubes, where that is known @returns {Entry}
 */
export function entryOf(board, colours, rows = []) {
  const fields = /** @type {any} */ (board);
  const { hidden, capacities, locked = [], accepts = {} } = fields;
  const has = (/** @type {string} */ key, /** @type {number} */ place) => (fields[key] ?? []).includes(place);
  const capacity = Number(board.capacity);
  const tubes = /** @type {(Colour | null)[][]} */ (board.tubes).map((tube, place) => ({
    cells: Array.from({ length: capacities?.[place] ?? capacity }, (_, cell) => {
      const colour = tube[cell];
      if (colour === undefined) return null;
      return colour === null
        ? { colour, covered: true }
        : { colour: String(colour), covered: Boolean(hidden?.[place]?.[cell]) };
    }),
    lock: lockOf(locked.find((/** @type {any} */ each) => each.tube === place)),
    takesAny: has("any_in", place),
    takes: !has("no_in", place),
    gives: !has("no_out", place),
    accepts: (accepts[place] ?? []).map(String),
  }));
  const about = Object.entries(board).filter(([key]) => !OF_TUBES.includes(key) && !OF_ANOTHER.includes(key));
  return {
    about: { name: NO_NAME, ...Object.fromEntries(about) },
    capacity,
    tubes,
    empty: tubes.length,
    at: null,
    colours: Object.fromEntries(colours.map(({ colour, fill }) => [String(colour), fill])),
    rows: rows.length ? rows : rowsOf(tubes.length),
    before: null,
    after: null,
    problem: "",
  };
}

/** @param {{ until: unknown } | undefined} locked as in files, where a name alone is a colour, and a number tubes */
function lockOf(locked) {
  if (!locked) return "";
  const { until } = locked;
  if (typeof until === "number") return JSON.stringify({ tubes: until });
  if (typeof until === "string") return JSON.stringify({ colour: until });
  const { colour } = Object(until);
  return JSON.stringify(colour === undefined ? until : { ...Object(until), colour: String(colour) });
}

/** @param {Entry} entry @returns {Board} */
export function boardOf({ about, capacity, tubes }) {
  const { reveal, ...others } = about;
  const cells = tubes.map((tube) => tube.cells.filter((cell) => cell !== null));
  const isCovered = (/** @type {EntryCell} */ { colour, covered }) => covered || colour === null;
  const places = [...tubes.keys()];
  const where = (/** @type {(tube: EntryTube) => boolean} */ is) =>
    places.filter((place) => is(/** @type {EntryTube} */ (tubes[place])));
  /** @type {Record<string, unknown[] | false>} */
  const lists = {
    capacities: tubes.some((tube) => tube.cells.length !== capacity) && tubes.map((tube) => tube.cells.length),
    hidden: cells.flat().some(isCovered) && cells.map((tube) => tube.map(isCovered)),
    locked: where(({ lock }) => lock !== "").map((tube) => ({ tube, until: JSON.parse(tubes[tube]?.lock ?? "") })),
    any_in: where(({ takesAny }) => takesAny),
    no_in: where(({ takes }) => !takes),
    no_out: where(({ gives }) => !gives),
  };
  const accepts = where(({ accepts }) => accepts.length > 0).map((place) => [place, tubes[place]?.accepts]);
  return {
    ...others,
    capacity,
    tubes: cells.map((tube) => tube.map(({ colour }) => colour)),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list && list.length)),
    ...(lists.hidden && reveal !== undefined && { reveal }),
    ...(accepts.length && { accepts: Object.fromEntries(accepts) }),
  };
}

/** @param {Entry} entry @returns {Look} */
export function lookOf({ rows, colours }) {
  return { rows, colours };
}

// -- changes --------------------------------------------------------------------------------------------

/** Another number of tubes or colours. @param {Entry} entry @param {number} tubes @param {number} colours */
export function sized(entry, tubes, colours) {
  const count = Math.max(2, Math.min(MOST_TUBES, tubes));
  const kept = Math.max(1, Math.min(MOST_COLOURS, count, colours));
  const fills = Object.fromEntries(Object.entries(entry.colours).slice(0, kept));
  while (Object.keys(fills).length < kept) addColour(fills);
  const all = Array.from({ length: count }, (_, place) => entry.tubes[place] ?? newTube(entry.capacity));
  const known = all.map((tube) => renamed(tube, (name) => (Object.hasOwn(fills, name) ? name : null)));
  return moved({ ...entry, tubes: known, empty: Math.max(0, count - kept), colours: fills, rows: rowsOf(count) }, null);
}

/** @param {number} capacity @returns {EntryTube} */
function newTube(capacity) {
  const cells = Array.from({ length: capacity }, () => null);
  return { cells, lock: "", takesAny: false, takes: true, gives: true, accepts: [] };
}

/** Adds a colour that isn't there yet. @param {Record<string, string>} fills */
function addColour(fills) {
  const usual = Object.entries(FILLS).find(([name]) => !Object.hasOwn(fills, name));
  const [name, fill] = usual ?? [`colour ${Object.keys(fills).length + 1}`, unlike(Object.values(fills))];
  fills[name] = fill;
}

/** @param {number} tubes */
const rowsOf = (tubes) => evenly(tubes, Math.ceil(tubes / MOST_IN_A_ROW));

/** A tube with other names of colours. @param {EntryTube} tube @param {(name: string) => string | null} nameOf */
function renamed(tube, nameOf) {
  const lock = tube.lock && JSON.parse(tube.lock);
  const key = lock?.colour && nameOf(lock.colour);
  return {
    ...tube,
    cells: tube.cells.map((cell) => {
      if (!cell || cell.colour === null) return cell;
      const colour = nameOf(cell.colour);
      return colour === null ? null : { ...cell, colour };
    }),
    lock: lock?.colour ? (key ? JSON.stringify({ ...lock, colour: key }) : "") : tube.lock,
    accepts: tube.accepts.flatMap((name) => nameOf(name) ?? []),
  };
}

/** Another name for a colour, if nothing else has it. @param {Entry} entry @param {string} from @param {string} to */
export function withName(entry, from, to) {
  if (!to || Object.hasOwn(entry.colours, to)) return entry;
  const nameOf = (/** @type {string} */ name) => (name === from ? to : name);
  return {
    ...entry,
    colours: Object.fromEntries(Object.entries(entry.colours).map(([name, fill]) => [nameOf(name), fill])),
    tubes: entry.tubes.map((tube) => renamed(tube, nameOf)),
  };
}

/** Another capacity for all tubes that have the usual one. @param {Entry} entry @param {number} capacity */
export function withCapacity(entry, capacity) {
  const isUsual = (/** @type {EntryTube} */ { cells }) => cells.length === entry.capacity;
  const tubes = entry.tubes.map((tube) => (isUsual(tube) ? holding(tube, capacity) : tube));
  return moved({ ...entry, capacity, tubes }, null);
}

/** A tube with another capacity. @param {EntryTube} tube @param {number} capacity @returns {EntryTube} */
export function holding(tube, capacity) {
  return { ...tube, cells: Array.from({ length: capacity }, (_, cell) => tube.cells[cell] ?? null) };
}

/** @param {Entry} entry @param {number} place @param {(tube: EntryTube) => EntryTube} how @returns {Entry} */
export function withTube(entry, place, how) {
  return { ...entry, tubes: entry.tubes.map((tube, at) => (at === place ? how(tube) : tube)) };
}

/** @param {Entry} entry @param {number} place @returns {Entry} */
export function withoutTube(entry, place) {
  const tubes = entry.tubes.filter((_, at) => at !== place);
  return { ...entry, tubes, rows: rowsOf(tubes.length), at: null };
}

/** Another value of a rule; undefined for the usual one. @param {Entry} entry @param {Board} rules @returns {Entry} */
export function withRules(entry, rules) {
  const about = Object.entries({ ...entry.about, ...rules }).filter(([, value]) => value !== undefined);
  return { ...entry, about: Object.fromEntries(about) };
}

/** Fills the next cell, and what is forced. @param {Entry} entry @param {EntryCell | null} inside null to clear it */
export function put(entry, inside) {
  const { at } = entry;
  if (!at) return entry;
  const filled = withCell(entry, at, inside);
  const colour = inside && forcedColour(filled); // what was just cleared stays open
  if (colour === null) return moved(filled, at);
  const tubes = filled.tubes.map((tube, place) =>
    isEmpty(filled, place) ? tube : { ...tube, cells: tube.cells.map((cell) => cell ?? { colour, covered: false }) },
  );
  return moved({ ...filled, tubes }, at);
}

/** @param {Entry} entry @param {Place} at @param {EntryCell | null} inside */
function withCell(entry, at, inside) {
  return withTube(entry, at.tube, (tube) => ({ ...tube, cells: tube.cells.with(at.cell, inside) }));
}

/** Covers the chosen cell, or shows it. @param {Entry} entry */
export function turned(entry) {
  const cell = chosenCell(entry);
  return entry.at && cell ? withCell(entry, entry.at, { ...cell, covered: !cell.covered }) : entry;
}

/** What is in the chosen cell. @param {Entry} entry */
export function chosenCell({ at, tubes }) {
  return (at && tubes[at.tube]?.cells[at.cell]) ?? null;
}

/** The next open cell after a place, from the top. @param {Entry} entry @param {Place | null} after */
function moved(entry, after) {
  const order = entry.tubes.flatMap(({ cells }, tube) =>
    isEmpty(entry, tube) ? [] : cells.map((_, cell) => ({ tube, cell: cells.length - 1 - cell })),
  );
  const from = after ? order.findIndex(({ tube, cell }) => tube === after.tube && cell === after.cell) + 1 : 0;
  const at = [...order.slice(from), ...order.slice(0, from)].find(
    ({ tube, cell }) => entry.tubes[tube]?.cells[cell] === null,
  );
  return { ...entry, at: at ?? null };
}

// -- what is known --------------------------------------------------------------------------------------

/** Whether a tube is one of those at the end that stay empty. @param {Entry} entry @param {number} tube */
export function isEmpty({ tubes, empty }, tube) {
  return tube >= tubes.length - empty && (tubes[tube]?.cells ?? []).every((cell) => cell === null);
}

/** Whether each colour has to fill tubes, all of one capacity. @param {Entry} entry */
function fillsTubes({ about, capacity, tubes }) {
  return (about.goal ?? "full") === "full" && tubes.every(({ cells }) => cells.length === capacity);
}

/** How many cells have each colour. @param {Entry} entry @returns {Map<string | null, number>} null for unknown ones */
function counts({ tubes }) {
  const found = new Map();
  for (const cell of tubes.flatMap(({ cells }) => cells))
    if (cell) found.set(cell.colour, (found.get(cell.colour) ?? 0) + 1);
  return found;
}

/** How many cells of a colour are still to come, and that in words. @param {Entry} entry @param {string} colour */
export function left(entry, colour) {
  const count = counts(entry).get(colour) ?? 0;
  if (!fillsTubes(entry)) return { missing: 1, words: `${count} there`, sign: String(count) };
  const missing = count && count % entry.capacity === 0 ? 0 : entry.capacity - count;
  if (!missing) return { missing, words: "complete", sign: "✓" };
  return { missing, words: missing > 0 ? `${missing} left` : `${-missing} too many`, sign: String(missing) };
}

/** The colour that all open cells have to have, if that is known. @param {Entry} entry */
function forcedColour(entry) {
  if (!fillsTubes(entry)) return null;
  const open = entry.tubes
    .flatMap(({ cells }, tube) => (isEmpty(entry, tube) ? [] : cells))
    .filter((cell) => cell === null).length;
  const missing = Object.keys(entry.colours).filter((colour) => left(entry, colour).missing > 0);
  const [only] = missing;
  return only !== undefined && missing.length === 1 && left(entry, only).missing === open ? only : null;
}

/** What stands in the way of solving, in words; empty if nothing is known. @param {Entry} entry */
export function problemOf({ tubes, at }) {
  const gap = tubes.findIndex(
    ({ cells }, tube) =>
      tube !== at?.tube && cells.some((cell, level) => cell !== null && level > 0 && cells[level - 1] === null),
  );
  return gap >= 0 ? `Tube ${gap + 1} has a gap below a colour.` : "";
}

/** Whether there are colours, and each can fill tubes: covered cells may be what is missing. @param {Entry} entry */
export function isWhole(entry) {
  const found = counts(entry);
  const isFull = (/** @type {number} */ count) => count % entry.capacity === 0;
  return found.size > 0 && (found.has(null) || !fillsTubes(entry) || [...found.values()].every(isFull));
}
