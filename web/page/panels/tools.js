/**
 * The tools at the top of the page: boards, sharing, keys, light and dark.
 */

import { button, h } from "../core/dom.js";
import { EnterDialog } from "../enter/dialog.js";
import { ShareDialog } from "../share/dialog.js";

const THEMES = ["", "light", "dark"];
const KEY = "bsp-sat theme";

const KEYS = [
  ["← ↑ → ↓", "from tube to tube"],
  ["Enter, Space", "choose a tube, then where to"],
  ["1 … 9, 0", "choose one of the first ten tubes, or click a column"],
  ["Esc", "choose nothing"],
  ["U, Y", "undo, redo; so do Ctrl Z and Ctrl Shift Z"],
  ["R", "restart"],
  ["H", "hint, a little more each time"],
  ["S", "solve from here, or stop"],
  ["P", "play the plan, or pause"],
  ["B", "boards"],
];

/** @param {import("../main.js").App} app */
export function buildTools(app) {
  const enter = new EnterDialog(app);
  const share = new ShareDialog(app);
  const keys = keysDialog();
  document.body.append(enter.element, share.element, keys);
  document.addEventListener("keydown", (event) => {
    const free = !(/** @type {Element} */ (event.target).closest("input, textarea, select, dialog"));
    if (!free || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.toLowerCase() === "b") enter.open();
    else if (event.key === "?") keys.showModal();
    else return;
    event.preventDefault();
  });
  return [
    button("board", "Boards", () => enter.open(), { class: "primary", "aria-keyshortcuts": "b" }),
    button("share", "Share", () => share.open()),
    button("keys", "Keys", () => keys.showModal(), { bare: true }),
    themeButton(),
  ];
}

/** Light, dark, or as the system says. */
function themeButton() {
  let theme = "";
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    toggle.title = `Colours: ${theme || "as the system"}`;
    toggle.setAttribute("aria-label", toggle.title);
  };
  const toggle = button("theme", "", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // It holds for as long as the page is open.
    }
    apply();
  }, { bare: true });
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    if (THEMES.includes(kept)) theme = kept;
  } catch {
    // As the system says.
  }
  apply();
  return toggle;
}

function keysDialog() {
  const list = h("dl", { class: "keys" }, ...KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]));
  const dialog = h("dialog", { class: "small", "aria-labelledby": "keys-title" });
  dialog.append(h("div", { class: "head" }, h("h2", { id: "keys-title" }, "Keys"), button("close", "Close", () => dialog.close(), { bare: true })), list);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
