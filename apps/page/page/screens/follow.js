/** A plan, move by move: the board as the game shows it, and one move at a time to make in the game. */

import { isTubes } from "../board/tubes.js";
import { solutionOf } from "../core/ask.js";
import { button, div, h, redraw, say } from "../core/dom.js";
import { withTube } from "../core/game.js";
import { openPart } from "../core/load.js";
import { NEVER } from "../core/prover.js";
import { header } from "../core/parts.js";
import { menu as menuOf, sheet, show } from "../core/sheet.js";
import { arrowInWords, beats, counted, lengthInWords, movesOf } from "../core/steps.js";
import { entryOf } from "../enter/entry.js";
import { keepAwake } from "../follow/awake.js";
import { drawBoard } from "../board/picture.js";
import { Questions } from "../follow/questions.js";
import { nextTheme } from "../core/theme.js";
import { provedInWords } from "../panels/words.js";

const TRY_SECONDS = 5; // of a search with one more tube

/** @param {App} app */
export function makeScreen(app) {
  const { store, game, prover } = app;
  const name = h("h1", {});
  const left = h("p", { role: "status" });
  const place = div("board-place");
  const bar = h("section", { class: "now", "aria-label": "The next move" });
  const questions = new Questions(game, () => draw(store.state));

  const goHome = () => app.go("home");

  // -- the bar ------------------------------------------------------------------------------------------

  const back = () =>
    button(null, "‹ Back", () => void game.goBy(-1), { class: "back", disabled: beats(store.state.made) === 0 });
  const quiet = (/** @type {Parameters<typeof button>} */ ...[sign, label, action]) =>
    button(sign, label, action, { class: "quiet" });
  const more = (/** @type {Node} */ first) =>
    div(
      "more",
      first,
      isRead() && !beats(store.state.made)
        ? quiet("camera", "Is this your board?", () => app.go("picture"))
        : quiet(null, "Mine looks different", () => store.set({ comparing: true })),
    );
  /** Whether the board is the one that was read from a picture. */
  const isRead = () => store.state.board !== null && store.state.picture?.board === store.state.board;
  const all = () => quiet("list", "All moves", () => show(moves));
  const corrected = () => div("more", quiet("pencil", "Correct the board", correct));
  const sentence = (/** @type {string} */ words, /** @type {string} */ colour = "") => {
    const dot = colour ? h("span", { class: "dot", "aria-hidden": "true" }) : null;
    dot?.style.setProperty("background", colour);
    return h("p", { class: "sentence" }, dot, words);
  };
  const fine = (/** @type {string} */ words) => words && h("p", { class: "fine" }, words);
  const alert = (/** @type {State} */ { error }) => error && h("p", { class: "complaint", role: "alert" }, error);
  const onwards = (/** @type {() => void} */ action, label = "Done, next ›") =>
    div("row", back(), button(null, label, action, { class: "primary done" }));

  /** Where no moves lead on, from the start. @param {State} state @param {string} words @param {string} small */
  const noWay = (state, words, small) => [
    sentence(words),
    fine(small),
    tellWithTube(state),
    alert(state),
    onwards(() => void game.addTube(), "Try with one more tube"),
    corrected(),
  ];

  /** What a tube more would change, as soon as that is known. @param {State} state */
  const tellWithTube = ({ board, hidden }) => {
    if (!board || hidden) return null;
    if (board !== tried.board) {
      const trying = (tried = { board, words: "" });
      void searchWithTube(board).then((words) => {
        trying.words = words;
        draw(store.state);
      });
    }
    return h("p", { class: "fine", role: "status" }, tried.words);
  };

  /** @param {State} state @returns {Child[]} */
  const barFor = (state) => {
    const { position, verdict, hidden, advice, made, comparing } = state;
    if (!position) return [sentence("…")];
    if (comparing) {
      return [
        sentence("Does your game look like this?"),
        fine("Go back until both look the same, or correct the board here."),
        onwards(() => store.set({ comparing: false }), "Yes, go on"),
        corrected(),
      ];
    }
    const question = questions.next(position);
    if (question) return [question, alert(state), div("row", back())];
    if (position.goal)
      return [sentence("Solved."), fine(`${counted(beats(made))} made.`), onwards(goHome, "Another level")];
    if (verdict.kind === "lost") {
      const steps = verdict.takeBack;
      const asked = `${state.look?.doubted ? "" : "Proved. "}Is every colour as in your game?`;
      if (steps === NEVER) return noWay(state, "This board has no solution.", asked);
      return [
        sentence("Lost from here."),
        fine("Proved: no moves lead on."),
        alert(state),
        steps ? onwards(() => void game.goBy(-steps), `Go back ${steps}`) : div("row", back()),
        more(quiet("board", "One more tube", () => void game.addTube())),
      ];
    }
    if (hidden && position.hidden && advice && !advice.route.length) {
      if (advice.hopeless) return noWay(state, "Nothing solves this board.", "Proved, whatever is covered.");
      if (advice.restart)
        return [
          sentence("Start the level again."),
          fine("What was seen stays known."),
          onwards(() => void game.say({ restart: true }), "I have, go on"),
        ];
      return noWay(state, "No way to see more was found.", "");
    }
    const move = next(state);
    if (!move) {
      if (verdict.kind === "failed" || state.error)
        return [
          sentence("No moves yet."),
          h("p", { class: "complaint", role: "alert" }, state.error || verdict.words),
          onwards(tryAgain, "Try again"),
        ];
      if (verdict.kind === "open")
        return [
          sentence("No plan was found in time."),
          onwards(() => void prover.search(null), "Search longer"),
          more(all()),
        ];
      return [sentence("Finding the moves…"), div("row", back())];
    }
    if (taken.position !== position) void lookAt(move);
    const solved = position.asking && quiet("solve", "It is solved", () => void game.saySolved());
    return [
      sentence(`${move[0] + 1} → ${move[1] + 1}${taken.words}`, taken.fill),
      fine(state.notice),
      alert(state),
      onwards(() => void game.make(move)),
      more(solved || all()),
    ];
  };

  /** @type {{ board: unknown, words: string }} a board, and what a tube more does to it, as soon as it is known */
  let tried = { board: null, words: "" };
  /** @type {{ position: unknown, words: string, fill: string }} how much of which colour goes, likewise */
  let taken = { position: null, words: "", fill: "" };

  /** @param {[number, number]} move */
  const lookAt = async (move) => {
    const { position } = store.state;
    const looking = (taken = { position, words: "", fill: "" });
    try {
      const effect = await game.effectOf(move);
      const look = position?.colours.find(({ colour }) => colour === effect?.colour);
      if (effect && look) Object.assign(looking, { words: `, ${effect.amount} ${look.name}`, fill: look.fill });
      draw(store.state);
    } catch {
      // Making the move meets the same error and reports it.
    }
  };

  const tryAgain = () => {
    store.set({ error: "" });
    prover.look();
    app.advisor.look(store.state, store.state);
  };
  const correct = () => {
    const { position, look } = store.state;
    if (!position) return;
    store.set({ entry: entryOf(position.position, position.colours, look?.rows), comparing: false });
    app.go("enter");
  };

  // -- the list of moves and the menu -------------------------------------------------------------------

  const list = h("ol", { class: "move-list" });
  const proof = h("p", { class: "fine" });
  const moves = sheet("All moves", proof, list);
  const menu = menuOf("Menu", [
    ["restart", "Start again", () => void game.goTo(0)],
    ["pencil", "Correct the board", correct],
    ["play", "Play it yourself", () => app.go("play")],
    ["share", "Share", () => void openPart(app, app.shareDialog)],
    ["theme", "Light or dark", () => app.announce(nextTheme())],
    ["camera", "Another level", goHome],
  ]);

  const drawMoves = (/** @type {State} */ { made, ahead }) => {
    const all = movesOf([...made, ...ahead]);
    const at = movesOf(made).length;
    const items = all.map((move, index) => {
      const go = () => {
        moves.close();
        void game.goTo(index);
      };
      const isNext = { "aria-current": index === at ? "step" : null };
      return h("li", {}, button(null, `${index + 1}.  ${arrowInWords(move)}`, go, isNext));
    });
    redraw(list, ...items);
    say(proof, proofInWords(store.state));
  };

  // -- drawing ------------------------------------------------------------------------------------------

  const draw = (/** @type {State} */ state) => {
    const { position, look } = state;
    if (!position || state.screen !== "follow") return;
    if (!isTubes(position)) return app.go("play");
    say(name, position.name);
    say(left, leftInWords(state));
    const asked = questions.tube(position);
    const { clientWidth, clientHeight } = place;
    const shape = clientHeight ? clientWidth / clientHeight : 1;
    const move = state.comparing || asked !== null ? null : next(state);
    place.replaceChildren(drawBoard(position, look?.rows ?? [], shape, move, asked));
    redraw(bar, ...barFor(state));
    drawMoves(state);
  };

  /** Lays the plan that is known ahead, and a shorter one as soon as there is one. @param {State} state */
  const takePlan = ({ verdict, ahead }) => {
    const { plan } = verdict;
    if (!plan || (ahead.length && plan.length >= ahead.length)) return;
    game.lay(plan);
    if (ahead.length) app.notice(`A shorter way was found: ${counted(plan.length)} left.`);
  };

  store.subscribe((state) => {
    if (state.screen !== "follow") return;
    takePlan(state);
    draw(store.state);
  });
  new ResizeObserver(() => draw(store.state)).observe(place);

  const open = button("menu", "Menu", () => show(menu), { bare: true, class: "quiet" });
  const element = div("follow", header(app, "back", [name, left], open), h("main", {}, place, bar));
  return {
    title: "The moves",
    element,
    shown: () => {
      keepAwake(true);
      draw(store.state);
      element.querySelector("button.done")?.scrollIntoView?.({ block: "nearest" });
    },
    left: () => keepAwake(false),
  };
}

/** @param {Board} board */
async function searchWithTube(board) {
  try {
    const asked = { board: withTube(board), moves: [], seconds: TRY_SECONDS };
    const found = await solutionOf(asked, new AbortController().signal);
    if (found.length) return `With one tube more: ${lengthInWords(found)}.`;
    return found.status === "unsolvable" ? "With one tube more it has none either." : "";
  } catch {
    return ""; // it is a hint, and the button is there without it
  }
}

/** The next move to make. @param {State} state @returns {[number, number] | null} */
function next({ ahead, advice, hidden, position }) {
  const step = ahead[0];
  const move = hidden && position?.hidden ? advice?.route[0] : step && "move" in step ? step.move : null;
  return Array.isArray(move) ? [Number(move[0]), Number(move[1])] : null;
}

/** @param {State} state */
function leftInWords({ verdict, ahead, advice, hidden, position, look }) {
  if (position?.goal) return "solved";
  if (hidden && position?.hidden)
    return advice?.route.length ? `something new in ${counted(advice.route.length)}` : "cells are covered";
  if (verdict.kind === "optimal") return `${verdict.low} left, ${provedInWords(look)}`;
  return ahead.length ? `${ahead.length} left, maybe fewer` : "";
}

/** @param {State} state */
function proofInWords({ verdict, position, look }) {
  if (position?.goal) return "Solved.";
  const surely = look?.doubted ? "If the board is right," : "Proved:";
  if (verdict.kind === "optimal") return `${counted(verdict.low)} left. ${surely} there is no shorter way.`;
  if (verdict.plan)
    return (
      `${counted(verdict.plan.length)} left. Proved: at least ${verdict.low} are needed. ` +
      `A shorter way may be found yet.`
    );
  return verdict.words;
}
