/**
 * What the colours of a board look like: the server says it, so that pictures and terminals show the same.
 */

import { call } from "../core/api.js";

/** @typedef {import("../types.d.ts").Colour} Colour */
/** @typedef {import("../types.d.ts").NamedColour} NamedColour */

/** @param {NamedColour[]} colours @returns {Map<Colour, NamedColour>} */
export function byColour(colours) {
  return new Map(colours.map((each) => [each.colour, each]));
}

/**
 * What colours would look like that aren't on a board yet: those of a row of tiles, which may be any.
 * @param {Colour[]} colours
 * @returns {Promise<Map<Colour, NamedColour>>}
 */
export async function looksOf(colours) {
  const board = { puzzle: "tiles", columns: colours.map((colour) => [colour]) };
  return byColour((await call("position", { board, moves: [] })).colours);
}

/** Gives something the look of a colour. @param {HTMLElement} element @param {NamedColour | undefined} look */
export function paint(element, look) {
  if (!look) return;
  element.style.setProperty("background", look.fill);
  element.style.setProperty("color", look.ink);
}
