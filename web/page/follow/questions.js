/**
 * Questions on boards with hidden cells: what came up in a tube, and what has happened to locks, corks and the game.
 */

import { paint } from "../board/palette.js";
import { button, h } from "../core/dom.js";

/** @import { Colour, Position } from "../types.d.ts" */
/** @typedef {Record<string, Colour[]>} Seen */

const NEW = "new colour"; // the server's name for whichever colour hasn't shown before

/** The tube of the first question that isn't answered yet, null if there is none. @param {Position} position @param {Seen} seen */
export function tubeAsked(position, seen) {
  return position.looking?.find((tube) => !(tube in seen)) ?? null;
}

/**
 * Asks what came up in a tube; one tap answers.
 * @param {Position} position
 * @param {number} tube
 * @param {(colours: Colour[]) => void} answer from the top down; none if nothing new shows
 */
export function colourQuestion(position, tube, answer) {
  const cells = /** @type {(Colour | null)[]} */ (/** @type {any[]} */ (position.position.tubes)[tube] ?? []);
  const unknown = cells.filter((colour) => colour === null).length;
  const showsRuns = position.position.reveal === "run" && unknown > 1;
  const count = h("select", { "aria-label": "How many of it show", hidden: !showsRuns }, ...Array.from({ length: unknown }, (_, less) => h("option", { value: less + 1 }, `${less + 1} of it`)));
  const tell = (/** @type {Colour} */ colour) => answer(Array.from({ length: Number(count.value) || 1 }, () => colour));
  const swatches = position.colours.filter(({ colour }) => !position.unseen.includes(colour)).map((look) => {
    const swatch = h("button", { type: "button", class: "swatch", "aria-label": look.name, title: look.name, onclick: () => tell(look.colour) });
    paint(swatch, look);
    return swatch;
  });
  const fresh = position.unseen.length > 0 && h("button", { type: "button", class: "swatch new", onclick: () => tell(NEW) }, h("span", { class: "unseen" }, "A new colour"), h("span", { "aria-hidden": "true" }, "new"));
  const isOpen = cells.at(-1) !== null;
  const nothing = isOpen && button(null, "Nothing new", () => answer([]));
  return h("div", { class: "question", role: "group", "aria-label": `What came up in tube ${tube + 1}?` }, h("p", { class: "sentence" }, `What came up in tube ${tube + 1}?`), h("div", { class: "swatches" }, ...swatches, fresh, count, nothing));
}

/**
 * Asks which locks have opened, which tubes are corked, and whether the board is solved.
 * @param {import("../types.d.ts").Effects} asking
 * @param {(effects: import("../types.d.ts").Effects) => void} answer
 */
export function effectsQuestion(asking, answer) {
  const box = (/** @type {string} */ label) => {
    const input = h("input", { type: "checkbox" });
    return { input, row: h("label", { class: "choice" }, input, label) };
  };
  const opened = asking.opened.map((tube) => ({ tube, ...box(`Tube ${tube + 1} has opened`) }));
  const corked = asking.corked.map((tube) => ({ tube, ...box(`Tube ${tube + 1} is closed for good`) }));
  const solved = asking.solved ? [box("The level is solved")] : [];
  const chosen = (/** @type {{ tube: number, input: HTMLInputElement }[]} */ boxes) => boxes.flatMap(({ tube, input }) => (input.checked ? [tube] : []));
  const done = () => answer({ opened: chosen(opened), corked: chosen(corked), solved: Boolean(solved[0]?.input.checked) });
  const boxes = [...opened, ...corked, ...solved].map(({ row }) => row);
  return h("div", { class: "question", role: "group", "aria-label": "What has happened?" }, h("p", { class: "sentence" }, "What has happened?"), ...boxes, button(null, "Next", done, { class: "primary" }));
}
