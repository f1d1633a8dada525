/**
 * What the page's modules hand to each other: all of them know these names. Only type checkers read this file; browsers
 * never ask for it.
 */

type Controls = import("./levels/controls.js").Controls;
type Game = import("./core/game.js").Game;
type Lessons = import("./learn/lessons.js").Lessons;
type Packs = import("./levels/packs.js").Packs;
type Store = import("./core/store.js").Store;

/** What an element may hold. */
type Child = Node | string | number | null | undefined | false;

/** What every part of the page may use. */
interface App {
  store: Store;
  game: Game;
  prover: import("./core/prover.js").Prover;
  advisor: import("./core/advisor.js").Advisor;
  /** Shows another screen. */
  go(screen: ScreenName, query?: string): void;
  /** Shows the screen before this one. */
  back(): void;
  /** Tells it to people who can't see the page. */
  announce(text: string): void;
  /** Shows it on the screen. */
  notice(text: string): void;
  enterDialog(): Promise<{ open(): void; take(file: File): void }>;
  shareDialog(): Promise<{ open(): void }>;
}

type Colour = string | number;

/** A move as JSON plans write it: `[from, to]`, a column, or `[x, y, direction]`. */
type Move = number | (number | string)[];

/** A board in the JSON form of docs/formats.md. */
type Board = Record<string, unknown>;

// What Python's classes have; they say what it means.
// computed: page-types

type Status = "optimal" | "feasible" | "unsolvable" | "unknown";

type How = "exact" | "sampled" | "bounded";

type Asks = "at most" | "exactly" | "any";

/** `bsp_sat.backends.result.Question` */
interface Question {
  asks: Asks;
  horizon: number | null;
  layers: number | null;
  exact: boolean;
  variables: number;
  clauses: number;
  satisfiable: boolean | null;
  conflicts: number | null;
  seconds: number;
}

/** `bsp_sat.apps.covered.effects.Effects` */
interface Effects {
  opened: number[];
  corked: number[];
  solved: boolean;
}

/** `bsp_sat.apps.covered.policy.Advice` */
interface Advice {
  route: Move[];
  shows: boolean;
  restart: boolean;
  solved: boolean;
  hopeless: boolean;
  stuck: boolean;
  known: boolean;
  left: number;
  alive: number;
  fillings: number;
  drawn: boolean;
}

// end

/** One entry of a game: a move; on boards with hidden cells also what was seen, and new starts. */
type Step = { move: Move } | { saw: Record<string, Colour[]> } | { noticed: Effects } | { restart: true };

/** What a tube may do now, as the server says it. */
interface TubeRule {
  capacity: number;
  locked: string | null;
  corked: boolean;
  takes: boolean;
  gives: boolean;
  accepts: Colour[] | null;
  colour: Colour | null;
  /** Whether any ball goes onto any other, where that isn't so in all tubes. */
  any_top?: boolean;
}

interface NamedColour {
  colour: Colour;
  name: string;
  symbol: string;
  fill: string;
  ink: string;
}

/** The server's answer about a board and the moves made on it: `board` is the start, `position` what it is now. */
interface Position {
  name: string;
  puzzle: string;
  /** What the board's text was taken for; empty if it was in the project's own format. Of a start alone. */
  read_as?: string;
  summary: string;
  board: Board;
  position: Board;
  /** The position in text notation; null if that can't write it. */
  text: string | null;
  moves: Move[];
  legal: Move[];
  /** Each legal move in words. */
  words: string[];
  goal: boolean;
  lower_bound: number | null;
  colours: NamedColour[];
  hidden: boolean;
  /** Names for the colours that haven't shown yet. */
  unseen: Colour[];
  /** What comes up when a covered cell is uncovered, null where none is: all of its colour that touch, or one. */
  reveal: "run" | "cell" | null;
  last: string | null;
  /** What the last move did, see `move_text.py`; empty for puzzles that the page has no view of. */
  effect: { from?: number; to?: number; amount?: number; colour?: Colour } | null;
  tubes?: TubeRule[] | null;
  /** Cells with their colours, and how moves are read; null for puzzles that the page has a view of. */
  picture: { rows: [string, Colour | null][][]; header: string[]; move_key: string } | null;
  /** Tubes that show something, to be answered by a step `saw`. */
  looking?: number[];
  /** The true answer, if the file has `contents`. */
  shows?: Record<string, Colour[]> | null;
  /** What may have happened, to be answered by a step `noticed`. */
  asking?: Effects | null;
  /** The true answer, if the file has `contents`. */
  noticed?: Effects | null;
  attempts?: number;
  all_moves?: number;
  advice?: Advice | null;
}

/** What is known about the moves that are left: every number in it is proved. */
interface Verdict {
  kind: "none" | "searching" | "optimal" | "open" | "lost" | "goal" | "hidden" | "failed";
  low: number;
  high: number | null;
  plan: Move[] | null;
  seconds: number;
  ahead: number;
  takeBack: number | null;
  words: string;
}

interface MoveCost {
  move: Move;
  lost: boolean | null;
  cost: [number, number | null] | null;
}

/** The move that a player was shown, and where it begins; costs of all moves if they were asked for. */
type HintState = { tube: number | null; move: Move | null; costs: MoveCost[] | null };

type ScreenName = (typeof import("./core/navigation.js").NAMES)[number];

/** How a game shows a board. */
interface Look {
  /** Tubes in each row, from the top; empty if that isn't known. */
  rows: number[];
  /** `#rrggbb` by the name of a colour. */
  colours: Record<string, string>;
  /** The board is from a picture, and a question about it was left open. */
  doubted?: boolean;
}

/** A cell, from the bottom. */
type Place = { tube: number; cell: number };

/** A cell that was found in a picture; its colour is null where the game covers it. */
type FoundCell = { box: Box; colour: string | null; doubtful: boolean; alternatives: string[] };

interface FoundTube {
  box: Box;
  row: number;
  capacity: number;
  /** From the bottom. */
  cells: FoundCell[];
  /** Where the game covers the tube: the colour that opens it, null if that isn't seen. */
  locked?: { until: string | null };
}

/** The board that a picture shows, with what a person has corrected. */
interface FoundBoard {
  puzzle: string;
  capacity: number;
  reveal: "run" | "cell";
  tubes: FoundTube[];
  colours: Record<string, string>;
  /** What is doubtful about the whole, in words; empty as soon as a person has changed something. */
  doubts: string[];
  /** Where something is seen that the board doesn't explain. */
  unexplained: Box[];
  /** Whether a person has answered what was asked about the whole. */
  confirmed: boolean;
}

/** Column and row of a pixel. */
type Point = [number, number];

/** A row of tubes that a person shows in a picture. Points are in pixels of the picture. */
interface ShownRow {
  /** The middles of the top left and the bottom right cell, as far as they are marked. */
  corners: Point[];
  tubes: number;
  /** How many each tube can hold. */
  cells: number;
}

/** A picture, and what is known of it so far. */
interface PictureWork {
  file: Blob;
  bitmap: ImageBitmap | null;
  /** Null until it is read. */
  found: FoundBoard | null;
  /** What was opened of it. */
  board: Board | null;
  chosen: Place | null;
  /** Where a person has said that the tubes are. */
  rows: ShownRow[];
  /** Which of the rows is being shown, null while none is. */
  row: number | null;
  busy: boolean;
  /** What is wrong, in a sentence. */
  problem: string;
  /** What the reader or the rules say of it. */
  why: string;
  /** Whether it was refused, or not answered, so that another try may help. */
  failed: "refused" | "unanswered" | null;
}

/** A cell that is filled in; null is a colour that isn't known. */
type EntryCell = { colour: string | null; covered: boolean };

interface EntryTube {
  /** From the bottom, as many as fit; null for one that isn't filled in. */
  cells: (EntryCell | null)[];
  /** What opens it, as JSON; empty if it isn't locked. */
  lock: string;
  takesAny: boolean;
  takes: boolean;
  gives: boolean;
  /** The colours that it is for; empty for all. */
  accepts: string[];
}

/** A board that is entered by hand. Each change makes a new one. */
interface Entry {
  /** What files say of the board besides its tubes: its name, its rules. */
  about: Board;
  /** Cells of a usual tube. */
  capacity: number;
  tubes: EntryTube[];
  /** How many tubes at the end stay empty. */
  empty: number;
  /** Where the next colour goes. */
  at: Place | null;
  /** `#rrggbb` by name, of as many colours as the board has. */
  colours: Record<string, string>;
  rows: number[];
  /** The entry before the last change, and the one that was undone last. */
  before: Entry | null;
  after: Entry | null;
  /** What is wrong, in words. */
  problem: string;
}

/** A level that comes with the page: its number from 0, and a letter for each ball, tube by tube from the bottom. */
type Level = { puzzle: string; difficulty: string; number: number; balls: string; optimum: number };

/** The level in play, and how many tubes were added to it. */
type Played = { level: Level; added: number };

/** How levels are played for fun. */
interface Settings {
  puzzle: string;
  difficulty: string;
  /** Whether colours have letters on them. */
  letters: boolean;
  sounds: boolean | null; // null before somebody was asked
  vibration: boolean;
  /** How much is shown of what is proved. */
  proof: "hidden" | "number" | "all";
}

/** Light, dark, or empty: as the system says. */
type Theme = "" | "light" | "dark";

/**
 * What was solved: fewest moves by level, null where it was solved with a tube more alone; and the days, in order,
 * counted from 1 January 1970, on which their daily level was.
 */
type Results = { best: Record<string, number | null>; days: number[] };

/** What the page keeps in the browser, by name. */
interface Kept {
  games: KeptGame[];
  keys: "on" | "off";
  levels: OwnLevel[];
  results: Results;
  /** Those that a person has chosen. */
  settings: Partial<Settings>;
  theme: Theme;
}

/** A game as the browser keeps it. */
type KeptGame = Pick<State, "made" | "look"> & { board: Board; screen: ScreenName; solved: boolean; hinted?: boolean };

interface State {
  /** Null until the address has been read. */
  screen: ScreenName | null;
  /** A sentence for the screen, until something else happens. */
  notice: string;
  /** A file that was chosen, dropped or pasted and that the screen it is for hasn't taken yet: a picture, or levels. */
  given: File | null;
  board: Board | null;
  look: Look | null;
  hidden: boolean;
  made: Step[];
  ahead: Step[];
  position: Position | null;
  verdict: Verdict;
  picture: PictureWork | null;
  entry: Entry | null;
  /** Null until the screen for making levels is first shown. */
  making: Making | null;
  /** Whether a person who follows the plan goes back to where both boards look the same. */
  comparing: boolean;
  settings: Settings;
  /** On boards with hidden cells: what to do next, null until that is known. */
  advice: Advice | null;
  hint: HintState;
  /** Whether a hint has shown a move of this game: it costs a star. */
  hinted: boolean;
  selected: number | string | null;
  playing: boolean;
  learning: Learning;
  error: string;
}

type LessonName = "start" | "why" | "bounds" | "questions" | "formula";

/** What is known at one moment of a search; the upper bound is null before a solution is found. */
type BoundPoint = { seconds: number; lower: number; upper: number | null };

/** The formula at a horizon. `unsat` is what the answer "no" means; kinds are the first words of variables' names. */
interface FormulaAnswer {
  encoding: string;
  horizon: number;
  unsat: string;
  variables: { kind: string; count: number; arguments: string[] | null; meaning: string | null }[];
  clauses: { group: string; count: number; meaning: string | null; example: string | null; words: string | null }[];
  blocks: { tube: number; level: number; size: number; colour: number }[] | null;
  colours: Colour[] | null;
}

/** Why the position is lost, or no plan is shorter; figures are null where they aren't known. */
interface WhyAnswer {
  status: Status;
  length: number | null;
  lower_bound: number | null;
  /** The lower bound without a search. */
  bound: number;
  /** How many positions can follow a lost one, up to the order of tubes. */
  positions: number | null;
  /** How many states a search expanded; a state can stand for many positions. */
  states: number | null;
  /** How many border tables prove that it is lost. */
  tables: number | null;
  /** The reason in words. */
  sentences: string[];
}

/** What takes the position: of encodings and SAT solvers the default one comes first. */
interface Methods {
  encodings: string[];
  sat_solvers: string[];
  /** Without a search. */
  lower_bound: number;
}

/**
 * The screen for learning. All but the lesson and the view is about the position; null is what hasn't been asked for.
 */
interface Learning {
  lesson: LessonName;
  methods: Methods | null;
  /** The lesson whose search runs. */
  running: LessonName | null;
  /** How many searches are before it. */
  ahead: number;
  /** What went wrong, in words. */
  problem: string;
  start: { formula: FormulaAnswer; outcome: SolveAnswer; why: WhyAnswer } | null;
  why: WhyAnswer | null;
  /** `outcome` is null until the search has ended by itself; `shown` is a number of points. */
  bounds: { points: BoundPoint[]; shown: number; playing: boolean; outcome: Status | null } | null;
  /** `now` is the horizon that is asked about. */
  questions: { asked: Question[]; now: number | null; outcome: SolveAnswer | null } | null;
  formula: FormulaAnswer | null;
}

/** A part of the screen for learning; `shown` is called each time it comes up. */
type Lesson = { draw(learning: Learning): Child[]; shown?(): void };

interface SolveAnswer {
  status: Status;
  length: number | null;
  lower_bound: number | null;
  plan: Move[] | null;
  reason: string;
  seconds: number;
  notes?: string[];
  stats?: { questions?: Question[] };
}

interface HintAnswer extends Pick<SolveAnswer, "status" | "length" | "lower_bound" | "plan"> {
  moves: MoveCost[];
  recommended: Move | null;
}

/** How a position is drawn and played with; one for each way that puzzles look. */
interface View {
  element: HTMLElement;
  draw(state: State): void;
  /** Shows the way from the position drawn before to `state`, which is drawn already. */
  animate?(before: Position, state: State, move: Move, backwards: boolean): void;
  roving: import("./board/roving.js").Roving;
}

/**
 * Pixels to draw in, and of the narrowest and the widest tube; of a row that are no drawing; and of what floats above
 * the first row, in widths of a tube.
 */
type Room = { width: number; height: number; least: number; most: number; around: number; over?: number };

/** What a view may ask for. */
interface Actions {
  /** Chooses a tube or a ball, or nothing. */
  select(key: number | string | null): void;
  /** A tube was clicked: the first one is the source, the second the target. */
  choose(place: number): void;
  move(move: Move): void;
  room(): Room;
}

/** What is known of one measure of a board (docs/grading.md). */
interface Figure {
  /** Null where only an interval is known. */
  value: number | null;
  how: How;
  interval?: [number | null, number | null];
  percentile: number | null;
}

/** By name of the measure. Boards without a solution have no `optimum`. */
type Grades = Record<string, Figure>;

/** A level that somebody makes or collects. */
interface OwnLevel {
  id: number;
  name: string;
  board: Board;
  /** What the board is, in words. */
  summary: string;
  /** Fill by colour, `#rrggbb`. */
  colours: [Colour, string][];
  /** Null until it is graded. */
  grades: Grades | null;
}

/** The screen for making levels. */
interface Making {
  /** Kept in this browser. */
  levels: OwnLevel[];
  /** The one that is shown; its `id` is 0 until it is kept. */
  level: OwnLevel | null;
  /** What it was chosen by. */
  choice: string | null;
  /** What is being done, in words; empty if nothing is. */
  work: string;
  /** What was done last, in words. */
  done: string;
  /** What is wrong, in words. */
  problem: string;
}

/** Left, top, right and bottom in pixels of the picture. */
type Box = [number, number, number, number];

/** The board that a picture shows, as `bsp-sat read` prints it (docs/pictures.md). */
interface Reading {
  puzzle: string;
  capacity: number;
  tubes: (string | null)[][];
  hidden?: boolean[][];
  capacities?: number[];
  locked?: { tube: number; until: string | null }[];
  sure: boolean;
  doubts: string[];
  doubtful: [number, number][];
  reasons: string[];
  picture: {
    size: [number, number];
    rows: number[];
    colours: Record<string, string>;
    tubes: { box: Box; cells: { box: Box; alternatives: [string, number][] }[] }[];
    unexplained: Box[];
  };
}

/** One way to read a text, see docs/page.md. */
interface BoardReading {
  words: string;
  doubts: string[];
  /** Of the command line. */
  option: string;
  /** What a request says to get this reading. */
  choices: object;
  /** The first of its boards that isn't the same in all readings. */
  board: Board;
  colours: [Colour, string][];
}
