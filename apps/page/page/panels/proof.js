/** The live proof, as large as what it says matters: the fewest moves left. */

import { isTubes } from "../board/tubes.js";
import { button, div, h, style } from "../core/dom.js";
import { NEVER } from "../core/prover.js";
import { beats, counted, movesOf } from "../core/steps.js";
import { adviceInWords, provedInWords } from "./words.js";
import { saveCertificate } from "../share/certificate.js";

/** @param {App} app @param {State} state */
export function proofCard(app, state) {
  const { kind, low, high } = state.verdict;
  const [number, words, fine] = inWords(app, state);
  const isProved = kind === "optimal" || kind === "goal";
  const share = isProved ? 1 : high ? low / high : low ? 0.5 : 0;
  const known = h("span", { class: "known" });
  style(known, { width: `${Math.round(share * 100)}%` });
  return h(
    "section",
    { class: "card proof", id: "proof", "aria-label": "Proof", "data-kind": kind },
    h("p", { class: "figure" }, number),
    div("sayings", h("p", { class: "said" }, words), h("p", { class: "fine" }, fine)),
    h("div", { class: "meter", "aria-hidden": "true" }, known),
    div("actions", ...offers(app, state)),
  );
}

/** @param {App} app @param {State} state @returns {[string, string, string]} the number, what it
 *   is, and the small print */
function inWords({ prover }, { verdict, made, look, hidden, position, advice }) {
  const done = beats(made);
  const start = prover.history(movesOf(made))[0];
  const best = start?.kind === "optimal" ? start.low : null;
  const { low, high, seconds } = verdict;
  switch (verdict.kind) {
    case "goal":
      if (hidden) {
        const attempts = counted(position?.attempts ?? 1, "attempt");
        return ["Solved", "", `${counted(position?.all_moves ?? 0)} in ${attempts}.`];
      }
      return ["Solved", `in ${counted(done)}`, best === null ? "" : compared(done, best)];
    case "optimal":
      return [String(low), `${low === 1 ? "move" : "moves"} left, ${provedInWords(look)}`, total(done, low, best)];
    case "searching":
    case "open": {
      const waits = verdict.ahead
        ? `waiting for ${verdict.ahead} other ${verdict.ahead === 1 ? "search" : "searches"}`
        : "searching";
      const time = seconds >= 1 ? `, ${seconds.toFixed(0)} s` : "";
      const isSearching = verdict.kind === "searching";
      const small = isSearching ? waits + time : verdict.words;
      if (high === null) return [`${low}+`, "moves left at least", small];
      return [`${low}–${high}`, `moves left${isSearching ? " so far" : ""}`, small];
    }
    case "lost":
      if (verdict.takeBack === NEVER)
        return ["None", "no solution, proved", verdict.words || "Whatever is done, this board can't be solved."];
      return ["Lost", verdict.takeBack ? `take back ${counted(verdict.takeBack)}` : "no way on from here", "Proved."];
    case "hidden":
      return adviceInWords(advice);
    case "failed":
      return ["–", "not known", verdict.words];
    default:
      return ["", "", ""];
  }
}

/** @param {number} done @param {number} left @param {number | null} best */
function total(done, left, best) {
  if (!done) return "No plan is shorter.";
  const more = best === null ? 0 : done + left - best;
  const over = best === null ? "" : more ? `, ${more} more than the fewest` : ", the fewest there are";
  return `${done} made, ${done + left} in all${over}`;
}

/** @param {number} done @param {number} best */
function compared(done, best) {
  if (best === done) return "The fewest there are: proved.";
  return `The fewest is ${best}, proved: ${done - best} more than needed.`;
}

/** @param {App} app @param {State} state @returns {Child[]} */
function offers(app, { verdict, hidden, position, advice }) {
  const { prover, game } = app;
  const { kind, takeBack: back } = verdict;
  const isProved = !hidden && (kind === "optimal" || kind === "lost");
  return [
    kind === "searching" && verdict.seconds > 0.5 && button("stop", "Stop", () => prover.cancel()),
    kind === "open" && button(null, "Search on", () => void prover.search(null)),
    kind === "failed" && button(null, "Try again", () => prover.look()),
    kind === "lost" && back && back !== NEVER && button("undo", `Take back ${back}`, () => void game.goBy(-back)),
    back === NEVER && isTubes(position) && button("board", "One more tube", () => void game.addTube()),
    advice && position?.asking && button("solve", "It is solved", () => void game.saySolved()),
    isProved && button(null, "Why?", () => app.go("learn", "?learn=why")),
    isProved &&
      (kind === "optimal" || back !== null) &&
      button("share", "Proof as files", () => void saveCertificate(app), { class: "quiet" }),
  ];
}
