/** Dialogs, which have to be put into the page. A click beside one closes it. */

import { button, div, h } from "./dom.js";

/** @param {string} kind class @param {string} title @param {...HTMLElement} children */
export function dialog(kind, title, ...children) {
  const element = h("dialog", { class: kind, "aria-label": title });
  element.append(
    div(
      "head",
      h("h2", {}, title),
      button("close", "Close", () => element.close(), { bare: true }),
    ),
    ...children,
  );
  element.addEventListener("click", (event) => event.target === element && element.close());
  return element;
}

/** One that comes up from the bottom of the window. @param {string} title @param {...HTMLElement} children */
export const sheet = (title, ...children) => dialog("sheet", title, ...children);

/**
 * A sheet of things to do, each of which closes it.
 * @param {string} title
 * @param {Parameters<typeof button>[]} actions
 * @param {...HTMLElement} children
 */
export function menu(title, actions, ...children) {
  const rows = actions.map(([sign, label, action]) => {
    const act = () => {
      element.close();
      action();
    };
    return button(sign, label, act, { class: "choice-row" });
  });
  const element = sheet(title, div("more-rows", ...rows), ...children);
  return element;
}

/** A dialog that is drawn each time it opens. @param {HTMLDialogElement} element @param {() => unknown} draw */
export function opening(element, draw) {
  return {
    element,
    open: () => {
      element.showModal();
      draw();
    },
  };
}
