"""Random certificates by labels: honest, altered and forged. They are written without the package's writer.

They have what the package doesn't write: enough unused parts for numbers of two or four bytes, wider
numbers than necessary, all kinds of zlib streams, labels of four bytes, positions that need no label, boards without
balls, and boards of more than 65,536 tubes, columns or tiles.
"""

import json
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, product
from pathlib import Path
from random import Random
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
from tests.support.malformed import damaged_bytes, damaged_json

Parts = tuple[bytes, ...]
Row = tuple[list[int], int]
BYTE, WORD = 1 << 8, 1 << 16
ENDLESS = 0  # the label ∞ in the file
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED)


@dataclass(frozen=True)
class Certificate:
    """What the files of a certificate say.

    Attributes:
        fields: the board.
        status: the claimed status.
        length: the claimed length.
        plan: its moves.
        labels: the label of each listed position, both as the format has them.
        fillers: further parts of the table, in any order.
        widths: bytes of a part's number and of a label; None for as few as possible.
    """

    fields: dict[str, Any]
    status: str
    length: int | None
    plan: list[Any]
    labels: dict[Parts, int]
    fillers: list[bytes] = field(default_factory=list)
    widths: tuple[int, int] | None = None

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


# -- altered ones ----------------------------------------------------------------------------------------

Alteration = Callable[[Random, Certificate], Certificate]
LABELS = (ENDLESS, 1, 2, 3, BYTE - 1, BYTE, BYTE + 1, WORD - 1, WORD, WORD + 1, 1 << 31, (1 << 32) - 1)


def other_label(chance: Random, certificate: Certificate) -> Certificate:
    position = chance.choice(list(certificate.labels))
    old = certificate.labels[position]
    label = chance.choice((*LABELS, old + 1, old + 2, old + BYTE, old + WORD, max(1, old - 1))) % (1 << 32)
    return replace(certificate, labels={**certificate.labels, position: label})


def all_labels(chance: Random, certificate: Certificate) -> Certificate:
    change = chance.choice((1, 2, BYTE, WORD, -1))
    labels = {position: max(1, label + change) if label else 0 for position, label in certificate.labels.items()}
    return replace(certificate, labels=labels)


def position_left_out(chance: Random, certificate: Certificate) -> Certificate:
    labels = dict(certificate.labels)
    labels.pop(chance.choice(list(labels)))
    return replace(certificate, labels=labels)


def position_added(chance: Random, certificate: Certificate) -> Certificate:
    """A copy of a listed position with some balls moved, added or in its place."""
    labels = dict(certificate.labels)
    position = chance.choice(list(labels))
    parts = list(map(bytearray, position))
    for _ in range(chance.choice((1, 1, 2, 5))):
        one, other = chance.choice(parts), chance.choice(parts)
        if one and other and chance.random() < 0.5:
            i, j = chance.randrange(len(one)), chance.randrange(len(other))
            one[i], other[j] = other[j], one[i]
        elif one:
            other.append(one.pop())
    label = labels.pop(position) if chance.random() < 0.3 else chance.choice((1, labels[position], *LABELS))
    changed = tuple(map(bytes, parts))
    in_order = changed if chance.random() < 0.1 or "tubes" not in certificate.fields else tuple(sorted(changed))
    return replace(certificate, labels={**labels, in_order: label})


def parts_swapped(chance: Random, certificate: Certificate) -> Certificate:
    """Two parts exchanged in all positions."""
    table = sorted(set(chain.from_iterable(certificate.labels)))
    if len(table) < 2:
        return certificate
    one, other = chance.sample(table, 2)
    exchange = {one: other, other: one}
    order = sorted if "tubes" in certificate.fields else tuple
    labels = {
        tuple(order(exchange.get(part, part) for part in position)): label
        for position, label in certificate.labels.items()
    }
    return replace(certificate, labels=labels)


def other_claim(chance: Random, certificate: Certificate) -> Certificate:
    match chance.randrange(4):
        case 0:
            status, length = ("optimal", 3) if certificate.length is None else ("unsolvable", None)
            return replace(certificate, status=status, length=length)
        case 1 if certificate.plan:
            plan = [certificate.plan[0], *certificate.plan]
        case 2 if certificate.plan and isinstance(certificate.plan[0], list) and len(certificate.plan[0]) == 2:
            plan = [certificate.plan[0], certificate.plan[0][::-1], *certificate.plan]
        case _:
            plan = certificate.plan[:-1]
    return replace(certificate, plan=plan, length=None if certificate.length is None else len(plan))


def other_board(chance: Random, certificate: Certificate) -> Certificate:
    fields = dict(certificate.fields)
    if "columns" in fields:
        return replace(certificate, fields={**fields, "columns": chance.choice((fields["columns"][::-1], [[], []]))})
    if "balls" in fields:
        return replace(certificate, fields={**fields, "width": fields["width"] + chance.choice((-1, 1))})
    last = len(fields["tubes"]) - 1
    key, value = chance.choice(
        [
            ("puzzle", "ball-sort"),
            ("puzzle", "water-sort"),
            ("goal", chance.choice(["full", "monochrome", "gathered"])),
            ("wanted", dict.fromkeys(chance.sample("abc", chance.choice((1, 2))), 1)),
            ("drain", True),
            ("capacity", fields["capacity"] + chance.choice((-1, 1, BYTE))),
            ("tubes", [*fields["tubes"], []]),
            ("tubes", chance.sample(fields["tubes"], last + 1)),
            ("cork", True),
            ("partial", False),
            ("no_in", [last]),
            ("no_out", [0]),
            ("locked", [{"tube": last, "until": chance.choice((1, 2, "a", {"colour": "b"}))}]),
            ("accepts", {str(last): ["a"]}),
            ("capacities", [fields["capacity"] + chance.choice((0, 1)) for _ in fields["tubes"]]),
            ("reveal", "cell"),
            ("name", "\ud800"),
        ]
    )
    return replace(certificate, fields={**fields, key: value})


def wider(chance: Random, certificate: Certificate) -> Certificate:
    """Other widths of numbers; what doesn't fit is cut off."""
    return replace(certificate, widths=(chance.choice((1, 2, 4, 4)), chance.choice((1, 2, 4, 4))))


def filled(chance: Random, certificate: Certificate) -> Certificate:
    """Unused parts: enough for a number to pass 256 or 65,536, or for two numbers to differ by a multiple of that."""
    fillers = possible_parts(certificate)
    in_use = set(chain.from_iterable(certificate.labels))
    used = sorted(in_use)
    limit = WORD if chance.random() < 0.02 else BYTE
    if len(used) > 1 and chance.random() < 0.6:
        low, high = sorted(chance.sample(range(len(used)), 2))
        between = [part for part in fillers if used[low] < part < used[high] and part not in in_use]
        count = (low - high) % limit
        return replace(certificate, fillers=between[:count])
    wanted = chance.choice((0, 3, limit - len(used) + chance.choice((-1, 0, 1)), chance.randrange(2 * limit)))
    chosen = chance.sample(fillers, min(len(fillers), max(0, wanted)))
    return replace(certificate, fillers=[*chosen, chance.choice((b"", b"\0", b"\1"))])


def possible_parts(certificate: Certificate) -> tuple[bytes, ...]:
    """Up to 262,144 parts that a board can have."""
    fields = certificate.fields
    if "balls" in fields:
        return subsets(min(18, fields["width"]))
    if "columns" in fields:
        return binary(min(18, max(map(len, fields["columns"]))), b"")
    ruled = any(key in fields for key in checker.RULE_KEYS) or fields.get("goal") in checker.OTHER_GOALS
    return binary(min(18, fields["capacity"]), b"\0" if ruled else b"")


@cache
def binary(length: int, before: bytes) -> tuple[bytes, ...]:
    """All parts of two colours and this length."""
    digits = bytes.maketrans(b"01", b"\0\1")
    return tuple(before + f"{number:0{length}b}".encode().translate(digits) for number in range(length and 1 << length))


@cache
def subsets(width: int) -> tuple[bytes, ...]:
    return tuple(bytes(x for x in range(width) if number >> x & 1) for number in range(1 << width))


ON_LABELS: tuple[Alteration, ...] = (other_label, all_labels, position_left_out, position_added, parts_swapped)
ON_ALL: tuple[Alteration, ...] = (other_claim, other_board, wider, filled, filled)


def base(chance: Random) -> Certificate:
    """A certificate to start from: mostly small and honest, rarely forged, one in a hundred large."""
    choice = chance.random()
    if choice < 0.97:
        return chance.choice(small())
    if choice < 0.99:
        return aliased(BYTE, chance.choice(("ball-sort", "water-sort")))
    match chance.randrange(4):
        case 0:
            return aliased(WORD, chance.choice(("ball-sort", "water-sort")))
        case 1:
            return many_positions(chance.choice((WORD // 2 + 1, WORD - 1, WORD + 1)))
        case 2:
            return wide(
                chance.choice((WORD - 1, WORD + 1, 130_000)), chance.choice(("ball-sort", "water-sort", "tiles"))
            )
        case _:
            return tall(chance.choice((WORD - 1, WORD, WORD + 1, 2 * WORD + 2)))


def compressed(chance: Random, data: bytes) -> bytes:
    """A zlib stream of any kind: windows, levels, strategies, flushes; the header may name a smaller window."""
    packer = zlib.compressobj(
        chance.choice((0, 1, 6, 9)), wbits=chance.choice((9, 12, 15)), memLevel=chance.choice((1, 8, 9)),
        strategy=chance.choice(STRATEGIES),
    )  # fmt: skip
    middle = chance.choice((0, len(data) // 2))
    stream = packer.compress(data[:middle]) + packer.flush(chance.choice((zlib.Z_NO_FLUSH, zlib.Z_FULL_FLUSH)))
    stream += packer.compress(data[middle:]) + packer.flush()
    return smaller_window(stream, chance.randrange(8)) if chance.random() < 0.1 else stream


def smaller_window(stream: bytes, code: int) -> bytes:
    """The stream, with a header that names a window of 2 to the power of ``code`` + 8 bytes."""
    first = code << 4 | 8
    return bytes([first, (31 - (first << 8) % 31) % 31]) + stream[2:]


def case(chance: Random, folder: Path) -> None:
    """Writes a certificate, honest, altered or forged."""
    certificate = base(chance)
    for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
        alterations = ON_ALL + (2 * ON_LABELS if certificate.labels else ())
        certificate = chance.choice(alterations)(chance, certificate)
    lies: dict[str, object] = {}
    if chance.random() < 0.05:
        lies[chance.choice(("parts", "table", "positions", "size"))] = chance.choice((0, 1, BYTE, WORD, 999_999_999))
    write(certificate, folder, packed(certificate, partial(compressed, chance), sorted, **lies))
    if chance.random() < 0.2:
        damaged = folder / chance.choice((BOARD, PLAN, CLAIM, LABELS_FILE, LABELS_FILE))
        data = damaged.read_bytes()
        if damaged.suffix == ".json" and chance.random() < 0.6:
            data = json.dumps(damaged_json(chance, json.loads(data), 2)).encode()
        else:
            data = damaged_bytes(chance, data, 2)
        damaged.write_bytes(data)
