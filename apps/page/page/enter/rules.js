/** What a board that is entered by hand, and its tubes, may and may not; and names for its colours. */

import { button, div, group, h, redraw } from "../core/dom.js";
import { check, field, select } from "../core/parts.js";
import { opening, sheet } from "../core/sheet.js";
import { holding, withName, withoutTube, withRules, withTube } from "./entry.js";

/** @typedef {(how: (entry: Entry) => Entry) => void} Change */

const MOST = 40; // cells of a tube

/** @param {Store} store @param {Change} change */
export function rulesSheet(store, change) {
  const body = div("stack");
  const element = sheet("Rules and names", body);
  const draw = () => {
    const { entry } = store.state;
    if (entry && element.open) redraw(body, boardRules(entry, change), tubeRules(entry, change), names(entry, change));
  };
  store.subscribe((state, before) => state.entry !== before.entry && draw());
  return opening(element, draw);
}

/** @param {Entry} entry @param {Change} change */
function boardRules({ about, tubes }, change) {
  const set = (/** @type {Board} */ rules) => change((entry) => withRules(entry, rules));
  const isWater = about.puzzle === "water-sort";
  const hasCovered = tubes.some(({ cells }) => cells.some((cell) => cell?.covered));
  const goals = {
    full: "full tubes of one colour",
    monochrome: "no tube mixes colours",
    gathered: "each colour in one tube",
  };
  const goal = select(goals, (goal) => set({ goal: goal === "full" ? undefined : goal }), { value: about.goal });
  const reveals = { run: "the run that comes up", cell: "one cell at a time" };
  const reveal = select(reveals, (reveal) => set({ reveal }), { value: about.reveal ?? (isWater ? "run" : "cell") });
  return div(
    "fields",
    field("Goal", goal),
    hasCovered && field("What shows", reveal),
    check("balls leave at the bottom", about.drain === true, (drain) => set({ drain: drain || undefined })),
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
  const locks = {
    [tube.lock]: "as the board says",
    "": "not locked",
    ...Object.fromEntries(
      Object.keys(colours).map((name) => [JSON.stringify({ colour: name }), `${name} is complete`]),
    ),
    ...Object.fromEntries(
      [1, 2, 3, 4].map((count) => [JSON.stringify({ tubes: count }), `${count} tubes are complete`]),
    ),
  };
  const lock = select(locks, (lock) => set({ lock }), { value: tube.lock });
  const resize = (/** @type {{ target: HTMLInputElement }} */ { target }) => {
    const capacity = Math.max(1, Math.min(MOST, Math.round(Number(target.value)) || 1));
    change((entry) => withTube(entry, place, (each) => holding(each, capacity)));
  };
  const cells = h("input", { type: "number", value: tube.cells.length, min: 1, max: MOST, onchange: resize });
  const only = Object.keys(colours).map((colour) =>
    check(colour, tube.accepts.includes(colour), (on) =>
      set({ accepts: on ? [...tube.accepts, colour] : tube.accepts.filter((each) => each !== colour) }),
    ),
  );
  const remove = () => change((entry) => withoutTube(entry, place));
  return group(
    "fields",
    `Rules of tube ${place + 1}`,
    h("h3", {}, `Tube ${place + 1}`),
    field("Cells", cells),
    field("Locked until", lock),
    check("takes any", tube.takesAny, (takesAny) => set({ takesAny })),
    check("takes", tube.takes, (takes) => set({ takes })),
    check("gives", tube.gives, (gives) => set({ gives })),
    group("row", "Only for", h("span", { class: "fine" }, "Only for"), ...only),
    div("row", button("close", "Remove this tube", remove)),
  );
}

/** @param {Entry} entry @param {Change} change */
function names({ colours }, change) {
  const fields = Object.keys(colours).map((name) => {
    const rename = (/** @type {{ target: HTMLInputElement }} */ { target }) =>
      change((entry) => withName(entry, name, target.value.trim()));
    const about = { type: "text", maxlength: 30, value: name, "aria-label": `Name of ${name}`, onchange: rename };
    return field(name, h("input", about));
  });
  return div("fields", h("h3", {}, "Names"), ...fields);
}
