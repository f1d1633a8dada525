"""The encodings by name; the command line and the tests iterate this."""

from contextlib import suppress

from bsp_sat.encoder.clicks import Clicks
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.knocks import Knocks
from bsp_sat.encoder.layered.encoding import Layered
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.sequential.encoding import Sequential
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.puzzle import AnyPuzzle

ENCODINGS: dict[str, Encoding] = {
    encoding.name: encoding for encoding in (Order(), Layered(), Sequential(), Knocks(), Clicks())
}
"""Best first."""


def encoding_for(puzzle: AnyPuzzle) -> Encoding:
    """The best encoding that takes this board.

    Raises:
        Unsupported: none does.
    """
    for encoding in ENCODINGS.values():
        with suppress(Unsupported):
            encoding.check(puzzle)
            return encoding
    raise Unsupported(f"no encoding takes {puzzle.kind} boards yet; the searches do, for example --backend astar")


def encoding_named(name: str) -> Encoding:
    """The encoding of this name.

    Raises:
        Unsupported: there is none; the message has the names of all.
    """
    if name not in ENCODINGS:
        raise Unsupported(f"unknown encoding {name!r}, expected one of {', '.join(ENCODINGS)}")
    return ENCODINGS[name]
