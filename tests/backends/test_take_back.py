"""Where a game was lost, compared with a look at each of its positions."""

import pytest

from bsp_sat.backends.take_back import last_solvable


@pytest.mark.parametrize("length", range(6))
def test_finds_the_last_one_with_few_questions(length):
    for solvable in range(length + 1):
        asked = []
        game = [place < solvable for place in range(length)]
        assert last_solvable(range(length), lambda place: asked.append(place) or game[place]) == solvable - 1  # noqa: B023
        assert len(set(asked)) == len(asked)
        assert asked[:1] == [length - 1][:length]


def test_halving_finds_the_last_position_that_is_not_lost():
    asked = []
    assert last_solvable(range(1000), lambda place: asked.append(place) or place <= 300) == 300
    assert len(asked) <= 12


@pytest.mark.parametrize("unknown", range(4))
def test_what_is_not_known_is_not_guessed(unknown):
    answers = [True, True, False, False]
    answers[unknown] = None
    assert last_solvable(answers, lambda answer: answer) in (None, 1)
    assert last_solvable([True, None, False], lambda answer: answer) is None
