/**
 * What stands above the gallery: order and limits, and what can be done with the levels chosen, or with all that show.
 */

import { button, h, icon, say, set } from "../core/dom.js";
import { isShare, MEASURES } from "../core/measures.js";
import { counted } from "../core/steps.js";
import { change, chosen, meant, shown } from "./gallery.js";

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
  const turn = button("down", "Descending", () => change(store, { descending: !store.state.making?.descending }), {
    bare: true,
  });
  const low = limit("low");
  const high = limit("high");
  const limits = h("div", { class: "range", role: "group" }, h("span", {}), low, high);
  const count = h("h2", {});
  const all = h("input", {
    type: "checkbox",
    "aria-label": "Choose all",
    onchange: () => {
      const { making } = store.state;
      if (making) change(store, { chosen: all.checked ? shown(making).map(({ id }) => id) : [] });
    },
  });
  const grade = button("learn", "Grade", actions.grade);
  const remove = button("close", "Delete", actions.remove);
  const doing = h(
    "div",
    { class: "row" },
    h("label", { class: "choice" }, all, "All"),
    grade,
    button("share", "Save file", actions.save),
    remove,
  );
  const order = h("div", { class: "row" }, by, turn);
  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "head" },
      count,
      h("div", { class: "row" }, button("board", "Open a file", actions.open), button("pencil", "Draw", actions.draw)),
    ),
    order,
    limits,
    doing,
  );

  /** @param {"low" | "high"} which */
  function limit(which) {
    const input = h("input", {
      type: "number",
      min: 0,
      step: "any",
      inputmode: "decimal",
      placeholder: which === "low" ? "from" : "to",
    });
    input.addEventListener("input", () => {
      const share = isShare(by.value) ? 100 : 1;
      change(store, { [which]: input.value === "" ? null : Number(input.value) / share });
    });
    return input;
  }

  /** @param {Making} making */
  const draw = (making) => {
    const { levels, descending, work } = making;
    const there = counted(levels.length, "level");
    const showing = shown(making).length;
    const picked = chosen(making).length;
    order.hidden = doing.hidden = levels.length === 0;
    if (!levels.length) say(count, "No levels yet");
    else if (picked) say(count, `${picked} of ${there} chosen`);
    else say(count, showing < levels.length ? `${showing} of ${there}` : there);
    all.checked = picked > 0 && picked === showing;
    all.indeterminate = picked > 0 && picked < showing;
    remove.disabled = picked === 0;
    grade.hidden = meant(making).every(({ grades }) => grades);
    grade.disabled = work !== "";
    by.value = making.by;
    set(turn, { "aria-pressed": String(descending) });
    turn.firstElementChild?.replaceWith(icon(descending ? "down" : "up"));
    const isMeasure = Object.hasOwn(MEASURES, making.by);
    limits.hidden = !levels.length || !isMeasure;
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
