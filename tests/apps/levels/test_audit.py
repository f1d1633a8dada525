"""`bsp-sat audit`: what it says of levels that can't be solved, wrong answers, duplicates, and jumps."""

import csv
import json
from base64 import b64decode
from itertools import islice

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, solve
from bsp_sat.apps.levels.audit import audited
from bsp_sat.cli.batch import outcomes
from bsp_sat.cli.group import commands
from bsp_sat.instances.files import Instance
from bsp_sat.instances.generators import random_boards


def board(tubes, **about):
    return {"puzzle": "ball-sort", "capacity": 2, "tubes": tubes, **about}


SWAP = [["red", "blue"], ["blue", "red"], []]
RING = [["a1", "b1"], ["b1", "c1"], ["c1", "a1"]]
LEVELS = [
    board(SWAP, name="right", optimal={"ball-sort": 3}),
    board([["lime", "pink"], [], ["pink", "lime"]], name="twin", optimal={"ball-sort": 4}),
    board([["red", "blue"], ["blue", "red"]], name="stuck"),
    board([*RING, [], []], name="plan", solution=[[0, 3], [2, 0], [1, 2], [1, 3]]),
    board([*RING, []], name="wrong plan", moves=[{"from": 0, "to": 1}]),
    board([*SWAP[:2], [], []], name="from 1", steps=[[1, 3], [2, 4], [1, 4], [2, 3]], minMoves=2),
]  # fmt: skip


@pytest.fixture
def pack(tmp_path):
    path = tmp_path / "pack.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in LEVELS), encoding="utf-8")
    return path


def audit(*words):
    return CliRunner().invoke(commands, ["audit", *map(str, words), "--jobs", "1"])


def test_every_finding_is_named_with_its_level(pack):
    run = audit(pack)
    assert run.exit_code == 1, run.output
    assert "6 levels: 5 solved in the fewest moves, 1 unsolvable, proved." in run.stdout
    assert "Level 2 (twin): says 4, the fewest moves are 3; is level 1 again." in run.stdout
    assert "Level 3 (stuck): can't be solved." in run.stdout
    assert "Level 5 (wrong plan): moves: a plan that doesn't solve the level." in run.stdout
    assert "Level 6 (from 1): steps: a plan of 4 moves, the fewest are 3." in run.stdout
    assert "(right)" not in run.stdout
    assert "Published answers: 3, of which 2 wrong." in run.stdout


@pytest.mark.parametrize(
    "moves",
    [
        [{"to": 2, "from": 0}, {"to": 0, "from": 1}, {"to": 2, "from": 1}],
        [{"from": 0, "to": 2, "balls": 1}, {"from": 1, "to": 0, "balls": 1}, {"from": 1, "to": 2, "balls": 1}],
        ["1>3", "2>1", "2>3"],
    ],
    ids=["keys in another order", "more keys", "another form"],
)
def test_a_recorded_plan_is_called_wrong_only_if_it_was_read(tmp_path, moves):
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps(board(SWAP, moves=moves)))
    run = audit(path)
    assert run.exit_code == 0, run.output
    assert "doesn't solve" not in run.stdout


def test_each_level_has_a_row_in_the_page_and_in_the_table(pack, tmp_path):
    assert audit(pack, "-o", tmp_path / "audit.csv").exit_code == 1
    with (tmp_path / "audit.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["status"] for row in rows] == ["optimal", "optimal", "unsolvable", "optimal", "optimal", "optimal"]
    assert [row["like"] for row in rows] == ["", "1", "", "", "", ""]
    assert audit(pack, "-o", tmp_path / "audit.html").exit_code == 1
    page = (tmp_path / "audit.html").read_text()
    assert page.count("<tr>") == 1 + len(LEVELS)
    curve = b64decode(page.partition("data:image/svg+xml;base64,")[2].partition('"')[0])
    assert curve.count(b"<path") == 2  # the axes, and the cross of the level that can't be solved
    assert audit(pack, "-o", tmp_path / "audit.txt").exit_code == 2


def test_names_of_levels_are_no_markup(tmp_path):
    path = tmp_path / "pack.jsonl"
    path.write_text(json.dumps(board(SWAP, name="<script>alert(1)</script>")))
    audit(path, "-o", tmp_path / "audit.html")
    page = (tmp_path / "audit.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_level_far_above_those_before_is_a_jump():
    boards = [next(random_boards(BallSort, 4, 3, 2, seed=seed)).puzzle for seed in range(5)]
    boards.append(next(random_boards(BallSort, 8, 4, 2, seed=0)).puzzle)
    answers = [(Instance(each), {"status": "optimal", "length": len(solve(each).plan)}) for each in boards]
    lengths = sorted(answer["length"] for _, answer in answers[:5])
    assert [level.jump for level in audited(answers)] == [None] * 5 + [answers[5][1]["length"] - lengths[2]]


def test_an_interrupted_audit_says_what_it_has_not_looked_at(pack, tmp_path, monkeypatch):
    def two(jobs, request, number):
        return islice(outcomes(jobs, request, number), 2)

    monkeypatch.setattr("bsp_sat.apps.levels.commands.audit.outcomes", two)
    text = pack.read_text().splitlines()
    pack.write_text("\n".join([text[0], text[3], text[0]]))
    run = audit(pack, "-o", tmp_path / "audit.html")
    assert (run.exit_code, "Interrupted: 1 more weren't looked at." in run.stdout) == (3, True)
    assert "Interrupted: 1 more" in (tmp_path / "audit.html").read_text()
