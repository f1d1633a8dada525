/**
 * The game: a board, the steps made on it, and those ahead that were taken back or that a plan holds.
 *
 * Each change asks for the position (ask.js); the answer is kept, so that going back and forth costs nothing. Changes
 * are made one after the other, in the order in which they were asked for.
 */

import { call, wordsFor } from "./api.js";
import { positionAfter } from "./ask.js";
import { isSame } from "./games.js";
import { read } from "./kept.js";
import { unlessSoon } from "./load.js";
import { beats, cut, movesOf, sameMove, stepsOf } from "./steps.js";
import { NO_HINT } from "./store.js";
import { inColoursOf } from "./palette.js";

/**
 * How a board is opened: with rules that override those of the board, and with one of several readings, see
 * `BoardReading`; all else changes with it.
 * @typedef {Partial<State> & { steps?: Step[], puzzle?: string, choices?: object }} Opening
 */

const MOST_KEPT = 2000;
/** What a position begins with. */
const NOTHING_SAID = { advice: null, hint: NO_HINT, selected: null, error: "", notice: "" };
const WAITING = "One moment: the solver is at work…"; // Python may have to be loaded first

export class Game {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {Map<string, Position>} */
    this.kept = new Map();
    /** @type {Board | string | null} the board whose positions are kept */
    this.keptOf = null;
    /** @type {Promise<unknown>} */
    this.queue = Promise.resolve();
    this.waiting = 0; // changes that are under way or wait for their turn
  }

  /** How a board stands. @param {Board | string} board @param {Step[]} steps @param {boolean} hidden */
  async ask(board, steps, hidden) {
    if (board !== this.keptOf) this.kept.clear();
    this.keptOf = board;
    const key = JSON.stringify(steps);
    const known = this.kept.get(key);
    if (known) return known;
    const found = hidden
      ? await call("explore", { board, history: steps, advise: false })
      : await positionAfter({ board, moves: movesOf(steps) });
    if (board !== this.keptOf) return found; // another board has been opened since
    if (this.kept.size > MOST_KEPT) this.kept.clear();
    this.kept.set(key, found);
    return found;
  }

  /** @template T @param {() => Promise<T>} action @returns {Promise<T>} */
  inTurn(action) {
    this.waiting++;
    const say = () => this.store.set({ notice: WAITING });
    const done = this.queue.then(() => unlessSoon(action(), say));
    this.queue = done
      .catch(() => {})
      .then(() => {
        this.waiting--;
        if (this.store.state.notice === WAITING) this.store.set({ notice: "" });
      });
    return done;
  }

  /** Opens a board, and says what its text was taken for. @param {Board | string} board @param {Opening} [how] */
  open(board, how) {
    return this.inTurn(() => this.openNow(board, how));
  }

  /** Opens a board, for who has the turn. @param {Board | string} board @param {Opening} [how] */
  async openNow(board, { steps = [], puzzle = "", look = null, choices, ...more } = {}) {
    const asked = { board, moves: [], ...(puzzle && { puzzle }) };
    const start = await (choices ? call("position", { ...asked, choices }) : positionAfter(asked));
    const kept = typeof board === "string" || puzzle || start.read_as ? start.board : board;
    const made = start.hidden ? await this.seeing(kept, steps) : steps;
    const position = await this.ask(kept, made, start.hidden);
    const hinted = made.length > 0 && read("games").some((game) => game.hinted && isSame(game.board, kept));
    const of = { board: kept, look, hidden: start.hidden, hinted, playing: false };
    this.store.set({ ...NOTHING_SAID, ...of, made, ahead: [], position: inColoursOf(position, look), ...more });
    return start.read_as ?? "";
  }

  /** Makes a move. The steps ahead stay where it is the first of them. @param {Move} move */
  make(move) {
    return this.inTurn(() => this.makeNow(move));
  }

  /** Makes a move, for who has the turn. @param {Move} move */
  async makeNow(move) {
    const { ahead } = this.store.state;
    const next = ahead[0];
    const asAhead = next && "move" in next && sameMove(move, next.move);
    await this.step([{ move }], asAhead ? ahead.slice(cut(ahead, 1)) : []);
  }

  /** On a board with hidden cells: what a person saw or noticed, or a new attempt. @param {Step} step */
  say(step) {
    return this.inTurn(() => this.step([step], []));
  }

  /** Says that the board is solved, as far as a person sees. */
  saySolved() {
    return this.say({ noticed: { opened: [], corked: [], solved: true } });
  }

  /** Adds an empty tube, at the end of the last row; the steps made stay. */
  addTube() {
    return this.inTurn(async () => {
      const { board, made, look } = this.store.state;
      if (!board) return;
      const { rows = [] } = look ?? {};
      const longerLook = look && { ...look, rows: rows.map((count, row) => count + Number(row === rows.length - 1)) };
      try {
        await this.openNow(withTube(board), { steps: made, look: longerLook });
      } catch (error) {
        this.store.set({ error: wordsFor(error) });
      }
    });
  }

  /** @param {Step[]} steps @param {Step[]} ahead */
  async step(steps, ahead) {
    const { board, made, hidden } = this.store.state;
    if (!board) return;
    try {
      let whole = [...made, ...steps];
      if (hidden) whole = await this.seeing(board, whole);
      const position = await this.ask(board, whole, hidden);
      this.show(whole, ahead, position);
    } catch (error) {
      this.store.set({ error: wordsFor(error), selected: null });
    }
  }

  /** The steps with what shows, where the board's file knows that. @param {Board} board @param {Step[]} steps */
  async seeing(board, steps) {
    for (;;) {
      const { looking, shows, noticed } = await this.ask(board, steps, true);
      if (looking?.length && shows) steps = [...steps, { saw: shows }];
      else if (noticed) steps = [...steps, { noticed }];
      else return steps;
    }
  }

  /** @param {Step[]} made @param {Step[]} ahead @param {Position} position */
  show(made, ahead, position) {
    const { look } = this.store.state;
    this.store.set({ ...NOTHING_SAID, made, ahead, position: inColoursOf(position, look) });
  }

  /** Goes to the position after a number of beats. @param {number} beat */
  goTo(beat) {
    return this.jump(() => beat);
  }

  /** Goes a number of beats forth, or back. @param {number} by */
  goBy(by) {
    return this.jump((at) => at + by);
  }

  /** @param {(at: number) => number} where from the beat that it is at when its turn has come */
  jump(where) {
    return this.inTurn(async () => {
      const { board, made, ahead, hidden } = this.store.state;
      if (!board) return;
      const whole = [...made, ...ahead];
      const at = cut(whole, Math.max(0, Math.min(where(beats(made)), beats(whole))));
      if (at === made.length) return;
      try {
        this.show(whole.slice(0, at), whole.slice(at), await this.ask(board, whole.slice(0, at), hidden));
      } catch (error) {
        this.store.set({ error: wordsFor(error), playing: false });
      }
    });
  }

  /** What a move from here does. @param {Move} move @returns {Promise<Position["effect"]>} */
  async effectOf(move) {
    const { board, made, hidden } = this.store.state;
    return board ? (await this.ask(board, [...made, { move }], hidden)).effect : null;
  }

  /** Lays a plan ahead, to be stepped through. @param {Move[]} plan */
  lay(plan) {
    this.store.set({ ahead: stepsOf(plan) });
  }
}

/** A board with an empty tube at its end. @param {Board} board @returns {Board} */
export function withTube(board) {
  const lists = { tubes: [], hidden: [], contents: [], capacities: board.capacity };
  const longer = Object.entries(lists).flatMap(([key, more]) =>
    Array.isArray(board[key]) ? [[key, [...board[key], more]]] : [],
  );
  return { ...board, ...Object.fromEntries(longer) };
}
