"""The encodings by name, for the command line and tests."""

from collections.abc import Iterator
from contextlib import suppress

from bsp_sat.encoder.encoding import Encoding
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.lazy import Lazy
from bsp_sat.instances.puzzle import HIDDEN, AnyPuzzle


class _Encodings(Lazy[Encoding]):
    def __setitem__(self, name: str, encoding: Encoding) -> None:
        """Refuses a class, which the registries of puzzles and backends take."""
        if isinstance(encoding, type):
            called = encoding.__name__
            raise TypeError(f"ENCODINGS[{name!r}]: expected an encoding such as {called}(), found the class {called}")
        super().__setitem__(name, encoding)


ENCODINGS: Lazy[Encoding] = _Encodings(
    {
        "order": "bsp_sat.encoder.order.encoding:ORDER",
        "homes": "bsp_sat.encoder.homes.encoding:HOMES",
        "sequential": "bsp_sat.encoder.sequential.formula:SEQUENTIAL",
        "knocks": "bsp_sat.encoder.knocks:KNOCKS",
        "clicks": "bsp_sat.encoder.clicks:CLICKS",
    }
)
"""Best first. To prove lengths, encodings that suit a board are preferred."""


def encodings_for(puzzle: AnyPuzzle) -> Iterator[Encoding]:
    """The encodings that take this board, best first."""
    for encoding in ENCODINGS.values():
        with suppress(Unsupported):
            encoding.check(puzzle)
            yield encoding


def encoding_for(puzzle: AnyPuzzle) -> Encoding:
    """The best encoding that takes this board. Unsupported if none does."""
    for encoding in encodings_for(puzzle):
        return encoding
    advice = "a search may, such as --backend astar"
    if HIDDEN in puzzle.features():
        advice = "`bsp-sat play` guides you through this one"
    raise Unsupported(f"no encoding takes {_kind(puzzle)} yet; {advice}")


def suiting_encoding(puzzle: AnyPuzzle) -> Encoding:
    """The encoding that usually proves the length of a shortest plan fastest. Unsupported if none takes this board."""
    for encoding in encodings_for(puzzle):
        if encoding.suits(puzzle):
            return encoding
    return encoding_for(puzzle)


def certifying_encoding(puzzle: AnyPuzzle, *, lengths_only: bool = False) -> Encoding:
    """The best encoding that takes a board and can certify answers for it, or lengths only. Unsupported without one."""
    if lengths_only:
        able = [encoding for encoding in encodings_for(puzzle) if encoding.certifies_lengths]
        # The sort is stable: encodings that suit the board keep their order, and so do the others.
        able.sort(key=lambda encoding: not encoding.suits(puzzle))
    else:
        able = [encoding for encoding in encodings_for(puzzle) if encoding.certifies]
    if able:
        return able[0]
    raise Unsupported(f"no encoding can certify answers for {_kind(puzzle)}")


def check_encoding(encoding: Encoding, puzzle: AnyPuzzle) -> None:
    """Refuses boards that an encoding doesn't take, like `Encoding.check`, and names encodings that do."""
    try:
        encoding.check(puzzle)
    except Unsupported as error:
        others = " or ".join(other.name for other in encodings_for(puzzle))
        raise Unsupported(f"{error}; try encoding {others}" if others else str(error)) from None


def _kind(puzzle: AnyPuzzle) -> str:
    """The kind and features of the board, in words."""
    features = sorted(puzzle.features())
    return f"{puzzle.kind} boards with {' and '.join(features)}" if features else f"{puzzle.kind} boards"
