"""3-Partition: boards, answers, plans and triples against plain search, on the numbers and on the boards."""

import json
import random
from itertools import combinations_with_replacement, islice

import pytest

from bsp_sat import BallSort, BoardError, IllegalMove, Plan, Status, Unsupported, WaterSort, make_backend
from bsp_sat.backends.boards import partition_boards, partition_instance
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.cpsat.partition import find_triples
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.instances.files import load_instance
from bsp_sat.instances.three_partition import (
    Core,
    allowed,
    check_numbers,
    check_size,
    partition_tubes,
    planted_numbers,
    random_numbers,
    stuck_numbers,
)
from tests.support.command import bsp_sat
from tests.support.helpers import answer, board, every_rule, solve_here

UNEVEN = (7, 10, 10, 9, 9, 9)  # the two largest numbers share a triple: one move above the lower bound


def falls_into_triples(numbers, target):
    """Whether it does, by trying everything."""
    if not numbers:
        return True
    first, *others = numbers
    return any(
        first + others[i] + others[j] == target
        and falls_into_triples(others[:i] + others[i + 1 : j] + others[j + 1 :], target)
        for i in range(len(others))
        for j in range(i + 1, len(others))
    )


def puzzle_for(rule, numbers, target):
    return rule.from_tubes(partition_tubes(numbers, target), target)


def instances(count, *, seed, sizes):
    chance = random.Random(seed)
    for _ in range(count):
        triples, target = chance.choice(sizes)
        yield random_numbers(triples, target, chance), target


def test_solvable_exactly_if_the_numbers_fall_into_triples(one_in):
    sizes = [(1, 11), (2, 13), (2, 15), (2, 16), (2, 17), (2, 19), (2, 22), (2, 29), (3, 17), (3, 20)]
    answers = []
    for numbers, target in instances(500 // one_in(4), seed=0, sizes=sizes):
        expected = falls_into_triples(numbers, target)
        puzzle = puzzle_for(WaterSort, numbers, target)
        assert (find_triples(numbers, target) is not None) == expected
        assert answer(solve_here("astar", puzzle)) == (5 * len(numbers) // 3 if expected else "unsolvable"), numbers
        assert search_tables(puzzle, 10**6)[0] == expected
        answers.append(expected)
    assert min(answers.count(True), answers.count(False)) > 100 // one_in(4)


@pytest.mark.parametrize("numbers", [(6, 4, 4, 4, 4, 4), (4, 4, 5, 4, 4, 5), (4, 4, 6, 6, 6, 4)])
def test_the_same_for_single_balls_by_exhausted_search(numbers):
    target = sum(numbers) // 2
    found = answer(solve_here("bfs", puzzle_for(BallSort, numbers, target)))
    assert (found != "unsolvable") == falls_into_triples(list(numbers), target)


def test_known_optima_are_proved_optima():
    for numbers, target in [
        *islice(instances(60, seed=1, sizes=[(1, 11), (1, 20), (2, 13), (2, 17)]), 12),
        (UNEVEN, 27),
    ]:
        instance = partition_instance(BallSort, numbers, target, "")
        assert answer(solve_here(CpSat(layered=True, guide=False), instance.puzzle)) == instance.known_answer


@pytest.mark.slow
def test_search_finds_the_known_optima():
    for numbers, target in [*instances(20, seed=2, sizes=[(1, 11), (2, 13), (2, 15), (2, 16)]), (UNEVEN, 27)]:
        instance = partition_instance(BallSort, numbers, target, "")
        assert answer(solve_here("astar", instance.puzzle)) == instance.known_answer


def test_the_optimum_can_be_above_the_lower_bound():
    instance = partition_instance(BallSort, UNEVEN, 27, "")
    assert (instance.puzzle.lower_bound(), instance.known_answer) == (88, 89)


@every_rule
def test_numbers_to_boards_to_numbers_and_triples_to_plans_to_triples(rule):
    chance = random.Random(3)
    for _ in range(60):
        triples, target = chance.choice([(1, 7), (2, 13), (3, 20), (5, 33), (6, 100)])
        numbers = planted_numbers(triples, target, chance)
        tubes = partition_tubes(numbers, target)
        core = Core.of(rule.from_tubes(tubes, target))
        assert list(core.numbers) == numbers
        chance.shuffle(tubes)
        core = Core.of(rule.from_tubes(tubes, target))
        assert sorted(core.numbers) == sorted(numbers)
        best = find_triples(numbers, target)
        chosen = core.tubes_of(best)
        assert [core.numbers_of(triple) for triple in chosen] == best
        plan = core.plan_of(chosen)
        assert list(map(sorted, core.triples_of(plan))) == list(map(sorted, chosen))
        assert len(plan) == partition_instance(rule, numbers, target, "").known_answer


@every_rule
def test_any_plan_holds_triples_however_it_wanders(rule):
    for instance in islice(partition_boards(rule, 2, 16, solvable=True), 2):
        core = Core.of(instance.puzzle)
        for backend in ("dfs", "dfs-sorted"):
            plan = solve_here(backend, instance.puzzle).plan
            core.check_triples(core.triples_of(plan))


def test_a_corrupted_plan_is_refused():
    instance = next(partition_boards(BallSort, 2, 20, solvable=True))
    core = Core.of(instance.puzzle)
    plan = core.plan_of(core.tubes_of(find_triples(core.numbers, 20)))
    with pytest.raises(IllegalMove, match="red cannot go on blue"):
        core.triples_of(Plan((*plan.moves[:30], *plan.moves[31:])))


@pytest.mark.parametrize("target", range(1, 15))
def test_sizes_without_instances_by_looking_at_all(target):
    for triples in (1, 2, 3):
        every = [
            numbers
            for numbers in combinations_with_replacement(allowed(target), 3 * triples)
            if sum(numbers) == triples * target
        ]
        solvable = {falls_into_triples(list(numbers), target) for numbers in every}
        for wanted in (True, False):
            try:
                check_size(triples, target, solvable=wanted)
                assert wanted in solvable
            except BoardError:
                assert wanted not in solvable


@pytest.mark.parametrize("triples", [2, 3, 6, 7])
def test_every_other_size_has_an_unsolvable_instance(triples):
    for target in (13, *range(15, 70)):
        numbers = stuck_numbers(triples, target)
        check_numbers(numbers, target)
        assert find_triples(numbers, target) is None


@pytest.mark.parametrize("solvable", [True, False])
@pytest.mark.parametrize(("triples", "target"), [(2, 13), (3, 20), (12, 20), (5, 101)])
def test_generated_instances_have_the_answer_that_was_asked_for(triples, target, solvable):
    for instance in islice(partition_boards(BallSort, triples, target, 7, solvable=solvable), 3):
        assert instance.about["answer"] == ("yes" if solvable else "no")
        assert (find_triples(instance.about["numbers"], target) is not None) == solvable
        assert len(instance.about["numbers"]) == 3 * triples


def test_series_of_3_partition_are_reproducible():
    first, second, third = islice(partition_boards(BallSort, 3, 20, 4), 3)
    assert next(partition_boards(BallSort, 3, 20, 6)).to_json() == third.to_json()
    assert first.to_json() != second.to_json()


@pytest.mark.parametrize(
    ("numbers", "target", "problem"),
    [
        ((), 20, "three for each triple, found 0"),
        ((7, 7), 14, "three for each triple, found 2"),
        ((5, 7, 8), 20, "above 20/4 and below 20/2 .*, found 5"),
        ((6, 7, 10), 20, "found 10"),
        ((6, 7, 8), 20, r"a sum of 1 × 20, found 21"),
    ],
)
def test_refuses_what_is_no_instance(numbers, target, problem):
    with pytest.raises(BoardError, match=problem):
        partition_tubes(numbers, target)


@pytest.mark.parametrize(
    ("tubes", "problem"),
    [
        ("aabb|aabb|-|-", "one empty tube, found 2"),
        ("aab|ab|b|-", "full tubes and an empty one"),
        ("aabb|bbaa|-", "one colour below another"),
        ("abab|bbaa|-", "one colour below another"),
        ("abbbbbb|aaaaaab|-", "three for each triple"),
    ],
)
def test_refuses_boards_of_another_form(tubes, problem):
    puzzle = board(BallSort, tubes, max(map(len, tubes.split("|"))))
    with pytest.raises(BoardError, match=problem):
        Core.of(puzzle)
    with pytest.raises(Unsupported, match="made from 3-Partition"):
        make_backend("partition").check(puzzle)


@pytest.mark.parametrize(
    ("triples", "problem"),
    [
        ([[9, 9, 9]], "each number once"),
        ([[7, 10, 10], [9, 9, 9], [9, 9, 9]], "expected 9 at most 3 times, found more"),
        ([[7, 10, 9], [10, 9, 9]], r"7 \+ 10 \+ 9 isn't 27"),
        ([[7, 10], [10, 9, 9, 9]], "three numbers each, found 2"),
    ],
)
def test_refuses_triples_that_are_no_partition(triples, problem):
    with pytest.raises(BoardError, match=problem):
        Core.of(puzzle_for(BallSort, UNEVEN, 27)).tubes_of(triples)


@every_rule
def test_the_backend_answers_by_the_numbers(rule):
    yes, no = (next(partition_boards(rule, 4, 24, solvable=solvable)) for solvable in (True, False))
    assert answer(solve_here("partition", yes.puzzle)) == yes.known_answer
    result = solve_here("partition", no.puzzle)
    assert (result.backend, result.reason) == ("partition", "the numbers don't fall into triples")
    result = solve_here("partition", yes.puzzle, yes.known_answer - 1)
    assert (result.status, result.lower_bound) == (Status.UNKNOWN, yes.known_answer)


def test_cpsat_tries_the_border_argument_where_no_plan_is_found():
    result = solve_here(CpSat(layered=True), next(partition_boards(BallSort, 3, 20, solvable=False)).puzzle)
    assert (result.status, result.reason) == (Status.UNSOLVABLE, "border argument")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Files with one solvable and one unsolvable board."""
    tmp_path = tmp_path_factory.mktemp("boards")
    for flag in ("solvable", "unsolvable"):
        options = ["--triples", "2", "--target", "20", f"--{flag}", "--out", str(tmp_path / f"{flag}.json")]
        assert bsp_sat("generate", "three-partition", *options).returncode == 0
    return tmp_path


class TestCommands:
    def test_a_partition_becomes_a_plan_and_a_plan_a_partition(self, made):
        yes = str(made / "solvable.json")
        found = json.loads(bsp_sat("partition", yes, "--json").stdout)
        assert (found["answer"], found["length"]) == ("yes", load_instance(yes).known_answer)
        assert [sum(triple) for triple in found["triples"]] == [20, 20]
        (made / "plan.json").write_text(json.dumps(found))
        assert bsp_sat("check", yes, str(made / "plan.json")).returncode == 0
        read = bsp_sat("partition", yes, str(made / "plan.json"), "--json")
        assert json.loads(read.stdout)["tubes"] == found["tubes"]
        assert "= 20   tubes" in bsp_sat("partition", yes, str(made / "plan.json")).stdout
        text = ",".join("+".join(map(str, triple)) for triple in found["triples"])
        assert "plan along these triples" in bsp_sat("partition", yes, "--triples", text).stdout

    def test_a_board_without_a_partition_is_exit_code_1(self, made):
        run = bsp_sat("partition", str(made / "unsolvable.json"))
        assert (run.returncode, run.stderr) == (1, "")
        assert "don't fall into triples" in run.stdout
        assert json.loads(bsp_sat("partition", str(made / "unsolvable.json"), "--json").stdout)["answer"] == "no"

    def test_a_plan_that_is_none_is_exit_code_1(self, made):
        run = bsp_sat("partition", str(made / "solvable.json"), "-", stdin="[[0, 6]]")
        assert (run.returncode, run.stdout[:8]) == (1, "Invalid:")

    def test_a_board_is_made_of_given_numbers(self):
        run = bsp_sat("generate", "three-partition", "--numbers", "7,10,10,9,9,9")
        assert json.loads(run.stdout)["optimal"] == {"ball-sort": 89, "water-sort": 10}

    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            (["--triples", "2"], "expected --triples and --target, or --numbers"),
            (["--triples", "2", "--target", "8"], "no three numbers above 8/4 and below 8/2 have the sum 8"),
            (["--triples", "1", "--target", "20", "--unsolvable"], "three numbers are a triple themselves"),
            (["--triples", "5", "--target", "14", "--unsolvable"], "always fall into triples"),
            (["--numbers", "7,x"], "whole numbers separated by commas, found '7,x'"),
            (["--numbers", "7,8,9", "--triples", "1"], "--numbers can't be used with --triples"),
            (["--triples", "2", "--target", "30000"], "target: expected 1 to 10000, found 30000"),
        ],
    )
    def test_numbers_that_are_no_instance_are_refused(self, options, problem):
        run = bsp_sat("generate", "three-partition", *options)
        assert (run.returncode, run.stdout) == (2, "")
        assert problem in run.stderr
        assert "Traceback" not in run.stderr

    @pytest.mark.parametrize(
        ("arguments", "problem"),
        [
            (["level-80"], "level-80 is no 3-Partition board: tubes: expected one empty tube, found 2"),
            (["tiles-2022-11-16"], "not tiles"),
            (["-", "-"], "can't both be standard input"),
            (["level-80", "--triples", "7+x"], "expected triples such as"),
            (["level-80", "nowhere", "--triples", "7+8+9"], "--triples can't be used with PLAN"),
        ],
    )
    def test_boards_that_stand_for_no_partition_are_refused(self, arguments, problem):
        run = bsp_sat("partition", *arguments)
        assert (run.returncode, run.stdout) == (2, "")
        assert problem in run.stderr
