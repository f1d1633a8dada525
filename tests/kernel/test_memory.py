"""Searches that go on, or give up, when there is no more memory."""

import pytest

from bsp_sat import load
from bsp_sat.backends.kernel import Kernel
from bsp_sat.backends.kernel.library.layout import GOAL
from bsp_sat.backends.kernel.search import search
from bsp_sat.backends.kernel.search.arrays import NO_LIMIT
from bsp_sat.backends.kernel.search.search import KernelSearch
from bsp_sat.backends.result import Findings


def test_a_search_goes_on_with_what_it_has_when_others_take_the_rest(monkeypatch):
    """Its allowance is large, but when it needs more there is none."""
    plenty = KernelSearch(load("level-80"), by_homes=True, memory_mb=1_000)
    assert plenty.advance(NO_LIMIT, 100_000) == GOAL
    assert not plenty.deepening
    monkeypatch.setattr(search, "available_bytes", lambda: 0)
    monkeypatch.setattr(search, "FEW_BYTES", 0)
    few = KernelSearch(load("level-80"), by_homes=True, memory_mb=1_000)
    few.advance(NO_LIMIT, 100_000)
    assert few.deepening
    assert few.states < plenty.states


def test_a_search_that_shares_gives_up_when_its_share_is_used_up(monkeypatch):
    monkeypatch.setattr(search, "available_bytes", lambda: 0)
    monkeypatch.setattr(search, "FEW_BYTES", 0)
    puzzle = load("level-80")
    lasting, sharing = Kernel().within(200), Kernel().sharing(200)
    with pytest.raises(MemoryError):
        sharing.run(puzzle, Findings(puzzle, "kernel"))
    settled = Findings(puzzle, "kernel")
    lasting.run(puzzle, settled)
    assert settled.bound == 38
