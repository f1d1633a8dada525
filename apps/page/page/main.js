/**
 * bsp-sat's page. What it knows of rules is in engine/; of boards that the engine doesn't take Python says how they
 * stand, which moves are legal, and what is proved.
 *
 *   screens/  one module for each screen: home, picture, enter, follow, play (also of levels), make, learn
 *   core/     state and requests: store (all state), game (board, moves, timeline), prover and advisor (what is known
 *             of the position), ask (questions about boards), api (requests, streams), navigation (screens and the
 *             browser's history), link (address), dom (elements)
 *   engine/   rules and search of plain boards, also a package of its own
 *   board/    drawings of a position: one view for each kind of puzzle, colours, animation
 *   picture/  a board from a screenshot: reading it, and correcting what was read
 *   follow/   parts of the screen that guides through a plan
 *   levels/   levels to play for fun, and what stands under the board in play
 *   panels/   what stands beside it: the proof, and the moves
 *   enter/    a board by hand, and the dialog with other ways to enter one
 *   make/     levels made to measure and collected
 *   learn/    lessons of the screen for learning
 *   share/    ways to take a board along, each a part of one dialog
 *
 * Screens and panels subscribe to the store and draw. ../README.md says how the page is changed.
 */

import { Advisor } from "./core/advisor.js";
import { UNREACHABLE, wordsFor } from "./core/api.js";
import { announcer, h } from "./core/dom.js";
import { listenForFiles } from "./core/files.js";
import { Game } from "./core/game.js";
import { isSame, keepGame } from "./core/games.js";
import { isPacked, pack, unpack } from "./core/link.js";
import { header } from "./core/parts.js";
import { onceLoaded, shippedBoards, unlessSoon } from "./core/load.js";
import { hasBoard, isInPlay, Navigation, needsBoard } from "./core/navigation.js";
import { Prover } from "./core/prover.js";
import { stepped } from "./core/sheet.js";
import { Store } from "./core/store.js";
import { applyTheme } from "./core/theme.js";
import { loadPacks } from "./levels/packs.js";
import { spoken } from "./panels/words.js";
import { makeScreen as makeHome } from "./screens/home.js";

/**
 * `shown` is called each time the screen comes up, and `left` each time another one takes its place.
 * @typedef {{ title: string, element: HTMLElement, shown?: () => void, left?: () => void }} Screen
 */
/** @typedef {{ makeScreen: (app: App) => Screen }} ScreenModule */

/** @type {Record<Exclude<ScreenName, "levels">, () => Promise<ScreenModule>>} */
const SCREENS = {
  home: async () => ({ makeScreen: makeHome }),
  picture: () => import("./screens/picture.js"),
  enter: () => import("./screens/enter.js"),
  follow: () => import("./screens/follow.js"),
  play: () => import("./screens/play.js"),
  make: () => import("./screens/make.js"),
  learn: () => import("./screens/learn.js"),
};

applyTheme();
const store = new Store();
const game = new Game(store);
const navigation = new Navigation(store);
const announce = announcer(/** @type {HTMLElement} */ (document.getElementById("live")));
/** @type {App} */
const app = {
  store,
  game,
  prover: new Prover(store),
  advisor: new Advisor(store),
  announce,
  go: (screen, query) => navigation.go(screen, query),
  back: () => navigation.back(),
  notice: (notice) => store.set({ notice, error: "" }),
  enterDialog: onceLoaded(async () => (await import("./enter/dialog.js")).enterDialog(app)),
  shareDialog: onceLoaded(async () => (await import("./share/dialog.js")).shareDialog(app)),
};

// -- screens --------------------------------------------------------------------------------------------

const screens = /** @type {Record<ScreenName, () => Promise<Screen>>} */ (
  Object.fromEntries(
    Object.entries(SCREENS).map(([name, load]) => [name, onceLoaded(async () => (await load()).makeScreen(app))]),
  )
);
screens.levels = screens.play; // the same board, without what is known of it
/** @type {Screen | null} */
let current = null;

/** Shows a screen, or says why it can't be shown, with a way to try again. @param {ScreenName} name */
async function show(name) {
  let screen;
  let isSaid = false;
  try {
    screen = await unlessSoon(screens[name](), () => {
      isSaid = true;
      app.notice("One moment: this part of the page is being loaded…");
    });
  } catch {
    screen = unreachable(name);
  }
  if (isSaid) app.notice("");
  if (store.state.screen !== name) return;
  document.documentElement.dataset.screen = name;
  if (screen === current) return;
  current?.left?.();
  current = screen;
  document.getElementById("screens")?.replaceChildren(screen.element);
  tellTitle();
  screen.shown?.();
  scrollTo(0, 0);
}

/** @param {ScreenName} name @returns {Screen} */
function unreachable(name) {
  const again = h("button", { class: "primary", onclick: () => void show(name) }, "Try again");
  const words = h("p", { role: "alert" }, UNREACHABLE);
  const top = header(app, "home", ["No answer"]);
  return { title: "No answer", element: h("main", { class: "unreachable plain" }, top, words, again) };
}

function tellTitle() {
  const { screen, position } = store.state;
  const title = hasBoard(screen) && position ? position.name : current?.title;
  document.title = title ? `${title} · bsp-sat` : "bsp-sat";
}

store.subscribe((state, before) => {
  if (state.screen && state.screen !== before.screen) void show(state.screen);
  if (state.position !== before.position) tellTitle();
  const words = spoken(state, before);
  if (words) announce(words);
});

// -- the address ----------------------------------------------------------------------------------------

let written = "";
let writing = Promise.resolve();
store.subscribe((state, before) => {
  const { board, made, look, hinted, screen } = state;
  if (!board || !hasBoard(screen)) return;
  if (board === before.board && made === before.made && look === before.look && screen === before.screen) return;
  // A visit draws its board first.
  (before.screen ? queueMicrotask : setTimeout)(() => {
    keepGame(state);
    writing = writing.then(async () => {
      const packed = await pack(board, made, look, hinted);
      if (!hasBoard(store.state.screen)) return;
      written = packed;
      history.replaceState(history.state, "", `#${packed}`);
    });
  });
});

/** Shows what the address names: a board with its moves, or a screen. A link without a screen is for playing. */
async function arrive() {
  const fragment = location.hash.slice(1);
  const screen = navigation.named();
  if (screen === "play") void screens.play(); // made while the board is on its way
  if (!fragment) return store.set({ screen: needsBoard(screen) && !store.state.board ? "home" : screen });
  if (fragment === written && store.state.board) return store.set({ screen });
  try {
    if (isPacked(fragment)) {
      const { board, steps, look, hinted } = await unpack(fragment);
      const { board: now, screen: from } = store.state;
      // Level and analysis are the same game, wherever it has come to since.
      if (history.state?.screen && isInPlay(screen) && isInPlay(from) && now && isSame(board, now))
        return store.set({ screen });
      const isSent = !history.state?.screen && screen === "play";
      const level = isSent && (await loadPacks().catch(() => null))?.levelOf(board);
      const more = { screen: level ? /** @type {const} */ ("levels") : screen, ...(hinted && { hinted }) };
      await game.openNow(board, { steps, look, ...more });
    } else if (fragment.startsWith("level.")) {
      const { board, look, notice } = await (await import("./levels/sent.js")).levelSent(fragment);
      await game.openNow(board, { look, screen: "levels", notice });
    } else {
      const found = (await shippedBoards()).find(({ name }) => name === fragment);
      if (!found) throw new Error("no shipped board has that name");
      await game.openNow(found.board, { screen });
    }
  } catch (error) {
    store.set({ screen: "home", notice: `The link holds no game: ${wordsFor(error)}` });
  }
}

addEventListener("keydown", () => (document.documentElement.dataset.keys = ""), { capture: true });
addEventListener("popstate", () => {
  if (!stepped()) return void game.inTurn(arrive);
  // The board may have changed while a dialog was open.
  if (hasBoard(store.state.screen) && written) history.replaceState(history.state, "", `#${written}`);
});
// In its turn, so that a board which is opened before its end comes after it.
void unlessSoon(game.inTurn(arrive), () => store.state.screen ?? store.set({ screen: "home" }));
listenForFiles(async (file) => {
  // Not every system knows the type of every picture.
  if (file.type.startsWith("image/") || /\.hei[cf]$/i.test(file.name)) {
    store.set({ given: file });
    app.go("picture");
    return;
  }
  if (store.state.screen === "make") return store.set({ given: file });
  try {
    (await app.enterDialog()).take(file);
  } catch {
    app.notice(UNREACHABLE);
  }
});
