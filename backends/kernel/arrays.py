"""The arrays that compiled code works on, and the numbers by which it and its callers understand each other.

Compiled code is called with one address: that of 64-bit integers with a task and its numbers, the fields of a `Shape`,
and address, rows and columns of each array of some of the named tuples below, in their order
(`bsp_sat.backends.kernel.calls` fills it in, `bsp_sat.backends.kernel.compiled.arguments` reads it).
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

if TYPE_CHECKING:
    Array = memoryview[Any]  # in compiled code one of numba's; only there a row is taken by its number alone
else:
    Array = memoryview  # which has no items' type at run time

Item = Literal["i", "I", "q", "Q", "d", "B"]
"""Formats of items: 32-bit integers with sign and without, 64-bit ones likewise, floats, bytes."""


class Layout(NamedTuple):
    """How an array stands in memory, which compiled code reads from the types of the named tuples below.

    Attributes:
        item: format of its items, see `bsp_sat.backends.kernel.memory`.
        dimensions: 1 or 2.
    """

    item: Item
    dimensions: int


Bytes = Annotated[Array, Layout("B", 1)]
Ints = Annotated[Array, Layout("i", 1)]
Longs = Annotated[Array, Layout("q", 1)]
Words = Annotated[Array, Layout("Q", 1)]
Floats = Annotated[Array, Layout("d", 1)]
IntRows = Annotated[Array, Layout("i", 2)]
WordRows = Annotated[Array, Layout("Q", 2)]

Numbers = Annotated[Array, Layout("I", 1)]
"""Of contents. Without sign, as numba would look at the sign of each index: a sixth of a search's time."""

NumberRows = Annotated[Array, Layout("I", 2)]

TASK, LIMIT, BUDGET, SHAPE_AT = range(4)
"""Places in the argument: the task, its numbers, the first field of the `Shape`; behind those come the arrays."""

NUMBERS_OF_ARRAY = 3
"""Address, rows and columns."""

UNREACHABLE = 1 << 20
"""The distance, or the bound on it, from where no goal can be reached."""

NO_LIMIT = UNREACHABLE - 1
"""A limit on moves that keeps nothing else out."""

MIXED, UNIFORM, TEMPORARY = 1, 2, 3
"""Kinds of contents: several colours; one colour; one colour in a tube that isn't that colour's home."""

NO_BYTES: Bytes = memoryview(bytearray())
NO_INTS: Ints = memoryview(bytearray()).cast("i")
NO_LONGS: Longs = memoryview(bytearray()).cast("q")
NO_WORDS: Words = memoryview(bytearray()).cast("Q")


class Shape(NamedTuple):
    """How states of a board are built and compared.

    Attributes:
        tubes: number of tubes.
        bits: bits of a packed number.
        per_word: numbers in a word.
        words: words of a packed state.
        by_homes: whether the space is that of homes, with the open homes in the last word.
        pruned: whether the space of moves leaves dominated moves out.
        one_ball: whether a move takes one ball (ball sort) or as many as fit.
        rank_keeps: whether some colour doesn't keep exactly its best bottom run.
        cost_weight: weight of the cost so far in the order of states.
        bound_weight: weight of the bound in the order of states; more than the cost's gives plans sooner, not shortest.
        ruled: whether tubes have rules, see `bsp_sat.backends.kernel.ruled`; only in the space of moves.
        locked: whether some of them are locked.
        whole_pours: whether partial pours are refused.
    """

    tubes: int
    bits: int
    per_word: int
    words: int
    by_homes: bool
    pruned: bool
    one_ball: bool
    rank_keeps: bool
    cost_weight: int
    bound_weight: int
    ruled: bool = False
    locked: bool = False
    whole_pours: bool = False


ARRAYS_AT = SHAPE_AT + len(Shape._fields)


class Contents(NamedTuple):
    """The contents of a board's tubes; all arrays but ``founded``, ``homes`` and ``counts`` are indexed by number.

    Attributes:
        top: colour on top, -1 for the empty tube.
        run: balls in the top run.
        room: balls that still fit.
        bottom: colour at the bottom, -1 for the empty tube.
        work: moves that the contents cost if nothing stays: balls (ball sort) or blocks (water sort).
        keep: moves saved where the bottom run stays.
        stays: balls of the bottom run.
        blocks: [contents, colours] blocks of each colour, for the bound of boards whose colours fill several tubes.
        kind: 0, `MIXED`, `UNIFORM` or `TEMPORARY`.
        less: what is left when one ball, or in the space of homes the top run, is gone.
        more: with one more ball of the top colour; 0 where that can't happen.
        colours: bit set of the colours in it.
        done: 1 where the goal accepts it.
        alone: 1 for a full tube with every ball of its colour.
        founded: [colours, capacity + 1] number of the contents of one colour in a tube that was empty; where tubes have
            rules [groups · colours, capacity + 1].
        homes: [colours] tubes that the colour fills in the end; 0 for all that it stands at the bottom of.
        gives: 1 where the tube may be a source. This and what follows is only where tubes have rules.
        takes: bit set of the colours that may be put in.
        group: number of the tube's rule.
        opens: number of the same contents when the lock has opened, -1 where there is none.
        lock_colour: colour that opens the lock when it is complete, -1 for none.
        lock_tubes: number of complete tubes that opens it.
        complete: balls of a complete tube, 0 for others.
        counts: [colours] balls of each.
    """

    top: Ints
    run: Ints
    room: Ints
    bottom: Ints
    work: Ints
    keep: Ints
    stays: Ints
    blocks: IntRows
    kind: Ints
    less: Numbers
    more: Numbers
    colours: Words
    done: Ints
    alone: Ints
    founded: NumberRows
    homes: Ints
    gives: Ints = NO_INTS
    takes: Words = NO_WORDS
    group: Ints = NO_INTS
    opens: Ints = NO_INTS
    lock_colour: Ints = NO_INTS
    lock_tubes: Ints = NO_INTS
    complete: Ints = NO_INTS
    counts: Ints = NO_INTS


class Scratch(NamedTuple):
    """Room to work in.

    Attributes:
        state: [tubes] the numbers of the state in work.
        child: [tubes] the numbers of a state after it.
        kept: [tubes] the same, kept while a variant of it is in work.
        key: [words] a packed state.
        best: [colours] figures by colour.
        ranks: [colours, capacity + 1] how many bottom runs of a colour are worth so much.
        longest: [colours] longest bottom run of a colour.
        targets: [tubes] places in ``state``.
        amounts: [tubes] balls for each of them.
        loads: [colours] most balls of a colour in a temporary.
        fullest: [colours] number of the fullest tube of one colour that has room, -1 for none.
        most_room: [colours] most room in a tube of one colour.
    """

    state: Numbers
    child: Numbers
    kept: Numbers
    key: Words
    best: Ints
    ranks: IntRows
    longest: Ints
    targets: Ints
    amounts: Ints
    loads: Ints
    fullest: Ints
    most_room: Ints


# -- the search --------------------------------------------------------------------------------------------

SEARCH, DEEPEN, REFILL, LINE_UP, LIST_STATES = range(5)
"""What the search may be asked for, see `bsp_sat.backends.kernel.compiled.loops` and ``states``."""

GROW, GOAL, EXHAUSTED, PAUSED = range(4)
"""How a search ends: an array is full, a goal was taken out, no state is left, the budget is used up."""

STATES, ENTRIES, RECYCLED, BUCKET, EXPANSIONS, FOUND, CUT, STACKED, FRONTIER, COUNTERS = range(10)
"""Places of the counters: states; entries made; first of the entries to use again; bucket in work; expansions; the
goal's state; whether a state was left out for the limit on plans; states on the stack of `deepen`, -1 before; open
states that `deepen` has taken."""

TIES = 256  # buckets for each rank: of equals, the state with the least bound goes first
FIRST_STATES = 1 << 12  # that there is room for at first
STACK = 1 << 16  # places for states that `deepen` needs: a plan's steps times the states after each


class Store(NamedTuple):
    """All states so far, and the queue.

    Attributes:
        keys: [states, words] packed states; here and in the next three `STACK` places stay free for `deepen`.
        cost: [states] moves of the best way found.
        bound: [states] lower bound on the moves to the goal.
        parent: [states] the state before on that way, -1 for the start.
        table: hash table of state numbers, -1 where free; its length is a power of two.
        heads: [buckets] first entry of each bucket, -1 where empty.
        entry: [entries, 3] state, cost when it was put in (-1 since it was taken out), next entry of the bucket.
        frontier: [open states] those that `deepen` begins at; none before the memory is used up.
        counters: see `STATES`.
        rows: [states · (tubes + 1)] what `LIST_STATES` lists: the numbers of each state, then its cost.
    """

    keys: WordRows
    cost: Ints
    bound: Ints
    parent: Ints
    table: Ints
    heads: Ints
    entry: IntRows
    frontier: Ints
    counters: Longs
    rows: Ints = NO_INTS


SEARCH_ARRAYS: tuple[type[NamedTuple], ...] = (Contents, Scratch, Store)
"""What the search works on."""


# -- the position graph ------------------------------------------------------------------------------------

WALK, COUNT, MEASURE, LIST, PLAY, WANDER = range(6)
"""What the graph may be asked for, see `bsp_sat.backends.kernel.compiled.walks`, ``plays`` and ``successors``."""

COMPLETE, TOO_MANY = range(2)
"""How `WALK` ends: nothing is left out but what was asked to be, or an array is full."""

POSITIONS, EDGES, SPARE, STYLE, PLAYS, TALLIES = range(6)
"""Places of the tallies: positions; edges; whether finished tubes are spared; style of the players; plays."""

LIMBS = 4
"""64-bit words of an exact count, the least significant first."""

ANY, GREEDY = range(2)
"""Styles of simulated players, see `bsp_sat.backends.kernel.compiled.plays`."""


class Graph(NamedTuple):
    """Positions of one board, and the moves between them.

    Positions are numbered in the order in which a breadth-first walk meets them, the board itself being 0.

    Attributes:
        keys: [positions, words] packed positions.
        depth: [positions] fewest moves from the board.
        goal: [positions] 1 where the goal accepts it; no game goes on from there.
        successors: [positions] the number of its different next positions, kept or not.
        good: [positions] those of them that are on shortest plans.
        first: [positions + 1] its first edge.
        target: [edges] a different next position that was kept.
        times: [edges] legal moves that lead there.
        distance: [positions] fewest moves to a goal, `UNREACHABLE` where there is no way.
        plans: [positions, LIMBS] exact number of shortest plans from here.
        before: [positions] the shortest plans' beginnings that lead here.
        after: [positions] the number of `plans` again, rounded.
        table: hash table of position numbers, -1 where free; its length is a power of two.
        here: [words] the position in work, packed.
        next_keys: [next positions, words] those of one position, packed.
        next_times: [next positions] legal moves that lead there.
        next_numbers: [next positions · tubes] those of the position that `LIST` is asked about, unpacked.
        choices: [tubes²] moves that a player may make, as source · tubes + target.
        chance: [1] state of the random numbers.
        tallies: see `POSITIONS`.
    """

    keys: WordRows
    depth: Ints
    goal: Ints
    successors: Ints
    good: Ints
    first: Ints
    target: Ints
    times: Ints
    distance: Ints
    plans: WordRows
    before: Floats
    after: Floats
    table: Ints
    here: Words
    next_keys: WordRows
    next_times: Ints
    next_numbers: Ints
    choices: Ints
    chance: Words
    tallies: Longs


GRAPH_ARRAYS: tuple[type[NamedTuple], ...] = (Contents, Scratch, Graph)
"""What the graph works on."""


# -- boards as bytes ---------------------------------------------------------------------------------------

TABLES, NUMBERS, PLAN, BATCH = range(4)
"""What may be asked for of boards, see `bsp_sat.backends.kernel.compiled.batch_entry`."""

WATER, MONOCHROME, BY_HOMES = 1, 2, 4
"""Bits of a packed board's first byte: water sort; the goal ``monochrome``; the space of homes."""

FLAGS, CAPACITY, COLOURS, TUBES, LOADS = range(5)
"""Places in a packed board: those bits, balls a tube, colours, tubes; from the last on one byte a tube, its balls. Then
come the balls of all tubes, bottom first."""


class Packed(NamedTuple):
    """Boards as bytes, and what is made of them.

    Attributes:
        boards: packed boards, one behind the other, see `FLAGS`.
        moves: source and target of each move of a plan.
        arena: see `ARENA_ARRAYS`.
    """

    boards: Bytes
    moves: Bytes
    arena: Longs


class Table(NamedTuple):
    """A board's tubes in their order.

    Attributes:
        numbers: [tubes] of their contents; -1 - colour for the open home of a colour.
        after: [tubes] the same, after a step that is tried.
        decided: [tubes] the same, after a decision that is tried.
        sorted: [tubes] room to compare them in.
    """

    numbers: Ints
    after: Ints
    decided: Ints
    sorted: Ints


class Trie(NamedTuple):
    """What tubes can hold, as runs on top of each other: a node is a run with all that lies beneath it.

    A content is a node and its number of balls. The first nodes are the runs that lie on nothing, by colour.

    Attributes:
        colour: [nodes] of the run.
        beneath: [nodes] the node beneath, -1 for none.
        height: [nodes] balls beneath.
        child: [nodes] a node right above, -1 for none.
        sibling: [nodes] another one above the same node, -1 for none.
        bottom: [nodes] colour at the bottom.
        stays: [nodes] balls of the bottom run, 0 where it is this one.
        alike: [nodes] balls beneath that have the colour at the bottom.
        runs: [nodes] number of runs, with this one.
        number: [nodes, capacity + 1] of each content by its balls, -1 where there is none.
    """

    colour: Ints
    beneath: Ints
    height: Ints
    child: Ints
    sibling: Ints
    bottom: Ints
    stays: Ints
    alike: Ints
    runs: Ints
    number: IntRows


ARENA_ARRAYS: tuple[type[NamedTuple], ...] = (Contents, Scratch, Store, Trie, Table)
"""What compiled code lays out in an arena: memory that begins with an argument like those that it is called with."""

ARENA_AT = ARRAYS_AT + NUMBERS_OF_ARRAY * sum(len(kind._fields) for kind in ARENA_ARRAYS)
BASE, END, CURSOR, NODES, CONTENTS, MOST_STATES, ARENA_HEAD = range(ARENA_AT, ARENA_AT + 7)
"""Places in an arena behind that argument: the address from which on it is free, and that of its end, which the caller
fills in; the address up to which it is used; nodes of the trie; contents; states that there is room for; the length of
all that."""


# -- many boards -------------------------------------------------------------------------------------------

UNFINISHED, NO_PLAN = -1, -2
"""Outcomes: a search takes more room or expansions than it may; no plan leads along the states that were found."""

OUTCOME, MOVES, SPENT, MOVES_END, ANSWER = range(5)
"""Places in an answer: `GOAL`, `EXHAUSTED` or `UNFINISHED`; moves of a shortest plan; expansions; where its plan ends
among all moves that were written."""

ITEM, BYTE, PHASE, WRITTEN, MOST_EXPANSIONS, PLANS, PROGRESS = range(7)
"""Places of the progress: the board or start in work; its first byte; see `NEXT`; moves written; expansions that one
search may take; whether plans are to be written."""

NEXT, SEARCHING, REACHED = range(3)
"""What comes next: to begin with a board, to go on with its search, to write down its plan."""


class Batch(NamedTuple):
    """The answers for many boards.

    Attributes:
        answers: [boards, ANSWER] see `OUTCOME`.
        progress: see `ITEM`.
    """

    answers: IntRows
    progress: Longs


TABLES_ARRAYS: tuple[type[NamedTuple], ...] = (Packed, Table)
PLAN_ARRAYS: tuple[type[NamedTuple], ...] = (Packed, Table, Contents, Scratch, Store)
BATCH_ARRAYS: tuple[type[NamedTuple], ...] = (Packed, Batch)
"""What those tasks work on."""


# -- all boards of a class -----------------------------------------------------------------------------------

LIST_BOARDS, LIST_UNSOLVABLE, WEIGH = range(3)
"""What may be asked for, see `bsp_sat.backends.kernel.compiled.classes_entry`."""

PLACE, LENGTH, COUNTED, LISTED, EMPTIES, STAMP, CLASS_FIGURES = range(7)
"""Places of the figures: the place of the word that is filled next; the length of words; words so far; words in
``rows``; empty tubes; the mark of the board in work in ``seen``."""


class AllBoards(NamedTuple):
    """The boards of n colours and capacity h, one of all that differ by names and order, and their border tables.

    Attributes:
        word: [n · h] colours of the board in work, tube by tube, bottom first.
        used: [n] balls of each colour in it.
        named: [n · h + 1] colours that occur before each place.
        order: [n] tubes in another order, as far as it is tried.
        taken: [n] whether a tube is in that order.
        names: [n + 1, n] names that the colours get in that order, -1 for none yet, before each tube.
        rows: [rows · n · h] words that were found.
        heights: [n, h] height of each border of a tube, from the lowest; the first is 0, the bottom.
        borders: [n] borders of each tube.
        above: [n · h, n] balls of each colour above each border.
        radix: [n + 1] what a tube's borders count in the number of a table; the last is the number of tables.
        table: [n] borders left in each tube.
        left: [n] for each colour, the balls above borders less the places for them.
        seen: [tables] mark of the last board for which a table was reached.
        stack: [tables] tables to go on from.
        ways: [tables] number of paths to a table.
        figures: see `PLACE`.
    """

    word: Ints
    used: Ints
    named: Ints
    order: Ints
    taken: Ints
    names: IntRows
    rows: Bytes
    heights: IntRows
    borders: Ints
    above: IntRows
    radix: Ints
    table: Ints
    left: Ints
    seen: Longs
    stack: Ints
    ways: Floats
    figures: Longs


CLASS_ARRAYS: tuple[type[NamedTuple], ...] = (AllBoards,)
"""What they work on."""


# -- all boards of a class, case by case -----------------------------------------------------------------------

CASE_EMPTIES, CASE_FULL, CASE_MARK, CASE_LEVEL, CASE_FRESH, CASE_COUNT, CASE_DEAD, CASE_FIGURES = range(8)
"""Places of the figures: empty tubes; the capacity; the mark of the case in work in ``seen``; how many runs were
uncovered; whether the case in work hasn't been looked at; cases that were decided; how many of them can't be
solved."""

BOARDS_DECIDED, BOARDS_DEAD, CASE_TOTALS = range(3)
"""Places of the totals: boards of the cases that were decided, and of those that can't be solved; both modulo 2⁶⁴."""


class Cases(NamedTuple):
    """The walk through the cases of a class with n colours and capacity h, see `bsp_sat.census.cases`.

    Attributes:
        runs: [n] runs of each tube that are uncovered, at least one.
        run_colours: [n, h] their colours, from the top.
        run_ends: [n, h] balls of the tube down to each run's end.
        above: [n · h, n] for tube t and run r, in row t · h + r, balls of each colour down to its end.
        rest: [n] balls of each colour that are still covered.
        radix: [n + 1] what a tube's runs count in the number of a table; the last is the number of tables.
        table: [n] for the table in work, the last run above each tube's border.
        left: [n] for each colour, the balls above borders less the places for them.
        seen: [tables] mark of the last case in which a table was reached.
        stack: [tables] tables to go on from.
        tube: [n · h] at each level, the tube whose next run is uncovered.
        colour: [n · h] the colour of that run; -1 before the first.
        length: [n · h] its length; 0 if there is none in place.
        used: [n · h + 1] colours in use at each level.
        ways: [n · h + 1] in how many ways colours and tubes of a level's case can be exchanged, modulo 2⁶⁴.
        binomials: [n · h + 1, n · h + 1] binomial coefficients modulo 2⁶⁴.
        taken: [n] balls that are taken from ``rest`` for a count.
        example: [n · (h + 1)] of the first case that can't be solved, for each tube: its runs' balls, from the top;
            -1 where it is covered.
        totals: see `BOARDS_DECIDED`.
        figures: see `CASE_EMPTIES`.
    """

    runs: Ints
    run_colours: IntRows
    run_ends: IntRows
    above: IntRows
    rest: Ints
    radix: Ints
    table: Ints
    left: Ints
    seen: Longs
    stack: Ints
    tube: Ints
    colour: Ints
    length: Ints
    used: Ints
    ways: Words
    binomials: WordRows
    taken: Ints
    example: Ints
    totals: Words
    figures: Longs


class Positions(NamedTuple):
    """The search for positions from which every board can be solved, see `bsp_sat.census.cases`.

    A row of the two-dimensional arrays belongs to a level of that search.

    Attributes:
        tubes: [n · h + 1] tubes that have a border.
        sizes: [n · h + 1, n] balls above it, from high to low.
        colours: [n · h + 1, n] the colour right above it.
        exposed: [n · h + 1, n] balls of each colour above borders and in tubes without one.
        left: [n · h + 1, n] the same less the places for them.
        free: [n · h + 1] tubes without borders, less the colours that need one.
        tube: [n · h + 1] the tube whose border goes; -1 before the first.
        colour: [n · h + 1] the colour of the run below it.
        length: [n · h + 1] its length; 0 before the first.
        keys: [n · h + 1, n] the positions, as they are known by: a number for each colour, sorted.
        known: [places, n] keys of positions that were decided.
        values: [places] 1 if every board can be solved, -1 if not, 0 where there is no key.
    """

    tubes: Ints
    sizes: IntRows
    colours: IntRows
    exposed: IntRows
    left: IntRows
    free: Ints
    tube: Ints
    colour: Ints
    length: Ints
    keys: WordRows
    known: WordRows
    values: Ints


CASE_ARRAYS: tuple[type[NamedTuple], ...] = (Cases, Positions)
"""What a case distinction works on."""
