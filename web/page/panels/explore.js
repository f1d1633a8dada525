/**
 * Boards with hidden cells: what to do next, and the questions about what shows.
 */

import { button, fill, h } from "../core/dom.js";
import { counted } from "../core/steps.js";
import { NO_HINT, NO_VERDICT } from "../core/store.js";
import { paint } from "../board/palette.js";

/** @import { State, Advice, Colour } from "../types.d.ts" */

export class ExplorePanel {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    this.said = h("p", { class: "said", role: "status" });
    this.fine = h("p", { class: "fine" });
    this.actions = h("div", { class: "actions" });
    this.asking = h("div", { class: "asking" });
    this.element = h("section", { class: "card explore", "aria-label": "Hidden cells", hidden: true }, h("h2", {}, "Hidden cells"), this.said, this.fine, this.actions, this.asking);
    app.store.subscribe((state, before) => {
      if (state.position !== before.position) this.show(state);
      if (state.advice !== before.advice && state.advice) this.tell(state.advice);
    });
  }

  /** @param {State} state */
  show({ hidden, position }) {
    const looking = position?.looking ?? [];
    const asking = position?.asking;
    this.element.hidden = !hidden || !(position?.hidden || looking.length || position?.goal);
    fill(this.actions);
    fill(this.asking);
    this.said.textContent = this.fine.textContent = "";
    if (this.element.hidden || !position) return;
    if (looking.length) this.ask(looking, position);
    else if (asking?.opened.length || asking?.corked.length) this.askEffects(asking);
    else this.said.textContent = "Comparing the moves…";
  }

  /** @param {Advice} advice */
  tell(advice) {
    const { game, store } = this.app;
    const { position } = store.state;
    const of = `${advice.alive} of ${advice.fillings}`;
    const drawn = advice.drawn ? " tried" : "";
    fill(this.actions);
    if (advice.solved) {
      this.say("Solved.", `${counted(position?.all_moves ?? 0)} in ${counted(position?.attempts ?? 1, "attempt")}.`);
    } else if (advice.hopeless) this.say("Nothing solves this board, whatever is hidden.", "Proved.");
    else if (advice.stuck) this.say("No way to see more was found.", "Whether there is one, and a plan, isn't known.");
    else if (advice.restart) {
      this.say("Begin again; what was seen stays known.", advice.known ? "Nothing leads on from here: proved." : advice.alive ? "Nothing more can be seen from here." : `None of ${advice.fillings} fillings${drawn} can be solved from here.`);
      this.actions.append(button("restart", "New attempt", () => void game.attempt(), { class: "primary" }));
    } else if (advice.move !== null) {
      const move = advice.move;
      const [from, to] = Array.isArray(move) ? move.map(Number) : [0, 0];
      const left = advice.known ? `${counted(advice.left)} left, proved.` : "The move with the least mean of what remains.";
      this.say(`Tube ${(from ?? 0) + 1} to tube ${(to ?? 0) + 1}.`, left);
      if (!advice.known) this.estimate(Math.round(advice.left), `It can be solved for ${of} fillings${drawn}.`);
      this.actions.append(
        button("forward", "Make this move", () => void game.make(move), { class: "primary" }),
        button("hint", "Show it", () => store.set({ hint: { ...NO_HINT, tube: from ?? null, move } })),
      );
    }
    if (position?.asking) this.actions.append(button("solve", "It is solved", () => void game.noticed({ opened: [], corked: [], solved: true })));
  }

  /** @param {number} moves @param {string} words */
  estimate(moves, words) {
    this.app.store.set({ verdict: { ...NO_VERDICT, kind: "hidden", high: moves, words } });
  }

  /** @param {string} words @param {string} fine */
  say(words, fine) {
    this.said.textContent = words;
    this.fine.textContent = fine;
  }

  /**
   * Asks which locks have opened, which tubes are corked, and whether the board is solved.
   * @param {import("../types.d.ts").Effects} asking
   */
  askEffects(asking) {
    this.said.textContent = "What has happened?";
    this.fine.textContent = "Nothing, if nothing of this has.";
    /** @param {string} label */
    const box = (label) => {
      const input = h("input", { type: "checkbox" });
      this.asking.append(h("label", { class: "choice" }, input, label));
      return input;
    };
    const opened = asking.opened.map((tube) => ({ tube, input: box(`The lock of tube ${tube + 1} has opened`) }));
    const corked = asking.corked.map((tube) => ({ tube, input: box(`Tube ${tube + 1} is corked`) }));
    const solved = asking.solved ? box("The board is solved") : null;
    const named = (/** @type {{ tube: number, input: HTMLInputElement }[]} */ boxes) => boxes.filter(({ input }) => input.checked).map(({ tube }) => tube);
    const done = () => void this.app.game.noticed({ opened: named(opened), corked: named(corked), solved: solved?.checked ?? false });
    this.asking.append(button("solve", "That is what has happened", done, { class: "primary" }));
    this.app.announce("Say what has happened: locks, corks, or the end of the game.");
  }

  /**
   * Asks what shows in each of some tubes.
   * @param {number[]} looking
   * @param {import("../types.d.ts").Position} position
   */
  ask(looking, position) {
    this.said.textContent = "What shows now, from the top down?";
    this.fine.textContent = "Nothing, if nothing new shows in a tube.";
    /** @type {Record<string, Colour[]>} */
    const saw = Object.fromEntries(looking.map((tube) => [String(tube), []]));
    for (const tube of looking) {
      const list = h("output", { class: "seen" }, "nothing new");
      const add = (/** @type {Colour} */ colour, /** @type {string} */ name) => {
        saw[tube]?.push(colour);
        list.textContent = saw[tube]?.length === 1 ? name : `${list.textContent}, ${name}`;
      };
      const chips = position.colours.map((look) => {
        const { colour, name, symbol } = look;
        const chip = h("button", { type: "button", class: "chip", title: name, "aria-label": name, onclick: () => add(colour, name) }, symbol);
        paint(chip, look);
        return chip;
      });
      const clear = () => {
        saw[tube] = [];
        list.textContent = "nothing new";
      };
      const group = { class: "question", role: "group", "aria-label": `Tube ${tube + 1}` };
      this.asking.append(h("div", group, h("p", {}, h("b", {}, `Tube ${tube + 1}: `), list), h("div", { class: "chips" }, ...chips, button("close", "Clear", clear, { bare: true }))));
    }
    this.asking.append(button("solve", "That is what shows", () => void this.app.game.saw(saw), { class: "primary" }));
    this.app.announce(`Say what shows in tube ${looking.map((tube) => tube + 1).join(", ")}.`);
  }
}
