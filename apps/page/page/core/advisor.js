/** On boards with hidden cells: the next move, asked for as soon as the position changes. */

import { call, isAborted, wordsFor } from "./api.js";
import { hasBoard } from "./navigation.js";

const PATIENCE = 50; // milliseconds without a change, after which advice is worth asking for

export class Advisor {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    this.work = new AbortController();
    this.timer = 0;
    store.subscribe((state, before) => {
      if (state.position !== before.position || hasBoard(state.screen) !== hasBoard(before.screen))
        this.look(state, before);
    });
  }

  /** @param {State} state @param {State} before */
  look({ hidden, position, screen, advice, made }, before) {
    clearTimeout(this.timer);
    this.work.abort();
    if (advice) this.store.set({ advice: null });
    if (!hidden || !position || !hasBoard(screen) || isWaiting(position)) return;
    const followed = afterMove(before.advice, before.made, made);
    this.timer = setTimeout(() => (followed ? this.store.set({ advice: followed }) : void this.ask()), PATIENCE);
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

/** The rest of a route. @param {Advice | null} advice @param {Step[]} before @param {Step[]} made */
function afterMove(advice, before, made) {
  const step = made.at(-1);
  if (!advice || advice.route.length < 2 || made.length !== before.length + 1 || !step || !("move" in step))
    return null;
  return String(step.move) === String(advice.route[0]) ? { ...advice, route: advice.route.slice(1) } : null;
}

/** Whether a player has to say first what shows, or what has happened. @param {Position} position */
export function isWaiting(position) {
  const { looking = [], asking } = position;
  return looking.length > 0 || Boolean(asking?.opened.length || asking?.corked.length);
}
