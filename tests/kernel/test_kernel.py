"""The compiled search: against references, against exhaustively solved families, and with its parts switched off."""

import subprocess
import sys
import threading
from contextlib import suppress
from itertools import islice, product
from string import ascii_letters

import pytest

from bsp_sat import BallSort, Status, Unsupported, WaterSort, load
from bsp_sat.backends.boards import partition_boards
from bsp_sat.backends.engine import EXHAUSTED, FOUND, PAUSED
from bsp_sat.backends.kernel import backend
from bsp_sat.backends.kernel.backend import FIRST_TURN, MAX_CAPACITY, MAX_COLOURS, MAX_TUBES, Kernel
from bsp_sat.backends.kernel.search import search as kernel_search
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.backends.result import Findings
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.registry import PUZZLES
from tests.support import naive
from tests.support.helpers import (
    Recorder,
    answer,
    board,
    case_id,
    every_rule,
    reference,
    solve_here,
    under_both_rules,
    wrong_answers,
)
from tests.support.naive_variants import random_board

CHOICES = {
    "homes": Kernel(),
    "moves": Kernel(homes=False),
    "homes, little memory": Kernel(memory_mb=1),
    "moves, little memory": Kernel(homes=False, memory_mb=1),
}
SPACES = {"homes": True, "moves": False}
every_choice = pytest.mark.parametrize("choice", CHOICES)
every_space = pytest.mark.parametrize("space", SPACES)


def search(puzzle, space, weights=(1, 1), memory_mb=100.0):
    return KernelSearch(puzzle, by_homes=SPACES[space], weights=weights, memory_mb=memory_mb)


@pytest.mark.parametrize(
    ("choice", "file"), [*((choice, "small") for choice in CHOICES), ("homes", "medium"), ("moves", "medium")]
)
def test_the_compiled_search_proves_boards(choice, file):
    assert not wrong_answers(CHOICES[choice], under_both_rules(f"{file}.jsonl"))


CLASSES = [
    *naive.FAMILIES, ((3, 3), 3, 4), ((4, 4), 4, 3), ((4, 4), 4, 4), ((5, 5), 5, 4), ((2, 2, 2, 2), 2, 5),
    ((3, 3, 3), 3, 4), ((3, 3, 3), 3, 5),
]  # fmt: skip
SEARCHES = {
    "": {},
    "not pruned": {"pruned": False},
    "without bound": {"weights": (1, 0)},
    "little": {"memory_mb": 0.001},
}


@every_rule
@pytest.mark.parametrize("goal", ["full", "monochrome"])
@pytest.mark.parametrize(("counts", "capacity", "tubes"), CLASSES, ids=str)
def test_every_board_of_a_class(counts, capacity, tubes, goal, rule, one_in):
    """In either space, with prunings, bounds and memory and without: at its distance and one move below."""
    boards = set(naive.all_boards(counts, capacity, tubes))
    distances = naive.distances(boards, capacity, goal, water=rule is WaterSort, tubes_in_order=True)
    homes = rule is BallSort and goal == "full" and set(counts) == {capacity}
    for tubes_then in sorted(boards)[:: one_in(1 + len(boards) // 200)]:
        puzzle = rule(tubes_then, capacity, goal, tuple(range(len(counts))))
        for by_homes, name in product([False, True] if homes else [False], SEARCHES):
            found = KernelSearch(puzzle, by_homes=by_homes, **SEARCHES[name])
            distance = distances.get(tubes_then)
            if distance is None:
                assert name == "little" or (found.advance(NO_LIMIT, 10**6), found.cut) == (EXHAUSTED, False), puzzle
                continue
            found.advance(NO_LIMIT, 1)
            assert found.rank <= distance, (puzzle, by_homes, name)
            found.restart(found.alphabet.start(puzzle))
            assert found.advance(distance, 10**6) == FOUND, (puzzle, by_homes, name)
            plan = found.plan()
            plan.replay(puzzle)
            assert len(plan) == distance, (puzzle, by_homes, name)
            found.restart(found.alphabet.start(puzzle))
            assert (found.advance(distance - 1, 10**6), found.cut) == (EXHAUSTED, True), (puzzle, by_homes, name)


@pytest.mark.parametrize("by_homes", [True, False])
def test_one_of_two_equal_temporaries_is_cleared(by_homes):
    puzzle = board(BallSort, "00100|211|21|1|2220", 5)
    found = KernelSearch(puzzle, by_homes=by_homes)
    assert (found.advance(NO_LIMIT, 10**6), found.goal_cost) == (FOUND, 12)


@pytest.mark.parametrize("memory_mb", [100.0, 0.3], ids=["memory", "little memory"])
@pytest.mark.parametrize(("colours", "capacity", "empty"), [(5, 4, 2), (7, 4, 3), (9, 4, 2), (4, 6, 2), (6, 2, 1)])
def test_children_that_are_not_built_are_those_that_the_limit_keeps_out(colours, capacity, empty, memory_mb):
    """With any limit, the search that builds them all expands the same states and says the same."""
    for instance in islice(random_boards(BallSort, colours, capacity, empty, seed=7), 12):
        searches = [
            KernelSearch(instance.puzzle, by_homes=True, pruned=pruned, memory_mb=memory_mb) for pruned in (True, False)
        ]
        start = instance.puzzle.lower_bound()
        for limit in (*range(start, start + 9, 2), NO_LIMIT):
            ends = []
            for found in searches:
                found.restart(found.alphabet.start(instance.puzzle))
                ends.append((found.advance(limit, 50_000), found.expansions, found.states, found.cut))
            assert ends[0] == ends[1], (instance.name, limit)


@pytest.mark.slow
@pytest.mark.parametrize("instance", reference("large.jsonl", "ball-sort"), ids=case_id)
def test_the_compiled_search_proves_large_boards(instance):
    assert answer(solve_here("kernel", instance.puzzle)) == instance.known_answer


class TestLimits:
    @every_choice
    @every_rule
    def test_below_the_optimum_one_move_more_is_proved(self, rule, choice):
        below = {"ball-sort": 37, "water-sort": 28}[rule.kind]
        result = solve_here(CHOICES[choice], load("level-80", rule.kind), below)
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, below + 1)
        assert f"within {below} moves" in result.reason

    @pytest.mark.parametrize(
        ("puzzle", "what"),
        [
            (BallSort.from_tubes([[c] for c in range(MAX_COLOURS + 1)], 1), "colours"),
            (BallSort.from_tubes([[0] * (MAX_CAPACITY + 1)], MAX_CAPACITY + 1), "balls a tube"),
            (BallSort.from_tubes([[0], *[[]] * MAX_TUBES], 1), "tubes"),
            (load("tiles-2022-11-16"), "ball-sort and water-sort"),
        ],
        ids=str,
    )
    def test_boards_without_packed_states_are_refused(self, puzzle, what):
        with pytest.raises(Unsupported, match=what):
            Kernel().check(puzzle)

    @every_choice
    def test_bounds_beyond_the_first_buckets(self, choice):
        """A board that takes more moves than the queue has room for at first."""
        tubes = [[colour] * 20 + [(colour + 1) % 8] * 44 for colour in range(8)]
        result = solve_here(CHOICES[choice], BallSort.from_tubes([*tubes, []], 64))
        assert (result.status, result.length) == (Status.OPTIMAL, 8 * 44 + 20)


def test_with_next_to_no_memory_an_unsolvable_board_of_many_states_is_not_settled():
    class Impatient(Findings):
        def stats(self, **figures):
            if figures["expansions"] > 50_000:
                raise TimeoutError

    puzzle = next(partition_boards(BallSort, 2, 20, solvable=False)).puzzle
    facts = Impatient(puzzle, "kernel")
    with suppress(TimeoutError):
        Kernel(memory_mb=0.001).run(puzzle, facts)
    assert facts.status is Status.UNKNOWN


@pytest.fixture
def no_more(monkeypatch):
    """Calling it uses up the memory of the system, which level-80 then needs more of."""

    def use_up():
        monkeypatch.setattr(kernel_search, "available_bytes", lambda: 0)
        monkeypatch.setattr(kernel_search, "FEW_BYTES", 100_000)

    return use_up


def test_a_search_goes_on_with_what_it_has_when_others_take_the_rest(no_more):
    """Its allowance is large, but when it needs more there is none."""
    plenty = KernelSearch(load("level-80"), by_homes=True, memory_mb=1_000)
    assert plenty.advance(NO_LIMIT, 100_000) == FOUND
    assert not plenty.deepening
    no_more()
    few = KernelSearch(load("level-80"), by_homes=True, memory_mb=1_000)
    few.advance(NO_LIMIT, 100_000)
    assert few.deepening
    assert few.states < plenty.states


@pytest.mark.parametrize("memory_mb", [0.5, 0.7, 1.0, 1.3, 2.0, 5.0])
def test_memory_is_full_before_a_search_goes_on_without(memory_mb):
    """Whatever the limit is, but half of the memory in use is too little to grow by."""
    puzzle = next(random_boards(BallSort, 20, 4, 3)).puzzle
    limited = search(puzzle, "homes", memory_mb=memory_mb)
    held = 0
    while not limited.deepening:
        held = limited._facts.bytes
        assert limited.advance(NO_LIMIT, 1_000) == PAUSED
    assert memory_mb / 1.55 <= held / 1_000_000 <= 1.01 * memory_mb


def deepened(puzzle, space, memory_mb):
    """The length of a shortest plan, None if there is none, and expansions, by a search with little memory."""
    limited, threshold = search(puzzle, space, memory_mb=memory_mb), 0
    while True:
        threshold = max(threshold, limited.rank)
        outcome = limited.advance(threshold if limited.deepening else NO_LIMIT, 100_000)
        if outcome == FOUND or (outcome == EXHAUSTED and not limited.cut):
            return len(limited.plan()) if outcome == FOUND else None, limited.expansions
        if outcome == EXHAUSTED:
            threshold += 1
            limited.start_over()


@pytest.mark.parametrize(
    ("space", "rule", "size"),
    [("homes", BallSort, (14, 4, 2)), ("homes", BallSort, (16, 4, 3)), ("moves", BallSort, (12, 4, 2))],
)
def test_a_search_in_little_memory_finds_the_same_and_reaches_few_states_twice(space, rule, size):
    """It notes what it reaches depth first; without notes a state is reached again and again."""
    for each in islice(random_boards(rule, *size, seed=7), 2):
        (length, whole), (same, repeated) = (deepened(each.puzzle, space, memory) for memory in (1_000, 0.2))
        assert same == length
        assert whole < repeated < 20 * whole


def test_a_search_that_shares_gives_up_when_its_share_is_used_up(no_more):
    no_more()
    puzzle = load("level-80")
    lasting, sharing = Kernel().within(200), Kernel().sharing(200)
    with pytest.raises(MemoryError):
        sharing.run(puzzle, Findings(puzzle, "kernel"))
    settled = Findings(puzzle, "kernel")
    lasting.run(puzzle, settled)
    assert settled.bound == 38


@pytest.mark.parametrize(("balls", "empty"), [(18, 0), (20, 1)])
def test_a_step_with_more_ways_than_a_call_lists_is_gone_on_with(balls, empty):
    half = balls // 2
    tubes = [["b", *"a" * half], *[["b", "a"]] * half, ["b"] * (half - 1), *[[]] * empty]
    board = BallSort.from_json({"capacity": balls, "tubes": tubes})
    whole, parts, calls = search(board, "moves"), search(board, "homes"), 1
    assert whole.advance(NO_LIMIT, 1_000_000) == FOUND
    while parts.advance(NO_LIMIT, 1_000_000) == PAUSED:
        calls += 1
    assert parts.goal_cost == whole.goal_cost
    assert calls >= 2
    assert parts.expansions <= calls + 3


def test_a_step_with_more_ways_than_can_ever_be_listed_ends_with_the_call():
    tubes = [["b", *"a" * 32], *[["b", "a"]] * 32, ["b"] * 31, [], []]
    found = search(BallSort.from_json({"capacity": 64, "tubes": tubes}), "homes")
    assert [found.advance(NO_LIMIT, 1_000_000) for _ in range(3)] == [PAUSED] * 3


class TestPlansBeforeTheProof:
    def test_searches_that_weigh_the_bound_more_find_longer_plans_sooner(self):
        puzzle = next(random_boards(BallSort, 14, 4, 2)).puzzle
        lengths = []
        for weights in ((1, 4), (1, 2), (1, 1)):
            found = search(puzzle, "homes", weights)
            while found.advance(NO_LIMIT, 1_000_000) == PAUSED:
                pass
            lengths.append((len(found.plan()), found.expansions))
        assert lengths[0][0] >= lengths[1][0] >= lengths[2][0] == 56
        assert lengths[0][1] < lengths[2][1] / 10

    def test_they_are_reported_with_the_bound_so_far(self):
        puzzle = next(random_boards(BallSort, 14, 4, 2)).puzzle
        recorder = Recorder(puzzle)
        assert Kernel().run(puzzle, recorder) == ""
        plans, bounds, facts = recorder.lengths, recorder.bounds, recorder.facts
        assert plans == sorted(set(plans), reverse=True)
        assert bounds == sorted(bounds)
        assert plans[-1] == bounds[-1] == 56
        assert facts.index(("plan", plans[0])) < facts.index(("bound", 56))

    def test_a_search_can_be_started_again_from_another_state(self):
        for tubes in ({"capacities": True}, {"locked": True}):
            fields = random_board(3, **tubes)
            start = PUZZLES[fields["puzzle"]].from_json(fields)
            found = KernelSearch(start, by_homes=False)
            first = found.advance(100, 10_000), found.goal_cost
            found.restart(found.alphabet.start(start.apply(next(iter(start.legal_moves())))))
            found.advance(100, 10_000)
            found.restart(found.alphabet.start(start))
            assert (found.advance(100, 10_000), found.goal_cost) == first

    def test_a_search_can_be_continued(self):
        puzzle = load("level-80")
        whole = search(puzzle, "homes")
        assert whole.advance(NO_LIMIT, 1_000_000) == FOUND
        parts = search(puzzle, "homes")
        outcomes = [parts.advance(NO_LIMIT, 100) for _ in range(whole.expansions // 100 + 1)]
        assert outcomes == [PAUSED] * (len(outcomes) - 1) + [FOUND]
        assert (parts.expansions, parts.states) == (whole.expansions, whole.states)


class TestCores:
    """One board in several threads."""

    @pytest.fixture(autouse=True)
    def spread_at_once(self, monkeypatch):
        monkeypatch.setattr(backend, "SPREAD_EFFORT", 0)
        monkeypatch.setattr(backend, "FIRST_TURN", 10)

    @every_choice
    def test_a_search_in_several_threads_proves_boards(self, choice):
        assert not wrong_answers(CHOICES[choice].on_cores(3), under_both_rules("small.jsonl"))

    @every_rule
    @pytest.mark.parametrize("homes", [True, False])
    def test_neither_plan_nor_figures_depend_on_the_number_of_threads(self, homes, rule):
        puzzle = next(random_boards(rule, 7, 4, 2, seed=5)).puzzle
        found = [Findings(puzzle, "kernel") for _ in range(3)]
        for cores, facts in enumerate(found, 1):
            Kernel(homes=homes).on_cores(cores).run(puzzle, facts)
        assert found[0].best == found[1].best == found[2].best
        assert found[0].figures == found[1].figures == found[2].figures

    def test_a_search_in_several_threads_ends_when_it_is_stopped(self):
        puzzle = next(random_boards(BallSort, 20, 4, 3, seed=8)).puzzle
        facts = Recorder(puzzle)
        before = threading.active_count()

        def stop(expansions, **figures):
            if expansions > 5_000:
                raise KeyboardInterrupt

        facts.progress = stop
        with pytest.raises(KeyboardInterrupt):
            Kernel().on_cores(3).run(puzzle, facts)
        assert threading.active_count() == before

    def test_a_search_that_is_spread_gets_more_memory_and_goes_on(self, monkeypatch):
        puzzle = next(random_boards(BallSort, 12, 4, 2, seed=1)).puzzle
        plain = search(puzzle, "homes")
        assert plain.advance(NO_LIMIT, 1_000_000) == FOUND
        monkeypatch.setattr(kernel_search, "FEW_BYTES", 100_000)
        spread = search(puzzle, "homes", memory_mb=None)
        spread.advance(NO_LIMIT, 100)
        assert spread.spread()
        assert spread.advance(NO_LIMIT, 1_000_000) == FOUND
        assert spread.goal_cost == plain.goal_cost

    def test_a_search_that_is_spread_within_an_expansion_finds_its_plan(self):
        puzzle = next(random_boards(BallSort, 16, 4, 3, seed=2)).puzzle
        spread = search(puzzle, "homes")
        assert spread.advance(NO_LIMIT, 1_000_000) == PAUSED  # the call's work was used up
        assert spread.spread()
        assert spread.advance(NO_LIMIT, 1_000_000) == FOUND
        spread.plan().replay(puzzle)


class TestStates:
    @every_space
    def test_tubes_that_swap_places_give_one_state(self, space):
        puzzle = load("level-80")
        turned = type(puzzle)(puzzle.tubes[::-1], puzzle.capacity, puzzle.goal, puzzle.palette)
        first, second = search(puzzle, space), search(turned, space)
        for found in (first, second):
            assert found.advance(NO_LIMIT, 1_000_000) == FOUND
        assert first.states == pytest.approx(second.states, rel=0.2)


@pytest.mark.parametrize("most", [1, 2_000, 10_000])
def test_a_search_may_give_up_after_some_expansions(most):
    """It stops at the end of a turn, and says what it has proved."""
    hard = next(random_boards(BallSort, 20, 4, 2, seed=3)).puzzle
    result = solve_here(Kernel(max_expansions=most), hard)
    assert result.reason.startswith("not settled by")
    assert most <= result.stats["expansions"] <= 3 * most + FIRST_TURN
    assert hard.lower_bound() <= result.lower_bound <= 89


def test_many_tubes_to_decide_on_are_no_trouble():
    """A game half-way: 52 tubes hold one colour, and every subset of them might be homes."""
    tubes = [letter * 3 for letter in ascii_letters]
    tubes += [ascii_letters[at : at + 4] for at in range(0, len(ascii_letters), 4)]
    puzzle = board(BallSort, "|".join([*tubes, "-"]), 4)
    findings = Findings(puzzle, "kernel")
    Kernel().run(puzzle, findings)
    assert findings.bound == len(findings.best) == 52


@every_space
def test_a_search_that_gets_more_memory_goes_on_as_if_it_had_had_it(space, monkeypatch):
    """The state whose children found no room isn't lost: it would be missing from the proof."""
    puzzle = next(random_boards(BallSort, 12, 4, 2, seed=3)).puzzle
    whole = search(puzzle, space)
    outcome = whole.advance(NO_LIMIT, 50_000)
    for few in (20_000, 50_000, 100_000, 300_000, 1_000_000):
        monkeypatch.setattr(kernel_search, "FEW_BYTES", few)
        found = search(puzzle, space)
        assert found.advance(NO_LIMIT, 50_000) == outcome
        assert (found.expansions, found.states, found.rank) == (whole.expansions, whole.states, whole.rank)
        assert not found.deepening


LITTLE = """
import resource
from pathlib import Path
from bsp_sat import BallSort, random_boards
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch

search = KernelSearch(next(random_boards(BallSort, 20, 4, 3, seed=1)).puzzle, by_homes=True, memory_mb=1_000)
search.advance(NO_LIMIT, 1_000)
used = 4096 * int(Path("/proc/self/statm").read_text().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (used + 30_000_000,) * 2)
while not search.deepening:
    search.advance(NO_LIMIT, 10_000)
rank = search.rank
print(search.advance(rank, 2_000), rank, search.states > 100_000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of this kind are the system's on Linux")
def test_memory_that_the_system_refuses_ends_no_search():
    """It goes on depth first with what it has, and the bound so far stays."""
    run = subprocess.run([sys.executable, "-c", LITTLE], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    outcome, rank, many = run.stdout.split()
    assert (int(outcome), many) == (PAUSED, "True")
    assert 60 < int(rank) <= 78
