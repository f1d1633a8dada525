"""Object files loaded without a linker: as llvmlite loads them, or not at all."""

import json
import platform
import sys

import pytest

from bsp_sat import load
from bsp_sat.backends.kernel import elf, machine_code
from bsp_sat.backends.kernel.arrays import GOAL, NO_LIMIT
from bsp_sat.backends.kernel.machine_code import SEARCH_CODE
from bsp_sat.backends.kernel.search import KernelSearch

HERE = sys.platform == "linux" and platform.machine() == "x86_64"
pytestmark = pytest.mark.skipif(not HERE, reason="ELF on x86-64")


@pytest.fixture(scope="module")
def search_file() -> tuple[str, bytes]:
    """The name and object file of the compiled search, compiled if it has to be."""
    SEARCH_CODE.load()
    file = SEARCH_CODE.file()
    if file is None:
        pytest.skip("no folder can be written")
    about, _, content = file.read_bytes().partition(b"\n")
    return json.loads(about)["name"], content


@pytest.mark.parametrize("way", [elf.load, machine_code._link_by_llvm])
def test_both_ways_search_alike(search_file, way, monkeypatch):
    monkeypatch.setattr(machine_code, "_loaded", {SEARCH_CODE.name: way(*search_file)})
    search = KernelSearch(load("level-80"), by_homes=True)
    assert search.advance(NO_LIMIT, 10**6) == GOAL
    assert (search.goal_cost, search.expansions, search.states) == (38, 2132, 4322)


def test_what_is_beyond_it_is_refused(search_file):
    name, content = search_file
    for damaged in (b"", content[:100], b"MZ" + content[2:], content[:18] + b"\xb7" + content[19:]):
        with pytest.raises(elf.NotLoadable):
            elf.load(name, damaged)
    with pytest.raises(elf.NotLoadable, match="no function"):
        elf.load("another", content)


def test_functions_it_does_not_know_are_refused(search_file, monkeypatch):
    monkeypatch.setattr(elf, "CODE_MAY_CALL", ())
    with pytest.raises(elf.NotLoadable, match="memset"):
        elf.load(*search_file)


def test_relocations_it_does_not_know_are_refused(search_file, monkeypatch):
    monkeypatch.setattr(elf, "ABSOLUTE_64", 2)
    with pytest.raises(elf.NotLoadable, match="relocation of type 1"):
        elf.load(*search_file)
