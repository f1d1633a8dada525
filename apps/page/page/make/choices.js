/** What most people want: one tap makes a level. */

import { h } from "../core/dom.js";
import { successOf } from "../core/measures.js";

/** @import { Wishes } from "./work.js" */

/** @type {{ word: string, says: string, colours: number, ranges: Record<string, string> }[]} */
const CHOICES = [
  { word: "Easy", says: "most players solve it", colours: 6, ranges: { greedy_success: successOf("easy") } },
  { word: "Hard", says: "few players solve it", colours: 9, ranges: { greedy_success: successOf("hard") } },
  { word: "Tricky", says: "many moves lead into a trap", colours: 6, ranges: { trap_share: "0.1.." } },
];

/** @param {(wishes: Omit<Wishes, "puzzle" | "seed">) => void} make */
export function choices(make) {
  const cards = CHOICES.map(({ word, says, colours, ranges }) => {
    const wishes = { count: 1, numbers: { colours, capacity: 4, empty: 2 }, ranges };
    const card = { type: "button", class: "way-in raised", onclick: () => make(wishes) };
    return h("button", card, h("b", { class: "face" }, word), h("small", {}, says));
  });
  return h("div", { class: "kinds", role: "group", "aria-label": "Make a level" }, ...cards);
}
