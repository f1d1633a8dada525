/**
 * A board drawn by clicks: choose a colour, then a cell. The palette says how many of each colour are left. A moment
 * after each change the server says what is proved of the board.
 */

import { isAborted, wordsFor } from "../core/api.js";
import { positionAfter, solving } from "../core/ask.js";
import { button, fill, h, say, settled } from "../core/dom.js";
import { looksOf } from "../board/paints.js";
import { paint } from "../board/palette.js";
import { swatch } from "../core/parts.js";
import { Roving } from "../board/roving.js";
import { counted } from "../core/steps.js";
import { isTubes } from "../board/tubes.js";
import { keepBoard } from "../make/work.js";
import { Draft, NO_NAME } from "./draft.js";
import { boardRules, tubeRules } from "./rules.js";

/** @typedef {import("../types.d.ts").Colour} Colour */

/** What a click on a cell does: put a colour or an unknown ball there, cover it or show it, take it away. */
const UNKNOWN = "unknown";
const COVER = "cover";
const TAKE = "take";
/** @typedef {{ colour: Colour } | typeof UNKNOWN | typeof COVER | typeof TAKE} Tool */

const PATIENCE = 250; // milliseconds without a click, after which the server is asked what it thinks
const SECONDS = 5; // of the search for a plan
const MOST_UNDONE = 500; // changes

/** @param {import("../types.d.ts").SolveAnswer} found */
function solvedInWords({ status, length, lower_bound: low }) {
  if (status === "unsolvable") return "it has no solution, proved.";
  if (status === "optimal") return length ? `solved in ${counted(length)} at best, proved.` : "it is solved already.";
  return boundsInWords(low, length) || "nothing is proved yet.";
}

/** What is proved while the search goes on. @param {number | null} low @param {number | null} high */
function boundsInWords(low, high) {
  return (
    [low && `at least ${counted(low)}`, high !== null && `${high} are enough`].filter(Boolean).join(", ") +
    (low || high !== null ? "." : "")
  );
}

/** @param {import("./dialog.js").Entering} entering @returns {import("./dialog.js").Tab} */
export function drawTab({ app, play }) {
  let draft = new Draft();
  /** @type {Tool} */
  let tool = { colour: draft.palette[0] ?? "red" };
  let tubeOpen = -1;
  let work = new AbortController();
  /** Drawings as JSON: those before and after the current one, which can be undone and redone. */
  const past = /** @type {string[]} */ ([]);
  const future = /** @type {string[]} */ ([]);
  let current = JSON.stringify(draft);
  /** @type {Map<Colour, import("../types.d.ts").NamedColour>} */
  let looks = new Map();

  const palette = h("div", { class: "swatches with-notes", role: "group", "aria-label": "What a click puts" });
  const tubes = h("div", { class: "drawn", role: "group", "aria-label": "Cells" });
  const roving = new Roving(tubes, ".cell-slot");
  const rules = h("div", { class: "rules" });
  const verdict = h("p", { class: "fine", role: "status" });
  const name = h("input", { type: "text", maxlength: 30 });
  name.addEventListener("change", () => {
    if (typeof tool === "object" && draft.rename(tool.colour, name.value.trim())) tool = { colour: name.value.trim() };
    draw();
  });
  const go = button("play", "Play", () => void play(draft.toBoard()), { class: "primary" });

  const keep = button("make", "Keep level", async () => {
    try {
      const { name, ...board } = draft.toBoard();
      await keepBoard(app.store, board, name === NO_NAME ? "" : String(name ?? ""), new AbortController().signal);
      (await app.enterDialog()).element.close();
      app.go("make");
    } catch (error) {
      say(verdict, wordsFor(error));
    }
  });
  const undo = button("undo", "Undo", () => step(past, future), { bare: true });
  const redo = button("redo", "Redo", () => step(future, past), { bare: true });

  const judge = settled(async () => {
    const { signal } = (work = new AbortController());
    const board = draft.toBoard();
    try {
      const found = await positionAfter({ board, moves: [] }, signal);
      go.disabled = keep.disabled = false;
      if (found.hidden) return say(verdict, `${found.summary}.`);
      for await (const { event, data } of solving({ board, moves: [], seconds: SECONDS }, signal)) {
        if (event === "answer") say(verdict, `${found.summary}: ${solvedInWords(data)}`);
        else if (event === "progress")
          say(verdict, `${found.summary}: ${boundsInWords(data.lower, data.upper) || "searching…"}`);
      }
    } catch (error) {
      if (!isAborted(error)) say(verdict, wordsFor(error));
    }
  }, PATIENCE);

  /** Ends what was asked about the drawing before, and asks about this one. */
  const judgeAnew = () => {
    work.abort();
    const isEmpty = draft.tubes.every(({ cells }) => cells.length === 0);
    go.disabled = keep.disabled = true; // until the server takes the board
    say(verdict, isEmpty ? "The board is empty." : "Can it be solved?");
    if (isEmpty) judge.cancel();
    else judge();
  };

  /** Notes a change, so that it can be undone. */
  const note = () => {
    const now = JSON.stringify(draft);
    if (now !== current) {
      past.push(current);
      past.splice(0, past.length - MOST_UNDONE);
      future.length = 0;
      current = now;
      judgeAnew();
    }
    undo.disabled = past.length === 0;
    redo.disabled = future.length === 0;
  };

  /** @param {string[]} from @param {string[]} to */
  const step = (from, to) => {
    const next = from.pop();
    if (next === undefined) return;
    to.push(current);
    current = next;
    draft = Object.assign(new Draft(), JSON.parse(next));
    if (typeof tool === "object" && !draft.palette.includes(tool.colour))
      tool = { colour: draft.palette[0] ?? draft.addColour() };
    draw();
    judgeAnew();
  };

  const draw = () => {
    looks = looksOf(draft.palette);
    drawPalette();
    drawTubes();
    fill(
      rules,
      tubeOpen >= 0 && draft.tubes[tubeOpen] ? tubeRules(draft, tubeOpen, draw, closeTube) : boardRules(draft, draw),
    );
    note();
  };
  const closeTube = (remove = false) => {
    if (remove) draft.tubes.splice(tubeOpen, 1);
    tubeOpen = -1;
    draw();
  };

  const drawPalette = () => {
    const common = draft.goal === "full" && draft.tubes.every((tube) => tube.capacity === draft.capacity);
    const chip = (
      /** @type {Tool} */ kind,
      /** @type {string} */ label,
      /** @type {string} */ sign,
      /** @type {string} */ note = "",
      /** @type {string} */ colour = "",
    ) => {
      const name = `${label}${note && `, ${note}`}`;
      const more = { "aria-pressed": String(JSON.stringify(kind) === JSON.stringify(tool)), title: label };
      const small = note && h("small", { "aria-hidden": "true" }, note.split(" ")[0]);
      return swatch(name, colour, () => choose(kind), more, sign, small);
    };
    const choose = (/** @type {Tool} */ kind) => {
      tool = kind;
      name.disabled = typeof kind !== "object";
      name.value = typeof kind === "object" ? String(kind.colour) : "";
      draw();
    };
    const chips = draft.palette.map((colour) => {
      const left = draft.left(colour);
      const note = common ? (left ? `${left} left` : "✓") : `${draft.count(colour)} there`;
      const look = looks.get(colour);
      return chip({ colour }, String(colour), look?.symbol ?? "", note, look?.fill);
    });
    const others = [
      chip(UNKNOWN, "A hidden ball", "?"),
      chip(COVER, "Cover or show", "▦"),
      chip(TAKE, "Take away", "⌫"),
    ];
    const more = button("board", "One more colour", () => choose({ colour: draft.addColour() }), { bare: true });
    if (typeof tool === "object") name.value = String(tool.colour);
    fill(palette, ...chips, more, ...others);
  };

  const drawTubes = () => {
    const columns = draft.tubes.map((tube, place) => {
      const slots = Array.from({ length: tube.capacity }, (_, level) => {
        const cell = tube.cells[level];
        const inside = cell
          ? cell.colour === null
            ? "hidden"
            : `${cell.covered ? "covered " : ""}${cell.colour}`
          : "empty";
        const sign = cell ? (cell.colour === null ? "?" : (looks.get(cell.colour)?.symbol ?? "")) : "";
        const slot = h(
          "button",
          {
            type: "button",
            class: "cell-slot",
            "data-filled": Boolean(cell),
            "data-covered": Boolean(cell?.covered || cell?.colour === null),
            "aria-label": `Tube ${place + 1}, cell ${level + 1} from the bottom: ${inside}`,
            onclick: () => put(place, level),
          },
          sign,
        );
        const look = cell && cell.colour !== null ? looks.get(cell.colour) : undefined;
        if (cell?.covered && look) slot.style.setProperty("border-color", look.fill);
        else paint(slot, look);
        return slot;
      }).reverse();
      const special =
        tube.lock || !tube.takes || !tube.gives || tube.accepts.length || tube.capacity !== draft.capacity;
      const open = h(
        "button",
        {
          type: "button",
          class: "open",
          "aria-expanded": String(tubeOpen === place),
          "aria-label": `Rules of tube ${place + 1}`,
          onclick: () => {
            tubeOpen = tubeOpen === place ? -1 : place;
            draw();
          },
        },
        special ? `${place + 1} ∗` : place + 1,
      );
      return h("div", { class: "entry-tube", role: "group", "aria-label": `Tube ${place + 1}` }, ...slots, open);
    });
    const focused = roving.items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const more = button(
      "board",
      "One more tube",
      () => {
        draft.addTube();
        draw();
      },
      { bare: true },
    );
    fill(tubes, ...columns, more);
    roving.refresh();
    if (focused >= 0) roving.focus();
  };

  const put = (/** @type {number} */ place, /** @type {number} */ level) => {
    const cells = draft.tubes[place]?.cells;
    if (!cells) return;
    const there = cells[level];
    if (tool === TAKE) cells.splice(Math.min(level, cells.length - 1), 1);
    else if (tool === COVER) {
      if (there && there.colour !== null) there.covered = !there.covered;
    } else {
      const cell = tool === UNKNOWN ? { colour: null, covered: true } : { colour: tool.colour, covered: false };
      if (there) cells[level] = cell;
      else cells.push(cell);
    }
    draw();
  };

  const element = h(
    "div",
    { class: "stack" },
    h(
      "div",
      { class: "row" },
      button(null, "Empty", () => begin(new Draft())),
      button(null, "The board in play", () => begin(inPlay())),
      h("label", { class: "named" }, h("span", {}, "Colour"), name),
    ),
    palette,
    tubes,
    rules,
    h("div", { class: "row end" }, verdict, undo, redo, keep, go),
  );
  element.addEventListener("keydown", (event) => {
    const isText = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
    const letter = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || isText || !["z", "y"].includes(letter)) return;
    event.preventDefault();
    (letter === "y" || event.shiftKey ? redo : undo).click();
  });
  const inPlay = () => {
    const { board, position } = app.store.state;
    return board && position && isTubes(position) ? Draft.of({ ...board, ...position.board }) : new Draft();
  };
  const begin = (/** @type {Draft} */ other) => {
    draft = other;
    tool = { colour: draft.palette[0] ?? draft.addColour() };
    tubeOpen = -1;
    draw();
  };
  draw();
  judgeAnew();
  return {
    element,
    shown: (board) => {
      if (board) begin(Draft.of(board));
    },
  };
}
