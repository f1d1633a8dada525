/**
 * bsp-sat's page. It knows no rules: the server says how a board stands, what may be done, and what is proved.
 *
 *   core/     what is known and asked: store (all state), game (board, steps, timeline), prover (live proof),
 *             api (requests, streams), link (address and browser), dom (elements)
 *   board/    what is seen and touched of a position: one view for each way that puzzles look, colours, flight
 *   panels/   what stands beside the board: proof, controls, hints, grades, hidden cells, your line
 *   enter/    ways to enter a board, each a tab of one dialog (dialog.js lists them in TABS)
 *   picture/  a board from a screenshot: what was understood, drawn over it, and the doubtful cells to correct
 *   share/    ways to take one along, each a part of one dialog (dialog.js lists them in PARTS)
 *
 * To add a way to enter or to share, write a module that makes an element and add a line to the list; `app` below is
 * what it gets. To show something of the state, subscribe to `app.store`; to change the game, call `app.game`.
 */

import { announcer } from "./core/announce.js";
import { call, wordsFor } from "./core/api.js";
import { say } from "./core/dom.js";
import { Game } from "./core/game.js";
import { isPacked, pack, remember, remembered, unpack } from "./core/link.js";
import { Prover } from "./core/prover.js";
import { Store } from "./core/store.js";
import { BoardView } from "./board/view.js";
import { Controls } from "./panels/controls.js";
import { ExplorePanel } from "./panels/explore.js";
import { GradePanel } from "./panels/grade.js";
import { HintPanel } from "./panels/hint.js";
import { LinePanel } from "./panels/line.js";
import { ProofPanel } from "./panels/proof.js";
import { spoken } from "./panels/words.js";
import { buildTools } from "./panels/tools.js";

/**
 * What every part of the page may use.
 * @typedef {object} App
 * @property {Store} store
 * @property {Game} game
 * @property {Prover} prover
 * @property {BoardView} board
 * @property {HintPanel} hints
 * @property {(text: string) => void} announce tells it to people who can't see the page
 * @property {(text: string) => void} notice shows it under the board
 */

const FIRST = "level-80";

/** @param {string} id */
function place(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(id);
  return found;
}

const store = new Store();
const game = new Game(store);
const prover = new Prover(store);
const announce = announcer(place("live"));
const notice = (/** @type {string} */ text) => say(place("notice"), text);
const board = new BoardView(place("board"), store, game);
const app = /** @type {App} */ ({ store, game, prover, board, announce, notice });
app.hints = new HintPanel(app);

place("side").append(
  new ExplorePanel(app).element,
  app.hints.element,
  new LinePanel(app).element,
  new GradePanel(app).element,
);
new ProofPanel(place("proof"), app);
place("controls").append(new Controls(app).element);
place("tools").append(...buildTools(app));

store.subscribe((state, before) => {
  const { position } = state;
  if (position && position.name !== before.position?.name) {
    say(place("name"), position.name);
    document.title = `${position.name} · bsp-sat`;
  }
  if (position) say(place("summary"), position.summary);
  if (state.error !== before.error || (position !== before.position && (!state.byPlan || position?.goal))) notice(state.error);
  const words = spoken(state, before);
  if (words) announce(words);
});

let written = "";
let writing = Promise.resolve();
store.subscribe((state, before) => {
  const { board: start, made } = state;
  if (!start || (start === before.board && made === before.made)) return;
  writing = writing.then(async () => {
    written = await pack(start, made);
    remember(written);
  });
});

/** Opens what the address names, else the last game, else a first board; and says so where the address names none. */
async function begin() {
  const fragment = location.hash.slice(1);
  if (fragment && fragment === written) return;
  let complaint = "";
  for (const text of [fragment, remembered(), FIRST]) {
    if (!text) continue;
    try {
      if (isPacked(text)) {
        const { board: start, steps } = await unpack(text);
        await game.openNow(start, steps);
      } else await game.openNow((await call(`boards/${text}`)).board);
      break;
    } catch (error) {
      complaint ||= `${text === fragment ? "The link holds no game" : "The last game is gone"}: ${wordsFor(error)}`;
    }
  }
  if (complaint) notice(complaint);
}

addEventListener("hashchange", () => void game.inTurn(begin));
void game.inTurn(begin); // so that a board that somebody opens meanwhile comes after it
