/** Dialogs. A click beside one closes it, and so does the browser's Back: the history has an entry for it. */

import { button, div, h } from "./dom.js";

/** @type {Promise<void> | null} until the entry of a dialog that was closed has been left */
let leaving = null;

/** Opens a dialog. @param {HTMLDialogElement} element */
export function show(element) {
  if (!element.isConnected) document.body.append(element);
  if (!element.open) element.showModal();
  if (!history.state?.sheet) history.pushState({ ...history.state, sheet: true }, "");
}

/** Leaves the entry of a dialog, where nothing else has taken its place by now. */
function closed() {
  if (leaving || !history.state?.sheet || document.querySelector("dialog[open]")) return;
  leaving = new Promise((left) => addEventListener("popstate", () => queueMicrotask(left), { once: true }));
  void leaving.then(() => (leaving = null));
  history.back();
}

/** What waits until the history is where it seems to be; null where it is. */
export const whenLeft = () => leaving;

/** Closes the dialogs after a step in the history, and says whether the step was about one of them. */
export function stepped() {
  const open = /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"));
  for (const each of open) leaving ? show(each) : each.close(); // what was opened since the last one closed stays
  return leaving !== null || open.length > 0;
}

/** One that comes up from the bottom of the window. @param {string} title @param {...HTMLElement} children */
export function sheet(title, ...children) {
  const element = h("dialog", { "aria-label": title });
  const close = button("close", "Close", () => element.close(), { bare: true });
  element.append(div("head", h("h2", {}, title), close), ...children);
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", closed);
  return element;
}

/** Things to do. @param {string} title @param {Parameters<typeof button>[]} actions @param {...HTMLElement} more */
export function menu(title, actions, ...more) {
  const rows = actions.map(([sign, label, action]) => {
    const act = () => {
      element.close();
      action();
    };
    return button(sign, label, act, { class: "choice-row" });
  });
  const element = sheet(title, div("more-rows", ...rows), ...more);
  return element;
}

/** Opens a dialog that is drawn each time. @param {HTMLDialogElement} element @param {() => unknown} draw */
export function opening(element, draw) {
  return () => {
    show(element);
    draw();
  };
}
