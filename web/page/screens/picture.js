import { h } from "../core/dom.js";

/** @param {import("../main.js").App} _ @returns {import("../main.js").Screen} */
export function makeScreen(_) {
  return { title: "", element: h("main", { class: "plain" }) };
}
