"""Water sort: a move pours the top run, as much of it as fits."""

from bsp_sat.instances.sorting.position import SortPuzzle
from bsp_sat.instances.sorting.rules import block_count, colour_blocks, top_run


class WaterSort(SortPuzzle):
    """A water-sort board, to solve, play and draw; a move pours the top run, as much of it as fits.

    >>> board = WaterSort("abb|baa|-")  # three tubes, each from bottom to top
    >>> board.apply((0, 2))
    WaterSort('a|baa|bb')
    """

    __slots__ = ()

    kind = "water-sort"
    whole_run = True

    def amount(self, source: bytes, target: bytes) -> int:
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
