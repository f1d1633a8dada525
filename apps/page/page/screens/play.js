/**
 * The board in play: a level with stars by its proved optimum, or any other board. "Analyse" puts beside it what is
 * proved and the moves, with a mark at each that lost something; a board that isn't a level always has them.
 */

import { UNREACHABLE, wordsFor } from "../core/api.js";
import { BoardView } from "../board/view.js";
import { button, div, h, redraw, say, set } from "../core/dom.js";
import { keepsNothing, read } from "../core/kept.js";
import { onLetters } from "../core/keys.js";
import { onceLoaded, openPart } from "../core/load.js";
import { isInPlay } from "../core/navigation.js";
import { header } from "../core/parts.js";
import { NEVER } from "../core/prover.js";
import { beats } from "../core/steps.js";
import { NO_HINT } from "../core/store.js";
import { Controls } from "../levels/controls.js";
import { effectOf, give } from "../levels/effects.js";
import { readSettings } from "../levels/open.js";
import { capital, loadPacks, PUZZLES, shortNameOf, today } from "../levels/packs.js";
import { record, resultInWords, worth } from "../levels/results.js";
import { Moves } from "../panels/moves.js";
import { proofCard } from "../panels/proof.js";
import { Timeline } from "../panels/timeline.js";

/** @type {Record<string, string>} */
const RULES = {
  "ball-sort": "Move onto the same colour or into an empty tube.",
  "water-sort": "Pour onto the same colour or into an empty tube.",
};
const KNOWN_AFTER = 3; // levels, the rule
const NOT_KEPT = "This browser keeps nothing: games and stars are gone when the page is closed.";

/** @param {App} app */
export function makeScreen(app) {
  const { store, game } = app;
  readSettings(store);
  /** @type {Packs | null} */
  let packs = null;
  /** @type {{ board: Board | null, played: Played | null }} */
  let last = { board: null, played: null };
  const played = () => {
    const { board } = store.state;
    if (board !== last.board) last = { board, played: packs?.levelOf(board) ?? null };
    return last.played;
  };
  let isNear = false; // the level, in the history
  const isAnalysed = () => store.state.screen === "play" || !played();

  const menus = onceLoaded(async () => {
    const { makeMenus } = await import("../levels/menus.js");
    return makeMenus(app, () => board.focus(), controls);
  });
  const openMenu = (/** @type {"levels" | "more"} */ name) => openPart(app, async () => (await menus())[name]);
  const name = h("b", { id: "name" });
  const summary = h("small", { id: "summary" });
  const opens = { title: "Choose a level", onclick: () => void openMenu("levels") };
  const choose = h("button", { class: "level-name quiet", ...opens }, h("h1", {}, name, summary));
  const turn = () => {
    if (!isAnalysed()) app.go("play");
    else if (isNear) app.back();
    else app.go("levels");
  };
  const chip = h("button", { class: "proof-chip", onclick: turn });
  const place = h("div", { class: "level-board", id: "board" });
  const foot = div("level-foot");
  const panel = div("analysis");
  const board = new BoardView(place, app, isAnalysed);
  const controls = new Controls(app, played, isAnalysed);
  const [timeline, moves] = [new Timeline(app), new Moves(app)];
  const isMore = { bare: true, class: "quiet", "aria-keyshortcuts": "?" };
  const more = button("menu", "More", () => void openMenu("more"), isMore);
  const element = div("level-screen", header(app, "home", [choose], chip, more), h("main", {}, place, panel, foot));
  const letters = {
    u: () => game.goBy(-1),
    y: () => game.goBy(1),
    r: () => (isAnalysed() ? game.goTo(0) : controls.startAgain()),
    h: () => controls.hints.show(),
    n: () => controls.openNext(),
    s: () => controls.solve(),
    p: () => store.set({ playing: !store.state.playing && store.state.ahead.length > 0 }),
    b: () => openPart(app, app.enterDialog),
    "?": () => openMenu("more"),
    escape: () => store.set({ selected: null, playing: false }),
  };
  onLetters(store, letters);

  const isDaily = (/** @type {Played["level"]} */ level) => {
    const daily = packs?.daily(level.puzzle, today());
    return daily?.difficulty === level.difficulty && daily.number === level.number;
  };

  /** @param {State} state @param {State} before */
  const draw = (state, before) => {
    const { position, settings, verdict } = state;
    if (!position) return;
    const level = played()?.level;
    const isOpen = isAnalysed();
    say(name, level ? capital(shortNameOf(level)) : position.name);
    say(summary, level ? `${PUZZLES[level.puzzle]}${isDaily(level) ? ", daily level" : ""}` : position.summary);
    redraw(chip, level && (isOpen ? "Close" : chipWords(state)));
    set(chip, {
      "data-kind": settings.proof === "hidden" || isOpen ? "none" : verdict.kind,
      title: isOpen ? "Back to the level" : "Analyse: the proof, and the moves",
    });
    set(element, { "data-letters": settings.letters || !level, "data-analysed": isOpen });
    redraw(foot, controls.draw(state, wordsOf(state, level)));
    redraw(panel, ...(isOpen ? [proofCard(app, state), timeline.draw(state, before), moves.draw(state)] : []));
    if (isOpen && (state.made !== before.made || state.screen !== before.screen)) moves.scroll();
  };

  /** What is said of the game, above the buttons. @param {State} state @param {Played["level"] | undefined} level */
  const wordsOf = ({ verdict, settings, hint, error, notice }, level) => {
    const isKnown = !level || Object.keys(read("results").best).length >= KNOWN_AFTER;
    const rule = keepsNothing() ? NOT_KEPT : isKnown ? "" : RULES[level.puzzle];
    const isShown = settings.proof !== "hidden" || hint !== NO_HINT;
    const back = verdict.kind === "lost" && isShown && !isAnalysed() && verdict.takeBack;
    return div(
      "level-notice",
      h("span", { class: "level-line" }, error || notice || back ? "" : rule),
      h("p", { role: "status", id: "notice" }, error || notice),
      back && back !== NEVER && button("undo", `Take back ${back}`, () => void game.goBy(-back), { class: "primary" }),
    );
  };

  /** Notes a solved level, and tells what it is worth. @param {State} state @param {State} before */
  const note = (state, before) => {
    const isNew = state.board === before.board && state.made.length > before.made.length;
    const now = played();
    if (!isNew || !now || isAnalysed() || !state.position?.goal || state.position === before.position) return;
    const { level, added } = now;
    const count = beats(state.made);
    record(level, worth(level, count, added, state.hinted), isDaily(level));
    app.announce(`Solved: ${resultInWords(now, count, state.hinted)}.`);
    /** @type {HTMLElement | null} */ (foot.querySelector(".done"))?.focus();
  };

  store.subscribe((state, before) => {
    if (!isInPlay(state.screen) || (state.screen === "levels" && !packs)) return;
    if (state.screen !== before.screen) isNear = before.screen === "levels";
    const isOver = state.board !== before.board || (before.position?.goal && !state.position?.goal);
    const isGone = isOver && foot.contains(document.activeElement); // what has the focus
    draw(state, before);
    note(state, before);
    if (isGone) board.focus();
    const effect = effectOf(state, before);
    if (effect) give(effect, state.settings);
  });
  // On paper a plan is what is wanted of the list of moves.
  addEventListener("beforeprint", () => {
    const { screen, ahead, verdict } = store.state;
    if (isInPlay(screen) && isAnalysed() && !ahead.length && verdict.plan) game.lay(verdict.plan);
  });

  const shown = async () => {
    board.focus();
    try {
      packs ??= await loadPacks();
      last = { board: null, played: null };
      store.set({});
    } catch (error) {
      // A board that isn't a level does without them.
      const words = error instanceof TypeError ? UNREACHABLE : wordsFor(error);
      if (store.state.screen === "levels") redraw(foot, h("p", { role: "alert" }, words));
    }
    board.fit();
  };
  return { title: "Play", element, shown: () => void shown() };
}

/** @param {State} state */
function chipWords({ verdict, settings }) {
  if (settings.proof === "hidden") return "Analyse";
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
