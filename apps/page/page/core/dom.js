/** Elements made from data. Texts become text nodes, so that what a board is called is never markup. */

/**
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag
 * @param {Record<string, any>} [properties] attributes; `on…` are listeners, `class` and `data-…` as in markup
 * @param {...Child} children @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...kept(children));
  return element;
}

/** A box of a class. @param {string} kind @param {...Child} children */
export function div(kind, ...children) {
  return h("div", { class: kind }, ...children);
}

/** The same of things that belong together. @param {string} kind @param {string} label @param {...Child} children */
export function group(kind, label, ...children) {
  return h("div", { class: kind, role: "group", "aria-label": label }, ...children);
}

/** @param {string} tag @param {Record<string, any>} [attributes] @param {...Child} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...kept(children));
  return element;
}

/** What each element calls, by event. @type {WeakMap<Node, Record<string, unknown>>} */
const calls = new WeakMap();

/** @param {Element} element @param {Record<string, any>} properties */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) {
      calls.set(element, { ...calls.get(element), [name]: value });
      Object.assign(element, { [name]: value });
    } else if (value === true) element.setAttribute(name, "");
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function kept(children) {
  return children.flatMap((child) =>
    child === null || child === undefined || child === false ? [] : [child instanceof Node ? child : String(child)],
  );
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, string | number>} values by CSS's names */
export function style(element, values) {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, String(value));
}

/**
 * Puts these in the place of all that an element holds, after each change: one of the same kind and class that is there
 * already becomes the new one, and keeps the focus, and where it was scrolled to. If what had the focus has gone, what
 * comes first has it. What isn't made anew stays itself. So what an element calls has to ask the event for the element,
 * and must be among its properties.
 * @param {Element} element @param {...Child} children
 */
export function redraw(element, ...children) {
  const hadFocus = element.contains(document.activeElement);
  replace(element, kept(children));
  if (!hadFocus || element.contains(document.activeElement)) return;
  const first = element.querySelector(".done:enabled") ?? element.querySelector("button:enabled, input, select");
  /** @type {HTMLElement | null} */ (first)?.focus();
}

/** Nodes that were drawn: those that come again are parts which something refers to. @type {WeakSet<Node>} */
const stay = new WeakSet();

/** @param {Node} parent @param {(Node | string)[]} children */
function replace(parent, children) {
  let old = parent.firstChild;
  for (const child of children) {
    const node = child instanceof Node ? child : new Text(child);
    let like = old;
    while (like && like !== node && (stay.has(node) || !isLike(like, node))) like = like.nextSibling;
    stay.add(node);
    if (!like) parent.insertBefore(node, old);
    else {
      while (old !== like) old = removed(old);
      if (like !== node) become(like, node);
      old = like.nextSibling;
    }
  }
  while (old) old = removed(old);
}

/** Removes a node, and gives back what came after it. @param {ChildNode | null} node */
function removed(node) {
  const next = node?.nextSibling ?? null;
  node?.remove();
  return next;
}

/** @param {Node} old @param {Node} node */
function isLike(old, node) {
  const kind = (/** @type {Node} */ each) => each instanceof Element && each.getAttribute("class");
  return old.nodeName === node.nodeName && kind(old) === kind(node);
}

/** @param {Node} old @param {Node} node of the same kind */
function become(old, node) {
  if (!(old instanceof Element && node instanceof Element)) {
    if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
    return;
  }
  const gone = old.getAttributeNames().filter((name) => !node.hasAttribute(name) && name !== "open");
  for (const name of gone) old.removeAttribute(name);
  for (const name of node.getAttributeNames())
    if (name !== "style") set(old, { [name]: node.getAttribute(name) });
    else /** @type {HTMLElement} */ (old).style.cssText = /** @type {HTMLElement} */ (node).style.cssText;
  const [before, now] = [calls.get(old) ?? {}, calls.get(node) ?? {}];
  set(old, { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...now });
  const chosen = node instanceof HTMLSelectElement ? node.value : ""; // its options may go with the next line
  replace(old, [...node.childNodes]);
  if (old instanceof HTMLInputElement && node instanceof HTMLInputElement) {
    old.checked = node.checked;
    if (!old.matches(":focus:not([type=range])")) old.value = node.value; // what is being typed stays
  }
  if (old instanceof HTMLSelectElement) old.value = chosen;
}

/** Writes a text where it changed: screen readers say it once. @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What stands in the way: a sentence, and folded below it what the program says of it. */
export function refusal() {
  const element = div("refusal");
  const tell = (/** @type {string} */ sentence, reason = "") => {
    set(element, { "data-said": sentence !== "" });
    redraw(
      element,
      h("p", { class: "complaint", role: "alert" }, sentence),
      reason && h("details", {}, h("summary", {}, "Details"), h("p", { class: "fine" }, reason)),
    );
  };
  tell("");
  return { element, tell };
}

/** What tells people who can't see it what happens. @param {HTMLElement} place a live region */
export function announcer(place) {
  let turn = false;
  return (/** @type {string} */ text) => {
    // The same words twice would be no change, and not be announced: a space more makes them one.
    turn = !turn;
    place.textContent = text && turn ? `${text}\u00a0` : text;
  };
}

const ICONS = {
  undo: "M9 4 4 9l5 5M4 9h10a6 6 0 0 1 0 12h-1",
  redo: "m15 4 5 5-5 5M20 9H10a6 6 0 0 0 0 12h1",
  restart: "M4 5v5h5M4.6 15a8 8 0 1 0 1.2-7.2L4 10",
  hint: "M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0c-.6.5-1 1-1 2h-5c0-1-.4-1.5-1-2Z",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  stop: "M6 6h12v12H6z",
  first: "M6 5v14M18 5l-8 7 8 7z",
  back: "m15 5-7 7 7 7",
  forward: "m9 5 7 7-7 7",
  share: "M12 15V4m0 0L8 8m4-4 4 4M5 12v7h14v-7",
  board: "M12 5v14M5 12h14",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9Z",
  keys: "M9.2 9a3 3 0 1 1 4.3 2.7c-1 .5-1.5 1.1-1.5 2.3M12 17.5v.1",
  close: "M6 6l12 12M18 6 6 18",
  solve: "m5 13 4 4L19 7",
  home: "m4 11 8-7 8 7M6 10v10h12V10",
  menu: "M5 7h14M5 12h14M5 17h14",
  camera: "M4 8h4l1.5-2.5h5L16 8h4v11H4zM12 10a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7",
  pencil: "m5 19 1-4L16 5l3 3L9 18z",
  make: "M12 4v6M12 14v6M4 12h6M14 12h6",
  learn: "M4 6c3-1.5 5-1.5 8 0 3-1.5 5-1.5 8 0v12c-3-1.5-5-1.5-8 0-3-1.5-5-1.5-8 0zM12 6v12",
  minus: "M6 12h12",
  up: "M12 19V5m0 0-6 6m6-6 6 6",
  down: "M12 5v14m0 0-6-6m6 6 6-6",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6v.1M4.5 12v.1M4.5 18v.1",
};

/** A drawn sign; what it means stands in the button around it. @param {keyof typeof ICONS} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/**
 * @param {keyof typeof ICONS | null} sign @param {string} label @param {() => void} action
 * @param {Record<string, any>} [more] `bare: true` shows the sign alone, with the label for those who can't see it
 */
export function button(sign, label, action, { bare = false, ...more } = {}) {
  const words = h("span", bare ? { class: "unseen" } : {}, label);
  const properties = { onclick: action, "data-bare": bare, ...(bare && { title: label }), ...more };
  return h("button", properties, sign && icon(sign), words);
}

/** Whether people have asked for less motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Waits until it isn't called; `cancel` drops what waits. @param {() => void} action @param {number} milliseconds */
export function settled(action, milliseconds) {
  let timer = 0;
  const call = () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
  return Object.assign(call, { cancel: () => clearTimeout(timer) });
}
