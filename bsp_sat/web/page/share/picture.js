/**
 * Pictures for others: the position now, and the game as an animation, with the plan where there is one.
 */

import { download, isAborted, wordsFor } from "../core/api.js";
import { button, h, say } from "../core/dom.js";
import { counted, movesOf } from "../core/steps.js";
import { save } from "../core/files.js";

/** @param {import("../main.js").App} app */
export function picturePart({ store }) {
  const { board, hidden, made, ahead, position, verdict } = store.state;
  const name = position?.name ?? "board";
  const played = movesOf(made);
  const further = ahead.length ? movesOf(ahead) : (verdict.plan ?? []);
  const moves = [...played, ...further];
  // Of a board with hidden cells the position says all that is known; its moves alone don't.
  const still = { board: { ...position?.position, name } };
  const parts = [played.length && `${played.length} made`, further.length && `${further.length} to come`]
    .filter(Boolean)
    .join(", ");
  /** @type {Record<string, { words: string, asked: object, file: string }>} */
  const forms = {
    svg: { words: "Position as SVG", asked: { ...still, format: "svg" }, file: `${name}.svg` },
    png: { words: "Position as PNG", asked: { ...still, format: "png" }, file: `${name}.png` },
  };
  if (moves.length && !hidden) {
    const asked = { board, plan: moves };
    const title = `${counted(moves.length)} (${parts})`;
    forms.animated = {
      words: `${title} as animated SVG`,
      asked: { ...asked, format: "svg" },
      file: `${name}-moves.svg`,
    };
    forms.gif = { words: `${title} as GIF`, asked: { ...asked, format: "gif" }, file: `${name}-moves.gif` };
  }
  const choice = h(
    "select",
    { "aria-label": "Picture" },
    ...Object.entries(forms).map(([key, { words }]) => h("option", { value: key }, words)),
  );
  const status = h("p", { class: "fine", role: "status" });
  let work = new AbortController();
  const draw = async () => {
    const form = forms[choice.value];
    if (!form) return;
    work.abort();
    work = new AbortController();
    say(status, "Drawing…");
    try {
      save(await download("draw", form.asked, work.signal), form.file);
      say(status, "It is among your downloads.");
    } catch (error) {
      if (!isAborted(error)) say(status, wordsFor(error));
    }
  };
  return h(
    "section",
    {},
    h("h3", {}, "Picture"),
    h(
      "div",
      { class: "row" },
      choice,
      button("share", "Download", () => void draw()),
    ),
    status,
  );
}
