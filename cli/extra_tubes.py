"""The option `--extra-tubes`: boards with more empty tubes."""

import click

from bsp_sat.cli.options import Whole
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import SortPuzzle

MOST = 100

extra_tubes_option = click.option(
    "--extra-tubes",
    type=Whole(0, MOST),
    metavar="N",
    help="Add N empty tubes, of the board's capacity, after the others.",
)


def with_extra_tubes(instance: Instance, number: int | None) -> Instance:
    """A board with more empty tubes, about which its file says no optimum.

    Raises:
        Unsupported: it isn't made of tubes.
    """
    if number is None:
        return instance
    about = {key: value for key, value in instance.about.items() if key != "optimal"}
    return Instance(sort_puzzle(instance).with_more_tubes(number), about)


def sort_puzzle(instance: Instance) -> SortPuzzle:
    """The board as a sort board.

    Raises:
        Unsupported: it isn't made of tubes.
    """
    if not isinstance(instance.puzzle, SortPuzzle):
        raise Unsupported(f"empty tubes are for ball-sort and water-sort boards, not {instance.puzzle.kind}")
    return instance.puzzle
