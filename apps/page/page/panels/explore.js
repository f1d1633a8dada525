/** Boards with hidden cells: what to do next, and the questions about what shows. */

import { button, div, fill, h, redraw } from "../core/dom.js";
import { counted } from "../core/steps.js";
import { NO_VERDICT } from "../core/store.js";
import { Questions } from "../follow/questions.js";

/** @import { State, Advice } from "../types.d.ts" */

export class ExplorePanel {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    this.said = h("p", { class: "said", role: "status" });
    this.fine = h("p", { class: "fine" });
    this.actions = div("actions");
    this.asking = h("div");
    this.questions = new Questions(app.game, () => this.ask(app.store.state));
    this.element = h(
      "section",
      { class: "card explore", "aria-label": "Covered cells", hidden: true },
      h("h2", {}, "Covered cells"),
      this.said,
      this.fine,
      this.actions,
      this.asking,
    );
    app.store.subscribe((state, before) => {
      if (state.position !== before.position) this.show(state);
      if (state.advice !== before.advice && state.advice) this.tell(state.advice);
    });
  }

  /** @param {State} state */
  show(state) {
    const { hidden, position } = state;
    this.element.hidden = !hidden || !(position?.hidden || position?.looking?.length || position?.goal);
    fill(this.actions);
    this.say("", "");
    if (!this.element.hidden && !this.ask(state)) this.say("Comparing the moves…", "");
  }

  /** Shows the next question, if there is one. @param {State} state */
  ask({ position }) {
    const question = position && this.questions.next(position);
    redraw(this.asking, question);
    if (question) this.app.announce(question.getAttribute("aria-label") ?? "");
    return question;
  }

  /** @param {Advice} advice */
  tell(advice) {
    const { game, store } = this.app;
    const { position } = store.state;
    const drawn = advice.drawn ? " drawn" : "";
    fill(this.actions);
    if (advice.solved) {
      this.say("Solved.", `${counted(position?.all_moves ?? 0)} in ${counted(position?.attempts ?? 1, "attempt")}.`);
    } else if (advice.hopeless) this.say("Nothing solves this board, whatever is covered.", "Proved.");
    else if (advice.stuck) this.say("No way to see more was found.", "Whether there is one, and a plan, isn't known.");
    else if (advice.restart) {
      this.say(
        "Begin again; what was seen stays known.",
        advice.known
          ? "Nothing leads on from here: proved."
          : advice.alive
            ? "Nothing more can be seen from here."
            : `None of ${advice.fillings} fillings${drawn} can be solved from here.`,
      );
      this.actions.append(button("restart", "New attempt", () => void game.attempt(), { class: "primary" }));
    } else if (advice.route[0] !== undefined) {
      const move = advice.route[0];
      const [from, to] = Array.isArray(move) ? move.map(Number) : [0, 0];
      const moves = counted(advice.route.length);
      const news = `${advice.shows ? "Shows" : "Tells"} something new in ${moves}`;
      this.say(
        `Tube ${(from ?? 0) + 1} to tube ${(to ?? 0) + 1}.`,
        advice.known ? `${moves} left, proved.` : `${news}.`,
      );
      if (!advice.known) this.estimate(advice, news);
      this.actions.append(
        button("forward", "Make this move", () => void game.make(move), { class: "primary" }),
        button("hint", "Show it", () => store.set({ hint: { tube: from ?? null, move, costs: null } })),
      );
    }
    if (position?.asking)
      this.actions.append(
        button("solve", "It is solved", () => void game.noticed({ opened: [], corked: [], solved: true })),
      );
  }

  /** @param {Advice} advice @param {string} news */
  estimate({ route, left, alive, fillings, drawn }, news) {
    const moves = route.length + Math.round(left);
    const some =
      alive < fillings ? ` It can be solved for ${alive} of ${fillings} fillings${drawn ? " drawn" : ""}.` : "";
    const rest = `then about ${Math.round(left)} more if this attempt succeeds${drawn ? "; estimated" : ""}.`;
    const words = `${news}, ${rest}${some}`;
    this.app.store.set({ verdict: { ...NO_VERDICT, kind: "hidden", high: moves, words } });
  }

  /** @param {string} words @param {string} fine */
  say(words, fine) {
    this.said.textContent = words;
    this.fine.textContent = fine;
  }
}
