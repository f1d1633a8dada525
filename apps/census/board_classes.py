"""All boards of n colours and n full tubes, one of those that differ by names of colours and the order of tubes.

Boards are bytes: the colours tube by tube, each bottom first. `engine/` lists them.
"""

from collections.abc import Iterator
from ctypes import byref, c_char_p, c_double, c_int64, c_void_p, string_at

from bsp_sat.backends.engine import EXHAUSTED, accepted, function, owned
from bsp_sat.instances.errors import Unsupported

MAX_TABLES = 1 << 24  # 335 MB
STEPS = 1 << 16  # of one call: at most some hundredths of a second


class BoardClasses:
    """The classes of equal boards, and which can be solved; `Unsupported` if there are too many border tables."""

    def __init__(self, colours: int, capacity: int, empty: int) -> None:
        if capacity**colours > MAX_TABLES:
            raise Unsupported(
                f"boards of {colours} colours and capacity {capacity} may have {capacity**colours:,} border tables; "
                f"at most {MAX_TABLES:,} are looked at"
            )
        self.capacity, self.counted = capacity, 0
        self._places = colours * capacity
        made = function("bspsat_classes_new", c_void_p, *[c_int64] * 3)(colours, capacity, empty)
        self._classes, _ = owned(self, made, "bspsat_classes_free")

    def beginnings(self, tubes: int) -> list[bytes]:
        """The first ``tubes`` tubes that boards begin with, in order; each board begins with one of them."""
        if tubes == 0:
            return [b""]
        return [word for words in self._words(False, b"", tubes * self.capacity) for word in words]

    def boards(self, beginning: bytes = b"") -> Iterator[list[bytes]]:
        """The boards with a beginning, in order, some at a time; perhaps none, so that the caller can stop."""
        return self._words(False, beginning, self._places)

    def unsolvable(self, beginning: bytes = b"") -> Iterator[list[bytes]]:
        """Those of them that can't be solved. `counted` says how many boards were looked at."""
        return self._words(True, beginning, self._places)

    def paths(self, board: bytes) -> float:
        """The number of paths through a board's border tables; 0 if it can't be solved."""
        begun = function("bspsat_classes_count_paths", c_int64, c_void_p, c_char_p)(self._classes, board)
        accepted(begun, "a board of the class")
        go_on = function("bspsat_classes_count_paths_on", c_int64, c_void_p, c_int64, c_void_p)
        paths = c_double()
        while accepted(go_on(self._classes, STEPS, byref(paths)), "a count in work") != EXHAUSTED:
            pass
        return paths.value

    def _words(self, only_unsolvable: bool, beginning: bytes, length: int) -> Iterator[list[bytes]]:
        """The words of a length with a shorter beginning, which is itself one."""
        begin = function("bspsat_classes_begin", c_int64, c_void_p, c_int64, c_char_p, c_int64, c_int64)
        go_on = function("bspsat_classes_go_on", c_int64, c_void_p, c_int64, *[c_void_p] * 3)
        accepted(begin(self._classes, len(beginning), beginning, length, only_unsolvable), "whole tubes of a board")
        rows, number, counted = c_void_p(), c_int64(), c_int64()
        outcome = None
        while outcome != EXHAUSTED:
            ended = go_on(self._classes, STEPS, byref(rows), byref(number), byref(counted))
            outcome = accepted(ended, "a list in work")
            self.counted = counted.value
            found = string_at(rows, number.value * length)
            yield [found[at : at + length] for at in range(0, len(found), length)]
