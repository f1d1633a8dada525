"""Positions that a program makes without a file: parts that don't fit together are refused before any search."""

import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from bsp_sat import (
    AmbiguousBoard,
    BallSort,
    BoardError,
    Explorer,
    IllegalMove,
    Plan,
    PlanError,
    Pour,
    Shot,
    Tiles,
    WaterSort,
    board,
    draw,
    grade,
    hint,
    load,
    solve,
    solve_many,
)
from bsp_sat.backends.kernel import solve_boards
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import Lock, SortPuzzle

FEW = {"ball-sort": {"colours": 3}, "water-sort": {"colours": 3}, "shot": {"balls": 6}}
TUBES = (b"\0\1", b"\1\0", b"")
LOCKED = BallSort.from_json(
    {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], [], []], "locked": [{"tube": 3, "until": "a"}]}
)
COVERED = WaterSort.from_text("?ab|?ba|-|-\ncolours a3 b3")
WANTED = BallSort.from_json(
    {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "goal": "wanted", "wanted": {"a": 1}}
)


def with_rule(board: SortPuzzle, **changes: object) -> SortPuzzle:
    """The board with another rule for its last tube."""
    *others, last = board.rules.tubes
    return replace(board, rules=replace(board.rules, tubes=(*others, last._replace(**changes))))


BAD = {
    "no colours": (BallSort(TUBES, 2, "full", ()),
        r"tubes\[0\]\[0\]: expected the number of one of 0 colours, found 0"),
    "a ball beyond the palette": (WaterSort((b"\0\1", b"\1\2", b"\0"), 2, "full", ("a", "b")),
        r"tubes\[1\]\[1\]: expected the number of one of 2 colours, found 2"),
    "a colour twice": (BallSort(TUBES, 2, "full", ("a", "a")), "palette: expected each colour once"),
    "a colour that no file can have": (BallSort(TUBES, 2, "full", ("a", None)),
        r"palette: expected a colour \(a text or a whole number\), found null"),
    "a colour that is an unknown ball": (BallSort(TUBES, 2, "full", ("a", "?")), 'palette: expected no colour "\\?"'),
    "too many balls": (BallSort((b"\0\0\0\0", b""), 2, "full", ("a",)), r"tubes\[0\]: expected at most 2 balls"),
    "too few balls": (BallSort((b"\0", b""), 2, "full", ("a",)), "tubes: 1 of colour 'a' cannot fill whole tubes"),
    "tubes that are lists": (BallSort(([0, 1], [1, 0], []), 2, "full", ("a", "b")), "tubes: expected a tuple of byte"),
    "tubes that are strings": (BallSort(("ab", "ba", ""), 2, "full", ("a", "b")), "tubes: expected a tuple of byte"),
    "lists, with rules": (replace(LOCKED, tubes=([0, 1], [1, 0], [], [])), "tubes: expected a tuple of byte strings"),
    "columns that are lists": (Tiles(([0], [1]), ("a", "b")), "columns: expected a tuple of byte strings"),
    "too many colours": (BallSort(TUBES, 2, "full", tuple(range(257))), "palette: expected a tuple of at most 256"),
    "too many colours, with rules": (replace(LOCKED, palette=tuple(range(256))),
        "palette: expected a tuple of at most 255 colours"),
    "half a ball": (BallSort(TUBES, 2.0, "full", ("a", "b")), "capacity: expected 1 to 10000, found 2.0"),
    "a capacity that is a string": (BallSort(TUBES, "2", "full", ("a", "b")), "capacity: expected 1 to 10000, found"),
    "half a ball, with rules": (with_rule(LOCKED, capacity=2.0), r"capacities\[3\]: expected 1 to 10000, found 2.0"),
    "half a cell covered": (replace(LOCKED, covers=(0.0, 0, 0, 0)), r"hidden\[0\]: expected bits for 2 balls"),
    "half a ball of a colour": (replace(LOCKED, rules=replace(LOCKED.rules, counts=(2.0, 2))), "colours: expected 0"),
    "half a tube wanted": (replace(WANTED, rules=replace(WANTED.rules, wanted=(1.0, 0))), "wanted: expected 0 to"),
    "half a column": (Shot(3.0, 3, 7), "width: expected 1 to 100, found 3.0"),
    "half a ball on a grid": (Shot(3, 3, 7.0), "balls: expected a number with a bit for each ball"),
    "no room": (WaterSort((b"",), 0, "full", ()), "capacity: expected 1 to"),
    "no tubes": (WaterSort((), 2, "full", ()), "tubes: expected at least one tube"),
    "too few tubes": (BallSort((b"\0\1",), 2, "monochrome", ("a", "b")), "the colours need 2 tubes to be kept apart"),
    "another goal": (BallSort(TUBES, 2, "gathered", ("a", "b")), "goal: expected full or monochrome"),
    "a tube without a rule": (replace(LOCKED, tubes=(*LOCKED.tubes, b"")),
        r"tubes: expected one or more, and rules and covers for each, found \(5, 4, 4\)"),
    "a ball beyond the palette, with rules": (replace(LOCKED, tubes=(b"\0\1", b"\1\7", b"", b"\0")),
        r"tubes\[1\]\[1\]: expected the number of one of 2 colours"),
    "more unknown balls than are missing": (replace(LOCKED, tubes=(b"\0\1", b"\1\0", b"\xff", b"")),
        "colours: expected the number of balls of each colour"),
    "an unknown ball without rules": (BallSort((b"\0\1", b"\1\xff"), 2, "full", ("a", "b")),
        r"tubes\[1\]\[1\]: expected the number of one of 2 colours, found 255"),
    "too many balls for a rule": (replace(LOCKED, tubes=(b"\0\1\0", b"\1", b"", b"")),
        r"tubes\[0\]: expected at most 2 balls \(its capacity\), found 3"),
    "no capacity": (with_rule(LOCKED, capacity=0), r"capacities\[3\]: expected 1 to"),
    "a lock for another board": (with_rule(LOCKED, lock=Lock(colour=2)), r"tubes\[3\]: expected rules that name"),
    "a tube for colours of another board": (with_rule(LOCKED, accepts=(0, 64)),
        r"tubes\[3\]: expected rules that name"),
    "a cover of nothing": (replace(LOCKED, covers=(4, 0, 0, 0)), r"hidden\[0\]: expected bits for 2 balls"),
    "covers below none": (replace(LOCKED, covers=(-1, 0, 0, 0)), r"hidden\[0\]: expected bits for 2 balls"),
    "a single colour": (BallSort((b"\0", b""), 2, "full", ("a",)), 'of the capacity, or "goal": "monochrome"$'),
    "colours of one word": (BallSort((b"\0", b"\1"), 2, "full", ("a", "A")), "'A' and 'a' differ only by case$"),
    "other numbers of balls": (replace(LOCKED, rules=replace(LOCKED.rules, counts=(2, 4))),
        "colours: expected the number of balls of each colour"),
    "a goal that there isn't": (replace(LOCKED, goal="none"), "goal: expected full or monochrome or gathered"),
    "tubes that aren't wanted": (replace(WANTED, goal="full"), "wanted: expected a number for each colour at the goal"),
    "a ball beyond the palette, with unknown ones": (replace(COVERED, tubes=(b"\xff\0\1", b"\xff\1\2", b"", b"")),
        r"tubes\[1\]\[2\]: expected the number of one of 2 colours"),
    "too many known balls": (replace(COVERED, tubes=(b"\xff\0\0", b"\xff\0\0", b"", b"")),
        "colours: expected the number of balls of each colour"),
    "a tile beyond the palette": (Tiles((b"\0", b"\0\1"), ("a",)),
        r"columns\[1\]\[1\]: expected the number of one of 1 colours"),
    "no columns": (Tiles((), ()), "columns: expected at least one column, found none"),
    "balls beside the grid": (Shot(3, 2, 0b1000001), r"balls: expected places inside 3×2, found \[0, 2\]"),
    "balls before the grid": (Shot(3, 2, -1), "balls: expected at least one ball, found none"),
    "no grid": (Shot(0, 9, 1), "width: expected 1 to 100, found 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_every_door_refuses_parts_that_do_not_fit_together(name):
    board, problem = BAD[name]
    doors = [board.check, lambda: solve(board), lambda: solve(board, "astar"), lambda: list(solve_many([board]))]
    if isinstance(board, SortPuzzle):
        doors += [lambda: hint(board), lambda: list(solve_boards([board]))]
    if isinstance(board, SortPuzzle) and board.is_plain:
        doors.append(lambda: grade(board))
    if isinstance(board, SortPuzzle) and not board.is_plain:
        doors.append(lambda: Explorer(board))
    for door in doors:
        with pytest.raises(BoardError, match=problem):
            door()


@pytest.mark.parametrize("palette", [None, ("a", "b")])
def test_a_list_of_numbered_balls_is_no_spelling_of_a_board(palette):
    with pytest.raises(BoardError, match="expected lists of tubes, a text or a dictionary, found b'"):
        BallSort([*TUBES], 2, "full", palette)


SPELLINGS = {
    "text": ("caac|bbac|bbac|-", {}),
    "strings": (["caac", "bbac", "bbac", ""], {}),
    "lists": ([["red", "blue"], ["blue", "red"], []], {}),
    "lists and a capacity": ([["red", "blue"], ["red"], ["blue"], []], {"capacity": 2}),
    "strings and a capacity": (("ab", "a", "b"), {"capacity": 2}),
    "a higher tube": ("aab|bba|-|-", {"capacity": 3, "goal": "monochrome"}),
    "lists and a goal": (["ab", "ba", ""], {"goal": "monochrome"}),
    "a dictionary": ({"tubes": ["ab", "ba", ""]}, {"capacity": 2}),
    "numbers of colours": ([[1, 2], [2, 1], []], {}),
    "an order of colours": ("ab|ba|-", {"palette": ("b", "a")}),
    "covers": ("?b|a?|-|-", {}),
}


@pytest.mark.parametrize("kind", [BallSort, WaterSort])
@pytest.mark.parametrize("name", SPELLINGS)
def test_a_board_is_made_of_any_spelling_and_shows_how(name, kind):
    spelling, given = SPELLINGS[name]
    board = kind(spelling, **given)
    assert {key: getattr(board, key) for key in given} == given
    assert eval(repr(board)) == board


def test_positions_of_a_game_show_a_short_board_that_reads_back():
    chance, position = Random(1), BallSort("caac|bbac|bbac|-")
    assert repr(position) == "BallSort('caac|bbac|bbac|-')"
    for _ in range(40):
        position = position.apply(chance.choice(list(position.legal_moves())))
        assert len(repr(position)) < 90
        assert eval(repr(position)) == position
    turned = BallSort("ab|ba|-").play([(0, 2)]).play([(1, 0), (1, 2)])
    assert turned == eval(repr(turned))
    other_order = BallSort("ba|-|ab|-", goal="monochrome").play([(0, 1), (0, 3)])
    assert other_order == eval(repr(other_order))
    assert "palette=('b', 'a')" in repr(other_order)  # where another colour comes first now


@pytest.mark.parametrize("board", BAD)
def test_a_position_that_is_none_shows_its_parts(board):
    assert repr(BAD[board][0])


@pytest.mark.parametrize(
    ("board", "move", "problem"),
    [
        ("caac|bbac|bbac|-", (0, 1), r"move 1 \(1 → 2  c\) is illegal: tube 2 is full"),
        ("caac|bbac|bbac|-", (0, 9), "there is no tube 10"),
        ("caac|bbac|bbac|-", (0,), r"expected \[from, to\] with two tube numbers, found \[0\]"),
        ("caac|bbac|bbac|-", (True, 3), "expected .* two tube numbers"),
        ("caac|bbac|bbac|-", Pour(0.0, 3), "expected .* two tube numbers"),
        ("caac|bbac|bbac|-", 3, "expected a move of ball-sort as a tuple, found 3"),
    ],
)
def test_apply_and_play_refuse_what_is_no_legal_move(board, move, problem):
    board = BallSort(board)
    for door in (board.apply, lambda move: board.play([move])):
        with pytest.raises((IllegalMove, PlanError), match=problem):
            door(move)


def test_moves_may_be_plain_tuples_everywhere():
    board = BallSort("ab|ba|-")
    moves = ((0, 2), (1, 0), (1, 2))
    assert Plan(moves).replay(board) == board.play(moves) == board.apply((0, 2)).apply((1, 0)).apply((1, 2))
    assert draw(board, moves) == draw(board, [Pour(*move) for move in moves])
    assert hint(board, moves[:1], seconds=600).position == board.apply(Pour(0, 2))
    assert pickle.loads(pickle.dumps(Plan(moves))) == Plan(moves)
    assert Tiles((b"\0", b"\1"), ("a", "b")).play([(0,), (1,)]).is_goal()


def test_tubes_may_come_one_by_one():
    assert BallSort.from_tubes((list(tube) for tube in ("ab", "ba", "")), 2) == BallSort.from_text("ab|ba|-")


@pytest.mark.parametrize("goal", ["full", "gathered"])
@pytest.mark.parametrize(
    ("tubes", "capacity", "problem"),
    [
        ([["a"], []], 1.0, "capacity: expected 1 to 10000, found 1.0"),
        ([[["a"]], []], 1, r"tubes: expected colours \(strings or integers\)"),
    ],
)
def test_from_tubes_names_what_is_no_capacity_or_colour(tubes, capacity, problem, goal):
    with pytest.raises(BoardError, match=problem):
        BallSort.from_tubes(tubes, capacity, goal)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("level-80", r"found the name of one; load\('level-80'\) reads it"),
        ("boards/mine.json", r"found the name of one; load\('boards/mine.json'\) reads it"),
        (Path("level-80"), r"found the path of one; load\('level-80'\) reads it"),
        (b"ab|ba|-", r"found b'ab\|ba\|-'; .decode\(\) makes text of bytes"),
        ([bytearray(b"ab"), bytearray(b"ba")], r".decode\(\) makes text of bytes"),
        (None, "expected lists of tubes, a text or a dictionary, found None"),
        (42, "expected lists of tubes, a text or a dictionary, found 42"),
        (BallSort, "found <class"),
        ([["a"], []], "it is solved already"),
    ],
)
def test_what_is_no_board_is_named_with_what_to_write(given, words):
    for take in (board, solve):
        with pytest.raises(BoardError, match=words):
            take(given)


@dataclass
class Spelt:
    tubes: list[object]
    capacity: int


@dataclass
class Tube:
    balls: list[str]


ROWS = [["a", "b"], ["b", "a"], []]


@pytest.mark.parametrize("given", ["ab|ba|-", ROWS, {"tubes": ROWS}, Spelt(ROWS, 2), [Tube(row) for row in ROWS]])
def test_solve_takes_all_that_board_takes(given):
    expected = BallSort("ab|ba|-")
    (among_others,) = solve_many([given], jobs=1)
    assert among_others.board == solve(given).board == hint(given).position == board(given) == expected
    assert grade(given, ["optimum"]) == grade(expected, ["optimum"])
    assert draw(given) == draw(expected)


def test_the_cells_of_a_data_frame_are_read_and_not_the_names_of_its_columns():
    frame = pytest.importorskip("pandas").DataFrame({"a": ["x", "y", ""], "b": ["y", "x", ""]})
    assert board(frame) == board([["x", "y"], ["y", "x"], []])


@pytest.mark.parametrize("room", [0, "", None, -1, ".", "empty"])
@pytest.mark.parametrize("capacity", [2, None])
def test_padding_is_room_with_a_capacity_and_without(room, capacity):
    """As a colour of its own it would make another board, which is unsolvable."""
    made = BallSort([[1, 2], [2, 1], [room, room]], capacity=capacity)
    assert made.coloured_tubes() == [[1, 2], [2, 1], []]
    assert solve(made).length == 3


def test_what_may_be_room_or_a_colour_is_a_question_or_said_by_the_palette():
    tubes = [[1, 2], [2, 1], [0, 0]]
    as_it_stands = BallSort.from_tubes(tubes, 2)
    assert repr(as_it_stands) == "BallSort([[1, 2], [2, 1], [0, 0]], capacity=2, palette=(1, 2, 0))"
    assert eval(repr(as_it_stands)) == as_it_stands
    assert solve(as_it_stands).status == "unsolvable"


def test_choices_are_given_by_name_and_a_question_names_them():
    with pytest.raises(AmbiguousBoard, match=r"3 tubes of 2, 1 empty, each from bottom to top: board\(..., empty=1\)"):
        board("ab|ba")
    assert board("ab|ba", empty=1) == load("ab|ba", empty=1) == BallSort("ab|ba|-")
    assert board("aab|bba|-", top_first=True) == BallSort("baa|abb|-")
    assert board([[1, 2], [2, 1], [7, 7]], room=7) == board([[1, 2], [2, 1], []])
    with pytest.raises(TypeError, match=r"unknown choice 'topfirst', expected .*; did you mean top_first"):
        board("ab|ba|-", topfirst=True)


def test_boards_and_results_say_how_they_were_read():
    """Also those of a backend in another process."""
    other = BallSort("caac|cabb|cabb|-")
    given = "caac,bbac,bbac,-"
    read_as = board(given).read_as
    assert read_as.startswith("Read as ball sort: 4 tubes of 4, 1 empty")
    for found in (board(given), load("caac|bbac|bbac|-"), BallSort("caac|bbac|bbac|-")):
        assert found.other_end == other
    for backend in ("auto", "bfs"):
        result = solve(given, backend, max_steps=3)
        assert (result.read_as, result.other_end) == (read_as, other)
    after = board(given).apply((0, 3))
    assert (after.read_as, after.other_end) == ("", None)


@pytest.mark.parametrize("name", [*PUZZLES, "locked", "covered", "wanted"])
def test_positions_of_a_game_are_accepted(name):
    boards = {"locked": LOCKED, "covered": COVERED, "wanted": WANTED}
    position = boards.get(name) or next(random_boards(PUZZLES[name], **FEW.get(name, {}), seed=1)).puzzle
    chance = Random(1)
    for _ in range(30):
        position.check()
        if moves := list(position.legal_moves()):
            position = position.apply(chance.choice(moves))
