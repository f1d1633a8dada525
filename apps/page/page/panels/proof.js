/** The live proof, as large as what it says matters: the fewest moves left. */

import { isTubes } from "../board/tubes.js";
import { button, div, h, redraw, say } from "../core/dom.js";
import { NEVER } from "../core/prover.js";
import { beats, counted, movesOf } from "../core/steps.js";
import { provedInWords } from "./words.js";
import { saveCertificate } from "../share/certificate.js";

/** @import { State } from "../types.d.ts" */

export class ProofPanel {
  /** @param {HTMLElement} place @param {import("../main.js").App} app */
  constructor(place, app) {
    this.app = app;
    this.number = h("p", { class: "figure" });
    this.words = h("p", { class: "said" });
    this.fine = h("p", { class: "fine" });
    this.known = h("span", { class: "known" });
    this.meter = h("div", { class: "meter", "aria-hidden": "true" }, this.known);
    this.actions = div("actions");
    this.place = place;
    place.append(this.number, div("sayings", this.words, this.fine), this.meter, this.actions);
    app.store.subscribe((state, before) => {
      if (state.verdict !== before.verdict || state.made !== before.made || state.ahead !== before.ahead)
        this.show(state);
    });
  }

  /** @param {State} state */
  show(state) {
    const { verdict, position } = state;
    if (!position) return;
    this.place.dataset.kind = verdict.kind;
    const [number, words, fine] = this.inWords(state);
    say(this.number, number);
    say(this.words, words);
    say(this.fine, fine);
    const { low, high } = verdict;
    const proved = verdict.kind === "optimal" || verdict.kind === "goal";
    const share = proved ? 1 : high ? low / high : low ? 0.5 : 0;
    this.known.style.setProperty("width", `${Math.round(share * 100)}%`);
    this.offer(state);
  }

  /** @param {State} state @returns {[string, string, string]} the number, what it is, and the small print */
  inWords({ verdict, made, look }) {
    const done = beats(made);
    const { low, high, seconds } = verdict;
    const time = seconds >= 1 ? `, ${seconds.toFixed(0)} s` : "";
    switch (verdict.kind) {
      case "goal":
        return ["Solved", `in ${counted(done)}`, this.compared(made)];
      case "optimal":
        return [String(low), `${low === 1 ? "move" : "moves"} left, ${provedInWords(look)}`, this.total(made, low)];
      case "searching": {
        const waits = verdict.ahead
          ? `waiting for ${counted(verdict.ahead, "search").replace("searchs", "searches")}`
          : "searching";
        return high === null
          ? [`${low}+`, "moves left at least", `${waits}${time}`]
          : [`${low}–${high}`, "moves left so far", `${waits}${time}`];
      }
      case "open":
        return high === null
          ? [`${low}+`, "moves left at least", verdict.words]
          : [`${low}–${high}`, "moves left", verdict.words];
      case "lost":
        if (verdict.takeBack === NEVER)
          return ["None", "no solution, proved", verdict.words || "Whatever is done, this board can't be solved."];
        return ["Lost", verdict.takeBack ? `take back ${counted(verdict.takeBack)}` : "no way on from here", "Proved."];
      case "hidden":
        return verdict.high === null
          ? ["?", "cells are covered", verdict.words]
          : [`≈ ${verdict.high}`, "moves left, estimated", verdict.words];
      case "failed":
        return ["–", "not known", verdict.words];
      default:
        return ["", "", ""];
    }
  }

  /** @param {import("../types.d.ts").Step[]} made @param {number} left */
  total(made, left) {
    const done = beats(made);
    if (!done) return "No plan is shorter.";
    const best = this.best(made);
    const more = best === null ? 0 : done + left - best;
    const over = best === null ? "" : more ? `, ${more} more than the fewest` : ", the fewest there are";
    return `${done} made, ${done + left} in all${over}`;
  }

  /** @param {import("../types.d.ts").Step[]} made */
  compared(made) {
    const best = this.best(made);
    const done = beats(made);
    if (best === null) return "";
    if (best === done) return "The fewest there are: proved.";
    return `The fewest is ${best}, proved: ${done - best} more than needed.`;
  }

  /** The fewest moves from the start, where that is proved. @param {import("../types.d.ts").Step[]} made */
  best(made) {
    const start = this.app.prover.history(movesOf(made))[0];
    return start?.kind === "optimal" ? start.low : null;
  }

  /** @param {State} state */
  offer({ verdict, hidden, position }) {
    const { prover, game } = this.app;
    const back = verdict.takeBack;
    const offers = [];
    if (verdict.kind === "searching" && verdict.seconds > 0.5)
      offers.push(button("stop", "Stop", () => prover.cancel()));
    if (verdict.kind === "open") offers.push(button(null, "Search on", () => void prover.search(null)));
    if (verdict.kind === "failed") offers.push(button(null, "Try again", () => prover.look()));
    if (verdict.kind === "lost" && back && back !== NEVER) {
      offers.push(button("undo", `Take back ${back}`, () => void game.goBy(-back)));
    }
    if (verdict.kind === "lost" && back === NEVER && isTubes(position))
      offers.push(button("board", "One more tube", () => void game.addTube()));
    if (!hidden && (verdict.kind === "optimal" || verdict.kind === "lost"))
      offers.push(button(null, "Why?", () => this.app.go("learn", "?learn=why")));
    const proved = verdict.kind === "optimal" || (verdict.kind === "lost" && back !== null);
    if (proved && !hidden)
      offers.push(button("share", "Proof as files", () => void saveCertificate(this.app), { class: "quiet" }));
    redraw(this.actions, ...offers);
  }
}
