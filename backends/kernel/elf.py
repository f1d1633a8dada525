"""Machine code from an object file into memory, without a linker: what the compiled search needs, and nothing more.

llvmlite can do it too, but takes as long to be loaded as everything else that a short search needs. The object files
here come from our own compiler, for ELF on x86-64 they have one form of relocation, and call but a few functions of the
C library. Whatever else a file holds is refused, and left to llvmlite.
"""

import ctypes
import mmap
import sys
from collections.abc import Callable
from struct import Struct, error
from typing import NamedTuple

HEADER = Struct("<4sBB10xHH20xQ10xHH2x")  # 64 bytes; what isn't looked at is passed over
SECTION = Struct("<IIQQQQIIQQ")
SYMBOL = Struct("<IBBHQQ")
RELOCATION = Struct("<QQq")

X86_64 = 62  # e_machine
OBJECT = 1  # e_type
SYMBOLS, RELOCATIONS, NO_BITS = 2, 4, 8  # sh_type
ALLOCATED = 2  # sh_flags
ABSOLUTE_64 = 1  # R_X86_64_64: the address of a symbol and a constant
UNWINDING = 0x70000001  # SHT_X86_64_UNWIND: tables for exceptions, of which there are none

CODE_MAY_CALL = ("memset", "memcpy", "memmove")


class NotLoadable(ValueError):
    """An object file that is beyond this module, or a system that is."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


def load(name: str, code: bytes) -> Callable[[int], int]:
    """The function ``name`` of an object file, which takes and returns a 64-bit integer.

    Raises:
        NotLoadable: anything isn't as expected.
    """
    try:
        return _load(name, code)
    except (error, IndexError, OSError, AttributeError, UnicodeDecodeError) as problem:
        raise NotLoadable(str(problem)) from None


def _load(name: str, code: bytes) -> Callable[[int], int]:
    magic, bits, order, kind, machine, places, size, number = HEADER.unpack_from(code)
    found = (sys.platform, magic, bits, order, kind, machine)
    if found != ("linux", b"\x7fELF", 2, 1, OBJECT, X86_64):
        raise NotLoadable("no object file for this system")
    sections = [_Section(*SECTION.unpack_from(code, places + each * size)) for each in range(number)]
    starts, memory = _placed(sections, code)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    table = next(each for each in sections if each.kind == SYMBOLS)
    addresses = [_address(code, table, sections, starts, base, each) for each in range(table.size // SYMBOL.size)]
    for section in sections:
        if section.kind == RELOCATIONS and section.info in starts:
            for each in range(section.size // RELOCATION.size):
                offset, info, addend = RELOCATION.unpack_from(code, section.offset + each * RELOCATION.size)
                target = addresses[info >> 32][1]
                if info & 0xFFFFFFFF != ABSOLUTE_64 or not target or offset + 8 > sections[section.info].size:
                    raise NotLoadable(f"relocation of type {info & 0xFFFFFFFF} for {addresses[info >> 32][0]}")
                at = starts[section.info] + offset
                memory[at : at + 8] = (target + addend).to_bytes(8, "little")
    _make_executable(base, len(memory))
    address = dict(addresses).get(name)
    if not address:
        raise NotLoadable(f"no function {name}")
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)
    function.memory = memory  # type: ignore[attr-defined]  # which the code is in
    return function


def _placed(sections: list[_Section], code: bytes) -> tuple[dict[int, int], mmap.mmap]:
    """Where each section that is needed at run time starts in new memory, which holds their contents."""
    starts: dict[int, int] = {}
    end = 0
    for number, section in enumerate(sections):
        if section.flags & ALLOCATED and section.kind != UNWINDING and section.size:
            if section.kind == NO_BITS or section.offset + section.size > len(code):
                raise NotLoadable("a section without contents")
            starts[number] = end = -(-end // max(1, section.alignment)) * max(1, section.alignment)
            end += section.size
    memory = mmap.mmap(-1, max(1, end), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for number, start in starts.items():
        section = sections[number]
        memory[start : start + section.size] = code[section.offset : section.offset + section.size]
    return starts, memory


def _address(
    code: bytes, table: _Section, sections: list[_Section], starts: dict[int, int], base: int, number: int
) -> tuple[str, int]:
    """A symbol's name and address; address 0 where there is none."""
    at, _, _, section, value, _ = SYMBOL.unpack_from(code, table.offset + number * SYMBOL.size)
    first = sections[table.link].offset + at
    name = code[first : code.index(b"\0", first)].decode()
    if section == 0:
        return name, _outside(name)
    return name, base + starts[section] + value if section in starts else 0


def _outside(name: str) -> int:
    """The address of a function that the code calls."""
    if name == "NRT_MemInfo_call_dtor":  # for arrays that compiled code would make; there are none here
        return ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value or 0
    if name in CODE_MAY_CALL:
        return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value or 0
    return 0


def _make_executable(base: int, size: int) -> None:
    """From now on nobody can write there.

    Raises:
        OSError: the system forbids it.
    """
    if ctypes.CDLL(None, use_errno=True).mprotect(
        ctypes.c_void_p(base), ctypes.c_size_t(size), mmap.PROT_READ | mmap.PROT_EXEC
    ):
        raise OSError(ctypes.get_errno(), "mprotect")
