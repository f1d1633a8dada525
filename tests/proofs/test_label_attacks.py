"""Forged certificates by labels: none is accepted that isn't true, in bounded time, and both checkers say the same.

Each case is a folder. The checker alone has no checksums to compare; an accepted case must make a true claim, which
the rules in tests/support/naive.py decide. `bsp-sat verify` notices every altered byte besides.
"""

import json
import os
import subprocess
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bsp_sat import BallSort, WaterSort
from bsp_sat.backends.proofs.certificate import (
    BOARD,
    CLAIM,
    LABELS,
    LABELS_FILE,
    PLAN,
    verify_certificate,
    write_certificate,
)
from bsp_sat.backends.proofs.labels import Labels, write_labels
from bsp_sat.backends.proofs.manifest import MANIFEST, write_manifest
from bsp_sat.formal import check_labels as checker
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.tiles import Tiles
from tests.cli.test_cli import bsp_sat
from tests.proofs.both_checkers import SECONDS, truth, verdicts
from tests.proofs.forged_labels import (
    Certificate,
    aliased,
    many_positions,
    small,
    smaller_window,
    tall,
    wide,
    write,
)
from tests.support import naive_variants
from tests.support.helpers import board, processor_seconds, solve_here

FILES = (BOARD, PLAN, CLAIM, LABELS_FILE)

PUZZLES_WITH_RULES = [  # capacities, a lock, colours accepted, whole pours, corks; and one-way tubes, no plan
    PUZZLES[fields["puzzle"]].from_json(fields) for fields in (naive_variants.random_board(seed) for seed in (655, 798))
]
BOARDS = {
    "ball": board(BallSort, "caac|bbac|bbac|-", 4),
    "water": board(WaterSort, "bbab|acac|ccab|-", 4),
    "several homes": board(BallSort, "abaa|baba|baaa|-", 4),
    "monochrome": board(WaterSort, "bab|acb|ac|-", 3, "monochrome"),
    "unsolvable": board(BallSort, "021|012|012|-", 3),
    "rules": PUZZLES_WITH_RULES[0],
    "rules, unsolvable": PUZZLES_WITH_RULES[1],
    "tiles": Tiles.from_columns([[0, 2, 0, 1], [0, 1, 1, 1], [2, 1, 0, 0], [1, 0, 1, 1]]),
    "shot": Shot.from_balls(5, 5, [(2, 0), (3, 0), (4, 0), (3, 1), (0, 3), (3, 3)]),  # unsolvable
}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory) -> dict[str, Path]:
    folders = {}
    for name, puzzle in BOARDS.items():
        folders[name] = tmp_path_factory.mktemp("certificate")
        write_certificate(folders[name], puzzle, solve_here("bfs", puzzle), LABELS)
    return folders


@pytest.fixture
def case(certificates, tmp_path) -> Callable[..., Path]:
    """Copies a certificate for a case, with other contents of some files."""
    made = iter(range(1_000_000))

    def copy(name: str, **contents: bytes | None) -> Path:
        folder = tmp_path / f"case-{next(made)}"
        folder.mkdir()
        for path in certificates[name].iterdir():
            data = contents.get(path.stem, path.read_bytes())
            if data is not None:
                (folder / path.name).write_bytes(data)
        return folder

    return copy


def altered(data: bytes) -> Iterator[bytes]:
    """Each byte with one of two bits flipped, or taken out."""
    for place, byte in enumerate(data):
        for other in (byte ^ 1, byte ^ 0x80):
            if other != byte:
                yield data[:place] + bytes([other]) + data[place + 1 :]
        yield data[:place] + data[place + 1 :]


def test_certificates_are_accepted(certificates):
    assert verdicts(list(certificates.values())) == [0] * len(certificates)
    for folder in certificates.values():
        verify_certificate(folder)


@pytest.mark.parametrize("name", ["ball", "unsolvable"])
def test_verify_notices_every_altered_byte(case, name, request):
    """Of every file, the checksums included: one bit flipped, and each byte missing; without --slow every third one."""
    folder = case(name)
    cases, step = 0, 1 if request.config.getoption("--slow") else 3
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


@pytest.mark.parametrize("name", BOARDS)
def test_without_checksums_nothing_false_is_accepted(certificates, case, name):
    """The checkers alone, on every altered byte of every file: they agree, and what they accept is true."""
    folders = []
    for file in FILES:
        path = certificates[name] / file
        if path.exists():
            folders += [case(name, **{path.stem: data}) for data in altered(path.read_bytes())]
    codes = verdicts(folders)
    assert len(folders) > 800
    for folder, code in zip(folders, codes, strict=True):
        assert code != 0 or truth(folder), folder


# -- forged labels ---------------------------------------------------------------------------------------


def read(folder: Path) -> tuple[checker.Rules, list[bytes], dict[tuple[bytes, ...], int]]:
    """The labels of a certificate by parts."""
    rules, *_ = checker.read_board(folder)
    labels = checker.read_labels(folder, rules)
    if isinstance(rules, checker.Sort) and rules.plain:  # the table has no rules then
        labels = {tuple(tube[1:] for tube in position): label for position, label in labels.items()}
    return rules, sorted({part for position in labels for part in position}), labels


def rewrite(folder: Path, labels: dict[tuple[bytes, ...], int], *, sort: bool = True, order: bool = True) -> Path:
    """Writes labels to a folder, and checksums that fit."""
    table = sorted({part for position in labels for part in position})
    number = {part: n for n, part in enumerate(table)}
    rows = [([number[part] for part in position], label) for position, label in labels.items()]
    if sort:
        rows = [(sorted(row), label) for row, label in rows]
    if order:
        rows.sort()
    size = len(rows[0][0])
    columns = [array("I", [row[place] for row, _ in rows]) for place in range(size)]
    values = array("I", [0 if label == checker.INFINITE else label for _, label in rows])
    write_labels(Labels(table, columns, values), folder / LABELS_FILE)
    write_manifest(folder)
    return folder


SORT_BOARDS = [name for name, puzzle in BOARDS.items() if not isinstance(puzzle, Tiles | Shot)]


@pytest.mark.parametrize("name", BOARDS)
def test_raised_and_missing_labels_are_refused(certificates, case, name):
    """Each label raised by one, in turn, and each position left out."""
    rules, _, labels = read(certificates[name])
    if not labels:
        pytest.skip("the bound alone shows this")
    sort = isinstance(rules, checker.Sort)
    folders = []
    for position, label in labels.items():
        if label != checker.INFINITE:
            folders.append(rewrite(case(name), {**labels, position: label + 1}, sort=sort))
            folders.append(rewrite(case(name), {**labels, position: checker.INFINITE}, sort=sort))
        if len(labels) > 1:
            folders.append(rewrite(case(name), {p: d for p, d in labels.items() if p != position}, sort=sort))
    codes = verdicts(folders)
    refused = sum(code == 1 for code in codes)
    # A position from which the goal is farther than its label says may be raised truthfully; all others are needed.
    for folder, code in zip(folders, codes, strict=True):
        assert code == 1 or (name in SORT_BOARDS and truth(folder))
    assert refused >= len(folders) * 2 // 3


@pytest.mark.parametrize("name", ["ball", "several homes", "tiles"])
def test_claims_of_more_moves_are_refused(certificates, case, name):
    """All labels one higher, the claim one higher, and a plan with a detour: no forger gets this past."""
    _, _, labels = read(certificates[name])
    claim = json.loads((certificates[name] / CLAIM).read_bytes())
    plan = json.loads((certificates[name] / PLAN).read_bytes())["plan"]
    claim["length"] += 2
    longer = case(name, claim=json.dumps(claim).encode())
    if name != "tiles":
        (longer / PLAN).write_text(json.dumps({"plan": [plan[0], plan[0][::-1], *plan]}))
        rewrite(longer, {position: label + 2 for position, label in labels.items()})
    assert verdicts([longer])[0] in (1, 2)


def test_lowered_labels_and_fillers_that_are_consistent_do_no_harm(certificates, case):
    rules, _, labels = read(certificates["ball"])
    assert isinstance(rules, checker.Sort)
    elsewhere = (b"", b"\0\0\0\1", b"\1\1\1\0", b"\2\2\2\2")
    assert elsewhere not in labels
    root = max(labels, key=labels.__getitem__)
    cases = {
        "filler": ({**labels, elsewhere: 3}, 0),
        "filler too high": ({**labels, elsewhere: 9}, 1),
        "filler with other balls": ({**labels, (b"", b"\0\0\0\0", b"\1\1\1\0", b"\2\2\2\2"): 1}, 1),
        "filler with a colour of its own": ({**labels, (b"", b"\3\3\3\3", b"\1\1\1\1", b"\2\2\2\2"): 1}, 1),
        "filler above the capacity": ({**labels, (b"", b"\0\0\0\0\1", b"\1\1\1", b"\2\2\2\2"): 1}, 1),
        "a goal": ({**labels, (b"", b"\0\0\0\0", b"\1\1\1\1", b"\2\2\2\2"): 1}, 1),
        "the board lowered": ({**labels, root: labels[root] - 1}, 1),
        "all lowered": ({position: max(1, label - 1) for position, label in labels.items()}, 1),
    }
    folders = [rewrite(case("ball"), changed) for changed, _ in cases.values()]
    assert dict(zip(cases, verdicts(folders), strict=True)) == {name: code for name, (_, code) in cases.items()}


@pytest.mark.parametrize(
    ("fields", "possible", "foreign"),
    [
        (
            {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "a"], ["b", "b"]]},
            [b"\1\1", b"\0"],
            [b"\2", b"\0\0\0"],
        ),
        (
            {"puzzle": "ball-sort", "capacity": 2, "capacities": [2, 1], "tubes": [["a", "a"], []]},
            [b"\0\0\0", b"\1\0"],
            [b"", b"\0\1", b"\1\0\0", b"\2"],
        ),
        ({"puzzle": "tiles", "columns": [[], []]}, [b""], [b"\0"]),
        ({"puzzle": "shot", "width": 4, "height": 2, "balls": [[0, 0]]}, [b"\0\1\3"], [b"\4", b"\1\0", b"\1\1"]),
    ],
    ids=["sort", "rules", "tiles", "shot"],
)
def test_parts_that_a_board_cannot_have_are_refused(tmp_path, fields, possible, foreign):
    """In a table of parts that no position needs, on boards that are solved."""
    solved = Certificate(fields, "optimal", 0, [], {})
    folders = []
    for number, fillers in enumerate([possible, *([part] for part in foreign)]):
        folders.append(tmp_path / str(number))
        folders[-1].mkdir()
        write(replace(solved, fillers=fillers), folders[-1])
    assert verdicts(folders) == [0] + [1] * len(foreign)


@pytest.mark.parametrize(("column", "code"), [(b"\0\1\0", 0), (b"\0\1\0\1", 1), (b"\2", 1)], ids=str)
def test_columns_are_as_high_as_the_tallest_and_of_its_colours(tmp_path, column, code):
    fields = {"puzzle": "tiles", "columns": [[1, 2, 1], []]}
    honest = Certificate(fields, "optimal", 3, [0, 0, 0], {(b"\0\1\0", b""): 3}, fillers=[column])
    assert verdicts([write(honest, tmp_path)]) == [code]


def test_unsorted_positions_are_refused_even_if_nothing_needs_them(certificates, case):
    _, _, labels = read(certificates["ball"])
    tubes = (b"", b"\0\0\0\1", b"\1\1\1\0", b"\2\2\2\2")
    assert tubes not in labels
    folders = [
        rewrite(case("ball"), {**dict(labels), position: 1}, sort=False) for position in (tubes, tubes[1:] + tubes[:1])
    ]
    assert verdicts(folders) == [0, 1]


def test_positions_out_of_order_or_unsorted_are_refused(certificates, case):
    _, _, labels = read(certificates["ball"])
    backwards = dict(reversed(labels.items()))
    unsorted = {position[::-1]: label for position, label in labels.items()}
    twice = rewrite(case("ball"), labels)
    table, columns, values = [], [[], [], [], []], []
    for position, label in sorted(labels.items()):
        table = sorted({part for each in labels for part in each})
        for _ in range(2):
            values.append(label)
            for column, part in zip(columns, position, strict=True):
                column.append(table.index(part))
    write_labels(Labels(table, [array("I", column) for column in columns], array("I", values)), twice / LABELS_FILE)
    folders = [rewrite(case("ball"), backwards, order=False), rewrite(case("ball"), unsorted, sort=False), twice]
    assert verdicts(folders) == [2, 1, 2]


def test_the_labels_of_another_board_rule_or_goal_show_nothing(certificates, case):
    folders = []
    for name in SORT_BOARDS:
        for other in SORT_BOARDS:
            if name != other:
                folders.append(case(name, labels=(certificates[other] / LABELS_FILE).read_bytes()))
                folders.append(case(name, board=(certificates[other] / BOARD).read_bytes()))
    ball = json.loads((certificates["ball"] / BOARD).read_bytes())
    for change in (
        {"puzzle": "water-sort"},
        {"goal": "monochrome"},
        {"goal": "gathered"},
        {"capacity": 5},
        {"tubes": [*ball["tubes"], []]},
        {"capacities": [4, 4, 4, 5]},
        {"no_in": [0]},
    ):
        folders += [case("ball", board=json.dumps({**ball, **change}).encode())]
    codes = verdicts(folders)
    assert all(code != 0 or truth(folder) for folder, code in zip(folders, codes, strict=True))
    assert 0 not in codes[-7:]


@pytest.mark.parametrize("name", ["rules", "rules, unsolvable"])
def test_rules_that_are_left_out_of_the_board_are_missed(certificates, case, name):
    """The same labels for a board with fewer rules: what they show is refused, or true all the same."""
    fields = json.loads((certificates[name] / BOARD).read_bytes())
    beyond = [key for key in fields if key not in ("puzzle", "capacity", "tubes", "goal")]
    assert len(beyond) > 2
    folders = [case(name, board=json.dumps({k: v for k, v in fields.items() if k != key}).encode()) for key in beyond]
    codes = verdicts(folders)
    assert 1 in codes
    assert all(code != 0 or truth(folder) for folder, code in zip(folders, codes, strict=True))


def test_tubes_do_not_change_their_rules(certificates, case):
    """Positions in which a tube has another one's rule, or a lock that this board hasn't, are none of this board."""
    rules, _, labels = read(certificates["rules"])
    assert isinstance(rules, checker.Sort)
    last = len(rules.rules) - 1
    assert rules.rules[last].locked
    position = min(labels, key=labels.__getitem__)
    empty = next(place for place, tube in enumerate(position) if len(tube) == 1)
    folders = []
    for number in range(last + 2):
        changed = (*position[:empty], bytes([number]), *position[empty + 1 :])
        if changed not in labels and (number > last or rules.opens[number] != rules.opens[position[empty][0]]):
            folders.append(rewrite(case("rules"), {**labels, tuple(sorted(changed)): 1}))
    folders.append(rewrite(case("rules"), {**labels, (b"", *position[1:]): 1}))
    assert verdicts(folders) == [1] * len(folders)
    assert len(folders) > 2


def test_borders_are_not_for_boards_with_rules(case):
    claim = json.dumps({"status": "unsolvable", "length": None, "proof": "borders"}).encode()
    assert verdicts([case("rules, unsolvable", claim=claim)]) == [2]


@pytest.mark.parametrize(
    "change",
    [
        {"order": "top-down"},
        {"order": "bottom-up"},
        {"locked": [0]},
        {"name": ["x"]},
        {"goal": "together"},
        {"hidden": [[False] * 4] * 3 + [[]]},
        {"reveal": "all"},
        {"capacities": [4, 4, 4]},
        {"capacities": [4, 4, 4, 0]},
        {"capacities": [4, 4, 3, 4]},
        {"locked": [{"tube": 3}]},
        {"locked": [{"tube": 3, "until": "nobody"}]},
        {"locked": [{"tube": 3, "until": 5}]},
        {"locked": [{"tube": 3, "until": True}]},
        {"locked": [{"tube": 4, "until": 1}]},
        {"locked": [{"tube": 3, "until": 1}] * 2},
        {"locked": [{"tube": 3, "until": 1, "unless": 2}]},
        {"no_in": [-1]},
        {"no_out": 0},
        {"accepts": {"03": ["a"]}},
        {"accepts": {"3": ["nobody"]}},
        {"accepts": {"3": "a"}},
        {"partial": 0},
        {"cork": None},
        {"capacity": 4.0},
        {"capacity": True},
        {"capacity": 10**20},
        {"capacity": 0},
        {"tubes": []},
        {"tubes": [["a"], "b"]},
        {"tubes": [[None]]},
        {"tubes": [["a"] * 5]},
        {"puzzle": "ball"},
        {"puzzle": None},
        {"puzzle": "constructor"},
    ],
    ids=str,
)
def test_boards_that_say_anything_else_are_refused(certificates, case, change):
    """What isn't understood may mean anything: a key that isn't known is no key to pass over."""
    fields = json.loads((certificates["ball"] / BOARD).read_bytes())
    assert verdicts([case("ball", board=json.dumps({**fields, **change}).encode())]) == [2]


def test_colours_of_two_types_are_two_colours(case, certificates):
    fields = json.loads((certificates["ball"] / BOARD).read_bytes())
    tubes = [[{"a": 1, "b": "1", "c": "one"}[ball] for ball in tube] for tube in fields["tubes"]]
    wrong = [[{"a": 1, "b": True, "c": "one"}[ball] for ball in tube] for tube in fields["tubes"]]
    folders = [case("ball", board=json.dumps({**fields, "tubes": each}).encode()) for each in (tubes, wrong)]
    assert verdicts(folders) == [0, 2]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b'{"a": 1, "a": 1}',
        b'{"a": NaN}',
        b'{"a": 1e400}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b'{"a": "' + b"x" * 5_000_000 + b'"}',
        b'{"a": "\\u12g4"}',
        b'{"a": "\n"}',
        b'{"a": 01}',
        b'{"a": 1} x',
        b"{'a': 1}",
    ],
    ids=lambda text: ascii(text[:12]),
)
@pytest.mark.parametrize("file", [BOARD, PLAN, CLAIM])
@pytest.mark.sampled(every=3)
def test_texts_that_are_no_json(case, text, file):
    folder = case("ball", **{Path(file).stem: text})
    assert verdicts([folder]) == [2]
    with pytest.raises(BspSatError):
        verify_certificate(folder)


@pytest.mark.parametrize(
    "claim",
    [
        {"status": "optimal", "length": None, "proof": "labels"},
        {"status": "optimal", "length": "12", "proof": "labels"},
        {"status": "optimal", "length": True, "proof": "labels"},
        {"status": "optimal", "length": -1, "proof": "labels"},
        {"status": "optimal", "length": 12, "proof": "borders"},
        {"status": "optimal", "length": 12, "proof": "none"},
        {"status": "optimal", "length": 12, "proof": ["labels"]},
        {"status": ["optimal"], "length": 12, "proof": "labels"},
        {"status": "feasible", "length": 12, "proof": "labels"},
        {"status": "unsolvable", "length": None, "proof": "labels"},
        {"status": "unsolvable", "length": None, "proof": "borders"},
        {"status": "unsolvable", "length": 12, "proof": "labels"},
        {"status": "optimal", "length": 12, "proof": "labels", "encoding": "order"},
        {"status": "optimal", "length": 11, "proof": "labels"},
        {"status": "optimal", "length": 13, "proof": "labels"},
        {"length": 12, "proof": "labels"},
    ],
    ids=str,
)
def test_other_claims_are_refused(case, claim):
    folder = case("ball", claim=json.dumps(claim).encode())
    assert verdicts([folder])[0] in (1, 2)
    write_manifest(folder)
    with pytest.raises(BspSatError):
        verify_certificate(folder)


# -- numbers beyond one and two bytes --------------------------------------------------------------------


@pytest.mark.parametrize("modulus", [1 << 8, 1 << 16])
@pytest.mark.parametrize("kind", ["ball-sort", "water-sort"])
def test_a_claim_that_rests_on_cut_off_numbers_is_refused(tmp_path, kind, modulus):
    assert verdicts([write(aliased(modulus, kind), tmp_path)]) == [1]


LARGE: dict[str, Callable[[], Certificate]] = {
    "65,600 positions, twice as many parts": partial(many_positions, 65_600),
    "65,537 columns": partial(wide, 65_537, "tiles"),
    "65,537 tubes": partial(wide, 65_537, "ball-sort"),
    "130,000 columns": partial(wide, 130_000, "tiles"),
    "65,535 tiles in a column": partial(tall, 65_535),
    "131,074 tiles in a column": partial(tall, 131_074),
}


@pytest.mark.parametrize("name", LARGE)
def test_sizes_beyond_sixteen_bits(tmp_path, name):
    """What is true is accepted; higher labels are refused, or the claim that there is no plan where none are needed."""
    honest, folders = LARGE[name](), []
    false = replace(honest, status="unsolvable", length=None)
    if honest.labels:
        false = replace(honest, labels=dict.fromkeys(honest.labels, 65_539))
    for number, certificate in enumerate([honest, false]):
        folders.append(tmp_path / str(number))
        folders[-1].mkdir()
        write(certificate, folders[-1])
    assert verdicts(folders) == [0, 1]


@pytest.mark.parametrize("kind", ["ball-sort", "tiles"])
def test_labels_beyond_sixteen_bits(tmp_path, kind):
    """Labels of four bytes are compared in full: one that is too high by 65,536 is too high."""
    honest = next(each for each in small() if each.fields["puzzle"] == kind and each.labels and each.length)
    folders = []
    for number, position in enumerate(honest.labels):
        folders.append(tmp_path / str(number))
        folders[-1].mkdir()
        label = honest.labels[position] + 65_536
        write(replace(honest, labels={**honest.labels, position: label}), folders[-1])
    assert set(verdicts(folders)) == {1}


# -- where the checkers might differ ---------------------------------------------------------------------


@pytest.mark.parametrize("code", range(8))
def test_distances_beyond_the_window_that_a_stream_names(tmp_path, code):
    """Allowed up to 32,768: the window is about memory, and zlib doesn't look."""
    certificate = many_positions(500)
    assert verdicts([write(certificate, tmp_path)]) == [0]
    line, _, stream = (tmp_path / LABELS_FILE).read_bytes().partition(b"\n")
    (tmp_path / LABELS_FILE).write_bytes(line + b"\n" + smaller_window(stream, code))
    assert verdicts([tmp_path]) == [0]


@pytest.mark.parametrize(
    ("fields", "part", "foreign"),
    [
        ({"puzzle": "ball-sort", "capacity": 3, "tubes": [[], []]}, b"", b"\0"),
        ({"puzzle": "water-sort", "capacity": 3, "tubes": [[], []], "cork": True}, b"\0", b"\0\0"),
        ({"puzzle": "tiles", "columns": [[], []]}, b"", b"\0"),
    ],
    ids=lambda value: value["puzzle"] if isinstance(value, dict) else "",
)
def test_boards_without_balls_have_the_empty_part(tmp_path, fields, part, foreign):
    """So the table may list it; but no tile or ball of any colour, and the solved board has no label."""
    solved = Certificate(fields, "optimal", 0, [], {})
    labelled = replace(solved, labels={(part, part): 1})
    cases = [replace(solved, fillers=[part]), replace(solved, fillers=[foreign]), labelled]
    for number, certificate in enumerate(cases):
        (tmp_path / str(number)).mkdir()
        write(certificate, tmp_path / str(number))
    assert verdicts([tmp_path / str(number) for number in range(3)]) == [0, 1, 1]


@pytest.mark.parametrize(("depth", "code"), [(100, 1), (101, 2), (900, 2)])
def test_nesting_is_limited(case, depth, code):
    """A plan of one move that is none, so that the number of moves is wrong; deeper than 100 it isn't even read."""
    plan = b'{"plan": ' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"
    assert verdicts([case("ball", plan=plan)]) == [code]


def test_borders_of_very_many_tubes_take_no_time(tmp_path):
    """65,280 tubes of two balls, no two alike."""
    tubes = [[one, other] for one in range(256) for other in range(256) if one != other]
    write(Certificate({"puzzle": "ball-sort", "capacity": 2, "tubes": tubes}, "unsolvable", None, [], {}), tmp_path)
    (tmp_path / CLAIM).write_text(json.dumps({"status": "unsolvable", "length": None, "proof": "borders"}))
    assert verdicts([tmp_path]) == [1]


# -- streams, sizes, paths -------------------------------------------------------------------------------


def packed(**changes: object) -> bytes:
    """A labels file with lies in its header, or other contents behind it."""
    header = {"parts": 1, "table": 2, "positions": 0, "size": 4, "number": 1, "label": 1}
    contents = changes.pop("contents", b"\0\0")
    packed_contents = changes.pop("packed", None)
    header |= changes  # type: ignore[arg-type]  # lies may be of any type
    line = (
        "bsp-sat labels 1: {parts} parts in {table} bytes, {positions} positions of {size}, "
        "numbers of {number}, labels of {label}\n"
    ).format(**header)
    return line.encode() + (zlib.compress(contents) if packed_contents is None else packed_contents)  # type: ignore


BOMB_BYTES = 200_000_000
BOMB = zlib.compress(bytes(BOMB_BYTES), 1)

LIES = {
    "nothing": b"",
    "no header": zlib.compress(b"\0\0"),
    "more parts": packed(parts=2),
    "fewer parts": packed(parts=0),
    "longer table": packed(table=3),
    "shorter table": packed(table=1),
    "a part that ends outside": packed(contents=b"\5\0"),
    "parts out of order": packed(parts=2, table=6, contents=b"\1\0\1\1\0\0"),
    "a part twice": packed(parts=2, table=4, contents=b"\0\0\0\0"),
    "positions that are not there": packed(positions=1),
    "billions of positions": packed(positions=999_999_999),
    "more digits": packed(positions=10**30),
    "a sign": packed(positions="-1"),
    "other digits": packed(positions="١"),
    "positions of another size": packed(size=5),
    "huge positions": packed(size=999_999_999, positions=999_999_999),
    "no size": packed(size=0),
    "numbers of three bytes": packed(number=3),
    "a part outside the table": packed(positions=1, contents=b"\0\0" + b"\1" + b"\0\0\0\7"),
    "a part just outside the table": packed(positions=1, contents=b"\0\0" + b"\1" + b"\0\0\0\1"),
    "too many numbers": packed(positions=1_999_999, number=4, label=4, contents=bytes(1_000)),
    "a bomb": packed(packed=BOMB),
    "a bomb that says so": packed(table=BOMB_BYTES, packed=BOMB),
    "a bomb of equal positions": packed(positions=200_000, contents=bytes(2 + 5 * 200_000)),
    "behind the end": packed() + b"x",
    "two streams": packed(packed=zlib.compress(b"\0\0") * 2),
    "cut off": packed()[:-1],
    "no checksum": packed()[:-4],
    "another checksum": packed()[:-1] + b"\xff",
    "raw deflate": packed(packed=zlib.compress(b"\0\0")[2:-4]),
    "gzip": packed(packed=zlib.compressobj(wbits=31).compress(b"\0\0")),
    "a dictionary": packed(packed=b"\x78\xbb" + bytes(20)),
    "bytes that are no stream": packed(packed=b"\x78\x9c" + b"\xff" * 50),
    "a distance before the start": packed(packed=b"\x78\x9c\x63\x00\x22\x00"),
    "an endless block": packed(packed=b"\x78\x9c" + b"\x00\xff\xff\x00\x00" + bytes(60_000)),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.sampled(every=2)
def test_headers_that_lie_and_streams_that_do_not_end(case, lie):
    folder = case("ball", labels=LIES[lie])
    of_another_board = lie in ("positions of another size", "huge positions", "no size")
    assert verdicts([folder]) == [1 if of_another_board else 2]
    write_manifest(folder)
    with pytest.raises(BspSatError):
        verify_certificate(folder)


def test_streams_that_are_cut_anywhere(certificates, case):
    data = (certificates["ball"] / LABELS_FILE).read_bytes()
    folders = [case("ball", labels=data[:end]) for end in range(len(data))]
    assert set(verdicts(folders)) == {2}


def test_every_way_to_compress_is_read_alike(certificates, case):
    """Stored, fixed and dynamic blocks, small windows: the second checker has its own decompression."""
    data = (certificates["ball"] / LABELS_FILE).read_bytes()
    line, _, stream = data.partition(b"\n")
    contents = zlib.decompress(stream)
    folders = []
    for level in range(10):
        for bits in (9, 12, 15):
            for strategy in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED):
                packer = zlib.compressobj(level, wbits=bits, strategy=strategy)
                folders.append(case("ball", labels=line + b"\n" + packer.compress(contents) + packer.flush()))
    assert set(verdicts(folders)) == {0}


def checked_within(folder: Path, most_bytes: int) -> tuple[int, str]:
    """The exit code and the last line of check_labels.py in a process that may not have more memory."""
    program = (
        f"import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, ({most_bytes}, {most_bytes})); "
        f"sys.argv = ['x', {str(folder)!r}]; runpy.run_path({checker.__file__!r}, run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout.splitlines()[-1]


def test_a_bomb_is_refused_in_little_memory(case):
    """One of 200 MB."""
    assert checked_within(case("ball", labels=LIES["a bomb"]), 150_000_000) == (
        2,
        "Unreadable: labels.bin: the compressed part is not as long as the header says",
    )


def test_many_parts_of_many_colours_take_little_memory(tmp_path):
    """200,000 parts of 256 colours, in a table of a megabyte."""
    fields = {"puzzle": "ball-sort", "capacity": 3, "goal": "monochrome", "tubes": [[colour] for colour in range(256)]}
    parts = [number.to_bytes(3, "big") for number in range(200_000)]
    write(Certificate(fields, "optimal", 0, [], {}, fillers=parts), tmp_path)
    assert checked_within(tmp_path, 150_000_000) == (0, "Verified: 0 moves is the minimum.")


@pytest.mark.parametrize("file", [*FILES, MANIFEST])
@pytest.mark.parametrize("kind", ["missing", "pipe", "link", "link to a device", "loop", "folder", "empty"])
@pytest.mark.sampled(every=2)
def test_files_that_are_none(certificates, case, file, kind):
    folder = case("ball")
    path = folder / file
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(certificates["ball"] / file)
    elif kind == "link to a device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    if file != MANIFEST:  # which the checkers don't read
        assert verdicts([folder]) == [2]
    started = processor_seconds()
    run = bsp_sat("verify", str(folder))
    assert processor_seconds() - started < SECONDS
    assert run.returncode == 1
    assert run.stdout.startswith("Not verified: ")


def test_further_files_are_refused(case):
    folder = case("ball")
    (folder / "more").write_text("")
    write_manifest(folder)
    with pytest.raises(BspSatError, match="more belongs to no certificate"):
        verify_certificate(folder)


def test_a_plan_of_another_board_is_refused(certificates, case):
    other = (certificates["several homes"] / PLAN).read_bytes()
    short = [
        b'{"plan": []}',
        b'{"plan": [[0, 0]]}',
        b'{"plan": [[0, 99]]}',
        b'{"plan": [[0]]}',
        b'{"plan": [[true, 1]]}',
    ]
    unreadable = [b'{"plan": 3}', b'{"plan": [[0.0, 1]]}', b'{"plan": [], "x": 1}', b"{}"]
    codes = verdicts([case("ball", plan=plan) for plan in (other, *short, *unreadable)])
    assert codes == [1] * (1 + len(short)) + [2] * len(unreadable)


@pytest.mark.parametrize(
    ("move", "code"),
    [(b"[0, 1]", 0), (b"[0, 0]", 1), (b"[0, 2]", 1), (b"[-1, 0]", 1), (b"[0]", 2), (b"[true, 0]", 2)],
)
def test_illegal_moves_are_refused(tmp_path, move, code):
    fields = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a"], ["a"]]}
    write(Certificate(fields, "optimal", 1, [], {}), tmp_path)
    (tmp_path / PLAN).write_bytes(b'{"plan": [' + move + b"]}")
    assert verdicts([tmp_path]) == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b'{"puzzle": "ball-sort", "capacity": 1, "tubes": [["a"]]}', 0),
        (b'{"puzzle": "ball-sort", "capacity": true, "tubes": [["a"]]}', 2),
        (b'{"puzzle": "ball-sort", "capacity": 1, "capacity": 1, "tubes": [["a"]]}', 2),
        (b'{"puzzle": "ball-sort", "capacity": 1, "tubes": [[123456789012345]]}', 0),
        (b'{"puzzle": "ball-sort", "capacity": 1, "tubes": [[1234567890123456]]}', 2),
        (b'{"puzzle": "ball-sort", "capacity": 1, "tubes": [[-12345678901234]]}', 0),
        (b'{"puzzle": "ball-sort", "capacity": 1, "tubes": [[-123456789012345]]}', 2),
        (b'{"puzzle": "shot", "width": 2, "height": 1, "balls": [[0, 0]]}', 0),
        (b'{"puzzle": "shot", "width": 2, "height": 1, "balls": [[0, 0], [0, 0]]}', 2),
    ],
)
def test_solved_boards_as_files_have_them(tmp_path, text, code):
    """Each key once, numbers of at most 15 characters, each place once."""
    write(Certificate(json.loads(text), "optimal", 0, [], {}), tmp_path)
    (tmp_path / BOARD).write_bytes(text)
    assert verdicts([tmp_path]) == [code]
