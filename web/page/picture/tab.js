/**
 * A board from a screenshot: choose, drop or paste it, look at what was understood, correct what is doubtful, play.
 *
 * The server reads the picture, and reads it again with each correction: what is sure then is for it to say.
 */

import { call, isAborted, wordsFor } from "../core/api.js";
import { button, fill, h, say } from "../core/dom.js";
import { nameOf, Overlay } from "./overlay.js";

/** @typedef {import("../types.d.ts").Reading} Reading */
/** @typedef {import("./overlay.js").Place} Place */

const KINDS = ["image/png", "image/jpeg", "image/webp"];
const MOST_BYTES = 20_000_000;
const TAKE = "-"; // instead of a colour: the top cell isn't there

/** Keys of a reading that are about the picture and not about the board. */
const ABOUT = ["sure", "doubts", "doubtful", "reasons", "picture"];

/** @param {import("../enter/dialog.js").Entering} entering @returns {import("../enter/dialog.js").Tab} */
export function pictureTab({ app, play, complain, show }) {
  /** @type {File | null} */
  let picture = null;
  /** @type {Reading | null} */
  let reading = null;
  /** @type {Map<string, string>} TUBE:CELL, counted from 1, and the colour that a person says it has */
  let corrections = new Map();
  /** @type {Set<string>} those of them that weren't there before */
  let added = new Set();
  /** @type {Place | null} */
  let chosen = null;
  let work = new AbortController();

  const input = h("input", { type: "file", "aria-label": "A screenshot", accept: KINDS.join(",") });
  input.addEventListener("change", () => void take(input.files?.[0]));
  const puzzle = h(
    "select",
    { "aria-label": "Rules", onchange: () => void read() },
    h("option", { value: "" }, "ball or water, as it looks"),
    h("option", { value: "ball-sort" }, "ball sort"),
    h("option", { value: "water-sort" }, "water sort"),
  );
  const overlay = new Overlay((place) => choose(place));
  const said = h("p", { class: "said", role: "status" });
  const question = h("div", { class: "stack" });
  const reveal = h(
    "select",
    {},
    h("option", { value: "run" }, "the run that comes up"),
    h("option", { value: "cell" }, "one cell at a time"),
  );
  const revealing = h("label", { class: "field", hidden: true }, h("span", {}, "Of hidden cells shows"), reveal);
  const next = button("forward", "Next doubtful cell", () => chooseDoubtful());
  const edit = button(null, "Edit as a drawing", () => reading && show("draw", boardOf(reading)));
  const go = button("play", "Play", () => reading && void play(boardOf(reading)), { class: "primary" });
  const actions = h("div", { class: "row end", hidden: true }, next, edit, go);

  /** @param {File | undefined} file */
  const take = async (file) => {
    if (!file) return;
    work.abort();
    complain("");
    if (!KINDS.includes(file.type)) return complain("Expected a picture as PNG, JPEG or WebP.");
    if (file.size > MOST_BYTES) return complain(`Expected a picture of at most ${MOST_BYTES / 1e6} MB.`);
    [picture, reading, chosen, corrections, added] = [file, null, null, new Map(), new Set()];
    draw();
    try {
      await overlay.load(file);
    } catch {
      // A browser may know less than the server, which says what is wrong with the picture if anything is.
    }
    if (picture === file) await read();
  };

  /**
   * Asks the server what the picture shows, with what was said about it so far.
   * @returns {Promise<"read" | "refused" | "dropped">} dropped where something else was asked meanwhile
   */
  const read = async () => {
    if (!picture) return "dropped";
    work.abort();
    work = new AbortController();
    const asked = new URLSearchParams([...corrections].map(([place, colour]) => ["set", `${place}=${colour}`]));
    if (puzzle.value) asked.set("puzzle", puzzle.value);
    if (!reading) say(said, "Reading…");
    try {
      reading = /** @type {Reading} */ (await call(`read?${asked}`, picture, work.signal));
      complain("");
    } catch (error) {
      if (isAborted(error)) return "dropped";
      complain(wordsFor(error));
      if (!reading) say(said, "");
      return "refused";
    }
    draw();
    return "read";
  };

  const draw = () => {
    actions.hidden = !reading;
    fill(question);
    if (!reading) return;
    overlay.show(reading, chosen);
    say(said, told(reading));
    next.hidden = reading.doubtful.length === 0;
    revealing.hidden = !reading.hidden || reading.puzzle !== "water-sort";
    go.classList.toggle("primary", reading.sure);
    say(go.lastElementChild ?? go, reading.sure ? "Play" : "Play as it is");
    if (chosen) ask(reading, chosen);
  };

  /** @param {Place} place */
  const choose = (place) => {
    chosen = place;
    draw();
    question.querySelector("button")?.focus({ preventScroll: true });
    question.scrollIntoView({ block: "nearest" });
  };

  const chooseDoubtful = () => {
    const doubtful = reading?.doubtful ?? [];
    const after = doubtful.find(([tube, cell]) => chosen && (tube > chosen.tube || (tube === chosen.tube && cell > chosen.cell)));
    const [tube, cell] = after ?? doubtful[0] ?? [];
    if (tube === undefined || cell === undefined) return;
    overlay.look({ tube, cell });
    choose({ tube, cell });
  };

  /**
   * Asks which colour a cell has: first what it was taken for, then what else it may be, then all others.
   * @param {Reading} found
   * @param {Place} place
   */
  const ask = (found, place) => {
    const colours = found.tubes[place.tube] ?? [];
    const isThere = place.cell < colours.length;
    const own = isThere ? colours[place.cell] : null;
    const others = found.picture.tubes[place.tube]?.cells[place.cell]?.alternatives.map(([name]) => name) ?? [];
    const names = [...new Set([...(own ? [own] : []), ...others, ...Object.keys(found.picture.colours)])];
    const chips = names.map((name) => {
      const chip = h("button", { type: "button", class: "named", "aria-pressed": String(name === own), onclick: () => correct(place, name) }, h("span", { class: "sample", "aria-hidden": "true" }), name);
      chip.style.setProperty("--fill", found.picture.colours[name] ?? "");
      return chip;
    });
    const other = h("input", { type: "text", "aria-label": "Another colour", placeholder: "another colour", maxlength: 40, autocomplete: "off" });
    other.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && other.value.trim()) void correct(place, other.value.trim());
    });
    const isTop = isThere && place.cell === colours.length - 1;
    const empty = isTop && button("close", "Nothing is there", () => void correct(place, TAKE));
    const title = `${nameOf(place)}: which colour?`;
    fill(question, h("h3", {}, title), h("div", { class: "chips", role: "group", "aria-label": title }, ...chips, empty), other);
  };

  /** @param {Place} place @param {string} colour */
  const correct = async (place, colour) => {
    const key = `${place.tube + 1}:${place.cell + 1}`;
    const before = new Map(corrections);
    if (place.cell >= (reading?.tubes[place.tube]?.length ?? 0)) added.add(key);
    // Said last counts last: what is put on top of another cell comes after it.
    corrections.delete(key);
    if (colour === TAKE && added.has(key)) added.delete(key);
    else corrections.set(key, colour);
    const outcome = await read();
    if (outcome === "refused") corrections = before;
    if (outcome !== "read" || !reading) return;
    app.announce(`${nameOf(place)}: ${colour === TAKE ? "empty" : colour}. ${told(reading)}`);
    if (reading.doubtful.length) chooseDoubtful();
    else {
      chosen = null;
      draw();
      go.focus();
    }
  };

  /** @param {Reading} found @returns {import("../types.d.ts").Board} */
  const boardOf = (found) => ({
    ...Object.fromEntries(Object.entries(found).filter(([key]) => !ABOUT.includes(key))),
    name: (picture?.name ?? "").replace(/\.[a-z]+$/i, "") || "picture",
    ...(!revealing.hidden && { reveal: reveal.value }),
  });

  const element = h(
    "div",
    { class: "stack" },
    h("p", { class: "fine" }, "A screenshot of a ball sort or water sort game. Choose it, drop it anywhere on this page, or paste it."),
    h("div", { class: "row" }, input, puzzle),
    said,
    h("div", { class: "correcting" }, overlay.element, question),
    revealing,
    actions,
  );
  return { element, shown: (given) => void (given instanceof File && take(given)) };
}

/** @param {Reading} reading */
function told(reading) {
  const tubes = reading.tubes.length;
  const what = `${reading.puzzle === "ball-sort" ? "Ball sort" : "Water sort"}, ${tubes} tubes`;
  const covered = reading.locked?.length ?? 0;
  const unseen = covered ? ` What is in ${covered} covered ${covered === 1 ? "tube" : "tubes"} isn't seen: edit it as a drawing.` : "";
  return (reading.sure ? `${what}: sure.` : `${what}. Doubtful: ${reading.reasons.join("; ")}.`) + unseen;
}
