"""Ball sort and water sort: tubes of coloured balls, moved top to top.

A move takes balls from the top of one tube to another tube that is not full and is empty or shows
the same colour on top. Ball sort moves one ball; water sort pours the whole top run, as much of it as
fits. Either costs one move. The goal ``full`` asks that each tube is empty or holds a full load of
one colour, ``monochrome`` only that no tube mixes colours.

Rules and complexity: Ito et al., *Sorting Balls and Water: Equivalence and Computational
Complexity*, FUN 2022, doi 10.4230/LIPIcs.FUN.2022.16.

    board.py      what both share: tubes, rules and covers
    written.py    how they are written and read
    position.py   moves, goals, lower bounds, symmetry
    ball.py       ball sort, with the lower bound of plain boards
    water.py      water sort, the same
    detours.py    the lower bound where balls go anywhere
    rules.py      runs of one tube; the keys of the board file; rules for tubes and boards
    covers.py     covered and unknown cells
    reading.py    rules and covers from the fields of a file
    notation.py   boards as text
    tables.py     tables of cells from lists and lines in any other spelling
    fitting.py    the board that a table can be
    other_notations.py  two notations of other programs
    generator.py  random boards
"""

from bsp_sat.instances.sorting.ball import BallSort
from bsp_sat.instances.sorting.board import MAX_CAPACITY, MONOCHROME, SEVERAL_HOMES, Pour
from bsp_sat.instances.sorting.covers import NEW_COLOUR, Filling, Place
from bsp_sat.instances.sorting.detours import group_size
from bsp_sat.instances.sorting.position import SortPuzzle, is_hidden
from bsp_sat.instances.sorting.rules import (
    ANYWHERE,
    COLOURED,
    COVERED,
    GOALS,
    MAX_COLOURS,
    TUBE_RULES,
    UNKNOWN,
    WANTED,
    Goal,
    Lock,
    Rules,
    TubeRule,
    block_count,
    bottom_run,
    may_end_in,
    most_homes,
    top_run,
)
from bsp_sat.instances.sorting.water import WaterSort

__all__ = [
    "ANYWHERE",
    "COLOURED",
    "COVERED",
    "GOALS",
    "MAX_CAPACITY",
    "MAX_COLOURS",
    "MONOCHROME",
    "NEW_COLOUR",
    "SEVERAL_HOMES",
    "TUBE_RULES",
    "UNKNOWN",
    "WANTED",
    "BallSort",
    "Filling",
    "Goal",
    "Lock",
    "Place",
    "Pour",
    "Rules",
    "SortPuzzle",
    "TubeRule",
    "WaterSort",
    "block_count",
    "bottom_run",
    "group_size",
    "is_hidden",
    "may_end_in",
    "most_homes",
    "top_run",
]
