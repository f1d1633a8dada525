"""The alphabets that compiled code makes, against those of a simple program."""

from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsp_sat import BallSort, WaterSort, load
from bsp_sat.backends.kernel.contents.alphabet import Alphabet, has_homes
from bsp_sat.instances.errors import BackendError
from tests.kernel.simple_alphabet import SimpleAlphabet
from tests.support.helpers import RULES, board, every_rule


def spaces(puzzle):
    return [False, True] if has_homes(puzzle) else [False]


def check(puzzle, *, by_homes, further=()):
    made = Alphabet(puzzle, by_homes=by_homes, further=further)
    simple = SimpleAlphabet(puzzle, by_homes=by_homes, further=further)
    assert made.contents == list(simple.numbers)
    for name, expected in simple.tables().items():
        if expected not in (None, [], [[]]):  # no colours
            flat = list(chain.from_iterable(expected)) if isinstance(expected[0], list) else expected
            assert getattr(made.tables, name)[: len(flat)] == flat, name
    for number, tube in zip(made.numbers(puzzle.tubes), puzzle.tubes, strict=True):
        if number < 0:
            assert by_homes
            assert tube == bytes([-1 - number]) * puzzle.capacity
        else:
            assert made.contents[number][0] == tube


@st.composite
def any_boards(draw):
    """Boards of all rules and goals, some of their tubes alike, some begun already."""
    capacity, colours = draw(st.integers(1, 6)), draw(st.integers(0, 6))
    goal = draw(st.sampled_from(["full", "monochrome"]))
    fills = [draw(st.integers(1, 2)) if draw(st.booleans()) else 1 for _ in range(colours)]
    short = goal == "monochrome"
    counts = [max(1, fill * capacity - (draw(st.integers(0, capacity)) if short else 0)) for fill in fills]
    balls = [colour for colour, count in enumerate(counts) for _ in range(count)]
    chance = draw(st.randoms(use_true_random=False))
    if draw(st.booleans()):
        chance.shuffle(balls)
    tubes = [[] for _ in range(sum(fills) + draw(st.integers(1, 3)))]
    for ball in balls:
        chance.choice([tube for tube in tubes if len(tube) < capacity]).append(ball)
    return draw(st.sampled_from(RULES)).from_tubes(tubes, capacity, goal)


@settings(deadline=None, max_examples=150)
@given(any_boards())
def test_tables_are_those_of_the_simple_program(puzzle):
    for by_homes in spaces(puzzle):
        check(puzzle, by_homes=by_homes)


@settings(deadline=None, max_examples=50)
@given(any_boards())
def test_further_tubes_are_numbered_first(puzzle):
    """As grading asks for: what tubes come to hold on the way is where searches begin."""
    tubes = [tube for tube, _ in Alphabet(puzzle, by_homes=False).contents if tube]
    for by_homes in spaces(puzzle):
        check(puzzle, by_homes=by_homes, further=tubes)


@pytest.mark.parametrize(
    "puzzle",
    [
        board(BallSort, "-|-", 3), board(WaterSort, "-", 1), board(BallSort, "a|b|-", 1),
        board(BallSort, "aaa|bbb|-", 3), board(BallSort, "ab|a|b", 3, "monochrome"),
        board(WaterSort, "aab|bba|aba|bab|-", 3), load("level-80"), load("level-80", "water-sort"),
    ],
    ids=lambda puzzle: puzzle.summary(),
)  # fmt: skip
def test_contents_of_special_boards_are_numbered_as_those_of_others(puzzle):
    for by_homes in spaces(puzzle):
        check(puzzle, by_homes=by_homes)


def test_a_tube_that_cannot_come_up():
    alphabet = Alphabet(board(BallSort, "aba|bab|-", 3), by_homes=False)
    with pytest.raises(BackendError, match="expected tubes that can come up"):
        alphabet.numbers([bytes([1, 1, 0])])


def largest(kind, chance):
    """Boards of 64 colours, tubes of 64 and 128 tubes."""
    if kind == "random":
        balls = [ball for ball in range(64) for _ in range(126)]
        chance.shuffle(balls)
        return [balls[at : at + 63] for at in range(0, len(balls), 63)]
    if kind == "alike at the bottom":
        return [[*range(60), *chance.sample(range(60, 64), 4)] for _ in range(128)]
    return [[place % 64] * 64 for place in range(128)]


@every_rule
@pytest.mark.parametrize("kind", ["random", "alike at the bottom", "one colour each"])
def test_the_largest_boards_have_tables(kind, rule):
    puzzle = rule.from_tubes(largest(kind, Random(1)), 64, "monochrome")
    alphabet = Alphabet(puzzle, by_homes=False)
    assert len(alphabet.numbers(puzzle.tubes)) == 128
    assert alphabet.tables.numbers <= 1 + 64 * 64 + 128 * 64 * 64
