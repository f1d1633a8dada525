"""`solve`: limits, interruptions and accidents of the child process."""

import re
import subprocess
import sys
import time
from contextlib import suppress
from threading import Event, Timer

import psutil
import pytest

from bsp_sat import (
    BACKENDS,
    PUZZLES,
    BackendError,
    BallSort,
    Limits,
    Status,
    Unsupported,
    WaterSort,
    load,
    random_boards,
    solve,
    solve_many,
)
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.cpsat.backend import CpSat
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Ending
from bsp_sat.backends.run import Here, Solve, process
from bsp_sat.backends.sat.backend import Sat
from bsp_sat.backends.search.astar import AStar
from bsp_sat.backends.search.breadth_first import BreadthFirst
from bsp_sat.encoder.registry import ENCODINGS
from bsp_sat.encoder.sequential.formula import Sequential
from tests.support.helpers import backends_for, board, hours_pass, steps_of, wait_until
from tests.support.misbehaving import Misbehaving

EASY = board(BallSort, "ab|ba|-", 2)
HARD = next(random_boards(BallSort, colours=20, capacity=4, empty=3)).puzzle
HARD_WATER = next(random_boards(WaterSort, colours=20, capacity=4, empty=2)).puzzle

# On HARD each of these is deep in its work after a second: for sat and cpsat that is solver code in C++.
BUSY = {
    "sat": Sat(), "sat-glucose": Sat(Sequential(), "glucose4"), "sat-minisat": Sat(Sequential(), "minisat22"),
    "cpsat": CpSat(ENCODINGS["order"]), "cpsat-layered": CpSat(layered=True), "astar": AStar(bound=False),
    "bfs": BreadthFirst(), "dfs": BACKENDS["dfs"](),
}  # fmt: skip


pytestmark = pytest.mark.usefixtures("no_process_is_left")


@pytest.mark.parametrize("backend", sorted(set(backends_for(EASY)) - {"borders"}))
class TestEveryPlanner:
    def test_solves_a_board_in_a_child_process(self, backend):
        result = solve(EASY, backend)
        assert result.seconds > 0
        assert (result.length, result.backend) == (3, backend)
        assert result.status in {
            "heuristic": (Status.FEASIBLE,),
            "dfs": (Status.OPTIMAL, Status.FEASIBLE),
            "dfs-sorted": (Status.OPTIMAL, Status.FEASIBLE),
        }.get(backend, (Status.OPTIMAL,))
        assert result.plan.replay(EASY).is_goal()
        assert result.peak_memory_mb > 5


AT_ONCE = ("sat", "cpsat", "bfs")


@pytest.mark.parametrize(
    "backend", [pytest.param(name, marks=[pytest.mark.slow] * (name not in AT_ONCE)) for name in BUSY]
)
class TestInterruptions:
    def test_the_time_limit_ends_a_search(self, backend):
        result = solve(HARD, BUSY[backend], limits=Limits(seconds=1))
        assert result.seconds >= 1
        self.assert_open(result)
        if result.status is Status.UNKNOWN:
            assert result.reason == "time limit of 1 s reached"

    def test_a_stop_ends_a_search(self, backend):
        stop = Event()
        Timer(1, stop.set).start()
        result = solve(HARD, BUSY[backend], stop=stop)
        self.assert_open(result)
        if result.status is Status.UNKNOWN:
            assert result.reason == "interrupted"

    def assert_open(self, result):
        assert result.status in (Status.UNKNOWN, Status.FEASIBLE)
        bound = 0 if result.backend == "bfs" else HARD.lower_bound()
        assert result.lower_bound >= bound


@pytest.mark.parametrize(
    ("puzzle", "backend", "bound"),
    [(HARD_WATER, "bfs", HARD_WATER.lower_bound()), (load("level-80"), Sat(Sequential()), 32)],
    ids=["bfs", "sat"],
)
def test_the_bound_proved_by_then_is_kept(puzzle, backend, bound):
    """It begins with 0, and with 31 moves."""
    stop = Event()

    def enough(progress):
        if progress.lower_bound >= bound:
            stop.set()

    result = solve(puzzle, backend, on_progress=enough, stop=stop)
    assert result.reason == "interrupted"
    assert result.lower_bound >= bound
    assert result.plan is None or result.lower_bound <= 38 <= result.length


def test_a_stop_before_the_start():
    stop = Event()
    stop.set()
    result = solve(HARD, "sat", stop=stop)
    assert (result.status, result.reason) == (Status.UNKNOWN, "interrupted")
    assert result.lower_bound == HARD.lower_bound()


@pytest.mark.parametrize("name", ["max_steps", "seconds", "memory_mb"])
@pytest.mark.parametrize("limit", [-1, 1_000_000_001, 2**63, float("nan"), float("inf"), True, "5"])
def test_limits_that_mean_nothing_are_refused(name, limit):
    with pytest.raises(Unsupported, match=rf"{name}: expected a (whole )?number from 0 to 1,000,000,000, found"):
        Limits(**{name: limit})
    assert getattr(Limits(**{name: 0}), name) == 0
    assert getattr(Limits(**{name: 1_000_000_000}), name) == 1_000_000_000
    with pytest.raises(Unsupported, match="max_steps: expected a whole number"):
        Limits(max_steps=12.5)


def test_what_are_no_limits_is_refused_with_what_to_write():
    with pytest.raises(Unsupported, match=re.escape("limits: expected Limits, such as Limits(seconds=60), found 60")):
        solve(EASY, limits=60)  # type: ignore[arg-type]  # what some write


@pytest.mark.parametrize(
    ("given", "write"),
    [(Limits(seconds=60), "write solve(board, limits=Limits(seconds=60))"), (AStar, "write AStar()"), (60, "found 60")],
)
def test_what_is_no_backend_is_refused_with_what_to_write(given, write):
    expected = re.escape("expected a backend or the name of one, ") + ".*" + re.escape(write)
    with pytest.raises(Unsupported, match=expected):
        solve(EASY, given)
    with pytest.raises(Unsupported, match=expected):
        list(solve_many([EASY], given))


def test_a_name_that_is_not_there_is_answered_with_the_one_like_it():
    for table, name, meant in ((ENCODINGS, "home", "homes"), (BACKENDS, "satt", "sat"), (PUZZLES, "ball", "ball-sort")):
        with pytest.raises(KeyError, match=f"unknown name '{name}', expected one of .*; did you mean {meant}?"):
            table[name]
        assert table.get(name) is None


def test_a_look_at_a_huge_board_counts_as_time():
    """It once took a minute before the limit began."""
    huge = BallSort.from_tubes([["a", "b"], ["b", "a"]] * 50_000 + [[]], 2)
    assert solve(huge, limits=Limits(seconds=1)).ending is Ending.TIME
    assert steps_of(lambda: Auto().for_board(huge).short_search(huge)) < 100 * len(huge.tubes)


class TestAccidents:
    @pytest.mark.parametrize(
        ("how", "message"),
        [
            ("raises", "misbehaving ended with exit code 1: RuntimeError: the queue is upside down"),
            ("exits", "misbehaving ended with exit code 7"),
            ("plans-badly", "misbehaving reported a plan that does not replay: move 1 .* is illegal: tube 2 is full"),
            ("plans-below-its-bound", "misbehaving claims a lower bound of 100 and a plan of 3 moves"),
        ],
    )
    def test_a_crash_or_a_contradiction_is_an_error(self, how, message):
        with pytest.raises(BackendError, match=message) as caught:
            solve(EASY, Misbehaving(how))
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("how", "reason"),
        [
            ("is-killed", "killed.*lack of memory"),
            ("aborts", "ended by SIGABRT"),
            ("aborts-with-a-message", "ended by SIGABRT: terminate called .* 'std::bad_alloc'"),
            ("runs-out-of-memory", "out of memory"),
        ],
    )
    def test_a_death_keeps_the_bound(self, how, reason):
        result = solve(EASY, Misbehaving(how))
        assert (result.status, result.lower_bound) == (Status.UNKNOWN, 3)
        assert re.search(reason, result.reason)

    def test_a_library_that_finds_no_room_for_itself_is_no_bug(self, monkeypatch):
        monkeypatch.setattr(process, "has_limited_address_space", lambda: True)
        result = solve(EASY, Misbehaving("exits"))
        assert (result.status, result.ending) == (Status.UNKNOWN, Ending.OUT_OF_MEMORY)

    def test_what_solvers_print_does_no_harm(self):
        assert solve(EASY, Misbehaving("prints")).status is Status.OPTIMAL

    def test_children_of_the_backend_end_with_it(self):
        stop = Event()

        def hear(progress):
            if "child" in progress.figures:
                stop.set()

        result = solve(EASY, Misbehaving("keeps-a-child"), on_progress=hear, stop=stop)

        def is_gone():
            with suppress(psutil.NoSuchProcess):
                return psutil.Process(result.stats["child"]).status() == psutil.STATUS_ZOMBIE
            return True

        wait_until(is_gone)


def test_the_child_ends_when_its_parent_is_killed():
    script = (
        "from bsp_sat import solve; from tests.support.misbehaving import Misbehaving;"
        "from tests.backends.test_solve import EASY;"
        "import os; print(os.getpid(), flush=True); solve(EASY, Misbehaving('sleeps'))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {script}"], stdout=subprocess.PIPE
    ) as parent:
        parent.stdout.readline()
        process = psutil.Process(parent.pid)
        wait_until(process.children)
        workers = process.children()
        time.sleep(0.5)
        parent.kill()
    assert workers
    _, alive = psutil.wait_procs(workers, timeout=600)
    for worker in alive:
        worker.kill()
    assert not alive


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("acb|abc|abc|-", ("with its tubes read top-down, this board is solvable",)),
        ("ab|ba", ("no move is possible, as no tube has room",)),  # nor is its reversal
        ("ab|ba|-", ()),
    ],
)
def test_an_unsolvable_board_whose_reversal_is_solvable_says_so(text, notes):
    assert solve(board(BallSort, text, len(text.partition("|")[0]))).notes == notes


def test_what_is_said_of_the_reversal_does_not_depend_on_the_clock(monkeypatch):
    hours_pass(monkeypatch)
    (note,) = Here().do(Solve(Auto(), board(BallSort, "acb|abc|abc|-", 3))).notes
    assert note == "with its tubes read top-down, this board is solvable"


class TestMakeBackend:
    @pytest.mark.parametrize(
        ("specification", "message"),
        [
            ("magic", "unknown backend 'magic', expected one of auto, sat, cpsat"),
            ("sat:magic", r"sat has no choice 'magic', expected encoding \(.*homes.*\), solver \(.*glucose"),
            ("sat:order:homes", "backend sat: expected one encoding, found 'homes' as well"),
            ("cpsat:order:layered", "backend cpsat: expected one encoding, found 'order' and 'layered'"),
            ("astar:sequential", "backend astar has no choice 'sequential', expected none"),
            ("cpsat:glucose4", "backend cpsat has no choice 'glucose4', expected encoding"),
            ("astar:states=3", "backend astar has no setting 'states'"),
            ("", "unknown backend ''"),
            ("sat:", "backend sat has no choice ''"),
        ],
    )  # fmt: skip
    def test_what_does_not_exist(self, specification, message):
        with pytest.raises(Unsupported, match=message):
            make_backend(specification)
