/** The tools at the top of the board in play: boards, sharing, keys, light and dark. */

import { UNREACHABLE } from "../core/api.js";
import { button, h } from "../core/dom.js";
import { areKeysOn, onLetters, switchKeys } from "../core/keys.js";
import { check } from "../core/parts.js";
import { dialog, menu, show } from "../core/sheet.js";
import { nextTheme } from "../core/theme.js";

const KEYS = [
  ["← ↑ → ↓", "from tube to tube"],
  ["Enter, Space", "choose a tube, then where to"],
  ["1 … 9, 0", "choose one of the first ten tubes, or click a column"],
  ["Esc", "choose nothing"],
  ["U, Y", "undo, redo; so do Ctrl Z and Ctrl Shift Z"],
  ["R", "restart"],
  ["H", "hint"],
  ["S", "solve from here, or stop"],
  ["P", "play the plan, or pause"],
  ["B", "boards"],
];

/** @param {import("../main.js").App} app */
export function buildTools(app) {
  const keys = keysDialog();
  onLetters(app.store, { b: () => open(app, app.enterDialog), "?": () => show(keys) });
  const more = menu("More", [
    ["keys", "Keys", () => show(keys)],
    ["theme", "Light or dark", () => app.announce(nextTheme())],
  ]);
  return [
    button("share", "Share", () => void open(app, app.shareDialog), { bare: true, class: "quiet" }),
    button("board", "Boards", () => void open(app, app.enterDialog), {
      bare: true,
      class: "quiet",
      "aria-keyshortcuts": "b",
    }),
    button("menu", "More", () => show(more), { bare: true, class: "quiet" }),
  ];
}

/**
 * Opens a dialog, which may have to be loaded first.
 * @param {import("../main.js").App} app
 * @param {() => Promise<{ open(): void }>} dialog
 */
export async function open(app, dialog) {
  try {
    (await dialog()).open();
  } catch {
    app.notice(UNREACHABLE);
  }
}

function keysDialog() {
  const list = h("dl", { class: "keys" }, ...KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]));
  return dialog("small", "Keys", list, check("letters and digits do this", areKeysOn(), switchKeys));
}
