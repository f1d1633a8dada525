/**
 * The board as a file for the command line: text or JSON, the start or the position now, and the moves.
 */

import { button, h } from "../core/dom.js";
import { movesOf } from "../core/steps.js";
import { copied } from "./copy.js";
import { save } from "./save.js";

/** @param {import("../main.js").App} app */
export function boardPart({ store }) {
  const { board, position, made } = store.state;
  const name = position?.name ?? "board";
  /** @type {Record<string, { words: string, text: string, file: string }>} */
  const forms = {
    text: { words: "Position as text", text: position?.text ?? "", file: `${name}.txt` },
    position: { words: "Position as JSON", text: JSON.stringify({ ...position?.position, name }), file: `${name}.json` },
    start: { words: "Board as JSON", text: JSON.stringify(board), file: `${name}.json` },
    moves: { words: "Moves as JSON", text: JSON.stringify(movesOf(made)), file: `${name}-moves.json` },
  };
  if (!position?.text) delete forms.text;
  const area = h("textarea", { readonly: true, rows: 6, "aria-label": "Board", spellcheck: "false" });
  const choice = h("select", { "aria-label": "As" }, ...Object.entries(forms).map(([key, { words }]) => h("option", { value: key }, words)));
  const show = () => {
    area.value = forms[choice.value]?.text ?? "";
  };
  choice.addEventListener("change", show);
  show();
  const download = () => {
    const form = forms[choice.value];
    if (form) save(new Blob([form.text + "\n"], { type: "text/plain" }), form.file);
  };
  return h(
    "section",
    {},
    h("h3", {}, "Board"),
    choice,
    area,
    h("div", { class: "row" }, button(null, "Copy", () => copied(area.value, area)), button("share", "Download", download)),
  );
}
