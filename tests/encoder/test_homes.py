"""The homes encoding: against boards solved backwards and by search, with each of its rules off, and in the climb."""

import json
import random
from collections.abc import Iterator
from itertools import islice

import pytest
from pysat.solvers import Solver

from bsp_sat import BallSort, random_boards
from bsp_sat.backends.proofs.certificate import CLAIM, verify_certificate, write_certificate
from bsp_sat.backends.proofs.kinds import LRAT
from bsp_sat.backends.proofs.manifest import write_manifest
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.encoder.counters import CostCounter, ExactlyOne
from bsp_sat.encoder.formula import Formula
from bsp_sat.encoder.homes.encoding import Homes
from bsp_sat.encoder.homes.formula import HomesFormula
from bsp_sat.encoder.homes.rules import ALL_RULES, NO_RULES, Rule
from bsp_sat.encoder.registry import ENCODINGS, certifying_encoding, encoding_for, suiting_encoding
from bsp_sat.instances.errors import CertificateError
from bsp_sat.instances.sorting import SortPuzzle
from tests.support.formulas import check_formula
from tests.support.helpers import answer, board, case_id, reference, scattered, solve_here

RULES = {"all": ALL_RULES, "none": NO_RULES} | {f"without {rule.name}": ~rule for rule in Rule}
every_rule = pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())


def random_ones(seed: int, count: int) -> Iterator[SortPuzzle]:
    """Small random boards, one in two scattered over all of its tubes."""
    chance = random.Random(seed)
    for _ in range(count):
        colours, capacity, empty = chance.randint(2, 5), chance.randint(2, 5), chance.randint(1, 3)
        if chance.random() < 0.5:
            yield scattered(chance, BallSort, "abcde"[:colours] * capacity, colours + empty, capacity)
        else:
            yield next(random_boards(BallSort, colours, capacity, empty, seed=chance.randrange(10**6))).puzzle


def optimum_by_search(puzzle: SortPuzzle) -> int | None:
    found = answer(solve_here("kernel:moves", puzzle))
    return found if isinstance(found, int) else None


@pytest.mark.parametrize("count", [15, pytest.param(2000, marks=pytest.mark.slow)])
@every_rule
def test_homes_proves_the_optima_of_random_boards(rules, count):
    for puzzle in random_ones(seed=1, count=count):
        check_formula(Homes(rules), puzzle, optimum_by_search(puzzle))


@pytest.mark.parametrize(
    ("text", "capacity", "optimum"),
    [
        ("abbcd|ad|bead|bccbe|eeaa|dcedc", 5, 30),  # visits to what the step before exposed are no reason to swap
        ("ab|c|bbaba|a|ccbc|ca", 5, 12),  # what a clear exposed is of use to visitors
        ("aabcc|dcdcd|bdcab|bdaba|-|-", 5, 18),  # two events may need two tubes
        ("abcba|ca|cd|ccdb|dab|ddba", 5, 19),  # a clear that opens a kept home comes first
        ("cadd|cabd|eebe|ccbb|adae|-|-", 4, 17),  # the temporary's tube is free when its home has opened
        ("aab|bba|-|-|-", 3, 3),  # a kept block may be the home of what is in a smaller temporary
    ],
)
def test_boards_that_need_the_exceptions_of_the_rules_keep_their_optimum(text, capacity, optimum):
    puzzle = board(BallSort, text, capacity)
    assert optimum_by_search(puzzle) == optimum
    check_formula(Homes(), puzzle, optimum)


@pytest.mark.slow
@pytest.mark.parametrize(
    "instance", [x for x in reference("medium.jsonl", "ball-sort") if "c12" in x.name], ids=case_id
)
def test_homes_proves_the_optima_of_boards_of_twelve_colours(instance):
    assert answer(solve_here(Sat(Homes()), instance.puzzle)) == instance.known_answer


def test_homes_takes_horizons_in_any_order():
    puzzle = board(BallSort, "cab|abc|bca|-", 3)
    formula = Homes().encode(puzzle)
    found = {}
    for horizon in (14, 3, 20, 9, 10, 11, 8):
        assumptions = formula.at_horizon(horizon)
        with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
            found[horizon] = solver.solve(assumptions=assumptions)
    optimum = optimum_by_search(puzzle)
    assert found == {horizon: optimum is not None and horizon >= optimum for horizon in found}


class TestInTheClimb:
    """`bsp_sat.backends.sat.backend` with an encoding that leaps, and that can't ask for plans of any length."""

    CRAMPED = "abcd|dcba|badc|cdab|-|-"

    @pytest.mark.parametrize("guide", [True, False])
    def test_the_climb_proves_cramped_boards(self, guide):
        for instance in islice(random_boards(BallSort, 6, 3, 1, seed=4), 8):
            expected = solve_here("kernel:moves", instance.puzzle)
            result = solve_here(Sat(Homes(), guide=guide), instance.puzzle)
            assert answer(result) == answer(expected)
            assert result.lower_bound == expected.lower_bound

    def test_unsolvable_boards_are_left_to_order(self):
        puzzle = board(BallSort, "021|012|012|-", 3)
        result = solve_here(Sat(Homes()), puzzle)
        assert (answer(result), result.encoding) == ("unsolvable", "homes")

    def test_a_plan_that_is_too_long_is_improved(self, monkeypatch):
        puzzle = board(BallSort, self.CRAMPED, 4)
        detour = solve_here("heuristic:greedy", puzzle).plan
        optimum = optimum_by_search(puzzle)
        assert detour is not None
        assert optimum is not None
        assert len(detour) > optimum
        monkeypatch.setattr("bsp_sat.backends.sat.encoding_backend.quick_plan", lambda puzzle: detour)
        assert answer(solve_here(Sat(Homes()), puzzle)) == optimum


class TestExactlyOne:
    def test_cramped_boards_go_to_homes_and_roomy_ones_to_order(self):
        cramped, roomy = "abcd|dcba|badc|cdab|-|-", "abcd|dcba|badc|cdab|-|-|-|-"
        for text, name in ((cramped, "homes"), (roomy, "order")):
            puzzle = board(BallSort, text, 4)
            assert suiting_encoding(puzzle).name == solve_here("sat", puzzle).encoding == name
            assert encoding_for(puzzle).name == "order"

    def test_homes_certifies_lengths_and_order_unsolvable_boards(self, tmp_path):
        for number, (text, encoding) in enumerate([("cab|abc|bca|-", "homes"), ("021|012|012|-", "order")]):
            puzzle = board(BallSort, text, 3)
            result = solve_here("kernel", puzzle)
            folder = tmp_path / str(number)
            unsolvable = result.length is None
            assert certifying_encoding(puzzle, lengths_only=not unsolvable).name == encoding
            write_certificate(folder, puzzle, result, LRAT)
            assert verify_certificate(folder).particulars["encoding"] == encoding

    def test_homes_certifies_no_unsolvable_board(self, tmp_path):
        assert ENCODINGS["homes"].certifies_lengths
        assert not ENCODINGS["homes"].certifies
        puzzle = board(BallSort, "021|012|012|-", 3)
        write_certificate(tmp_path, puzzle, solve_here("kernel", puzzle), LRAT)
        claim = tmp_path / CLAIM
        claim.write_text(json.dumps({**json.loads(claim.read_text()), "encoding": "homes"}))
        write_manifest(tmp_path)
        with pytest.raises(CertificateError, match="no claim that can be checked"):
            verify_certificate(tmp_path)


class TestTheParts:
    @pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 12])
    def test_a_choice_has_exactly_one_of_its_variables(self, count):
        formula = Formula()
        events = formula.variables(count, "event")
        choice = ExactlyOne(formula, events, ("choice",))
        with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
            assert len(list(solver.enum_models())) == count
        with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
            for chosen in range(count):
                assert solver.solve(assumptions=[events[chosen]])
                model = solver.get_model()
                assert [literal for literal in model if literal in events] == [events[chosen]]
                for place in range(count):
                    assert any(literal in model for literal in choice.behind(place)) == (chosen > place)

    def test_the_budget_counts_what_is_spent(self):
        formula = Formula()
        first, second, third = formula.variables(3, "cause")
        spending = CostCounter(formula, ("spent",))
        spending.stage([([first], 2)])
        spending.more_than(1)  # raised below
        spending.stage([([second], 1), ([second, third], 3)])
        amounts = {(): 0, (first,): 2, (second,): 1, (first, second): 3, (second, third): 3, (first, second, third): 5}
        for bound in (0, 3, 2, 5):
            limit = -spending.more_than(bound)
            with Solver("cadical195", bootstrap_with=formula.clauses) as solver:
                for causes, amount in amounts.items():
                    others = [-cause for cause in (first, second, third) if cause not in causes]
                    assert solver.solve(assumptions=[*causes, *others, limit]) == (amount <= bound)

    def test_the_formula_without_rules_has_fewer_clauses(self):
        puzzle = board(BallSort, "cab|abc|bca|-", 3)
        sizes = {}
        for name, rules in RULES.items():
            formula = Homes(rules).encode(puzzle)
            assert isinstance(formula, HomesFormula)
            formula.at_horizon(12)
            sizes[name] = len(formula.clauses)
        assert all(sizes["none"] < sizes[name] < sizes["all"] for name in sizes if name.startswith("without"))
