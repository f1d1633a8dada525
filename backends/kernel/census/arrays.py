"""What compiled code is handed for all boards of a class."""

from typing import NamedTuple

from bsp_sat.backends.kernel.native.layout import Bytes, Floats, IntRows, Ints, Longs, WordRows, Words

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


# -- case by case ------------------------------------------------------------------------------------------

CASE_EMPTIES, CASE_FULL, CASE_MARK, CASE_LEVEL, CASE_FRESH, CASE_COUNT, CASE_DEAD = range(7)
CASE_OPEN, CASE_WON, CASE_WRITTEN, CASE_FIGURES = range(7, 11)
"""Places of the figures: empty tubes; the capacity; the mark of the case in work in ``seen``; how many runs were
uncovered; whether the case in work hasn't been looked at; cases that were decided; how many of them can't be
solved; a bit for each tube whose next run may be uncovered; the table with a won position; bytes of ``proof``."""

UNCOVER, DIG, KNOWN = 0, 32, 64
"""What ``proof`` says of a case: plus a tube, its next run tells cases apart; plus a tube, its border goes; the
position is one that is won."""

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
        gone: [tables] the tube whose border went last on the way to a table.
        proof: the steps of the proof so far, see `UNCOVER`.
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
    gone: Bytes
    proof: Bytes
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


class Distinction(NamedTuple):
    """A case distinction.

    Attributes:
        cases: the walk through the cases.
        positions: what is known of positions.
    """

    cases: Cases
    positions: Positions
