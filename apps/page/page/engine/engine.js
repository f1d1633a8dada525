/**
 * Ball sort and water sort, solved exactly by bsp-sat's compiled search: without Python, in browsers and in Node.
 *
 * Rules are functions of this module. `loadEngine` fetches the search. It works in the thread that calls it, most often
 * for some milliseconds; for hard boards call it in a worker, which can be ended.
 */

/** @typedef {string | number} Colour */
/** @typedef {[from: number, to: number]} Move tubes, counted from 0 */

/**
 * @typedef {object} Board
 * @property {"ball-sort" | "water-sort"} puzzle a move takes one ball, or as much of the top colour as fits
 * @property {number} capacity balls that fit into a tube
 * @property {"full" | "monochrome"} goal tubes end full of one colour, or of one colour alone
 * @property {Colour[][]} tubes each from the bottom
 */

/**
 * @typedef {object} Limits
 * @property {number} [expansions] positions that a search may look at
 * @property {number} [milliseconds] that it may take
 */

/**
 * @typedef {object} Answer
 * @property {"optimal" | "unsolvable" | "unknown"} status proved, both of them; unknown where a limit was reached
 * @property {number | null} length moves of the plan
 * @property {Move[] | null} plan a shortest one where the status is optimal; where it is unknown, the best one
 * @property {number} atLeast moves that every plan has
 * @property {number} expansions positions that were looked at
 */

/**
 * @typedef {object} MoveCost
 * @property {Move} move
 * @property {boolean} lost whether the board can't be solved after it
 * @property {number | null} cost by how many moves it makes the shortest plan longer; null where it is lost
 */

const MOST_COLOURS = 64;
const MOST_CAPACITY = 64;
const MOST_TUBES = 100;
const MOST_NAME = 64; // characters of a colour
const PLAIN_KEYS = ["puzzle", "capacity", "tubes", "goal"];
const ABOUT = ["name", "source", "optimal", "published"]; // keys that change nothing
const TEXT = /^[a-z]+(\|([a-z]+|-))+$/i;

// What the reader of boards takes for room or an unknown ball, or may take where nothing names the rules.
// computed: room-words

const NEVER_COLOURS =
  "- -- --- -1 -1.0 . <na> ? ?? _ __ blank boş emp empty empty() empty_space free hidden kosong leeg leer n/a na " +
  "nan nil none nothing null prázdná prázdný pusta puste tom undefined unknown vacio vacío vazio vide void vuota " +
  "vuoto · üres пусто فارغ □ ▫ ◻ ❓ ❔ ➖ 空 비어있음";
const MAYBE_ROOM =
  "#000 #000000 #00000000 #ffffff00 ' * 0 0.0 00 E N O X air clear e gap hole n no_color nocolor null_color o " +
  "room space transparent x ~ ▢ ○ ◽ ◾ ☐ ⚪ ⚫ ⬛ ⬜ 🔲 🔳";

// end
const NO_COLOURS = new Set(["", ...NEVER_COLOURS.split(" ")]);
const ROOM = new Set([...NO_COLOURS, ...MAYBE_ROOM.split(" ")]);

// -- boards -------------------------------------------------------------------------------------------------

/** A board that isn't one, or that only bsp-sat in Python takes: covered cells, locks and the like. */
export class NotTaken extends Error {}

/** One that isn't a board for bsp-sat in Python either. */
export class NoBoard extends NotTaken {}

/** @param {unknown} condition @param {string} problem @param {typeof NotTaken} [kind] @returns {asserts condition} */
function check(condition, problem, kind = NotTaken) {
  if (!condition) throw new kind(problem);
}

/**
 * Reads a board: an object as in bsp-sat's files, or a text such as `abba|bcca|cabc|-`, with the tubes from the left,
 * each from the bottom, and a letter for each ball.
 * @param {unknown} given @returns {Board} @throws {NotTaken} the message says what was expected
 */
export function readBoard(given) {
  const fields = typeof given === "string" ? fieldsOf(given) : Object(given);
  const { puzzle = "ball-sort", goal = "full", capacity, tubes } = fields;
  check(puzzle === "ball-sort" || puzzle === "water-sort", "puzzle: expected ball-sort or water-sort");
  check(goal === "full" || goal === "monochrome", "goal: expected full or monochrome");
  const other = Object.keys(fields).find(
    (key) => ![...PLAIN_KEYS, ...ABOUT].includes(key) && fields[key] !== undefined,
  );
  check(!other, `${other}: boards with it are for bsp-sat in Python`);
  check(
    Number.isInteger(capacity) && 1 <= capacity && capacity <= MOST_CAPACITY,
    `capacity: expected 1 to ${MOST_CAPACITY}`,
  );
  check(Array.isArray(tubes) && tubes.every(Array.isArray), "tubes: expected lists of colours, each from the bottom");
  check(0 < tubes.length && tubes.length <= MOST_TUBES, `tubes: expected 1 to ${MOST_TUBES}`);
  const isFull = fields.puzzle === undefined && tubes.every((/** @type {unknown[]} */ tube) => tube.length >= capacity);
  check(!isFull, "tubes: no tube has room; add the empty ones");
  /** @type {Map<Colour, number>} */
  const counts = new Map();
  for (const [place, tube] of tubes.entries()) {
    for (const ball of tube) {
      check(isColour(ball), `tubes[${place}]: expected colours, which are texts or whole numbers`);
      counts.set(ball, (counts.get(ball) ?? 0) + 1);
    }
  }
  for (const word of counts.keys())
    check(
      !mayBeRoom(word, tubes, fields.puzzle === undefined ? ROOM : NO_COLOURS),
      `tubes: ${JSON.stringify(word)} may be room; leave free cells out`,
    );
  check(counts.size <= MOST_COLOURS, `tubes: expected at most ${MOST_COLOURS} colours`);
  const kind = fields.puzzle === undefined ? NotTaken : NoBoard; // without rules it asks
  for (const [place, { length }] of tubes.entries()) {
    const most = `expected at most ${capacity} ball${capacity === 1 ? "" : "s"} (the capacity), found ${length}`;
    check(length <= capacity, `tubes[${place}]: ${most}`, kind);
  }
  let needed = 0;
  for (const [colour, count] of counts) {
    const problem = `tubes: ${count} of colour ${nameOf(colour)} cannot fill whole tubes of ${capacity}`;
    const expected = 'expected a multiple of the capacity, or "goal": "monochrome"';
    check(goal !== "full" || count % capacity === 0, `${problem}; ${expected}`, kind);
    needed += Math.ceil(count / capacity);
  }
  const problem = `tubes: the colours need ${needed} tubes to be kept apart, found ${tubes.length}`;
  check(needed <= tubes.length, problem, kind);
  return { puzzle, capacity, goal, tubes };
}

/** @param {Colour} colour */
const nameOf = (colour) => (typeof colour === "string" ? `'${colour}'` : colour);

/** Whether a word can stand for room. @param {Colour} word @param {Colour[][]} tubes @param {Set<string>} words */
function mayBeRoom(word, tubes, words) {
  const isAtEnd = (/** @type {Colour[][]} */ all) =>
    all.every((tube) => !tube.includes(word) || tube.slice(tube.indexOf(word)).every((ball) => ball === word));
  return (
    words.has(String(word).trim().toLowerCase()) && (isAtEnd(tubes) || isAtEnd(tubes.map((tube) => tube.toReversed())))
  );
}

/** Whether a ball has a colour; `?` is an unknown one. @param {unknown} ball */
function isColour(ball) {
  if (typeof ball === "string") return ball !== "?" && [...ball].length <= MOST_NAME && !/\p{Cs}/u.test(ball);
  return Number.isSafeInteger(ball);
}

/** @param {string} text @returns {Record<string, unknown> & { tubes: string[][] }} as in files */
export function fieldsOf(text) {
  check(TEXT.test(text.trim()), "expected tubes such as abba|bcca|cabc|-, with a letter for each ball");
  const tubes = text
    .trim()
    .split("|")
    .map((tube) => (tube === "-" ? [] : [...tube]));
  const capacity = usualCapacity(tubes);
  check(capacity > 1, "a tube holds one ball; is that meant?");
  const isMixed = new Set(tubes.flat()).size > 1;
  check(isMixed || tubes.some((tube) => tube.length % capacity), "all is sorted; is that meant?");
  return { tubes, capacity };
}

/** The least capacity that no tube exceeds and that divides every count. @param {Colour[][]} tubes */
export function usualCapacity(tubes) {
  const longest = Math.max(1, ...tubes.map((tube) => tube.length));
  const counts = new Map();
  for (const ball of tubes.flat()) counts.set(ball, (counts.get(ball) ?? 0) + 1);
  const most = Math.min(...counts.values());
  for (let size = longest; size <= most; size++)
    if ([...counts.values()].every((count) => count % size === 0)) return size;
  return longest;
}

/** What a board's file says besides the position, such as a name. @param {Record<string, unknown>} fields */
export function aboutBoard(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !PLAIN_KEYS.includes(key)));
}

// -- rules --------------------------------------------------------------------------------------------------

/** How many balls a legal move takes. @param {Board} board @param {Move} move */
export function amountOf({ puzzle, capacity, tubes }, [from, to]) {
  if (puzzle === "ball-sort") return 1;
  const source = tubes[from] ?? [];
  const run = source.length - 1 - source.findLastIndex((ball) => ball !== source.at(-1));
  return Math.min(run, capacity - (tubes[to]?.length ?? 0));
}

/** A colour as sentences name it: a bare number could be taken for a number of balls. @param {Colour} colour */
export function colourInWords(colour) {
  return /^\p{Nd}+$/u.test(`${colour}`) ? `colour ${colour}` : `${colour}`;
}

/** Why a move is illegal; empty if it is legal. @param {Board} board @param {Move} move */
export function refusalOf({ capacity, tubes }, [from, to]) {
  for (const tube of [from, to]) if (!tubes[tube]) return `there is no tube ${tube + 1}, the board has ${tubes.length}`;
  if (from === to) return "source and target are the same tube";
  const [source = [], target = []] = [tubes[from], tubes[to]];
  if (!source.length) return `tube ${from + 1} is empty`;
  if (target.length >= capacity) return `tube ${to + 1} is full`;
  const [colour = "", onto = colour] = [source.at(-1), target.at(-1)];
  if (onto !== colour) return `${colourInWords(colour)} cannot go on ${colourInWords(onto)}`;
  return "";
}

/** @param {Board} board @returns {Move[]} by source and then by target */
export function legalMoves(board) {
  const places = [...board.tubes.keys()];
  const moves = places.flatMap((from) => places.map((to) => /** @type {Move} */ ([from, to])));
  return moves.filter((move) => !refusalOf(board, move));
}

/**
 * The board after a move.
 * @param {Board} board @param {Move} move @returns {Board} @throws {RangeError} the move is illegal
 */
export function play(board, move) {
  const refusal = refusalOf(board, move);
  if (refusal) throw new RangeError(refusal);
  const [from, to] = move;
  const [source = [], target = []] = [board.tubes[from], board.tubes[to]];
  const cut = source.length - amountOf(board, move);
  const tubes = board.tubes.with(from, source.slice(0, cut)).with(to, [...target, ...source.slice(cut)]);
  return { ...board, tubes };
}

/** @param {Board} board */
export function isSolved({ capacity, goal, tubes }) {
  return tubes.every(
    (tube) =>
      !tube.length || (tube.every((ball) => ball === tube[0]) && (goal === "monochrome" || tube.length === capacity)),
  );
}

// -- search -------------------------------------------------------------------------------------------------

const MOST_PLAN = 1 << 15; // moves
const MOST_BOARD = 1 << 14; // bytes of a packed board
const HEAD = 4; // bytes before the first of its tubes
const SLICE = 2000; // expansions between two looks at the clock: some milliseconds
const BEAM_FROM = 10_000; // expansions: easy boards are settled before
const BEAM_SHARE = 4; // the exact search gets this many times the beam's expansions, and memory
// What the search has in engine/bspsat.h.
const WATER = 1;
const MONOCHROME = 2;
const BY_HOMES = 4;
const FOUND = 1n;
const EXHAUSTED = 2n;
const PAUSED = 3n;
const NONE = 0n;
const NO_LIMIT = (1 << 20) - 1;

/**
 * Fetches and starts the search.
 * @param {URL | string | BufferSource | WebAssembly.Module} [source] the file `search.wasm`, or where it is
 * @param {number} [megabytes] memory for the positions that a search has seen @returns {Promise<Engine>}
 */
export async function loadEngine(source = new URL("search.wasm", import.meta.url), megabytes = 64) {
  const isPlace = typeof source === "string" || source instanceof URL;
  const code = isPlace ? await bytesAt(new URL(source, import.meta.url)) : source;
  const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code);
  return new Engine(module, megabytes);
}

/** @param {URL} place */
async function bytesAt(place) {
  if (place.protocol === "file:") {
    const files = "node:fs/promises"; // not for browsers, and not for those who bundle for them
    return (await import(files)).readFile(place);
  }
  const response = await fetch(place);
  if (!response.ok) throw new Error(`${place.pathname} can't be loaded: status ${response.status}`);
  return response.arrayBuffer();
}

/** The search, with its memory. Searches come one after the other. */
export class Engine {
  #engine;
  #most;
  // Addresses of what the search is handed.
  #board;
  #numbers;
  #plan;
  #made;

  /** @param {WebAssembly.Module} module @param {number} megabytes */
  constructor(module, megabytes) {
    /** @type {any} */
    const { exports } = new WebAssembly.Instance(module);
    if (!exports.bspsat_search_run) throw new Error("search.wasm isn't bsp-sat's");
    this.#engine = exports;
    this.#most = BigInt(Math.round((megabytes * 1e6) / (BEAM_SHARE + 1)));
    this.#board = exports.malloc(MOST_BOARD);
    this.#numbers = exports.malloc(4 * MOST_TUBES);
    this.#plan = exports.malloc(2 * MOST_PLAN);
    this.#made = exports.malloc(4);
  }

  /**
   * Finds a shortest plan, or proves that there is none.
   * @param {Board} board @param {Limits} [limits] @returns {Answer}
   */
  solve(board, { expansions = 1_000_000, milliseconds = Infinity } = {}) {
    const { memory, ...engine } = this.#engine;
    const end = performance.now() + milliseconds;
    const packed = packedBoard(board);
    this.#bytes(this.#board, packed.length).set(packed);
    const isBoard = engine.bspsat_board_new(this.#board, BigInt(packed.length), 0n, this.#made) === FOUND;
    const made = isBoard ? new Uint32Array(memory.buffer, this.#made, 1)[0] : 0;
    const search = made && engine.bspsat_search_new(made, 1n, 1n, 1n);
    let [ended, spent, rank, plan] = [PAUSED, 0, 0, /** @type {Move[] | null} */ (null)];
    let beam = 0; // gives plans soon, which needn't be shortest ones
    const limit = () => BigInt(plan ? plan.length - 1 : NO_LIMIT);
    const take = (/** @type {bigint} */ length) => {
      if (length >= 0n) plan = movesIn(this.#bytes(this.#plan, 2 * Number(length)));
      if (plan && !isSolved(plan.reduce(play, board))) throw new Error("The search found a plan that solves nothing.");
    };
    if (search) {
      engine.bspsat_board_numbers(made, this.#board + HEAD, BigInt(board.tubes.length), this.#numbers);
      if (engine.bspsat_search_start(search, this.#numbers) !== FOUND) ended = NONE;
      while (ended === PAUSED && spent < expansions && performance.now() < end) {
        const budget = BigInt(Math.min(SLICE, expansions - spent));
        ended = engine.bspsat_search_run(search, limit(), budget, BigInt(BEAM_SHARE) * this.#most);
        const facts = new BigInt64Array(memory.buffer, engine.bspsat_search_facts(search), 4);
        [spent = 0, , , rank = 0] = [...facts].map(Number);
        if (ended !== PAUSED || spent < BEAM_FROM) continue;
        beam ||= engine.bspsat_beam_new(made, this.#numbers);
        const found = beam && engine.bspsat_beam_run(beam, limit(), BigInt(SLICE / BEAM_SHARE), this.#most);
        if (found === FOUND) take(engine.bspsat_beam_plan(beam, this.#plan, BigInt(MOST_PLAN)));
      }
      if (ended === FOUND) take(engine.bspsat_search_plan(search, this.#plan, BigInt(MOST_PLAN)));
    }
    engine.bspsat_beam_free(beam);
    engine.bspsat_search_free(search);
    engine.bspsat_board_free(made);
    const isProved = ended === EXHAUSTED || ended === FOUND;
    const status = !isProved ? "unknown" : plan ? "optimal" : "unsolvable";
    const length = /** @type {Move[] | null} */ (plan)?.length ?? null;
    const atLeast = Math.min(isProved ? Infinity : rank, length ?? Infinity);
    return { status, length, plan, atLeast, expansions: spent };
  }

  /** @param {number} address @param {number} length */
  #bytes(address, length) {
    return new Uint8Array(this.#engine.memory.buffer, address, length); // anew: the memory moves when it grows
  }

  /**
   * Whether a board can't be solved any more.
   * @param {Board} board @param {Limits} [limits] @returns {boolean | null} null where a limit was reached
   */
  isLost(board, limits) {
    const { status } = this.solve(board, limits);
    return status === "unknown" ? null : status === "unsolvable";
  }

  /**
   * The first move of a shortest plan.
   * @param {Board} board @param {Limits} [limits]
   * @returns {Move | null} null where there is none, or a limit was reached
   */
  bestMove(board, limits) {
    const { status, plan } = this.solve(board, limits);
    return status === "optimal" ? (plan?.[0] ?? null) : null;
  }

  /**
   * What each legal move costs.
   * @param {Board} board @param {Limits} [limits] the time is for all of them
   * @returns {MoveCost[] | null} null where a limit was reached
   */
  costs(board, { expansions, milliseconds = Infinity } = {}) {
    const end = performance.now() + milliseconds;
    /** @type {Map<string, Answer>} by the tubes, whose order makes no difference */
    const known = new Map();
    const answerFor = (/** @type {Board} */ after) => {
      const key = JSON.stringify(after.tubes.map((tube) => JSON.stringify(tube)).sort());
      const found = known.get(key) ?? this.solve(after, { expansions, milliseconds: end - performance.now() });
      known.set(key, found);
      return found;
    };
    const here = answerFor(board);
    const costs = [];
    for (const move of legalMoves(board)) {
      const { status, length } = answerFor(play(board, move));
      if (here.status === "unknown" || status === "unknown") return null;
      costs.push({ move, lost: length === null, cost: length === null ? null : length + 1 - (here.length ?? 0) });
    }
    return costs;
  }
}

/** A board as the search reads it: its kind, sizes, the balls of each tube, and all balls. @param {Board} board */
function packedBoard({ puzzle, capacity, goal, tubes }) {
  const balls = tubes.flat();
  const colours = [...new Set(balls)];
  const isWater = puzzle === "water-sort";
  const isPlain = goal === "full" && balls.length === colours.length * capacity;
  const space = isWater ? WATER : isPlain ? BY_HOMES : 0;
  const kind = space | (goal === "monochrome" ? MONOCHROME : 0);
  const loads = tubes.map((tube) => tube.length);
  const cells = balls.map((ball) => colours.indexOf(ball));
  return new Uint8Array([kind, capacity, colours.length, tubes.length, ...loads, ...cells]);
}

/** @param {Uint8Array} bytes @returns {Move[]} */
function movesIn(bytes) {
  return Array.from({ length: bytes.length / 2 }, (_, move) => [bytes[2 * move] ?? 0, bytes[2 * move + 1] ?? 0]);
}
