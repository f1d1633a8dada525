/** What the screen for learning shows, and its requests. A new search ends the one before. */

import { call, isAborted, stream, wordsFor } from "../core/api.js";
import { inPlay } from "../core/ask.js";
import { NO_LESSONS } from "../core/store.js";

/** @type {Record<LessonName, string>} */
export const LESSONS = { start: "Start here", why: "Why", bounds: "Bounds", questions: "SAT", formula: "Formula" };

export class Lessons {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.work = new AbortController();
  }

  get state() {
    return this.app.store.state.learning;
  }

  /** @param {Partial<Learning>} changes */
  set(changes) {
    this.app.store.set({ learning: { ...this.state, ...changes } });
  }

  /** Forgets all that is about the board that was shown before. */
  forget() {
    this.stop();
    this.set({ ...NO_LESSONS, lesson: this.state.lesson });
  }

  /** Ends the search that is under way. */
  stop() {
    this.work.abort();
    if (this.state.running) this.set({ running: null, ahead: 0 });
  }

  /** The fields of each request that name the position. */
  position() {
    return inPlay(this.app.store.state);
  }

  /** Asks which encodings and solvers take the position. */
  async askMethods() {
    const { position } = this.app.store.state;
    try {
      const methods = await call("methods", this.position());
      if (position === this.app.store.state.position) this.set({ methods });
    } catch (error) {
      if (position === this.app.store.state.position) this.set({ problem: wordsFor(error) });
    }
  }

  /**
   * Runs a search; `watch` gets what progress says. Null where it was ended, or `problem` says why.
   * @param {LessonName} lesson @param {string} path @param {unknown} body @param {(data: any) => void} [watch]
   */
  async run(lesson, path, body, watch = () => {}) {
    this.stop();
    const work = (this.work = new AbortController());
    this.set({ running: lesson, ahead: 0, problem: "" });
    try {
      for await (const { event, data } of stream(path, body, work.signal)) {
        if (work.signal.aborted) return null;
        if (event === "answer") return data;
        if (event === "queued") this.set({ ahead: data.ahead });
        if (event === "progress") watch(data);
      }
      throw new Error("The search ended without an answer.");
    } catch (error) {
      if (!isAborted(error) && work === this.work) this.set({ problem: wordsFor(error) });
      return null;
    } finally {
      if (work === this.work) this.set({ running: null, ahead: 0 });
    }
  }
}

// The lesson is in the address, before the board: `?learn=bounds`. It can be bookmarked.

/** What the address says. @returns {Partial<Learning>} */
export function readAddress() {
  const fields = new URLSearchParams(location.search);
  const lesson = Object.keys(LESSONS).find((name) => name === fields.get("learn"));
  return lesson ? { lesson: /** @type {LessonName} */ (lesson) } : {};
}

/** @param {Learning} learning */
export function writeAddress({ lesson }) {
  history.replaceState(history.state, "", `${location.pathname}?learn=${lesson}${location.hash}`);
}
