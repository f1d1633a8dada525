/** What stands above the gallery: order, and what can be done with the levels chosen, or with all. */

import { button, div, h, icon, say, set } from "../core/dom.js";
import { select } from "../core/parts.js";
import { MEASURES } from "../core/measures.js";
import { counted } from "../core/steps.js";
import { change, chosen, meant } from "./gallery.js";

/** @typedef {import("../types.d.ts").Making} Making */

/**
 * @param {import("../core/store.js").Store} store
 * @param {Record<"open" | "draw" | "grade" | "save" | "remove", () => void>} actions
 */
export function galleryTools(store, actions) {
  const by = select({ "": "As added", name: "Name", ...MEASURES }, (value) => change(store, { by: value }), {
    "aria-label": "Sort by",
  });
  const turn = button("down", "Descending", () => change(store, { descending: !store.state.making?.descending }), {
    bare: true,
  });
  const count = h("h2", {});
  const all = h("input", {
    type: "checkbox",
    "aria-label": "Choose all",
    onchange: () => {
      const { making } = store.state;
      if (making) change(store, { chosen: all.checked ? making.levels.map(({ id }) => id) : [] });
    },
  });
  const grade = button("learn", "Grade", actions.grade);
  const remove = button("close", "Delete", actions.remove);
  const doing = div(
    "row",
    h("label", { class: "choice" }, all, "All"),
    grade,
    button("share", "Save file", actions.save),
    remove,
  );
  const order = div("row", by, turn);
  const element = div(
    "stack",
    div(
      "head",
      count,
      div("row", button("board", "Open a file", actions.open), button("pencil", "Draw", actions.draw)),
    ),
    order,
    doing,
  );

  /** @param {Making} making */
  const draw = (making) => {
    const { levels, descending, work } = making;
    const there = counted(levels.length, "level");
    const picked = chosen(making).length;
    order.hidden = doing.hidden = levels.length === 0;
    if (!levels.length) say(count, "No levels yet");
    else if (picked) say(count, `${picked} of ${there} chosen`);
    else say(count, there);
    all.checked = picked > 0 && picked === levels.length;
    all.indeterminate = picked > 0 && picked < levels.length;
    remove.disabled = picked === 0;
    grade.hidden = meant(making).every(({ grades }) => grades);
    grade.disabled = work !== "";
    by.value = making.by;
    set(turn, { "aria-pressed": String(descending) });
    turn.firstElementChild?.replaceWith(icon(descending ? "down" : "up"));
  };
  return { element, draw };
}
