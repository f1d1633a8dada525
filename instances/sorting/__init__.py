"""Ball sort and water sort: tubes of coloured balls, moved top to top.

A move takes balls from the top of one tube to another tube that is not full and is empty or shows
the same colour on top. Ball sort moves one ball; water sort pours the whole top run, as much of it as
fits. Either costs one move. The goal ``full`` asks that each tube is empty or holds a full load of
one colour, ``monochrome`` only that no tube mixes colours.

Rules and complexity: Ito et al., *Sorting Balls and Water: Equivalence and Computational
Complexity*, FUN 2022, doi 10.4230/LIPIcs.FUN.2022.16.

    position.py   what both share: moves, goals, symmetry, output
    ball.py       ball sort and its lower bound
    water.py      water sort and its lower bound
    tubes.py      runs and blocks of one tube
    rules.py      rules for single tubes, and for a whole board
    ruled.py      positions with such rules or covered cells
    hidden.py     positions with unknown balls
    reading.py    such positions from the fields of a file
    fields.py     the keys of the board file
    notation.py   boards as text
    tables.py     boards in any other spelling
    other_notations.py  two notations of other programs
    generator.py  random boards
"""

from bsp_sat.instances.sorting.ball import BallSort
from bsp_sat.instances.sorting.fields import GOALS, MAX_COLOURS, Goal
from bsp_sat.instances.sorting.hidden import NEW_COLOUR, Filling, HiddenSort, Place
from bsp_sat.instances.sorting.position import MAX_CAPACITY, MONOCHROME, SEVERAL_HOMES, Pour, SortPuzzle
from bsp_sat.instances.sorting.ruled import RuledSort
from bsp_sat.instances.sorting.rules import (
    COVERED,
    TUBE_RULES,
    UNKNOWN,
    WANTED,
    Lock,
    Rules,
    TubeRule,
    may_end_in,
    most_homes,
)
from bsp_sat.instances.sorting.tubes import block_count, bottom_run, top_run
from bsp_sat.instances.sorting.water import WaterSort

__all__ = [
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
    "HiddenSort",
    "Lock",
    "Place",
    "Pour",
    "RuledSort",
    "Rules",
    "SortPuzzle",
    "TubeRule",
    "WaterSort",
    "block_count",
    "bottom_run",
    "may_end_in",
    "most_homes",
    "top_run",
]
