/** Back and forth: the slider over all moves made and ahead, and the plan that plays by itself. */

import { button, div, h, redraw, set } from "../core/dom.js";
import { beats, counted } from "../core/steps.js";

const PACE = 450; // milliseconds between the moves of a plan that plays by itself

export class Timeline {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { game, store } = app;
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
    this.timer = 0;
    this.element = div("timeline");
  }

  /** @param {State} state @param {State} before */
  draw(state, before) {
    const { made, ahead, playing, position } = state;
    const { game, store } = this.app;
    const at = beats(made);
    const all = at + beats(ahead);
    set(this.slider, { max: all, disabled: all === 0, "aria-valuetext": `${at} of ${counted(all)}` });
    // Who drags the slider, or holds a key, is ahead of the game: it is left where it is until the game has caught up.
    const isLast = game.waiting === (made === before.made && ahead === before.ahead ? 0 : 1);
    if (isLast || game.waiting === 0) this.slider.value = String(at);
    redraw(
      this.element,
      button("first", "Restart", () => void game.goTo(0), { bare: true, disabled: at === 0 }),
      this.slider,
      h("output", { class: "fine" }, `${at} / ${all}`),
      button("forward", "Redo", () => void game.goBy(1), { bare: true, disabled: all === at }),
      button(playing ? "pause" : "play", playing ? "Pause" : "Play", () => store.set({ playing: !playing }), {
        bare: true,
        disabled: all === at && !playing,
      }),
    );
    if (playing !== before.playing || position !== before.position) this.pace();
    return this.element;
  }

  /** Plays on, a step at a time. */
  pace() {
    clearTimeout(this.timer);
    const { playing, ahead } = this.app.store.state;
    if (!playing) return;
    if (!ahead.length) this.app.store.set({ playing: false });
    else this.timer = setTimeout(() => void this.app.game.goBy(1), PACE);
  }
}
