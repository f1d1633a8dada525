/** A board as text or JSON: typed, pasted, or from a file. */

import { button, div, h } from "../core/dom.js";
import { select } from "../core/parts.js";
import { chooseFile } from "../core/files.js";

const EXAMPLE = `# one tube a line, from bottom to top; - is an empty one, ? is covered
caac
bbac
bbac
-`;
const MOST_BYTES = 300_000;

/** @param {import("./dialog.js").Entering} entering @param {HTMLElement} draw the way to draw a board instead */
export function textForm({ app, play, complain }, draw) {
  const area = h("textarea", {
    rows: 6,
    "aria-label": "Board as text or JSON",
    placeholder: EXAMPLE,
    spellcheck: "false",
    autocapitalize: "off",
  });
  const rules = { "": "rules as written", "ball-sort": "ball sort", "water-sort": "water sort", tiles: "tiles" };
  const puzzle = select(rules, () => {}, { "aria-label": "Rules" });
  const file = button("board", "Choose a file", () =>
    chooseFile(".json,.jsonl,.txt,.csv,.tsv,text/plain,text/csv,application/json", (given) => void read(given)),
  );
  const read = async (/** @type {File} */ given) => {
    if (given.size > MOST_BYTES) return complain(`Expected a board of at most ${MOST_BYTES / 1000} kB.`);
    area.value = await given.text();
    complain("");
  };
  const go = async () => {
    const found = boardOf(area.value);
    if (typeof found === "string") return complain(found);
    await play(found.board, puzzle.value);
    if (found.more)
      app.notice(`The first of ${found.more + 1} boards was opened. “Make levels” opens all boards of a file.`);
  };
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void go();
  });
  const element = div(
    "stack",
    area,
    div("row", puzzle, file),
    div("row", draw, button("play", "Play", go, { class: "primary done" })),
  );
  return { element, read };
}

/** The first board of a text, in JSON or not, and how many follow; or a complaint. @param {string} text */
function boardOf(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  if (!lines.length) return "Expected a board: there is no text.";
  for (const [at, json] of [text, lines[0] ?? ""].entries()) {
    try {
      if (json.trim().startsWith("{")) return { board: JSON.parse(json), more: at && lines.length - 1 };
    } catch {
      // the server says what is wrong with it
    }
  }
  return { board: text, more: 0 };
}
