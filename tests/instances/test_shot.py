"""Shot: rules by hand, the walkthrough of the post that describes it, and numbers of solutions."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bsp_sat import load
from bsp_sat.instances.shot import DIRECTIONS, Knock, Shot


def row(text):
    """A board with one row that matters; a ball is o."""
    return Shot.from_balls(9, 3, [(x, 1) for x, mark in enumerate(text) if mark == "o"])


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Knock(0, 1, "left"), "strikes no ball"),
        (Knock(0, 1, "up"), "strikes no ball"),
        (Knock(3, 1, "right"), "adjacent"),
        (Knock(1, 1, "right"), "no ball in column 2, row 2"),
        (Knock(99, 1, "right"), "no ball in column 100"),
        (Knock(-1, -1, "right"), "no ball in column 0, row 0"),
    ],
)
def test_a_knock_that_is_illegal_says_why(move, reason):
    assert reason in row("o..oo....").refusal(move)


class TestWalkthrough:
    """*Literate Haskell: Shot Solver*, 30 October 2009: the board `# #`, ` # #`, an empty row, ` #`."""

    def test_the_board_of_the_post_is_solved_as_there(self):
        puzzle = load("shot-literate")
        assert puzzle.balls == {(0, 0), (2, 0), (1, 1), (3, 1), (1, 3)}
        assert puzzle.to_text().startswith("# #    \n # #   \n       \n #     \n")


def naive_moves(balls, width, height):
    """Plays each knock place by place."""
    for (x, y), (name, (dx, dy)) in product(sorted(balls), DIRECTIONS.items()):
        if (x + dx, y + dy) in balls:
            continue
        left, place = set(balls) - {(x, y)}, (x, y)
        strikes = 0
        while 0 <= place[0] < width and 0 <= place[1] < height:
            ahead = (place[0] + dx, place[1] + dy)
            if ahead in left:
                left.add(place)
                left.remove(ahead)
                strikes += 1
            place = ahead
        if strikes:
            yield Knock(x, y, name), frozenset(left)


some_boards = st.builds(
    Shot.from_balls, st.just(5), st.just(4), st.sets(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1)
)


@given(some_boards)
def test_knocks_are_those_of_the_naive_rules(puzzle):
    assert puzzle.lower_bound() == len(puzzle.balls) - 1
    ours = {move: puzzle.apply(move).balls for move in puzzle.legal_moves()}
    assert ours == dict(naive_moves(puzzle.balls, puzzle.width, puzzle.height))
    everything = (Knock(x, y, direction) for x, y, direction in product(range(-1, 6), range(-1, 5), DIRECTIONS))
    assert {move for move in everything if puzzle.refusal(move) is None} == set(ours)


def test_a_board_of_shot_is_shown_as_a_picture():
    puzzle = load("shot-literate")
    assert puzzle.summary() == "shot, 5 balls on 7×9"
    assert puzzle.describe(Knock(0, 0, "right")) == "1 1 right"
    assert puzzle.unfinished() == "5 balls left"
    assert puzzle.misreading() is None
    assert puzzle.canonical() == puzzle
    assert "".join(cell.text for cell in puzzle.picture().rows[0]) == "o·o····"
