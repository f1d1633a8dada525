/** Work on levels that takes a while: making one better and better, and reading files. */

import { answer, call, isAborted, Refusal, wordsFor } from "../core/api.js";
import { positionAfter } from "../core/ask.js";
import { counted } from "../core/steps.js";
import { loadPacks } from "../levels/packs.js";
import { CHOICES } from "./choices.js";
import { addLevels, change, MOST_LEVELS } from "./gallery.js";

const ROUNDS = 5; // of looking for a better level
const TRIES = 300; // boards to look at in each
const AT_ONCE = 8; // boards of a file that the server is asked about
const MOST_BYTES = 10_000_000; // of a file
const MOST_CHARACTERS = 150_000; // of a file in one request
const MOST_LISTED = 3; // boards that can't be read

/** @type {AbortSignal | null} what ends the work that was begun last; earlier work says nothing any more */
let latest = null;

/**
 * Does something that takes a while, and says how it goes: `action` resolves to what to say at the end.
 * @param {Store} store @param {AbortSignal} signal @param {(tell: (work: string) => void) => Promise<string>} action
 */
async function during(store, signal, action) {
  latest = signal;
  const tell = (/** @type {Partial<Making>} */ changes) => latest === signal && change(store, changes);
  tell({ work: "One moment…", done: "", problem: "" });
  try {
    const done = await action((work) => tell({ work }));
    tell({ work: "", done });
  } catch (error) {
    tell({ work: "", problem: isAborted(error) ? "" : wordsFor(error) });
  }
}

/** Shows ever better levels. @param {Store} store @param {string} name of the choice @param {AbortSignal} signal */
export function makeLevel(store, name, signal) {
  const choice = /** @type {import("./choices.js").Choice} */ (CHOICES[name]);
  const { puzzle } = store.state.settings;
  return during(store, signal, async (tell) => {
    await showReady(store, name, signal);
    const { colours, measure, better } = choice;
    for (let round = 0; round < ROUNDS; round++) {
      const range = choice.range(store.state.making?.level?.grades?.[measure]?.value ?? undefined);
      if (range === null) break;
      tell(`Looking for one that is ${better}…`);
      const [seed] = crypto.getRandomValues(new Uint32Array(1));
      const asked = { puzzle, colours, ranges: { [measure]: range }, tries: TRIES, seed };
      const found = await oneOf(answer("generate", asked, signal));
      if (!found) return `No level that is ${better} was found.`;
      change(store, { level: { ...(await levelOf(found, "", signal)), id: 0, grades: found.grades } });
    }
    return "";
  });
}

/** The board that was found; null where there is none, or none in time. @param {Promise<{ boards: any[] }>} answer */
async function oneOf(answer) {
  try {
    return (await answer).boards[0] ?? null;
  } catch (error) {
    if (error instanceof Refusal && error.status === 200) return null;
    throw error;
  }
}

/** Shows a level that comes with the page. @param {Store} store @param {string} pack @param {AbortSignal} signal */
export async function showReady(store, pack, signal) {
  const packs = await loadPacks();
  const { puzzle } = store.state.settings;
  const levels = packs.of(puzzle, pack);
  const level = /** @type {Level} */ (levels[Math.floor(Math.random() * levels.length)]);
  /** @type {Grades} */
  const grades = { optimum: { value: level.optimum, how: "exact", percentile: null } };
  change(store, { choice: pack, level: { ...(await levelOf(packs.board(level), "", signal)), id: 0, grades } });
}

/** @param {Board} board @param {string} name @param {AbortSignal} [signal] @returns {Promise<Omit<OwnLevel, "id">>} */
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
    /** @type {Omit<OwnLevel, "id">[]} */
    const levels = [];
    while (levels.length < found.length) {
      const next = found.slice(levels.length, levels.length + AT_ONCE);
      levels.push(
        ...(await Promise.all(next.map(({ board, name }) => levelOf(board, "name" in board ? name : "", signal)))),
      );
      tell(`Reading ${file.name}: ${levels.length} of ${found.length} boards…`);
    }
    const added = addLevels(store, levels).length;
    const known = levels.length - added;
    return (
      `${counted(added, "board")} added from ${file.name}.` +
      `${known ? ` ${known} ${known === 1 ? "was" : "were"} there already.` : ""}` +
      `${(store.state.making?.levels.length ?? 0) < MOST_LEVELS ? "" : ` The last ${MOST_LEVELS} are kept.`}` +
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

/** Adds a board that was drawn. @param {Store} store @param {Board} board @param {string} name */
export async function keepBoard(store, board, name) {
  const [added] = addLevels(store, [await levelOf(board, name)]);
  change(store, { done: added ? `${added.name} added.` : "It was there already.", problem: "" });
}

/** Levels as a file with one board a line, which `bsp-sat solve` reads. @param {OwnLevel[]} levels */
export function asFile(levels) {
  return levels.map((level) => `${JSON.stringify(boardOf(level))}\n`).join("");
}

/** A level as one board, with its name and what is known of it. @param {OwnLevel} level @returns {Board} */
export function boardOf({ name, board, grades }) {
  const optimum = grades && (grades.optimum ? grades.optimum.value : "unsolvable");
  return {
    name,
    ...board,
    ...(optimum !== null && { optimal: { [String(board.puzzle)]: optimum } }),
    ...(grades && { grades }),
  };
}
