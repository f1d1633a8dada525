/**
 * What a drawn board and its tubes may and may not: forms beside the drawing.
 */

import { button, h } from "../core/dom.js";
import { check, field, select } from "../core/parts.js";

/** @typedef {import("./draft.js").Draft} Draft */

/** @param {[string, string][]} options @param {string} value @param {(value: string) => void} changed */
function choice(options, value, changed) {
  const element = select(options, changed);
  element.value = value;
  return element;
}

/** @param {number} value @param {number} most @param {(value: number) => void} changed */
function number(value, most, changed) {
  const input = h("input", { type: "number", value, min: 1, max: most });
  input.addEventListener("change", () => changed(Math.max(1, Math.min(most, Math.round(Number(input.value)) || 1))));
  return input;
}

/** @param {Draft} draft @param {() => void} changed */
export function boardRules(draft, changed) {
  const set = (/** @type {Partial<Draft>} */ values) => {
    Object.assign(draft, values);
    changed();
  };
  const hasHidden = draft.tubes.some(({ cells }) => cells.some((cell) => cell.covered || cell.colour === null));
  return h(
    "div",
    { class: "fields" },
    field(
      "Puzzle",
      choice(
        [
          ["ball-sort", "ball sort"],
          ["water-sort", "water sort"],
        ],
        draft.puzzle,
        (puzzle) => set({ puzzle }),
      ),
    ),
    field(
      "Balls a tube",
      number(draft.capacity, 40, (capacity) => {
        draft.resize(capacity);
        changed();
      }),
    ),
    field(
      "Goal",
      choice(
        [
          ["full", "full tubes of one colour"],
          ["monochrome", "no tube mixes colours"],
          ["gathered", "each colour in one tube"],
        ],
        draft.goal,
        (goal) => set({ goal }),
      ),
    ),
    hasHidden &&
      field(
        "What shows",
        choice(
          [
            ["run", "the run that comes up"],
            ["cell", "one cell at a time"],
          ],
          draft.reveal || (draft.puzzle === "water-sort" ? "run" : "cell"),
          (reveal) => set({ reveal }),
        ),
      ),
    check("corks on complete tubes", draft.cork, (cork) => set({ cork })),
    draft.puzzle === "water-sort" && check("only whole pours", !draft.partial, (whole) => set({ partial: !whole })),
  );
}

/** @param {Draft} draft @param {number} place @param {() => void} changed @param {(remove: boolean) => void} close */
export function tubeRules(draft, place, changed, close) {
  const tube = draft.tubes[place];
  if (!tube) return h("div");
  const set = (/** @type {Partial<typeof tube>} */ values) => {
    Object.assign(tube, values);
    tube.cells.length = Math.min(tube.cells.length, tube.capacity);
    changed();
  };
  const colours = draft.palette.map(
    (colour) => /** @type {[string, string]} */ ([String(colour), `${colour} is complete`]),
  );
  const numbers = [1, 2, 3, 4].map(
    (count) => /** @type {[string, string]} */ ([String(count), `${count} tubes are complete`]),
  );
  const only = h(
    "fieldset",
    { class: "only" },
    h("legend", {}, "Only for"),
    ...draft.palette.map((colour) =>
      check(String(colour), tube.accepts.includes(colour), (on) =>
        set({ accepts: on ? [...tube.accepts, colour] : tube.accepts.filter((each) => each !== colour) }),
      ),
    ),
  );
  return h(
    "div",
    { class: "fields", role: "group", "aria-label": `Rules of tube ${place + 1}` },
    h("h3", {}, `Tube ${place + 1}`),
    field(
      "Balls",
      number(tube.capacity, 40, (capacity) => set({ capacity })),
    ),
    field(
      "Locked until",
      choice([["", "not locked"], ...colours, ...numbers], tube.lock, (lock) => set({ lock })),
    ),
    check("takes", tube.takes, (takes) => set({ takes })),
    check("gives", tube.gives, (gives) => set({ gives })),
    only,
    h(
      "div",
      { class: "row" },
      button(null, "Done", () => close(false)),
      button("close", "Remove this tube", () => close(true)),
    ),
  );
}
