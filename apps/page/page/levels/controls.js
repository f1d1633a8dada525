/**
 * What stands under the board of a level: a word and three buttons while it is played, stars and the next level at its
 * end. Both take the same room, so that the board stays where it is.
 */

import { button, div, fill, h, icon, say } from "../core/dom.js";
import { onLetters } from "../core/keys.js";
import { beats, counted, movesOf } from "../core/steps.js";
import { isAborted, wordsFor } from "../core/api.js";
import { Hints } from "../panels/hint.js";
import { nextLevel, openLevel } from "./open.js";
import { nameOf } from "./packs.js";
import { MOST_STARS, starsFor, worth } from "./results.js";

/** @import { State } from "../types.d.ts" */
/** @import { Level } from "./packs.js" */
/** @typedef {{ level: Level, added: number }} Played */

export class LevelControls {
  /**
   * @param {import("../main.js").App} app
   * @param {() => Played | null} played the level in play
   * @param {HTMLElement} words what is said of the game
   */
  constructor(app, played, words) {
    this.app = app;
    this.played = played;
    this.hints = new Hints(app, false);
    const { game } = app;
    const tool = (
      /** @type {Parameters<typeof icon>[0]} */ sign,
      /** @type {string} */ label,
      /** @type {() => void} */ action,
      /** @type {string | null} */ key = null,
    ) => button(sign, label, action, { class: "tool raised", "aria-keyshortcuts": key });
    this.undo = tool("back", "Undo", () => void game.goBy(-1), "u");
    this.hint = tool("hint", "Hint", () => void this.hints.show(), "h");
    this.add = tool("board", "Tube", () => void game.addTube());
    this.add.setAttribute("aria-label", "Add a tube");
    this.playing = div("level-playing", words, div("level-tools", this.undo, this.hint, this.add));

    this.stars = h("p", { class: "stars", role: "img" });
    this.result = h("p", { class: "sentence" });
    this.share = button("share", "Share the result", () => void this.shareResult(), { bare: true });
    this.next = button("forward", "Next level", () => void this.openNext(), { class: "primary done" });
    this.look = button("list", "Analyse", () => app.go("play"));
    this.again = button("restart", "Play it again", () => void this.startAgain(), { bare: true });
    this.ended = h(
      "section",
      { class: "ended", "aria-label": "Solved" },
      div("row", this.stars, this.result),
      div("row", this.next, this.look, this.share, this.again),
    );

    this.element = div("level-foot", this.playing, this.ended);
    app.store.subscribe((state, before) => this.show(state, before));
    const letters = {
      u: () => game.goBy(-1),
      y: () => game.goBy(1),
      r: () => this.startAgain(),
      h: () => this.hints.show(),
      n: () => this.openNext(),
    };
    onLetters(app.store, { ...letters, escape: () => app.store.set({ selected: null }) }, "levels");
  }

  /** @param {State} state @param {State} before */
  show(state, before) {
    const { position, made } = state;
    const played = this.played();
    if (!position || !played || state.screen !== "levels") return;
    const isSolved = position.goal;
    this.playing.hidden = isSolved;
    this.ended.hidden = !isSolved;
    this.undo.disabled = beats(made) === 0;
    this.hint.setAttribute("aria-label", state.hinted ? "Hint" : "Hint, costs a star");
    say(/** @type {Element} */ (this.hint.lastElementChild), state.hinted ? "Hint" : "Hint −★");
    this.add.disabled = played.added > 0;
    if (isSolved) this.tellResult(played, beats(made), state.hinted, before.position?.goal ?? false);
    if (isSolved && state.board === before.board && before.position && !before.position.goal) this.next.focus();
  }

  /** @param {Played} played @param {number} moves @param {boolean} hinted @param {boolean} wasSolved */
  tellResult(played, moves, hinted, wasSolved) {
    const { level, added } = played;
    const stars = starsFor(level, worth(level, moves, added, hinted));
    const label = `${stars} of ${MOST_STARS} stars`;
    if (this.stars.getAttribute("aria-label") !== label || !wasSolved)
      fill(this.stars, ...Array.from({ length: MOST_STARS }, (_, at) => h("span", {}, at < stars ? "★" : "☆")));
    this.stars.setAttribute("aria-label", label);
    say(this.result, resultInWords(played, moves, hinted));
  }

  /** Gives the result to another program, or to the clipboard. */
  async shareResult() {
    const { prover, store } = this.app;
    const { made, hinted } = store.state;
    const played = this.played();
    if (!played) return;
    const { level, added } = played;
    const moves = beats(made);
    const known = [
      ...prover
        .history(movesOf(made))
        .slice(0, -1)
        .map((each) => each?.kind === "optimal" && each.low),
      0,
    ];
    const squares = known.slice(1).map((left, at) => squareOf(known[at] ?? false, left));
    const { linkTo } = await import("./sent.js");
    const link = added ? "" : linkTo(level, moves, hinted);
    const text = `Fewest Moves · ${nameOf(level)}\n${scoreOf(played, moves, hinted)}\n${squares.join("")}${link}`;
    try {
      if (navigator.share) return await navigator.share({ text });
      await navigator.clipboard.writeText(text);
      say(this.result, "Copied: paste it anywhere.");
    } catch (error) {
      if (!isAborted(error)) say(this.result, text);
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
    if (played) await this.trying(async () => openLevel(this.app, await nextLevel(played.level)));
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

/** @param {Played} played @param {number} moves @param {boolean} hinted */
export function resultInWords({ level: { optimum }, added }, moves, hinted) {
  if (added) return `${counted(moves)}, with a tube more`;
  const compared = moves === optimum ? "the best possible" : `best possible ${optimum}`;
  return `${counted(moves)}, ${compared}${hinted ? ", with a hint" : ""}`;
}

/** Stars and words for a result. @param {Played} played @param {number} moves @param {boolean} hinted */
export function scoreOf(played, moves, hinted) {
  const { level, added } = played;
  const stars = "★".repeat(starsFor(level, worth(level, moves, added, hinted))).padEnd(MOST_STARS, "☆");
  return `${stars} ${resultInWords(played, moves, hinted)}`;
}

/** A move in a shared result. @param {number | false} before moves left, if proved @param {number | false} after */
function squareOf(before, after) {
  if (before === false || after === false) return "⬜";
  return ["🟩", "🟨"][after + 1 - before] ?? "🟥";
}
