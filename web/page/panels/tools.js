/**
 * The tools at the top of the page: boards, sharing, keys, light and dark.
 */

import { button, h } from "../core/dom.js";
import { areKeysOn, isForGame, switchKeys } from "../core/keys.js";

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
  const enter = once(async () => new (await import("../enter/dialog.js")).EnterDialog(app));
  const share = once(async () => new (await import("../share/dialog.js")).ShareDialog(app));
  const keys = keysDialog();
  document.body.append(keys);
  listenForFiles(async (file) => (await enter()).take(file));
  document.addEventListener("keydown", (event) => {
    if (!isForGame(event) || event.ctrlKey || event.metaKey) return;
    if (event.key.toLowerCase() === "b") void open(enter);
    else if (event.key === "?") keys.showModal();
    else return;
    event.preventDefault();
  });
  return [
    button("board", "Boards", () => void open(enter), { "aria-keyshortcuts": "b" }),
    button("share", "Share", () => void open(share)),
    button("keys", "Keys", () => keys.showModal(), { bare: true }),
    themeButton(),
  ];
}

/**
 * A dialog that is fetched and made when it is first asked for.
 * @template {{ element: HTMLElement }} T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
function once(make) {
  /** @type {Promise<T> | null} */
  let made = null;
  return () => {
    made ??= make().then((dialog) => {
      document.body.append(dialog.element);
      return dialog;
    });
    return made;
  };
}

/** @param {() => Promise<{ open(): void }>} dialog */
async function open(dialog) {
  (await dialog()).open();
}

/** A file may be dropped anywhere on the page, and a picture pasted. @param {(file: File) => Promise<void>} take */
function listenForFiles(take) {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void take(file);
  });
  addEventListener("paste", (event) => {
    const file = event.clipboardData?.files[0];
    if (file) void take(file);
  });
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
  const on = h("input", { type: "checkbox", checked: areKeysOn(), onchange: () => switchKeys(on.checked) });
  const choice = h("label", { class: "choice" }, on, "letters and digits do this");
  const dialog = h("dialog", { class: "small", "aria-labelledby": "keys-title" });
  dialog.append(h("div", { class: "head" }, h("h2", { id: "keys-title" }, "Keys"), button("close", "Close", () => dialog.close(), { bare: true })), list, choice);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
