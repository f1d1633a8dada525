/** Has the page kept for later visits (service-worker.js), and offers new versions on the first screen. */

import { h } from "../core/dom.js";
import { canKeep } from "../core/kept.js";

const FOLDER = new URL("../../", import.meta.url).href; // other copies of the page may have the same origin
const SHARED = `shared ${FOLDER}`;
const QUIET = 5000; // milliseconds for the first answer when the page is there, before its files are kept

const NOTHING_KEPT =
  "This browser lets the page keep nothing: each visit needs the network and starts slowly, and games, levels and " +
  "settings are gone when the page is closed. All else works.";

const isAtHome = () => document.documentElement.dataset.screen === "home";

/** Shows something on the first screen. @param {...(string | Node)} words */
function tell(...words) {
  const bar = h("p", { class: "update plain", role: "status" }, ...words);
  const show = () => {
    if (isAtHome()) document.getElementById("screens")?.before(bar);
    else bar.remove();
  };
  new MutationObserver(show).observe(document.documentElement, { attributeFilter: ["data-screen"] });
  show();
}

let isOffered = false;

/** Offers a new version. */
function offer() {
  if (isOffered) return;
  isOffered = true;
  const again = h("button", { type: "button", class: "primary", onclick: () => void renew() }, "Reload");
  tell("There is a new version of this page. ", again);
}

/** What is kept of the page: not of one in a folder above. */
async function kept() {
  const found = await navigator.serviceWorker.getRegistration();
  return found?.scope === FOLDER ? found : null;
}

/** Goes on with the new version. If that waits, the page is loaded when it has begun. */
async function renew() {
  const waiting = (await kept())?.waiting;
  if (waiting) waiting.postMessage("begin");
  else location.reload();
}

/** Sees when another version begins: another tab may have asked for it. */
function watch() {
  // After a forced reload this page has no controller, and yet a version is kept.
  let wasKept = kept().then(
    (found) => Boolean(found?.active),
    () => false,
  );
  navigator.serviceWorker.addEventListener("controllerchange", async () => {
    const isOther = await wasKept;
    wasKept = Promise.resolve(true);
    if (!isOther) return;
    if (isAtHome()) location.reload();
    else offer();
  });
}

/** Takes a picture that another program has shared, as if it were pasted. */
async function takeShared() {
  const picture = await caches.match("picture", { cacheName: SHARED });
  if (!picture) return;
  await caches.delete(SHARED);
  const given = new DataTransfer();
  given.items.add(new File([await picture.blob()], "picture", { type: picture.headers.get("Content-Type") ?? "" }));
  dispatchEvent(new ClipboardEvent("paste", { clipboardData: given }));
}

async function keep() {
  const registration = await navigator.serviceWorker.register("service-worker.js");
  if (registration.waiting) offer();
  registration.addEventListener("updatefound", () => {
    const coming = registration.installing;
    coming?.addEventListener("statechange", () => {
      if (coming.state === "installed" && registration.active) offer();
    });
  });
}

if (!canKeep()) tell(NOTHING_KEPT);
if ("caches" in window) addEventListener("load", () => void takeShared().catch((error) => console.info(error)));
// There is none where the address isn't secure, or the person doesn't let pages keep anything: all else works.
if ("serviceWorker" in navigator) {
  watch();
  const begin = () => keep().catch((error) => console.info(`Not kept for later visits: ${error}`));
  addEventListener("load", () => setTimeout(begin, QUIET));
}
