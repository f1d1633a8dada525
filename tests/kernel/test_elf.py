"""Object files loaded without a linker: as llvmlite loads them, or not at all."""

import platform
import sys

import pytest

from bsp_sat import load
from bsp_sat.backends.kernel import code, elf
from bsp_sat.backends.kernel.arrays import GOAL
from bsp_sat.backends.kernel.search import UNLIMITED, KernelSearch

HERE = sys.platform == "linux" and platform.machine() == "x86_64"
pytestmark = pytest.mark.skipif(not HERE, reason="ELF on x86-64")


@pytest.fixture(scope="module")
def search_file() -> tuple[str, bytes]:
    """The name and object file of the compiled search, compiled if it has to be."""
    code.function()
    file = code.file()
    if file is None:
        pytest.skip("no folder can be written")
    about, _, machine_code = file.read_bytes().partition(b"\n")
    return code.json.loads(about)["name"], machine_code


@pytest.mark.parametrize("way", [elf.load, code._link_by_llvm])
def test_both_ways_search_alike(search_file, way, monkeypatch):
    monkeypatch.setattr("bsp_sat.backends.kernel.code.function", lambda: way(*search_file))
    search = KernelSearch(load("level-80"), by_homes=True)
    assert search.advance(UNLIMITED, 10**6) == GOAL
    assert (search.goal_cost, search.expansions, search.states) == (38, 2132, 4322)


def test_what_is_beyond_it_is_refused(search_file):
    name, machine_code = search_file
    for damaged in (b"", machine_code[:100], b"MZ" + machine_code[2:], machine_code[:18] + b"\xb7" + machine_code[19:]):
        with pytest.raises(elf.NotLoadable):
            elf.load(name, damaged)
    with pytest.raises(elf.NotLoadable, match="no function"):
        elf.load("another", machine_code)


def test_functions_it_does_not_know_are_refused(search_file, monkeypatch):
    monkeypatch.setattr(elf, "CODE_MAY_CALL", ())
    with pytest.raises(elf.NotLoadable, match="memset"):
        elf.load(*search_file)


def test_relocations_it_does_not_know_are_refused(search_file, monkeypatch):
    monkeypatch.setattr(elf, "ABSOLUTE_64", 2)
    with pytest.raises(elf.NotLoadable, match="relocation of type 1"):
        elf.load(*search_file)
