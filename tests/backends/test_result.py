"""Results that make no sense can't be built, and backends that contradict themselves are found out."""

from dataclasses import replace

import pytest

from bsp_sat import BallSort, Plan, Pour, Result, Status, solve
from bsp_sat.backends.cross_check import compare_claims
from bsp_sat.backends.limits import Progress
from bsp_sat.backends.result import Findings
from bsp_sat.backends.versions import versions
from bsp_sat.instances.errors import BackendError
from tests.support.helpers import board

PUZZLE = board(BallSort, "ab|ba|-", 2)
SHORTEST = Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2)))
DETOUR = Plan((*SHORTEST.moves, Pour(2, 1), Pour(1, 2)))


def result(status, plan, lower_bound):
    return Result(status, plan, lower_bound, "because", backend="astar")


@pytest.mark.parametrize(
    ("status", "plan", "lower_bound"),
    [
        (Status.OPTIMAL, None, 3), (Status.OPTIMAL, SHORTEST, 2), (Status.OPTIMAL, SHORTEST, None),
        (Status.OPTIMAL, SHORTEST, 4), (Status.FEASIBLE, None, 3), (Status.FEASIBLE, SHORTEST, 3),
        (Status.FEASIBLE, SHORTEST, 4), (Status.FEASIBLE, SHORTEST, None), (Status.UNSOLVABLE, SHORTEST, None),
        (Status.UNSOLVABLE, None, 3), (Status.UNSOLVABLE, None, 0), (Status.UNKNOWN, SHORTEST, 3),
        (Status.UNKNOWN, None, None),
    ],
)  # fmt: skip
def test_what_cannot_be_true_cannot_be_said(status, plan, lower_bound):
    with pytest.raises(ValueError, match=str(status)):
        result(status, plan, lower_bound)


def test_results_are_equal_in_every_process():
    answer = result(Status.OPTIMAL, SHORTEST, 3)
    assert replace(answer, board=PUZZLE) == answer
    assert "board" not in repr(answer)


def test_progress_tells_the_length_of_its_plan():
    assert Progress("astar", 1.0, 2, SHORTEST).length == 3
    assert Progress("astar", 1.0, 2, None).length is None


@pytest.fixture
def findings():
    return Findings(PUZZLE, "astar")


class TestFindings:
    def test_start_from_the_bound_of_the_board(self, findings):
        assert (findings.status, findings.bound) == (Status.UNKNOWN, PUZZLE.lower_bound())
        assert not findings.settled

    def test_a_plan_alone_is_feasible(self, findings):
        findings.plan(SHORTEST)
        assert findings.status is Status.FEASIBLE
        assert findings.result("stopped").reason == "stopped"

    def test_a_plan_that_meets_the_bound_is_optimal(self, findings):
        findings.plan(SHORTEST)
        findings.lower_bound(3)
        assert findings.settled
        assert findings.result("stopped").reason == "no plan has fewer than 3 moves"

    def test_bounds_never_fall_and_the_shortest_plan_stays(self, findings):
        findings.lower_bound(3)
        findings.lower_bound(1)
        findings.plan(SHORTEST)
        findings.plan(DETOUR)
        built = findings.result("")
        assert (built.status, built.plan, built.lower_bound) == (Status.OPTIMAL, SHORTEST, 3)

    def test_a_proof_of_unsolvability_takes_the_bound_away(self, findings):
        findings.lower_bound(3)
        findings.unsolvable("every position that can be reached was looked at")
        built = findings.result("")
        assert (built.status, built.lower_bound, built.reason) == (
            Status.UNSOLVABLE,
            None,
            "every position that can be reached was looked at",
        )

    def test_figures_are_updated(self, findings):
        findings.stats(states=1, horizon=2)
        findings.stats(states=5)
        assert findings.result("").stats == {"states": 5, "horizon": 2}


class TestContradictions:
    @pytest.mark.parametrize(
        ("first", "then", "message"),
        [
            (("lower_bound", 4), ("plan", SHORTEST), "bound of 4 and a plan of 3"),
            (("plan", SHORTEST), ("lower_bound", 4), "bound of 4 and a plan of 3"),
            (("plan", SHORTEST), ("unsolvable", "every position that can be reached was looked at"), "unsolvable"),
            (("unsolvable", "every position that can be reached was looked at"), ("plan", SHORTEST), "unsolvable"),
        ],
    )
    def test_two_findings_that_cannot_both_be_true(self, findings, first, then, message):
        getattr(findings, first[0])(first[1])
        with pytest.raises(BackendError, match=message):
            getattr(findings, then[0])(then[1])

    @pytest.mark.parametrize(
        ("plan", "why"),
        [
            (Plan((Pour(0, 1),)), "move 1 .* is illegal"),
            (Plan((Pour(0, 2), Pour(1, 2))), "move 2 .* is illegal"),
            (Plan((Pour(0, 2),)), "not solved"),
            (Plan(()), "not solved"),
            (Plan((Pour(0, 7),)), "no tube 8"),
            (Plan(SHORTEST.moves[::-1]), "illegal"),
        ],
    )
    def test_a_plan_that_does_not_replay(self, findings, plan, why):
        with pytest.raises(BackendError, match=f"does not replay: .*{why}"):
            findings.plan(plan)
        assert findings.best is None


def test_the_result_format_is_the_documented_one():
    built = Result(Status.OPTIMAL, SHORTEST, 3, "because", "sat", "sequential", "cadical195", 1.23456, 12.345, {"a": 1})
    assert built.to_json(PUZZLE) == {
        "status": "optimal",
        "length": 3,
        "lower_bound": 3,
        "plan": [[0, 2], [1, 0], [1, 2]],
        "backend": "sat",
        "encoding": "sequential",
        "solver": "cadical195",
        "seconds": 1.235,
        "peak_memory_mb": 12.3,
        "ending": "done",
        "reason": "because",
        "notes": [],
        "stats": {"a": 1},
        "versions": versions(),
    }
    assert result(Status.UNSOLVABLE, None, None).to_json()["plan"] is None


def test_a_result_of_a_board_needs_no_board_to_be_written():
    found = solve(PUZZLE)
    assert found.to_json() == found.to_json(PUZZLE)
    with pytest.raises(TypeError, match=r"write result.to_json\(board\)"):
        replace(found, board=None).to_json()


class TestClaimsOfTwo:
    @pytest.mark.parametrize("bound", [4, 5])
    def test_a_bound_above_a_plan_is_a_contradiction(self, bound):
        claim = result(Status.UNKNOWN, None, bound)
        plan = result(Status.OPTIMAL, SHORTEST, 3)
        for pair in ((claim, plan), (plan, claim)):
            with pytest.raises(BackendError, match=f"every plan has {bound} moves or more"):
                compare_claims(PUZZLE, *pair)

    def test_a_plan_for_an_unsolvable_board_is_one_too(self):
        with pytest.raises(BackendError, match="no plan exists"):
            compare_claims(PUZZLE, result(Status.UNSOLVABLE, None, None), result(Status.OPTIMAL, SHORTEST, 3))

    def test_two_that_settle_the_board_confirm_each_other(self):
        plan = result(Status.OPTIMAL, SHORTEST, 3)
        assert compare_claims(PUZZLE, plan, plan)
        assert not compare_claims(PUZZLE, plan, result(Status.UNKNOWN, None, 3))
