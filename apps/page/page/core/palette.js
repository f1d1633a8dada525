/** What the colours of a board look like: as the game has them that it is from, or as bsp-sat has them (paints.js). */

import { style } from "./dom.js";

/** Fills by name, as in Python (instances/palette.py). Unnamed colours get them in this order. */
export const FILLS = {
  red: "#ae0409",
  blue: "#5457fb",
  green: "#0d9c7b",
  yellow: "#ede401",
  orange: "#e46501",
  purple: "#4c0b99",
  pink: "#eda0b3",
  cyan: "#69cbff",
  lime: "#c6feb5",
  brown: "#76594c",
  grey: "#6c6f82",
  teal: "#1b4348",
  white: "#f5f5f5",
  navy: "#120a40",
  maroon: "#560005",
  black: "#170b18",
  khaki: "#bec190",
  magenta: "#fc65bb",
  olive: "#789955",
  lavender: "#d8e4fe",
  gold: "#ceb732",
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

/** A position in a game's colours, others unlike these. @param {Position} position @param {Look | null} look */
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

/** The colour that is least like some others. @param {string[]} fills `#rrggbb` */
export function unlike(fills) {
  const others = fills.map(channels);
  const distance = (/** @type {string} */ fill) => {
    const own = channels(fill);
    return Math.min(...others.map((other) => other.reduce((sum, value, at) => sum + (value - (own[at] ?? 0)) ** 2, 0)));
  };
  const all = Object.values(FILLS);
  return all.reduce((best, fill) => (distance(fill) > distance(best) ? fill : best), FILLS.red);
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
