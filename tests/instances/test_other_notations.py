"""The notations of two other programs: read by what stands in a text, written, and read again."""

import json
import os
from pathlib import Path

import pytest

from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import load_instances
from bsp_sat.instances.sorting import BallSort, Lock, WaterSort, is_hidden
from bsp_sat.instances.sorting.other_notations import NOTATIONS
from tests.support.command import bsp_sat
from tests.support.helpers import read_one as read

SSHCRACK = "P??B !P,B??P EEEE EEEE\n"
REAL = Path(os.environ.get("BSP_SAT_REAL_LEVELS", "nowhere"))  # a folder with levels of two games, which are not ours


def test_sshcrack_is_read():
    board = read(SSHCRACK).puzzle
    assert is_hidden(board)
    assert isinstance(board, WaterSort)
    assert board.coloured_tubes() == [["blue", None, None, "purple"], ["purple", None, None, "blue"], [], []]
    assert board.rules.reveal == "cell"
    assert board.rules.tubes[1].lock == Lock(colour=board.palette.index("purple"))


def test_a_locked_tube_of_which_nothing_is_said_is_full_of_unknown_balls_or_empty():
    """Empty where the other tubes hold all balls of the colours that show."""
    assert read("P?B? !B P?B? EEEE").puzzle.coloured_tubes()[1] == []
    assert read("PPBG !B PPG? EEEE EEEE").puzzle.coloured_tubes()[1] == [None] * 4


def test_frozenfrank_is_read():
    instance = read("i\n908 mystery blind\n4\n? m g g\ng g m m\n- - - -\n- - - -\n")
    assert instance.name == "908"
    assert instance.about["flags"] == ["mystery", "blind"]
    assert instance.puzzle.coloured_tubes()[1:] == [["m", "m", "g", "g"], [], []]


def test_the_flag_pour_of_frozenfrank_is_drain():
    assert read("i\n7 pour\n3\nr\tr\tb\tb\nb\tb\tr\tr\n-\t-\t-\t-\n").puzzle.rules.drain


def test_a_board_without_a_name_has_one_for_frozenfrank():
    """Its reader stops at a line without a name."""
    assert NOTATIONS["frozenfrank"](WaterSort.from_text("aabb|bbaa|-"), "").split("\n")[:3] == ["i", "level", "3"]


def test_lieoric_is_read():
    text = "# Columns are written bottom-to-top.\nheight=4\ncolors=2\nempty=1\ncolumn=0a0A\ncolumn A0 0A\n"
    board = read(text).puzzle
    assert isinstance(board, WaterSort)
    assert board.coloured_tubes() == [["0", "A", "0", "A"], ["A", "0", "0", "A"], []]


@pytest.mark.parametrize("text", [SSHCRACK, "P??B B??P EEEE EEEE\n", "PPBB BBPP EEEE\n"])
def test_boards_for_sshcrack_are_read_as_they_were_written(text):
    assert NOTATIONS["sshcrack"](read(text).puzzle, "") == text


@pytest.mark.parametrize(
    "text",
    [
        "i\n908 mystery\n3\n?\tm\tg\tg\n?\tg\tm\tm\n-\t-\t-\t-\n",
        "i\n907\n3\nm\tm\tg\tg\ng\tg\tm\tm\n-\t-\t-\t-\n",
        "i\n907 drain\n3\nm\tm\tg\tg\ng\tg\tm\tm\n-\t-\t-\t-\n",
    ],
)
def test_boards_for_frozenfrank_are_read_as_they_were_written(text):
    instance = read(text)
    assert NOTATIONS["frozenfrank"](instance.puzzle, instance.name) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PEPB BBPE PBEE", "tube 1: expected room only at the top"),
        ("907 drain mystery\n2\nm ?\ng m\n", "drain: expected no covered or unknown balls"),
        ("907 upside\n2\nm g\ng m\n", "flags: expected mystery, blind, drain, pour, found 'upside'"),
        ("i\n907\n3\nm\tg\ng\tm\n", "expected 3 tubes of one height below their number, found 2 lines of 2"),
        ("i\n907\n2\nm\tg\ng\n", "expected 2 tubes of one height below their number, found 2 lines of 1 or 2"),
        ("height=2\ncolors=3\nempty=1\ncolumn=01\ncolumn=10\n", "colors: expected as many as lines column=, 2"),
        ("height=2\ncolors=2\ncolumn=01\ncolumn=10\n", "empty: expected a number in a line empty=, found None"),
        ("907\n2\nm -\ng m\n", "tube 1: expected room only at the top"),
        ("908 mystery\n3\n? ? g g\n? g ? m\n- - - ?\n", "cells unknown"),
    ],
)
def test_malformed_boards_in_other_notations_are_refused(text, message):
    with pytest.raises(BoardError) as caught:
        read(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("notation", "board", "message"),
    [
        ("sshcrack", WaterSort.from_text("ab|ba|-"), "no letter for colour 'a'"),
        ("sshcrack", BallSort.from_text("ab|ba|-"), "takes water-sort boards, not ball-sort"),
        ("frozenfrank", WaterSort.from_text("ab|ba|-"), "has tubes of 4, not 2"),
        ("frozenfrank", WaterSort.from_text("reveal cell\n?ab|?ba|-\ncolours a3 b3"), "uncovered one by one"),
        ("frozenfrank", WaterSort.from_text("[a]b|[b]a|-"), "known but covered"),
        ("frozenfrank", WaterSort.from_text("cork on\nab|ba|-"), "corks on complete tubes"),
    ],
)
def test_what_can_not_be_written_is_refused(notation, board, message):
    with pytest.raises((BoardError, Unsupported)) as caught:
        NOTATIONS[notation](board, "x")
    assert message in str(caught.value)


def test_show_writes_both_notations(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text("P??B B??P EEEE EEEE\n")
    shown = bsp_sat("show", str(path), "--format", "sshcrack")
    assert shown.stdout == path.read_text()
    as_json = json.loads(bsp_sat("show", str(path), "--format", "json").stdout)
    assert as_json["tubes"][0] == ["blue", None, None, "purple"]


@pytest.mark.skipif(not REAL.is_dir(), reason="the real levels aren't here")
@pytest.mark.parametrize("name", ["sshcrack", "frozenfrank"])
def test_real_levels_are_written_and_read_again(name):
    for instance in load_instances(REAL / f"{name}.jsonl"):
        fields = {**instance.puzzle.to_json(), "tubes": [], "reveal": "cell" if name == "sshcrack" else "run"}
        covered = fields.pop("hidden", [[False] * len(tube) for tube in instance.puzzle.tubes])
        fields["tubes"] = [
            [None if hidden else ball for ball, hidden in zip(tube, hides, strict=True)]
            for tube, hides in zip(instance.puzzle.coloured_tubes(), covered, strict=True)
        ]
        try:
            board = WaterSort.from_json(fields)
        except BoardError:
            continue  # colours that are nowhere to be seen have no names in these notations either
        again = read(NOTATIONS[name](board, instance.name)).puzzle
        assert sorted(again.coloured_tubes(), key=str) == sorted(board.coloured_tubes(), key=str)
