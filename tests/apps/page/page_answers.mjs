/**
 * Answers the page's questions as the page does, by its engine: test_engine.py compares them with Python's. Each line of
 * the input is a list, what is asked and with which fields; each line of the output the answer, null where Python has to
 * answer. `node page_answers.mjs SEARCH` takes the engine's module.
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const PAGE = new URL("../../../apps/page/page/", import.meta.url);
const load = (name) => import(new URL(name, PAGE));
const { loadEngine } = await load("engine/engine.js");
const engine = await loadEngine(readFileSync(process.argv[2]));

globalThis.Worker = class {
  terminate() {}
  postMessage({ task, board }) {
    const data = engine[task](board, { expansions: 100_000 });
    setImmediate(() => this.onmessage({ data }));
  }
};
globalThis.fetch = async () => new Response("{}", { status: 503 });
const { hintFor, positionAfter, solutionOf, solving } = await load("core/ask.js");
const { Refusal } = await load("core/api.js");
const first = async (asked, signal) => (await solving(asked, signal).next()).value;
const QUESTIONS = { position: positionAfter, solve: solutionOf, hint: hintFor, first };

for await (const line of createInterface({ input: process.stdin })) {
  const [path, fields] = JSON.parse(line);
  let answer = null;
  try {
    answer = await QUESTIONS[path]({ moves: [], ...fields }, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 400) answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
