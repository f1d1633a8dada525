/** Questions, and their answers; transport.js brings them to what answers. */

import { prepare, send, UNREACHABLE } from "./transport.js";

export { prepare };
export { UNREACHABLE };

/** A request that was refused, in the words of what answers. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status @param {BoardReading[]} [readings] of a doubtful board */
  constructor(message, status, readings = []) {
    super(message);
    this.status = status;
    this.readings = readings;
  }
}

/** @param {string} path @param {unknown} body JSON, or a file, or undefined for GET @param {AbortSignal} [signal] */
async function ask(path, body, signal) {
  /** @type {RequestInit} */
  const request = { signal: signal ?? null };
  if (body !== undefined) {
    request.method = "POST";
    const isFile = body instanceof Blob;
    request.body = isFile ? body : JSON.stringify(body);
    request.headers = { "Content-Type": isFile ? body.type : "application/json" };
  }
  let response;
  try {
    response = await send(path, request);
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Refusal(UNREACHABLE, 0);
  }
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/** @param {Response} response */
async function refusalOf(response) {
  const { status } = response;
  const { error, readings } = await response.json().catch(() => ({ error: `The answer has the status ${status}.` }));
  return new Refusal(String(error), status, readings);
}

/** @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function call(path, body, signal) {
  return (await ask(path, body, signal)).json();
}

/** A file of data that comes with the page. @param {string} name @returns {Promise<any>} */
export async function data(name) {
  let response;
  try {
    response = await fetch(`data/${name}`, { credentials: "omit" });
  } catch {
    throw new Refusal(UNREACHABLE, 0);
  }
  if (!response.ok) throw await refusalOf(response);
  return response.json();
}

/** Fails where the page can't be loaded. */
export const reach = () => fetch(location.pathname, { cache: "no-store" });

/** An answer that is a file. @param {string} path @param {unknown} body @param {AbortSignal} [signal] */
export async function download(path, body, signal) {
  return (await ask(path, body, signal)).blob();
}

/**
 * The events of an answer that comes in pieces. To stop listening ends the work: the connection closes with the
 * iteration, and the server sees that.
 * @param {string} path @param {unknown} body @param {AbortSignal} signal
 * @returns {AsyncGenerator<{ event: string, data: any }>}
 */
export async function* stream(path, body, signal) {
  const response = await ask(path, body, signal);
  if (!response.body) throw new Refusal(UNREACHABLE, 0);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (text + value).replaceAll("\r\n", "\n").split("\n\n");
      text = events.pop() ?? "";
      for (const each of events) {
        const found = eventOf(each);
        if (found?.event === "error") throw new Refusal(found.data.error, 200);
        if (found) yield found;
      }
    }
  } catch (error) {
    if (isAborted(error) || error instanceof Refusal) throw error;
    throw new Refusal(UNREACHABLE, 0);
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {string} text @returns {{ event: string, data: any } | null} null for what only keeps the line open */
function eventOf(text) {
  let event = "message";
  let data = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    if (line.startsWith("data:")) data += line.slice(5).trim();
  }
  return data ? { event, data: JSON.parse(data) } : null;
}

/** A stream's last event. @param {string} path @param {unknown} body @param {AbortSignal} signal */
export async function answer(path, body, signal) {
  for await (const { event, data } of stream(path, body, signal)) if (event === "answer") return data;
  throw new Refusal("The search ended without an answer.", 0);
}

/** Whether an error says only that the request was cancelled. @param {unknown} error */
export function isAborted(error) {
  return error instanceof DOMException && error.name === "AbortError";
}

/** @param {unknown} error */
export function wordsFor(error) {
  return error instanceof Error ? error.message : String(error);
}
