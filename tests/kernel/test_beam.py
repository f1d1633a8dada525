"""The beam search: its plans are plans, it proves nothing, and with or without it the answers are the same."""

from itertools import islice
from random import Random
from types import SimpleNamespace

import pytest

from bsp_sat.backends.backend import Ended, Relay
from bsp_sat.backends.engine import EXHAUSTED, FOUND, MEMORY, PAUSED
from bsp_sat.backends.explanation import Topic, explained
from bsp_sat.backends.kernel import Kernel, backend
from bsp_sat.backends.kernel.contents.alphabet import has_homes
from bsp_sat.backends.kernel.search.beam import Beam
from bsp_sat.backends.kernel.search.search import KernelSearch
from bsp_sat.backends.limits import Progress
from bsp_sat.backends.result import Findings
from bsp_sat.backends.search.frontier import Frontier
from bsp_sat.backends.search.tiles_beam import TilesBeam
from bsp_sat.cli.screen import _so_far
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import BallSort, Pour, SortPuzzle, WaterSort
from bsp_sat.instances.tiles import Tiles
from tests.support.naive_variants import random_board

NO_LIMIT = 1 << 19


def plans_of(puzzle: SortPuzzle, expansions: int = 20_000, *, by_homes: bool | None = None) -> list[int]:
    """The lengths of a beam's plans, each of which is replayed."""
    homes = has_homes(puzzle) if by_homes is None else by_homes
    beam, lengths = Beam(puzzle, by_homes=homes, memory_mb=50, share=1), []
    while beam.expansions < expansions:
        outcome = beam.advance(lengths[-1] - 1 if lengths else NO_LIMIT, 500)
        if outcome == FOUND:
            plan = beam.plan()
            plan.replay(puzzle)
            lengths.append(len(plan))
        elif outcome != PAUSED:
            break
    return lengths


def shortest(puzzle: SortPuzzle) -> int | None:
    facts = Findings(puzzle, "kernel")
    Kernel().run(puzzle, facts)
    assert facts.settled
    return None if facts.best is None else len(facts.best)


@pytest.mark.parametrize("rule", [BallSort, WaterSort])
@pytest.mark.parametrize("by_homes", [True, False])
def test_a_beam_finds_no_plan_below_the_optimum_and_reaches_it_on_small_boards(rule, by_homes):
    reached = 0
    for instance in islice(random_boards(rule, 6, 4, 2, seed=5), 20):
        puzzle, best = instance.puzzle, shortest(instance.puzzle)
        lengths = plans_of(puzzle, by_homes=by_homes and has_homes(puzzle))
        assert lengths == sorted(set(lengths), reverse=True)
        assert best is not None or not lengths
        if best is not None and lengths:
            assert lengths[-1] >= best
            reached += lengths[-1] == best
    assert reached >= 16


def test_it_takes_rules_of_tubes_and_mixed_capacities():
    solved = 0
    for seed in range(30):
        for tubes in ({"capacities": True}, {"locked": True}):
            fields = random_board(seed, **tubes)
            puzzle = PUZZLES[fields["puzzle"]].from_json(fields)
            lengths, best = plans_of(puzzle, by_homes=False), shortest(puzzle)
            assert (best is not None) or not lengths
            solved += bool(lengths)
            assert not lengths or best is None or lengths[-1] >= best
    assert solved >= 10


def test_a_large_board_has_a_plan_soon():
    puzzle = next(random_boards(BallSort, 30, 4, 3, seed=1)).puzzle
    lengths = plans_of(puzzle, 60_000)
    assert lengths
    assert lengths[-1] <= puzzle.lower_bound() + 40


def test_a_beam_that_has_left_nothing_out_ends():
    puzzle = next(random_boards(BallSort, 3, 3, 1, seed=2)).puzzle
    beam = Beam(puzzle, by_homes=True, memory_mb=50, share=1)
    outcomes = [beam.advance(-1, 1_000) for _ in range(20)]
    assert outcomes[-1] == EXHAUSTED


def test_little_memory_ends_the_beam():
    puzzle = next(random_boards(BallSort, 30, 4, 3, seed=1)).puzzle
    beam = Beam(puzzle, by_homes=True, memory_mb=1, share=1)
    limit, outcome = NO_LIMIT, PAUSED
    while outcome in (PAUSED, FOUND):
        outcome = beam.advance(limit, 10_000)
        limit = len(beam.plan()) - 1 if outcome == FOUND else limit
        assert beam.expansions < 500_000
    assert outcome == MEMORY


def test_the_beam_goes_on_beside_a_plan_far_from_the_bound():
    """Else the first plan of (30,4,3) stayed for seconds; near the bound A* alone is faster."""
    puzzle = next(random_boards(BallSort, 30, 4, 3, seed=1)).puzzle
    run = backend.KernelRun(backend.Kernel(), puzzle, Findings(puzzle, "kernel"), None)
    assert run._beam_turn(SimpleNamespace(rank=103, expansions=10_000), 4_000) == 1_000
    run.best = Plan((Pour(0, 1),) * 129)
    turns = [run._beam_turn(SimpleNamespace(rank=rank, expansions=10_000), 4_000) for rank in (103, 116, 117, 128)]
    assert turns == [500, 500, 0, 0]
    run.beam = SimpleNamespace(expansions=10_000, close=lambda: None)
    assert [run._beam_turn(SimpleNamespace(rank=rank, expansions=10_000), 4_000) for rank in (103, 117)] == [32_000, 0]


def test_the_answers_are_the_same_without_a_beam(monkeypatch):
    boards = [each.puzzle for each in islice(random_boards(BallSort, 12, 4, 2, seed=3), 6)]
    monkeypatch.setattr(backend, "BEAM_FROM", 0)
    with_beam = [shortest(puzzle) for puzzle in boards]
    monkeypatch.setattr(backend, "BEAM_FROM", 1 << 60)
    assert [shortest(puzzle) for puzzle in boards] == with_beam


def test_where_the_beam_finds_no_plan_weighted_a_star_does(monkeypatch):
    monkeypatch.setattr(backend.KernelRun, "_advance_beam", lambda *_: None)
    found = Findings(next(random_boards(BallSort, 40, 4, 3, seed=2)).puzzle, "kernel")
    with pytest.raises(Ended):
        Kernel(memory_mb=500).run(found.puzzle, FirstPlan(found))
    assert found.figures["plan_by"] == "weighted A*"
    found.best.replay(found.puzzle)


def test_the_answers_are_the_same_with_plans_of_weighted_a_star(monkeypatch):
    boards = [each.puzzle for each in islice(random_boards(BallSort, 12, 4, 2, seed=3), 6)]
    lengths = [shortest(puzzle) for puzzle in boards]
    monkeypatch.setattr(backend, "BEAM_FROM", 0)
    monkeypatch.setattr(backend.KernelRun, "_advance_beam", lambda *_: None)
    assert [shortest(puzzle) for puzzle in boards] == lengths


def test_weighted_a_star_ends_when_its_memory_is_full_or_there_is_a_plan():
    puzzle = next(random_boards(BallSort, 40, 4, 3, seed=1)).puzzle  # for which it finds none so soon
    for best in (None, Plan((Pour(0, 1),) * 500)):
        run = backend.KernelRun(backend.Kernel(), puzzle, Findings(puzzle, "kernel"), None)
        run.best, run.weighted = best, KernelSearch(puzzle, by_homes=True, weights=backend.ANY_PLAN, memory_mb=5)
        run._advance_weighted(1_000 if best else 500_000)
        assert run.weighted is None
        assert run.best is best


def test_the_answer_and_the_status_line_say_what_gave_the_plan(monkeypatch):
    puzzle = next(random_boards(BallSort, 12, 4, 2, seed=3)).puzzle
    monkeypatch.setattr(backend, "BEAM_FROM", 0)
    found = Findings(puzzle, "kernel")
    Kernel().run(puzzle, found)
    assert found.figures["plan_by"] == "a beam search"
    shown = _so_far(Progress("auto", 1.5, 41, found.best, found.figures))
    assert shown == f"auto: 41 to {len(found.best)} moves (plan by a beam search) · 1.5 s"
    reasons = {reason.topic: reason.words for reason in explained(puzzle, found.result(""))}
    assert "found by a beam search" in reasons[Topic.PLAN]


def test_without_any_plan_the_status_line_says_that_there_may_be_none():
    assert _so_far(Progress("sat", 2, 34, None, {"guide": 38})) == "sat: 34 to 38 moves · 2.0 s"
    assert _so_far(Progress("auto", 2, 200, None)) == (
        "auto: at least 200 moves; no plan yet, the board may have none · 2.0 s"
    )


def test_tiles_have_a_plan_at_once_and_the_beam_a_much_shorter_one():
    chance = Random(4)
    puzzle = Tiles.from_columns([[chance.randrange(5) for _ in range(15)] for _ in range(15)])
    beam, lengths = TilesBeam(puzzle, memory_mb=50, share=1), []
    while beam.expansions < 3_000:
        if beam.advance(lengths[-1] - 1 if lengths else NO_LIMIT, 100) == FOUND:
            beam.plan().replay(puzzle)
            lengths.append(len(beam.plan()))
    anything = Findings(puzzle, "frontier")
    with pytest.raises(Ended):
        Frontier().run(puzzle, FirstPlan(anything))
    assert anything.best is not None
    assert lengths[-1] <= 0.8 * len(anything.best)


class FirstPlan(Relay):
    """Ends the backend at its first plan."""

    def after_fact(self) -> None:
        if self.report.best is not None:
            raise Ended


def test_tiles_too_large_for_a_beam_are_cleared_all_the_same():
    chance = Random(5)
    puzzle = Tiles.from_columns([[chance.randrange(2) for _ in range(60)] for _ in range(9)])
    assert not TilesBeam.takes(puzzle)
    found = Findings(puzzle, "frontier")
    with pytest.raises(Ended):
        Frontier().run(puzzle, FirstPlan(found))
    assert found.best is not None
