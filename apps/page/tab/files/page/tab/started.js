/**
 * The memory of a worker in which Python and bsp-sat have just started: a later visit begins with it, and needn't start
 * them again.
 *
 * It is kept where the browser lets pages keep something, for this browser's version and this version of the package:
 * what the memory holds depends on both.
 */

// Other copies of the page may have the same origin.
const PREFIX = `started ${new URL("../../", import.meta.url).href} `;

export class Started {
  /** @param {string} name of the cache */
  constructor(name) {
    this.name = name;
  }

  /** @param {ArrayBuffer} code the package @returns {Promise<Started | null>} null where nothing can be kept */
  static async find(code) {
    if (!("caches" in self)) return null;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", code));
    return new Started(
      `${PREFIX}${Array.from(digest, (each) => each.toString(16).padStart(2, "0")).join("")} ${navigator.userAgent}`,
    );
  }

  /** @returns {Promise<ArrayBuffer | null>} null if there is none, or nothing may be kept */
  async memory() {
    try {
      return (await (await caches.match("memory", { cacheName: this.name }))?.arrayBuffer()) ?? null;
    } catch {
      return null;
    }
  }

  /** Those of other versions go. @param {() => Uint8Array<ArrayBuffer>} copy */
  async keep(copy) {
    try {
      for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
      await (await caches.open(this.name)).put("memory", new Response(copy()));
    } catch (error) {
      console.info(`Not kept for later visits: ${error}`);
    }
  }

  /** Another worker won't begin with it. */
  async forget() {
    try {
      await caches.delete(this.name);
    } catch {
      // Then there is none.
    }
  }
}
