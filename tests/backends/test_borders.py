"""The border argument against exhausted search."""

from bsp_sat import Limits, Status, load, solve
from bsp_sat.backends.search.borders import Borders


def test_claims_nothing_about_solvable_boards_and_within_too_few_tables():
    for backend in (Borders(), Borders(max_tables=3)):
        result = solve(load("level-80"), backend, limits=Limits(seconds=600))
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, 31)
