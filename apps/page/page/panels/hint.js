/** One hint for all boards in play: the next move of a shortest plan, and on request what each other move costs. */

import { isAborted, Refusal, wordsFor } from "../core/api.js";
import { hintFor, inPlay, solutionOf } from "../core/ask.js";
import { NEVER } from "../core/prover.js";
import { counted, inWords } from "../core/steps.js";
import { costInWords } from "../board/tubes.js";

const SECONDS = 2;
const PLAN_SECONDS = 20; // for boards whose moves aren't compared

export class Hints {
  /** @param {App} app @param {() => boolean} compares whether to say what each move costs */
  constructor(app, compares) {
    this.app = app;
    this.compares = compares;
    this.work = new AbortController();
    app.store.subscribe((state, before) => state.position !== before.position && this.work.abort());
  }

  /** Shows the next move of a shortest plan, or says that there is none. */
  async show() {
    const { app } = this;
    const { position, verdict, advice } = app.store.state;
    if (!position || position.goal) return;
    const isCovered = verdict.kind === "hidden";
    const [first] = (isCovered ? advice?.route : verdict.kind === "optimal" && verdict.plan) || [];
    const compares = this.compares();
    if (first !== undefined) this.point(first, null);
    else app.notice(isCovered ? "No move is known yet." : "Looking for a good move…");
    if (isCovered || (first !== undefined && !compares)) return;
    this.work.abort();
    const { signal } = (this.work = new AbortController());
    try {
      const found = await this.ask(signal);
      if (app.store.state.position !== position) return;
      if (found.status === "unsolvable") this.sayLost();
      else if (found.recommended !== null) this.point(first ?? found.recommended, compares ? found.moves : null);
      else app.notice("No good move was found in time.");
    } catch (error) {
      if (!isAborted(error) && app.store.state.position === position) app.notice(wordsFor(error));
    }
  }

  /** @param {AbortSignal} signal @returns {Promise<HintAnswer>} */
  async ask(signal) {
    const asked = inPlay(this.app.store.state);
    try {
      return await hintFor({ ...asked, seconds: SECONDS }, signal);
    } catch (error) {
      if (!(error instanceof Refusal) || !error.status) throw error;
      const { verdict } = this.app.store.state; // tiles, shot, and tubes with rules of their own
      const plan = verdict.kind === "optimal" ? verdict.plan : null;
      const known = { status: /** @type {const} */ ("optimal"), length: verdict.high, lower_bound: verdict.low, plan };
      const found = plan ? known : await solutionOf({ ...asked, seconds: PLAN_SECONDS }, signal);
      return { ...found, moves: [], recommended: found.plan?.[0] ?? null };
    }
  }

  /** Marks a move, and tells it. @param {Move} move @param {MoveCost[] | null} costs */
  point(move, costs) {
    const { store } = this.app;
    const words = `${inWords(store.state.position, move)}.${costs?.length ? ` ${summed(costs)}` : ""}`;
    const tube = typeof move === "number" ? move : move.length === 2 ? Number(move[0]) : null;
    store.set({ hint: { move, tube, costs }, notice: words, error: "", selected: null, hinted: true });
    this.app.announce(words);
  }

  /** The way back is offered beside the proof. */
  sayLost() {
    const { store } = this.app;
    const { takeBack } = store.state.verdict;
    const notice = "Lost from here, proved.";
    store.set({ hint: { move: null, tube: null, costs: null }, notice, error: "" });
    this.app.announce(takeBack && takeBack !== NEVER ? `${notice} Take back ${counted(takeBack)}.` : notice);
  }
}

/** What all moves cost. @param {MoveCost[]} moves */
function summed(moves) {
  /** @type {Map<string, MoveCost[]>} */
  const alike = new Map();
  for (const each of moves) alike.set(costInWords(each), [...(alike.get(costInWords(each)) ?? []), each]);
  const parts = [...alike].sort(([one], [other]) => one.localeCompare(other)).map(([, some]) => costsInWords(some));
  return `Of ${counted(moves.length)} ${parts.join(", ")}: choose a tube to see which.`;
}

/** What moves that cost the same do. @param {MoveCost[]} alike */
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
