/**
 * On boards with hidden cells: the next move, asked for as soon as the position changes and nothing is left to be said
 * about what shows.
 */

import { call, isAborted, wordsFor } from "./api.js";
import { hasBoard } from "./navigation.js";

/** @typedef {import("../types.d.ts").State} State */

const PATIENCE = 50; // milliseconds without a change, after which advice is worth asking for

export class Advisor {
  /** @param {import("./store.js").Store} store */
  constructor(store) {
    this.store = store;
    this.work = new AbortController();
    this.timer = 0;
    store.subscribe((state, before) => {
      if (state.position !== before.position || hasBoard(state.screen) !== hasBoard(before.screen)) this.look(state);
    });
  }

  /** @param {State} state */
  look({ hidden, position, screen, advice }) {
    clearTimeout(this.timer);
    this.work.abort();
    if (advice) this.store.set({ advice: null });
    if (!hidden || !position || !hasBoard(screen) || isWaiting(position)) return;
    this.timer = setTimeout(() => void this.ask(), PATIENCE);
  }

  async ask() {
    const { board, made, position } = this.store.state;
    this.work = new AbortController();
    try {
      const { advice } = await call("explore", { board, history: made, advise: true }, this.work.signal);
      if (this.store.state.position === position) this.store.set({ advice });
    } catch (error) {
      if (!isAborted(error)) this.store.set({ error: wordsFor(error) });
    }
  }
}

/**
 * Whether a player has to say first what shows, or what has happened.
 * @param {import("../types.d.ts").Position} position
 */
export function isWaiting(position) {
  const { looking = [], asking } = position;
  return looking.length > 0 || Boolean(asking?.opened.length || asking?.corked.length);
}
