/** One stop for the Tab key in a group of buttons; arrow keys go from one to the next, by where they stand. */

export class Roving {
  /** @param {HTMLElement} group @param {string} selector */
  constructor(group, selector) {
    this.group = group;
    this.selector = selector;
    this.current = 0;
    group.addEventListener("focusin", (event) => {
      const index = this.items.indexOf(/** @type {HTMLElement} */ (event.target));
      if (index >= 0) this.point(index);
    });
    group.addEventListener("keydown", (event) => this.key(event));
  }

  get items() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.group.querySelectorAll(this.selector))];
  }

  /** @param {number} index */
  point(index) {
    this.current = index;
    this.items.forEach((item, at) => (item.tabIndex = at === index ? 0 : -1));
  }

  /** To be called where there are other buttons than before. */
  refresh() {
    this.point(Math.max(0, Math.min(this.current, this.items.length - 1)));
  }

  focus() {
    this.items[this.current]?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const items = this.items;
    const from = items.indexOf(/** @type {HTMLElement} */ (event.target));
    const way = WAYS[event.key];
    if (from < 0 || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    let to = -1;
    if (event.key === "Home") to = 0;
    else if (event.key === "End") to = items.length - 1;
    else if (way) to = nearest(items, from, way);
    if (to < 0) return;
    event.preventDefault();
    this.point(to);
    this.focus();
  }
}

/** Across and down, by key. @type {Record<string, [number, number]>} */
export const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest item, or the next. @param {HTMLElement[]} items @param {number} from @param {[number, number]} way */
function nearest(items, from, [dx, dy]) {
  const middles = items.map((item) => {
    const box = item.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  });
  const [x = 0, y = 0] = middles[from] ?? [];
  let best = -1;
  let least = Infinity;
  middles.forEach(([otherX = 0, otherY = 0], index) => {
    const along = (otherX - x) * dx + (otherY - y) * dy;
    const aside = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
    if (index !== from && along > 4 && aside <= along && along + 2 * aside < least) {
      best = index;
      least = along + 2 * aside;
    }
  });
  if (best < 0 && dx) best = from + dx;
  return best < items.length ? best : -1;
}
