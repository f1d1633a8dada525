/** What stands under the board. In play and at the end it takes the same room, so that the board stays. */

import { isAborted, wordsFor } from "../core/api.js";
import { button, div, h, style } from "../core/dom.js";
import { beats, counted, movesOf } from "../core/steps.js";
import { Questions } from "../follow/questions.js";
import { Hints } from "../panels/hint.js";
import { nextLevel, openFresh, openLevel } from "./open.js";
import { nameOf } from "./packs.js";
import { MOST_STARS, resultInWords, scoreOf, starsFor, worth } from "./results.js";

export class Controls {
  /** @param {App} app @param {() => Played | null} played the level in play @param {() => boolean} isAnalysed */
  constructor(app, played, isAnalysed) {
    this.app = app;
    this.played = played;
    this.isAnalysed = isAnalysed;
    this.hints = new Hints(app, isAnalysed);
    this.questions = new Questions(app.game, () => app.store.set({}));
  }

  /** @param {State} state @param {Child} words what is said of the game */
  draw(state, words) {
    const { position } = state;
    const played = this.played();
    if (played && position?.goal && !this.isAnalysed()) return this.ended(state, played);
    const question = position && this.questions.next(position);
    return div("level-playing", words, question || this.tools(state));
  }

  /** @param {State} state */
  tools({ made, hinted, hidden, position }) {
    const { game } = this.app;
    const played = this.played();
    const isFree = !played || hinted;
    /** @type {(...args: [Parameters<typeof button>[0], string, () => void, Record<string, any>]) => Node} */
    const tool = (sign, label, action, more) => button(sign, label, action, { class: "tool raised", ...more });
    const goal = Boolean(position?.goal);
    const solve = () => void this.solve();
    const add = { "aria-label": "Add a tube", disabled: Boolean(played?.added) };
    return div(
      "level-tools",
      tool("back", "Undo", () => void game.goBy(-1), { disabled: beats(made) === 0, "aria-keyshortcuts": "u" }),
      tool("hint", isFree ? "Hint" : "Hint −★", () => void this.hints.show(), {
        "aria-label": isFree ? "Hint" : "Hint, costs a star",
        "aria-keyshortcuts": "h",
        disabled: goal,
      }),
      hidden && position?.hidden
        ? tool("restart", "Again", () => void game.say({ restart: true }), { "aria-label": "New attempt" })
        : this.isAnalysed()
          ? tool("solve", "Solve", solve, { "aria-keyshortcuts": "s", disabled: goal })
          : tool("board", "Tube", () => void game.addTube(), add),
    );
  }

  /** @param {State} state @param {Played} played */
  ended({ made, hinted, notice }, played) {
    const { level, added } = played;
    const moves = beats(made);
    const stars = starsFor(level, worth(level, moves, added, hinted));
    const drawn = Array.from({ length: MOST_STARS }, (_, at) => h("span", {}, at < stars ? "★" : "☆"));
    drawn.forEach((star, at) => style(star, { "--at": at + 1 }));
    return h(
      "section",
      { class: "ended", "aria-label": "Solved" },
      div(
        "row",
        h("p", { class: "stars", role: "img", "aria-label": `${stars} of ${MOST_STARS} stars` }, ...drawn),
        h("p", { class: "sentence", role: "status" }, notice || resultInWords(played, moves, hinted)),
      ),
      div(
        "row",
        button("forward", "Next level", () => void this.openNext(), { class: "primary done" }),
        button("list", "Analyse", () => this.app.go("play")),
        button("share", "Share the result", () => void this.shareResult(), { bare: true }),
        button("restart", "Play it again", () => void this.startAgain(), { bare: true }),
      ),
    );
  }

  /** Lays the shortest plan from here ahead, as soon as it is proved. */
  async solve() {
    const { prover, store, game } = this.app;
    const { verdict, position } = store.state;
    const found = verdict.kind === "optimal" && verdict.plan ? verdict : await prover.search(null);
    if (!found?.plan || store.state.position !== position) return;
    game.lay(found.plan);
    const sure = found.kind === "optimal" ? "none is shorter" : "not proved shortest";
    store.set({ hinted: true });
    this.app.notice(`A plan of ${counted(found.plan.length)}, ${sure}. Step through it, or play it.`);
  }

  /** Gives the result to another program, or to the clipboard. */
  async shareResult() {
    const { prover, store, notice } = this.app;
    const { made, hinted } = store.state;
    const played = this.played();
    if (!played) return;
    const { level, added } = played;
    const moves = beats(made);
    const before = prover.history(movesOf(made)).slice(0, -1);
    const known = [...before.map((each) => each?.kind === "optimal" && each.low), 0];
    const squares = known.slice(1).map((left, at) => squareOf(known[at] ?? false, left));
    const { linkTo } = await import("./sent.js");
    const link = added ? "" : linkTo(level, moves, hinted);
    const text = `Fewest Moves · ${nameOf(level)}\n${scoreOf(played, moves, hinted)}\n${squares.join("")}${link}`;
    try {
      if (navigator.share) return await navigator.share({ text });
      await navigator.clipboard.writeText(text);
      notice("Copied: paste it anywhere.");
    } catch (error) {
      if (!isAborted(error)) notice(text);
    }
  }

  async startAgain() {
    const { game } = this.app;
    const played = this.played();
    await this.trying(async () => (played?.added ? openLevel(this.app, played.level) : game.goTo(0)));
    this.app.store.set({ hinted: false });
  }

  /** Opens the next level; the game in play is kept. */
  async openNext() {
    const played = this.played();
    await this.trying(async () => (played ? openLevel(this.app, await nextLevel(played.level)) : openFresh(this.app)));
  }

  /** @param {() => Promise<unknown>} action */
  async trying(action) {
    try {
      await action();
    } catch (error) {
      this.app.notice(wordsFor(error));
    }
  }
}

/** A move in a shared result. @param {number | false} before moves left, if proved @param {number | false} after */
function squareOf(before, after) {
  if (before === false || after === false) return "⬜";
  return ["🟩", "🟨"][after + 1 - before] ?? "🟥";
}
