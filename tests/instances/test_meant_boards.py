"""Boards as programs store them and people write them: each is read as it was meant, or asked about."""

from collections import Counter
from random import Random

import pytest

from tests.support.meant_boards import ASKED, FAULTS, OTHER_END, REFUSED, RIGHT, WRONG, meant, outcome, ways

WAYS = ways()
CASES = 2_000


@pytest.mark.parametrize("seed", range(3))
def test_a_board_in_a_random_spelling_is_never_read_as_another_without_a_question(seed, tmp_path, one_in):
    random = Random(seed)
    counts = Counter()
    for _ in range(CASES // one_in(4)):
        case = meant(random)
        found, said = outcome(case, tmp_path)
        assert found not in FAULTS, (
            f"{case.family} ({', '.join(case.marks)}): {said}\n{case.data.decode('utf-8', 'replace')}"
        )
        counts[found] += 1
    assert counts[RIGHT] + counts[OTHER_END] > 0.7 * counts.total(), counts


@pytest.mark.parametrize(("must", "case"), [pytest.param(must, case, id=name) for name, must, case in WAYS])
def test_a_level_as_a_public_program_stores_it_is_read_or_asked_about(must, case, tmp_path):
    found, said = outcome(case, tmp_path)
    allowed = {"read": {RIGHT, OTHER_END}, "ask": {ASKED, REFUSED}, "either": {RIGHT, OTHER_END, ASKED, REFUSED}}
    assert found in allowed[must], said


def test_most_ways_of_programs_and_people_are_read(tmp_path):
    counts = Counter(outcome(case, tmp_path)[0] for _, _, case in WAYS)
    assert len(WAYS) == 264
    assert counts[RIGHT] + counts[OTHER_END] >= 232, counts  # as measured; most of the others are refused
    assert counts[WRONG] == 0
