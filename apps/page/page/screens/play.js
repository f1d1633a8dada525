/** The board in play: the board with its controls in the middle, the proof and the panels beside it. */

import { BoardView } from "../board/view.js";
import { div, fill, h, say } from "../core/dom.js";
import { arrowInWords, movesOf } from "../core/steps.js";
import { Controls } from "../panels/controls.js";
import { header } from "../core/parts.js";
import { ExplorePanel } from "../panels/explore.js";
import { gradePanel } from "../panels/grade.js";
import { MovesPanel } from "../panels/moves.js";
import { ProofPanel } from "../panels/proof.js";
import { buildTools } from "../panels/tools.js";

/** @param {import("../main.js").App} app @returns {import("../main.js").Screen} */
export function makeScreen(app) {
  const { store, game } = app;
  const name = h("h1", { id: "name" });
  const summary = h("p", { id: "summary" });
  const proof = h("section", { class: "card proof", id: "proof", "aria-label": "Proof" });
  const place = h("div", { id: "board" });
  const notice = h("p", { id: "notice", role: "status" });
  const printed = h("ol", { class: "printed" });
  addEventListener("beforeprint", () => {
    const { made, ahead, verdict } = store.state;
    const all = [...movesOf(made), ...(ahead.length ? movesOf(ahead) : (verdict.plan ?? []))];
    fill(printed, ...all.map((move) => h("li", {}, arrowInWords(move))));
  });
  const board = new BoardView(place, store, game);
  const element = div(
    "play",
    header(app, "home", [name, summary], ...buildTools(app)),
    h(
      "main",
      {},
      h("section", { class: "stage", "aria-label": "Game" }, place, notice, new Controls(app).element),
      proof,
      new MovesPanel(app).element,
      printed,
      div("side", new ExplorePanel(app).element, gradePanel(app)),
    ),
  );
  new ProofPanel(proof, app);
  store.subscribe((state) => {
    say(notice, state.error || state.notice);
    say(name, state.position?.name ?? "");
    say(summary, state.position?.summary ?? "");
  });
  return { title: "Play", element, shown: () => board.focus() };
}
