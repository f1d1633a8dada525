"""What every encoding declares about itself, held against all plans of small boards.

Asked of each encoding in the registry, of its plain variant, and of `tests.support.unfolding`, one from outside.
"""

import json
import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from bsp_sat import BallSort, Status, Unsupported, WaterSort, load, solve
from bsp_sat.backends.count import count_plans
from bsp_sat.backends.proofs.certificate import verify_certificate, write_certificate
from bsp_sat.backends.proofs.kinds import LRAT
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.encoder.encoding import Encoding, PlanFormula, Unsat
from bsp_sat.encoder.registry import ENCODINGS, certifying_encoding, check_encoding, encoding_for, encodings_for
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.tiles import Tiles
from tests.support.helpers import RULES, board, scattered
from tests.support.plain_variants import PLAIN, count_by_models
from tests.support.unfolding import Unfolding

ROOT = Path(__file__).parents[2]

SORT = [
    ("ab|ba|-", 2, "full"), ("ab|ba|-|-", 2, "full"), ("ab|ba", 2, "full"), ("aa|-|bb", 2, "full"),
    ("ab|b|a", 2, "full"), ("aab|bba|-", 3, "full"), ("aab|bab|-", 3, "full"), ("cab|abc|bca|-", 3, "full"),
    ("bca|cab|acb|-", 3, "full"), ("021|012|012|-", 3, "full"), ("abab|baba|-", 4, "full"), ("aabb|bbaa|-", 4, "full"),
    ("caac|bbac|bbac|-", 4, "full"), ("ab|ba|ab|-", 2, "monochrome"), ("ab|ba", 2, "monochrome"),
    ("aab|bba|b|-", 3, "monochrome"), ("aba|ab|-", 3, "monochrome"), ("ab|ba|aa|-", 2, "full"),
    ("ab|ba|ab|ba|-", 2, "full"), ("aab|aba|aba|-", 3, "full"),
]  # fmt: skip
SHOT = [[(0, 0)], [(0, 0), (3, 0)], [(0, 0), (1, 0)], [(0, 0), (2, 0), (2, 3)], [(2, 0), (0, 3), (4, 3)]]
FEW_PLANS = 200


@dataclass(frozen=True)
class Known:
    """A board with the length and the number of its shortest plans, None and 0 where it has none."""

    puzzle: AnyPuzzle
    optimum: int | None
    plans: int


def solved_by_playing(puzzle: AnyPuzzle) -> Known:
    """Plays every move of every position, layer by layer, and counts the ways."""
    ways, seen, length = Counter({puzzle: 1}), {puzzle}, 0
    while ways:
        plans = sum(number for position, number in ways.items() if position.is_goal())
        if plans:
            return Known(puzzle, length, plans)
        following: Counter[AnyPuzzle] = Counter()
        for position, number in ways.items():
            for move in position.pruned_moves(position.renamings):
                after = position.apply(move)
                if after not in seen:
                    following[after] += number
        seen |= following.keys()
        ways, length = following, length + 1
    return Known(puzzle, None, 0)


RULES_OF_TUBES = (
    {"capacities": [2, 2, 3]}, {"locked": [{"tube": 3, "until": "a"}]}, {"locked": [{"tube": 0, "until": 1}]},
    {"locked": [{"tube": 3, "until": {"colour": "a", "tubes": 1}}]},
    {"no_in": [0]}, {"no_out": [2]}, {"accepts": {"2": ["a"]}}, {"partial": False, "capacities": [2, 2, 1, 1]},
    {"cork": True}, {"drain": True}, {"any_in": [2]}, {"goal": "gathered", "capacity": 3},
)  # fmt: skip
RULES_OF_BALL_SORT = ({"placement": "any"}, {"goal": "coloured", "tube_colours": ["a", None, "b", None]})


def with_rules(rule):
    """A tiny board with each rule that tubes may have."""
    for extra in (*RULES_OF_TUBES, *(RULES_OF_BALL_SORT if rule is BallSort else ())):
        empty = len(extra.get("capacities", "1234")) - 2
        tubes = [["a", "b"], ["b", "a"], *([] for _ in range(empty))]
        yield rule.from_json({"puzzle": rule.kind, "capacity": 2, "tubes": tubes, **extra})


@cache
def boards() -> tuple[Known, ...]:
    """Small boards of all kinds, solvable and not."""
    chance = random.Random(5)
    tiles = [[chance.choices("abc", k=chance.randint(0, 3)) for _ in range(3)] for _ in range(12)]
    places = [(x, y) for x in range(5) for y in range(5)]
    shots = [solved_by_playing(Shot.from_balls(5, 5, chance.sample(places, k=number % 4 + 3))) for number in range(150)]
    few_have_a_plan = [*[shot for shot in shots if shot.plans][:15], *[shot for shot in shots if not shot.plans][:10]]
    puzzles = [
        *(board(rule, text, capacity, goal) for rule in RULES for text, capacity, goal in SORT),
        *(scattered(random.Random(seed), rule, "aaabbbccc", 4, 3) for rule in RULES for seed in range(10)),
        *(puzzle for rule in RULES for puzzle in with_rules(rule)),
        *map(Tiles.from_columns, [[[]], *tiles]),
        *(Shot.from_balls(5, 4, balls) for balls in SHOT),
    ]
    return (*map(solved_by_playing, puzzles), *few_have_a_plan)


def boards_for(encoding: Encoding) -> list[Known]:
    """Those that ``encoding`` takes."""
    taken = []
    for known in boards():
        try:
            encoding.check(known.puzzle)
        except Unsupported:
            continue
        taken.append(known)
    return taken


def every_encoding_and_its_plain_variant() -> list[Encoding]:
    return list(dict.fromkeys([*ENCODINGS.values(), *PLAIN.values()]))


def model_of(formula: PlanFormula, assumptions: list[int]) -> list[int] | None:
    with Solver(name="cadical195", bootstrap_with=formula.clauses) as oracle:
        return oracle.get_model() if oracle.solve(assumptions=assumptions) else None


def refuted(formula: PlanFormula, assumptions: list[int]) -> bool:
    """Without its ``exact`` assumptions: only that counts."""
    return model_of(formula, assumptions) is None


def plan_found(known: Known, formula: PlanFormula, assumptions: list[int], horizon: int) -> int:
    """The length of the plan that a model stands for; there has to be one, and it has to be legal."""
    model = model_of(formula, [*assumptions, *formula.exact])
    assert model is not None, known
    plan = formula.decode(model, horizon)
    plan.replay(known.puzzle)
    return len(plan)


every_encoding = pytest.mark.parametrize("encoding", every_encoding_and_its_plain_variant(), ids=repr)


@every_encoding
class TestEveryEncoding:
    def test_there_are_boards_to_test_with(self, encoding):
        taken = boards_for(encoding)
        optima = {known.optimum for known in taken}
        assert len(taken) >= 10
        assert len(optima - {None}) >= 3
        assert (None in optima) != encoding.always_solvable
        # Whatever its scope promises to take is among them.
        assert {known.puzzle.kind for known in taken} >= set(encoding.scope.kinds or ())
        if encoding.scope.features is not None:
            found = frozenset().union(*(known.puzzle.features() for known in taken))
            assert found == encoding.scope.features

    def test_a_refuted_horizon_means_what_is_declared(self, encoding, one_in):
        for known in boards_for(encoding)[:: one_in(6)]:
            unsolvable = known.optimum is None
            hopeless = range(known.puzzle.lower_bound() + 3 if unsolvable else known.optimum)
            for horizon in hopeless:
                formula = encoding.encode(known.puzzle)
                assert refuted(formula, formula.at_horizon(horizon)), (known, horizon)
            if unsolvable:
                continue
            longer = 3 if encoding.unsat is Unsat.UP_TO else 0
            for horizon in range(known.optimum, known.optimum + longer + 1):
                formula = encoding.encode(known.puzzle)
                length = plan_found(known, formula, formula.at_horizon(horizon), horizon)
                assert known.optimum <= length <= horizon

    def test_plans_of_any_length_can_be_asked_for_where_that_is_declared(self, encoding, one_in):
        for known in boards_for(encoding)[:: one_in(5)]:
            formula = encoding.encode(known.puzzle)
            anything = formula.at_any_length()
            assert (anything is not None) == encoding.any_length
            if anything is None:
                assert formula.extra_moves() == []
            elif known.optimum is None:
                assert refuted(formula, anything)
            else:
                assert plan_found(known, formula, anything, 0) >= known.optimum

    def test_clauses_that_were_encoded_stay(self, encoding, one_in):
        for known in boards_for(encoding)[:: one_in(5)]:
            formula = encoding.encode(known.puzzle)
            clauses, names = [], []
            for horizon in range(known.puzzle.lower_bound(), known.puzzle.lower_bound() + 3):
                formula.at_horizon(horizon)
                assert formula.clauses[: len(clauses)] == clauses
                assert formula.names[: len(names)] == names
                clauses, names = [list(clause) for clause in formula.clauses], list(formula.names)
            assert {abs(literal) for clause in clauses for literal in clause} <= set(range(1, len(names) + 1))
            assert len(set(names)) == len(names)

    def test_other_boards_are_refused_with_the_encodings_to_use_instead(self, encoding, one_in):
        taken = [known.puzzle for known in boards_for(encoding)]
        for puzzle in (known.puzzle for known in boards()[:: one_in(5)] if known.puzzle not in taken):
            for ask in (encoding.check, encoding.encode):
                with pytest.raises(Unsupported, match=f"^the {encoding.name} encoding takes"):
                    ask(puzzle)
            others = " or ".join(other.name for other in encodings_for(puzzle))
            with pytest.raises(Unsupported, match=f"^the {encoding.name} encoding .*; try encoding {others}$"):
                check_encoding(encoding, puzzle)

    def test_an_encoding_travels_to_other_processes(self, encoding):
        assert pickle.loads(pickle.dumps(encoding)) == encoding
        assert hash(pickle.loads(pickle.dumps(encoding))) == hash(encoding)


@pytest.mark.parametrize("plain", PLAIN.values(), ids=repr)
def test_models_of_a_plain_variant_are_the_shortest_plans(plain):
    counted = [known for known in boards_for(plain) if 0 < known.plans <= FEW_PLANS]
    assert len(counted) >= 10
    assert any(known.plans > 1 for known in counted)
    for known in counted:
        formula = plain.encode(known.puzzle)
        assumptions = [*formula.at_horizon(known.optimum), *formula.exact]
        with Solver(name="glucose4", bootstrap_with=formula.clauses) as oracle:
            plans = [formula.decode(model, known.optimum) for model in oracle.enum_models(assumptions=assumptions)]
        assert len(plans) == len(set(plans)) == known.plans, known
        for plan in plans:
            plan.replay(known.puzzle)


def unregister_all(monkeypatch):
    for name in reversed(list(ENCODINGS)):  # they come back in the opposite order, and the first that suits is chosen
        monkeypatch.delitem(ENCODINGS, name)


class TestTheRegistry:
    """What it chooses, among encodings of which only the declarations matter here."""

    BALLS, WATER = board(BallSort, "ab|ba|-", 2), board(WaterSort, "ab|ba|-", 2)

    @staticmethod
    def encodings(monkeypatch, **declarations):
        unregister_all(monkeypatch)
        for name, declared in declarations.items():
            monkeypatch.setitem(ENCODINGS, name, type(name, (Unfolding,), {"name": name, **declared})())

    def test_the_first_encoding_that_takes_the_board_serves(self, monkeypatch):
        self.encodings(monkeypatch, first={"scope": Scope(("water-sort",))}, second={}, third={})
        assert encoding_for(self.BALLS).name == "second"
        assert encoding_for(self.WATER).name == "first"
        assert [encoding.name for encoding in encodings_for(self.BALLS)] == ["second", "third"]

    def test_the_first_encoding_that_certifies_is_taken_for_certificates(self, monkeypatch):
        self.encodings(
            monkeypatch,
            climbs={"unsat": Unsat.AFTER_ALL_BEFORE},
            never_ends={"any_length": False},
            needs_no_end={"any_length": False, "always_solvable": True},
            proves={},
        )
        certify = {name: encoding.certifies for name, encoding in ENCODINGS.items()}
        assert certify == {"climbs": False, "never_ends": False, "needs_no_end": True, "proves": True}
        assert certifying_encoding(self.BALLS).name == "needs_no_end"

    def test_without_an_encoding_the_refusal_says_so(self, monkeypatch):
        self.encodings(monkeypatch, nothing={"unsat": Unsat.AFTER_ALL_BEFORE})
        puzzle = board(WaterSort, "ab|b|a", 2, "monochrome")
        boards = "water-sort boards with the goal monochrome"
        with pytest.raises(Unsupported, match=f"no encoding can certify answers for {boards}"):
            certifying_encoding(puzzle)
        self.encodings(monkeypatch)
        with pytest.raises(Unsupported, match=f"no encoding takes {boards} yet; a search may"):
            encoding_for(puzzle)
        hidden = BallSort.from_text("?a|?b|-")
        with pytest.raises(Unsupported, match="with hidden cells yet; `bsp-sat play` guides you through this one"):
            encoding_for(hidden)
        with pytest.raises(
            Unsupported, match=r"^the unfolding encoding takes boards that lead to 500 positions at most$"
        ):
            check_encoding(Unfolding(), load("level-80"))


COMMAND = """
from bsp_sat.encoder.registry import ENCODINGS
from tests.support.unfolding import Unfolding

if __name__ == "__main__":
    ENCODINGS["unfolding"] = Unfolding()
    from bsp_sat.cli import main

    main()
"""


class TestFromOutside:
    """All that works on an encoding works on one that nothing here has heard of."""

    SOLVABLE = (board(WaterSort, "aab|bba|-", 3), Tiles.from_columns([list("aba"), list("bab"), list("ab")]))
    UNSOLVABLE = (board(BallSort, "ab|ba", 2), Shot.from_balls(4, 4, [(0, 0), (2, 0), (2, 3)]))

    @pytest.fixture
    def alone(self, monkeypatch):
        """The registry holds nothing else, so that it is chosen wherever there is a choice."""
        unregister_all(monkeypatch)
        monkeypatch.setitem(ENCODINGS, "unfolding", Unfolding())

    @pytest.fixture
    def command(self, tmp_path):
        """The command line of a program that registers it, and nothing more."""
        program = tmp_path / "with_unfolding.py"
        program.write_text(COMMAND)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}

        def run(*args, stdin):
            command = [sys.executable, str(program), *args]
            return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=600, env=environment)

        return run

    @pytest.mark.parametrize("puzzle", [*SOLVABLE, *UNSOLVABLE], ids=lambda puzzle: puzzle.kind)
    def test_a_foreign_encoding_solves_boards(self, puzzle):
        known = solved_by_playing(puzzle)
        result = solve(puzzle, Sat(Unfolding(), guide=False))
        assert (result.status is Status.UNSOLVABLE) == (known.optimum is None)
        assert (result.length, result.encoding) == (known.optimum, "unfolding")

    @pytest.mark.parametrize("puzzle", SOLVABLE, ids=lambda puzzle: puzzle.kind)
    @pytest.mark.usefixtures("alone")
    def test_a_foreign_encoding_counts_plans(self, puzzle):
        known = solved_by_playing(puzzle)
        assert count_by_models(puzzle, known.optimum) == count_plans(puzzle, known.optimum) == known.plans > 1

    @pytest.mark.parametrize("puzzle", [*SOLVABLE, *UNSOLVABLE], ids=lambda puzzle: puzzle.kind)
    @pytest.mark.usefixtures("alone")
    def test_a_foreign_encoding_certifies_answers(self, puzzle, tmp_path):
        write_certificate(tmp_path, puzzle, solve(puzzle, Sat(Unfolding())), LRAT)
        verified = verify_certificate(tmp_path)
        assert verified.particulars["encoding"] == "unfolding"
        assert verified.length == solved_by_playing(puzzle).optimum
        assert verified.particulars["clauses"] > 1

    @pytest.mark.parametrize(("steps", "satisfiable"), [(2, False), (3, True)])
    def test_a_foreign_encoding_is_exported(self, command, steps, satisfiable):
        options = ("--encoding", "unfolding", "--max-steps", str(steps))
        run = command("export", "-", "--format", "dimacs", *options, stdin="ab|ba|-")
        assert run.stderr == ""
        assert run.stdout.startswith("c unfolding encoding: a plan of ")
        with Solver(name="glucose4", bootstrap_with=CNF(from_string=run.stdout)) as oracle:
            assert oracle.solve() == satisfiable

    def test_a_foreign_encoding_is_chosen_on_the_command_line(self, command):
        run = command("solve", "-", "--backend", "sat:unfolding", "--json", stdin="ab|ba|-")
        answer = json.loads(run.stdout)
        assert (answer["status"], answer["length"], answer["encoding"]) == ("optimal", 3, "unfolding")
        run = command("solve", "level-80", "--backend", "sat:unfolding", stdin="")
        assert run.returncode == 2
        assert "500 positions at most; try encoding order or homes or sequential" in run.stderr
        assert "|unfolding" in command("export", "--help", stdin="").stdout.replace("\n", "").replace(" ", "")

    def test_a_class_is_refused_where_it_is_registered(self):
        with pytest.raises(TypeError, match=r"'unfolding'\]: expected an encoding such as Unfolding\(\)"):
            ENCODINGS["unfolding"] = Unfolding
        assert "unfolding" not in ENCODINGS
