/** What colours look like where no game says it: as instances/palette.py and instances/puzzle.py have them. */

import { FILLS, inkOn } from "./palette.js";

/** Other names, with the nearest colours, best first. @type {Record<string, string[]>} */
const NEAREST = {
  gray: ["grey", "black"],
  "dark grey": ["grey", "black"],
  "light grey": ["white", "grey"],
  "dark red": ["maroon", "red"],
  rose: ["pink", "red"],
  "hot pink": ["magenta", "pink"],
  "light pink": ["pink", "lavender"],
  peach: ["pink", "khaki"],
  "dark orange": ["orange", "brown"],
  "light yellow": ["yellow", "khaki"],
  beige: ["khaki", "white"],
  tan: ["khaki", "brown"],
  "dark brown": ["brown", "black"],
  "light green": ["lime", "green"],
  "dark green": ["green", "teal"],
  mint: ["lime", "cyan"],
  turquoise: ["cyan", "teal"],
  "dark teal": ["teal", "navy"],
  "light blue": ["cyan", "blue"],
  "sky blue": ["cyan", "lavender"],
  "dark blue": ["navy", "blue"],
  slate: ["grey", "teal"],
  violet: ["purple", "lavender"],
  "light purple": ["lavender", "magenta"],
  "dark purple": ["purple", "navy"],
};

const RESERVED = "-_|# ·.?[]{}";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const SPARE = `${LETTERS}${LETTERS.toUpperCase()}0123456789`;
const [REST, REST_END] = [0xc0, 0x250];

const [NAMED, NEAR] = [new Map(Object.entries(FILLS)), new Map(Object.entries(NEAREST))]; // "constructor" is no name

/** @param {Colour[]} palette @returns {Map<Colour, NamedColour>} */
export function looksOf(palette) {
  const [fills, symbols] = [fillsOf(palette), symbolsOf(palette)];
  const look = (/** @type {Colour} */ colour) => {
    const fill = fills.get(colour) ?? "";
    return { colour, name: String(colour), symbol: symbols.get(colour) ?? "", fill, ink: inkOn(fill) };
  };
  return new Map(palette.map((colour) => [colour, look(colour)]));
}

/** The fill that a name suggests, or one that no other colour has. @param {Colour[]} palette */
function fillsOf(palette) {
  /** @type {Map<Colour, string>} */
  const fills = new Map();
  const isFree = (/** @type {string | undefined} */ fill) => fill && ![...fills.values()].includes(fill);
  for (const isNear of [false, true]) {
    for (const colour of palette.filter((each) => !fills.has(each))) {
      const own = String(colour).toLowerCase();
      const fill = (isNear ? (NEAR.get(own) ?? []) : [own]).map((name) => NAMED.get(name)).find(isFree);
      if (fill) fills.set(colour, fill);
    }
  }
  const all = Object.values(FILLS);
  const free = all.filter(isFree);
  const spare = free.length ? free : all;
  for (const [at, colour] of palette.filter((each) => !fills.has(each)).entries())
    fills.set(colour, spare[at % spare.length] ?? "");
  return fills;
}

/** A symbol for each colour, from its name if possible. @param {Colour[]} palette @returns {Map<Colour, string>} */
export function symbolsOf(palette) {
  /** @type {Map<Colour, string>} */
  const symbols = new Map();
  const taken = new Set(RESERVED);
  // Names of one character are used as they are, whatever comes before them.
  for (const colour of palette) {
    const name = String(colour);
    if (name.length <= 2 && /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(name) && !taken.has(name)) {
      symbols.set(colour, name);
      taken.add(name);
    }
  }
  const rest = Array.from({ length: REST_END - REST }, (_, at) => String.fromCharCode(REST + at));
  for (const colour of palette.filter((each) => !symbols.has(each))) {
    const name = String(colour);
    const own = (name.toLowerCase() + name.toUpperCase()).match(/[a-z0-9]/gi) ?? [];
    const symbol = [...own, ...SPARE, ...rest].find((each) => !taken.has(each)) ?? "";
    symbols.set(colour, symbol);
    taken.add(symbol);
  }
  return symbols;
}
