/**
 * The workers that answer, and the questions that wait for them.
 *
 * There are two, so that a move needn't wait for a search: one search at a time, in one of them. A worker whose answer
 * isn't wanted any more is asked to stop. If it can't (a SAT solver sees no messages, nor does any search where the
 * browser can't suspend WebAssembly), it is ended and started again, and the other one answers until then.
 */

/** @typedef {{ searches: string[], seconds: number, memory_mb: number }} About */

const WORKERS = 2;
const GRACE = 250; // milliseconds in which a cancelled worker may end by itself; searches see it within 100
const GRACE_ALONE = 2000; // the same where no other worker is up: another one takes longer
const SECONDS_MORE = 5; // that a search which sees no limit may take after its time
const WITH_BOUNDS = ["solve", "horizons"]; // whose progress says what is proved, and whose answers do
const REST = 3000; // milliseconds for the first answers, before the second worker is started
const TRIES = 3; // starts in a row that may fail
const REPLACED_ABOVE = 0.5; // of the memory limit: WebAssembly never gives memory back

const OFFLINE = "This needs 8 MB, which are fetched once and kept. You are offline: try again with a network.";

/** A question on its way. */
class Question {
  /**
   * @param {string} [path] @param {ArrayBuffer} [body] @param {number} [seconds] that it may take
   * @param {(response: Response) => void} [resolve] @param {(error: unknown) => void} [reject]
   */
  constructor(path = "", body = new ArrayBuffer(0), seconds = 0, resolve = () => {}, reject = () => {}) {
    this.path = path;
    this.body = body;
    this.seconds = seconds;
    this.resolve = resolve;
    this.reject = reject;
    /** @type {ReadableStreamDefaultController<Uint8Array> | null} */
    this.stream = null;
    /** @type {Uint8Array | null} */
    this.last = null;
    /** Called when the answer isn't read any more. */
    this.stopped = () => {};
  }

  /** @param {number} status @param {string} kind */
  head(status, kind) {
    const body = new ReadableStream({ start: (stream) => void (this.stream = stream), cancel: () => this.stopped() });
    this.resolve(new Response(body, { status, headers: { "Content-Type": kind } }));
  }

  /** @param {Uint8Array} bytes */
  piece(bytes) {
    this.last = bytes;
    this.stream?.enqueue(bytes);
  }

  end() {
    this.stream?.close();
    this.stream = null;
  }

  /** Says that there will be no answer. @param {string} words */
  fail(words) {
    const error = JSON.stringify({ error: words });
    const begun = this.stream !== null;
    if (!begun) this.head(503, "application/json");
    this.piece(new TextEncoder().encode(begun ? `event: error\ndata: ${error}\n\n` : error));
    this.end();
  }

  /** The time is up and the worker doesn't see it: tells the bound that is proved by then. */
  conclude() {
    const reason = `time limit of ${this.seconds} s reached`;
    const [, data] =
      this.last && WITH_BOUNDS.includes(this.path) ? new TextDecoder().decode(this.last).split("\ndata: ") : [];
    const { lower = null, questions } = data ? JSON.parse(data) : {};
    if (lower === null) return this.fail(`no answer: ${reason}`);
    const found = {
      status: "unknown",
      length: null,
      plan: null,
      lower_bound: lower,
      ending: "time-limit",
      reason,
      notes: [],
      stats: { questions },
    };
    this.piece(new TextEncoder().encode(`event: answer\ndata: ${JSON.stringify(found)}\n\n`));
    this.end();
  }

  /** @param {unknown} reason */
  drop(reason) {
    this.reject(reason);
    this.stream?.error(reason);
    this.stream = null;
  }
}

export class Pool {
  constructor() {
    /** @type {Set<Place>} */
    this.places = new Set();
    /** @type {Question[]} */
    this.waiting = [];
    /** @type {About | null} */
    this.about = null;
    this.failures = 0;
    this.isUp = () => {};
    /** @type {Promise<void>} when the first worker is up */
    this.up = new Promise((resolve) => (this.isUp = resolve));
    this.fill();
  }

  /**
   * @param {string} path @param {ArrayBuffer} body @param {number} seconds that it may take; there is a limit for all
   * @param {AbortSignal | null} signal @returns {Promise<Response>}
   */
  ask(path, body, seconds, signal) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const question = new Question(path, body, seconds, resolve, reject);
      signal?.addEventListener("abort", () => this.drop(question, signal.reason), { once: true });
      question.stopped = () => this.drop(question, new DOMException("Nobody reads the answer.", "AbortError"));
      this.waiting.push(question);
      this.failures = 0;
      this.next();
      if (this.waiting.length) this.fill();
    });
  }

  /** Starts the workers that are missing: the second one when the first is up, and has work or had time for it. */
  fill() {
    if (this.failures >= TRIES) return;
    if (!this.places.size || (this.places.size < WORKERS && this.about)) this.places.add(new Place(this));
  }

  /** Hands out what waits. */
  next() {
    for (const place of this.places) {
      if (!place.isIdle) continue;
      const searching = [...this.places].some((each) => each.question && this.isSearch(each.question));
      const index = this.waiting.findIndex((question) => !searching || !this.isSearch(question));
      const question = this.waiting[index];
      if (!question) return;
      this.waiting.splice(index, 1);
      place.take(question);
    }
  }

  /** @param {Question} question */
  isSearch({ path }) {
    return this.about?.searches.includes(path) ?? false;
  }

  /** @param {Question} question @param {unknown} reason */
  drop(question, reason) {
    this.waiting = this.waiting.filter((each) => each !== question);
    for (const place of this.places) if (place.question === question) place.cancel();
    question.drop(reason);
  }

  /** A worker has come up. @param {About} about */
  ready(about) {
    this.about = about;
    this.failures = 0;
    this.isUp();
    this.next();
    setTimeout(() => this.fill(), REST);
  }

  /** A worker has ended, by itself or by `Place.end`. @param {Place} place @param {string} problem */
  ended(place, problem) {
    if (!this.places.delete(place)) return;
    const words = place.isReady || navigator.onLine ? problem : OFFLINE;
    place.question?.fail(words);
    if (!place.isReady) this.failures++;
    if (this.failures >= TRIES) for (const question of this.waiting.splice(0)) question.fail(words);
    this.fill();
    this.next();
  }
}

/** A worker, and the question it is at. */
class Place {
  /** @param {Pool} pool */
  constructor(pool) {
    this.pool = pool;
    this.isReady = false;
    /** @type {Question | null} */
    this.question = null;
    this.timer = 0;
    // One that isn't waited for may take longer to start, see started.js.
    const name = pool.about ? "spare" : "first";
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", name });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) =>
      this.end(`The page's solver can't start: ${event.message || "its files can't be loaded"}`);
  }

  get isIdle() {
    return this.isReady && !this.question;
  }

  /** @param {any} message see worker.js */
  hear(message) {
    const { question } = this;
    if (message.ready) {
      this.isReady = true;
      this.pool.ready(message.ready);
    } else if (message.lock) {
      // Granted when the worker has gone: the browser ends workers when memory is short, without a message.
      void navigator.locks.request(message.lock, () =>
        this.end("The page's solver was ended by the browser, probably for lack of memory."),
      );
    } else if (message.problem) this.end(message.problem);
    else if (message.head) question?.head(message.head.status, message.head.kind);
    else if (message.piece) question?.piece(message.piece);
    else if (message.end) this.finished(message.end.heap);
  }

  /** @param {Question} question */
  take(question) {
    this.question = question;
    this.worker.postMessage({ path: question.path, body: question.body }, [question.body]);
    question.seconds = Math.min(question.seconds, this.pool.about?.seconds ?? Infinity);
    this.timer = setTimeout(() => this.timeUp(), (question.seconds + SECONDS_MORE) * 1000);
  }

  timeUp() {
    this.question?.conclude();
    this.question = null;
    this.end("");
  }

  /** The answer isn't wanted any more. */
  cancel() {
    clearTimeout(this.timer);
    this.question = new Question();
    this.worker.postMessage({ cancel: true });
    const alone = ![...this.pool.places].some((place) => place !== this && place.isReady);
    this.timer = setTimeout(() => this.end(""), alone ? GRACE_ALONE : GRACE);
  }

  /** @param {number} heap bytes of this worker */
  finished(heap) {
    clearTimeout(this.timer);
    this.question?.end();
    this.question = null;
    if (heap > REPLACED_ABOVE * (this.pool.about?.memory_mb ?? Infinity) * 1e6) this.end("");
    else this.pool.next();
  }

  /** @param {string} words why */
  end(words) {
    clearTimeout(this.timer);
    this.worker.terminate();
    this.pool.ended(this, words);
  }
}
