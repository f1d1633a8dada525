/**
 * A sort board while it is being drawn: it may be incomplete, and no rule is asked yet.
 */

/** @import { Board, Colour } from "../types.d.ts" */
/** @typedef {{ colour: Colour | null, covered: boolean }} DraftCell */
/**
 * @typedef {{ capacity: number, cells: DraftCell[], lock: string, takes: boolean, gives: boolean, accepts: Colour[] }}
 *   DraftTube
 */

const NAMES = [
  "red",
  "blue",
  "yellow",
  "green",
  "purple",
  "orange",
  "cyan",
  "pink",
  "brown",
  "lime",
  "teal",
  "navy",
  "grey",
  "maroon",
  "white",
  "black",
];

export const NO_NAME = "drawn"; // the name of boards without one

/** Keys of a board that the drawing decides; others are kept as they were. */
const DRAWN = [
  "tubes",
  "capacity",
  "capacities",
  "hidden",
  "locked",
  "no_in",
  "no_out",
  "accepts",
  "puzzle",
  "goal",
  "reveal",
  "partial",
  "cork",
  "order",
  "optimal",
  "contents",
  "colours",
  "source",
];

export class Draft {
  constructor() {
    this.puzzle = "ball-sort";
    this.capacity = 4;
    this.goal = "full";
    this.reveal = ""; // what a move takes, unless it is chosen
    this.partial = true;
    this.cork = false;
    /** @type {DraftTube[]} */
    this.tubes = [];
    /** @type {Colour[]} */
    this.palette = NAMES.slice(0, 4);
    /** @type {Board} */
    this.rest = { name: NO_NAME };
    for (let count = 0; count < 6; count++) this.addTube();
  }

  /** @param {Board} board a sort board, as the server writes it */
  static of(board) {
    const draft = new Draft();
    const tubes = /** @type {(Colour | null)[][]} */ (board.tubes ?? []);
    const capacities = /** @type {number[] | undefined} */ (board.capacities);
    const hidden = /** @type {boolean[][] | undefined} */ (board.hidden);
    const locked = /** @type {{ tube: number, until: unknown }[]} */ (board.locked ?? []);
    const accepts = /** @type {Record<string, Colour[]>} */ (board.accepts ?? {});
    draft.puzzle = String(board.puzzle ?? "ball-sort");
    draft.capacity = Number(board.capacity);
    draft.goal = String(board.goal ?? "full");
    draft.reveal = String(board.reveal ?? "");
    draft.partial = board.partial !== false;
    draft.cork = board.cork === true;
    draft.palette = [...new Set(tubes.flat().filter((colour) => colour !== null))];
    draft.tubes = tubes.map((tube, place) => ({
      capacity: capacities?.[place] ?? draft.capacity,
      cells: tube.map((colour, level) => ({ colour, covered: Boolean(hidden?.[place]?.[level]) })),
      lock: lockInWords(locked.find((each) => each.tube === place)?.until),
      takes: !(/** @type {number[]} */ (board.no_in ?? []).includes(place)),
      gives: !(/** @type {number[]} */ (board.no_out ?? []).includes(place)),
      accepts: accepts[String(place)] ?? [],
    }));
    draft.rest = Object.fromEntries(Object.entries(board).filter(([key]) => !DRAWN.includes(key)));
    return draft;
  }

  /** @returns {Board} */
  toBoard() {
    const { tubes } = this;
    const places = tubes.map((_, place) => place);
    const own = tubes.some((tube) => tube.capacity !== this.capacity);
    const covered = tubes.some(({ cells }) => cells.some((cell) => cell.covered || cell.colour === null));
    const locked = places.flatMap((place) => {
      const until = lockOf(tubes[place]?.lock ?? "", this.palette);
      return until === null ? [] : [{ tube: place, until }];
    });
    const noIn = places.filter((place) => !tubes[place]?.takes);
    const noOut = places.filter((place) => !tubes[place]?.gives);
    const accepts = places.flatMap((place) =>
      tubes[place]?.accepts.length ? [[String(place), tubes[place]?.accepts]] : [],
    );
    return {
      ...this.rest,
      puzzle: this.puzzle,
      capacity: this.capacity,
      tubes: tubes.map(({ cells }) => cells.map(({ colour }) => colour)),
      ...(own && { capacities: tubes.map(({ capacity }) => capacity) }),
      ...(covered && { hidden: tubes.map(({ cells }) => cells.map((cell) => cell.covered || cell.colour === null)) }),
      ...(covered && this.reveal && { reveal: this.reveal }),
      ...(locked.length && { locked }),
      ...(noIn.length && { no_in: noIn }),
      ...(noOut.length && { no_out: noOut }),
      ...(accepts.length && { accepts: Object.fromEntries(accepts) }),
      ...(this.goal !== "full" && { goal: this.goal }),
      ...(!this.partial && { partial: false }),
      ...(this.cork && { cork: true }),
    };
  }

  addTube() {
    this.tubes.push({ capacity: this.capacity, cells: [], lock: "", takes: true, gives: true, accepts: [] });
  }

  /** @returns {Colour} a colour that the board hasn't yet */
  addColour() {
    const spare = NAMES.find((name) => !this.palette.includes(name));
    const colour = spare ?? `colour ${this.palette.length + 1}`;
    this.palette.push(colour);
    return colour;
  }

  /** @param {Colour} from @param {string} to @returns {boolean} whether nothing else has the name */
  rename(from, to) {
    if (!to || this.palette.includes(to)) return false;
    const swap = (/** @type {Colour} */ colour) => (colour === from ? to : colour);
    this.palette = this.palette.map(swap);
    for (const tube of this.tubes) {
      for (const cell of tube.cells) if (cell.colour !== null) cell.colour = swap(cell.colour);
      tube.accepts = tube.accepts.map(swap);
      if (tube.lock === String(from)) tube.lock = to;
    }
    return true;
  }

  /** The same capacity for all tubes that had the common one. @param {number} capacity */
  resize(capacity) {
    for (const tube of this.tubes) {
      if (tube.capacity === this.capacity) tube.capacity = capacity;
      tube.cells.length = Math.min(tube.cells.length, tube.capacity);
    }
    this.capacity = capacity;
  }

  /** @param {Colour | null} colour */
  count(colour) {
    return this.tubes.reduce((sum, { cells }) => sum + cells.filter((cell) => cell.colour === colour).length, 0);
  }

  /** How many balls of a colour are left to put somewhere, until they fill tubes. @param {Colour} colour */
  left(colour) {
    const count = this.count(colour);
    return count === 0 ? this.capacity : (this.capacity - (count % this.capacity)) % this.capacity;
  }
}

/** @param {unknown} until */
function lockInWords(until) {
  if (until === undefined || until === null) return "";
  if (typeof until !== "object") return String(until);
  return String(Object.values(/** @type {object} */ (until))[0]);
}

/**
 * @param {string} words a colour, or a number of complete tubes
 * @param {Colour[]} palette
 */
function lockOf(words, palette) {
  if (!words) return null;
  const colour = palette.find((each) => String(each) === words);
  return colour === undefined ? { tubes: Number(words) || 1 } : { colour };
}
