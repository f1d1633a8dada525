/**
 * What stands above the gallery: order and limits, and what can be done with the levels chosen, or with all that show.
 */

import { button, fill, h, icon, say, set } from "../core/dom.js";
import { isShare, MEASURES } from "../core/measures.js";
import { counted } from "../core/steps.js";
import { change, meant, shown } from "./gallery.js";

/** @typedef {import("../types.d.ts").Making} Making */

/**
 * @param {import("../core/store.js").Store} store
 * @param {Record<"open" | "draw" | "grade" | "save" | "remove", () => void>} actions
 */
export function galleryTools(store, actions) {
  const by = h(
    "select",
    { "aria-label": "Sort by", onchange: () => change(store, { by: by.value, low: null, high: null }) },
    h("option", { value: "" }, "As added"),
    h("option", { value: "name" }, "Name"),
    ...Object.entries(MEASURES).map(([name, label]) => h("option", { value: name }, label)),
  );
  const turn = h("button", { type: "button", onclick: () => change(store, { descending: !store.state.making?.descending }) });
  const low = limit("low");
  const high = limit("high");
  const limits = h("div", { class: "range", role: "group" }, h("span", {}), low, high);
  const count = h("h2", {});
  const all = h("input", { type: "checkbox", "aria-label": "Choose all", onchange: () => {
    const { making } = store.state;
    if (making) change(store, { chosen: all.checked ? shown(making).map(({ id }) => id) : [] });
  } });
  const grade = button("learn", "Grade", actions.grade);
  const doing = h("div", { class: "row" }, h("label", { class: "choice" }, all, "All"), grade, button("share", "Save file", actions.save), button("close", "Delete", actions.remove));
  const order = h("div", { class: "row" }, by, turn);
  const element = h("div", { class: "stack" }, h("div", { class: "head" }, count, h("div", { class: "row" }, button("board", "Open a file", actions.open), button("pencil", "Draw", actions.draw))), order, limits, doing);

  /** @param {"low" | "high"} which */
  function limit(which) {
    const input = h("input", { type: "number", min: 0, step: "any", inputmode: "decimal", placeholder: which === "low" ? "from" : "to" });
    input.addEventListener("input", () => {
      const share = isShare(by.value) ? 100 : 1;
      change(store, { [which]: input.value === "" ? null : Number(input.value) / share });
    });
    return input;
  }

  /** @param {Making} making */
  const draw = (making) => {
    const { levels, chosen, descending, work } = making;
    const some = shown(making).length;
    const none = levels.length === 0;
    order.hidden = doing.hidden = none;
    say(count, chosen.length ? `${chosen.length} of ${counted(levels.length, "level")} chosen` : some < levels.length ? `${some} of ${counted(levels.length, "level")}` : none ? "No levels yet" : counted(levels.length, "level"));
    all.checked = chosen.length > 0 && shown(making).every(({ id }) => chosen.includes(id));
    all.indeterminate = chosen.length > 0 && !all.checked;
    grade.hidden = meant(making).every(({ grades }) => grades);
    grade.disabled = work !== "";
    by.value = making.by;
    const words = descending ? "Descending" : "Ascending";
    if (turn.title !== words) fill(turn, icon(descending ? "down" : "up"), h("span", { class: "unseen" }, words));
    turn.title = words;
    const isMeasure = Object.hasOwn(MEASURES, making.by);
    limits.hidden = none || !isMeasure;
    const label = `${MEASURES[making.by] ?? ""}${isShare(making.by) ? " (%)" : ""}`;
    if (limits.firstElementChild) say(limits.firstElementChild, label);
    set(limits, { "aria-label": label });
    set(low, { "aria-label": `${label}, from` });
    set(high, { "aria-label": `${label}, to` });
    if (making.low === null && document.activeElement !== low) low.value = "";
    if (making.high === null && document.activeElement !== high) high.value = "";
  };
  return { element, draw };
}
