/** What forms and screens are made of: fields, choices, tabs, and colours to choose from. */

import { inkOn } from "./palette.js";
import { button, group, h, redraw, say, set, style } from "./dom.js";

/** A field with its name. @param {string} label @param {HTMLElement} input */
export function field(label, input) {
  return h("label", { class: "field" }, h("span", {}, label), input);
}

/**
 * A choice of one of some values.
 * @param {Record<string, string>} options words by value @param {(value: string) => void} [changed]
 * @param {Record<string, any>} [more] attributes; `value` is chosen at first
 */
export function select(options, changed = () => {}, { value = "", ...more } = {}) {
  const tell = (/** @type {{ target: HTMLSelectElement }} */ { target }) => changed(target.value);
  const element = h("select", { ...more, onchange: tell });
  element.append(...Object.entries(options).map(([value, words]) => h("option", { value }, words)));
  if (value) element.value = value;
  return element;
}

/** @param {string} words @param {boolean} checked @param {(on: boolean) => void} changed @param {object} [more] */
export function check(words, checked, changed, more = {}) {
  const tell = (/** @type {{ target: HTMLInputElement }} */ { target }) => changed(target.checked);
  return h("label", { class: "choice" }, h("input", { type: "checkbox", checked, onchange: tell, ...more }), words);
}

/**
 * A round button in a colour; without one, for a sign.
 * @param {string} label @param {string} colour `#rrggbb`, or empty @param {() => void} action
 * @param {Record<string, any>} [more] @param {...Child} inside
 */
export function swatch(label, colour, action, more = {}, ...inside) {
  const kind = colour ? "swatch" : "swatch new";
  const properties = { class: kind, "aria-label": label, title: label, onclick: action, ...more };
  const element = h("button", properties, ...inside);
  if (colour) style(element, { background: colour, color: inkOn(colour) });
  return element;
}

/**
 * Tabs that show one of several elements in a panel; arrow keys go from tab to tab.
 * @template {string} Name @param {string} label @param {Record<Name, string>} names each with its words
 * @param {HTMLElement} panel with an id @param {(name: Name) => void} choose called when a tab was clicked
 */
export function tabs(label, names, panel, choose) {
  const all = /** @type {Name[]} */ (Object.keys(names)).map((name) => {
    const properties = { id: `tab-${name}`, "aria-controls": panel.id, onclick: () => choose(name) };
    return h("button", { role: "tab", ...properties }, names[name]);
  });
  const element = h("div", { class: "tabs", role: "tablist", "aria-label": label }, ...all);
  element.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = all.findIndex((tab) => tab === document.activeElement);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = all[(at + by + all.length) % all.length];
    next?.focus();
    next?.click();
  });
  const show = (/** @type {Name} */ name, /** @type {HTMLElement} */ content) => {
    for (const tab of all) {
      const isChosen = tab.id === `tab-${name}`;
      set(tab, { "aria-selected": String(isChosen), tabindex: isChosen ? 0 : -1 });
    }
    set(panel, { "aria-labelledby": `tab-${name}` });
    if (panel.firstElementChild !== content) redraw(panel, content);
  };
  return { element, show };
}

/** A number with a button on each side. @param {string} what @param {(by: number) => void} change */
export function stepper(what, change) {
  const number = h("b", {});
  const output = h("output", {}, number, h("small", {}, what));
  const element = group(
    "stepper",
    what,
    button("minus", `Fewer ${what}`, () => change(-1), { bare: true }),
    output,
    button("board", `More ${what}`, () => change(1), { bare: true }),
  );
  return { element, tell: (/** @type {number} */ count) => say(number, String(count)) };
}

/**
 * What stands at the top of every screen: the way back (or home), what it is, and at most three things to do.
 * @param {App} app @param {"back" | "home" | null} way
 * @param {(Node | string)[]} title a heading, and a line below it if there is one
 * @param {...(HTMLElement | null)} actions
 */
export function header(app, way, [title, line = ""], ...actions) {
  const heading = typeof title === "string" ? h("h1", {}, title) : title;
  const words = typeof line === "string" ? line && h("p", {}, line) : line;
  const go = { back: () => app.back(), home: () => app.go("home") };
  return h(
    "header",
    { class: "top" },
    way && button(way, way === "home" ? "Home" : "Back", go[way], { bare: true, class: "quiet" }),
    h("div", { class: "title" }, heading, words),
    ...actions,
  );
}
