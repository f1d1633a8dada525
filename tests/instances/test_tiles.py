"""Tiles: rules by hand, the published board, and the rules once more."""

import pytest
from hypothesis import given

from bsp_sat import BoardError, load
from bsp_sat.instances.tiles import Click, Tiles
from tests.support.helpers import small_tiles


def tiles(text):
    """Columns from left to right, bottom first."""
    return Tiles.from_columns([list(column.replace("-", "")) for column in text.split("|")])


@pytest.mark.parametrize(
    ("column", "reason"),
    [(1, "column 2 is empty"), (3, "no column 4, the board has 3"), (-1, "no column 0"), (10**30, "no column")],
)
def test_a_click_that_is_illegal_says_why(column, reason):
    assert reason in tiles("ab|-|a").refusal(Click(column))


def naive_click(board, place):
    """``board`` maps (x, y) to a colour; any tile may be clicked."""
    group, edge = set(), [place]
    while edge:
        x, y = edge.pop()
        if (x, y) not in group and board.get((x, y)) == board[place]:
            group.add((x, y))
            edge += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return {
        (x, y - sum((x, below) in group for below in range(y))): colour
        for (x, y), colour in board.items()
        if (x, y) not in group
    }


def as_dict(puzzle):
    return {(x, y): tile for x, column in enumerate(puzzle.columns) for y, tile in enumerate(column)}


@given(small_tiles)
def test_clicks_are_those_of_the_naive_rules(puzzle):
    clicks = {move.column: as_dict(puzzle.apply(move)) for move in puzzle.legal_moves()}
    board = as_dict(puzzle)
    assert clicks == {x: naive_click(board, (x, 0)) for x, y in board if y == 0}
    numbers = range(-1, len(puzzle.columns) + 1)
    assert {x for x in numbers if puzzle.refusal(Click(x)) is None} == set(clicks)


def test_the_order_of_columns_matters():
    puzzle = tiles("ab|ba")
    assert puzzle.canonical() == puzzle != tiles("ba|ab")


def test_a_board_of_tiles_is_shown_as_columns():
    puzzle = load("tiles-2022-11-16")
    assert puzzle.summary() == "tiles, 4 colours, 5 columns"
    assert puzzle.describe(Click(0)) == "1  hot pink"
    assert puzzle.describe(Click(9)) == "10"
    assert puzzle.unfinished() == "25 tiles left"
    assert tiles("a|-").unfinished() == "1 tile left"
    assert tiles("-|-").unfinished() == ""
    assert puzzle.misreading() is None
    picture = puzzle.picture()
    assert picture.header == ("1", "2", "3", "4", "5")
    assert [cell.colour for cell in picture.rows[-1]] == ["hot pink", "white", "yellow", "white", "white"]
    with pytest.raises(BoardError, match="no text notation"):
        puzzle.to_text()
