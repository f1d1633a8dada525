"""Ball sort and water sort: tubes of coloured balls, moved top to top.

A move takes balls from the top of one tube to another tube that is not full and is empty or shows
the same colour on top. Ball sort moves one ball; water sort pours the whole top run, as much of it as
fits. Either costs one move. The goal ``full`` asks that each tube is empty or holds a full load of
one colour, ``monochrome`` only that no tube mixes colours.

Rules and complexity: Ito et al., *Sorting Balls and Water: Equivalence and Computational
Complexity*, FUN 2022, doi 10.4230/LIPIcs.FUN.2022.16.

    position.py   what the two share: moves, goals, symmetry, what people see
    ball.py       one ball a move, and the bound that follows
    water.py      the whole run a move, and the bound that follows
    tubes.py      runs and blocks of one tube
    rules.py      what single tubes may do, and what more a board may ask for
    ruled.py      positions with such rules, or with covered cells
    hidden.py     positions with unknown balls
    reading.py    both of them from the fields of a file
    fields.py     the keys of the board file
    notation.py   boards as text
    foreign.py    two notations of other programs
    generator.py  random boards
"""

from bsp_sat.instances.sorting.ball import BallSort
from bsp_sat.instances.sorting.fields import GOALS, MAX_COLOURS, Goal
from bsp_sat.instances.sorting.hidden import Filling, HiddenSort, Place
from bsp_sat.instances.sorting.position import MAX_CAPACITY, MONOCHROME, SEVERAL_HOMES, Pour, SortPuzzle
from bsp_sat.instances.sorting.ruled import RuledSort
from bsp_sat.instances.sorting.rules import COVERED, TUBE_RULES, UNKNOWN, Lock, Rules, TubeRule, may_end_in, most_homes
from bsp_sat.instances.sorting.tubes import block_count, bottom_run, top_run
from bsp_sat.instances.sorting.water import WaterSort

__all__ = [
    "COVERED",
    "GOALS",
    "MAX_CAPACITY",
    "MAX_COLOURS",
    "MONOCHROME",
    "SEVERAL_HOMES",
    "TUBE_RULES",
    "UNKNOWN",
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
