/** The dialog for taking a board along: as a link or a picture; for programs as text or JSON. */

import { download, isAborted, wordsFor } from "../core/api.js";
import { button, div, h, say } from "../core/dom.js";
import { select } from "../core/parts.js";
import { save } from "../core/files.js";
import { pack } from "../core/link.js";
import { opening, sheet } from "../core/sheet.js";
import { beats, counted, movesOf } from "../core/steps.js";

/** @param {App} app */
export function shareDialog(app) {
  const body = div("parts");
  const open = opening(sheet("Share", body), () => {
    const more = h("details", {}, h("summary", {}, "More"), boardPart(app));
    body.replaceChildren(linkPart(app), picturePart(app), more);
  });
  return { open: () => app.store.state.board && open() };
}

/** A link that holds the board and the moves made: nothing is stored anywhere. @param {App} app */
function linkPart({ store }) {
  const { board, made, look, hinted } = store.state;
  const field = h("input", { type: "text", readonly: true, "aria-label": "Link", spellcheck: "false" });
  field.addEventListener("focus", () => field.select());
  const only = h("input", { type: "checkbox", onchange: () => void write() });
  const write = async () => {
    const packed = await pack(board ?? {}, only.checked ? [] : made, look, hinted);
    field.value = `${location.href.split("#")[0]}#${packed}`;
  };
  void write();
  const isHere = /^(localhost|127\.|\[::1\])/.test(location.hostname); // which is another page elsewhere
  const where = isHere && " It opens on this computer alone, while bsp-sat runs on it.";
  const done = beats(made);
  const choice = h("label", { class: "choice" }, only, `without the ${counted(done)} made`);
  return part(
    "Link",
    h("p", { class: "fine" }, "The board and the moves are in the link itself.", where),
    div("row", field, copyButton(field, { class: "primary" })),
    ...(done ? [choice] : []),
  );
}

/** @param {Record<string, { words: string }>} forms */
function wordsOf(forms) {
  return Object.fromEntries(Object.entries(forms).map(([key, { words }]) => [key, words]));
}

/** Pictures for others: the position now, and the game as an animation, with its plan. @param {App} app */
function picturePart({ store }) {
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
    svg: { words: "The position", asked: { ...still, format: "svg" }, file: `${name}.svg` },
    png: { words: "The position, as PNG", asked: { ...still, format: "png" }, file: `${name}.png` },
  };
  if (moves.length && !hidden) {
    const asked = { board, plan: moves };
    const title = `${counted(moves.length)} (${parts})`;
    forms.animated = { words: `${title}, as a film`, asked: { ...asked, format: "svg" }, file: `${name}-moves.svg` };
    forms.gif = { words: `${title}, as GIF`, asked: { ...asked, format: "gif" }, file: `${name}-moves.gif` };
  }
  const choice = select(wordsOf(forms), () => {}, { "aria-label": "Picture" });
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
  return part("Picture", div("row", choice, button("share", "Download", draw)), status);
}

/** The board as a file for the command line: the start or the position now, and the moves. @param {App} app */
function boardPart({ store }) {
  const { board, position, made } = store.state;
  const name = position?.name ?? "board";
  /** @type {Record<string, { words: string, text: string, file: string }>} */
  const forms = {
    text: { words: "Position as text", text: position?.text ?? "", file: `${name}.txt` },
    position: {
      words: "Position as JSON",
      text: JSON.stringify({ ...position?.position, name }),
      file: `${name}.json`,
    },
    start: { words: "Board as JSON", text: JSON.stringify(board), file: `${name}.json` },
    moves: { words: "Moves as JSON", text: JSON.stringify(movesOf(made)), file: `${name}-moves.json` },
  };
  if (!position?.text) delete forms.text;
  const area = h("textarea", { readonly: true, rows: 6, "aria-label": "Board", spellcheck: "false" });
  const show = () => {
    area.value = forms[choice.value]?.text ?? "";
  };
  const choice = select(wordsOf(forms), show, { "aria-label": "As" });
  show();
  const download = () => {
    const form = forms[choice.value];
    if (form) save(new Blob([form.text + "\n"], { type: "text/plain" }), form.file);
  };
  return part("Board", choice, area, div("row", copyButton(area), button("share", "Download", download)));
}

/** Copies a text, or chooses it. @param {HTMLInputElement | HTMLTextAreaElement} field @param {object} [more] */
function copyButton(field, more) {
  const copy = async () => {
    field.focus();
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      field.classList.add("copied");
      setTimeout(() => field.classList.remove("copied"), 900);
    } catch {
      // It is chosen: Ctrl C does the rest.
    }
  };
  return button(null, "Copy", copy, more);
}

/** @param {string} title @param {...Child} children */
function part(title, ...children) {
  return h("section", {}, h("h3", {}, title), ...children);
}
