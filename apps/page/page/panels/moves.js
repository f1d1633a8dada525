/** The moves made and ahead, with a mark at each that lost something: all of it proved, as soon as it is known. */

import { isAborted } from "../core/api.js";
import { inPlay, solutionOf } from "../core/ask.js";
import { button, h, redraw } from "../core/dom.js";
import { arrowInWords, beats, counted, movesOf } from "../core/steps.js";

const SECONDS = 5; // for a position that isn't known yet

export class Moves {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("section", { class: "card moved", "aria-label": "Moves" });
    this.work = new AbortController();
    /** @type {unknown} */
    this.asked = null;
    this.noted = 0; // positions
    /** @type {unknown[]} what was drawn last */
    this.drawn = [];
  }

  /** The part for a state; null where nothing was moved, or cells are covered. @param {State} state */
  draw(state) {
    const { made, ahead, hidden, position } = state;
    const moves = movesOf([...made, ...ahead]);
    if (!made.length) this.work.abort();
    if (hidden || !moves.length) return null;
    const now = [made, ahead, state.verdict, this.noted];
    if (now.every((each, index) => each === this.drawn[index])) return this.element;
    this.drawn = now;
    const at = beats(made);
    const known = this.app.prover.history(moves);
    if (position?.goal) known[at] = { ...state.verdict, kind: "optimal", low: 0 };
    const losses = moves.map((_, index) => lossOf(known[index], known[index + 1]));
    /** Goes to a move, and says what it cost. @param {number} index */
    const go = async (index) => {
      await this.app.game.goTo(index + 1);
      const cost = losses[index] === Infinity ? "lost the game" : `cost ${losses[index]}`;
      const better = arrowInWords(known[index]?.plan?.[0]);
      const words = `Move ${index + 1}, ${arrowInWords(moves[index])}, ${cost}.${better && ` Better: ${better}.`}`;
      if (losses[index]) this.app.notice(words);
    };
    const items = moves.map((move, index) => {
      const loss = losses[index];
      const words = loss ? (loss === Infinity ? "lost" : `+${loss}`) : "";
      const arrow = arrowInWords(move);
      const item = button(null, `${index + 1}. ${arrow.replaceAll(" ", "")}`, () => void go(index), {
        "aria-label": `Move ${index + 1}: ${arrow}${words && `, ${words}`}`,
        "aria-current": index + 1 === at ? "step" : null,
        "data-ahead": index >= at,
      });
      if (words) item.append(h("b", { "data-more": words !== "+1" }, words));
      return h("li", {}, item);
    });
    const count = losses.filter(Boolean).length;
    const sum = losses.reduce((total, loss) => total + (loss === Infinity ? 0 : loss), 0);
    const words = `${sum ? counted(sum) : "The game"} lost in ${counted(count, "place")}`;
    const toFirst = button(null, words, () => void go(losses.findIndex(Boolean)), { class: "quiet" });
    redraw(
      this.element,
      h("h2", {}, "Moves"),
      h("p", { class: "fine", role: "status" }, count ? toFirst : "No move was lost."),
      h("ol", { class: "move-list" }, ...items),
    );
    void this.ask(state, known);
    return this.element;
  }

  /** Brings the move that was made last into sight. */
  scroll() {
    const here = /** @type {HTMLElement | null} */ (this.element.querySelector("[aria-current]"));
    const list = here?.closest("ol");
    if (here) list?.scrollTo({ left: here.offsetLeft - list.clientWidth / 2, top: here.offsetTop - 80 });
  }

  /** Asks about the last position that isn't known. @param {State} state @param {(Verdict | null)[]} known */
  async ask(state, known) {
    const count = known.slice(0, beats(state.made)).findLastIndex((each) => !each);
    if (!["optimal", "lost", "goal"].includes(state.verdict.kind) || count < 0 || this.asked === state.made) return;
    this.asked = state.made;
    const { signal } = (this.work = new AbortController());
    const steps = state.made.slice(0, count);
    try {
      const found = await solutionOf({ ...inPlay(state), moves: movesOf(steps), seconds: SECONDS }, signal);
      this.app.prover.note(steps, found);
      this.noted++;
      this.asked = null;
      if (this.app.store.state.made === state.made) this.app.store.set({});
    } catch (error) {
      if (!isAborted(error)) this.asked = null;
    }
  }
}

/**
 * How many moves one has cost, all of them if the game was lost by it; 0 if that isn't known.
 * @param {Verdict | null} [before] @param {Verdict | null} [after]
 */
function lossOf(before, after) {
  if (before?.kind !== "optimal" || !after) return 0;
  if (after.kind === "lost") return Infinity;
  return after.kind === "optimal" ? after.low + 1 - before.low : 0;
}
