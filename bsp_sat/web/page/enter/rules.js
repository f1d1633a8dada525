/**
 * What a board that is entered by hand, and its tubes, may and may not; and names for its colours.
 */

import { button, h, refill } from "../core/dom.js";
import { check, field, select } from "../core/parts.js";
import { sheet } from "../core/sheet.js";
import { holding, withName, withoutTube, withRules, withTube } from "./entry.js";

/** @import { Board, Entry, EntryTube } from "../types.d.ts" */
/** @typedef {(how: (entry: Entry) => Entry) => void} Change */

const MOST = 40; // cells of a tube

/**
 * @param {import("../core/store.js").Store} store
 * @param {Change} change
 */
export function rulesSheet(store, change) {
  const body = h("div", { class: "stack" });
  const element = sheet("Rules and names", body);
  const draw = () => {
    const { entry } = store.state;
    if (entry && element.open) refill(body, boardRules(entry, change), tubeRules(entry, change), names(entry, change));
  };
  store.subscribe(draw);
  return {
    element,
    open: () => {
      element.showModal();
      draw();
    },
  };
}

/** @param {[string, string][]} options @param {string} value @param {(value: string) => void} changed */
function choice(options, value, changed) {
  const element = select(options, changed);
  element.value = value;
  return element;
}

/** @param {Entry} entry @param {Change} change */
function boardRules({ about, tubes }, change) {
  const set = (/** @type {Board} */ rules) => change((entry) => withRules(entry, rules));
  const isWater = about.puzzle === "water-sort";
  const hasCovered = tubes.some(({ cells }) => cells.some((cell) => cell?.covered));
  const shows = String(about.reveal ?? (isWater ? "run" : "cell"));
  return h(
    "div",
    { class: "fields" },
    field(
      "Goal",
      choice(
        [
          ["full", "full tubes of one colour"],
          ["monochrome", "no tube mixes colours"],
          ["gathered", "each colour in one tube"],
        ],
        String(about.goal ?? "full"),
        (goal) => set({ goal: goal === "full" ? undefined : goal }),
      ),
    ),
    hasCovered &&
      field(
        "What shows",
        choice(
          [
            ["run", "the run that comes up"],
            ["cell", "one cell at a time"],
          ],
          shows,
          (reveal) => set({ reveal }),
        ),
      ),
    check("corks on complete tubes", about.cork === true, (cork) => set({ cork: cork || undefined })),
    isWater &&
      check("only whole pours", about.partial === false, (whole) => set({ partial: whole ? false : undefined })),
  );
}

/** Those of the tube with the chosen cell. @param {Entry} entry @param {Change} change */
function tubeRules({ at, tubes, colours }, change) {
  const place = at?.tube ?? -1;
  const tube = tubes[place];
  if (!tube) return h("p", { class: "fine" }, "Choose a cell first to set the rules of its tube.");
  const set = (/** @type {Partial<EntryTube>} */ values) =>
    change((entry) => withTube(entry, place, (each) => ({ ...each, ...values })));
  const locks = /** @type {[string, string][]} */ ([
    ["", "not locked"],
    ...Object.keys(colours).map((colour) => [JSON.stringify({ colour }), `${colour} is complete`]),
    ...[1, 2, 3, 4].map((count) => [JSON.stringify({ tubes: count }), `${count} tubes are complete`]),
  ]);
  if (!locks.some(([value]) => value === tube.lock)) locks.push([tube.lock, "what the board says"]);
  const cells = h("input", { type: "number", value: tube.cells.length, min: 1, max: MOST });
  const resize = () => {
    const capacity = Math.max(1, Math.min(MOST, Math.round(Number(cells.value)) || 1));
    change((entry) => withTube(entry, place, (each) => holding(each, capacity)));
  };
  cells.addEventListener("change", resize);
  const only = Object.keys(colours).map((colour) =>
    check(colour, tube.accepts.includes(colour), (on) =>
      set({ accepts: on ? [...tube.accepts, colour] : tube.accepts.filter((each) => each !== colour) }),
    ),
  );
  return h(
    "div",
    { class: "fields", role: "group", "aria-label": `Rules of tube ${place + 1}` },
    h("h3", {}, `Tube ${place + 1}`),
    field("Cells", cells),
    field(
      "Locked until",
      choice(locks, tube.lock, (lock) => set({ lock })),
    ),
    check("takes", tube.takes, (takes) => set({ takes })),
    check("gives", tube.gives, (gives) => set({ gives })),
    h("fieldset", { class: "only" }, h("legend", {}, "Only for"), ...only),
    h(
      "div",
      { class: "row" },
      button("close", "Remove this tube", () => change((entry) => withoutTube(entry, place))),
    ),
  );
}

/** @param {Entry} entry @param {Change} change */
function names({ colours }, change) {
  const fields = Object.keys(colours).map((name) => {
    const input = h("input", { type: "text", maxlength: 30, value: name, "aria-label": `Name of ${name}` });
    input.addEventListener("change", () => change((entry) => withName(entry, name, input.value.trim())));
    return field(name, input);
  });
  return h("div", { class: "fields" }, h("h3", {}, "Names"), ...fields);
}
