// The checker of distance labels a second time, for Node and for browsers: one file, no dependencies.
//
//     node check_labels.mjs DIR
//
// What is checked, and why that shows the claim, is said at the top of check_labels.py; the files are described in
// docs/certificates.md. Nothing is shared with check_labels.py but these two texts, not even the decompression.
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

export class Unreadable extends Error {}
export class NotVerified extends Error {}

function unless(condition, message, kind = Unreadable) {
  if (!condition) throw new kind(message);
}

// -- JSON, without fractions and long numbers, each key once; objects become Maps ---------------------------

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
    if (depth > MAX_DEPTH) throw wrong();
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
  const farthest = 1 << ((method >> 4) + 8);
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
        if (!(distance <= size && distance <= farthest)) throw wrong();
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

// -- the puzzles: a position is an array of parts, each an array of small numbers ----------------------------

const textOf = (part) => String.fromCharCode(...part);

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

// Lists of colours as lists of numbers, how many colours there are, and the number of a colour.
function coded(stacks, where) {
  const lists = Array.isArray(stacks) && stacks.length > 0 && stacks.every(Array.isArray);
  unless(lists, `board.json: ${where}: expected lists of colours`);
  const codes = new Map();
  const parts = stacks.map((stack) =>
    stack.map((colour) => {
      const isColour = typeof colour === "string" || typeof colour === "number";
      unless(isColour, `board.json: ${where}: expected colours that are texts or whole numbers`);
      const key = typeof colour + colour;
      if (!codes.has(key)) codes.set(key, codes.size);
      return codes.get(key);
    }),
  );
  unless(codes.size <= 256, `board.json: ${where}: more than 256 colours`);
  return [parts, codes.size, (colour) => codes.get(typeof colour + colour)];
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const length = (numbers) => numbers.length;

class Sort {
  constructor(fields) {
    this.water = pop(fields, "puzzle") === "water-sort";
    this.capacity = wholeNumber(pop(fields, "capacity"), "capacity", 1, 10_000);
    this.goal = pop(fields, "goal", "full");
    unless(this.goal === "full" || this.goal === "monochrome", "board.json: goal: expected full or monochrome");
    [this.tubes, this.colours] = coded(pop(fields, "tubes"), "tubes");
    const fits = this.tubes.every((tube) => tube.length <= this.capacity);
    unless(fits, "board.json: tubes: a tube holds more than the capacity");
    this.counts = new Array(this.colours).fill(0);
    for (const tube of this.tubes) for (const ball of tube) this.counts[ball]++;
    const whole = this.goal !== "full" || this.counts.every((count) => count % this.capacity === 0);
    unless(whole, "board.json: tubes: the balls of a colour don't fill whole tubes");
    this.most = this.counts.map((count) => (this.goal === "full" ? count / this.capacity : this.tubes.length));
    this.size = this.tubes.length;
    this.cells = this.size + sum(this.tubes.map(length));
    this.contents = [];
    this.numbers = new Map();
    this.about = [];
    this.pours = new Map();
  }

  number(tube) {
    const key = textOf(tube);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.contents.length;
      this.numbers.set(key, number);
      this.contents.push(tube);
      let run = 0;
      while (run < tube.length && tube[run] === tube[0]) run++;
      const uniform = run === tube.length;
      this.about.push({
        bottom: tube.length ? tube[0] : -1,
        worth: this.water ? Math.min(1, run) : run,
        work: this.water ? tube.filter((ball, i) => i === 0 || ball !== tube[i - 1]) : tube,
        done: !tube.length || (uniform && (this.goal === "monochrome" || tube.length === this.capacity)),
      });
    }
    return number;
  }

  learn(table) {
    for (const tube of table) {
      const possible = tube.length <= this.capacity && tube.every((ball) => ball < this.colours);
      unless(possible, "labels.bin: a tube that this board can't have", NotVerified);
      this.number(tube);
    }
    this.known = table.length;
    this.start = this.tubes.map((tube) => this.number(tube)).sort((a, b) => a - b);
  }

  position(numbers) {
    const sorted = numbers.every((number, i) => i === 0 || numbers[i - 1] <= number);
    unless(sorted, "labels.bin: a position whose tubes are not sorted", NotVerified);
    const counts = new Array(this.colours).fill(0);
    for (const number of numbers) for (const ball of this.contents[number]) counts[ball]++;
    const same = counts.every((count, colour) => count === this.counts[colour]);
    unless(same, "labels.bin: a position with other balls than the board's", NotVerified);
    return numbers;
  }

  // A text that stands for a position; null for one with a tube that isn't in the table, so that it isn't listed.
  key(position) {
    for (const number of position) if (number >= this.known) return null;
    return String.fromCharCode(...position);
  }

  isGoal(position) {
    return position.every((number) => this.about[number].done);
  }

  pour(source, target) {
    const room = this.capacity - target.length;
    const colour = source.at(-1);
    if (!source.length || room === 0 || (target.length && target.at(-1) !== colour)) return null;
    let amount = 1;
    if (this.water) {
      while (amount < room && amount < source.length && source.at(-1 - amount) === colour) amount++;
    }
    return [source.slice(0, -amount), [...target, ...source.slice(-amount)]];
  }

  *after(position) {
    for (let i = 0; i < position.length; i++) {
      if (i && position[i] === position[i - 1]) continue;
      let before = -1;
      for (let j = 0; j < position.length; j++) {
        if (i === j || position[j] === before) continue;
        before = position[j];
        const pair = position[i] * 16_777_216 + position[j];
        let poured = this.pours.get(pair);
        if (poured === undefined) {
          poured = this.pour(this.contents[position[i]], this.contents[position[j]]);
          if (poured !== null) poured = poured.map((tube) => this.number(tube));
          this.pours.set(pair, poured);
        }
        if (poured !== null) {
          const tubes = position.slice();
          [tubes[i], tubes[j]] = poured;
          yield tubes.sort((a, b) => a - b);
        }
      }
    }
  }

  bound(position) {
    const worths = Array.from({ length: this.colours }, () => []);
    const works = new Array(this.colours).fill(0);
    const full = new Array(this.colours).fill(0);
    for (const number of position) {
      const { bottom, worth, work, done } = this.about[number];
      if (bottom < 0) continue;
      worths[bottom].push(worth);
      for (const colour of work) works[colour]++;
      if (done) full[bottom]++;
    }
    return sum(
      this.most.map((most, colour) => {
        const stay = sum(worths[colour].sort((a, b) => b - a).slice(0, most));
        const byFills = this.water && this.goal === "full" ? most - full[colour] : 0;
        return Math.max(works[colour] - stay, byFills);
      }),
    );
  }

  replay(moves) {
    const tubes = this.tubes.slice();
    moves.forEach((move, step) => {
      const shaped = Array.isArray(move) && move.length === 2 && move.every((tube) => typeof tube === "number");
      unless(shaped, `plan.json: plan[${step}]: expected [from, to]`);
      const [source, target] = move;
      const legal = source !== target && move.every((tube) => tube >= 0 && tube < tubes.length);
      const poured = legal ? this.pour(tubes[source], tubes[target]) : null;
      unless(poured !== null, `plan.json: plan[${step}] is no legal move`, NotVerified);
      [tubes[source], tubes[target]] = poured;
    });
    const solved = tubes.every((tube) => this.about[this.number(tube)].done);
    unless(solved, "plan.json: the board is not solved at the end of the plan", NotVerified);
  }
}

// What the tubes may do, tube by tube; a lock is null, or what opens it: { colour } or { tubes }.
function tubeRules(fields, capacity, count, codeOf) {
  const list = (key) => {
    const values = pop(fields, key, []);
    unless(Array.isArray(values), `board.json: ${key}: expected a list`);
    return values;
  };
  const place = (value, key) => wholeNumber(value, key, 0, count - 1);
  const colourOf = (colour, key) => {
    const code = typeof colour === "string" || typeof colour === "number" ? codeOf(colour) : undefined;
    unless(code !== undefined, `board.json: ${key}: expected a colour of the board`);
    return code;
  };
  const capacities = fields.has("capacities") ? list("capacities") : new Array(count).fill(capacity);
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
    rule.accepts = [...new Set(colours.map((colour) => colourOf(colour, "accepts")))].sort((a, b) => a - b);
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

const RULE_KEYS = ["accepts", "capacities", "cork", "locked", "no_in", "no_out", "partial"];

// Ball sort and water sort where tubes have rules of their own: a tube is the number of its rule, then its balls.
class Ruled {
  constructor(fields) {
    this.water = pop(fields, "puzzle") === "water-sort";
    const capacity = wholeNumber(pop(fields, "capacity"), "capacity", 1, 10_000);
    this.goal = pop(fields, "goal", "full");
    const goals = ["full", "monochrome", "gathered"];
    unless(goals.includes(this.goal), "board.json: goal: expected full, monochrome or gathered");
    const [tubes, colours, codeOf] = coded(pop(fields, "tubes"), "tubes");
    this.colours = colours;
    [this.partial, this.cork] = [pop(fields, "partial", true), pop(fields, "cork", false)];
    const switches = typeof this.partial === "boolean" && typeof this.cork === "boolean";
    unless(switches, "board.json: partial and cork: expected true or false");
    const rules = tubeRules(fields, capacity, tubes.length, codeOf);
    const fits = tubes.every((tube, i) => tube.length <= rules[i].capacity);
    unless(fits, "board.json: tubes: a tube holds more than its capacity");
    const keyOf = (rule) => JSON.stringify(rule);
    const open = rules.map((rule) => ({ ...rule, lock: null }));
    const numbers = new Map();
    this.rules = [];
    for (const rule of [...open, ...rules]) { // a rule without a lock stands among the first
      if (!numbers.has(keyOf(rule))) {
        numbers.set(keyOf(rule), this.rules.length);
        this.rules.push(rule);
      }
    }
    unless(this.rules.length <= 256, "board.json: tubes: more than 256 rules");
    this.opens = this.rules.map((rule) => numbers.get(keyOf({ ...rule, lock: null })));
    this.tubes = tubes.map((tube, i) => [numbers.get(keyOf(rules[i])), ...tube]);
    this.counts = new Array(colours).fill(0);
    for (const tube of tubes) for (const ball of tube) this.counts[ball]++;
    const capacities = rules.map((rule) => rule.capacity).sort((a, b) => a - b);
    this.most = this.counts.map((count) => {
      if (this.goal !== "full") return this.goal === "gathered" ? 1 : capacities.length;
      let number = 0;
      for (let left = count; number < capacities.length && capacities[number] <= left; number++) left -= capacities[number];
      return number;
    });
    this.size = tubes.length;
    this.cells = this.size + sum(tubes.map(length));
    this.contents = [];
    this.numbers = new Map();
    this.about = [];
    this.pours = new Map();
  }

  number(tube) {
    const key = textOf(tube);
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.contents.length;
      this.numbers.set(key, number);
      this.contents.push(tube);
      const rule = this.rules[tube[0]];
      const balls = tube.slice(1);
      const bottom = balls.length ? balls[0] : -1;
      let run = 0;
      while (run < balls.length && balls[run] === bottom) run++;
      const whole = run > 0 && run === balls.length;
      const full = whole && run === rule.capacity;
      const gathered = whole && run === this.counts[bottom];
      const keeps = run > 0 && this.mayKeep(rule, bottom, run);
      this.about.push({
        rule,
        bottom,
        top: balls.length ? balls.at(-1) : -1,
        work: this.water ? balls.filter((ball, i) => i === 0 || ball !== balls[i - 1]).length : balls.length,
        worth: keeps ? (this.water ? 1 : run) : 0,
        complete: full || (gathered && this.goal !== "full"),
        done: !balls.length || { full, gathered, monochrome: whole }[this.goal],
      });
    }
    return number;
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

  learn(table) {
    for (const tube of table) {
      const known = tube.length > 0 && tube[0] < this.rules.length;
      const possible =
        known && tube.length - 1 <= this.rules[tube[0]].capacity && tube.every((ball, i) => !i || ball < this.colours);
      unless(possible, "labels.bin: a tube that this board can't have", NotVerified);
      this.number(tube);
    }
    this.known = table.length;
    this.placed = this.unlocked(this.tubes.map((tube) => this.number(tube)));
    this.start = this.placed.toSorted((a, b) => a - b);
    this.shape = this.shapeOf(this.start);
  }

  // Balls of each colour, and tubes under each rule with its lock open.
  shapeOf(numbers) {
    const balls = new Array(this.colours).fill(0);
    const kinds = new Array(this.rules.length).fill(0);
    for (const number of numbers) {
      const [rule, ...tube] = this.contents[number];
      kinds[this.opens[rule]]++;
      for (const ball of tube) balls[ball]++;
    }
    return [...balls, ...kinds].join();
  }

  position(numbers) {
    const sorted = numbers.every((number, i) => i === 0 || numbers[i - 1] <= number);
    unless(sorted, "labels.bin: a position whose tubes are not sorted", NotVerified);
    const same = this.shapeOf(numbers) === this.shape;
    unless(same, "labels.bin: a position with other balls or rules than the board's", NotVerified);
    return numbers;
  }

  // A text that stands for a position; null for one with a tube that isn't in the table, so that it isn't listed.
  key(position) {
    for (const number of position) if (number >= this.known) return null;
    return String.fromCharCode(...position);
  }

  isGoal(position) {
    return position.every((number) => this.about[number].done);
  }

  // The tubes in their places, with the locks open that are to be.
  unlocked(tubes) {
    if (tubes.every((number) => this.about[number].rule.lock === null)) return tubes;
    let complete = 0;
    const inPlace = new Array(this.colours).fill(0);
    for (const number of tubes) {
      if (!this.about[number].complete) continue;
      complete++;
      inPlace[this.about[number].bottom] += this.contents[number].length - 1;
    }
    return tubes.map((number) => {
      const { lock } = this.about[number].rule;
      if (lock === null) return number;
      const opens = "tubes" in lock ? complete >= lock.tubes : inPlace[lock.colour] === this.counts[lock.colour];
      const [rule, ...balls] = this.contents[number];
      return opens ? this.number([this.opens[rule], ...balls]) : number;
    });
  }

  pour(source, target) {
    const [giver, taker] = [this.about[source], this.about[target]];
    const colour = giver.top;
    if (colour < 0 || giver.rule.lock !== null || taker.rule.lock !== null || !giver.rule.gives) return null;
    if ((this.cork && giver.complete) || !this.letsIn(taker.rule, colour)) return null;
    if (taker.top !== -1 && taker.top !== colour) return null;
    const [from, to] = [this.contents[source], this.contents[target]];
    const room = taker.rule.capacity + 1 - to.length;
    let run = 1;
    if (this.water) while (run < from.length - 1 && from.at(-1 - run) === colour) run++;
    if (room === 0 || (run > room && !this.partial)) return null;
    const amount = Math.min(run, room);
    return [this.number(from.slice(0, -amount)), this.number([...to, ...from.slice(-amount)])];
  }

  *after(position) {
    for (let i = 0; i < position.length; i++) {
      if (i && position[i] === position[i - 1]) continue;
      let before = -1;
      for (let j = 0; j < position.length; j++) {
        if (i === j || position[j] === before) continue;
        before = position[j];
        const pair = position[i] * 16_777_216 + position[j];
        let poured = this.pours.get(pair);
        if (poured === undefined) {
          poured = this.pour(position[i], position[j]);
          this.pours.set(pair, poured);
        }
        if (poured !== null) {
          const tubes = position.slice();
          [tubes[i], tubes[j]] = poured;
          yield this.unlocked(tubes).sort((a, b) => a - b);
        }
      }
    }
  }

  bound(position) {
    const worths = Array.from({ length: this.colours }, () => []);
    let work = 0;
    for (const number of position) {
      const about = this.about[number];
      work += about.work;
      if (about.bottom >= 0) worths[about.bottom].push(about.worth);
    }
    this.most.forEach((most, colour) => {
      work -= sum(worths[colour].sort((a, b) => b - a).slice(0, most));
    });
    return work === 0 && !this.isGoal(position) ? 1 : work;
  }

  replay(moves) {
    let tubes = this.placed.slice();
    moves.forEach((move, step) => {
      const shaped = Array.isArray(move) && move.length === 2 && move.every((tube) => typeof tube === "number");
      unless(shaped, `plan.json: plan[${step}]: expected [from, to]`);
      const [source, target] = move;
      const legal = source !== target && move.every((tube) => tube >= 0 && tube < tubes.length);
      const poured = legal ? this.pour(tubes[source], tubes[target]) : null;
      unless(poured !== null, `plan.json: plan[${step}] is no legal move`, NotVerified);
      [tubes[source], tubes[target]] = poured;
      tubes = this.unlocked(tubes);
    });
    unless(this.isGoal(tubes), "plan.json: the board is not solved at the end of the plan", NotVerified);
  }
}

function sortRules(fields) {
  const reveal = pop(fields, "reveal", "run"); // no matter where nothing is hidden
  unless(reveal === "run" || reveal === "cell", "board.json: reveal: expected run or cell");
  const beyond = RULE_KEYS.some((key) => fields.has(key)) || fields.get("goal") === "gathered";
  return beyond ? new Ruled(fields) : new Sort(fields);
}

class Grid {
  learn(table) {
    for (const part of table) unless(this.possible(part), "labels.bin: a part that this board can't have", NotVerified);
    this.table = table;
  }

  position(numbers) {
    return numbers.map((number) => this.table[number]);
  }

  key(position) {
    return position.map((part) => String.fromCharCode(part.length) + textOf(part)).join("");
  }

  replay(moves) {
    let position = this.start;
    moves.forEach((move, step) => {
      position = this.move(position, move, step);
      unless(position !== null, `plan.json: plan[${step}] is no legal move`, NotVerified);
    });
    unless(this.isGoal(position), "plan.json: the board is not solved at the end of the plan", NotVerified);
  }
}

class Tiles extends Grid {
  constructor(fields) {
    super();
    pop(fields, "puzzle");
    [this.start, this.colours] = coded(pop(fields, "columns"), "columns");
    this.height = Math.max(...this.start.map(length));
    this.size = this.start.length;
    this.cells = this.size + sum(this.start.map(length));
  }

  possible(column) {
    return column.length <= this.height && column.every((tile) => tile < this.colours);
  }

  isGoal(position) {
    return position.every((column) => column.length === 0);
  }

  click(columns, column) {
    const colour = columns[column][0];
    const taken = columns.map((tiles) => new Array(tiles.length).fill(false));
    const edge = [[column, 0]];
    taken[column][0] = true;
    while (edge.length) {
      const [x, y] = edge.pop();
      for (const [i, j] of [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]) {
        if (columns[i]?.[j] === colour && !taken[i][j]) {
          taken[i][j] = true;
          edge.push([i, j]);
        }
      }
    }
    return columns.map((tiles, x) => tiles.filter((_, y) => !taken[x][y]));
  }

  *after(position) {
    for (let x = 0; x < position.length; x++) if (position[x].length) yield this.click(position, x);
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

  move(position, column, step) {
    unless(typeof column === "number", `plan.json: plan[${step}]: expected a column`);
    return position[column]?.length ? this.click(position, column) : null;
  }
}

class Shot extends Grid {
  constructor(fields) {
    super();
    pop(fields, "puzzle");
    this.width = wholeNumber(pop(fields, "width"), "width", 1, 100);
    this.height = wholeNumber(pop(fields, "height"), "height", 1, 100);
    const balls = pop(fields, "balls");
    unless(Array.isArray(balls) && balls.length > 0, "board.json: balls: expected a list of places");
    const rows = Array.from({ length: this.height }, () => new Set());
    for (const ball of balls) {
      unless(Array.isArray(ball) && ball.length === 2, "board.json: balls: expected [x, y]");
      const x = wholeNumber(ball[0], "balls", 0, this.width - 1);
      const y = wholeNumber(ball[1], "balls", 0, this.height - 1);
      unless(!rows[y].has(x), "board.json: balls: two in one place");
      rows[y].add(x);
    }
    this.start = rows.map((row) => [...row].sort((a, b) => a - b));
    this.size = this.height;
    this.cells = this.height + balls.length;
  }

  possible(row) {
    return row.every((x, i) => x < this.width && (i === 0 || row[i - 1] < x));
  }

  position(numbers) {
    const position = super.position(numbers);
    unless(position.some((row) => row.length > 0), "labels.bin: a position without balls", NotVerified);
    return position;
  }

  isGoal(position) {
    return sum(position.map(length)) === 1;
  }

  // A line after its ball number `ball` is sent to higher or lower places; null where the rules forbid it.
  knock(line, ball, forward) {
    if (forward) {
      if (ball + 1 === line.length || line[ball + 1] === line[ball] + 1) return null;
      return [...line.slice(0, ball), ...line.slice(ball + 1).map((place) => place - 1)];
    }
    if (ball === 0 || line[ball - 1] === line[ball] - 1) return null;
    return [...line.slice(0, ball).map((place) => place + 1), ...line.slice(ball + 1)];
  }

  column(rows, x) {
    return rows.flatMap((row, y) => (row.includes(x) ? [y] : []));
  }

  withColumn(rows, x, column) {
    return rows.map((row, y) => {
      if (row.includes(x) === column.includes(y)) return row;
      return row.includes(x) ? row.filter((other) => other !== x) : [...row, x].sort((a, b) => a - b);
    });
  }

  *after(position) {
    for (let y = 0; y < position.length; y++) {
      for (let ball = 0; ball < position[y].length; ball++) {
        for (const forward of [false, true]) {
          const line = this.knock(position[y], ball, forward);
          if (line !== null) yield position.with(y, line);
        }
      }
    }
    for (const x of new Set(position.flat())) {
      const column = this.column(position, x);
      for (let ball = 0; ball < column.length; ball++) {
        for (const forward of [false, true]) {
          const line = this.knock(column, ball, forward);
          if (line !== null) yield this.withColumn(position, x, line);
        }
      }
    }
  }

  bound(position) {
    return sum(position.map(length)) - 1;
  }

  move(position, move, step) {
    const shaped = Array.isArray(move) && move.length === 3 && move.slice(0, 2).every((n) => typeof n === "number");
    const known = shaped && ["left", "right", "up", "down"].includes(move[2]);
    unless(known, `plan.json: plan[${step}]: expected [x, y, direction]`);
    const [x, y, direction] = move;
    if (!position[y]?.includes(x)) return null;
    const forward = direction === "right" || direction === "down";
    if (direction === "left" || direction === "right") {
      const line = this.knock(position[y], position[y].indexOf(x), forward);
      return line && position.with(y, line);
    }
    const column = this.column(position, x);
    const line = this.knock(column, column.indexOf(y), forward);
    return line && this.withColumn(position, x, line);
  }
}

const PUZZLES = {
  "ball-sort": sortRules,
  "water-sort": sortRules,
  tiles: (fields) => new Tiles(fields),
  shot: (fields) => new Shot(fields),
};

// -- borders ---------------------------------------------------------------------------------------------------

function borderTablesLeadOut(unsorted, capacity) {
  const tubes = unsorted.map((tube) => ({ tube, key: textOf(tube) }));
  tubes.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const alike = tubes.map(({ key }) => tubes.findIndex((other) => other.key === key));
  const heights = tubes.map(({ tube }) => [0, ...tube.keys()].filter((y, i) => i === 0 || (y && tube[y] !== tube[y - 1])));
  const colours = new Set(unsorted.flat()).size;
  const most = Math.floor(MAX_TABLES / (sum(unsorted.map(length)) + tubes.length ** 2 + colours));
  const start = heights.map((places) => places.length - 1);
  const seen = new Set([start.join()]);
  const waiting = [start];
  while (waiting.length) {
    const table = waiting.pop();
    if (table.every((left) => left === 0)) return [true, seen.size];
    const has = new Array(colours).fill(0);
    const fits = new Array(colours).fill(0);
    tubes.forEach(({ tube }, i) => {
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
      const colour = tubes[b].tube[height];
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
    unless(seen.size <= most, "too many border tables for this checker", NotVerified);
  }
  return [false, seen.size];
}

// -- labels ----------------------------------------------------------------------------------------------------

const HEADER = new RegExp(
  ("^bsp-sat labels 1: (NUMBER) parts in (NUMBER) bytes, (NUMBER) positions of (NUMBER), " +
    "numbers of ([124]), labels of ([124])\n").replaceAll("NUMBER", "0|[1-9][0-9]{0,8}"),
);

function smaller(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] < b[i];
  return a.length < b.length;
}

function rising(lists) {
  return lists.every((list, i) => i === 0 || smaller(lists[i - 1], list));
}

function numbersAt(data, start, count, width) {
  const numbers = new Array(count);
  for (let i = 0; i < count; i++) {
    let number = 0;
    for (let place = width - 1; place >= 0; place--) number = number * 256 + data[start + i * width + place];
    numbers[i] = number;
  }
  return numbers;
}

function readTable(data, parts) {
  const table = [];
  let place = 0;
  for (let i = 0; i < parts; i++) {
    const end = place + 2 + (data[place] ?? 0) + 256 * (data[place + 1] ?? 0);
    unless(place + 2 <= data.length && end <= data.length, "labels.bin: the table of parts is cut off");
    table.push([...data.subarray(place + 2, end)]);
    place = end;
  }
  const inOrder = place === data.length && rising(table);
  unless(inOrder, "labels.bin: the table of parts is not in strictly rising order, or too long");
  return table;
}

function readLabels(data, rules) {
  unless(data.length <= MAX_LABELS_BYTES, `labels.bin: more than ${MAX_LABELS_BYTES} bytes`);
  const match = HEADER.exec(textOf(data.subarray(0, 200)));
  unless(match !== null, "labels.bin: no header of this format");
  const [parts, tableBytes, count, size, numberBytes, labelBytes] = match.slice(1).map(Number);
  const fits = `labels.bin: positions of ${size} parts, but the board has ${rules.size}`;
  unless(size === rules.size, fits, NotVerified);
  const expected = tableBytes + count * (labelBytes + size * numberBytes);
  const small = tableBytes <= MAX_TABLE_BYTES && count <= MAX_POSITIONS && count * size <= MAX_NUMBERS;
  unless(small && count * size * size <= MAX_WORK, "labels.bin: too large for this checker");
  const unpacked = inflate(data.subarray(match[0].length), expected);
  const table = readTable(unpacked.subarray(0, tableBytes), parts);
  rules.learn(table);
  const labels = numbersAt(unpacked, tableBytes, count, labelBytes);
  const at = tableBytes + count * labelBytes;
  const columns = [];
  for (let place = 0; place < size; place++) {
    columns.push(numbersAt(unpacked, at + place * count * numberBytes, count, numberBytes));
  }
  const known = columns.every((column) => column.every((number) => number < parts));
  unless(known, "labels.bin: a part that is not in the table");
  const listed = labels.map((_, i) => columns.map((column) => column[i]));
  unless(rising(listed), "labels.bin: the positions are not in strictly rising order");
  const positions = listed.map((numbers) => rules.position(numbers));
  return { positions, labels: labels.map((label) => (label === 0 ? Infinity : label)) };
}

function checkLabels(rules, positions, labels, worthOf) {
  let moves = 0;
  const most = Math.floor(MAX_WORK / rules.cells);
  positions.forEach((position, number) => {
    unless(!rules.isGoal(position), `labels.bin: position ${number} is a goal`, NotVerified);
    const label = labels[number];
    for (const following of rules.after(position)) {
      moves++;
      const found = worthOf(following);
      const complaint = `labels.bin: position ${number} has label ${label}, but a move leads to ${found}`;
      if (!(found >= label - 1)) throw new NotVerified(complaint);
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
    unless(rules instanceof Sort, "claim.json: borders are for sort puzzles without rules for tubes");
    const [wayOut, tables] = borderTablesLeadOut(rules.tubes, rules.capacity);
    unless(!wayOut, "the border argument finds no obstacle", NotVerified);
    return [`Borders: ${tables} border tables, no way out.`, "Verified: no plan exists."];
  }
  const { positions, labels } = readLabels(bytes("labels.bin"), rules);
  const labelOf = new Map(positions.map((position, i) => [rules.key(position), labels[i]]));
  const worthOf = (position) => {
    const key = rules.key(position);
    return (key === null ? undefined : labelOf.get(key)) ?? rules.bound(position);
  };
  const bound = rules.bound(rules.start);
  const worth = worthOf(rules.start);
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
    rules.replay(plan);
    const short = `the claim is ${moves} moves, but the board's label or bound is ${worth}`;
    unless(worth >= moves, short, NotVerified);
    lines.push(`Plan: ${moves} moves, replayed.`);
  }
  const looked = checkLabels(rules, positions, labels, worthOf);
  lines.push(
    positions.length
      ? `Labels: ${positions.length} positions, ${looked} moves from them, all consistent.`
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
