/** The board that was found in a picture, and corrections of it. Each makes a new board. */

/** @param {Reading} reading @returns {FoundBoard} */
export function foundIn(reading) {
  const doubtful = new Set(reading.doubtful.map(String));
  const rowOf = reading.picture.rows.flatMap((count, row) => Array.from({ length: count }, () => row));
  const tubes = reading.picture.tubes.map((seen, tube) => {
    const locked = reading.locked?.find((each) => each.tube === tube);
    return {
      box: seen.box,
      row: rowOf[tube] ?? 0,
      capacity: reading.capacities?.[tube] ?? reading.capacity,
      cells: seen.cells.map(({ box, alternatives }, cell) => ({
        box,
        colour: reading.tubes[tube]?.[cell] ?? null,
        doubtful: doubtful.has(`${tube},${cell}`),
        alternatives: alternatives.map(([name]) => name),
      })),
      ...(locked && { locked: { until: locked.until } }),
    };
  });
  return {
    puzzle: reading.puzzle,
    capacity: reading.capacity,
    reveal: "run",
    tubes,
    colours: reading.picture.colours,
    doubts: reading.doubts,
    unexplained: reading.picture.unexplained,
    confirmed: false,
  };
}

// -- corrections ----------------------------------------------------------------------------------------

/** @param {FoundBoard} board @param {number} tube @param {(tube: FoundTube) => FoundTube} how @returns {FoundBoard} */
function withTube(board, tube, how) {
  return { ...board, doubts: [], tubes: board.tubes.map((each, index) => (index === tube ? how(each) : each)) };
}

/**
 * A cell with another colour, or a new cell on top. What a person has said isn't doubtful any more.
 * @param {FoundBoard} board @param {Place} place @param {string | null} colour null for a covered cell
 */
export function withColour(board, { tube, cell }, colour) {
  return withTube(board, tube, (each) => {
    const cells = [...each.cells];
    const there = cells[cell];
    cells[there ? cell : cells.length] = {
      box: there?.box ?? boxAbove(each),
      alternatives: there?.alternatives ?? [],
      colour,
      doubtful: false,
    };
    return { ...each, cells };
  });
}

/** @param {FoundBoard} board @param {number} tube */
export function withoutTop(board, tube) {
  return withTube(board, tube, (each) => ({ ...each, cells: each.cells.slice(0, -1) }));
}

/** @param {FoundBoard} board @param {number} tube @returns {FoundBoard} */
export function withoutTube(board, tube) {
  return { ...board, doubts: [], tubes: board.tubes.filter((_, index) => index !== tube) };
}

/** A board with an empty tube after another one. @param {FoundBoard} board @param {number} tube */
export function withTubeAfter(board, tube) {
  const before = board.tubes[tube];
  if (!before) return board;
  const row = board.tubes.filter((each) => each.row === before.row);
  const [first, second] = row;
  const step = first && second ? second.box[0] - first.box[0] : (before.box[2] - before.box[0]) * 1.3;
  const [left, top, right, bottom] = before.box;
  const added = {
    box: /** @type {Box} */ ([left + step, top, right + step, bottom]),
    row: before.row,
    capacity: before.capacity,
    cells: [],
  };
  return { ...board, doubts: [], tubes: [...board.tubes.slice(0, tube + 1), added, ...board.tubes.slice(tube + 1)] };
}

/** @param {FoundBoard} board @param {string} name @param {string} fill `#rrggbb` @returns {FoundBoard} */
export function withNewColour(board, name, fill) {
  return { ...board, colours: { ...board.colours, [name]: fill } };
}

// -- what is known --------------------------------------------------------------------------------------

/** Where the next cell of a tube would be. @param {FoundTube} tube @returns {Box} */
export function boxAbove({ box, cells, capacity }) {
  const top = cells.at(-1)?.box;
  const [left, upper, right, lower] = top ?? box;
  const height = top ? lower - upper : (lower - upper) / capacity;
  return top ? [left, upper - height, right, upper] : [left, lower - height, right, lower];
}

/** Colours that are on the board. @param {FoundBoard} board */
export function coloursOn({ tubes }) {
  return [...new Set(tubes.flatMap(({ cells }) => cells.flatMap(({ colour }) => colour ?? [])))];
}

/** @param {FoundBoard} board */
export function hasCovered({ tubes }) {
  return tubes.some(({ cells, locked }) => locked || cells.some(({ colour }) => colour === null));
}

/** The first doubtful cell after a place. @param {FoundBoard} board @param {Place | null} [after] */
export function doubtfulCell({ tubes }, after = null) {
  const all = tubes.flatMap(({ cells }, tube) =>
    cells.flatMap(({ doubtful }, cell) => (doubtful ? [{ tube, cell }] : [])),
  );
  const next = all.find(({ tube, cell }) => after && (tube > after.tube || (tube === after.tube && cell > after.cell)));
  return next ?? all[0] ?? null;
}

/** What is wrong with the numbers of cells, in words; empty if nothing is. @param {FoundBoard} board */
export function wrongCounts(board) {
  const sizes = new Set(board.tubes.map(({ capacity }) => capacity));
  if (sizes.size > 1) return ""; // the server judges these
  const cells = board.tubes.flatMap((tube) => tube.cells);
  const covered = hasCovered(board);
  const odd = coloursOn(board).flatMap((colour) => {
    const count = cells.filter((cell) => cell.colour === colour).length;
    const isRight = covered ? count <= board.capacity : count % board.capacity === 0;
    return isRight ? [] : [`${count} ${colour}`];
  });
  return odd.length
    ? `Found ${odd.join(", ")}; ${covered ? "at most" : "each colour should have"} ` +
        `${board.capacity}${covered ? " of each colour are possible" : ""}. Tap a wrong cell.`
    : "";
}

/** Whether nothing is left to be asked, as far as the page sees. @param {FoundBoard} board */
export function isSure(board) {
  return (!board.doubts.length || board.confirmed) && !doubtfulCell(board) && !wrongCounts(board);
}

/** @param {FoundBoard} board @returns {Board} */
export function boardOf(board) {
  const contents = board.tubes.map(({ cells, capacity, locked }) =>
    locked ? Array.from({ length: capacity }, () => null) : cells.map(({ colour }) => colour),
  );
  const capacities = board.tubes.map(({ capacity }) => capacity);
  const locked = board.tubes.flatMap((tube, index) => (tube.locked ? [{ tube: index, until: tube.locked.until }] : []));
  const covered = hasCovered(board);
  return {
    name: "Screenshot",
    puzzle: board.puzzle,
    capacity: Math.max(...capacities),
    tubes: contents,
    ...(new Set(capacities).size > 1 && { capacities }),
    ...(covered && { hidden: contents.map((tube) => tube.map((colour) => colour === null)) }),
    ...(covered && board.puzzle === "water-sort" && { reveal: board.reveal }),
    ...(locked.length && { locked }),
  };
}

/** @param {FoundBoard} board @returns {Look} */
export function lookOf(board) {
  const { tubes, colours } = board;
  const rows = [...new Set(tubes.map(({ row }) => row))].map((row) => tubes.filter((tube) => tube.row === row).length);
  return { rows, colours, ...(!isSure(board) && { doubted: true }) };
}

/** The part with the board, and with what it doesn't explain, and a margin. @param {FoundBoard} board @returns {Box} */
export function cropOf({ tubes, unexplained }) {
  const ofTubes = tubes.flatMap((tube) => [
    tube.box,
    ...tube.cells.map(({ box }) => box),
    ...(tube.cells.length < tube.capacity ? [boxAbove(tube)] : []),
  ]);
  const boxes = [...ofTubes, ...unexplained];
  const edge = 0.25 * Math.min(...tubes.map(({ box }) => box[2] - box[0]));
  const least = (/** @type {0 | 1} */ at) => Math.min(...boxes.map((box) => box[at])) - edge;
  const most = (/** @type {2 | 3} */ at) => Math.max(...boxes.map((box) => box[at])) + edge;
  return [least(0), least(1), most(2), most(3)];
}
