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
    spellings/    boards in any other spelling: the one that was meant, or a question
    other_notations.py  two notations of other programs
    generator.py  random boards
"""

from bsp_sat.instances.sorting.ball import BallSort as BallSort
from bsp_sat.instances.sorting.board import MAX_CAPACITY as MAX_CAPACITY
from bsp_sat.instances.sorting.board import MONOCHROME as MONOCHROME
from bsp_sat.instances.sorting.board import SEVERAL_HOMES as SEVERAL_HOMES
from bsp_sat.instances.sorting.board import Pour as Pour
from bsp_sat.instances.sorting.covers import NEW_COLOUR as NEW_COLOUR
from bsp_sat.instances.sorting.covers import Filling as Filling
from bsp_sat.instances.sorting.covers import Place as Place
from bsp_sat.instances.sorting.covers import below_top_run as below_top_run
from bsp_sat.instances.sorting.detours import group_size as group_size
from bsp_sat.instances.sorting.generator import TOPS as TOPS
from bsp_sat.instances.sorting.generator import locks as locks
from bsp_sat.instances.sorting.position import SortPuzzle as SortPuzzle
from bsp_sat.instances.sorting.position import is_hidden as is_hidden
from bsp_sat.instances.sorting.rules import ANYWHERE as ANYWHERE
from bsp_sat.instances.sorting.rules import CHOOSY as CHOOSY
from bsp_sat.instances.sorting.rules import COLOURED as COLOURED
from bsp_sat.instances.sorting.rules import COVERED as COVERED
from bsp_sat.instances.sorting.rules import DRAINED as DRAINED
from bsp_sat.instances.sorting.rules import GOALS as GOALS
from bsp_sat.instances.sorting.rules import MAX_COLOURS as MAX_COLOURS
from bsp_sat.instances.sorting.rules import MIXED_CAPACITIES as MIXED_CAPACITIES
from bsp_sat.instances.sorting.rules import ONE_WAY as ONE_WAY
from bsp_sat.instances.sorting.rules import TUBE_RULES as TUBE_RULES
from bsp_sat.instances.sorting.rules import UNKNOWN as UNKNOWN
from bsp_sat.instances.sorting.rules import WANTED as WANTED
from bsp_sat.instances.sorting.rules import Goal as Goal
from bsp_sat.instances.sorting.rules import Lock as Lock
from bsp_sat.instances.sorting.rules import Reveal as Reveal
from bsp_sat.instances.sorting.rules import Rules as Rules
from bsp_sat.instances.sorting.rules import TubeRule as TubeRule
from bsp_sat.instances.sorting.rules import block_count as block_count
from bsp_sat.instances.sorting.rules import bottom_run as bottom_run
from bsp_sat.instances.sorting.rules import may_end_in as may_end_in
from bsp_sat.instances.sorting.rules import most_homes as most_homes
from bsp_sat.instances.sorting.rules import moves_to_fill as moves_to_fill
from bsp_sat.instances.sorting.rules import top_run as top_run
from bsp_sat.instances.sorting.water import WaterSort as WaterSort
