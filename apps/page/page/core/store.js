/** All that the page knows, in one object. What shows something subscribes; what changes something calls `set`. */

/** @type {Verdict} */
export const NO_VERDICT = {
  kind: "none",
  low: 0,
  high: null,
  plan: null,
  seconds: 0,
  ahead: 0,
  takeBack: null,
  words: "",
};

/** @type {HintState} */
export const NO_HINT = { tube: null, move: null, costs: null };

/** @type {Learning} */
export const NO_LESSONS = {
  lesson: "why",
  methods: null,
  running: null,
  ahead: 0,
  problem: "",
  start: null,
  why: null,
  bounds: null,
  questions: null,
  formula: null,
};

/** @type {State} */
const EMPTY = {
  screen: null,
  notice: "",
  given: null,
  board: null,
  look: null,
  hidden: false,
  made: [],
  ahead: [],
  position: null,
  verdict: NO_VERDICT,
  picture: null,
  entry: null,
  making: null,
  comparing: false,
  settings: {
    puzzle: "ball-sort",
    difficulty: "easy",
    letters: false,
    sounds: null,
    vibration: false,
    proof: "number",
  },
  advice: null,
  hint: NO_HINT,
  hinted: false,
  selected: null,
  playing: false,
  learning: NO_LESSONS,
  error: "",
};

export class Store {
  constructor() {
    this.state = EMPTY;
    /** @type {((state: State, before: State) => void)[]} */
    this.listeners = [];
  }

  /** @param {Partial<State>} changes */
  set(changes) {
    const before = this.state;
    this.state = { ...before, ...changes };
    for (const listener of this.listeners) listener(this.state, before);
  }

  /** @param {(state: State, before: State) => void} listener called after each change, and now if there is a state */
  subscribe(listener) {
    this.listeners.push(listener);
    if (this.state !== EMPTY) listener(this.state, EMPTY);
  }
}
