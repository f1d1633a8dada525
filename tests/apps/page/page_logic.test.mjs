/** What the page computes without a browser. tests/apps/page/test_page_files.py runs it: `node --test` does it alone. */

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.Worker = class {}; // of the engine, which nothing here asks

const PAGE = new URL("../../../apps/page/page/", import.meta.url);
const load = (name) => import(new URL(name, PAGE));

const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, text) => kept.set(key, String(text)),
};
const { KEYS, read, write } = await load("core/kept.js");

function keep(texts) {
  kept.clear();
  for (const [key, text] of Object.entries(texts)) kept.set(key, typeof text === "string" ? text : JSON.stringify(text));
}

const SMALL = { name: "small", puzzle: "ball-sort", capacity: 2, tubes: [["a", "b"], ["b", "a"], []] };
const LEVEL = { id: 1, name: "One", board: SMALL, summary: "", colours: [["a", "#b80007"]], grades: null };
const GAME = { board: SMALL, made: [{ move: [0, 2] }], look: null, screen: "play", solved: false };
const CHOSEN = { puzzle: "water-sort", difficulty: "medium", letters: true };

test("damaged entries of what is kept are dropped one by one", () => {
  const boards = [null, { ...SMALL, tubes: "x" }, { ...SMALL, tubes: [null] }, { puzzle: "shot" }];
  const levels = boards.map((board) => ({ ...LEVEL, board }));
  levels.push(null, 7, { ...LEVEL, colours: [null] }, { ...LEVEL, name: null }, { ...LEVEL, id: "1" }, LEVEL);
  const games = boards.map((board) => ({ ...GAME, board }));
  games.push(null, "x", { ...GAME, made: [null] }, { ...GAME, made: "x" }, { ...GAME, screen: "nowhere" }, GAME);
  keep({ [KEYS.levels]: levels, [KEYS.games]: games });
  assert.deepEqual(read("levels"), [LEVEL]);
  assert.deepEqual(read("games"), [GAME]);
});

test("grades that are damaged cost a level its grades alone", () => {
  const figure = { how: "exact", percentile: null };
  const damaged = [7, { optimum: null }, { optimum: { ...figure, value: "x" } }];
  damaged.push({ optimum: { ...figure, value: null, interval: ["x", 1] } });
  keep({ [KEYS.levels]: damaged.map((grades) => ({ ...LEVEL, grades })) });
  assert.deepEqual(read("levels"), damaged.map(() => LEVEL));
  const grades = { optimum: { ...figure, value: null, interval: [1, null] } };
  keep({ [KEYS.levels]: [{ ...LEVEL, grades }] });
  assert.deepEqual(read("levels"), [{ ...LEVEL, grades }]);
});

test("results and settings are read part by part", () => {
  const best = { "ball-sort easy 1": 13, "ball-sort easy 3": null };
  keep({
    [KEYS.results]: { best: { ...best, "ball-sort easy 2": "x" }, days: [20_000, "x", null] },
    [KEYS.settings]: { ...CHOSEN, difficulty: "absurd", sounds: "x", other: 1 },
  });
  assert.deepEqual(read("results"), { best, days: [20_000] });
  assert.deepEqual(read("settings"), { puzzle: "water-sort", letters: true });
});

test("whatever text is kept, what is read can be used", () => {
  const nothing = { games: [], keys: "on", levels: [], results: { best: {}, days: [] }, settings: {}, theme: "" };
  for (const text of ["", "{", "null", "7", '"x"', "[null]", '{"best": 7, "days": "x", "puzzle": 7}']) {
    keep(Object.fromEntries(Object.values(KEYS).map((key) => [key, text])));
    assert.deepEqual(Object.fromEntries(Object.keys(KEYS).map((name) => [name, read(name)])), nothing, text);
  }
});

test("what an earlier version kept under one key is read, and stays", () => {
  for (const [earlier, levels, settings] of [
    [[LEVEL], [LEVEL], {}],
    [CHOSEN, [], CHOSEN],
    [{ 0: LEVEL, ...CHOSEN }, [LEVEL], CHOSEN],
  ]) {
    keep({ "bsp-sat levels": earlier });
    assert.deepEqual([read("levels"), read("settings")], [levels, settings]);
    write("levels", []);
    assert.deepEqual([read("levels"), JSON.parse(kept.get("bsp-sat levels"))], [[], earlier]);
  }
});

test("the list of games is bounded, and the last one comes first", async () => {
  const { keepGame } = await load("core/games.js");
  kept.clear();
  for (let number = 0; number < 50; number++) {
    keepGame({ ...GAME, board: { ...SMALL, name: `board ${number}` }, position: null });
  }
  const names = read("games").map(({ board }) => board.name);
  assert.deepEqual([names.length, names[0], names.at(-1)], [20, "board 49", "board 30"]);
});

test("costs of moves are said in words", async () => {
  const { costInWords } = await load("board/tubes.js");
  const { costsInWords } = await load("panels/hint.js");
  const [free, between, atLeast, perhapsLost, lost] = [
    { lost: false, cost: [0, 0] },
    { lost: false, cost: [1, 3] },
    { lost: false, cost: [1, null] },
    { lost: null, cost: [1, null] },
    { lost: true, cost: null },
  ];
  const one = ["+0", "+1–3", "+1 or more", "+1 or lost", "lost"];
  assert.deepEqual([free, between, atLeast, perhapsLost, lost].map(costInWords), one);
  assert.equal(costsInWords([free, free]), "2 cost nothing");
  assert.equal(costsInWords([between]), "1 costs 1 to 3");
  assert.equal(costsInWords([atLeast, atLeast]), "2 cost 1 or more");
  assert.equal(costsInWords([perhapsLost]), "1 costs 1 or more, or the game");
  assert.equal(costsInWords([lost, lost, lost]), "3 lose");
});

test("a link holds the board, the moves and the look, and refuses what it can't hold", async () => {
  const { isPacked, lookOf, pack, unpack } = await load("core/link.js");
  const steps = [{ move: [0, 2] }, { saw: { 1: ["a"] } }];
  const look = { rows: [2, 1], colours: { a: "#b80007" } };
  const link = await pack(SMALL, steps, look);
  assert.ok(isPacked(link) && /^1\.[\w-]+$/.test(link));
  assert.deepEqual(await unpack(link), { board: SMALL, steps, look, hinted: false });
  assert.deepEqual(await unpack(await pack(SMALL, steps, null, true)), { board: SMALL, steps, look: null, hinted: true });
  assert.deepEqual(await unpack(await pack(SMALL, [], null, true)), { board: SMALL, steps: [], look: null, hinted: false });
  const boards = [null, 7, {}, [SMALL], { tubes: 5 }, { puzzle: 7, tubes: [["a"]] }];
  boards.push(...["ab", ["ab"], [["a", {}]], [[0.5]]].map((tubes) => ({ puzzle: "ball-sort", tubes })));
  const games = [...boards.map((board) => [board, []]), ...[null, "x", [{}], {}].map((step) => [SMALL, [{ move: step }]])];
  for (const [board, moves] of games)
    await assert.rejects(unpack(await pack(board, moves, null)), /damaged, or a part is missing/, JSON.stringify(board));
  for (const text of ["9.", link.replace("1.", "9."), "1.", link.slice(0, -3)]) {
    assert.ok(isPacked(text));
    await assert.rejects(unpack(text), /damaged, or a part is missing/);
  }
  await assert.rejects(unpack(await pack({ ...SMALL, name: "x".repeat(2_000_001) }, [], null)), ({ cause }) => /too long/.test(cause));
  assert.deepEqual(lookOf({ rows: [0], colours: { a: "red", b: "#00ff00" } }), { rows: [], colours: { b: "#00ff00" } });
});

test("a drawn board keeps locks that count tubes of a colour, and tubes that take any ball", async () => {
  const { boardOf, entryOf, withName } = await load("enter/entry.js");
  const board = { ...SMALL, locked: [{ tube: 2, until: { colour: "a", tubes: 1 } }], any_in: [1] };
  const { any_in, locked } = boardOf(withName(entryOf(board, [{ colour: "a", fill: "#b80007" }]), "a", "red"));
  assert.deepEqual([any_in, locked], [[1], [{ tube: 2, until: { colour: "red", tubes: 1 } }]]);
});

test("an entry of another form is dropped", async () => {
  const { entryOf, isEntry, newEntry } = await load("enter/entry.js");
  const entry = { ...entryOf({ ...SMALL, locked: [{ tube: 2, until: 1 }] }, [{ colour: "a", fill: "#b80007" }]) };
  assert.ok([newEntry(), entry, { ...entry, at: { tube: 0, cell: 1 } }].every(isEntry));
  const [tube] = entry.tubes;
  const tubes = [null, [], { ...tube, lock: "x" }, { ...tube, cells: [7] }, { ...tube, cells: [{ colour: 7, covered: true }] }];
  const damaged = [...tubes.map((each) => ({ tubes: [each] })), { about: null }, { rows: 2 }, { at: 3 }, { colours: [] }];
  const { capacity: _, ...older } = entry;
  const others = [undefined, null, 7, [], {}, older, ...damaged.map((each) => ({ ...entry, ...each }))];
  assert.deepEqual(others.filter(isEntry), []);
});

test("stars and days in a row are counted as the rules of the levels say", async () => {
  const { daysInARow, record, starsFor, starsOf } = await load("levels/results.js");
  const { today } = await load("levels/packs.js");
  const stars = [16, 17, 20, 21, null].map((moves) => starsFor({ optimum: 16 }, moves));
  assert.deepEqual(stars, [3, 2, 2, 1, 1]);
  const level = { puzzle: "ball-sort", difficulty: "easy", number: 0, optimum: 16 };
  kept.clear();
  assert.equal(starsOf(level, read("results")), 0);
  for (const [moves, best] of [[null, null], [20, 20], [17, 17], [18, 17], [null, 17]]) {
    record(level, moves, true);
    assert.deepEqual(read("results"), { best: { "ball-sort easy 1": best }, days: [today()] });
  }
  const back = (...days) => daysInARow({ days: days.map((day) => today() - day) });
  assert.deepEqual([back(), back(0), back(1, 2), back(2), back(0, 1, 3)], [0, 1, 2, 0, 2]);
});

test("a level with a result is a link where others can open it, and what is said of it is true", async () => {
  const file = { capacity: 4, empty: 2, tricky: {}, packs: { "ball-sort": { easy: ["abcdbaadbeccecbeaedd 13 12"] }, "water-sort": {} } };
  globalThis.fetch = async () => Response.json(file);
  globalThis.matchMedia = () => ({ matches: false });
  const { levelSent, linkTo } = await load("levels/sent.js");
  const level = { puzzle: "ball-sort", difficulty: "easy", number: 0, optimum: 13 };
  for (const hostname of ["127.0.0.1", "localhost", "192.168.1.5", "[::1]"]) {
    globalThis.location = { hostname, origin: `http://${hostname}`, pathname: "/" };
    assert.equal(linkTo(level, 15, false), "");
  }
  globalThis.location = { hostname: "sort.example.org", origin: "https://sort.example.org", pathname: "/page/" };
  const link = linkTo(level, 15, true);
  assert.equal(link, "\nhttps://sort.example.org/page/#level.ball-sort.easy.1.15h");
  const { board, look, notice } = await levelSent(new URL(link).hash.slice(1));
  assert.deepEqual([board.name, board.tubes.length, look.rows], ["Ball sort, easy 1", 7, []]);
  assert.equal(notice, "Sent to you: ★★☆ 15 moves, best possible 13, with a hint. Your turn.");
  assert.equal((await levelSent("level.ball-sort.easy.1.13")).notice, "Sent to you: ★★★ 13 moves, the best possible. Your turn.");
  for (const fragment of ["level.ball-sort.easy.1", "level.ball-sort.easy.1.12"]) // which nobody can do
    assert.equal((await levelSent(fragment)).notice, "");
  for (const rest of ["", "ball-sort.easy.0", "ball-sort.easy.2", "ball-sort.constructor.1", "constructor.easy.1", "ball-sort.easy.1.x"])
    await assert.rejects(levelSent(`level.${rest}`), /there is no such level/);
});

test("rows in a picture are asked for from the top, and marks too close together are named", async () => {
  const { asQuery, dotsOf, newRow, withCorner, withMore, wrongMarks } = await load("picture/rows.js");
  const marked = (row, from, to) => withCorner(withCorner(row, 0, from), 1, to);
  const row = { corners: [], tubes: 3, cells: 2 };
  assert.deepEqual(dotsOf(row), []);
  const high = marked(row, [50, 20], [10, 40]);
  assert.deepEqual(dotsOf(high), [[10, 20], [30, 20], [50, 20], [10, 40], [30, 40], [50, 40]]);
  const low = marked(row, [10, 100.4], [50, 120]);
  assert.deepEqual(asQuery([low, high]).getAll("row"), ["10,20,50,40,3,2", "10,100,50,120,3,2"]);
  assert.equal(wrongMarks([low, high]), "");
  assert.match(wrongMarks([high, marked(row, [10, 10], [12, 40])]), /^The dots of row 2 are too close together/);
  assert.deepEqual([withMore(row, "tubes", -9).tubes, withMore(row, "cells", 1).cells], [1, 3]);
  assert.deepEqual(newRow(high), { corners: [], tubes: 3, cells: 2 });
});

test("the fewest moves to take back are found with few questions, and nothing that isn't known is guessed", async () => {
  const { NEVER, Prover } = await load("core/prover.js");
  const made = (count) => Array.from({ length: count }, (_, place) => ({ move: [place, 0] }));
  /** With answers by the number of moves made: true, false, or null. */
  const lookBack = async (answers) => {
    const asked = [];
    const prover = {
      store: { state: { hidden: false } },
      canBeSolved: async (steps) => (asked.push(steps.length), answers(steps.length)),
    };
    return [await Prover.prototype.lookBack.call(prover, made(answers.moves), null), asked];
  };
  for (let moves = 1; moves < 8; moves++) {
    for (let alive = 0; alive <= moves; alive++) {
      const [back, asked] = await lookBack(Object.assign((count) => count < alive, { moves }));
      assert.deepEqual([back, asked[0], new Set(asked).size], [alive ? moves + 1 - alive : NEVER, moves - 1, asked.length]);
    }
  }
  const [, asked] = await lookBack(Object.assign((count) => count < 300, { moves: 1000 }));
  assert.ok(asked.length <= 12);
  for (let unknown = 0; unknown < 4; unknown++) {
    const [back] = await lookBack(Object.assign((count) => (count === unknown ? null : count < 2), { moves: 4 }));
    assert.ok(back === null || back === 3);
  }
});

test("who leaves an answer leaves no error behind, and who is offline is told what is missing", async () => {
  const workers = [];
  globalThis.Worker = class {
    constructor() {
      workers.push(this);
    }
    postMessage() {}
    terminate() {}
  };
  Object.defineProperty(globalThis, "navigator", { value: { onLine: false }, configurable: true });
  const { Pool } = await import(new URL("../../../apps/page/tab/files/page/tab/pool.js", import.meta.url).href);
  const pool = new Pool();
  const left = pool.ask("solve", new ArrayBuffer(0), 1, null);
  pool.waiting[0].stopped();
  await assert.rejects(left, { name: "AbortError" });
  const waits = pool.ask("solve", new ArrayBuffer(0), 1, null);
  for (let at = 0; at < 3; at++) workers.at(-1).onerror({ message: "" });
  assert.match((await (await waits).json()).error, /needs 8 MB.* You are offline/);
});
