"""Many boards in one compiled call, against one search each, against A*, and with too little room and time."""

import random
from itertools import chain, islice, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bsp_sat import BallSort, WaterSort, load
from bsp_sat.backends.engine import EXHAUSTED, PAUSED
from bsp_sat.backends.kernel.batches import batch
from bsp_sat.backends.kernel.batches.batch import Answer, solve_boards
from bsp_sat.backends.kernel.contents.alphabet import has_homes
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.instances.generators import random_boards
from tests.kernel.test_contents import any_boards
from tests.support import naive
from tests.support.helpers import RULES, answer, board, every_rule, from_fields, solve_here
from tests.support.naive_variants import random_board


def mixed_boards():
    """Of all sizes, some without a plan, one after the other as they come."""
    boards = [
        next(random_boards(rule, colours, capacity, empty, seed=seed)).puzzle
        for rule in RULES
        for colours, capacity, empty in ((3, 4, 1), (9, 4, 2), (4, 5, 1), (6, 2, 1), (5, 1, 1), (1, 5, 1), (12, 3, 2))
        for seed in range(4)
    ]
    boards += [
        board(BallSort, "-|-", 3),
        board(BallSort, "aaa|bbb|-", 3),
        board(WaterSort, "ab|ba", 2),
        board(BallSort, "ab|ba", 2),
        board(BallSort, "ab|ba|a", 3, "monochrome"),
        board(WaterSort, "abab|baba|abab|baba|-", 4, "full"),
        board(BallSort, "abab|baba|abab|baba|-|-", 4),
        load("level-80"),
    ]
    random.Random(1).shuffle(boards)
    return boards


def alone(puzzle):
    """What one search says."""
    search = KernelSearch(puzzle, by_homes=has_homes(puzzle))
    while (outcome := search.advance(NO_LIMIT, 1_000_000)) == PAUSED:
        pass
    if outcome == EXHAUSTED:
        return Answer(None, True, search.expansions)
    return Answer(search.goal_cost, False, search.expansions, search.plan())


def without_plan(answers):
    return [answer._replace(plan=None) for answer in answers]


def test_answers_are_those_of_single_searches():
    """To the last expansion and move."""
    boards = mixed_boards()
    answers = list(solve_boards(boards))
    assert answers == list(map(alone, boards))
    assert {found.dead for found in answers} == {True, False}
    for puzzle, found in zip(boards, answers, strict=True):
        if found.plan is not None:
            found.plan.replay(puzzle)
            assert len(found.plan) == found.length >= puzzle.lower_bound()


@settings(deadline=None, max_examples=100)
@given(st.lists(any_boards(), min_size=1, max_size=4))
def test_a_batch_of_any_boards_is_solved_as_one_by_one(boards):
    for puzzle, found in zip(boards, solve_boards(boards, most_expansions=2_000), strict=True):
        if len(b"".join(puzzle.tubes)) <= 6 and len(puzzle.tubes) <= 5:
            assert found.settled
            optimum = naive.optimum(puzzle.tubes, puzzle.capacity, puzzle.goal, water=puzzle.whole_run)
            assert (found.length, found.dead) == (optimum, optimum is None)
        if found.plan is not None:
            found.plan.replay(puzzle)
            assert len(found.plan) == found.length


def test_a_batch_gives_lengths_without_plans():
    boards = mixed_boards()
    assert list(solve_boards(boards, plans=False)) == without_plan(solve_boards(boards))


@pytest.mark.parametrize("most_bytes", [0, 20_000, 50_000, 100_000])
def test_too_little_memory(most_bytes):
    """A board is answered as with more memory, or not at all; and those after it aren't disturbed."""
    boards = [next(random_boards(BallSort, 12, 4, 2, seed=seed)).puzzle for seed in range(6)]
    boards += [load("level-80"), board(BallSort, "ab|ba|-", 2)]
    answers = list(solve_boards(boards, most_bytes=most_bytes))
    for found, expected in zip(answers, solve_boards(boards), strict=True):
        assert found == expected or not found.settled
    assert answers[-1].settled
    assert not answers[0].settled


def test_as_many_expansions_as_allowed():
    boards = [load("level-80"), board(BallSort, "ab|ba|-", 2)]
    needed = alone(boards[0]).expansions
    first, second = solve_boards(boards, most_expansions=needed + 10)
    assert first.settled
    assert second.settled
    first, second = solve_boards(boards, most_expansions=needed // 2)
    assert first == Answer(None, False, needed // 2)
    assert second.settled


def test_arrays_grow_as_they_do_for_one_board():
    """More states than there is room for at first."""
    boards = [next(random_boards(BallSort, 14, 4, 2, seed=seed)).puzzle for seed in range(2)]
    answers = list(solve_boards(boards))
    assert max(found.expansions for found in answers) > 10_000
    assert answers == list(map(alone, boards))


def test_boards_that_are_not_for_this():
    ruled = from_fields(random_board(3, locked=True))
    large = BallSort.from_tubes([[c] for c in range(65)], 1)
    wide = BallSort.from_tubes([[0, 1], [1, 0], *[[]] * 127], 2)
    easy = board(BallSort, "ab|ba|-", 2)
    answers = list(solve_boards([ruled, easy, large, wide, easy]))
    assert [found.settled for found in answers] == [False, True, False, False, True]


@every_rule
def test_the_largest_boards_have_the_answers_of_the_readable_search(rule):
    boards = [
        rule.from_tubes([[0] * 63 + [1], [1] * 63 + [0], []], 64),
        rule.from_tubes([[0, 1], [1, 0], *[[]] * 126], 2),
        rule.from_tubes([*([c] * 4 for c in range(62)), [62, 63, 63, 63], [63, 62, 62, 62], []], 4),
    ]
    answers = list(solve_boards(boards))
    assert answers == list(map(alone, boards))
    for puzzle, found in zip(boards, answers, strict=True):
        assert found.length == answer(solve_here("astar", puzzle)) == answer(solve_here("kernel", puzzle))


def test_boards_are_taken_as_they_are_needed():
    taken = []
    easy = board(BallSort, "ab|ba|-", 2)
    endless = (taken.append(1) or easy for _ in repeat(None))
    assert len(list(islice(solve_boards(endless), 5))) == 5
    assert len(taken) < 100


def test_a_batch_without_boards_is_empty():
    assert list(solve_boards([])) == []


def test_the_queue_is_empty_after_every_board():
    """What one board leaves there would show as states of the next one."""
    boards = list(chain.from_iterable(repeat(mixed_boards()[:20], 3)))
    answers = list(solve_boards(boards))
    assert answers[:20] == answers[20:40] == answers[40:]


def test_an_unfinished_search_leaves_nothing_to_the_next_boards():
    """A caller that stops in mid-search."""
    boards = mixed_boards()[:20]
    expected = list(solve_boards(boards))
    hard = next(random_boards(BallSort, 16, 4, 3, seed=0)).puzzle
    for _ in range(3):
        assert next(iter(solve_boards([boards[0], hard]))) == expected[0]
        assert list(solve_boards(boards)) == expected


@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_what_is_answered_when_the_time_is_over_comes_back(monkeypatch, size):
    """However little one call does, at least one; the answers are those of boards with more time."""
    boards = mixed_boards()[:20]
    expected = list(solve_boards(boards))
    monkeypatch.setattr(batch, "SLICE", size)
    for calls in range(12):
        left = iter([True] * calls)
        found = list(solve_boards(boards, go_on=lambda left=left: next(left, False)))
        assert found == expected[: len(found)] != []
    assert list(solve_boards(boards)) == expected
