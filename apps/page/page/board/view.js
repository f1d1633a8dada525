/** The board in play: the view that fits its puzzle, what is chosen on it, keys, arrows, and animations. */

import { UNREACHABLE } from "../core/api.js";
import { h, isCalm, say, style, svg } from "../core/dom.js";
import { onGameKey } from "../core/keys.js";
import { isInPlay } from "../core/navigation.js";
import { movesOf, sameMove } from "../core/steps.js";
import { pour } from "./pour.js";
import { WIDTH } from "./cells.js";
import { arrow } from "./picture.js";
import { contentsOf, rulesOf, TubesView } from "./tubes.js";

/** @typedef {new (actions: Actions) => View} Kind */

/** @type {Record<string, () => Kind | Promise<Kind>>} */
const VIEWS = {
  "ball-sort": () => TubesView,
  "water-sort": () => TubesView,
  tiles: async () => (await import("./tiles.js")).TilesView,
  shot: async () => (await import("./grid.js")).GridView,
};
const listed = async () => (await import("./listed.js")).ListedView;

const [NARROWEST, TARGET, WIDEST] = [24, 44, 180]; // pixels, of a tube
const NUMBER = 20; // pixels, below a tube
const SCROLLS = "(max-width: 899px) and (min-height: 481px)"; // where an analysis is as high as it has to be
const SHAKE = 240; // milliseconds
const JOY = 1100; // milliseconds, of a board that is solved
const CONFETTI = 60;

export class BoardView {
  /** @param {HTMLElement} place @param {App} app @param {() => boolean} isAnalysed */
  constructor(place, { store, game }, isAnalysed) {
    this.place = place;
    this.store = store;
    this.game = game;
    this.isAnalysed = isAnalysed;
    /** @type {View | null} */
    this.view = null;
    this.puzzle = "";
    this.rules = h("p", { class: "fine tube-rules" });
    store.subscribe((state, before) => this.show(state, before));
    new ResizeObserver(() => this.fit()).observe(place);
    onGameKey(store, (event) => this.digit(event));
  }

  /** @type {Actions["room"]} */
  room() {
    const { clientWidth, clientHeight } = this.place;
    const isNumbered = this.isAnalysed() || !matchMedia("(hover: none)").matches;
    return {
      width: clientWidth - 16,
      height: clientHeight - this.rules.offsetHeight,
      least: this.scrolls() ? TARGET : NARROWEST,
      most: WIDEST,
      around: 16 + (isNumbered ? NUMBER : 0),
      over: 0.6,
    };
  }

  /** @param {State} state @param {State} before */
  show(state, before) {
    const { position } = state;
    if (!position || !isInPlay(state.screen)) return;
    if (position.puzzle !== this.puzzle) void this.change(position);
    const isAnother = position !== before.position || state.screen !== before.screen;
    if (!isAnother && state.selected === before.selected && state.hint === before.hint) return;
    if (isAnother) say(this.rules, rulesInWords(position));
    if (!this.place.clientWidth) return; // it is drawn when it shows
    this.view?.draw(state);
    if (isAnother || state.hint !== before.hint) this.point(state.hint.move);
    if (!before.position || position === before.position || state.board !== before.board) return;
    this.animate(before, state);
    if (position.goal && !before.position.goal) this.celebrate(state);
  }

  /** @param {Position} position of another puzzle */
  async change({ puzzle, picture }) {
    this.puzzle = puzzle;
    this.view = null;
    /** @type {Kind | undefined} */
    let Kind;
    let words = `This page can't show ${puzzle} boards.`;
    try {
      Kind = await (picture ? listed : VIEWS[puzzle])?.();
    } catch {
      words = UNREACHABLE;
    }
    if (this.puzzle !== puzzle) return;
    if (!Kind) return this.place.replaceChildren(h("p", {}, words));
    this.view = new Kind({
      select: (key) => void this.game.inTurn(async () => this.store.set({ selected: key, error: "" })),
      choose: (place) => void this.game.inTurn(() => this.choose(place)),
      move: (move) => void this.game.make(move),
      room: () => this.room(),
    });
    this.place.replaceChildren(this.view.element, this.rules);
    this.fit();
  }

  /** Whether the page is scrolled, and not the board. */
  scrolls() {
    return this.isAnalysed() && matchMedia(SCROLLS).matches;
  }

  /** Draws all, as when the screen comes up. */
  fit() {
    const { place } = this;
    const { state } = this.store;
    style(place, { "min-height": "" });
    this.show(state, { ...state, position: null });
    if (this.scrolls() && place.scrollHeight > place.clientHeight)
      style(place, { "min-height": `${place.scrollHeight}px` });
  }

  get tubes() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll(".tube"))];
  }

  /** Draws an arrow for a move from tube to tube, or none. @param {Move | null} move */
  point(move) {
    this.place.querySelector(".pointer")?.remove();
    const [from, to] = Array.isArray(move) ? move.map((place) => this.tubes[Number(place)]?.querySelector("svg")) : [];
    if (!from || !to) return;
    const whole = this.place.getBoundingClientRect();
    const scale = WIDTH / from.getBoundingClientRect().width;
    const spotOf = (/** @type {Element} */ drawing) => {
      const box = drawing.getBoundingClientRect();
      return { x: (box.left - whole.left) * scale, y: (box.top - whole.top + this.place.scrollTop) * scale };
    };
    const viewBox = `0 0 ${whole.width * scale} ${whole.height * scale}`;
    this.place.append(
      svg("svg", { viewBox, class: "pointer", "aria-hidden": "true" }, ...arrow(spotOf(from), spotOf(to))),
    );
  }

  /** @param {State} before @param {State} state */
  animate(before, state) {
    const step = state.made.length - before.made.length;
    const [longer, shorter] = step > 0 ? [state.made, before.made] : [before.made, state.made];
    const moves = movesOf(longer);
    const last = moves.at(-1);
    if (last === undefined || moves.length - movesOf(shorter).length !== 1 || !before.position) return;
    const { puzzle, effect } = /** @type {Position} */ (state.position);
    const { from, to, amount } = effect ?? {};
    const [source, target] = [this.tubes[from ?? -1], this.tubes[to ?? -1]];
    const was = contentsOf(before.position)[from ?? -1];
    if (step > 0 && puzzle === "water-sort" && was && source && target && amount)
      pour(was, amount, source, target, this.place);
    else this.view?.animate?.(before.position, state, last, step < 0);
  }

  /** Tubes hop one after the other, and confetti flies out of them. @param {State} state */
  celebrate({ position }) {
    const tubes = this.tubes;
    if (isCalm() || !tubes.length) return;
    const each = JOY / 2 / tubes.length;
    const hop = { translate: ["0", "0 -10px", "0"] };
    tubes.forEach((tube, at) => tube.animate(hop, { duration: JOY / 2, delay: at * each, easing: "ease-in-out" }));
    const whole = this.place.getBoundingClientRect();
    for (let piece = 0; piece < CONFETTI; piece++) {
      const from = tubes[piece % tubes.length]?.getBoundingClientRect() ?? whole;
      const bit = h("i", { class: "confetti" });
      const fill = position?.colours[piece % position.colours.length]?.fill ?? "";
      style(bit, { background: fill, left: `${from.x + from.width / 2 - whole.x}px`, top: `${from.y - whole.y}px` });
      this.place.append(bit);
      const across = (((piece * 37) % 21) - 10) * 6; // pixels: spread out, the same each time
      const up = 60 + ((piece * 53) % 140);
      const half = `translate(${across}px, ${-up}px) rotate(200deg)`;
      const transform = ["none", half, `translate(${across * 1.5}px, 0) rotate(400deg)`];
      const flying = bit.animate({ transform, opacity: [1, 1, 0] }, { duration: JOY, easing: "ease-out" });
      flying.finished.finally(() => bit.remove());
    }
  }

  /** A tube was chosen, perhaps while the last move is on its way. @param {number} place */
  async choose(place) {
    await this.give(place);
    if (!this.store.state.error || isCalm()) return;
    const frames = [0, -6, 6, -4, 4, 0].map((across) => ({ transform: `translateX(${across}px)` }));
    this.tubes[place]?.animate(frames, { duration: SHAKE });
  }

  /** @param {number} place */
  async give(place) {
    const { position, selected } = this.store.state;
    if (!position) return;
    const canGive = position.legal.some((move) => Array.isArray(move) && move[0] === place);
    if (selected === null) {
      return this.store.set(
        canGive ? { selected: place, error: "" } : { error: `Nothing can move from tube ${place + 1} now.` },
      );
    }
    if (selected === place) return this.store.set({ selected: null });
    const move = [Number(selected), place];
    const isLegal = position.legal.some((each) => sameMove(each, move));
    // An illegal move is made all the same where it can't be meant as another choice: the server says what is wrong.
    if (!isLegal && canGive) this.store.set({ selected: place, error: "" });
    else await this.game.makeNow(move);
  }

  /** Digits choose the first ten tubes or columns. @param {KeyboardEvent} event */
  digit(event) {
    if (!/^\d$/.test(event.key) || event.ctrlKey || event.metaKey) return;
    const place = (Number(event.key) + 9) % 10;
    /** @type {HTMLElement | null} */ (this.place.querySelector(`[data-place="${place}"]`))?.click();
  }

  focus() {
    this.fit();
    this.view?.roving.focus();
  }
}

/** What isn't as usual: of moves, and of tubes for those who see no more than a badge. @param {Position} position */
function rulesInWords(position) {
  const said = (position.tubes ?? []).flatMap((rule, place) => {
    const words = rulesOf(rule).join(", ");
    return words ? [`tube ${place + 1}: ${words}`] : [];
  });
  if (position.position.placement === "any") said.unshift("a ball goes wherever there is room");
  return said.length ? `Rules: ${said.join("; ")}.` : "";
}
