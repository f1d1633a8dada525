/**
 * Where moves were lost in a solved game, and what would have been better: all of it proved.
 *
 * A move shortens the way by one at most; what it shortens less is lost.
 */

import { isAborted, wordsFor } from "../core/api.js";
import { inPlay, solutionOf } from "../core/ask.js";
import { movesOf, sameMove } from "../core/steps.js";

/** @import { Move, Slip, State } from "../types.d.ts" */
/** @typedef {{ length: number, plan: Move[] }} Best a shortest plan, proved */

const SECONDS = 10; // for each position

export class Reviewer {
  /** @param {import("../main.js").App} app */
  constructor({ store, prover }) {
    this.store = store;
    this.prover = prover;
    this.work = new AbortController();
    store.subscribe((state, before) => {
      if (!state.review || (state.made === before.made && state.ahead === before.ahead && state.board === before.board))
        return;
      if (state.board === before.board && isOf(state.review.moves, state)) return;
      this.work.abort();
      store.set({ review: null });
    });
  }

  /** Reviews the game, which is at its end. */
  async start() {
    const { store, prover } = this;
    const { made } = store.state;
    this.work.abort();
    const { signal } = (this.work = new AbortController());
    const moves = movesOf(made);
    const known = prover.history(moves);
    /** @param {number} index @returns {Promise<Best | null>} null if it isn't proved in time */
    const bestFrom = async (index) => {
      if (index === moves.length) return { length: 0, plan: [] };
      const verdict = known[index];
      if (verdict?.kind === "optimal" && verdict.plan) return { length: verdict.low, plan: verdict.plan };
      const found = await solutionOf(
        { ...inPlay(store.state), moves: moves.slice(0, index), seconds: SECONDS },
        signal,
      );
      return found.status === "optimal" && found.plan ? { length: found.plan.length, plan: found.plan } : null;
    };
    const note = (/** @type {Slip} */ slip) => this.change({ slips: [...(store.state.review?.slips ?? []), slip] });
    store.set({ review: { moves, busy: true, slips: [], complete: true, problem: "" } });
    try {
      let here = await bestFrom(0);
      for (const [index, move] of moves.entries()) {
        const there = await bestFrom(index + 1);
        if (signal.aborted) return;
        const cost = here && there && there.length + 1 - here.length;
        if (cost) note({ index, move, cost, better: here?.plan[0] ?? 0 });
        else if (cost === null) this.change({ complete: false });
        here = there;
      }
      this.change({ busy: false });
    } catch (error) {
      if (!isAborted(error)) this.change({ busy: false, problem: wordsFor(error) });
    }
  }

  /** @param {Partial<import("../types.d.ts").Review>} changes */
  change(changes) {
    const { review } = this.store.state;
    if (review) this.store.set({ review: { ...review, ...changes } });
  }
}

/** Whether a game, with what was taken back, has certain moves. @param {Move[]} moves @param {State} state */
function isOf(moves, { made, ahead }) {
  const whole = movesOf([...made, ...ahead]);
  return whole.length === moves.length && whole.every((move, index) => sameMove(move, moves[index]));
}
