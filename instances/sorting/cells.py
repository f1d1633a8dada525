"""The unknown cells of a board with hidden cells, and the positions that come of colours for them."""

from dataclasses import dataclass

from bsp_sat.instances.sorting.hidden import Filling, HiddenSort, Place
from bsp_sat.instances.sorting.ruled import RuledSort


@dataclass(frozen=True)
class Cells:
    """The unknown cells of a board, to which fillings give colours, in their order."""

    places: tuple[Place, ...]

    def filled(self, board: HiddenSort, filling: Filling) -> RuledSort:
        """The position with all unknown cells as ``filling`` has them."""
        colours = dict(zip(self.places, filling, strict=True))
        return board.told({place: colours[place] for place in board.unknown})
