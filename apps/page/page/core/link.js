/** The game in the address, which no server sees: `#1.` and the packed board with its moves, or `#NAME`. */

const MARK = "1.";
const MOST_BYTES = 2_000_000;

/** @param {Board} board @param {Step[]} steps @param {Look | null} look @param {boolean} [hinted] after a hint */
export async function pack(board, steps, look, hinted = false) {
  const short = steps.map((step) => ("move" in step ? step.move : step));
  const more = hinted && short.length ? [look, true] : look ? [look] : [];
  const text = JSON.stringify([board, short, ...more]);
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return MARK + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} text
 * @returns {Promise<{ board: Board, steps: Step[], look: Look | null, hinted: boolean }>} rejected where the text isn't
 *   one that `pack` made
 */
export async function unpack(text) {
  try {
    if (!text.startsWith(MARK)) throw new Error("another form");
    const binary = atob(text.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const [board, steps, look, hinted] = JSON.parse(await inflated(bytes));
    const { puzzle = "ball-sort", tubes = [] } = board;
    const areTubes = areListsOf(tubes, (cell) => cell === null || isWord(cell));
    const isBoard = typeof puzzle === "string" && areTubes && ("puzzle" in board || tubes.length > 0);
    if (!isBoard || !Array.isArray(steps) || !steps.every(isStep)) throw new Error("no game"); // without waking Python
    return { board, steps: steps.map(stepOf), look: lookOf(look), hinted: hinted === true };
  } catch (cause) {
    throw new Error("it is damaged, or a part is missing", { cause });
  }
}

/** What of a look can be used: links may come from anybody. @param {any} look @returns {Look | null} */
export function lookOf(look) {
  if (typeof look !== "object" || look === null) return null;
  const rows =
    Array.isArray(look.rows) &&
    look.rows.every((/** @type {unknown} */ row) => Number.isInteger(row) && Number(row) > 0)
      ? look.rows
      : [];
  const colours = Object.entries(look.colours ?? {}).filter(([, fill]) => /^#[0-9a-f]{6}$/.test(String(fill)));
  return { rows, colours: Object.fromEntries(colours), ...(look.doubted === true && { doubted: true }) };
}

/** A short text may stand for a very long one, so that it is read in pieces. @param {Uint8Array<ArrayBuffer>} bytes */
async function inflated(bytes) {
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = plain.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MOST_BYTES) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
}

/** Whether a value is a name or a number, as colours and parts of moves are. @param {unknown} value */
const isWord = (value) => typeof value === "string" || Number.isInteger(value);

/** @param {any} lists @param {(each: unknown) => boolean} isSuch */
function areListsOf(lists, isSuch) {
  return Array.isArray(lists) && lists.every((list) => Array.isArray(list) && list.every(isSuch));
}

/** @param {any} step */
function isStep(step) {
  return (
    Number.isInteger(step) || areListsOf([step], isWord) || ["saw", "noticed", "restart"].some((key) => step?.[key])
  );
}

/** @param {any} step @returns {Step} */
function stepOf(step) {
  return typeof step === "object" && step !== null && !Array.isArray(step) ? step : { move: step };
}

/** Whether a fragment, without its `#`, is a packed game, perhaps of another form. @param {string} fragment */
export function isPacked(fragment) {
  return /^\d+\./.test(fragment);
}
