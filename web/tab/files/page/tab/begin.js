/**
 * Has the page kept for later visits (service-worker.js), and tells of a new version where no game is played: on the
 * first screen.
 */

import { h } from "../core/dom.js";

const QUIET = 5000; // milliseconds for the first answer, before the page's files are kept

const NOTHING_KEPT =
  "This browser lets the page keep nothing: each visit needs the network and starts slowly, and games, levels and " +
  "settings are gone when the page is closed. All else works.";

/** Shows something on the first screen. @param {...(string | Node)} words */
function tell(...words) {
  const bar = h("p", { class: "update plain", role: "status" }, ...words);
  const show = () => {
    if (document.documentElement.dataset.screen === "home") document.getElementById("screens")?.before(bar);
    else bar.remove();
  };
  new MutationObserver(show).observe(document.documentElement, { attributeFilter: ["data-screen"] });
  show();
}

/** @param {ServiceWorker} waiting a new version */
function offer(waiting) {
  const again = h("button", { type: "button", class: "primary", onclick: () => waiting.postMessage("begin") }, "Reload");
  tell("There is a new version of this page. ", again);
}

/** Whether the browser lets the page keep something. */
function keeps() {
  try {
    return Boolean(localStorage);
  } catch {
    return false;
  }
}

/** Takes a picture that another program has shared, as if it were pasted. */
async function takeShared() {
  const kept = await caches.match("picture", { cacheName: "shared" });
  if (!kept) return;
  await caches.delete("shared");
  const given = new DataTransfer();
  given.items.add(new File([await kept.blob()], "picture", { type: kept.headers.get("Content-Type") ?? "" }));
  dispatchEvent(new ClipboardEvent("paste", { clipboardData: given }));
}

async function keep() {
  const { serviceWorker } = navigator;
  const known = Boolean(serviceWorker.controller);
  const registration = await serviceWorker.register("service-worker.js");
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const coming = registration.installing;
    coming?.addEventListener("statechange", () => {
      if (coming.state === "installed" && serviceWorker.controller) offer(coming);
    });
  });
  if (known) serviceWorker.addEventListener("controllerchange", () => location.reload());
}

if (!keeps()) tell(NOTHING_KEPT);
if ("caches" in window) addEventListener("load", () => void takeShared().catch((error) => console.info(error)));
// There is none where the address isn't secure, or the person doesn't let pages keep anything: all else works.
if ("serviceWorker" in navigator) setTimeout(() => keep().catch((error) => console.info(`Not kept for later visits: ${error}`)), QUIET);
