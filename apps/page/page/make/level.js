/** One level: its picture, name and measures, and what can be done with it. */

import { button, div, fill, h, say } from "../core/dom.js";
import { field } from "../core/parts.js";
import { dialog, show } from "../core/sheet.js";
import { gradesInWords } from "../panels/grade.js";
import { changeLevel } from "./gallery.js";
import { thumbnail } from "../board/picture.js";

/** @typedef {import("../types.d.ts").Level} Level */

/**
 * @param {import("../core/store.js").Store} store
 * @param {Record<"play" | "draw" | "grade" | "save" | "remove", (level: Level) => void>} actions
 */
export function levelDialog(store, actions) {
  const body = div("stack");
  const element = dialog("small level", "Level", body);
  let id = 0;
  const current = () => store.state.making?.levels.find((level) => level.id === id);
  const name = h("input", { type: "text", maxlength: 60, required: true });
  name.addEventListener("change", () => {
    if (name.value.trim()) changeLevel(store, id, { name: name.value.trim() });
    else name.value = current()?.name ?? "";
  });

  const act =
    (/** @type {keyof typeof actions} */ what, close = true) =>
    () => {
      const level = current();
      if (close) element.close();
      if (level) actions[what](level);
    };
  const change = button("pencil", "Change", act("draw"));
  const doing = div(
    "row",
    button("play", "Play", act("play"), { class: "primary" }),
    change,
    button("share", "Save file", act("save")),
    button("close", "Delete", act("remove")),
  );
  const grade = button("learn", "How hard is it?", act("grade", false));
  const picture = h("div");
  const words = h("p", { class: "fine", role: "status" });
  const facts = div("stack");
  fill(body, field("Name", name), picture, doing, words, facts);

  const draw = () => {
    const level = current();
    if (!level || !element.open) return;
    if (document.activeElement !== name) name.value = level.name;
    const { grades, board, summary } = level;
    const isSort = board.puzzle === "ball-sort" || board.puzzle === "water-sort";
    change.hidden = !isSort;
    fill(picture, thumbnail(level.board, level.colours));
    fill(
      facts,
      h("p", { class: "fine" }, `${summary}.`),
      ...gradesInWords(grades),
      !grades && isSort && grade,
      typeof board.source === "string" && board.source && h("p", { class: "fine source" }, `From: ${board.source}`),
    );
  };
  store.subscribe(({ making }, before) => {
    if (!making || !element.open) return;
    say(words, making.work || making.problem);
    if (making.levels !== before.making?.levels) draw();
  });
  return {
    close: () => element.close(),
    open: (/** @type {number} */ which) => {
      id = which;
      say(words, "");
      show(element);
      draw();
    },
  };
}
