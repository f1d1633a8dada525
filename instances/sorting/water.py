"""Water sort: the whole top run a move, as much of it as fits."""

from typing import Any, Self, cast

from bsp_sat.instances.sorting.fields import SortFields
from bsp_sat.instances.sorting.hidden import HiddenSort
from bsp_sat.instances.sorting.notation import parse_tubes
from bsp_sat.instances.sorting.other_notations import READERS
from bsp_sat.instances.sorting.position import SortPuzzle, most_that_stays
from bsp_sat.instances.sorting.reading import read_ruled
from bsp_sat.instances.sorting.ruled import RuledSort
from bsp_sat.instances.sorting.tubes import block_count, colour_blocks, top_run


class WaterSort(SortPuzzle):
    """The whole top run a move, as much of it as fits."""

    __slots__ = ()

    kind = "water-sort"
    whole_run = True

    @classmethod
    def with_rules(cls, fields: SortFields) -> Self:
        """See `SortPuzzle.with_rules`."""
        return cast(Self, read_ruled(fields, WaterSort, RuledWaterSort, HiddenWaterSort))

    @classmethod
    def recognises(cls, text: str) -> bool:
        """Whether it is one of the notations of `bsp_sat.instances.sorting.other_notations`."""
        return any(recognises(text) for recognises, _ in READERS)

    @classmethod
    def fields_of_text(cls, text: str) -> dict[str, Any]:
        """Reads those notations, and our own."""
        reader = next((parse for recognises, parse in READERS if recognises(text)), parse_tubes)
        return reader(text)

    def amount(self, source: bytes, target: bytes) -> int:
        """The top run of the source or the room of the target, whichever is less."""
        return min(top_run(source), self.capacity - len(target))

    def lower_bound(self) -> int:
        """Blocks, less the bottom blocks that may stay, or by colour the tubes it has yet to fill.

        A pour lowers the number of blocks of its colour by one, or founds one tube that stays, at most. A colour that
        fills m tubes keeps at most m bottom blocks at the goal ``full``, each of them at ``monochrome``. And each of
        the m that isn't full yet is poured into, which counts for more where the colour has many of them.
        """
        blocks = sum(map(block_count, self.tubes)) - most_that_stays(self, [1] * len(self.tubes))
        one_tube_each = sum(map(len, self.tubes)) <= self.capacity * len(self.palette)
        return blocks if self.goal == "monochrome" or one_tube_each else blocks + self._further_fills()

    def _further_fills(self) -> int:
        """By how many the pours that fill tubes exceed those that join blocks, summed over the colours."""
        excess = 0
        for colour in range(len(self.palette)):
            blocks = sum(colour_blocks(tube, colour) for tube in self.tubes)
            bottoms = sum(tube[:1] == bytes([colour]) for tube in self.tubes)
            full = sum(tube == bytes([colour]) * self.capacity for tube in self.tubes)
            homes = self.home_tubes(colour)
            excess += max(0, homes - full - blocks + min(homes, bottoms))
        return excess


class RuledWaterSort(RuledSort, WaterSort):
    """Water sort with rules for tubes."""

    __slots__ = ()

    def bare(self) -> SortPuzzle:
        """See `RuledSort.bare`."""
        return WaterSort(self.tubes, self.capacity, self.goal, self.palette)

    def with_unknown(self, tubes: tuple[bytes, ...]) -> RuledSort:
        """See `RuledSort.with_unknown`."""
        hidden = HiddenWaterSort(tubes, self.capacity, self.goal, self.palette, self.rules, self.covers)
        return hidden.seen_as(tubes)


class HiddenWaterSort(HiddenSort, RuledWaterSort):
    """Water sort with unknown balls."""

    __slots__ = ()

    @classmethod
    def known_type(cls) -> type[RuledSort]:
        """See `HiddenSort.known_type`."""
        return RuledWaterSort
