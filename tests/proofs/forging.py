"""Certificates by labels, honest and forged, written without the package's writer.

They have what that doesn't write: enough unused parts for numbers of two or four bytes, wider
numbers than necessary, all kinds of zlib streams, labels of four bytes, positions that need no label, boards without
balls, and boards of more than 65,536 tubes, columns or tiles.
"""

import json
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any

from bsp_sat import BallSort, Status, WaterSort, random_boards
from bsp_sat.backends.proofs.certificate import BOARD, CLAIM, LABELS_FILE, PLAN
from bsp_sat.backends.proofs.labels import readable_labels
from bsp_sat.formal import check_labels as checker
from bsp_sat.instances.errors import BspSatError, NoLabels
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.tiles import Tiles
from tests.support import naive_variants
from tests.support.helpers import board, solve_here

Parts = tuple[bytes, ...]
Row = tuple[list[int], int]
BYTE, WORD = 1 << 8, 1 << 16
ENDLESS = 0  # the label ∞ in the file
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED)


@dataclass(frozen=True)
class Certificate:
    """What the files of a certificate say."""

    fields: dict[str, Any]  # the board
    status: str
    length: int | None
    plan: list[Any]
    labels: dict[Parts, int]  # of each listed position, both as the format has them
    fillers: list[bytes] = field(default_factory=list)  # further parts of the table, in any order
    widths: tuple[int, int] | None = None  # bytes of a part's number and of a label; None for as few as possible

    @property
    def size(self) -> int:
        """Parts of a position."""
        if self.labels:
            return len(next(iter(self.labels)))
        return len(self.fields.get("tubes") or self.fields.get("columns") or range(self.fields["height"]))


def packed(
    certificate: Certificate,
    compress: Callable[[bytes], bytes] = zlib.compress,
    order: Callable[[list[Row]], list[Row]] = sorted,
    **lies: object,
) -> bytes:
    """The bytes of labels.bin, with the positions in any ``order`` and ``lies`` in place of parts of its header."""
    labels = certificate.labels
    table = sorted({*certificate.fillers, *chain.from_iterable(labels)})
    number = {part: place for place, part in enumerate(table)}
    rows = order([([number[part] for part in position], label) for position, label in labels.items()])
    most = max((label for _, label in rows), default=0)
    number_bytes, label_bytes = certificate.widths or (fewest_bytes(len(table) - 1), fewest_bytes(most))
    parts = b"".join((len(part) % WORD).to_bytes(2, "little") + part for part in table)
    counts = {"parts": len(table), "table": len(parts), "positions": len(rows), "size": certificate.size}
    places = chain.from_iterable(zip(*(row for row, _ in rows), strict=True))
    contents = parts + in_bytes((label for _, label in rows), label_bytes) + in_bytes(places, number_bytes)
    return header(**{**counts, "number": number_bytes, "label": label_bytes, **lies}) + compress(contents)


def header(**fields: object) -> bytes:
    return (
        "bsp-sat labels 1: {parts} parts in {table} bytes, {positions} positions of {size}, "
        "numbers of {number}, labels of {label}\n"
    ).format(**fields).encode()  # fmt: skip


def fewest_bytes(number: int) -> int:
    return 1 if number < BYTE else 2 if number < WORD else 4


def in_bytes(numbers: Any, width: int) -> bytes:
    """Numbers of ``width`` bytes each, the low byte first; what doesn't fit is cut off."""
    return array({1: "B", 2: "H", 4: "I"}[width], (number % (1 << 8 * width) for number in numbers)).tobytes()


def write(certificate: Certificate, folder: Path, data: bytes | None = None) -> Path:
    """Writes the files, with ``data`` as labels.bin if given, into a folder that is made if it isn't there."""
    folder.mkdir(exist_ok=True)
    (folder / BOARD).write_text(json.dumps(certificate.fields))
    (folder / PLAN).write_text(json.dumps({"plan": certificate.plan}))
    claim = {"status": certificate.status, "length": certificate.length, "proof": "labels"}
    (folder / CLAIM).write_text(json.dumps(claim))
    (folder / LABELS_FILE).write_bytes(packed(certificate) if data is None else data)
    return folder


# -- honest ones -----------------------------------------------------------------------------------------


def honest(puzzle: AnyPuzzle, most: int = 400) -> Certificate:
    """A true certificate with the labels that it needs.

    Raises:
        NoLabels: it needs more than ``most``.
    """
    result = solve_here("bfs", puzzle)
    assert result.status in (Status.OPTIMAL, Status.UNSOLVABLE)
    found = readable_labels(puzzle, result.length, most)
    rows = zip(*found.columns, strict=True)
    labels = {
        tuple(found.table[number] for number in row): label for row, label in zip(rows, found.labels, strict=True)
    }
    plan = [] if result.plan is None else result.plan.to_json(puzzle)
    return Certificate(puzzle.to_json(), str(result.status), result.length, plan, labels)


def boards_without_covers(seeds: Iterable[int]) -> Iterator[tuple[dict[str, Any], AnyPuzzle]]:
    """Small boards under any rules of tubes, as fields and as puzzles."""
    for fields in map(naive_variants.random_board, seeds):
        fields["reveal"] = "run"
        fields.pop("hidden", None)
        with suppress(BspSatError):
            yield fields, PUZZLES[fields["puzzle"]].from_json(fields)


def boards_with_wanted_tubes(seeds: Iterable[int]) -> Iterator[AnyPuzzle]:
    """Small boards at the goal ``wanted``, under any rules of tubes but covers; in half of them balls go anywhere."""
    for number, fields in enumerate(filter(None, map(naive_variants.random_wanted, seeds))):
        fields.pop("hidden", None)
        yield PUZZLES[fields["puzzle"]].from_json({**fields, "placement": ("matching", "any")[number % 2]})


def small_boards() -> Iterator[AnyPuzzle]:
    """Boards of every puzzle, goal and rule. Some can have more than 65,536 different parts."""
    for rule in (BallSort, WaterSort):
        for seed in range(4):
            yield next(random_boards(rule, 3, 3, 1, seed=seed)).puzzle
        for text, capacity in (("aab|bba|aab|bba|-", 3), ("abaa|baba|baaa|-", 4), ("021|012|012|-", 3)):
            yield board(rule, text, capacity)
        for text, capacity in (("ba|ab|-", 3), ("bab|acb|ac|-", 3), ("ab|ba|b", 20), ("abc|cab|-", 12), ("ab|a", 300)):
            yield board(rule, text, capacity, "monochrome")
        yield board(rule, "-|-|-", 3)
    yield from (puzzle for _, puzzle in boards_without_covers(range(300)))
    yield from boards_with_wanted_tubes(range(120))
    for seed in range(6):
        yield next(random_boards(Tiles, 3, 4, 3, seed=seed)).puzzle
        yield next(random_boards(Shot, 7, 9, 7, seed=seed)).puzzle
    yield Tiles.from_columns([[0, 1] * 9, [1, 0], []])
    yield Tiles.from_columns([[], []])
    yield Shot.from_balls(18, 2, [(0, 0), (2, 0), (17, 1), (2, 1)])
    yield Shot.from_balls(60, 3, [(0, 0), (40, 0), (59, 2), (40, 2)])


@cache
def small() -> tuple[Certificate, ...]:
    """Honest certificates of small boards, those with labels more often than those without."""
    found = []
    for puzzle in small_boards():
        try:
            found.append(honest(puzzle))
        except NoLabels:
            continue
    with_labels = [certificate for certificate in found if certificate.labels]
    without = [certificate for certificate in found if not certificate.labels]
    assert len(with_labels) > len(without) // 3
    return (*with_labels, *with_labels, *without)


# -- large ones ------------------------------------------------------------------------------------------


@cache
def many_positions(count: int) -> Certificate:
    """``count`` positions without a move and twice as many parts: two full tubes, one the other's opposite."""
    bits = count.bit_length() + 1
    binary, opposite = bytes.maketrans(b"01", b"\0\1"), bytes.maketrans(b"\0\1", b"\1\0")
    halves = [f"{number:0{bits}b}".encode().translate(binary) for number in range(1, count + 1)]
    labels = {(half, half.translate(opposite)): ENDLESS for half in halves}
    tubes = [["ab"[colour] for colour in tube] for tube in next(iter(labels))]
    fields = {"puzzle": "ball-sort", "capacity": bits, "tubes": tubes, "goal": "monochrome"}
    return Certificate(fields, "unsolvable", None, [], labels)


@cache
def wide(size: int, kind: str) -> Certificate:
    """``size`` tubes or columns, nearly all of them empty. The board has a label if the checkers' limits allow it."""
    listed = size * size < checker.MAX_WORK
    filled, plan = ("ab", "ba"), [[0, 2], [1, 0], [2, 1]]
    if kind == "tiles":
        filled, plan = ("aba", ""), [0, 0, 0]
    if not listed:  # the bound is enough
        filled, plan = (("ab", ""), [0, 0]) if kind == "tiles" else (("a", "a"), [[0, 1]])
    stacks = [list(stack) for stack in filled] + [[] for _ in range(size - 2)]
    parts = [bytes(map("ab".index, stack)) for stack in stacks]
    position = tuple(parts if kind == "tiles" else sorted(parts))
    fields = {"columns": stacks} if kind == "tiles" else {"capacity": 2, "tubes": stacks}
    labels = {position: len(plan)} if listed else {}
    return Certificate({"puzzle": kind, **fields}, "optimal", len(plan), plan, labels)


@cache
def tall(height: int) -> Certificate:
    """Tiles with a column of this height. Up to 65,535 the board can have a label."""
    if height < WORD:
        return honest(Tiles.from_columns([[1] * (height - 2) + [2, 1], [2, 1], [1, 2]]))
    fields = {"puzzle": "tiles", "columns": [[1] * height, [1], [2]]}
    return Certificate(fields, "optimal", 2, [0, 2], {})


# -- forged ones -----------------------------------------------------------------------------------------


@cache
def aliased(modulus: int, kind: str) -> Certificate:
    """A false claim that a checker accepts if it takes numbers of parts modulo ``modulus``.

    One move solves the board, but 3 are claimed: there, back, and there. A listed position with label 2 stands in for
    the goal: the numbers of its two mixed tubes differ by ``modulus`` from those of two full tubes of the goal.
    """
    colours, capacity = 8, 8
    full = [bytes([colour]) * capacity for colour in range(colours)]
    start = (full[0][:-1], full[1], full[0][:1], b"", *full[2:])
    mixed, other = b"\0\1" * 4, b"\1\0" * 4
    used = {*start, *full, mixed, other}

    def between(prefix: bytes, low: bytes, high: bytes) -> Iterator[bytes]:
        for rest in product(range(colours), repeat=capacity - len(prefix)):
            part = prefix + bytes(rest)
            if low < part < high and part not in used:
                yield part

    fillers = [part for part, _ in zip(between(b"\0\0", full[0], mixed), range(modulus - 1), strict=False)]
    fillers += [part for part, _ in zip(between(b"\1\0", other, full[1]), range(modulus - 1), strict=False)]
    labels = {tuple(sorted(start)): 3, tuple(sorted([b"", b"", mixed, other, *full[2:]])): 2}
    table = sorted({*used, *fillers})
    for one, another in ((full[0], mixed), (other, full[1])):
        assert table.index(another) - table.index(one) == modulus
    tubes = [["abcdefgh"[colour] for colour in tube] for tube in start]
    fields = {"puzzle": kind, "capacity": capacity, "tubes": tubes}
    plan = [[2, 3], [3, 2], [2, 0]]
    return Certificate(fields, "optimal", 3, plan, labels, [*full, *fillers])


def smaller_window(stream: bytes, code: int) -> bytes:
    """The stream, with a header that names a window of 2 to the power of ``code`` + 8 bytes."""
    first = code << 4 | 8
    return bytes([first, (31 - (first << 8) % 31) % 31]) + stream[2:]
