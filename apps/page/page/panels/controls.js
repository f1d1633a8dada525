/**
 * Under the board: back and forth, the slider over all moves made and ahead, hints and the plan; and the keys for them.
 */

import { button, div, h, relabel, set } from "../core/dom.js";
import { beats, counted } from "../core/steps.js";
import { onLetters } from "../core/keys.js";
import { Hints } from "./hint.js";

/** @typedef {import("../types.d.ts").State} State */

const PACE = 450; // milliseconds between the moves of a plan that plays by itself

export class Controls {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    const { game, store } = app;
    const hints = new Hints(app, true);
    this.restart = button("first", "Restart", () => void game.goTo(0), { bare: true, "aria-keyshortcuts": "r" });
    this.undo = button("back", "Undo", () => void game.goBy(-1), { bare: true, "aria-keyshortcuts": "u" });
    this.redo = button("forward", "Redo", () => void game.goBy(1), { bare: true, "aria-keyshortcuts": "y" });
    this.play = button("play", "Play", () => store.set({ playing: !store.state.playing }), {
      bare: true,
      "aria-keyshortcuts": "p",
    });
    this.slider = h("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "Moves made",
      oninput: () => {
        void game.goTo(Number(this.slider.value));
        store.set({ playing: false });
      },
    });
    this.count = h("output", { class: "count" });
    this.hint = button("hint", "Hint", () => void hints.show(), { "aria-keyshortcuts": "h" });
    this.solve = button("solve", "Solve", () => void this.solveOrStop(), {
      class: "primary",
      "aria-keyshortcuts": "s",
    });
    this.attempt = button("restart", "New attempt", () => void game.attempt());
    this.solving = false;
    this.timer = 0;
    this.element = div(
      "controls",
      div("timeline", this.restart, this.undo, this.slider, this.redo, this.play),
      div("doing", this.count, this.attempt, this.hint, this.solve),
    );
    store.subscribe((state, before) => this.show(state, before));
    const click = (/** @type {HTMLButtonElement} */ each) => () => each.click();
    const letters = {
      u: click(this.undo),
      y: click(this.redo),
      r: click(this.restart),
      p: click(this.play),
      h: click(this.hint),
      s: click(this.solve),
    };
    onLetters(store, { ...letters, escape: () => store.set({ selected: null, playing: false }) });
  }

  /** @param {State} state @param {State} before */
  show(state, before) {
    const { made, ahead, playing, position, hidden, verdict } = state;
    const at = beats(made);
    const all = at + beats(ahead);
    set(this.slider, { max: all, disabled: all === 0, "aria-valuetext": `${at} of ${counted(all)}` });
    // Who drags the slider, or holds a key, is ahead of the game: it is left where it is until the game has caught up.
    const isLast = this.app.game.waiting === (made === before.made && ahead === before.ahead ? 0 : 1);
    if (isLast || this.app.game.waiting === 0) this.slider.value = String(at);
    this.slider.style.setProperty("--at", `${all ? (100 * Number(this.slider.value)) / all : 0}%`);
    this.restart.disabled = this.undo.disabled = at === 0;
    this.redo.disabled = all === at;
    this.play.disabled = all === at && !playing;
    if (playing !== before.playing) {
      relabel(this.play, playing ? "pause" : "play", playing ? "Pause" : "Play");
    }
    this.count.textContent = all > at ? `Move ${at} of ${all}` : at ? `${counted(at)} made` : "";
    this.attempt.hidden = !hidden;
    const solved = Boolean(position?.goal);
    this.hint.disabled = solved || verdict.kind === "lost";
    this.hint.hidden = this.solve.hidden = Boolean(hidden && position?.hidden);
    const busy = this.solving && verdict.kind === "searching";
    relabel(this.solve, busy ? "stop" : "solve", busy ? "Stop" : "Solve");
    this.solve.disabled = solved || verdict.kind === "lost";
    if (playing !== before.playing || state.position !== before.position) this.pace();
  }

  /** Plays on, a step at a time. */
  pace() {
    clearTimeout(this.timer);
    const { playing, ahead } = this.app.store.state;
    if (!playing) return;
    if (!ahead.length) this.app.store.set({ playing: false });
    else this.timer = setTimeout(() => void this.app.game.goBy(1), PACE);
  }

  /** Lays the shortest plan from here ahead, as soon as it is proved; or ends the search for it. */
  async solveOrStop() {
    const { prover, store, game } = this.app;
    if (this.solving) {
      this.solving = false;
      return prover.cancel();
    }
    let { verdict } = store.state;
    if (verdict.kind !== "optimal" || !verdict.plan) {
      this.solving = true;
      const found = await prover.search(null);
      this.solving = false;
      if (!found) return store.set({});
      verdict = found;
    }
    if (!verdict.plan) return;
    game.lay(verdict.plan);
    const sure = verdict.kind === "optimal" ? "none is shorter" : "not proved shortest";
    this.app.notice(`A plan of ${counted(verdict.plan.length)}, ${sure}. Step through it, or play it.`);
    this.app.announce(
      `A plan of ${counted(verdict.plan.length)} is ready, ${sure}. Y makes its next move, P plays it.`,
    );
  }
}
