"""Forged certificates: none is accepted that isn't true, in bounded time, and all checkers say the same.

The checkers of labels (check_labels.py and, for sort boards, the proved one) look at a folder without its checksums;
`verify_certificate` takes LRAT proofs, too, and gets checksums that fit. What is accepted must be a true claim, which
the rules in tests/support/naive.py decide.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bsp_sat import BallSort, WaterSort
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.certifying import certify_cases
from bsp_sat.backends.proofs import certificate as certificate_module
from bsp_sat.backends.proofs import lrat, manifest
from bsp_sat.backends.proofs.certificate import (
    BOARD,
    CLAIM,
    FORMULA,
    LABELS,
    LABELS_FILE,
    LRAT,
    MOST_BYTES,
    PLAN,
    PROOF,
    verify_certificate,
    write_certificate,
)
from bsp_sat.backends.proofs.kinds import CASES
from bsp_sat.backends.proofs.manifest import MANIFEST, copy_files, open_files, write_manifest
from bsp_sat.formal import check_labels as checker
from bsp_sat.formal.check_cases import CASES_FILE
from bsp_sat.formal.check_labels import Unreadable
from bsp_sat.formal.check_other_puzzles import RuledSort
from bsp_sat.instances.errors import BspSatError, CertificateError
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.tiles import Tiles
from tests.proofs.checkers import python_verdict, truth, verdicts
from tests.proofs.forging import (
    ENDLESS,
    STRATEGIES,
    WORD,
    Certificate,
    aliased,
    header,
    honest,
    many_positions,
    packed,
    small,
    smaller_window,
    tall,
    wide,
    write,
)
from tests.support import naive_variants
from tests.support.full_disk import room_for
from tests.support.helpers import board, solve_here, steps_of


def with_rules(seed: int) -> AnyPuzzle:
    fields = naive_variants.random_board(seed)
    return PUZZLES[fields["puzzle"]].from_json(fields)


BOARDS: dict[str, AnyPuzzle] = {
    "ball": board(BallSort, "caac|bbac|bbac|-", 4),
    "water": board(WaterSort, "bbab|acac|ccab|-", 4),
    "several homes": board(BallSort, "abaa|baba|baaa|-", 4),
    "monochrome": board(WaterSort, "bab|acb|ac|-", 3, "monochrome"),
    "unsolvable": board(BallSort, "021|012|012|-", 3),
    "rules": with_rules(655),  # capacities, a lock, colours accepted, whole pours, corks
    "rules, unsolvable": with_rules(798),  # one-way tubes
    "tiles": Tiles.from_columns([[0, 2, 0, 1], [0, 1, 1, 1], [2, 1, 0, 0], [1, 0, 1, 1]]),
    "shot": Shot.from_balls(5, 5, [(2, 0), (3, 0), (4, 0), (3, 1), (0, 3), (3, 3)]),  # unsolvable
}
SORT_BOARDS = [name for name, puzzle in BOARDS.items() if isinstance(puzzle, SortPuzzle)]
TUBES: list[list[str]] = BOARDS["ball"].to_json()["tubes"]

TRIVIAL, TRIVIAL_PROOF = b"p cnf 1 2\n1 0\n-1 0\n", b"3 0 1 2 0\n"

Change = Callable[[bytes], bytes]


class Forgery(NamedTuple):
    """A certificate in which one file has other contents, given whole or as a change; None leaves the file out."""

    name: str
    of: str
    file: str
    change: bytes | Change | None
    says: str
    """A pattern in the refusal."""
    code: int = 2
    """What the checkers of labels answer: 1 for not verified, 2 for unreadable."""


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, Path]:
    """A certificate by labels for each board, one by LRAT, and one of all boards of a class."""
    folders = {}
    for name, puzzle in [*BOARDS.items(), (LRAT, BOARDS["ball"])]:
        folders[name] = tmp_path_factory.mktemp("certificate")
        write_certificate(folders[name], puzzle, solve_here("bfs", puzzle), LRAT if name == LRAT else LABELS)
    folders[CASES] = tmp_path_factory.mktemp("certificate")
    certify_cases(BoardClass(4, 5, 2), folders[CASES])
    return folders


@pytest.fixture
def case(made, tmp_path) -> Callable[..., Path]:
    """Copies a certificate for a case, and forges it."""
    numbers = iter(range(1_000_000))

    def copy(of: str, forgery: Forgery | None = None) -> Path:
        folder = shutil.copytree(made[of], tmp_path / f"case-{next(numbers)}")
        if forgery is not None:
            path, change = folder / forgery.file, forgery.change
            data = change(path.read_bytes()) if callable(change) else change
            path.unlink(missing_ok=True)
            if data is not None:
                path.write_bytes(data)
        return folder

    return copy


@pytest.fixture
def written(tmp_path) -> Callable[..., Path]:
    """Writes a certificate that the package wouldn't write."""
    numbers = iter(range(1_000_000))

    def write_one(certificate: Certificate, data: bytes | None = None) -> Path:
        return write(certificate, tmp_path / f"written-{next(numbers)}", data)

    return write_one


# -- the table ---------------------------------------------------------------------------------------------


def text(before: str, after: str) -> Change:
    """One text in place of another that must be there."""

    def change(data: bytes) -> bytes:
        assert before.encode() in data
        return data.replace(before.encode(), after.encode(), 1)

    return change


def fields(**more: Any) -> Change:
    """Further or other fields of a JSON object."""
    return lambda data: json.dumps({**json.loads(data), **more}).encode()


ON_BOARDS = {  # what isn't understood may mean anything: a key that isn't known is no key to pass over
    "unknown keys": [{"order": "top-down"}, {"order": "bottom-up"}, {"hidden": [[False] * 4] * 3 + [[]]}],
    "puzzle: expected one of": [{"puzzle": "ball"}, {"puzzle": None}, {"puzzle": "constructor"}],
    "name and source: expected texts": [{"name": ["x"]}],
    "goal: expected full, monochrome, gathered, coloured or wanted": [{"goal": "together"}],
    "wanted: expected colours with numbers of tubes at the goal wanted, else none": [
        {"goal": "wanted"}, {"wanted": {"a": 1}}, {"goal": "wanted", "wanted": ["a"]},
        {"goal": "wanted", "wanted": {}}],
    "wanted: expected the names of single colours": [{"goal": "wanted", "wanted": {"nobody": 1}}],
    "wanted: expected a number from 1 to 4": [
        {"goal": "wanted", "wanted": {"a": number}} for number in (0, 5, True, "1")],
    "reveal: expected run or cell": [{"reveal": "all"}],
    "capacities: expected one for each tube": [{"capacities": [4, 4, 4]}],
    "capacities: expected a number from 1 to 10000": [{"capacities": [4, 4, 4, 0]}],
    "capacity: expected a number from 1 to 10000": [{"capacity": True}, {"capacity": 0}],
    "a number that is not whole": [{"capacity": 4.0}],
    "a number that is too long": [{"capacity": 10**20}],
    "the balls of a colour don't fill whole tubes": [{"capacity": 5}],
    "a tube holds more than its capacity": [{"capacities": [4, 4, 3, 4]}, {"tubes": [["a"] * 5]}],
    "tubes: expected lists of colours": [{"tubes": []}, {"tubes": [["a"], "b"]}],
    "tubes: expected colours that are texts or whole numbers": [{"tubes": [[None]]},
        {"tubes": [[{"a": 1, "b": True, "c": "one"}[ball] for ball in tube] for tube in TUBES]}],
    "locked: expected an object": [{"locked": [0]}],
    "locked: expected tube and until": [{"locked": [{"tube": 3}]}, {"locked": [{"tube": 3, "until": 1, "unless": 2}]}],
    "locked: expected a colour of the board": [{"locked": [{"tube": 3, "until": "nobody"}]}],
    "locked: expected a number from 1 to 4": [
        {"locked": [{"tube": 3, "until": 5}]}, {"locked": [{"tube": 3, "until": {"colour": "a", "tubes": 0}}]}],
    "locked: expected a colour or a number of tubes": [{"locked": [{"tube": 3, "until": True}]}],
    "locked: expected a number from 0 to 3": [{"locked": [{"tube": 4, "until": 1}]}],
    "locked: a tube that stands twice": [{"locked": [{"tube": 3, "until": 1}] * 2}],
    "no_in: expected a number from 0 to 3": [{"no_in": [-1]}],
    "no_out: expected a list": [{"no_out": 0}],
    "accepts: expected the numbers of tubes": [{"accepts": {"03": ["a"]}}],
    "accepts: expected a colour of the board": [{"accepts": {"3": ["nobody"]}}],
    "accepts: expected a list": [{"accepts": {"3": "a"}}],
    "tube_colours: expected one for each tube at the goal coloured, else none": [
        {"tube_colours": ["a"]}, {"tube_colours": 0}, {"tube_colours": [None] * 9}, {"goal": "coloured"},
        {"goal": "coloured", "tube_colours": ["a"]}, {"goal": "coloured", "tube_colours": {"0": "a"}}],
    "tube_colours: expected a colour of the board": [
        {"goal": "coloured", "tube_colours": ["a", "nobody", None, None]}],
    "partial, cork and drain: expected true or false": [{"partial": 0}, {"cork": None}, {"drain": 1}],
    "placement: expected matching or any": [{"placement": "some"}, {"placement": ["any"]}],
    "any_in: expected a number from 0 to 3": [{"any_in": [4]}],
}  # fmt: skip
ON_LABELS_OF_ANOTHER_BOARD = {
    "plan.json: plan.7. is no legal move": [{"puzzle": "water-sort"}],
    "labels.bin: position 8 has label 8, but a move leads to 4": [{"goal": "monochrome"}],
    "labels.bin: positions of 4 parts, but the board has 5": [{"tubes": [*TUBES, []]}],
    "labels.bin: a tube, column or row that this board can't have": [{"goal": "gathered"},
        {"goal": "wanted", "wanted": {"a": 1}}, {"capacities": [4, 4, 4, 5]}, {"no_in": [0]}],
}  # fmt: skip
ON_CLAIMS = {
    (2, "claim.json: no claim that this program can check"): [{"length": None}, {"length": "12"}, {"length": True},
     {"proof": "borders"}, {"proof": "none"}, {"proof": ["labels"]}, {"status": ["optimal"]}, {"status": "feasible"},
     {"status": "unsolvable"}, {"encoding": "order"}],
    (1, "the claim is -?[0-9]+ moves, but the plan has 12"): [{"length": -1}, {"length": 11}, {"length": 13}],
    (1, "the claim is that there is no plan, but the board has no label that says so"): [{"status": "unsolvable",
     "length": None}],
    (1, "the border argument finds no obstacle"): [{"status": "unsolvable", "length": None, "proof": "borders"}],
}  # fmt: skip
NO_JSON = {
    "Expecting value": [b"", b"[,]"],
    "expected a JSON object": [b"[]", b"null"],
    "can't decode": [b"\xff\xfe"],
    "Unexpected UTF-8 BOM": [b"\xef\xbb\xbf{}"],
    "a key that stands twice": [b'{"a": 1, "a": 1}'],
    "a number that is not whole": [b'{"a": NaN}', b'{"a": 1e400}'],
    "a number that is too long": [b'{"a": ' + b"9" * 5000 + b"}"],
    "recursion": [b"[" * 200_000, b'{"a":' * 200_000],
    "more than 4000000 bytes": [b'{"a": "' + b"x" * 5_000_000 + b'"}'],
    "nested more than 100 deep": [b'{"a": ' + b"[" * size + b"]" * size + b"}" for size in (100, 899)],
    "Invalid .uXXXX escape": [b'{"a": "\\u12g4"}'],
    "Invalid control character": [b'{"a": "\n"}'],
    "Expecting ',' delimiter": [b'{"a": 01}'],
    "Extra data": [b'{"a": 1} x'],
    "Expecting property name": [b"{'a': 1}"],
}
ON_PLANS = {
    (2, "expected a list of moves under plan"): [b'{"plan": 3}', b'{"plan": [], "x": 1}', b"{}"],
    (2, "a number that is not whole"): [b'{"plan": [[0.0, 1]]}'],
    (1, "the claim is 12 moves, but the plan has 0"): [b'{"plan": []}'],
    (1, "the claim is 12 moves, but the plan has 1$"): [b'{"plan": ' + b"[" * 99 + b"]" * 99 + b"}"],
}


def labels_file(contents: bytes = b"\0\0", stream: bytes | None = None, **lies: object) -> bytes:
    """A labels file with one part, without balls, and no position: with lies in its header, or other contents."""
    counts = {"parts": 1, "table": 2, "positions": 0, "size": 4, "number": 1, "label": 1}
    return header(**{**counts, **lies}) + (zlib.compress(contents) if stream is None else stream)


BOMB_BYTES = 200_000_000
PACKER = zlib.compressobj()
FIRST, AGAIN = (PACKER.compress(bytes(1_000_000)) + PACKER.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
BOMB = FIRST + (BOMB_BYTES // 1_000_000 - 1) * AGAIN + PACKER.flush()
ON_LABELS = {
    (2, "no header of this format"): {"nothing": b"", "no header": zlib.compress(b"\0\0"),
     "more digits": labels_file(positions=10**30), "a sign": labels_file(positions="-1"),
     "other digits": labels_file(positions="١"), "numbers of three bytes": labels_file(number=3)},
    (1, "positions of [0-9]+ parts, but the board has 4"): {"positions of another size": labels_file(size=5),
     "huge positions": labels_file(size=999_999_999, positions=999_999_999), "no size": labels_file(size=0)},
    (2, "too large for this checker"): {"billions of positions": labels_file(positions=999_999_999),
     "a bomb that says so": labels_file(table=BOMB_BYTES, stream=BOMB)},
    (2, "the table of parts is cut off"): {"more parts": labels_file(parts=2),
     "a part that ends outside": labels_file(b"\5\0")},
    (2, "the table of parts is not in strictly rising order, or too long"): {"fewer parts": labels_file(parts=0),
     "parts out of order": labels_file(b"\1\0\1\1\0\0", parts=2, table=6),
     "a part twice": labels_file(b"\0\0\0\0", parts=2, table=4)},
    (2, "a part that is not in the table"): {"a part outside the table": labels_file(b"\0\0\1\0\0\0\7", positions=1),
     "a part just outside the table": labels_file(b"\0\0\1\0\0\0\1", positions=1)},
    (2, "the positions are not in strictly rising order"): {
        "a bomb of equal positions": labels_file(bytes(2 + 5 * 200_000), positions=200_000),
        "falling positions": labels_file(b"\0\0\1\0\0\1\1\1\0" + bytes(6), parts=2, table=5, positions=2),
    },
    (2, "the compressed part is not as long as the header says"): {"longer table": labels_file(table=3),
     "shorter table": labels_file(table=1), "positions that are not there": labels_file(positions=1),
     "too many numbers": labels_file(bytes(1_000), positions=1_999_999, number=4, label=4),
     "a bomb": labels_file(stream=BOMB), "behind the end": labels_file() + b"x",
     "two streams": labels_file(stream=zlib.compress(b"\0\0") * 2),
     "an endless block": labels_file(stream=b"\x78\x9c" + b"\x00\xff\xff\x00\x00" + bytes(60_000))},
    (2, "while decompressing data"): {"another checksum": labels_file()[:-1] + b"\xff",
     "raw deflate": labels_file(stream=zlib.compress(b"\0\0")[2:-4]),
     "gzip": labels_file(stream=zlib.compressobj(wbits=31).compress(b"\0\0")),
     "a dictionary": labels_file(stream=b"\x78\xbb" + bytes(20)),
     "bytes that are no stream": labels_file(stream=b"\x78\x9c" + b"\xff" * 50),
     "a distance before the start": labels_file(stream=b"\x78\x9c\x63\x00\x22\x00")},
}  # fmt: skip


def label_forgeries() -> Iterator[Forgery]:
    """Certificates by labels, each with what check_labels.py says of it."""

    def each(file: str, code: int, says: str, changes: Iterable[Any]) -> Iterator[Forgery]:
        for change in changes:
            data = fields(**change) if isinstance(change, dict) else change
            name = f"{change!r:.40} of {len(change)} bytes" if isinstance(change, bytes) else str(change)
            yield Forgery(f"{file}, {name}", "ball", file, data, says, code)

    for says, boards in ON_BOARDS.items():
        yield from each(BOARD, 2, says, boards)
    for says, boards in ON_LABELS_OF_ANOTHER_BOARD.items():
        yield from each(BOARD, 1, says, boards)
    for (code, says), claims in ON_CLAIMS.items():
        yield from each(CLAIM, code, says, claims)
    for file, (says, texts) in product((BOARD, PLAN, CLAIM), NO_JSON.items()):
        yield from each(file, 2, f"{file}: .*{says}", texts)
    for (code, says), plans in ON_PLANS.items():
        yield from each(PLAN, code, says, plans)
    for (code, says), files in ON_LABELS.items():
        for name, data in files.items():
            yield Forgery(f"labels, {name}", "ball", LABELS_FILE, data, f"^labels.bin: .*{says}", code)
    yield Forgery("no status", "ball", CLAIM, text('"status": "optimal", ', ""), "no claim that this program can check")
    borders = "borders are for sort puzzles without rules"
    yield Forgery("borders on a board with rules", "rules, unsolvable", CLAIM, fields(proof="borders"), borders)


ON_LRAT = {
    PLAN: {"^move 1 .* is illegal": {"a move that is none": text("[", "[[0, 0], ")}},
    BOARD: {"5 of colour 'c' cannot fill whole tubes": {"another ball": text('"a", "a"', '"a", "c"')}},
    FORMULA: {
        "formula.cnf is not the formula of this board: it differs in line [0-9]+$": {
            "a literal more": text(" 0\n", " 1 0\n"),
            "its end missing": lambda data: data[:-1],
            "a line more": lambda data: data + b"c\n",
        },
        "it differs in line 1$": {"other line ends": lambda data: data.replace(b"\n", b"\r\n")},
    },
    CLAIM: {
        "^the claim is 11 moves, but the plan has 12$": {"a shorter length": text('"length": 12', '"length": 11')},
        "it differs in line 1$": {"another encoding": text('"homes"', '"order"')},
        "the clicks encoding takes tiles boards, not ball-sort": {"an encoding for tiles": text('"homes"', '"clicks"')},
        "^claim.json makes no claim that can be checked: .{1,100}$": {
            "an encoding that certifies nothing": text('"homes"', '"sequential"'),
            "a list as the status": text('"optimal"', '["optimal"]'),
            "a status that claims nothing": text('"optimal"', '"feasible"'),
            "a long status": fields(status="x" * 5_000),
            "no length": text('"length": 12', '"length": null'),
            "a text as the length": text("12", '"12"'),
        },
        "^claim.json can't be read: unknown encoding .{8,12}, known are order, homes, sequential, knocks, clicks$": {
            "an encoding of another version": text('"homes"', '"layered"'),
            "a list as the encoding": text('"homes"', '["homes"]'),
        },
        "^claim.json can't be read: (?!claim).{1,150}$": {
            "no brace": text("{", ""),
            "a long key": fields(**{"s" * 5_000: 1}),
        },
    },
    PROOF: {
        "clause 999999, which does not exist": {"a step without its clause": text(" 0 ", " 0 999999 ")},
        "built-in: the proof ends after line 0": {"nothing in it": b""},
        "line 1 of the proof: clause id 3 is not above": {"a proof of another formula": TRIVIAL_PROOF},
    },
}


def lrat_forgeries() -> Iterator[Forgery]:
    """Certificates by LRAT, each with what `verify_certificate` says of it; and files that belong to neither kind."""
    for file, sentences in ON_LRAT.items():
        for says, changes in sentences.items():
            yield from (Forgery(f"{file}, {name}", LRAT, file, change, says) for name, change in changes.items())
        yield Forgery(f"{file} missing", LRAT, file, None, f"^{file} is missing")
    for of, names in (("ball", ["more", FORMULA]), (LRAT, ["cake_lpr", LABELS_FILE, ".hidden"])):
        yield from (
            Forgery(f"{name} in {of}", of, name, b"", f"^{name} isn't a file of a certificate") for name in names
        )


def cases_file(steps: bytes = b"", borders: bytes = b"", stream: bytes | None = None, **lies: int) -> bytes:
    """A proof about all boards of a class: with lies in its first line, or other contents."""
    counts = {"trees": 0, "bytes": len(steps), "positions": len(borders), **lies}
    line = "bsp-sat cases 1: {trees} trees in {bytes} bytes, {positions} positions\n".format(**counts)
    return line.encode() + (zlib.compress(steps + borders) if stream is None else stream)


def in_cases(change: Change) -> Change:
    """A change of what is compressed."""

    def changed(data: bytes) -> bytes:
        line, _, rest = data.partition(b"\n")
        return line + b"\n" + zlib.compress(change(zlib.decompress(rest)))

    return changed


def one_more(data: bytes) -> bytes:
    """A position more in the first line."""
    return re.sub(rb"[0-9]+(?= positions)", lambda number: b"%d" % (int(number[0]) + 1), data, count=1)


FIRST_RUNS = bytes([0, 5, 1, 1, 1, 1, 1, 1])  # of a board of (4,5,2); the first tube is full of one colour
ON_CASES: dict[str, dict[str, dict[str, bytes | Change]]] = {
    CLAIM: {"^claim.json: expected the keys proof, colours, capacity, empty": {"a key more": fields(goal="full")},
        "^claim.json: expected numbers of colours, balls and tubes": {"no colours": fields(colours=0),
        "true for one": fields(empty=True), "a text": fields(capacity="5"), "tubes below 0": fields(empty=-1)},
        "^claim.json: the class is too large": {"more balls": fields(capacity=10**9),
        "more colours": fields(colours=20, capacity=20)},
        "the class is too large: its boards begin in more than 100000 ways": {"more": fields(colours=12, capacity=12)},
        "^cases.bin: .* can't go$": {"an empty tube less": fields(empty=1)},
        "^cases.bin: ": {"higher tubes": fields(capacity=6), "another colour": fields(colours=5)},
        "^claim.json can't be read": {"no proof": text('"proof": "cases", ', "")}},
    CASES_FILE: {
        "no first line of this format": {"nothing": b"", "more digits": cases_file(trees=10**10)},
        "too large": {"more trees": cases_file(bytes=999_999_999), "more positions": cases_file(positions=999_999_999)},
        "the compressed part is not as long as the header says": {
            "a bomb": cases_file(stream=BOMB),
            "behind the end": lambda data: data + b"x",
            "cut off": lambda data: data[:-1],
        },
        "the trees end before the last one": {"a tree that isn't there": cases_file(trees=1)},
        "more steps than the proof has": {
            "another border": lambda data: in_cases(lambda steps: steps + b"\0")(one_more(data)),
        },
        "a tree for first runs that no board has": {
            "another colour": cases_file(bytes([4, 1] * 4), trees=1),
            "too many balls": cases_file(bytes([0, 3, 0, 3, 1, 1, 2, 1]), trees=1),
            "no ball": cases_file(bytes(8), trees=1),
        },
        "expected a step of a tree, found": {
            "a step that is none": cases_file(FIRST_RUNS + b"\xff", trees=1),
            "a tube that isn't there": cases_file(FIRST_RUNS + b"\4", trees=1),
            "no step": cases_file(FIRST_RUNS, trees=1),
        },
        "all runs of tube 0 are known already": {"no case": cases_file(FIRST_RUNS + b"\0", trees=1)},
        "the border of tube [01] can't go": {
            "a border that isn't there": cases_file(FIRST_RUNS + b"\x20", trees=1),
            "a border below which nothing is known": cases_file(FIRST_RUNS + b"\x21", trees=1),
        },
        "border [0-9]+ of the position .* can't go": {
            "a border for none": in_cases(lambda steps: steps[:-1] + b"\x09"),
            "no borders": cases_file(),
        },
    },
}  # fmt: skip


def cases_forgeries() -> Iterator[Forgery]:
    """Certificates of all boards of a class, each with what `verify_certificate` says of it."""
    for file, sentences in ON_CASES.items():
        for says, changes in sentences.items():
            yield from (Forgery(f"{file}, {name}", CASES, file, change, says) for name, change in changes.items())
        yield Forgery(f"{file} missing", CASES, file, None, f"^{file} is missing")
    yield Forgery("a board", CASES, BOARD, b"{}", "^board.json isn't a file of a certificate of this kind")


def test_checkers_of_labels_refuse_each_forgery_in_the_same_way(case):
    forgeries = list(label_forgeries())
    folders = [case(forgery.of, forgery) for forgery in forgeries]
    for forgery, folder, code in zip(forgeries, folders, verdicts(folders), strict=True):
        assert code == forgery.code, forgery
        assert re.search(forgery.says, python_verdict(folder)[1]), forgery
        write_manifest(folder)
        with pytest.raises(BspSatError):
            verify_certificate(folder)


@pytest.mark.parametrize("forgery", [*lrat_forgeries(), *cases_forgeries()], ids=lambda forgery: forgery.name)
def test_a_forger_who_fixes_the_checksums_is_found_out(case, forgery):
    folder = case(forgery.of, forgery)
    write_manifest(folder)
    with pytest.raises(BspSatError, match=forgery.says):
        verify_certificate(folder)


# -- files that are altered, or none -----------------------------------------------------------------------


@pytest.mark.parametrize("of", ["ball", "unsolvable"])
def test_verify_notices_every_altered_byte(case, of, one_in):
    """Of every file, the checksums included: one bit flipped, and each byte missing; without --slow every ninth one."""
    folder = case(of)
    cases, step = 0, one_in(9)
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        for place in range(0, len(data), step):
            for other in (bytes([data[place] ^ 1]), b""):
                path.write_bytes(data[:place] + other + data[place + 1 :])
                with pytest.raises(BspSatError):
                    verify_certificate(folder)
                cases += 1
        path.write_bytes(data)
    verify_certificate(folder)
    assert cases > 1_000 // step


@pytest.mark.parametrize("of", BOARDS)
def test_without_checksums_nothing_false_is_accepted(made, tmp_path, of, one_in):
    """The checkers alone, on altered bytes of every file: they agree, and what they accept is true.

    Each byte with one of two bits flipped, or taken out; without --slow every twentieth one.
    """
    step = one_in(20)
    folders = []
    for file in (BOARD, PLAN, CLAIM, LABELS_FILE):
        path = made[of] / file
        data = path.read_bytes() if path.exists() else b""
        for place in range(0, len(data), step):
            for other in (bytes([data[place] ^ 1]), bytes([data[place] ^ 0x80]), b""):
                folders.append(shutil.copytree(made[of], tmp_path / str(len(folders))))
                (folders[-1] / file).write_bytes(data[:place] + other + data[place + 1 :])
    assert len(folders) > 800 // step
    for folder, code in zip(folders, verdicts(folders), strict=True):
        assert code != 0 or truth(folder), folder


def make_something_else(path: Path, kind: str, original: Path) -> None:
    """Puts something in place of a file that is none, or not that one."""
    path.unlink()
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "link":
            path.symlink_to(original)
        case "device":
            path.symlink_to("/dev/zero")
        case "loop":
            path.symlink_to(path)
        case "folder":
            path.mkdir()
        case "sparse":
            with path.open("wb") as stream:
                stream.truncate(MOST_BYTES[path.name] + 1)


KINDS_OF_NO_FILE = {
    "missing": "is missing",
    "sparse": "is too large",
    **dict.fromkeys(["pipe", "link", "device", "loop", "folder"], "not a regular file"),
}


@pytest.mark.parametrize("kind", KINDS_OF_NO_FILE)
@pytest.mark.parametrize("of", ["ball", LRAT])
def test_a_file_that_is_none_is_named_and_not_read(made, case, of, kind):
    for file in sorted(path.name for path in made[of].iterdir()):
        folder = case(of)
        make_something_else(folder / file, kind, made[of] / file)
        if of != LRAT and file != MANIFEST:  # which the checkers don't read
            assert verdicts([folder]) == [2]
        with pytest.raises(BspSatError) as caught:
            verify_certificate(folder)
        assert file in str(caught.value)
        assert KINDS_OF_NO_FILE[kind] in str(caught.value) or file == MANIFEST
        assert "\n" not in str(caught.value)
        assert "bsp-sat-verify" not in str(caught.value)


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_file_that_is_exchanged_between_look_and_opening_is_noticed(case, monkeypatch, kind):
    """What is opened is looked at, not only what had the name before; and a pipe is not waited for."""
    path = case(LRAT) / PLAN
    regular = os.lstat(path)
    make_something_else(path, kind, path)
    lstat = os.lstat
    monkeypatch.setattr(os, "lstat", lambda name, **more: regular if Path(name) == path else lstat(name, **more))
    with pytest.raises(BspSatError, match=PLAN):
        verify_certificate(path.parent)


@pytest.mark.parametrize("growth", [b"x", b""])
def test_a_file_that_grows_or_shrinks_meanwhile_is_refused(case, tmp_path, monkeypatch, growth):
    folder = case(LRAT)
    (tmp_path / "copy").mkdir()
    with open_files(folder, MOST_BYTES) as files:
        before = {file.fileno(): os.fstat(file.fileno()) for file in files.values()}
        with (folder / FORMULA).open("ab") as more:
            more.truncate(before[files[FORMULA].fileno()].st_size - (not growth))
            more.write(growth)
        now = os.fstat
        monkeypatch.setattr(manifest.os, "fstat", lambda number: before.get(number) or now(number))
        with pytest.raises(Unreadable, match=f"{FORMULA} changed while it was read"):
            copy_files(files, tmp_path / "copy")


def test_a_formula_that_is_exchanged_after_it_was_compared_is_not_what_is_checked(case, monkeypatch):
    """The proof refutes a formula of another kind, which is put there once the right one was compared."""
    folder = case(LRAT)
    (folder / PROOF).write_bytes(TRIVIAL_PROOF)
    write_manifest(folder)
    check = certificate_module.check_proof

    def exchange_and_check(*arguments: Any) -> Any:
        (folder / FORMULA).write_bytes(TRIVIAL)
        return check(*arguments)

    monkeypatch.setattr(certificate_module, "check_proof", exchange_and_check)
    with pytest.raises(BspSatError, match="proof"):
        verify_certificate(folder)
    assert (folder / FORMULA).read_bytes() == TRIVIAL


def test_each_file_is_opened_once(case):
    """Watches every opening of a file in this process: of those of the certificate, each is opened once."""
    folder = case(LRAT)
    opened: list[str] = []
    watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event == "open" and str(arguments[0]).startswith(str(folder) + os.sep):
            opened.append(Path(str(arguments[0])).name)

    sys.addaudithook(watch)
    try:
        verify_certificate(folder)
    finally:
        watching = False
    assert sorted(opened) == sorted(path.name for path in folder.iterdir())


def test_what_belongs_to_no_certificate_of_the_kind_is_refused_before_it_is_copied(case):
    """Where no file may have more than a megabyte, the copy of such a file would fail."""
    folder = case("ball")
    with (folder / FORMULA).open("wb") as stream:
        stream.truncate(100_000_000)
    write_manifest(folder)
    with (
        room_for(1_000_000),
        pytest.raises(CertificateError, match=r"^formula.cnf isn't a file of a certificate of this"),
    ):
        verify_certificate(folder)


def test_a_line_without_end_in_a_proof_is_refused(case, monkeypatch):
    monkeypatch.setattr(lrat, "MAX_LINE", 1_000)
    folder = case(LRAT)
    (folder / PROOF).write_text("1" * 1_001 + "\n")
    write_manifest(folder)
    with pytest.raises(BspSatError, match="line 1 of the proof has more than 1000 characters"):
        verify_certificate(folder)


# -- forged labels -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", BOARDS)
def test_raised_and_missing_labels_are_refused(written, of):
    """Each label raised by one, in turn, and each position left out."""
    true = honest(BOARDS[of])
    if not true.labels:
        pytest.skip("the bound alone shows this")
    folders = []
    for position, label in true.labels.items():
        if label != ENDLESS:
            folders += [
                written(replace(true, labels={**true.labels, position: raised})) for raised in (label + 1, ENDLESS)
            ]
        if len(true.labels) > 1:
            folders.append(written(replace(true, labels={p: d for p, d in true.labels.items() if p != position})))
    codes = verdicts(folders)
    # A position from which the goal is farther than its label says may be raised truthfully; all others are needed.
    assert all(code == 1 or (of in SORT_BOARDS and truth(f)) for f, code in zip(folders, codes, strict=True))
    assert sum(code == 1 for code in codes) >= len(folders) * 2 // 3


@pytest.mark.parametrize("of", ["ball", "several homes", "tiles"])
def test_claims_of_more_moves_are_refused(written, of):
    """All labels two higher, the claim, too, and a plan with a detour: no forger gets this past."""
    true = honest(BOARDS[of])
    first = true.plan[0]
    plan = [first, first[::-1], *true.plan] if isinstance(first, list) else [first, first, *true.plan]
    raised = {position: label + 2 for position, label in true.labels.items()}
    assert true.length is not None
    folders = [
        written(replace(true, length=true.length + 2, plan=steps, labels=labels))
        for steps in (plan, true.plan)
        for labels in (raised, true.labels)
    ]
    assert verdicts(folders) == [1] * 4


def test_lowered_labels_and_fillers_that_are_consistent_do_no_harm(written):
    true = honest(BOARDS["ball"])
    elsewhere = (b"", b"\0\0\0\1", b"\1\1\1\0", b"\2\2\2\2")
    assert elsewhere not in true.labels
    root = max(true.labels, key=true.labels.__getitem__)
    cases: dict[str, tuple[dict[Any, int], int]] = {
        "filler": ({elsewhere: 3}, 0),
        "filler too high": ({elsewhere: 9}, 1),
        "filler with other balls": ({(b"", b"\0\0\0\0", b"\1\1\1\0", b"\2\2\2\2"): 1}, 1),
        "filler with a colour of its own": ({(b"", b"\3\3\3\3", b"\1\1\1\1", b"\2\2\2\2"): 1}, 1),
        "filler above the capacity": ({(b"", b"\0\0\0\0\1", b"\1\1\1", b"\2\2\2\2"): 1}, 1),
        "filler whose tubes are not sorted": ({(*elsewhere[1:], elsewhere[0]): 1}, 1),
        "a goal": ({(b"", b"\0\0\0\0", b"\1\1\1\1", b"\2\2\2\2"): 1}, 1),
        "the board lowered": ({root: true.labels[root] - 1}, 1),
        "all lowered": ({position: max(1, label - 1) for position, label in true.labels.items()}, 1),
    }
    folders = [written(replace(true, labels={**true.labels, **more})) for more, _ in cases.values()]
    assert dict(zip(cases, verdicts(folders), strict=True)) == {name: code for name, (_, code) in cases.items()}


SOLVED_SORT = {"puzzle": "ball-sort", "capacity": 2}


@pytest.mark.parametrize(
    ("fields", "possible", "foreign"),
    [
        ({**SOLVED_SORT, "tubes": [["a", "a"], ["b", "b"]]}, [b"\1\1", b"\0"], [b"\2", b"\0\0\0"]),
        ({**SOLVED_SORT, "capacities": [2, 1], "tubes": [["a", "a"], []]}, [b"\0\0\0", b"\1\0"],
         [b"", b"\0\1", b"\1\0\0", b"\2"]),
        ({"puzzle": "shot", "width": 4, "height": 2, "balls": [[0, 0]]}, [b"\0\1\3"], [b"\4", b"\1\0", b"\1\1"]),
        # without balls there is the empty part alone
        ({**SOLVED_SORT, "tubes": [[], []]}, [b""], [b"\0"]),
        ({"puzzle": "water-sort", "capacity": 3, "tubes": [[], []], "cork": True}, [b"\0"], [b"\0\0"]),
        ({"puzzle": "tiles", "columns": [[], []]}, [b""], [b"\0"]),
    ],
    ids=str,
)  # fmt: skip
def test_parts_that_a_board_cannot_have_are_refused(written, fields, possible, foreign):
    """In a table of parts that no position needs, on boards that are solved."""
    solved = Certificate(fields, "optimal", 0, [], {})
    folders = [written(replace(solved, fillers=possible)), *(written(replace(solved, fillers=[p])) for p in foreign)]
    assert verdicts(folders) == [0] + [1] * len(foreign)


@pytest.mark.parametrize("fields", [{**SOLVED_SORT, "tubes": [[], []]}, {"puzzle": "tiles", "columns": [[], []]}])
def test_a_label_of_a_board_without_balls_is_refused(written, fields):
    assert verdicts([written(Certificate(fields, "optimal", 0, [], {(b"", b""): 1}))]) == [1]


@pytest.mark.parametrize(("column", "code"), [(b"\0\1\0", 0), (b"\0\1\0\1", 1), (b"\2", 1)], ids=str)
def test_columns_are_as_high_as_the_tallest_and_of_its_colours(written, column, code):
    fields = {"puzzle": "tiles", "columns": [[1, 2, 1], []]}
    true = Certificate(fields, "optimal", 3, [0, 0, 0], {(b"\0\1\0", b""): 3}, fillers=[column])
    assert verdicts([written(true)]) == [code]


def test_the_labels_of_another_board_rule_or_goal_show_nothing(made, case):
    folders = []
    for one, other in permutations(SORT_BOARDS, 2):
        for file in (LABELS_FILE, BOARD, PLAN):
            data = (made[other] / file).read_bytes() if (made[other] / file).exists() else None
            folders.append(case(one))
            (folders[-1] / file).unlink(missing_ok=True)
            if data is not None:
                (folders[-1] / file).write_bytes(data)
    assert all(code != 0 or truth(folder) for folder, code in zip(folders, verdicts(folders), strict=True))


@pytest.mark.parametrize("of", ["rules", "rules, unsolvable"])
def test_rules_that_are_left_out_of_the_board_are_missed(written, of):
    """The same labels for a board with fewer rules: what they show is refused, or true all the same."""
    true = honest(BOARDS[of])
    beyond = [key for key in true.fields if key not in ("puzzle", "capacity", "tubes", "goal")]
    assert len(beyond) > 2
    folders = [
        written(replace(true, fields={k: value for k, value in true.fields.items() if k != key})) for key in beyond
    ]
    codes = verdicts(folders)
    assert 1 in codes
    assert all(code != 0 or truth(folder) for folder, code in zip(folders, codes, strict=True))


def test_a_tube_does_not_change_its_rule(written):
    """Positions in which a tube has another one's rule, or a lock that this board hasn't, are none of this board."""
    true = honest(BOARDS["rules"])
    rules = checker.rules_of(json.loads(json.dumps(true.fields)))
    assert isinstance(rules, RuledSort)
    last = len(rules.rules) - 1
    assert rules.rules[last].locked
    position = min(true.labels, key=true.labels.__getitem__)
    empty = next(place for place, tube in enumerate(position) if len(tube) == 1)
    changes = [(b"", *position[1:])]
    for number in range(last + 2):
        changed = (*position[:empty], bytes([number]), *position[empty + 1 :])
        if changed not in true.labels and (number > last or rules.opens[number] != rules.opens[position[empty][0]]):
            changes.append(tuple(sorted(changed)))
    assert len(changes) > 2
    assert verdicts([written(replace(true, labels={**true.labels, each: 1})) for each in changes]) == [1] * len(changes)


def test_colours_of_two_types_are_two_colours(written):
    true = honest(BOARDS["ball"])
    tubes = [[{"a": 1, "b": "1", "c": "one"}[ball] for ball in tube] for tube in TUBES]
    assert verdicts([written(replace(true, fields={**true.fields, "tubes": tubes}))]) == [0]


# -- numbers beyond one and two bytes ----------------------------------------------------------------------


@pytest.mark.parametrize("modulus", [1 << 8, pytest.param(WORD, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["ball-sort", "water-sort"])
def test_a_claim_that_rests_on_cut_off_numbers_is_refused(written, kind, modulus):
    assert verdicts([written(aliased(modulus, kind))]) == [1]


LARGE: dict[str, Callable[[], Certificate]] = {
    "65,600 positions, twice as many parts": partial(many_positions, 65_600),
    "65,537 columns": partial(wide, 65_537, "tiles"),
    "65,537 tubes": partial(wide, 65_537, "ball-sort"),
    "130,000 columns": partial(wide, 130_000, "tiles"),
    "65,535 tiles in a column": partial(tall, 65_535),
    "131,074 tiles in a column": partial(tall, 131_074),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * ("tiles" not in name)) for name in LARGE]
)
def test_sizes_beyond_sixteen_bits_are_checked_in_full(written, name):
    """What is true is accepted; higher labels are refused, or the claim that there is no plan where none are needed."""
    true = LARGE[name]()
    false = replace(true, status="unsolvable", length=None)
    if true.labels:
        false = replace(true, labels=dict.fromkeys(true.labels, 65_539))
    assert verdicts([written(true), written(false)]) == [0, 1]


@pytest.mark.parametrize("kind", ["ball-sort", "tiles"])
def test_labels_beyond_sixteen_bits_are_compared_in_full(written, kind, one_in):
    """One that is too high by 65,536 is too high."""
    true = next(each for each in small() if each.fields["puzzle"] == kind and each.labels and each.length)
    folders = [
        written(replace(true, labels={**true.labels, position: label + WORD}))
        for position, label in list(true.labels.items())[:: one_in(12)]
    ]
    assert set(verdicts(folders)) == {1}


# -- where the checkers might differ -----------------------------------------------------------------------


def test_distances_beyond_the_window_that_a_stream_names_are_read(written):
    """Allowed up to 32,768: the window is about memory, and zlib doesn't look."""
    true = many_positions(500)
    line, _, stream = packed(true).partition(b"\n")
    assert verdicts([written(true, line + b"\n" + smaller_window(stream, code)) for code in range(8)]) == [0] * 8


def test_every_way_to_compress_is_read_alike(written):
    """Stored, fixed and dynamic blocks, small windows: the second checker has its own decompression."""
    true, folders = honest(BOARDS["ball"]), []
    for level, bits, strategy in product(range(10), (9, 12, 15), STRATEGIES):
        packer = zlib.compressobj(level, wbits=bits, strategy=strategy)
        folders.append(written(true, packed(true, lambda data, p=packer: p.compress(data) + p.flush())))
    assert set(verdicts(folders)) == {0}


def test_streams_that_are_cut_anywhere_are_refused(written):
    true = honest(BOARDS["ball"])
    data = packed(true)
    assert set(verdicts([written(true, data[:end]) for end in range(len(data))])) == {2}


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        *((PLAN, f'{{"plan": [{move}]}}', code)
          for move, code in [("[0, 1]", 0), ("[0, 0]", 1), ("[0, 2]", 1), ("[-1, 0]", 1), ("[0]", 2),
                             ("[true, 0]", 2)]),
        (BOARD, '{"puzzle": "ball-sort", "capacity": 1, "tubes": [["a"]]}', 0),
        (BOARD, '{"puzzle": "ball-sort", "capacity": true, "tubes": [["a"]]}', 2),
        (BOARD, '{"puzzle": "ball-sort", "capacity": 1, "capacity": 1, "tubes": [["a"]]}', 2),
        *((BOARD, f'{{"puzzle": "ball-sort", "capacity": 1, "tubes": [[{colour}]]}}', code)
          for colour, code in [(123456789012345, 0), (1234567890123456, 2), (-12345678901234, 0),
                               (-123456789012345, 2)]),
        (BOARD, '{"puzzle": "shot", "width": 2, "height": 1, "balls": [[0, 0]]}', 0),
        (BOARD, '{"puzzle": "shot", "width": 2, "height": 1, "balls": [[0, 0], [0, 0]]}', 2),
    ],
)  # fmt: skip
def test_illegal_moves_keys_and_places_that_stand_twice_and_long_numbers_are_refused(written, file, text, code):
    """Of solved boards, and of one that takes a move."""
    fields = {**SOLVED_SORT, "tubes": [["a"], ["a"]]} if file == PLAN else json.loads(text)
    folder = written(Certificate(fields, "optimal", 1 if file == PLAN else 0, [], {}))
    (folder / file).write_text(text)
    assert verdicts([folder]) == [code]


# -- time and memory ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_borders_of_very_many_tubes_take_steps_in_proportion(written):
    """65,280 tubes of two balls, no two alike."""
    tubes = [[one, other] for one in range(256) for other in range(256) if one != other]
    folder = written(Certificate({**SOLVED_SORT, "tubes": tubes}, "unsolvable", None, [], {}))
    (folder / CLAIM).write_text(json.dumps({"status": "unsolvable", "length": None, "proof": "borders"}))
    assert verdicts([folder]) == [1]
    assert steps_of(python_verdict, folder) < 100 * len(tubes)


def checked_within(folder: Path, most_bytes: int) -> tuple[int, str]:
    """The exit code and the last line of check_labels.py in a process that may not have more memory."""
    program = (
        f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, ({most_bytes}, {most_bytes})); "
        f"sys.argv = ['x', {str(folder)!r}]; runpy.run_path({checker.__file__!r}, run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout.splitlines()[-1]


def test_a_bomb_is_refused_in_little_memory(written):
    """One of 200 MB."""
    too_long = "Unreadable: labels.bin: the compressed part is not as long as the header says"
    assert checked_within(written(honest(BOARDS["ball"]), labels_file(stream=BOMB)), 150_000_000) == (2, too_long)


@pytest.mark.slow
def test_many_parts_of_many_colours_take_little_memory(written):
    """200,000 parts of 256 colours, in a table of a megabyte."""
    fields = {"puzzle": "ball-sort", "capacity": 3, "goal": "monochrome", "tubes": [[colour] for colour in range(256)]}
    parts = [number.to_bytes(3, "big") for number in range(200_000)]
    folder = written(Certificate(fields, "optimal", 0, [], {}, fillers=parts))
    assert checked_within(folder, 150_000_000) == (0, "Verified: 0 moves is the minimum.")
