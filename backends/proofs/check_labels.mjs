// A second checker of certificates by labels, for Node and for browsers: one file, no dependencies.
//
//     node check_labels.mjs DIR
//
// The top of check_labels.py says what is checked and why that shows the claim; docs/certificates.md describes the
// files. Nothing is shared with check_labels.py, not even the decompression.
// In a browser: `check(files)` with a Map from names to Uint8Arrays.

const MAX_TEXT_BYTES = 4_000_000;
const MAX_DIGITS = 15;
const MAX_LABELS_BYTES = 100_000_000;
const MAX_TABLE_BYTES = 10_000_000;
const MAX_POSITIONS = 2_000_000;
const MAX_NUMBERS = 50_000_000;
const MAX_WORK = 10_000_000_000;
const MAX_REPLAY = 1_000_000_000;
const MAX_TABLES = 1_000_000_000;
const MAX_DEPTH = 100;
const MEMO_BYTES = 100_000_000;

export class Unreadable extends Error {}
export class NotVerified extends Error {}

function unless(condition, message, kind = Unreadable) {
  if (!condition) throw new kind(message);
}

// -- JSON, without fractions, long numbers and deep nesting, each key once; objects become Maps --------------

function parseJson(bytes, name) {
  unless(bytes.length <= MAX_TEXT_BYTES, `${name}: more than ${MAX_TEXT_BYTES} bytes`);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable(`${name}: not UTF-8`);
  }
  let at = 0;
  const wrong = () => new Unreadable(`${name}: not JSON as expected at character ${at}`);
  const blank = () => {
    while (" \t\n\r".includes(text[at] ?? "x")) at++;
  };
  const take = (wanted) => {
    if (!text.startsWith(wanted, at)) throw wrong();
    at += wanted.length;
  };
  const string = () => {
    take('"');
    let result = "";
    for (;;) {
      const from = at;
      while (at < text.length && text[at] !== '"' && text[at] !== "\\" && text[at] >= " ") at++;
      result += text.slice(from, at);
      if (text[at] === '"') break;
      if (text[at] !== "\\") throw wrong();
      const escape = text[at + 1] ?? "";
      const plain = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }[escape];
      if (plain !== undefined) {
        result += plain;
        at += 2;
      } else {
        const hex = text.slice(at + 2, at + 6);
        if (escape !== "u" || !/^[0-9a-fA-F]{4}$/.test(hex)) throw wrong();
        result += String.fromCharCode(parseInt(hex, 16));
        at += 6;
      }
    }
    at++;
    return result;
  };
  const value = (depth) => {
    blank();
    const first = text[at] ?? "";
    if (first === '"') return string();
    if (first === "[" || first === "{") return collection(first, depth);
    for (const [word, meaning] of [["null", null], ["true", true], ["false", false]]) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const digits = /^-?(0|[1-9][0-9]*)/.exec(text.slice(at, at + MAX_DIGITS + 2));
    if (digits === null || digits[0].length > MAX_DIGITS) throw wrong();
    at += digits[0].length;
    if (/^(\.[0-9]|[eE][-+]?[0-9])/.test(text.slice(at, at + 3))) throw wrong();
    return Number(digits[0]) + 0; // + 0 makes -0 a 0
  };
  const collection = (open, depth) => {
    if (depth >= MAX_DEPTH) throw wrong();
    const close = open === "[" ? "]" : "}";
    const [list, map] = [[], new Map()];
    take(open);
    blank();
    while (text[at] !== close) {
      if (list.length + map.size > 0) {
        take(",");
        blank();
      }
      if (open === "[") list.push(value(depth + 1));
      else {
        const key = string();
        if (map.has(key)) throw wrong();
        blank();
        take(":");
        map.set(key, value(depth + 1));
      }
      blank();
    }
    at++;
    return open === "[" ? list : map;
  };
  const result = value(0);
  blank();
  if (at < text.length || !(result instanceof Map)) throw wrong();
  return result;
}

// -- decompression: zlib streams (RFC 1950, 1951), to a length known before ---------------------------------

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577];
const DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
  13];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function inflate(data, expected) {
  const wrong = () => new Unreadable("labels.bin: the compressed part is damaged or not as long as the header says");
  const out = new Uint8Array(expected);
  let [at, bitBuffer, bitCount, size] = [0, 0, 0, 0];
  const byte = () => {
    if (at >= data.length) throw wrong();
    return data[at++];
  };
  const bits = (count) => {
    while (bitCount < count) {
      bitBuffer |= byte() << bitCount;
      bitCount += 8;
    }
    const result = bitBuffer & ((1 << count) - 1);
    bitBuffer >>>= count;
    bitCount -= count;
    return result;
  };
  const put = (value) => {
    if (size >= expected) throw wrong();
    out[size++] = value;
  };
  const huffman = (lengths, mayBeIncomplete) => {
    const counts = new Array(16).fill(0);
    for (const length of lengths) counts[length]++;
    let left = 1;
    for (let length = 1; length < 16; length++) {
      left = 2 * left - counts[length];
      if (left < 0) throw wrong();
    }
    if (left > 0 && !(mayBeIncomplete && counts[0] + counts[1] === lengths.length)) throw wrong();
    const offsets = [0, 0];
    for (let length = 1; length < 15; length++) offsets[length + 1] = offsets[length] + counts[length];
    const symbols = [];
    lengths.forEach((length, symbol) => {
      if (length > 0) symbols[offsets[length]++] = symbol;
    });
    return { counts, symbols };
  };
  const decode = ({ counts, symbols }) => {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length < 16; length++) {
      code |= bits(1);
      const count = counts[length];
      if (code - count < first) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw wrong();
  };
  const [method, flags] = [byte(), byte()];
  if ((method * 256 + flags) % 31 || (method & 15) !== 8 || method >> 4 > 7 || flags & 32) throw wrong();
  let last = 0;
  while (!last) {
    last = bits(1);
    const type = bits(2);
    if (type === 3) throw wrong();
    if (type === 0) {
      bitBuffer = bitCount = 0;
      const length = byte() + 256 * byte();
      if (length + byte() + 256 * byte() !== 65535) throw wrong();
      for (let i = 0; i < length; i++) put(byte());
      continue;
    }
    let lengthCode, distanceCode;
    if (type === 1) {
      const lengths = new Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280);
      [lengthCode, distanceCode] = [huffman(lengths, false), huffman(new Array(32).fill(5), false)];
    } else {
      const [literals, distances, codes] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
      if (literals > 286 || distances > 30) throw wrong();
      const codeLengths = new Array(19).fill(0);
      for (let i = 0; i < codes; i++) codeLengths[CODE_ORDER[i]] = bits(3);
      const code = huffman(codeLengths, false);
      const lengths = [];
      while (lengths.length < literals + distances) {
        const symbol = decode(code);
        if (symbol < 16) lengths.push(symbol);
        else {
          if (symbol === 16 && lengths.length === 0) throw wrong();
          const repeated = symbol === 16 ? lengths.at(-1) : 0;
          const times = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7);
          for (let i = 0; i < times; i++) lengths.push(repeated);
        }
      }
      if (lengths.length > literals + distances || lengths[256] === 0) throw wrong();
      lengthCode = huffman(lengths.slice(0, literals), true);
      distanceCode = huffman(lengths.slice(literals), true);
    }
    for (;;) {
      const symbol = decode(lengthCode);
      if (symbol < 256) put(symbol);
      else if (symbol === 256) break;
      else {
        if (symbol > 285) throw wrong();
        const length = LENGTH_BASE[symbol - 257] + bits(LENGTH_EXTRA[symbol - 257]);
        const place = decode(distanceCode);
        const distance = DISTANCE_BASE[place] + bits(DISTANCE_EXTRA[place]);
        if (!(distance <= size)) throw wrong();
        for (let i = 0; i < length; i++) put(out[size - distance]);
      }
    }
  }
  let [a, b] = [1, 0];
  for (const value of out.subarray(0, size)) {
    a = (a + value) % 65521;
    b = (b + a) % 65521;
  }
  const found = [byte(), byte(), byte(), byte()].reduce((sum, value) => sum * 256 + value);
  if (size !== expected || at !== data.length || found !== b * 65536 + a) throw wrong();
  return out;
}

// -- the puzzles ---------------------------------------------------------------------------------------------

// A part is a text whose characters are its bytes. A position is an array of parts; of the sort puzzles, of tubes as
// `about` knows them, sorted by their texts.

const bytesOf = (text) => Array.from(text, (character) => character.charCodeAt(0));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const length = (part) => part.length;
const byNumber = (a, b) => a - b;

function textOf(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.slice(at, at + 4096));
  return text;
}

function wholeNumber(value, where, least, most) {
  const fits = typeof value === "number" && value >= least && value <= most;
  unless(fits, `board.json: ${where}: expected a number from ${least} to ${most}`);
  return value;
}

function pop(fields, key, otherwise) {
  const value = fields.has(key) ? fields.get(key) : otherwise;
  fields.delete(key);
  return value;
}

// Lists of colours as parts, how many colours there are, and the number of a colour.
function coded(stacks, where) {
  const lists = Array.isArray(stacks) && stacks.length > 0 && stacks.every(Array.isArray);
  unless(lists, `board.json: ${where}: expected lists of colours`);
  const codes = new Map();
  const code = (colour) => {
    const isColour = typeof colour === "string" || typeof colour === "number";
    unless(isColour, `board.json: ${where}: expected colours that are texts or whole numbers`);
    if (!codes.has(colour)) codes.set(colour, codes.size);
    return codes.get(colour);
  };
  const numbers = stacks.map((stack) => stack.map(code));
  unless(codes.size <= 256, `board.json: ${where}: more than 256 colours`);
  return [numbers.map(textOf), codes.size, (colour) => codes.get(colour)];
}

function replay(rules, moves) {
  let placed = rules.placed;
  moves.forEach((move, step) => {
    placed = rules.played(placed, move, `plan.json: plan[${step}]`);
    unless(placed !== null, `plan.json: plan[${step}] is no legal move`, NotVerified);
  });
  unless(rules.isGoal(placed), "plan.json: the board is not solved at the end of the plan", NotVerified);
}

const RULE_KEYS = ["accepts", "capacities", "cork", "locked", "no_in", "no_out", "partial"];

// What the tubes may do, tube by tube; a lock is null, or what opens it: { colour } or { tubes }.
function tubeRules(fields, capacity, count, codeOf) {
  const list = (key, otherwise = []) => {
    const values = pop(fields, key, otherwise);
    unless(Array.isArray(values), `board.json: ${key}: expected a list`);
    return values;
  };
  const place = (value, key) => wholeNumber(value, key, 0, count - 1);
  const colourOf = (colour, key) => {
    const code = typeof colour === "string" || typeof colour === "number" ? codeOf(colour) : undefined;
    unless(code !== undefined, `board.json: ${key}: expected a colour of the board`);
    return code;
  };
  const capacities = list("capacities", new Array(count).fill(capacity));
  unless(capacities.length === count, "board.json: capacities: expected one for each tube");
  const rules = capacities.map((size) => {
    wholeNumber(size, "capacities", 1, 10_000);
    return { capacity: size, takes: true, gives: true, accepts: null, lock: null };
  });
  for (const value of list("no_in")) rules[place(value, "no_in")].takes = false;
  for (const value of list("no_out")) rules[place(value, "no_out")].gives = false;
  const accepts = pop(fields, "accepts", new Map());
  unless(accepts instanceof Map, "board.json: accepts: expected an object");
  for (const [name, colours] of accepts) {
    unless(/^(0|[1-9][0-9]{0,8})$/.test(name), "board.json: accepts: expected the numbers of tubes");
    const rule = rules[place(Number(name), "accepts")];
    unless(Array.isArray(colours), "board.json: accepts: expected lists of colours");
    rule.accepts = [...new Set(colours.map((colour) => colourOf(colour, "accepts")))].sort(byNumber);
  }
  for (const value of list("locked")) {
    const shaped = value instanceof Map && value.size === 2 && value.has("tube") && value.has("until");
    unless(shaped, "board.json: locked: expected tube and until");
    const rule = rules[place(value.get("tube"), "locked")];
    unless(rule.lock === null, "board.json: locked: a tube that stands twice");
    let until = value.get("until");
    if (typeof until === "number") {
      rule.lock = { tubes: wholeNumber(until, "locked", 1, count) };
    } else {
      if (until instanceof Map && until.size === 1 && until.has("colour")) until = until.get("colour");
      else unless(typeof until === "string", "board.json: locked: expected a colour or a number of tubes");
      rule.lock = { colour: colourOf(until, "locked") };
    }
  }
  return rules;
}

// Ball sort and water sort. The text of a tube is the number of its rule, then its balls from the bottom.
class Sort {
  constructor(fields) {
    this.water = pop(fields, "puzzle") === "water-sort";
    const reveal = pop(fields, "reveal", "run"); // no matter which: nothing is hidden
    unless(reveal === "run" || reveal === "cell", "board.json: reveal: expected run or cell");
    this.plain = fields.get("goal") !== "gathered" && !RULE_KEYS.some((key) => fields.has(key));
    this.capacity = wholeNumber(pop(fields, "capacity"), "capacity", 1, 10_000);
    this.goal = pop(fields, "goal", "full");
    const goals = ["full", "monochrome", "gathered"];
    unless(goals.includes(this.goal), "board.json: goal: expected full, monochrome or gathered");
    const [tubes, colours, codeOf] = coded(pop(fields, "tubes"), "tubes");
    [this.partial, this.cork] = [pop(fields, "partial", true), pop(fields, "cork", false)];
    const switches = typeof this.partial === "boolean" && typeof this.cork === "boolean";
    unless(switches, "board.json: partial and cork: expected true or false");
    const rules = tubeRules(fields, this.capacity, tubes.length, codeOf);
    const fits = tubes.every((tube, i) => tube.length <= rules[i].capacity);
    unless(fits, "board.json: tubes: a tube holds more than its capacity");
    const numbers = new Map();
    this.rules = [];
    for (const rule of [...rules.map((rule) => ({ ...rule, lock: null })), ...rules]) {
      const key = JSON.stringify(rule);
      if (!numbers.has(key)) numbers.set(key, this.rules.push(rule) - 1);
    }
    unless(this.rules.length <= 256, "board.json: tubes: more than 256 rules");
    this.opens = this.rules.map((rule) => numbers.get(JSON.stringify({ ...rule, lock: null })));
    this.locks = rules.some((rule) => rule.lock !== null);
    this.counts = new Array(colours).fill(0);
    for (const tube of tubes) for (const ball of bytesOf(tube)) this.counts[ball]++;
    const whole = !this.plain || this.goal !== "full" || this.counts.every((count) => count % this.capacity === 0);
    unless(whole, "board.json: tubes: the balls of a colour don't fill whole tubes");
    const capacities = rules.map((rule) => rule.capacity).sort(byNumber);
    this.homes = this.counts.map((count) => {
      if (this.goal !== "full") return this.goal === "gathered" ? 1 : capacities.length;
      let number = 0;
      for (let left = count; number < capacities.length && capacities[number] <= left; number++) left -= capacities[number];
      return number;
    });
    this.cells = tubes.length + sum(tubes.map(length));
    this.mostKnown = Math.floor(MEMO_BYTES / (4 * capacities.at(-1) + 500));
    this.known = new Map();
    this.tubes = tubes.map((tube, i) => String.fromCharCode(numbers.get(JSON.stringify(rules[i]))) + tube);
    this.placed = this.unlocked(this.tubes.map((tube) => this.about(tube)));
    this.start = this.sorted(this.placed);
    this.invariant = this.unchanging(this.start);
  }

  // The part that stands in the table as `text`; null if the board can't have it. Rule 0 of plain boards is left out.
  part(text) {
    const tube = this.plain ? "\0" + text : text;
    const rule = this.rules[tube.charCodeAt(0)];
    const possible = rule !== undefined && tube.length - 1 <= rule.capacity;
    return possible && bytesOf(tube.slice(1)).every((ball) => ball < this.counts.length) ? tube : null;
  }

  // A tube with what follows from its text. Those seen lately are remembered.
  about(text) {
    let tube = this.known.get(text);
    if (tube === undefined) {
      tube = this.look(text);
      if (this.known.size >= this.mostKnown) this.known.clear();
      this.known.set(text, tube);
    }
    return tube;
  }

  look(text) {
    const rule = this.rules[text.charCodeAt(0)];
    const balls = bytesOf(text.slice(1));
    const bottom = balls.length ? balls[0] : -1;
    let run = 0;
    while (run < balls.length && balls[run] === bottom) run++;
    const uniform = run > 0 && run === balls.length;
    const full = uniform && run === rule.capacity;
    const gathered = uniform && run === this.counts[bottom];
    return {
      text,
      rule,
      top: balls.length ? balls.at(-1) : -1,
      bottom,
      blocks: this.water ? balls.filter((ball, i) => i === 0 || ball !== balls[i - 1]) : balls,
      kept: run > 0 && this.mayKeep(rule, bottom, run) ? (this.water ? 1 : run) : 0,
      complete: full || (gathered && this.goal !== "full"),
      done: !balls.length || { full, gathered, monochrome: uniform }[this.goal],
    };
  }

  mayKeep(rule, colour, run) {
    if (this.goal === "monochrome") return true;
    const count = this.counts[colour];
    const letsIn = this.letsIn(rule, colour);
    if (this.goal === "full") return run === rule.capacity || (letsIn && rule.capacity <= count);
    return run === count || (letsIn && rule.capacity >= count);
  }

  letsIn(rule, colour) {
    return rule.takes && (rule.accepts === null || rule.accepts.includes(colour));
  }

  sorted(tubes) {
    return tubes.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  }

  // Balls of each colour, and tubes under each rule with its lock open.
  unchanging(tubes) {
    const counts = new Array(this.counts.length + this.rules.length).fill(0);
    for (const { text } of tubes) {
      counts[this.counts.length + this.opens[text.charCodeAt(0)]]++;
      for (let i = 1; i < text.length; i++) counts[text.charCodeAt(i)]++;
    }
    return counts.join();
  }

  position(parts) {
    const position = parts.map((text) => this.about(text));
    const inOrder = parts.every((text, i) => i === 0 || parts[i - 1] <= text);
    unless(inOrder, "labels.bin: a position whose tubes are not sorted", NotVerified);
    const same = this.unchanging(position) === this.invariant;
    unless(same, "labels.bin: a position with other balls or rules than the board's", NotVerified);
    return position;
  }

  texts(position) {
    return position.map((tube) => tube.text);
  }

  isGoal(position) {
    return position.every((tube) => tube.done);
  }

  // The tubes once every lock has opened that opens.
  unlocked(tubes) {
    if (!this.locks) return tubes;
    let complete = 0;
    const inPlace = new Array(this.counts.length).fill(0);
    for (const tube of tubes) {
      if (!tube.complete) continue;
      complete++;
      inPlace[tube.bottom] += tube.text.length - 1;
    }
    return tubes.map((tube) => {
      const { lock } = tube.rule;
      if (lock === null) return tube;
      const opens = "tubes" in lock ? complete >= lock.tubes : inPlace[lock.colour] === this.counts[lock.colour];
      const rule = this.opens[tube.text.charCodeAt(0)];
      return opens ? this.about(String.fromCharCode(rule) + tube.text.slice(1)) : tube;
    });
  }

  // Both tubes after a move from one to the other; null where the rules forbid it.
  pour(source, target) {
    const colour = source.top;
    if (colour < 0 || source.rule.lock !== null || target.rule.lock !== null || !source.rule.gives) return null;
    if ((this.cork && source.complete) || !this.letsIn(target.rule, colour)) return null;
    if (target.top !== -1 && target.top !== colour) return null;
    const [from, to] = [source.text, target.text];
    const room = target.rule.capacity + 1 - to.length;
    let run = 1;
    if (this.water) while (run < from.length - 1 && from.charCodeAt(from.length - 1 - run) === colour) run++;
    if (room === 0 || (run > room && !this.partial)) return null;
    const left = from.length - Math.min(run, room);
    return [this.about(from.slice(0, left)), this.about(to + from.slice(left))];
  }

  *after(position) {
    for (let i = 0; i < position.length; i++) {
      if (i && position[i].text === position[i - 1].text) continue;
      let before = null;
      for (let j = 0; j < position.length; j++) {
        if (i === j || position[j].text === before) continue;
        before = position[j].text;
        const poured = this.pour(position[i], position[j]);
        if (poured === null) continue;
        const tubes = position.toSpliced(Math.max(i, j), 1).toSpliced(Math.min(i, j), 1);
        for (const tube of poured) {
          let place = tubes.length;
          while (place && tubes[place - 1].text > tube.text) place--;
          tubes.splice(place, 0, tube);
        }
        yield this.locks ? this.sorted(this.unlocked(tubes)) : tubes;
      }
    }
  }

  bound(position) {
    const left = this.homes.slice();
    const full = new Array(left.length).fill(0);
    const moving = new Array(left.length).fill(0);
    for (const { bottom, blocks, kept, done } of position.toSorted((a, b) => b.kept - a.kept)) {
      if (bottom < 0) continue;
      for (const colour of blocks) moving[colour]++;
      if (left[bottom]-- > 0) moving[bottom] -= kept;
      if (done) full[bottom]++;
    }
    const fills = this.plain && this.water && this.goal === "full";
    const total = sum(moving.map((count, colour) => Math.max(count, fills ? this.homes[colour] - full[colour] : 0)));
    return total === 0 && !this.isGoal(position) ? 1 : total;
  }

  played(placed, move, where) {
    const shaped = Array.isArray(move) && move.length === 2 && move.every((tube) => typeof tube === "number");
    unless(shaped, `${where}: expected [from, to]`);
    const [source, target] = move;
    const legal = source !== target && move.every((tube) => tube >= 0 && tube < placed.length);
    const poured = legal ? this.pour(placed[source], placed[target]) : null;
    return poured && this.unlocked(placed.with(source, poured[0]).with(target, poured[1]));
  }
}

class Grid {
  position(parts) {
    return parts;
  }

  texts(position) {
    return position;
  }
}

class Tiles extends Grid {
  constructor(fields) {
    super();
    pop(fields, "puzzle");
    [this.start, this.colours] = coded(pop(fields, "columns"), "columns");
    this.placed = this.start;
    this.height = this.start.reduce((height, column) => Math.max(height, column.length), 0);
    this.cells = this.start.length + sum(this.start.map(length));
  }

  part(column) {
    return column.length <= this.height && bytesOf(column).every((tile) => tile < this.colours) ? column : null;
  }

  isGoal(position) {
    return position.every((column) => column === "");
  }

  click(columns, column) {
    const colour = columns[column][0];
    const group = new Map([[column, new Set([0])]]); // of each column that is hit, the rows
    const edge = [[column, 0]];
    while (edge.length) {
      const [x, y] = edge.pop();
      for (const [i, j] of [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]) {
        if (columns[i]?.[j] !== colour) continue;
        if (!group.has(i)) group.set(i, new Set());
        if (group.get(i).has(j)) continue;
        group.get(i).add(j);
        edge.push([i, j]);
      }
    }
    const left = columns.slice();
    for (const [x, rows] of group) left[x] = [...columns[x]].filter((_, y) => !rows.has(y)).join("");
    return left;
  }

  *after(position) {
    for (let x = 0; x < position.length; x++) if (position[x] !== "") yield this.click(position, x);
  }

  bound(position) {
    let runs = 0;
    let before = new Set();
    for (const column of position) {
      const colours = new Set(column);
      for (const colour of colours) runs += before.has(colour) ? 0 : 1;
      before = colours;
    }
    return runs;
  }

  played(placed, column, where) {
    unless(typeof column === "number", `${where}: expected a column`);
    return placed[column] ? this.click(placed, column) : null;
  }
}

const DIRECTIONS = ["left", "right", "up", "down"];

class Shot extends Grid {
  constructor(fields) {
    super();
    pop(fields, "puzzle");
    this.width = wholeNumber(pop(fields, "width"), "width", 1, 100);
    const height = wholeNumber(pop(fields, "height"), "height", 1, 100);
    const balls = pop(fields, "balls");
    unless(Array.isArray(balls) && balls.length > 0, "board.json: balls: expected a list of places");
    const rows = Array.from({ length: height }, () => new Set());
    for (const ball of balls) {
      unless(Array.isArray(ball) && ball.length === 2, "board.json: balls: expected [x, y]");
      const x = wholeNumber(ball[0], "balls", 0, this.width - 1);
      const y = wholeNumber(ball[1], "balls", 0, height - 1);
      unless(!rows[y].has(x), "board.json: balls: two in one place");
      rows[y].add(x);
    }
    this.placed = this.start = rows.map((row) => textOf([...row].sort(byNumber)));
    this.cells = height + balls.length;
  }

  part(row) {
    const places = bytesOf(row);
    return places.every((x, i) => x < this.width && (i === 0 || places[i - 1] < x)) ? row : null;
  }

  position(parts) {
    unless(parts.some((row) => row !== ""), "labels.bin: a position without balls", NotVerified);
    return parts;
  }

  isGoal(position) {
    return sum(position.map(length)) === 1;
  }

  // The rows after the ball at (x, y) is sent; null where the rules forbid it.
  sent(rows, x, y, direction) {
    const across = direction === "left" || direction === "right";
    const inColumn = rows.map((row) => bytesOf(row).includes(x));
    const line = across ? bytesOf(rows[y]) : [...rows.keys()].filter((row) => inColumn[row]);
    const [here, step] = [across ? x : y, direction === "right" || direction === "down" ? 1 : -1];
    const ahead = line.filter((place) => (place - here) * step > 0);
    if (!ahead.length || ahead.includes(here + step)) return null;
    const behind = line.filter((place) => (place - here) * step < 0);
    const moved = [...behind, ...ahead.map((place) => place - step)].sort(byNumber);
    if (across) return rows.with(y, textOf(moved));
    return rows.map((row, j) => {
      if (inColumn[j] === moved.includes(j)) return row;
      const places = bytesOf(row);
      return textOf(inColumn[j] ? places.filter((place) => place !== x) : [...places, x].sort(byNumber));
    });
  }

  *after(position) {
    for (let y = 0; y < position.length; y++) {
      for (const x of bytesOf(position[y])) {
        for (const direction of DIRECTIONS) {
          const following = this.sent(position, x, y, direction);
          if (following !== null) yield following;
        }
      }
    }
  }

  bound(position) {
    return sum(position.map(length)) - 1;
  }

  played(placed, move, where) {
    const shaped = Array.isArray(move) && move.length === 3 && move.slice(0, 2).every((n) => typeof n === "number");
    unless(shaped && DIRECTIONS.includes(move[2]), `${where}: expected [x, y, direction]`);
    const [x, y, direction] = move;
    return bytesOf(placed[y] ?? "").includes(x) ? this.sent(placed, x, y, direction) : null;
  }
}

const PUZZLES = {
  "ball-sort": (fields) => new Sort(fields),
  "water-sort": (fields) => new Sort(fields),
  tiles: (fields) => new Tiles(fields),
  shot: (fields) => new Shot(fields),
};

// -- borders ---------------------------------------------------------------------------------------------------

function borderTablesLeadOut(unsorted, capacity) {
  const texts = unsorted.toSorted();
  const first = new Map(texts.toReversed().map((text, i) => [text, texts.length - 1 - i]));
  const alike = texts.map((text) => first.get(text));
  const tubes = texts.map(bytesOf);
  const heights = tubes.map((tube) => [0, ...tube.keys()].filter((y, i) => i === 0 || (y && tube[y] !== tube[y - 1])));
  const colours = new Set(tubes.flat()).size;
  const most = Math.floor(MAX_TABLES / (sum(unsorted.map(length)) + tubes.length ** 2 + colours));
  const start = heights.map((places) => places.length - 1);
  const seen = new Set([start.join()]);
  const waiting = [start];
  while (waiting.length) {
    unless(seen.size <= most, "too many border tables for this checker", NotVerified);
    const table = waiting.pop();
    if (table.every((left) => left === 0)) return [true, seen.size];
    const has = new Array(colours).fill(0);
    const fits = new Array(colours).fill(0);
    tubes.forEach((tube, i) => {
      const height = heights[i][table[i]];
      for (const ball of tube.slice(height)) has[ball]++;
      if (table[i]) fits[tube[height]] += capacity - height;
    });
    const tubesFor = (balls) => Math.ceil(Math.max(0, balls) / capacity);
    const needed = has.map((balls, colour) => tubesFor(balls - fits[colour]));
    const total = sum(needed);
    const free = table.filter((left) => left === 0).length;
    table.forEach((left, b) => {
      if (left === 0) return;
      const height = heights[b][left];
      const colour = tubes[b][height];
      const neededNow = tubesFor(has[colour] - (fits[colour] - (capacity - height)));
      if (total - needed[colour] + neededNow > free) return;
      const pairs = table.with(b, left - 1).map((borders, i) => [alike[i], borders]);
      const following = pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]).map(([, borders]) => borders);
      const key = following.join();
      if (!seen.has(key)) {
        seen.add(key);
        waiting.push(following);
      }
    });
  }
  return [false, seen.size];
}

// -- labels ----------------------------------------------------------------------------------------------------

const HEADER = new RegExp(
  ("^bsp-sat labels 1: (NUMBER) parts in (NUMBER) bytes, (NUMBER) positions of (NUMBER), " +
    "numbers of ([124]), labels of ([124])\n").replaceAll("NUMBER", "0|[1-9][0-9]{0,8}"),
);

function readTable(data, parts) {
  const table = [];
  let place = 0;
  for (let i = 0; i < parts; i++) {
    const end = place + 2 + (data[place] ?? 0) + 256 * (data[place + 1] ?? 0);
    unless(place + 2 <= data.length && end <= data.length, "labels.bin: the table of parts is cut off");
    table.push(textOf(data.subarray(place + 2, end)));
    place = end;
  }
  const inOrder = place === data.length && table.every((part, i) => i === 0 || table[i - 1] < part);
  unless(inOrder, "labels.bin: the table of parts is not in strictly rising order, or too long");
  return table;
}

// Like a - b, by the numbers of `size` parts from place `a` in `rows` and from place `b` in `others`.
function compare(rows, a, others, b, size) {
  for (let i = 0; i < size; i++) if (rows[a + i] !== others[b + i]) return rows[a + i] - others[b + i];
  return 0;
}

// The listed positions: the numbers of their parts, one position after the other in rising order, and their labels.
class Listed {
  constructor(rules, table, rows, labels) {
    Object.assign(this, { rules, table, rows, labels, size: rules.start.length, numbers: new Map() });
    table.forEach((part, number) => this.numbers.set(part, number));
  }

  position(i) {
    const numbers = this.rows.subarray(i * this.size, (i + 1) * this.size);
    return this.rules.position(Array.from(numbers, (number) => this.table[number]));
  }

  // The label of a position, or its bound if it isn't listed.
  worth(position) {
    const numbers = this.rules.texts(position).map((text) => this.numbers.get(text));
    let [low, high] = [0, numbers.includes(undefined) ? 0 : this.labels.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compare(this.rows, middle * this.size, numbers, 0, this.size);
      if (order === 0) return this.labels[middle];
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return this.rules.bound(position);
  }
}

function readLabels(data, rules) {
  unless(data.length <= MAX_LABELS_BYTES, `labels.bin: more than ${MAX_LABELS_BYTES} bytes`);
  const match = HEADER.exec(textOf(data.subarray(0, 200)));
  unless(match !== null, "labels.bin: no header of this format");
  const [parts, tableBytes, count, size, numberBytes, labelBytes] = match.slice(1).map(Number);
  const fits = `labels.bin: positions of ${size} parts, but the board has ${rules.start.length}`;
  unless(size === rules.start.length, fits, NotVerified);
  const small = tableBytes <= MAX_TABLE_BYTES && count <= MAX_POSITIONS && count * size <= MAX_NUMBERS;
  const quick = count * Math.max(size * size, rules.cells) <= MAX_WORK;
  unless(small && quick, "labels.bin: too large for this checker");
  const unpacked = inflate(data.subarray(match[0].length), tableBytes + count * (labelBytes + size * numberBytes));
  const table = readTable(unpacked.subarray(0, tableBytes), parts).map((part) => rules.part(part));
  unless(!table.includes(null), "labels.bin: a tube, column or row that this board can't have", NotVerified);
  let at = tableBytes;
  const number = (width) => {
    let result = 0;
    for (let place = width - 1; place >= 0; place--) result = result * 256 + unpacked[at + place];
    at += width;
    return result;
  };
  const labels = Float64Array.from({ length: count }, () => number(labelBytes) || Infinity);
  const rows = new Uint32Array(count * size);
  for (let place = 0; place < size; place++) {
    for (let i = 0; i < count; i++) rows[i * size + place] = number(numberBytes);
  }
  unless(rows.every((each) => each < parts), "labels.bin: a part that is not in the table");
  for (let i = 1; i < count; i++) {
    const rising = compare(rows, (i - 1) * size, rows, i * size, size) < 0;
    unless(rising, "labels.bin: the positions are not in strictly rising order");
  }
  const listed = new Listed(rules, table, rows, labels);
  for (let i = 0; i < count; i++) listed.position(i);
  return listed;
}

function checkLabels(rules, listed) {
  let moves = 0;
  const most = Math.floor(MAX_WORK / rules.cells);
  listed.labels.forEach((label, number) => {
    const position = listed.position(number);
    unless(!rules.isGoal(position), `labels.bin: position ${number} is a goal`, NotVerified);
    for (const following of rules.after(position)) {
      moves++;
      const found = listed.worth(following);
      if (!(found >= label - 1)) {
        throw new NotVerified(`labels.bin: position ${number} has label ${label}, but a move leads to ${found}`);
      }
      unless(moves <= most, "labels.bin: too many moves for this checker", NotVerified);
    }
  });
  return moves;
}

// Checks a certificate: `files` is a Map from names to Uint8Arrays. Returns what was checked, as lines of text.
export function check(files) {
  const bytes = (name) => {
    unless(files.has(name), `${name}: no such file`);
    return files.get(name);
  };
  const claim = parseJson(bytes("claim.json"), "claim.json");
  const [status, moves, proof] = ["status", "length", "proof"].map((key) => pop(claim, key, null));
  const kind = proof === "labels" || (proof === "borders" && status === "unsolvable");
  const shaped = (status === "optimal" && typeof moves === "number") || (status === "unsolvable" && moves === null);
  unless(kind && shaped && claim.size === 0, "claim.json: no claim that this program can check");
  const fields = parseJson(bytes("board.json"), "board.json");
  const texts = ["name", "source"].map((key) => typeof pop(fields, key, "") === "string");
  unless(texts.every(Boolean), "board.json: name and source: expected texts");
  const puzzle = fields.get("puzzle");
  unless(typeof puzzle === "string" && Object.hasOwn(PUZZLES, puzzle), "board.json: puzzle: no known puzzle");
  const rules = PUZZLES[puzzle](fields);
  unless(fields.size === 0, `board.json: unknown keys: ${[...fields.keys()].join(", ")}`);
  if (proof === "borders") {
    unless(rules instanceof Sort && rules.plain, "claim.json: borders are for sort puzzles without rules for tubes");
    const [wayOut, tables] = borderTablesLeadOut(rules.tubes.map((tube) => tube.slice(1)), rules.capacity);
    unless(!wayOut, "the border argument finds no obstacle", NotVerified);
    return [`Borders: ${tables} border tables, no way out.`, "Verified: no plan exists."];
  }
  const listed = readLabels(bytes("labels.bin"), rules);
  const bound = rules.bound(rules.start);
  const worth = listed.worth(rules.start);
  const lines = [];
  if (moves === null) {
    const shown = "the claim is that there is no plan, but the board has no label that says so";
    unless(worth === Infinity, shown, NotVerified);
  } else {
    const fields = parseJson(bytes("plan.json"), "plan.json");
    const plan = fields.get("plan");
    unless(Array.isArray(plan) && fields.size === 1, "plan.json: expected a list of moves under plan");
    unless(plan.length === moves, `the claim is ${moves} moves, but the plan has ${plan.length}`, NotVerified);
    unless(moves * rules.cells <= MAX_REPLAY, "plan.json: too long for this checker");
    replay(rules, plan);
    const short = `the claim is ${moves} moves, but the board's label or bound is ${worth}`;
    unless(worth >= moves, short, NotVerified);
    lines.push(`Plan: ${moves} moves, replayed.`);
  }
  const looked = checkLabels(rules, listed);
  lines.push(
    listed.labels.length
      ? `Labels: ${listed.labels.length} positions, ${looked} moves from them, all consistent.`
      : `Bound: the plain lower bound of the board is ${bound} moves; no labels are needed.`,
  );
  lines.push(`Verified: ${moves === null ? "no plan exists" : `${moves} moves is the minimum`}.`);
  return lines;
}

// -- Node ------------------------------------------------------------------------------------------------------

// Checks the certificate in a folder: exit code and text, as check_labels.py has them.
export async function checkFolder(folder) {
  const fs = await import("node:fs");
  const path = await import("node:path");
  const files = { // files are read when they are asked for, regular ones only, never through a link
    has: () => true,
    get: (name) => {
      const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
      const most = name === "labels.bin" ? MAX_LABELS_BYTES : MAX_TEXT_BYTES;
      let file;
      try {
        unless(fs.lstatSync(path.join(folder, name)).isFile(), `${name}: not a regular file`);
        file = fs.openSync(path.join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        const found = fs.fstatSync(file);
        unless(found.isFile(), `${name}: not a regular file`);
        unless(found.size <= most, `${name}: more than ${most} bytes`);
        return new Uint8Array(fs.readFileSync(file));
      } catch (error) {
        throw error instanceof Unreadable ? error : new Unreadable(`${name}: ${error.code ?? error.message}`);
      } finally {
        if (file !== undefined) fs.closeSync(file);
      }
    },
  };
  try {
    return [0, check(files).join("\n")];
  } catch (error) {
    if (error instanceof NotVerified) return [1, `Not verified: ${error.message}`];
    if (error instanceof Unreadable) return [2, `Unreadable: ${error.message}`];
    if (error instanceof RangeError) return [2, "Unreadable: out of memory"];
    throw error;
  }
}

const isProgram = typeof process !== "undefined" && process.argv?.[1]?.endsWith("check_labels.mjs");
if (isProgram) {
  const [exitCode, text] =
    process.argv.length === 3 ? await checkFolder(process.argv[2]) : [2, "usage: node check_labels.mjs DIR"];
  console.log(text);
  process.exitCode = exitCode;
}
