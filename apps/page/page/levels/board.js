/**
 * The board of a level, as large as its place: with an arrow for a hint, tubes that close when they are complete, and
 * water that is poured.
 */

import { contentsOf, isTubes } from "../board/tubes.js";
import { WIDTH } from "../board/cells.js";
import { BoardView } from "../board/view.js";
import { h, isCalm, set, style, svg } from "../core/dom.js";
import { arrow } from "../board/picture.js";
import { pour } from "./pour.js";

/** @import { State, Position } from "../types.d.ts" */

const NARROWEST = 24; // pixels, of a tube
const WIDEST = 180;
const SHAKE = 240; // milliseconds
const JOY = 1100; // milliseconds, of a level that is solved
const CONFETTI = 60;

export class LevelBoard extends BoardView {
  /** @param {HTMLElement} place @param {import("../main.js").App} app */
  constructor(place, { store, game }) {
    super(place, store, game, "levels");
  }

  room() {
    return {
      width: this.place.clientWidth - 16,
      height: this.place.clientHeight,
      least: NARROWEST,
      most: WIDEST,
      around: matchMedia("(hover: none)").matches ? 16 : 36,
      over: 0.6,
    };
  }

  /** Draws all, as when the screen comes up: the arrow lies where the tubes are. */
  fit() {
    const { state } = this.store;
    this.show(state, { ...state, position: null });
  }

  /** @param {State} state @param {State} before */
  show(state, before) {
    if (state.screen !== "levels" || !isTubes(state.position)) return;
    super.show(state, before);
    if (state.position === before.position && state.hint === before.hint) return;
    const complete = completeTubes(state.position);
    for (const [place, tube] of this.tubes.entries()) set(tube, { "data-complete": complete.includes(place) });
    this.point(state.hint.move);
    if (state.position?.goal && before.position?.goal === false && state.board === before.board) this.celebrate(state);
  }

  /** Tubes hop one after the other, and confetti flies out of them. @param {State} state */
  celebrate({ position }) {
    if (isCalm()) return;
    const tubes = this.tubes;
    const each = JOY / 2 / tubes.length;
    tubes.forEach((tube, at) =>
      tube.animate([{ translate: "0" }, { translate: "0 -10px" }, { translate: "0" }], {
        duration: JOY / 2,
        delay: at * each,
        easing: "ease-in-out",
      }),
    );
    const whole = this.place.getBoundingClientRect();
    for (let piece = 0; piece < CONFETTI; piece++) {
      const from = tubes[piece % tubes.length]?.getBoundingClientRect() ?? whole;
      const bit = h("i", { class: "confetti" });
      const fill = position?.colours[piece % position.colours.length]?.fill ?? "";
      style(bit, { background: fill, left: `${from.x + from.width / 2 - whole.x}px`, top: `${from.y - whole.y}px` });
      this.place.append(bit);
      const across = (((piece * 37) % 21) - 10) * 6; // pixels: spread out, the same each time
      const up = 60 + ((piece * 53) % 140);
      const way = [
        { transform: "none", opacity: 1 },
        { transform: `translate(${across}px, ${-up}px) rotate(200deg)`, opacity: 1, offset: 0.5 },
        { transform: `translate(${across * 1.5}px, 0) rotate(400deg)`, opacity: 0 },
      ];
      bit.animate(way, { duration: JOY, easing: "ease-out" }).finished.finally(() => bit.remove());
    }
  }

  get tubes() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.place.querySelectorAll(".tube"))];
  }

  /** Draws an arrow for a move, or none. @param {import("../types.d.ts").Move | null} move */
  point(move) {
    this.place.querySelector(".pointer")?.remove();
    const [from, to] = Array.isArray(move) ? move.map((place) => this.tubes[Number(place)]?.querySelector("svg")) : [];
    if (!from || !to) return;
    const { width } = from.getBoundingClientRect();
    if (!width) return; // it isn't shown
    const whole = this.place.getBoundingClientRect();
    const scale = WIDTH / width;
    const spotOf = (/** @type {Element} */ drawing) => {
      const box = drawing.getBoundingClientRect();
      return { x: (box.left - whole.left) * scale, y: (box.top - whole.top + this.place.scrollTop) * scale };
    };
    const viewBox = `0 0 ${whole.width * scale} ${whole.height * scale}`;
    this.place.append(
      svg("svg", { viewBox, class: "pointer", "aria-hidden": "true" }, ...arrow(spotOf(from), spotOf(to))),
    );
  }

  /** @param {number} place */
  async choose(place) {
    await super.choose(place);
    if (this.store.state.error) this.shake(place);
  }

  /** @param {number} place */
  shake(place) {
    if (isCalm()) return;
    const frames = [0, -6, 6, -4, 4, 0].map((across) => ({ transform: `translateX(${across}px)` }));
    this.tubes[place]?.animate(frames, { duration: SHAKE });
  }

  /** @param {State} before @param {State} state */
  animate(before, state) {
    const { position } = state;
    const { from, to, amount } = position?.effect ?? {};
    const isForth = state.made.length === before.made.length + 1;
    const [source, target] = [this.tubes[from ?? -1], this.tubes[to ?? -1]];
    if (!isForth || position?.puzzle !== "water-sort" || !before.position || !source || !target || !amount)
      return super.animate(before, state);
    const was = contentsOf(before.position)[from ?? -1];
    if (was) pour(was, amount, source, target, this.place);
  }
}

/** The tubes that are full of one colour. @param {Position | null} position @returns {number[]} */
export function completeTubes(position) {
  if (!position) return [];
  return contentsOf(position).flatMap(({ cells, rule }, place) => {
    const isFull = cells.length === rule.capacity && cells.length > 0;
    return isFull && cells.every(({ colour }) => colour === cells[0]?.colour) ? [place] : [];
  });
}
