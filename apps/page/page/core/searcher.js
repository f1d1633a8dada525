/**
 * The engine's worker, and the questions that wait for it. An answer that isn't wanted any more, and one that doesn't
 * come, end the worker, and another one is started. The page loads this module first: the worker starts while the page
 * does.
 */

/** @import { Answer, Board, Limits, MoveCost } from "../engine/engine.js" */

/** @typedef {{ task: "solve" | "costs", board: Board, limits: Limits }} Task */
/** @typedef {{ solve: Answer, costs: MoveCost[] }} Answers */
/** @typedef {{ task: Task, tell: (answer: any) => void }} Question */

const MILLISECONDS = 1000; // for an answer: Python answers what takes longer
const GRACE = 1000; // more, after which the worker must have ended: browsers end some where memory is short

class Searcher {
  constructor() {
    /** @type {Question[]} the first one is being answered */
    this.waiting = [];
    this.timer = 0;
    this.worker = this.started();
  }

  /**
   * @template {Task["task"]} Kind @param {Kind} task @param {Board} board @param {AbortSignal} signal
   * @returns {Promise<Answers[Kind] | null>} null where it takes too long, or there is no engine
   */
  ask(task, board, signal) {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const question = { task: { task, board, limits: { milliseconds: MILLISECONDS } }, tell: resolve };
      signal.addEventListener("abort", () => {
        reject(signal.reason);
        if (question === this.waiting[0]) this.restart();
        else this.waiting = this.waiting.filter((each) => each !== question);
      });
      this.waiting.push(question);
      if (this.waiting.length === 1) this.next();
    });
  }

  /** A worker. */
  started() {
    const worker = new Worker(new URL("../engine/worker.js", import.meta.url), { type: "module", name: "engine" });
    worker.onmessage = ({ data }) => this.answered(data);
    worker.onerror = () => this.restart();
    return worker;
  }

  next() {
    const question = this.waiting[0];
    if (!question) return;
    this.worker.postMessage(question.task);
    this.timer = setTimeout(() => this.restart(), MILLISECONDS + GRACE);
  }

  /** @param {unknown} answer */
  answered(answer) {
    clearTimeout(this.timer);
    this.waiting.shift()?.tell(answer);
    this.next();
  }

  /** Ends the worker, and what it is at. */
  restart() {
    this.worker.terminate();
    this.worker = this.started();
    this.answered(null);
  }
}

export const searcher = new Searcher();
