/** How questions travel in the page without a server: to workers of this tab, in which the same answers are given. */

import { Pool } from "../tab/pool.js";
import { pixelsOf } from "../tab/pixels.js";

export const UNREACHABLE = "The page's own solver has ended. Reload the page to start it again.";

const QUIET = 3000; // milliseconds for the first answer, before Python is started unasked

const READING = 5; // seconds for a picture, and as many more until its worker is ended

/** @type {Pool | null} */
let pool = null;

/** Python takes megabytes and seconds to start, and most games need none of it. */
const started = () => (pool ??= new Pool());

// Unasked when all is kept (tab/begin.js): then it needs no network.
void navigator.serviceWorker?.ready.then(() => setTimeout(started, QUIET));

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
export async function send(path, { body, signal }) {
  const sent = path.startsWith("read?") && body instanceof Blob ? await pixelsOf(body) : body;
  const bytes = sent instanceof Blob ? await sent.arrayBuffer() : new TextEncoder().encode(String(sent ?? "")).buffer;
  const seconds = sent === body ? secondsIn(body) : READING;
  return started().ask(decodeURIComponent(path), bytes, seconds, signal ?? null);
}

/** How long an answer may take, as the request says. @param {RequestInit["body"]} body */
function secondsIn(body) {
  const fields = typeof body === "string" ? JSON.parse(body) : null;
  return typeof fields?.seconds === "number" ? fields.seconds : Infinity;
}
