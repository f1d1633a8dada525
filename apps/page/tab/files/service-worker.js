/**
 * Keeps the whole page, so that later visits need no network. The build puts `PAGE` in front: a version, and all files
 * with their checksums.
 *
 * The page's files of a version are kept together, and those of its engine when it has first been used: most visits
 * need none of it. A new version waits until the page asks for it (page/tab/begin.js), and the old one goes on with its
 * own files until then.
 */

const worker = self;
const { scope } = worker.registration; // other copies of the page may have the same origin
const VERSIONS = `bsp-sat ${scope} `;
const KEPT = VERSIONS + PAGE.version;
const SHARED = `shared ${scope}`;

worker.addEventListener("install", (event) => event.waitUntil(Promise.all([begun(), route(event)])));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("message", (event) => {
  const { data } = event;
  if (data === "begin") void worker.skipWaiting();
  if (data === "keep all") event.waitUntil(keep(isLate));
});
worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (!url.href.startsWith(scope)) return;
  const path = url.href.slice(scope.length).replace(/[?#].*/, "");
  if (event.request.method === "POST" && path === "share") event.respondWith(shared(event.request));
  else if (event.request.method === "GET") event.respondWith(found(path || "./", event.request));
});

/** @param {string} path */
const isLate = (path) => path.startsWith("engine/");

/** Keeps some of the files, those that aren't kept yet. @param {(path: string) => boolean} which */
async function keep(which) {
  const cache = await caches.open(KEPT);
  const kept = new Set((await cache.keys()).map(({ url }) => url.slice(scope.length)));
  const missing = Object.entries(PAGE.files).filter(([path]) => which(path) && !kept.has(path));
  await cache.addAll(
    missing.map(([path, integrity]) => new Request(path, { integrity, cache: "no-cache", credentials: "omit" })),
  );
  return cache;
}

async function begun() {
  const cache = await keep((path) => !isLate(path));
  await cache.put("./", await cache.match("index.html"));
}

/** Has what a visit begins with taken from the cache before this worker has started, in browsers that can do so. */
function route(event) {
  const condition = (pathname) => ({ urlPattern: new URLPattern({ pathname, search: "", baseURL: scope }) });
  return event.addRoutes?.(
    ["", "page/*", "data/*"].map((path) => ({ condition: condition(path), source: { cacheName: KEPT } })),
  );
}

/** Takes over; versions from before go. */
async function begin() {
  for (const name of await caches.keys()) if (name.startsWith(VERSIONS) && name !== KEPT) await caches.delete(name);
  await worker.clients.claim();
}

/** @param {string} path @param {Request} request */
async function found(path, request) {
  const cache = await caches.open(KEPT);
  // Another version's engine wouldn't fit.
  return (await cache.match(path)) ?? fetch(request, isLate(path) ? { integrity: PAGE.files[path] } : {});
}

/** A picture from another program: kept until the page takes it. @param {Request} request */
async function shared(request) {
  const picture = (await request.formData()).get("picture");
  const cache = await caches.open(SHARED);
  if (picture instanceof File)
    await cache.put("picture", new Response(picture, { headers: { "Content-Type": picture.type } }));
  return Response.redirect("./", 303);
}
