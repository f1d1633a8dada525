/** Levels to play for fun: a large board, one level after the other, with stars by the proved optimum. */

import { UNREACHABLE, wordsFor } from "../core/api.js";
import { button, div, fill, h, say, set } from "../core/dom.js";
import { header } from "../core/parts.js";
import { keepsNothing } from "../core/kept.js";
import { NEVER } from "../core/prover.js";
import { beats } from "../core/steps.js";
import { NO_HINT } from "../core/store.js";
import { LevelBoard } from "../levels/board.js";
import { LevelControls, resultInWords } from "../levels/controls.js";
import { effectOf, give } from "../levels/effects.js";
import { capital, gamesMenu, levelsMenu, moreMenu } from "../levels/menus.js";
import { changeSettings, readSettings } from "../levels/open.js";
import { loadPacks, PUZZLES, shortNameOf, today } from "../levels/packs.js";
import { record, results, worth } from "../levels/results.js";
import { leftInWords } from "../panels/words.js";

/** @import { State, Settings } from "../types.d.ts" */
/** @import { Played } from "../levels/controls.js" */

/** @type {Record<string, string>} */
const RULES = {
  "ball-sort": "Move onto the same colour or into an empty tube.",
  "water-sort": "Pour onto the same colour or into an empty tube.",
};
const KNOWN_AFTER = 3; // levels, the rule
const NOT_KEPT = "This browser keeps nothing: games and stars are gone when the page is closed.";
/** @type {Record<Settings["proof"], Settings["proof"]>} what a tap on the proof goes on to */
const AFTER = { hidden: "number", number: "all", all: "hidden" };

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store, game } = app;
  readSettings(store);
  /** @type {import("../levels/packs.js").Packs | null} */
  let packs = null;
  /** @type {{ board: import("../types.d.ts").Board | null, played: Played | null }} */
  let last = { board: null, played: null };
  const played = () => {
    const { board } = store.state;
    if (board !== last.board) last = { board, played: packs?.levelOf(board) ?? null };
    return last.played;
  };

  const levels = levelsMenu(
    app,
    () => packs,
    () => board.focus(),
  );
  const games = gamesMenu(app, () => board.focus());

  const name = h("b", {});
  const kind = h("small", {});
  const choose = h(
    "button",
    { type: "button", class: "level-name quiet", title: "Choose a level", onclick: levels },
    h("h1", {}, name, kind),
  );
  const proof = h("button", {
    type: "button",
    class: "proof-chip",
    onclick: () => changeSettings(store, { proof: AFTER[store.state.settings.proof] }),
  });
  const line = h("span", { class: "level-line" });
  const place = div("level-board");
  const notice = h("p", { role: "status" });
  const takeBack = button("undo", "", () => void game.goBy(-(store.state.verdict.takeBack ?? 0)), { class: "primary" });
  const board = new LevelBoard(place, app);
  const controls = new LevelControls(app, played, div("level-notice", line, notice, takeBack));
  const more = moreMenu(app, games, controls);
  const element = div(
    "level-screen",
    header(app, "home", [choose], proof, button("menu", "More", more, { bare: true, class: "quiet" })),
    h("main", {}, div("level-stage", place), controls.element),
  );

  const isDaily = (/** @type {Played["level"]} */ level) => {
    const daily = packs?.daily(level.puzzle, today());
    return daily?.difficulty === level.difficulty && daily.number === level.number;
  };

  /** @param {State} state */
  const draw = (state) => {
    const { position, settings, verdict, hint } = state;
    const now = played();
    if (!position || !now) return;
    const { level } = now;
    say(name, capital(shortNameOf(level)));
    say(kind, `${PUZZLES[level.puzzle]}${isDaily(level) ? ", daily level" : ""}`);
    fill(proof, chipWords(state));
    set(proof, {
      "data-kind": settings.proof === "hidden" ? "none" : verdict.kind,
      "aria-label":
        `Proof: ${settings.proof === "hidden" ? "hidden" : chipWords(state)}. ` +
        `Show ${PROOF_WORDS[AFTER[settings.proof]]}`,
      title: `Show ${PROOF_WORDS[AFTER[settings.proof]]}`,
    });
    const isKnown = Object.keys(results().best).length >= KNOWN_AFTER;
    const rule = keepsNothing() ? NOT_KEPT : isKnown ? "" : (RULES[level.puzzle] ?? "");
    say(line, settings.proof === "all" ? proofLine(state, now) : rule);
    set(element, { "data-letters": settings.letters });
    say(notice, state.error || state.notice);
    line.hidden = notice.textContent !== "";
    const isShown = settings.proof !== "hidden" || hint !== NO_HINT;
    const back = verdict.kind === "lost" && isShown ? verdict.takeBack : null;
    takeBack.hidden = !back || back === NEVER;
    say(/** @type {Element} */ (takeBack.lastElementChild), `Take back ${back}`);
  };

  /** Notes a solved level, and tells what it is worth. @param {State} state @param {State} before */
  const note = (state, before) => {
    const isNew = state.board === before.board && state.made.length > before.made.length;
    const now = played();
    if (!isNew || !now || !state.position?.goal || state.position === before.position) return;
    const { level, added } = now;
    const moves = beats(state.made);
    record(level, worth(level, moves, added, state.hinted), isDaily(level));
    app.announce(`Solved: ${resultInWords(now, moves, state.hinted)}.`);
  };

  store.subscribe((state, before) => {
    if (!packs || state.screen !== "levels") return;
    draw(state);
    note(state, before);
    // The button that had the focus has gone.
    if (state.position !== before.position && !document.activeElement?.checkVisibility()) board.focus();
    const effect = effectOf(state, before);
    if (effect) give(effect, state.settings);
  });

  const shown = async () => {
    try {
      packs = await loadPacks();
    } catch (error) {
      say(notice, error instanceof TypeError ? UNREACHABLE : wordsFor(error));
      return;
    }
    last = { board: null, played: null };
    if (!played()) return app.go("play"); // not one of the levels
    store.set({});
    board.focus();
  };
  return { title: "Levels", element, shown: () => void shown() };
}

const PROOF_WORDS = { hidden: "nothing of the proof", number: "the number of moves left", all: "the proof in words" };

/** @param {State} state */
function chipWords({ verdict, settings }) {
  if (settings.proof === "hidden") return "Proof";
  switch (verdict.kind) {
    case "optimal":
      return `${verdict.low} left`;
    case "searching":
    case "open":
      return verdict.high === null ? `at least ${verdict.low}` : `${verdict.low}–${verdict.high} left`;
    case "lost":
      return "Lost";
    case "goal":
      return "Solved";
    default:
      return "–";
  }
}

/** @param {State} state @param {Played} played */
function proofLine({ verdict, made, look }, { level, added }) {
  const done = beats(made);
  if (verdict.kind !== "optimal" || !done) return leftInWords(verdict, look) || "Solved.";
  const best = added ? "" : `, best possible ${level.optimum}`;
  return `${verdict.low} left, proved: ${done + verdict.low} in all${best}.`;
}
