"""Random boards of a class, and what they say about all of them."""

import json
import sqlite3
from contextlib import closing

import pytest

from bsp_sat.apps.census import cases, sampling
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.board_classes import BoardClasses
from bsp_sat.apps.census.enumeration import ClassPart
from bsp_sat.apps.census.sampling import decide_some, share_of
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import BallSort
from tests.apps.census.test_census import census


@pytest.mark.parametrize(
    ("decided", "unsolvable", "drawn", "interval"),
    [
        (100, 0, 100, (0, 0.0362167)),
        (10, 5, 10, (0.1870860, 0.8129140)),
        (10, 10, 10, (0.6915029, 1)),
        (8, 3, 10, (0.0667395, 0.8129140)),  # 3 to 5 of 10
        (0, 0, 10, (0, 1)),
    ],
)
def test_intervals_are_those_of_clopper_and_pearson(decided, unsolvable, drawn, interval):
    assert share_of(ClassPart(decided, unsolvable), drawn) == pytest.approx(interval, abs=1e-7)


@pytest.mark.parametrize("numbers", [(3, 3, 1), (4, 3, 1), (3, 4, 1)])
def test_the_interval_has_the_share_that_a_case_distinction_counts(numbers):
    of = BoardClass(*numbers)
    unsolvable = sum(cases.decide(of, name).unsolvable for name in cases.PART_NAMES)
    low, high = share_of(decide_some(of, 1, b"0-1000"), 1000)
    assert low < unsolvable / cases.count_boards(of) < high < low + 0.1


def test_a_sample_has_the_boards_of_the_generator_from_its_seed_on():
    of, tables = BoardClass(4, 3, 1), BoardClasses(4, 3, 1)
    boards = random_boards(BallSort, 4, 3, 1, seed=12)
    drawn = [b"".join(next(boards).puzzle.tubes) for _ in range(30)]
    dead = [board for board in drawn if tables.paths(board) == 0]
    assert decide_some(of, 5, b"7-37") == ClassPart(30, len(dead), dead[:10])


def test_boards_that_take_too_many_tables_are_left_open(monkeypatch):
    assert decide_some(BoardClass(4, 3, 1), 0, b"0-20").boards == 20
    monkeypatch.setattr(sampling, "MAX_TABLES", 1)
    assert decide_some(BoardClass(4, 3, 1), 0, b"0-20").boards < 20


def test_the_command_says_the_share_and_keeps_what_is_done(tmp_path):
    words = ("3 3 1", "--by", "sample", "--boards", "50", "--resume", str(tmp_path / "results"))
    run = census(*words, "--json")
    found = json.loads(run.stdout)
    assert (run.exit_code, found["how"], found["boards"], found["unsolvable"]) == (1, "sample", 50, 3)
    assert found["share"] == pytest.approx([0.0125486, 0.1654819], abs=1e-7)
    assert json.loads(census(*words, "--json").stdout) == found
    shown = census(*words).stdout
    assert "50 random boards were decided; 3 can't be solved (6.000%)." in shown
    assert "with a confidence of 95 %: 1.255% to 16.548%." in shown
    assert census(*words, "--seed", "1").exit_code == 2
    with closing(sqlite3.connect(tmp_path / "results")) as database, database:
        database.execute("UPDATE run SET json = replace(json, '\"boards\": 20', '\"boards\": 99')")
    run = census(*words)
    assert (run.exit_code, "208 of 50 random boards were decided: the file was changed" in run.output) == (2, True)
    assert census("3 3 2", "--by", "sample", "--boards", "5").exit_code == 3


def test_an_unsolvable_board_is_an_answer_though_others_of_its_sample_are_open(tmp_path):
    words = ("3 3 1", "--by", "sample", "--boards", "50", "--resume", str(tmp_path / "results"))
    census(*words)
    with closing(sqlite3.connect(tmp_path / "results")) as database, database:
        database.execute("UPDATE run SET json = replace(json, '\"boards\": 10', '\"boards\": 9')")
    run = census(*words)
    assert (run.exit_code, "no answer for 1 of 50 random boards" in run.stdout) == (1, True)
