/** The first screen: today's level, which begins at a tap on it, what was solved lately, and the other ways in. */

import { positionIn, TubesView } from "../board/tubes.js";
import { prepare, UNREACHABLE, wordsFor } from "../core/api.js";
import { button, div, h, redraw, say } from "../core/dom.js";
import { chooseFile } from "../core/files.js";
import { isSame, nameOf, openGame } from "../core/games.js";
import { read } from "../core/kept.js";
import { isInPlay } from "../core/navigation.js";
import { header } from "../core/parts.js";
import { counted } from "../core/steps.js";
import { NO_HINT } from "../core/store.js";
import { nextTheme, themeInWords } from "../core/theme.js";
import { daily, openFresh } from "../levels/open.js";
import { PICTURES } from "../picture/shrink.js";

const [LEAST, MOST] = [24, 150]; // pixels, of a tube

/** @param {App} app */
export function makeScreen(app) {
  const { store } = app;
  const heading = div("heading");
  const place = div("level-board");
  const actions = div("row");
  const notice = h("p", { class: "fine", role: "alert" });
  /** @type {Awaited<ReturnType<typeof daily>> | null} */
  let level = null;

  const trying = (/** @type {Promise<void>} */ opening) =>
    opening.catch((error) => app.notice(error instanceof TypeError ? UNREACHABLE : wordsFor(error)));
  /** Opens the level; with the tube that was tapped, where it gives something. @param {number | null} tube */
  const begin = async (tube) => {
    await trying(level ? level.open() : openFresh(app));
    const { position, screen } = store.state;
    const gives = position?.legal.some((move) => Array.isArray(move) && move[0] === tube);
    if (gives && isInPlay(screen)) store.set({ selected: tube });
  };
  const view = new TubesView({
    select: () => {},
    choose: (tube) => void begin(tube),
    move: () => {},
    room: () => ({ width: place.clientWidth - 8, height: place.clientHeight, least: LEAST, most: MOST, around: 16 }),
  });
  place.append(view.element);
  const draw = () => {
    const last = read("games").find(({ made, solved }) => made.length > 0 && !solved);
    const isOther = last && !(level && isSame(last.board, level.board));
    redraw(
      actions,
      isOther && button(null, `Continue ${nameOf(last)}`, () => void trying(openGame(app, last)), { class: "done" }),
      button("play", level?.isBegun ? "Continue" : "Play", () => void begin(null), { class: "primary done" }),
    );
    say(notice, store.state.notice);
    if (!level || !place.clientWidth) return;
    const days = level.week.map((isSolved) => h("i", { "data-solved": isSolved }));
    const label = `Solved on ${level.week.filter(Boolean).length} of the last ${counted(days.length, "day")}`;
    const week = h("p", { class: "week", role: "img", "aria-label": label }, ...days);
    redraw(heading, h("h2", {}, level.title), week, h("p", {}, level.words));
    view.draw({ ...store.state, position: positionIn(level.now, level.colours), selected: null, hint: NO_HINT });
  };
  new ResizeObserver(draw).observe(place);

  const more = button("list", "Levels", () => void trying(openFresh(app)), { bare: true, class: "quiet" });
  const theme = button("theme", themeInWords(), () => app.announce(nextTheme()), { bare: true, class: "quiet" });
  const element = h(
    "main",
    { class: "home" },
    header(app, null, ["Fewest Moves", "Sort puzzles, with proof"], more, theme),
    h("section", { class: "today", "aria-label": "Level" }, heading, place, actions),
    notice,
    div(
      "ways",
      way("camera", "Solve a screenshot", () => {
        prepare(); // while a person looks for the picture
        chooseFile(PICTURES, (given) => {
          store.set({ given });
          app.go("picture");
        });
      }),
      way("pencil", "Enter by hand", () => app.go("enter")),
      way("make", "Make levels", () => app.go("make")),
      way("learn", "Learn", () => app.go("learn")),
    ),
  );
  store.subscribe(({ screen }) => screen === "home" && draw());
  const shown = async () => {
    draw();
    try {
      level = await daily(app);
      draw();
    } catch {
      // it is there when the levels are; without them all else still is
    }
  };
  return { title: "", element, shown: () => void shown() };
}

/** @param {Parameters<typeof button>[0]} sign @param {string} label @param {() => void} action */
const way = (sign, label, action) => button(sign, label, action, { class: "way-in" });
