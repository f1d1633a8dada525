"""No call of the engine takes long, so that limits and Ctrl-C are heard: counted in basic blocks, not by a clock.

A copy of the library is built in which each basic block of its code counts. A block takes about a nanosecond.
"""

import subprocess
from collections import Counter
from contextlib import closing
from ctypes import CDLL, c_uint64
from itertools import islice

import pytest

from bsp_sat import BallSort, WaterSort, random_boards
from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.board_classes import BoardClasses
from bsp_sat.apps.census.case_distinction import CaseDistinction
from bsp_sat.apps.census.cases import first_runs
from bsp_sat.backends import engine
from bsp_sat.backends.engine.build import LINUX, OPTIONS, compiler
from bsp_sat.backends.engine.built_files import ENGINE, host, sources
from bsp_sat.backends.kernel import Kernel, solve_boards
from bsp_sat.backends.kernel.anywhere.search import MOST_STEPS, AnywhereSearch
from bsp_sat.backends.kernel.graph.position_graph import PositionGraph
from bsp_sat.backends.kernel.search.search import NO_LIMIT, KernelSearch
from bsp_sat.backends.search.frontier_search import BEAM_TURN
from bsp_sat.backends.search.tiles_beam import TilesBeam
from bsp_sat.instances.tiles import Tiles
from tests.support.helpers import from_fields, solve_here

MOST_BLOCKS = 150_000_000
COUNTER = """
#include <stdint.h>
__attribute__ ((visibility ("default"))) uint64_t blocks;
void __sanitizer_cov_trace_pc (void) { blocks++; }
"""


class Counted:
    """The library, whose functions note the blocks of their longest call."""

    def __init__(self, library):
        self.library, self.blocks, self.most = library, c_uint64.in_dll(library, "blocks"), Counter()

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def counted(*arguments):
            before = self.blocks.value
            result = function(*arguments)
            self.most[name] = max(self.most[name], self.blocks.value - before)
            return result

        return _Function(function, counted)


class _Function:
    """A function of the library with its types."""

    def __init__(self, function, counted):
        self.__dict__.update(_function=function, _counted=counted)

    def __setattr__(self, name, value):
        setattr(self._function, name, value)

    def __call__(self, *arguments):
        return self._counted(*arguments)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("counted")
    counter, made = folder / "counter.c", folder / "engine.so"
    counter.write_text(COUNTER)
    command = [*compiler(host()), *OPTIONS, "-O1", "-fPIC", f"-I{ENGINE}"]
    units = [str(unit) for unit in sources() if unit.suffix == ".c" and unit.name != "page.c"]
    try:
        subprocess.run([*command, "-c", str(counter), "-o", f"{counter}.o"], check=True, capture_output=True)
        whole = [*command, "-fsanitize-coverage=trace-pc", *units, f"{counter}.o", *LINUX, "-o", str(made)]
        subprocess.run(whole, check=True, capture_output=True)
        return CDLL(str(made))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs a C compiler for Linux with -fsanitize-coverage")


@pytest.fixture
def counted(library, monkeypatch):
    counting = Counted(library)
    engine.function.cache_clear()
    monkeypatch.setattr(engine, "_library", lambda: counting)
    yield counting
    engine.function.cache_clear()


def board(colours, capacity, empty, puzzle=BallSort, **options):
    return next(random_boards(puzzle, colours, capacity, empty, seed=2, **options)).puzzle


def some(expansions, puzzle):
    solve_here(Kernel(max_expansions=expansions), puzzle)


def ruled():
    fields = board(60, 4, 30).to_json()
    return from_fields({**fields, "cork": True, "locked": [{"tube": 89, "until": 1}]})


def wanted():
    fields = board(64, 4, 64).to_json()
    return from_fields({**fields, "goal": "wanted", "wanted": {str(colour): 1 for colour in range(60)}})


def many_ways():
    tubes = [["b", *"a" * 32], *[["b", "a"]] * 32, ["b"] * 31, [], []]
    search = KernelSearch(BallSort.from_json({"capacity": 64, "tubes": tubes}), by_homes=True)
    for _ in range(3):
        search.advance(NO_LIMIT, 1_000_000)


def anywhere():
    """A turn of the search at its longest, a beam that finds a plan, and the first turns of one that doesn't."""
    with closing(AnywhereSearch(board(50, 4, 1, placement="any"))) as search:
        longest = len(search.sure_plan()) - 1
        search.advance(longest, MOST_STEPS)
        assert search.beam_plan(1, longest, 60 * MOST_STEPS)
        search.beam_plan(32, longest, 4 * MOST_STEPS)


def graph():
    found = PositionGraph(board(60, 4, 68), 10**7)
    found.reachable(found.start, 1_000)
    found.plays(1, 3, 400, greedy=True)
    found.wandered(3, 20, 400)


def cases():
    distinction = CaseDistinction(5, 4, 2)
    for beginning in first_runs(BoardClass(5, 4, 2))[:2]:
        distinction.decide(beginning.tops, beginning.ways)


def tiles():
    beam = TilesBeam(
        Tiles.from_columns([[(i * j + i) % 5 for j in range(20)] for i in range(25)]), memory_mb=None, share=0.2
    )
    for _ in range(4):
        beam.advance(300, max(1, BEAM_TURN // 500))


WORK = {
    "tall tubes": lambda: some(450, board(64, 64, 4)),
    "many tubes": lambda: some(450, board(64, 4, 64)),
    "many colours": lambda: some(1_500, board(64, 4, 4)),
    "water": lambda: some(500, board(64, 64, 4, WaterSort)),
    "rules of tubes": lambda: some(500, ruled()),
    "full tubes wanted": lambda: some(350, wanted()),
    "more ways than can be listed": many_ways,
    "anywhere": lambda: some(300, board(20, 4, 1, placement="any")),
    "anywhere, many colours": anywhere,
    "batch": lambda: list(solve_boards([board(64, 64, 4), board(64, 4, 4)], most_expansions=500)),
    "graph": graph,
    "tiles": tiles,
    "classes": lambda: list(islice(BoardClasses(5, 3, 2).unsolvable(), 10)),
    "cases": cases,
}


@pytest.mark.parametrize("work", WORK)
def test_no_call_of_the_engine_takes_more_than_a_fraction_of_a_second(work, counted):
    WORK[work]()
    assert counted.most
    assert max(counted.most.values()) < MOST_BLOCKS, counted.most.most_common(3)
