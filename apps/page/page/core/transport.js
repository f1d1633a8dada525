/** Brings questions to the page's own server. In the page without a server tab/files/ has this file's place. */

export const UNREACHABLE = "The server doesn't answer. Is `bsp-sat serve` still running?";

/** Says that a question will follow which takes some preparation, and waits for that; a server needs none. */
export const prepare = async () => {};

/** @param {string} path @param {RequestInit} request @returns {Promise<Response>} */
export function send(path, request) {
  return fetch(`api/${path}`, { ...request, credentials: "omit", cache: "no-store" });
}
