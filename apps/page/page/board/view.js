/** The board on the page: the view that fits its puzzle, what is chosen on it, and the keys that play it. */

import { h, say } from "../core/dom.js";
import { onGameKey } from "../core/keys.js";
import { sameMove } from "../core/steps.js";
import { Game } from "../core/game.js";
import { GridView } from "./grid.js";
import { ListedView } from "./listed.js";
import { TilesView } from "./tiles.js";
import { rulesOf, TubesView } from "./tubes.js";

/** @import { State, Move, View } from "../types.d.ts" */

/**
 * What a view may ask for.
 * @typedef {object} Actions
 * @property {(key: number | string | null) => void} select chooses a tube or a ball, or nothing
 * @property {(place: number) => void} choose a tube was clicked: the first one is the source, the second the target
 * @property {(move: Move) => void} move
 * @property {() => import("./fit.js").Room} room
 */

/** @type {Record<string, new (actions: Actions) => View>} */
const VIEWS = { "ball-sort": TubesView, "water-sort": TubesView, tiles: TilesView, shot: GridView };

export class BoardView {
  /**
   * @param {HTMLElement} place
   * @param {import("../core/store.js").Store} store
   * @param {Game} game
   * @param {import("../types.d.ts").ScreenName} [screen] that it is part of
   */
  constructor(place, store, game, screen = "play") {
    this.place = place;
    this.store = store;
    this.game = game;
    /** @type {View | null} */
    this.view = null;
    this.puzzle = "";
    this.rules = h("p", { class: "fine tube-rules" });
    this.width = 0; // that was drawn for
    store.subscribe((state, before) => this.show(state, before));
    new ResizeObserver(() => this.fit()).observe(place);
    onGameKey(store, (event) => this.digit(event), screen);
  }

  /** @type {Actions["room"]} */
  room() {
    return { width: this.place.clientWidth, height: parseFloat(getComputedStyle(this.place).minHeight), most: 96 };
  }

  /** @param {State} state @param {State} before */
  show(state, before) {
    const { position } = state;
    if (!position) return;
    const puzzle = position.puzzle;
    if (puzzle !== this.puzzle) {
      const Kind = position.picture ? ListedView : VIEWS[puzzle];
      this.puzzle = puzzle;
      if (!Kind) {
        this.view = null;
        return this.place.replaceChildren(h("p", {}, `This page can't show ${puzzle} boards.`));
      }
      const { game } = this;
      this.view = new Kind({
        select: (key) => void game.inTurn(async () => this.store.set({ selected: key, error: "" })),
        choose: (place) => void game.inTurn(() => this.choose(place)),
        move: (move) => void game.make(move),
        room: () => this.room(),
      });
      this.place.replaceChildren(this.view.element, this.rules);
    }
    if (position !== before.position) say(this.rules, rulesInWords(position));
    if (position === before.position && state.selected === before.selected && state.hint === before.hint) return;
    this.draw();
    if (before.position && position !== before.position && state.board === before.board) this.animate(before, state);
  }

  /** Draws the board where it shows; where it doesn't it is drawn when it does. */
  draw() {
    this.width = this.place.clientWidth;
    if (this.width) this.view?.draw(this.store.state);
  }

  /** Draws the board again where its place has another width. */
  fit() {
    if (this.place.clientWidth !== this.width) this.draw();
  }

  /** @param {State} before @param {State} state */
  animate(before, state) {
    const step = state.made.length - before.made.length;
    const [longer, shorter] = step > 0 ? [state.made, before.made] : [before.made, state.made];
    const last = Game.lastMove(longer);
    const isOne =
      longer.filter((each) => "move" in each).length - shorter.filter((each) => "move" in each).length === 1;
    if (last !== null && isOne && before.position) this.view?.animate(before.position, state, last, step < 0);
  }

  /**
   * A tube was chosen, by whatever means. Who is quick does it while the move before is on its way, so that it waits
   * for its turn.
   * @param {number} place
   */
  async choose(place) {
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
    if (this.view instanceof TubesView && place < this.view.tubes.length)
      void this.game.inTurn(() => this.choose(place));
    if (this.view instanceof TilesView && place < this.view.columns.length) void this.game.make(place);
  }

  focus() {
    this.fit();
    this.view?.focus();
  }
}

/**
 * What isn't as usual: of moves, and of tubes for those who see no more than a badge.
 * @param {import("../types.d.ts").Position} position
 */
function rulesInWords(position) {
  const said = (position.tubes ?? []).flatMap((rule, place) => {
    const words = rulesOf(rule).join(", ");
    return words ? [`tube ${place + 1}: ${words}`] : [];
  });
  if (position.position.placement === "any") said.unshift("a ball goes wherever there is room");
  return said.length ? `Rules: ${said.join("; ")}.` : "";
}
