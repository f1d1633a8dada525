/**
 * Hints, each a little more than the one before: whether it can be solved, which tube, which move, what each move
 * costs, and the rest.
 */

import { isAborted, Refusal, wordsFor } from "../core/api.js";
import { hintFor, inPlay, solutionOf } from "../core/ask.js";
import { button, fill, h } from "../core/dom.js";
import { NEVER } from "../core/prover.js";
import { counted, inWords } from "../core/steps.js";
import { NO_HINT } from "../core/store.js";
import { costInWords } from "../board/tubes.js";

/** @import { State, HintAnswer, Move } from "../types.d.ts" */

const SECONDS = 1;
const ROOM_TO_READ = 120; // pixels; where the hints are farther down, the last one also stands under the board
const NEXT = ["Can it be solved?", "Where from?", "Which move?", "What does each cost?", "The rest"];

export class HintPanel {
  /** @param {import("../main.js").App} app */
  constructor(app) {
    this.app = app;
    this.said = h("ol", { class: "said" });
    this.next = button("hint", "", () => void this.more());
    this.element = h(
      "section",
      { class: "card hint", "aria-label": "Hints" },
      h("h2", {}, "Hints"),
      this.said,
      this.next,
    );
    this.work = new AbortController();
    /** @type {{ position: unknown, answer: HintAnswer } | null} */
    this.found = null;
    app.store.subscribe((state, before) => {
      if (state.hint !== before.hint || state.position !== before.position || state.verdict !== before.verdict)
        this.show(state);
      if (state.position !== before.position) this.work.abort();
    });
  }

  /** @param {State} state */
  show({ hint, position, hidden, verdict }) {
    // Where the position is lost, the proof says so and offers the way back.
    this.element.hidden = Boolean(
      (hidden && position?.hidden) || position?.goal || (verdict.kind === "lost" && !hint.level),
    );
    fill(this.said, ...hint.words.map((words) => h("li", {}, words)));
    const label = NEXT[hint.level];
    const next = /** @type {HTMLElement} */ (this.next.lastElementChild);
    next.textContent = hint.busy ? "Thinking…" : (label ?? "");
    this.next.hidden = label === undefined;
    this.next.disabled = hint.busy || Boolean(position?.goal);
  }

  /** Tells a little more. */
  async more() {
    const { store, game } = this.app;
    const { hint, position } = store.state;
    if (!position || this.element.hidden || hint.busy || hint.level >= NEXT.length) return;
    store.set({ hint: { ...hint, busy: true } });
    try {
      const found = await this.ask();
      if (store.state.position !== position) return;
      const level = this.isLost(found) ? NEXT.length : hint.level + 1;
      const sentence = this.sentence(found, hint.level);
      const move = found.recommended;
      const tube = hint.level >= 1 && move !== null ? this.placeOf(move) : null;
      const next = {
        ...NO_HINT,
        level,
        words: [...hint.words, sentence],
        tube,
        move: hint.level >= 2 ? move : null,
        costs: hint.level >= 3 ? found.moves : null,
      };
      store.set({ hint: next, error: "" });
      this.app.announce(sentence);
      const below = this.element.getBoundingClientRect().top > innerHeight - ROOM_TO_READ;
      if (below) this.app.notice(sentence);
      if (level === NEXT.length && found.plan) game.lay(found.plan);
    } catch (error) {
      if (store.state.position !== position || isAborted(error)) return;
      store.set({ hint: { ...hint, busy: false, words: [...hint.words, wordsFor(error)] } });
    }
  }

  /** What the server says of the position; once for all levels. @returns {Promise<HintAnswer>} */
  async ask() {
    const { state } = this.app.store;
    const { position } = state;
    if (this.found?.position === position && this.found) return this.found.answer;
    this.work = new AbortController();
    const body = inPlay(state);
    let found;
    try {
      found = await hintFor({ ...body, seconds: SECONDS }, this.work.signal);
    } catch (error) {
      if (!(error instanceof Refusal) || !error.status) throw error;
      found = await this.byPlan(body); // tiles, shot, and tubes with rules of their own
    }
    this.found = { position, answer: found };
    return found;
  }

  /**
   * A hint from the live proof, for boards whose moves the server does not compare.
   * @param {import("../core/position.js").Asked} body
   * @returns {Promise<HintAnswer>}
   */
  async byPlan(body) {
    const { verdict } = this.app.store.state;
    const optimal = {
      status: /** @type {const} */ ("optimal"),
      length: verdict.high,
      lower_bound: verdict.low,
      plan: verdict.plan,
    };
    const solved =
      verdict.kind === "optimal" && verdict.plan
        ? optimal
        : await solutionOf({ ...body, seconds: 20 }, this.work.signal);
    return { ...solved, moves: [], recommended: solved.plan?.[0] ?? null };
  }

  /** @param {HintAnswer} found */
  isLost(found) {
    return found.status === "unsolvable";
  }

  /** @param {Move} move @returns {number | null} the tube or the column to begin with */
  placeOf(move) {
    if (typeof move === "number") return move;
    return move.length === 2 ? Number(move[0]) : null;
  }

  /** @param {HintAnswer} found @param {number} level */
  sentence(found, level) {
    const move = found.recommended;
    if (this.isLost(found)) {
      const { takeBack } = this.app.store.state.verdict;
      return takeBack && takeBack !== NEVER
        ? `Lost. Take back ${counted(takeBack)}.`
        : "Lost: nothing leads to the goal from here.";
    }
    if (level === 0) {
      if (found.status === "optimal") return `Yes, in ${counted(found.length ?? 0)}: proved.`;
      return found.length ? `Yes, in ${found.lower_bound} to ${counted(found.length)}.` : "That isn't known yet.";
    }
    if (move === null) return "No good move is known yet.";
    switch (level) {
      case 1:
        if (this.app.store.state.position?.picture) return "One of the moves below the board is a good one.";
        if (typeof move === "number") return "Look at the marked column.";
        return move.length === 2
          ? `Something in tube ${Number(move[0]) + 1} should move.`
          : `Look at the ball in column ${Number(move[0]) + 1}, row ${Number(move[1]) + 1}.`;
      case 2:
        return `${inWords(this.app.store.state.position, move)}.`;
      case 3:
        return this.summed(found);
      default:
        return "The rest lies ahead: step through it, or play it.";
    }
  }

  /** @param {HintAnswer} found */
  summed({ moves }) {
    if (!moves.length) return "The moves of a board like this one can't be compared.";
    /** @type {Map<string, import("../types.d.ts").MoveCost[]>} */
    const alike = new Map();
    for (const each of moves) alike.set(costInWords(each), [...(alike.get(costInWords(each)) ?? []), each]);
    const parts = [...alike].sort(([one], [other]) => one.localeCompare(other)).map(([, some]) => costsInWords(some));
    return `Of ${counted(moves.length)} ${parts.join(", ")}. Choose a tube to see what each costs.`;
  }
}

/** What moves that cost the same do. @param {import("../types.d.ts").MoveCost[]} alike */
export function costsInWords(alike) {
  const number = alike.length;
  const { lost, cost } = alike[0] ?? { lost: true, cost: null };
  if (lost || !cost) return `${number} ${number === 1 ? "loses" : "lose"}`;
  const [low, high] = cost;
  const verb = number === 1 ? "costs" : "cost";
  if (high === null) return `${number} ${verb} ${low} or more${lost === null ? ", or the game" : ""}`;
  if (low < high) return `${number} ${verb} ${low} to ${high}`;
  return `${number} ${verb} ${low || "nothing"}`;
}
