/**
 * A link that holds the board and the moves made: nothing is stored anywhere.
 */

import { button, h } from "../core/dom.js";
import { counted, beats } from "../core/steps.js";
import { pack } from "../core/link.js";
import { copied } from "./copy.js";

/** @param {import("../main.js").App} app */
export function linkPart({ store }) {
  const { board, made, look } = store.state;
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link", spellcheck: "false" });
  field.addEventListener("focus", () => field.select());
  const only = h("input", { type: "checkbox", onchange: () => void write() });
  const write = async () => {
    field.value = `${location.href.split("#")[0]}#${await pack(board ?? {}, only.checked ? [] : made, look)}`;
  };
  void write();
  const done = beats(made);
  const choice = h("label", { class: "choice", hidden: done === 0 }, only, `without the ${counted(done)} made`);
  return h(
    "section",
    {},
    h("h3", {}, "Link"),
    h("p", { class: "fine" }, "The board and the moves are in the link itself; it works wherever bsp-sat serve runs at this address."),
    h("div", { class: "row" }, field, button(null, "Copy", () => copied(field.value, field))),
    choice,
  );
}
