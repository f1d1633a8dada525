/** Work on levels that takes a while: making, reading and grading them, one after the other. */

import { answer, call, isAborted, Refusal, wordsFor } from "../core/api.js";
import { positionAfter, solutionOf } from "../core/ask.js";
import { counted, lengthInWords } from "../core/steps.js";
import { addLevels, change, changeLevel } from "./gallery.js";

/** @import { Board, Level } from "../types.d.ts" */
/** @import { Store } from "../core/store.js" */

/**
 * What somebody wants levels to be like.
 * @typedef {object} Wishes
 * @property {string} puzzle
 * @property {number} count
 * @property {number} seed of the first; each further level has the next one
 * @property {Record<string, number>} numbers colours, capacity, and empty tubes
 * @property {Record<string, string>} ranges by measure
 */

const TRIES = [1, 300, 1_500, 6_000]; // boards to look at for one level: first one, so that some is the nearest
const PATIENCE = 5_000; // milliseconds for it, after which the nearest is shown
const SECONDS = 5; // of the search for the moves that it takes
const AT_ONCE = 8; // boards of a file that the server is asked about
const MOST_BYTES = 10_000_000; // of a file
const MOST_CHARACTERS = 150_000; // of a file in one request
const MOST_LISTED = 3; // boards that can't be read

/** @type {AbortSignal | null} what ends the work that was begun last; earlier work says nothing any more */
let latest = null;

/**
 * Does something that takes a while, and says how it goes.
 * @param {Store} store
 * @param {AbortSignal} signal
 * @param {(tell: (work: string) => void) => Promise<string>} action resolves to what to say at the end
 */
async function during(store, signal, action) {
  latest = signal;
  const tell = (/** @type {Partial<import("../types.d.ts").Making>} */ changes) =>
    latest === signal && change(store, changes);
  tell({ work: "One moment…", done: "", problem: "" });
  try {
    const done = await action((work) => tell({ work }));
    tell({ work: "", done });
  } catch (error) {
    tell({ work: "", problem: isAborted(error) ? "" : wordsFor(error) });
  }
}

/** @param {Store} store @param {Wishes} wishes @param {AbortSignal} signal */
export function makeLevels(store, wishes, signal) {
  const { puzzle, count, seed, numbers, ranges } = wishes;
  let made = 0;
  let missing = "";
  let known = 0;
  const sofar = () => {
    const also = [missing, known && `${counted(known, "level")} ${known === 1 ? "was" : "were"} there already.`];
    return [made === count ? `${counted(made, "level")} made.` : `${made} of ${counted(count, "level")} made.`, ...also]
      .filter(Boolean)
      .join(" ");
  };
  return during(store, signal, async (tell) => {
    for (let number = 0; number < count && !missing; number++) {
      tell(`Looking for level ${number + 1} of ${count}…`);
      try {
        const asked = { kind: "levels", puzzle, ...numbers, ranges, seed: seed + number };
        const { board: found, isNear } = await lookFor(asked, signal);
        if (found && !isNear) {
          const { grades, ...board } = found;
          const level = {
            ...(await levelOf({ ...board, source: commandFor(wishes, seed + number) }, "", signal)),
            grades,
          };
          if (addLevels(store, [level])) made++;
          else known++;
          change(store, { preview: store.state.making?.levels.at(-1) ?? null });
        } else {
          const preview = found && { ...(await levelOf(found, "The nearest", signal)), id: 0 };
          change(store, { preview });
          const takes = found && (await solutionOf({ board: found, moves: [], seconds: SECONDS }, signal));
          const near = `The nearest is shown${takes?.length ? `: it takes ${lengthInWords(takes)}` : ""}.`;
          const helps = found ? `${near} Wider ranges help.` : "Smaller boards take less time.";
          missing = `No such level was found. ${helps}`;
        }
      } catch (error) {
        if (isAborted(error)) return `Stopped. ${sofar()}`;
        if (made + known === 0) throw error;
        throw new Error(`${sofar()} ${wordsFor(error)}`);
      }
    }
    return sofar();
  });
}

/**
 * A board as wanted, or the nearest one that was found by the time that a person waits.
 * @param {object} asked @param {AbortSignal} signal @returns {Promise<{ board: any, isNear: boolean }>}
 */
async function lookFor(asked, signal) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  let near = null;
  try {
    for (const tries of TRIES) {
      const { boards, nearest } = await answer("generate", { ...asked, tries }, AbortSignal.any([signal, late.signal]));
      if (boards.length) return { board: boards[0], isNear: false };
      near = nearest;
    }
  } catch (error) {
    if (!late.signal.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return { board: near, isNear: true };
}

/** The command that makes a level again. @param {Wishes} wishes @param {number} seed */
function commandFor({ puzzle, numbers, ranges }, seed) {
  const options = { puzzle, ...numbers, ...ranges, seed };
  return [
    "bsp-sat generate levels",
    ...Object.entries(options).map(([name, value]) => `--${name.replaceAll("_", "-")} ${value}`),
  ].join(" ");
}

/** @param {Board} board @param {string} name @param {AbortSignal} signal @returns {Promise<Omit<Level, "id">>} */
async function levelOf(board, name, signal) {
  const { name: _name, grades: _grades, ...content } = board;
  const { summary, colours } = await positionAfter({ board: content, moves: [] }, signal);
  return { name, board: content, summary, colours: colours.map(({ colour, fill }) => [colour, fill]), grades: null };
}

/** Adds all boards of a file. @param {Store} store @param {File} file @param {AbortSignal} signal */
export function importFile(store, file, signal) {
  return during(store, signal, async (tell) => {
    if (file.size > MOST_BYTES) throw new Error(`Expected a file of at most ${MOST_BYTES / 1e6} MB.`);
    tell(`Reading ${file.name}…`);
    const found = [];
    const refused = [];
    for (const text of partsOf(await file.text())) {
      const read = await call("import", { text }, signal);
      found.push(...read.boards);
      refused.push(...read.refused);
    }
    /** @type {Omit<Level, "id">[]} */
    const levels = [];
    while (levels.length < found.length) {
      const next = found.slice(levels.length, levels.length + AT_ONCE);
      levels.push(
        ...(await Promise.all(next.map(({ board, name }) => levelOf(board, "name" in board ? name : "", signal)))),
      );
      tell(`Reading ${file.name}: ${levels.length} of ${found.length} boards…`);
    }
    const added = addLevels(store, levels);
    const known = levels.length - added;
    return (
      `${counted(added, "board")} added from ${file.name}.` +
      `${known ? ` ${known} ${known === 1 ? "was" : "were"} there already.` : ""}` +
      `${refused.length ? ` ${counted(refused.length, "board")} can't be read: ${listed(refused)}.` : ""}`
    );
  });
}

/** The first of some sentences, and how many more there are. @param {string[]} sentences */
function listed(sentences) {
  const more = sentences.length - MOST_LISTED;
  return sentences.slice(0, MOST_LISTED).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

/**
 * A file with one board a line, in parts that the server takes. Empty lines take the place of earlier ones, so that the
 * server names the right line where it refuses one. Other files stay whole.
 * @param {string} text
 */
function partsOf(text) {
  const lines = text.split("\n");
  if (text.length <= MOST_CHARACTERS || !lines.every((line) => !line.trim() || line.startsWith("{"))) return [text];
  const parts = [];
  let part = "";
  let size = 0;
  for (const [number, line] of lines.entries()) {
    if (size && size + line.length > MOST_CHARACTERS) {
      parts.push(part);
      part = "\n".repeat(number);
      size = 0;
    }
    part += `${line}\n`;
    size += line.length;
  }
  return size ? [...parts, part] : parts;
}

/** Grades levels that aren't graded yet. @param {Store} store @param {Level[]} levels @param {AbortSignal} signal */
export function gradeLevels(store, levels, signal) {
  const ungraded = levels.filter(({ grades }) => !grades);
  let graded = 0;
  let words = "";
  const sofar = () =>
    [`${counted(graded, "level")} graded.`, words && `${ungraded.length - graded} not: ${words}`]
      .filter(Boolean)
      .join(" ");
  return during(store, signal, async (tell) => {
    for (const [number, { id, name, board }] of ungraded.entries()) {
      tell(`Grading ${name}, ${number + 1} of ${ungraded.length}…`);
      try {
        const { grades } = await answer("grade", { board }, signal);
        changeLevel(store, id, { grades });
        graded++;
      } catch (error) {
        if (isAborted(error)) return `Stopped. ${counted(graded, "level")} graded.`;
        if (!(error instanceof Refusal) || error.status === 0) throw error;
        words = error.message;
      }
    }
    return ungraded.length ? sofar() : "All of them are graded already.";
  });
}

/**
 * Adds a board that was drawn.
 * @param {Store} store
 * @param {Board} board
 * @param {string} name
 * @param {AbortSignal} signal
 */
export async function keepBoard(store, board, name, signal) {
  const added = addLevels(store, [await levelOf(board, name, signal)]);
  change(store, {
    done: added ? `${store.state.making?.levels.at(-1)?.name} added.` : "It was there already.",
    problem: "",
  });
}

/** Levels as a file with one board a line, which `bsp-sat solve` reads. @param {Level[]} levels */
export function asFile(levels) {
  return levels.map((level) => `${JSON.stringify(boardOf(level))}\n`).join("");
}

/** A level as one board, with its name and what is known of it. @param {Level} level @returns {Board} */
export function boardOf({ name, board, grades }) {
  const optimum = grades && (grades.optimum ? grades.optimum.value : "unsolvable");
  return {
    name,
    ...board,
    ...(optimum !== null && { optimal: { [String(board.puzzle)]: optimum } }),
    ...(grades && { grades }),
  };
}
