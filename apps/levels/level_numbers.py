"""The integer options for boards made to specification, shared by the command line and the page."""

from bsp_sat.instances.puzzle import Number
from bsp_sat.instances.sorting import BallSort

MOST = 64  # limit of the compiled search

NUMBERS = {
    "colours": BallSort.generator.numbers["colours"],
    "capacity": BallSort.generator.numbers["capacity"]._replace(most=MOST),
    "empty": BallSort.generator.numbers["empty"]._replace(most=MOST),
    "tries": Number("Boards to try for each level, before the nearest one is taken.", 6_000, most=1_000_000_000),
}
