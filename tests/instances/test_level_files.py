"""Packs as games store them are read back as the same pack, or refused."""

import json

import pytest
from click.testing import CliRunner

from bsp_sat import BallSort, WaterSort, load
from bsp_sat.apps.levels.alike import KnownBoards, Twin
from bsp_sat.cli.group import commands
from bsp_sat.instances.files import Instance, parse_instances
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.level_files import LEVEL_FILES, level_file

NAMES = ["red", "blue", "green", "cyan", "lime", "pink", "gold", "teal"]


def _pack(kind, colours=(3, 5, 8), capacity=4):
    boards = []
    for number, each in enumerate(colours):
        puzzle = next(random_boards(kind, each, capacity + number % 2, 2, seed=number)).puzzle
        boards.append(Instance(puzzle, {"name": f"level {number}"}))
    return boards


def _ranks(puzzle):
    ranks = {}
    return (
        puzzle.kind,
        puzzle.capacity,
        [[ranks.setdefault(ball, len(ranks)) for ball in tube] for tube in puzzle.tubes],
    )


@pytest.mark.parametrize("form", LEVEL_FILES)
@pytest.mark.parametrize("kind", [BallSort, WaterSort])
@pytest.mark.parametrize("named", [True, False])
def test_a_pack_is_read_back_as_the_same_pack(form, kind, named):
    pack = _pack(kind)
    if named:
        pack = [
            Instance(
                kind.from_tubes([[NAMES[ball] for ball in tube] for tube in each.puzzle.tubes], each.puzzle.capacity)
            )
            for each in pack
        ]
    found = parse_instances(level_file(pack, form), puzzle=kind.kind)
    assert [_ranks(each.puzzle) for each in found] == [_ranks(each.puzzle) for each in pack]


@pytest.mark.parametrize("form", ["top-first", "typescript"])
def test_covers_and_locks_are_kept_where_there_is_room_for_them(form):
    board = {"puzzle": "water-sort", "capacity": 2, "tubes": [["red", "blue"], ["blue", "red"], [], []],
             "hidden": [[True, False], [False, False], [], []], "locked": [{"tube": 2, "until": 1}]}  # fmt: skip
    (instance,) = parse_instances(json.dumps(board))
    (again,) = parse_instances(level_file([instance], form))
    assert again.puzzle == instance.puzzle


@pytest.mark.parametrize("more", [{"no_in": [3]}, {"hidden": [[True, False], [False, False], [], []]}, {"cork": True}])
@pytest.mark.parametrize("form", ["unity", "csv", "c", "csharp"])
def test_what_a_form_has_no_room_for_is_refused(form, more, tmp_path):
    path = tmp_path / "board.json"
    board = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["red", "blue"], ["blue", "red"], [], []], **more}
    path.write_text(json.dumps(board), encoding="utf-8")
    run = CliRunner().invoke(commands, ["show", str(path), "--format", form])
    assert (run.exit_code, run.stdout) == (2, "")
    assert f"as {form} it would be read back as another board; use --format json" in run.stderr


def test_boards_are_alike_up_to_colours_order_and_the_top():
    one = BallSort.from_tubes([["a", "b", "c"], ["a", "a", "b"], ["c", "b", "c"], []], 3)
    other = BallSort.from_tubes([[], ["x", "x", "y"], ["z", "y", "z"], ["x", "y", "z"]], 3)
    mirrored = BallSort.from_tubes([["c", "b", "a"], ["b", "a", "a"], ["c", "b", "c"], []], 3)
    else_ = BallSort.from_tubes([["a", "c", "b"], ["a", "a", "b"], ["c", "b", "c"], []], 3)
    known = KnownBoards([load("level-80"), one])
    assert known.twin_of(other) == Twin(1, turned=False)
    assert known.twin_of(mirrored) == Twin(1, turned=True)
    assert known.twin_of(else_) is None
