/**
 * Your line beside the optimum: what each move cost, as far as it was proved while you played.
 */

import { button, fill, h } from "../core/dom.js";
import { beats, counted, movesOf, stepsOf } from "../core/steps.js";

/** @import { State, Verdict } from "../types.d.ts" */

const MOST_LISTED = 8;

export class LinePanel {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    this.strip = h("div", { class: "strips", "aria-hidden": "true" });
    this.list = h("ul", { class: "slips" });
    this.said = h("p", { class: "fine" });
    this.best = button("play", "See a shortest line", () => void this.showBest());
    this.element = h(
      "section",
      { class: "card line", "aria-label": "Your line", hidden: true },
      h("h2", {}, "Your line"),
      this.strip,
      this.said,
      this.list,
      this.best,
    );
    app.store.subscribe((state, before) => {
      if (state.verdict !== before.verdict || state.made !== before.made) this.show(state);
    });
  }

  /** @param {State} state */
  show({ made, position, hidden }) {
    const moves = movesOf(made);
    const solved = Boolean(position?.goal) && moves.length > 0 && !hidden;
    this.element.hidden = !solved;
    if (!solved) return;
    const known = this.app.prover.history(moves);
    const costs = moves.map((_, index) => costOf(known, index, moves.length));
    const slips = costs.flatMap((cost, index) => (cost ? [{ cost, index }] : []));
    const open = costs.filter((cost) => cost === null).length;
    const best = known[0]?.kind === "optimal" ? known[0] : null;
    fill(
      this.strip,
      row("You", costs),
      best &&
        row(
          "Shortest",
          Array.from({ length: best.low }, () => 0),
        ),
    );
    const proved = slips.length ? `${counted(slips.length, "move")} cost something.` : "No move cost anything.";
    this.said.textContent = open ? `${proved} Of ${open} it isn't known: the game was quicker than the proof.` : proved;
    const shown = slips.slice(0, MOST_LISTED).map(({ cost, index }) =>
      h(
        "li",
        {},
        button(null, `Move ${index + 1} cost ${cost}`, () => void this.app.game.goTo(index), {
          title: "Go to the position before it",
        }),
      ),
    );
    fill(this.list, ...shown);
    this.best.hidden = !best?.plan || (best.low === beats(made) && !slips.length);
  }

  /** Goes back to the start, with a shortest plan ahead. */
  async showBest() {
    const { game, prover, store } = this.app;
    const plan = prover.history([])[0]?.plan;
    if (!plan) return;
    await game.goTo(0);
    store.set({ ahead: stepsOf(plan), byPlan: true, playing: true });
  }
}

/**
 * A line of moves, a mark for each by what it cost.
 * @param {string} label
 * @param {(number | null)[]} costs
 */
function row(label, costs) {
  const marks = costs.map((cost) => h("span", { "data-cost": cost === null ? "unknown" : Math.min(cost, 3) }));
  return h("div", { class: "strip" }, h("b", {}, `${label} ${costs.length}`), h("div", {}, ...marks));
}

/**
 * By how much a move made the shortest way longer; null where the game went on before it was known.
 * @param {(Verdict | null)[]} known
 * @param {number} index
 * @param {number} length
 */
function costOf(known, index, length) {
  const left = (/** @type {number} */ at) => {
    const verdict = known[at];
    if (at === length) return 0;
    return verdict?.kind === "optimal" ? verdict.low : null;
  };
  const before = left(index);
  const after = left(index + 1);
  return before === null || after === null ? null : after + 1 - before;
}
