/**
 * A worker with Python (Pyodide) in which bsp-sat answers questions, one after the other.
 *
 * It takes `{ path, body }` and `{ cancel }`, and gives `{ lock }`, `{ ready }` or `{ problem }`, and for each question
 * `{ head }`, some `{ piece }`, and `{ end }`.
 */

import { loadPyodide } from "../../engine/pyodide.mjs";
import { Started } from "./started.js";
import { inflated, unpack } from "./unpack.js";

const ENGINE = new URL("../../engine/", import.meta.url);
const SITE = "/site";
const TRIES = 3; // to load python-sat: a busy browser may end the service worker, and the request with it

/** @type {any} */
let pyodide = null;
/** @type {any} */
let engine = null;
/** @type {Started | null} */
let started = null;
let cancelled = false;

/** What Python asks of this worker. */
const host = {
  heapBytes: () => pyodide._module.HEAPU8.length,
  isCancelled: () => cancelled,
  tick: () => new Promise((go) => setTimeout(go)),
  satWheel: () => {
    for (let left = TRIES; left; left--) {
      const request = new XMLHttpRequest(); // Python's import can't wait for anything else
      request.open("GET", new URL("python_sat.whl", ENGINE), false);
      request.responseType = "arraybuffer";
      try {
        request.send();
      } catch (error) {
        console.info(error);
        continue;
      }
      if (request.status === 200) return request.response;
    }
    return undefined; // None in Python
  },
};

const reply = {
  /** @param {number} status @param {string} kind */
  head: (status, kind) => postMessage({ head: { status, kind } }),
  /** @param {any} data bytes of Python's */
  piece: (data) => {
    const bytes = data.toJs();
    data.destroy();
    postMessage({ piece: bytes }, { transfer: [bytes.buffer] });
  },
};

/**
 * Takes a lock, which is given back when this worker ends. There are none where the address isn't secure, and they are
 * refused where the page may keep nothing: all but the notice of an end works without.
 */
async function hold() {
  if (!navigator.locks) return;
  const lock = `worker ${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
  await new Promise((go) => {
    const held = () => new Promise(() => go(postMessage({ lock })));
    navigator.locks.request(lock, held).catch(go);
  });
}

async function begin() {
  await hold();
  const code = await (await fetch(new URL("bsp_sat.packed", ENGINE))).arrayBuffer();
  const archive = inflated(code);
  started = await Started.find(code);
  const memory = await started?.memory();
  const isKept = !memory && self.name === "spare" && Boolean(started);
  pyodide = await loadPyodide({
    indexURL: ENGINE.href,
    ...(memory ? { _loadSnapshot: memory } : { _makeSnapshot: isKept }),
  });
  unpack(await archive, pyodide.FS, SITE);
  if (!memory)
    pyodide.runPython(
      `import sys; sys.path.insert(0, ${JSON.stringify(SITE)}); import bsp_sat.apps.page.tab.pyodide_host`,
    );
  if (isKept) pyodide.runPython("import bsp_sat.apps.page.questions; bsp_sat.apps.page.questions.import_answers()");
  if (isKept) await started?.keep(() => pyodide.makeMemorySnapshot());
  engine = pyodide.pyimport("bsp_sat.apps.page.tab.pyodide_host").engine_in(host);
  postMessage({ ready: JSON.parse(engine.about()) });
}

/** @param {string} path @param {ArrayBuffer} body */
async function answer(path, body) {
  cancelled = false;
  const bytes = pyodide.toPy(new Uint8Array(body)).tobytes();
  await engine.answer.callPromising(path, bytes, reply);
  postMessage({ end: { heap: host.heapBytes() } });
}

/** @param {unknown} error */
async function tell(error) {
  console.error(error);
  await started?.forget();
  const words = error instanceof Error ? error.message.trim().split("\n").at(-1) : error;
  postMessage({ problem: `The page's solver has failed: ${words}` });
}

onmessage = ({ data }) => {
  if (data.cancel) cancelled = true;
  else answer(data.path, data.body).catch(tell);
};
begin().catch(tell);
