"""Water sort: a move pours the top run, as much of it as fits."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bsp_sat.instances.sorting.position import SortPuzzle
from bsp_sat.instances.sorting.rules import block_count, colour_blocks, top_run

if TYPE_CHECKING:
    from bsp_sat.instances.sorting.tables import Table


class WaterSort(SortPuzzle):
    """A move pours the top run, as much of it as fits."""

    __slots__ = ()

    kind = "water-sort"
    whole_run = True

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether ``text`` is in a notation of `bsp_sat.instances.sorting.other_notations`."""
        return _reader_of(text) is not None

    @classmethod
    def fields_of_text(cls, text: str) -> Mapping[str, Any]:
        """Parses those notations, and what all sort boards have."""
        from bsp_sat.instances.sorting.fitting import board_of

        reader = _reader_of(text)
        return super().fields_of_text(text) if reader is None else board_of(reader(text), cls.from_json)

    def amount(self, source: bytes, target: bytes) -> int:
        """The length of the source's top run, or the room in the target if that is less.

        Where tubes have rules or covers, `SortPuzzle` looks at the run itself.
        """
        return min(top_run(source), self.capacity - len(target))

    def _plain_bound(self) -> int:
        """The blocks minus the bottom blocks that may stay, or for each colour the tubes still to be filled.

        A pour lowers the number of blocks of its colour by at most one, or starts at most one tube that stays. A colour
        that fills m tubes keeps at most m bottom blocks at the goal ``full``, all of them at ``monochrome``. And each
        of the m tubes that isn't full yet needs a pour, which is the larger count for some colours.
        """
        blocks = sum(map(block_count, self.tubes)) - self._most_that_stays([1] * len(self.tubes))
        one_tube_each = sum(map(len, self.tubes)) <= self.capacity * len(self.palette)
        return blocks if self.goal == "monochrome" or one_tube_each else blocks + self._further_fills()

    def _further_fills(self) -> int:
        """By how many the pours that fill tubes exceed those that join blocks, over all colours."""
        excess = 0
        for colour in range(len(self.palette)):
            blocks = sum(colour_blocks(tube, colour) for tube in self.tubes)
            bottoms = sum(tube[:1] == bytes([colour]) for tube in self.tubes)
            full = sum(tube == bytes([colour]) * self.capacity for tube in self.tubes)
            homes = self.home_tubes(colour)
            excess += max(0, homes - full - blocks + min(homes, bottoms))
        return excess


def _reader_of(text: str) -> "Callable[[str], Table] | None":
    """What reads a text in a notation of other programs; None if it is in none."""
    from bsp_sat.instances.sorting.other_notations import READERS  # most boards are JSON

    return next((parse for recognises, parse in READERS if recognises(text)), None)
