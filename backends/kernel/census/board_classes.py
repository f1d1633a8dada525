"""All boards of n colours and n full tubes, one of those that differ by names of colours and the order of tubes.

Boards are bytes: the colours tube by tube, each bottom first.
"""

from collections.abc import Iterator

from bsp_sat.backends.kernel.census import arrays
from bsp_sat.backends.kernel.census.arrays import AllBoards
from bsp_sat.backends.kernel.native.layout import EXHAUSTED
from bsp_sat.backends.kernel.native.memory import array_of, zeros
from bsp_sat.backends.kernel.native.shared_library import Call
from bsp_sat.instances.errors import Unsupported

MAX_TABLES = 1 << 24  # 256 MB
ROWS = 1 << 12  # words of one call
BUDGET = 1 << 20  # places filled in one call: some hundredths of a second


class BoardClasses:
    """The classes of equal boards, and which of them can be solved.

    Args:
        colours: n, at least 1.
        capacity: h, at least 1.
        empty: k, at least 0.

    Raises:
        Unsupported: there are too many border tables, or no compiled code.
    """

    def __init__(self, colours: int, capacity: int, empty: int) -> None:
        if capacity**colours > MAX_TABLES:
            raise Unsupported(
                f"boards of {colours} colours and capacity {capacity} may have {capacity**colours:,} border tables; "
                f"at most {MAX_TABLES:,} are looked at"
            )
        self.colours, self.capacity = colours, capacity
        self.counted = 0
        places, tables = colours * capacity, capacity**colours
        self._arrays = AllBoards(
            word=zeros("i", places),
            used=zeros("i", colours),
            named=zeros("i", places + 1),
            order=zeros("i", colours),
            taken=zeros("i", colours),
            names=zeros("i", colours + 1, colours),
            rows=zeros("B", ROWS * places),
            heights=zeros("i", colours, capacity),
            borders=zeros("i", colours),
            above=zeros("i", places, colours),
            radix=zeros("i", colours + 1),
            table=zeros("i", colours),
            left=zeros("i", colours),
            seen=zeros("q", tables),
            stack=zeros("i", tables),
            ways=zeros("d", tables),
            figures=zeros("q", arrays.CLASS_FIGURES),
        )
        self._arrays.figures[arrays.EMPTIES] = empty
        self._call = Call(self._arrays)

    def beginnings(self, tubes: int) -> list[bytes]:
        """The first ``tubes`` tubes that boards begin with, in order; each board begins with one of them."""
        if tubes == 0:
            return [b""]
        return [word for words in self._words(False, b"", tubes * self.capacity) for word in words]

    def boards(self, beginning: bytes = b"") -> Iterator[list[bytes]]:
        """The boards with a beginning, in order, some at a time; perhaps none, so that the caller can stop."""
        return self._words(False, beginning, len(self._arrays.word))

    def unsolvable(self, beginning: bytes = b"") -> Iterator[list[bytes]]:
        """Those of them that can't be solved. `counted` says how many boards were looked at."""
        return self._words(True, beginning, len(self._arrays.word))

    def ways(self, board: bytes) -> float:
        """The number of paths through a board's border tables; 0 if it can't be solved."""
        self._arrays.word[:] = array_of("i", list(board))
        self._call("weigh")
        return float(self._arrays.ways[0])

    def _words(self, only_unsolvable: bool, beginning: bytes, length: int) -> Iterator[list[bytes]]:
        """The words of a length with a beginning, which is itself one."""
        all_arrays, figures = self._arrays, self._arrays.figures
        used = [beginning.count(colour) for colour in range(self.colours)]
        all_arrays.used[:] = array_of("i", used)
        named = 0
        for place, colour in enumerate(beginning):
            named = max(named, colour + 1)
            all_arrays.word[place], all_arrays.named[place + 1] = colour, named
        all_arrays.word[len(beginning)] = -1
        figures[arrays.PLACE], figures[arrays.LENGTH], figures[arrays.COUNTED] = len(beginning), length, 0
        outcome = None
        while outcome != EXHAUSTED:
            figures[arrays.LISTED] = 0
            outcome = self._call("list_boards", only_unsolvable, len(beginning), BUDGET)
            self.counted = figures[arrays.COUNTED]
            found = bytes(all_arrays.rows[: figures[arrays.LISTED] * length])
            yield [found[at : at + length] for at in range(0, len(found), length)]
