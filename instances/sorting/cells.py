"""The unknown cells of a board, and positions with colours filled in."""

from dataclasses import dataclass

from bsp_sat.instances.sorting.hidden import Filling, HiddenSort, Place
from bsp_sat.instances.sorting.ruled import RuledSort


@dataclass(frozen=True)
class Cells:
    """The unknown cells of a board, in the order of fillings."""

    places: tuple[Place, ...]

    def filled(self, board: HiddenSort, filling: Filling) -> RuledSort:
        """The position with all unknown cells filled in."""
        colours = dict(zip(self.places, filling, strict=True))
        return board.with_cells({place: colours[place] for place in board.unknown})
