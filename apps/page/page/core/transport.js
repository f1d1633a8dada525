/**
 * How questions travel: to the server that this page came from, and to no other. The page without a server has
 * web/tab/files/page/core/transport.js in place of this file.
 */

export const UNREACHABLE = "The server doesn't answer. Is `bsp-sat serve` still running?";

/** Says that a question will follow which takes some preparation, and waits for that; a server needs none. */
export const prepare = async () => {};

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
export function send(path, request) {
  return fetch(`api/${path}`, { ...request, credentials: "omit", cache: "no-store" });
}
