/** Lessons about the board in play: why, how bounds meet, what a SAT solver gets. */

import { isTubes } from "../board/tubes.js";
import { wordsFor } from "../core/api.js";
import { button, div, h, redraw, say } from "../core/dom.js";
import { hasBoard } from "../core/navigation.js";
import { header, tabs } from "../core/parts.js";
import { beats, counted } from "../core/steps.js";
import { shippedList } from "../enter/shipped.js";
import { drawBoard } from "../board/picture.js";
import { boundsLesson } from "../learn/bounds.js";
import { formulaLesson } from "../learn/formula.js";
import { Lessons, LESSONS, readAddress, writeAddress } from "../learn/lessons.js";
import { questionsLesson } from "../learn/questions.js";
import { SMALL, startLesson } from "../learn/start.js";
import { whyLesson } from "../learn/why.js";

const COVERED = "Some cells of this board are covered. Proofs are about boards whose cells are all known.";
const WIDE = 2.4; // the drawn board's width, divided by its height

/** @param {App} app */
export function makeScreen(app) {
  const { store, game, prover } = app;
  const lessons = new Lessons(app);
  const makers = {
    start: startLesson,
    why: whyLesson,
    bounds: boundsLesson,
    questions: questionsLesson,
    formula: formulaLesson,
  };
  /** @type {Map<LessonName, Lesson & { body: HTMLElement }>} */
  const made = new Map();
  let isUp = false;
  let isOpen = false; // the list of other boards

  // -- the board ------------------------------------------------------------------------------------------

  const complaint = h("p", { class: "complaint", role: "alert" });
  const boards = shippedList({
    complain: (words) => say(complaint, words),
    play: async (board, puzzle) => {
      try {
        isOpen = false;
        await game.open(board, { puzzle });
      } catch (error) {
        say(complaint, wordsFor(error));
      }
    },
  });
  const others = h("div", { id: "other-boards" }, complaint, boards.element);
  const toggle = () => {
    isOpen = !isOpen;
    say(complaint, "");
    show(store.state);
  };
  const title = h("h1", {}, "Learn");
  const after = h("p", { class: "fine" });
  const picture = div("board-drawn");
  const tools = () => {
    const play = button("play", "Play it", () => app.go("play"), { class: "quiet" });
    const opens = { class: "quiet", "aria-controls": "other-boards", "aria-expanded": String(isOpen) };
    return div("actions", play, button("list", "Another board", toggle, opens));
  };

  // -- the lessons ----------------------------------------------------------------------------------------

  const panel = h("div", { class: "lesson", role: "tabpanel", id: "lesson" });
  const problem = h("p", { class: "complaint", role: "alert" });
  const list = tabs("Lessons", LESSONS, panel, (lesson) => choose(lesson));
  const begins = async () => {
    lessons.set({ lesson: "start" });
    isOpen = false;
    await game.open(SMALL);
  };
  const words = h("span", {}, "Start here", h("small", {}, "From a board to a proof, in five steps"));
  const start = h("button", { class: "way-in primary", onclick: begins }, words);
  const choosing = h("p", {}, "Or choose a board to look at how it is solved and proved.");
  const bar = header(app, "back", [title]);
  const element = h("main", { class: "plain learn" });

  /** @param {LessonName} lesson */
  const choose = (lesson) => {
    if (lesson !== store.state.learning.lesson) lessons.set({ lesson, problem: "" });
    lessonOf(lesson).shown?.();
  };

  /** @param {LessonName} lesson */
  const lessonOf = (lesson) => {
    const found = made.get(lesson) ?? { ...makers[lesson](lessons), body: div(`stack ${lesson}`) };
    made.set(lesson, found);
    return found;
  };

  // -- drawing --------------------------------------------------------------------------------------------

  /** @type {unknown} what the board was drawn from last */
  let drawn = null;

  /** @param {State} state */
  const show = (state) => {
    const { learning, position } = state;
    const { lesson } = learning;
    if (isOpen || !position) boards.shown();
    redraw(
      element,
      bar,
      position
        ? h("section", { class: "about-board", "aria-label": "Board" }, after, picture, tools())
        : div("stack", start, choosing),
      (isOpen || !position) && others,
      ...(position && !position.hidden ? [list.element, panel] : []),
      problem,
    );
    say(problem, learning.problem);
    if (!position) return;
    if (position !== drawn) {
      drawn = position;
      say(title, `Learn: ${position.name}`);
      const moves = beats(state.made);
      say(after, [position.summary, moves ? `after ${counted(moves)}` : ""].filter(Boolean).join(", "));
      redraw(
        picture,
        isTubes(position)
          ? drawBoard(position, state.look?.rows ?? [], WIDE, null, null)
          : position.text &&
              h("pre", { tabindex: 0, role: "region", "aria-label": "The board as text" }, position.text),
      );
    }
    const current = lessonOf(lesson);
    list.show(lesson, current.body);
    redraw(current.body, ...current.draw(learning));
  };

  /** Begins with the position that is there now. */
  const begin = () => {
    prover.stop(); // what is searched here is what a person asks for
    lessons.forget();
    const { position } = store.state;
    if (!position) return;
    if (position.hidden) return lessons.set({ problem: COVERED });
    void lessons.askMethods();
    choose(store.state.learning.lesson);
  };

  store.subscribe((state, before) => {
    if (!isUp) return;
    if (state.position !== before.position) begin();
    if (state.learning !== before.learning || state.position !== before.position) show(store.state);
    if (state.learning.lesson !== before.learning.lesson) writeAddress(state.learning);
  });

  const shown = () => {
    isUp = true;
    lessons.set(readAddress());
    begin();
    writeAddress(store.state.learning);
    show(store.state);
  };
  const left = () => {
    isUp = false;
    lessons.stop();
    if (hasBoard(store.state.screen)) prover.look();
  };
  return { title: "Learn", element, shown, left };
}
