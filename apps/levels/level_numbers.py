"""The integer options for boards made to specification, shared by the command line and the page."""

from bsp_sat.instances.puzzle import Number
from bsp_sat.instances.sorting.generator import GENERATOR

MOST = 64  # limit of the compiled search

NUMBERS = {
    "colours": GENERATOR.numbers["colours"],
    "capacity": GENERATOR.numbers["capacity"]._replace(most=MOST),
    "empty": GENERATOR.numbers["empty"]._replace(most=MOST),
    "tries": Number("Boards to try for each level, before the nearest one is taken.", 6_000, most=1_000_000_000),
}
