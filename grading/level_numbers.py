"""The whole numbers that boards made to specification are made from, on the command line and on the page."""

from bsp_sat.instances.puzzle import Number
from bsp_sat.instances.sorting.generator import GENERATOR

MOST = 64  # what the compiled search takes

NUMBERS = {
    "colours": GENERATOR.numbers["colours"],
    "capacity": GENERATOR.numbers["capacity"]._replace(most=MOST),
    "empty": GENERATOR.numbers["empty"]._replace(most=MOST),
    "tries": Number("Boards to look at for each before giving up with the nearest.", 6_000, most=1_000_000_000),
}
