/**
 * The live proof: after each move the fewest moves that are left.
 *
 * What is known carries over, and stays proved. A suffix of a shortest plan is a shortest plan. A move brings the goal
 * nearer by one at most, so that a bound falls by one at most; and what a plan still has to do is a bound from above.
 * A search that is under way is dropped as soon as the position changes.
 */

import { isAborted, wordsFor } from "./api.js";
import { inPlay, solving } from "./ask.js";
import { stepsOf } from "./steps.js";
import { NO_VERDICT } from "./store.js";

const PATIENCE = 50; // milliseconds: changes that follow each other faster aren't searched but the first and last
const SECONDS = 20; // of a live search
const BACK_SECONDS = 5; // for each position of a lost game
const FIRST_SECONDS = 1; // of a first one: a plan that may not be the shortest is there soon

/** How many moves to take back where nothing helps. */
export const NEVER = -1;

export class Prover {
  /** @param {Store} store */
  constructor(store) {
    this.store = store;
    /** @type {Map<string, Verdict>} by the steps made on this board */
    this.known = new Map();
    this.timer = 0;
    this.changed = -Infinity;
    this.work = new AbortController();
    store.subscribe((state, before) => {
      if (state.board !== before.board) this.known.clear();
      if (state.position !== before.position) this.look();
    });
  }

  /** Begins with the position that shows now, and drops what was under way. */
  look() {
    this.stop();
    const { position, hidden, made, playing } = this.store.state;
    if (!position) return;
    const [before, now] = [this.changed, performance.now()];
    this.changed = now;
    if (hidden && position.hidden) return this.tell({ ...NO_VERDICT, kind: position.goal ? "goal" : "hidden" });
    if (position.goal) return this.tell({ ...NO_VERDICT, kind: "goal" });
    const known = this.known.get(keyOf(made));
    const low = Math.max(position.lower_bound ?? 0, known?.low ?? 0);
    if (known && (known.kind === "optimal" || (known.kind === "lost" && known.takeBack !== null))) {
      return this.tell(known);
    }
    this.tell({ ...NO_VERDICT, ...known, kind: "searching", low });
    if (!playing && now - before > PATIENCE) void this.searchTwice();
    else this.timer = setTimeout(() => void this.searchTwice(), playing ? 2 * PATIENCE : PATIENCE);
  }

  /** Searches briefly for any plan, and then for a proof. */
  async searchTwice() {
    const first = await this.search(FIRST_SECONDS);
    if (first?.kind === "open") await this.search(SECONDS);
  }

  /** Ends a search; what it has found so far stays. */
  stop() {
    clearTimeout(this.timer);
    this.work.abort();
  }

  /** Ends a search because somebody asked for that. */
  cancel() {
    this.stop();
    const { verdict } = this.store.state;
    if (verdict.kind === "searching") this.tell({ ...verdict, kind: "open", words: "stopped" });
  }

  /** @param {number | null} seconds null for as long as it takes @returns {Promise<Verdict | null>} null if dropped */
  async search(seconds) {
    this.stop();
    const work = (this.work = new AbortController());
    const { board, position, made, verdict } = this.store.state;
    if (!board || !position) return null;
    const asked = { ...inPlay(this.store.state), ...(seconds && { seconds }) };
    const began = performance.now();
    let now = { ...verdict, kind: /** @type {Verdict["kind"]} */ ("searching"), ahead: 0, words: "" };
    this.tell(now);
    try {
      for await (const { event, data } of solving(asked, work.signal)) {
        if (work.signal.aborted) return null; // what had come already is about a position that has gone
        now = { ...now, seconds: (performance.now() - began) / 1000 };
        if (event === "queued") now = { ...now, ahead: data.ahead };
        if (event === "progress")
          now = { ...now, ahead: 0, ...within(now, data.lower, data.upper), plan: data.plan ?? now.plan };
        if (event === "answer") return await this.conclude(now, data, made, work.signal);
        this.tell(now);
      }
      throw new Error("The search ended without an answer.");
    } catch (error) {
      if (isAborted(error)) return null;
      this.tell({ ...now, kind: "failed", words: wordsFor(error) });
      return null;
    }
  }

  /** @param {Verdict} now @param {SolveAnswer} found @param {Step[]} made @param {AbortSignal} signal */
  async conclude(now, found, made, signal) {
    if (found.status === "unsolvable") {
      const lost = { ...NO_VERDICT, kind: /** @type {const} */ ("lost"), words: (found.notes ?? []).join(" ") };
      const takeBack = made.length ? await this.lookBack(made, signal) : NEVER;
      return signal.aborted ? null : this.keep(made, { ...lost, takeBack, seconds: now.seconds });
    }
    const optimal = found.status === "optimal";
    const kind = /** @type {Verdict["kind"]} */ (optimal ? "optimal" : "open");
    const known = { ...now, ...within(now, found.lower_bound, found.length), plan: found.plan ?? now.plan };
    const verdict = { ...known, kind, words: optimal ? "" : found.reason };
    if (found.plan) this.carry(made, found.plan, verdict);
    return this.keep(made, verdict);
  }

  /** Notes what a plan proves. @param {Step[]} made @param {Move[]} plan @param {Verdict} verdict */
  carry(made, plan, verdict) {
    const steps = stepsOf(plan);
    for (let count = 1; count < plan.length; count++) {
      const key = keyOf([...made, ...steps.slice(0, count)]);
      if (this.known.get(key)?.kind === "optimal") continue;
      const left = plan.length - count;
      const low = Math.max(1, verdict.low - count);
      this.known.set(key, { ...verdict, low, high: left, plan: plan.slice(count), seconds: 0 });
    }
  }

  /**
   * How many moves to take back until the board can be solved. A lost game stays lost, so halving finds it; it begins
   * at the end, as most games are lost by their last move.
   * @param {Step[]} made @param {AbortSignal} signal
   * @returns {Promise<number | null>} `NEVER` where the board has no solution; null where it isn't known in time
   */
  async lookBack(made, signal) {
    if (this.store.state.hidden) return null;
    let [safe, lost] = [-1, made.length];
    for (let guess = lost - 1; lost - safe > 1; guess = (safe + lost) >> 1) {
      const found = await this.canBeSolved(made.slice(0, guess), signal);
      if (found === null) return null;
      if (found) safe = guess;
      else lost = guess;
    }
    return safe < 0 ? NEVER : made.length - safe;
  }

  /** @param {Step[]} made @param {AbortSignal} signal @returns {Promise<boolean | null>} null if unknown in time */
  async canBeSolved(made, signal) {
    const known = this.known.get(keyOf(made));
    if (known?.plan) return true;
    if (known?.kind === "lost") return false;
    const asked = { ...inPlay({ ...this.store.state, made }), seconds: BACK_SECONDS };
    for await (const { event, data } of solving(asked, signal)) {
      if (event === "progress" && data.upper !== null) return true;
      if (event === "answer" && data.status === "unsolvable") return false;
      if (event === "answer") return data.plan ? true : null;
    }
    return null;
  }

  /** @param {Step[]} made @param {Verdict} verdict */
  keep(made, verdict) {
    this.known.set(keyOf(made), verdict);
    this.tell(verdict);
    return verdict;
  }

  /** Notes what was found of the position after some steps. @param {Step[]} made @param {SolveAnswer} found */
  note(made, found) {
    if (found.status === "unsolvable") this.known.set(keyOf(made), { ...NO_VERDICT, kind: "lost" });
    else if (found.status === "optimal" && found.plan) {
      const { plan } = found;
      this.known.set(keyOf(made), { ...NO_VERDICT, kind: "optimal", low: plan.length, high: plan.length, plan });
    }
  }

  /** What is known after each of some moves, from none of them to all. @param {Move[]} moves */
  history(moves) {
    const steps = stepsOf(moves);
    return Array.from({ length: moves.length + 1 }, (_, made) => this.known.get(keyOf(steps.slice(0, made))) ?? null);
  }

  /** @param {Verdict} verdict */
  tell(verdict) {
    this.store.set({ verdict });
  }
}

/** Where a game stands: what was seen and new starts belong to it, and not moves alone. @param {Step[]} steps */
function keyOf(steps) {
  return JSON.stringify(steps);
}

/** The narrower of two intervals. @param {Verdict} now @param {number | null} [low] @param {number | null} [high] */
function within(now, low, high) {
  const top = Math.min(now.high ?? Infinity, high ?? Infinity);
  return { low: Math.max(now.low, low ?? 0), high: top === Infinity ? null : top };
}
