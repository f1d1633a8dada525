/** What the colours of a board look like: as the game has them that it is from, or as bsp-sat has them (paints.js). */

import { style } from "./dom.js";

/** @import { Colour, NamedColour, Position, Look } from "../types.d.ts" */

/** Colours as such games have them, by the names that people give them. */
export const USUAL = {
  red: "#d9352c",
  blue: "#2f55d4",
  green: "#2f8f3e",
  yellow: "#f4d03a",
  orange: "#ee8a2b",
  purple: "#7b2fa8",
  pink: "#f08fb8",
  "light blue": "#62c6f2",
  "light green": "#8fdc4f",
  brown: "#7a4a24",
  grey: "#7d8590",
  teal: "#12857c",
  white: "#f4f4f4",
  navy: "#1a2357",
  magenta: "#cf2f9b",
  olive: "#8b8a1f",
  cream: "#f0d9a8",
  black: "#1d1d1d",
  lavender: "#b39bf5",
  maroon: "#7e1830",
  mint: "#8ff0cf",
  salmon: "#f7806a",
};

/** @param {NamedColour[]} colours @returns {Map<Colour, NamedColour>} */
export function byColour(colours) {
  return new Map(colours.map((each) => [each.colour, each]));
}

/** Gives something the look of a colour. @param {HTMLElement} element @param {NamedColour | undefined} look */
export function paint(element, look) {
  if (!look) return;
  style(element, { background: look.fill, color: look.ink });
}

/**
 * A position in the colours of the game it comes from. A colour that the look doesn't know gets one unlike the others.
 * @param {Position} position
 * @param {Look | null} look
 * @returns {Position}
 */
export function inColoursOf(position, look) {
  const fills = new Map(Object.entries(look?.colours ?? {}));
  const colours = position.colours.map((each) => {
    const name = /^\d+$/.test(String(each.colour)) ? `colour ${each.colour}` : each.name;
    if (!look) return { ...each, name };
    const fill = fills.get(String(each.colour)) ?? unlike([...fills.values()]);
    fills.set(String(each.colour), fill);
    return { ...each, name, fill, ink: inkOn(fill) };
  });
  return { ...position, colours };
}

/** The usual colour that is least like some others. @param {string[]} fills `#rrggbb` */
export function unlike(fills) {
  const others = fills.map(channels);
  const distance = (/** @type {string} */ fill) => {
    const own = channels(fill);
    return Math.min(...others.map((other) => other.reduce((sum, value, at) => sum + (value - (own[at] ?? 0)) ** 2, 0)));
  };
  const usual = Object.values(USUAL);
  return usual.reduce((best, fill) => (distance(fill) > distance(best) ? fill : best), usual[0] ?? "#d9352c");
}

/** Black or white, whichever can be read on a colour. @param {string} fill `#rrggbb` */
export function inkOn(fill) {
  return luminance(fill) > 0.179 ? "#000000" : "#ffffff";
}

/**
 * Whether a colour has less than three times the light of the inside of a tube in the dark, or that has less than three
 * times its own in the light (`--inside` in styles/tokens.css).
 * @param {string} fill `#rrggbb`
 */
export function nearTo(fill) {
  const light = luminance(fill);
  return light > 0.28 ? "light" : light < 0.15 ? "dark" : null;
}

/** @param {string} fill `#rrggbb` */
function luminance(fill) {
  const [red = 0, green = 0, blue = 0] = channels(fill).map((value) =>
    value <= 10 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @param {string} fill `#rrggbb` */
function channels(fill) {
  return [1, 3, 5].map((at) => parseInt(fill.slice(at, at + 2), 16));
}
