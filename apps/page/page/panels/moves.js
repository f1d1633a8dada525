/** The moves made and ahead, with a mark at each that lost something: all of it proved, as soon as it is known. */

import { isAborted } from "../core/api.js";
import { inPlay, solutionOf } from "../core/ask.js";
import { button, h, redraw, say } from "../core/dom.js";
import { arrowInWords, beats, counted, movesOf } from "../core/steps.js";

/** @import { State, Verdict } from "../types.d.ts" */

const SECONDS = 5; // for a position that isn't known yet

export class MovesPanel {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    this.list = h("ol", { class: "move-list" });
    this.words = h("p", { class: "fine", role: "status" });
    const title = h("h2", {}, "Moves");
    this.element = h("section", { class: "card moved", "aria-label": "Moves" }, title, this.words, this.list);
    this.work = new AbortController();
    /** @type {unknown} */
    this.asked = null;
    app.store.subscribe((state, before) => {
      if (state.screen !== "play") return;
      if (state.board !== before.board) this.work.abort();
      if (state.made !== before.made || state.ahead !== before.ahead || state.verdict !== before.verdict)
        this.show(state);
    });
  }

  /** @param {State} state */
  show(state) {
    const { made, ahead, hidden, position } = state;
    const moves = movesOf([...made, ...ahead]);
    this.element.hidden = hidden || !moves.length;
    if (this.element.hidden) return;
    const at = beats(made);
    const known = this.app.prover.history(moves);
    if (position?.goal) known[at] = { ...state.verdict, kind: "optimal", low: 0 };
    const losses = moves.map((_, index) => lossOf(known[index], known[index + 1]));
    const items = moves.map((move, index) => {
      const loss = losses[index];
      const words = loss ? (loss === Infinity ? "lost" : `+${loss}`) : "";
      const arrow = arrowInWords(move);
      const better = arrowInWords(known[index]?.plan?.[0]);
      const go = async () => {
        await this.app.game.goTo(index + 1);
        const cost = loss === Infinity ? "lost the game" : `cost ${loss}`;
        if (loss) this.app.notice(`Move ${index + 1}, ${arrow}, ${cost}.${better && ` Better: ${better}.`}`);
      };
      const item = button(null, `${index + 1}. ${arrow.replaceAll(" ", "")}`, () => void go(), {
        "aria-label": `Move ${index + 1}: ${arrow}${words && `, ${words}`}`,
        "aria-current": index + 1 === at ? "step" : null,
        "data-ahead": index >= at,
      });
      if (words) item.append(h("b", { "data-more": words !== "+1" }, words));
      return h("li", {}, item);
    });
    redraw(this.list, ...items);
    const count = losses.filter(Boolean).length;
    const sum = losses.reduce((total, loss) => total + (loss === Infinity ? 0 : loss), 0);
    say(
      this.words,
      count ? `${sum ? counted(sum) : "The game"} lost in ${counted(count, "place")}.` : "No move was lost.",
    );
    const here = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"));
    if (here) this.list.scrollTo({ left: here.offsetLeft - this.list.clientWidth / 2, top: here.offsetTop - 80 });
    if (["optimal", "lost", "goal"].includes(state.verdict.kind)) void this.ask(state, known);
  }

  /** Asks about the last position that isn't known. @param {State} state @param {(Verdict | null)[]} known */
  async ask(state, known) {
    const count = known.slice(0, beats(state.made)).findLastIndex((each) => !each);
    if (count < 0 || this.asked === state.made) return;
    this.asked = state.made;
    const { signal } = (this.work = new AbortController());
    const steps = state.made.slice(0, count);
    try {
      const found = await solutionOf({ ...inPlay(state), moves: movesOf(steps), seconds: SECONDS }, signal);
      this.app.prover.note(steps, found);
      this.asked = null;
      if (this.app.store.state.made === state.made) this.show(this.app.store.state);
    } catch (error) {
      if (!isAborted(error)) this.asked = null;
    }
  }
}

/**
 * How many moves one has cost, all of them if the game was lost by it; 0 if that isn't known.
 * @param {Verdict | null | undefined} before @param {Verdict | null | undefined} after
 */
function lossOf(before, after) {
  if (before?.kind !== "optimal" || !after) return 0;
  if (after.kind === "lost") return Infinity;
  return after.kind === "optimal" ? after.low + 1 - before.low : 0;
}
