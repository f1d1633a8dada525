"""CP-SAT on the clauses of every encoding, and what it may claim while it runs."""

import pytest

from bsp_sat import BallSort, Plan, Pour, Status, Unsupported, WaterSort, load, make_backend
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.encoder.formula import Formula
from bsp_sat.encoder.order.encoding import Order
from bsp_sat.encoder.registry import ENCODINGS, encodings_for
from bsp_sat.instances.tiles import Tiles
from tests.support.helpers import Recorder, answer, board, reference, solve_here, under_both_rules
from tests.support.scripted import EASY, EASY_PLAN, Scripted

SMALL = [*under_both_rules("small.jsonl"), *reference("grids.jsonl")]
MOST_MOVES = {"order": 14, "knocks": 8, "sequential": 8}  # that take a second at most; elsewhere 6
HARD = next(case for case in reference("small.jsonl", "ball-sort") if case.name == "random-c3-h6-e1-s4")
"""A board on which bounds and plans come closer in several steps, within a fraction of a second."""

every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


def by_name(encoding, **choices):
    return CpSat(ENCODINGS[encoding], **choices)


def on_clauses(encoding):
    return by_name(encoding, guide=False)


def taken(encoding):
    return [case for case in SMALL if ENCODINGS[encoding] in encodings_for(case.puzzle)]


class TestClauses:
    @every_encoding
    def test_cpsat_finds_the_optimum_of_small_boards(self, encoding, one_in):
        short = range(MOST_MOVES.get(encoding, 6) + 1)
        for instance in [case for case in taken(encoding) if case.known_answer in short][:: 3 * one_in(4)]:
            result = solve_here(on_clauses(encoding), instance.puzzle)
            assert answer(result) == instance.known_answer
            assert result.stats["clauses"] > 0
            assert (result.backend, result.encoding, result.solver) == ("cpsat", encoding, "cp-sat")

    @pytest.mark.parametrize("encoding", [name for name in ENCODINGS if not ENCODINGS[name].always_solvable])
    def test_cpsat_proves_unsolvable_boards_so(self, encoding, one_in):
        """Where an encoding can't ask for plans of any length, a limit has to stop it, and proves a bound."""
        can_ask = ENCODINGS[encoding].for_any_length().any_length
        for instance in [case for case in taken(encoding) if case.known_answer == "unsolvable"][: 4 // one_in(4)]:
            within = instance.puzzle.lower_bound() + 1
            result = solve_here(on_clauses(encoding), instance.puzzle, None if can_ask else within)
            expected = (Status.UNSOLVABLE, None) if can_ask else (Status.UNKNOWN, within + 1)
            assert (result.status, result.lower_bound) == expected


class TestObjective:
    """One model for plans of any length, whose optimum is a shortest one."""

    def test_bounds_and_plans_are_reported_as_they_are_found(self):
        recorder = Recorder(HARD.puzzle)
        on_clauses("order").run(HARD.puzzle, recorder)
        assert recorder.bounds == sorted(recorder.bounds)
        assert len(set(recorder.bounds)) > 2
        assert recorder.lengths[0] > recorder.lengths[-1]
        assert recorder.lengths[-1] == recorder.bounds[-1] == HARD.known_answer

    def test_a_limit_below_the_optimum_proves_one_move_more_and_nothing_beyond(self):
        for max_steps in (HARD.known_answer - 1, HARD.known_answer - 5, HARD.puzzle.lower_bound(), 3):
            recorder = Recorder(HARD.puzzle, max_steps)
            reason = on_clauses("order").run(HARD.puzzle, recorder, max_steps)
            assert max(recorder.bounds) == max_steps + 1
            assert recorder.lengths == []
            assert recorder.result(reason).reason == f"no plan within {max_steps} moves"

    def test_a_limit_says_nothing_of_longer_plans(self):
        result = solve_here(on_clauses("order"), board(BallSort, "ab|ba", 2), 4)
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, 5)

    @pytest.mark.parametrize(
        ("bound", "max_steps", "proved"),
        [(3.0, None, 3), (3.0000000001, None, 3), (2.999999999, None, 3), (3.2, None, 4), (9.0, 5, 6), (3.2, 5, 4)],
    )
    def test_bounds_are_rounded_up_and_speak_of_plans_within_the_limit_only(self, bound, max_steps, proved):
        from bsp_sat.backends.cpsat.clauses import ClauseModel, Reporter  # which load OR-Tools
        from bsp_sat.backends.cpsat.solver import Solver

        recorder, formula = Recorder(HARD.puzzle), Formula()
        Reporter(formula, ClauseModel(formula), recorder, max_steps, 0, Solver(recorder)).on_bound(bound)
        assert recorder.bounds == [proved]

    @pytest.mark.parametrize("extra", [(1,) * 3 + (-1,) * 3, (1, 2, 3) * 3], ids=["negated", "repeated"])
    def test_each_mention_of_a_literal_costs_a_move(self, extra, monkeypatch):
        """By its clauses and prices this encoding says that no plan has fewer than 5 moves."""
        detour = Plan((*EASY_PLAN.moves, Pour(2, 1), Pour(2, 1)))
        script = Scripted(uses_exact=False, extra=extra, plan=detour)
        monkeypatch.setitem(ENCODINGS, script.name, script)
        assert answer(solve_here(on_clauses(script.name), EASY)) == len(detour) == 5

    def test_what_was_interrupted_is_not_called_the_best(self):
        """On Ctrl-C CP-SAT answers with the best solution so far."""
        from bsp_sat.backends.cpsat.clauses import minimise
        from bsp_sat.backends.cpsat.solver import Solver

        puzzle, formula, recorder = HARD.puzzle, Order().encode(HARD.puzzle), Recorder(HARD.puzzle)
        solver = Solver(recorder)
        solver.cp.parameters.stop_after_first_solution = True
        with pytest.raises(AssertionError, match="answered FEASIBLE"):
            minimise(puzzle, formula, formula.at_any_length(), solver, recorder, None)
        assert recorder.status is Status.FEASIBLE


def untimed(stats):
    """Figures without the seconds of each question."""
    questions = [{**question, "seconds": None} for question in stats.get("questions", [])]
    return {**stats, "questions": questions}


class TestChoices:
    @pytest.mark.parametrize(
        ("puzzle", "encoding"),
        [
            (EASY, "homes"),
            (board(BallSort, "ab|ba|-|-|-", 2), "order"),
            (board(WaterSort, "ab|ba|-", 2), "order"),
            (board(WaterSort, "ab|ba|aa|-", 2), "sequential"),
            (Tiles.from_columns([list("ab"), list("ba"), list("aab")]), "clicks"),
            (load("shot-literate"), "knocks"),
        ],
    )
    def test_without_a_name_the_encoding_that_suits_the_board(self, puzzle, encoding):
        assert make_backend("cpsat").for_board(puzzle) == CpSat(ENCODINGS[encoding])
        result, other = (solve_here(CpSat(by, guide=False), puzzle) for by in (None, ENCODINGS[encoding]))
        assert (answer(result), untimed(result.stats)) == (answer(other), untimed(other.stats))
        assert answer(result) == answer(solve_here("astar", puzzle))

    @pytest.mark.parametrize("puzzle", [board(BallSort, "ab|ba|aa|-", 2), board(BallSort, "ab|ba|-", 2, "monochrome")])
    def test_the_layered_model_where_no_encoding_proves_boards_unsolvable(self, puzzle):
        assert make_backend("cpsat").for_board(puzzle) == CpSat(layered=True)
        assert answer(solve_here(CpSat(guide=False), puzzle)) == answer(solve_here("astar", puzzle))

    @every_encoding
    def test_boards_that_the_encoding_refuses_are_refused(self, encoding):
        wrong = load("tiles-2022-11-16" if encoding == "knocks" else "shot-literate")
        with pytest.raises(Unsupported, match=f"the {encoding} encoding takes .*, not {wrong.kind}"):
            CpSat(ENCODINGS[encoding]).check(wrong)

    @pytest.mark.parametrize("encoding", [*ENCODINGS][:3])
    def test_after_a_head_start_only_shorter_plans_are_looked_for(self, encoding):
        """On this board the quick search finds a shortest plan, which is left to be proved."""
        boards = (case for case in SMALL if (case.puzzle.kind, case.known_answer) == ("ball-sort", 8))
        puzzle = next(case.puzzle for case in boards if case.puzzle.lower_bound() < 8)
        recorder = Recorder(puzzle)
        by_name(encoding, head_start=True).run(puzzle, recorder)
        assert recorder.facts[0] == ("plan", 8)
        assert recorder.lengths == [8]
        assert recorder.bounds[-1] == 8
