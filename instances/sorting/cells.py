"""The unknown cells of a board, and positions with colours filled in."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from bsp_sat.instances.sorting.hidden import Filling, HiddenSort, Place
from bsp_sat.instances.sorting.ruled import RuledSort


@dataclass(frozen=True)
class Cells:
    """The unknown cells of a board, in the order of fillings.

    Attributes:
        places: the cells.
        unseen: the nameless colours that don't show on the board.
    """

    places: tuple[Place, ...]
    unseen: tuple[int, ...] = ()

    @classmethod
    def of(cls, board: HiddenSort) -> "Cells":
        """The unknown cells of a board."""
        return cls(board.unknown, board.unseen)

    def filled(self, board: HiddenSort, filling: Filling) -> RuledSort:
        """The position with all unknown cells filled in."""
        colours = dict(zip(self.places, filling, strict=True))
        return board.with_cells({place: colours[place] for place in board.unknown})

    def numbered(self, board: RuledSort, filling: Filling) -> tuple[RuledSort, Filling]:
        """A position and its filling, with nameless colours numbered by their first cell, as at the start.

        Args:
            board: a position in which nameless colours were numbered as they showed.
            filling: colours of all cells, in the same numbers.
        """
        table = numbering(filling, self.unseen)
        if table is None:
            return board, filling
        tubes = tuple(tube.translate(table) for tube in board.tubes)
        return replace(board, tubes=tubes), filling.translate(table)


def numbering(shown: Iterable[int], unseen: Collection[int]) -> bytes | None:
    """The table for `bytes.translate` that numbers unseen colours in the order in which they come; None if they do.

    Args:
        shown: colours in order, with each unseen one among them.
        unseen: the colours to number, in order.
    """
    order = bytes(dict.fromkeys(colour for colour in shown if colour in unseen)) if len(unseen) > 1 else b""
    return bytes.maketrans(order, bytes(unseen)) if order and order != bytes(unseen) else None
