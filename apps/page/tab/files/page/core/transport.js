/** How questions travel in the page without a server: to workers of this tab, in which the same answers are given. */

import { Pool } from "../tab/pool.js";
import { pixelsOf } from "../tab/pixels.js";

export const UNREACHABLE = "The page's own solver has ended. Reload the page to start it again.";

/** @type {Pool | null} */
let pool = null;

/** Python takes megabytes and seconds to start, and most games need none of it. */
function started() {
  if (!pool) void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage("keep all"));
  return (pool ??= new Pool());
}

/** Starts Python, as a question will follow, and waits until it is up. */
export const prepare = () => started().up;

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
export async function send(path, { body, signal }) {
  const sent = path.startsWith("read?") && body instanceof Blob ? await pixelsOf(body) : body;
  const bytes = sent instanceof Blob ? await sent.arrayBuffer() : new TextEncoder().encode(String(sent ?? "")).buffer;
  return started().ask(decodeURIComponent(path), bytes, secondsIn(body), signal ?? null);
}

/** How long an answer may take, as the request says. @param {RequestInit["body"]} body */
function secondsIn(body) {
  const fields = typeof body === "string" ? JSON.parse(body) : null;
  return typeof fields?.seconds === "number" ? fields.seconds : Infinity;
}
