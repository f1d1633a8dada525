"""The machine code of the compiled search: made once per installation, loaded in a hundredth of a second.

numba compiles the search (`bsp_sat.backends.kernel.compiled.entry`) in ten seconds or more, and takes a quarter of a
second to be imported at all. So its object file is kept, and loaded without numba, in most places without llvmlite as
well (`bsp_sat.backends.kernel.elf`). It stands in the
first of three folders that can be written: beside the sources, in the user's cache, in a folder of the user's among the
temporary files. Its name holds a checksum of the sources and the processor, its head one of what follows: a file that
is out of date isn't found, a damaged one is made again. Where no folder can be written each process compiles anew.
Other rooms have compiled code of their own, each an `Entry`, which is made and kept in the same way.
"""

import ctypes
import hashlib
import importlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any

import llvmlite
import numpy as np
from numpy.typing import NDArray

from bsp_sat.backends.kernel import elf
from bsp_sat.backends.kernel.arrays import DEEPEN, REFILL, SEARCH, SHAPE_AT, Scratch, Shape, Store
from bsp_sat.backends.kernel.contents import Contents, Ints

HERE = Path(__file__).parent
BESIDE = HERE / "__pycache__"
SOURCES = (
    HERE / "arrays.py",
    HERE / "contents.py",
    *(
        HERE / "compiled" / f"{name}.py"
        for name in ("addresses", "bounds", "entry", "homes", "loops", "moves", "packing", "ruled", "states")
    ),
)
STALE_SECONDS = 300.0  # many times what compiling takes
NOTHING: Ints = np.zeros(0, np.int32)
CPU_INFO = Path("/proc/cpuinfo")
CPU_INFO_BYTES = 20_000  # more than the first processor takes
CPU_FACTS = {
    "vendor_id", "cpu family", "model", "stepping", "flags",  # x86
    "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features",  # ARM
}  # fmt: skip
NO_BYTES = ctypes.c_char * 0

Function = Callable[[int], int]

_LOADING = Lock()


@dataclass(frozen=True)
class Entry:
    """One function to compile, with all that it calls.

    Attributes:
        name: what the file's name begins with.
        module: has ``object_code``, which compiles.
        sources: everything that the machine code depends on.
    """

    name: str
    module: str
    sources: tuple[Path, ...]


SEARCHING = Entry("search", "bsp_sat.backends.kernel.compiled.entry", SOURCES)


class Compiled:
    """The functions of `bsp_sat.backends.kernel.compiled`, for the arrays of one search."""

    def __init__(self, contents: Contents, shape: Shape, scratch: Scratch) -> None:
        self._function = function()
        self._contents = contents
        self._shape = shape
        self._scratch = scratch
        self._store: Store | None = None
        self._frontier = NOTHING

    def search(self, store: Store, limit: int, budget: int) -> int:
        """See `compiled.loops.search`."""
        return self._call(SEARCH, store, limit, budget)

    def deepen(self, store: Store, frontier: Ints, limit: int, budget: int) -> int:
        """See `compiled.loops.deepen`."""
        return self._call(DEEPEN, store, limit, budget, frontier)

    def refill(self, store: Store) -> None:
        """See `compiled.states.refill`."""
        self._call(REFILL, store)

    def _call(self, task: int, store: Store, limit: int = 0, budget: int = 0, frontier: Ints = NOTHING) -> int:
        if store is not self._store or frontier is not self._frontier:
            self._store, self._frontier = store, frontier  # kept, so that the addresses stay good
            self._argument = argument(self._shape, chain(self._contents, store, self._scratch, (frontier,)))
        self._argument[:SHAPE_AT] = task, limit, budget
        return self._function(self._argument.ctypes.data)


def argument(shape: Shape, arrays: Iterable[NDArray[Any]]) -> NDArray[np.int64]:
    """What a compiled function is called with, but for the task and its numbers; the arrays have to be kept."""
    values = [*[0] * SHAPE_AT, *map(int, shape)]
    array: Any
    for array in arrays:
        # A fifth of the time that its `ctypes.data` takes, and there are dozens of them for each board.
        values.append(ctypes.addressof(NO_BYTES.from_buffer(array)))
        values += (*array.shape, 1)[:2]
    return np.array(values, np.int64)


def function() -> Function:
    """The compiled search, from a file or made now; one thread does it, and others wait."""
    with _LOADING:
        return _function()


@cache
def _function() -> Function:
    return load() or build()[0]


def is_loaded() -> bool:
    """Whether this process has it already, for another board or by `Kernel.prepare`."""
    return _function.cache_info().currsize > 0


def file(entry: Entry = SEARCHING) -> Path | None:
    """Where the file to load is; whether it is sound is seen when it is loaded. None where there is none."""
    return next((place for place in _trusted_files(entry) if place.is_file()), None)


def can_be_kept() -> bool:
    """Whether a folder can be written, or made."""
    places = (next(place for place in (folder, *folder.parents) if place.exists()) for folder in folders())
    return any(place.is_dir() and os.access(place, os.W_OK) for place in places)


def is_being_made(entry: Entry = SEARCHING) -> bool:
    """Whether some process says that it is compiling."""
    return any(lock.exists() for lock in _locks(entry))


def load(entry: Entry = SEARCHING) -> Function | None:
    """The compiled function from the first sound file; None where there is none."""
    for place in _trusted_files(entry):
        with suppress(OSError, ValueError, KeyError, RuntimeError):
            head, _, code = place.read_bytes().partition(b"\n")
            about = json.loads(head)
            if about["sha256"] == hashlib.sha256(code).hexdigest():
                return link(about["name"], code)
    return None


def build(entry: Entry = SEARCHING) -> tuple[Function, Path | None]:
    """Compiles, and keeps the result for other processes.

    Returns:
        The function, and the file; None where no folder can be written.
    """
    # Imported here: it compiles, which takes ten seconds or more.
    name, code = importlib.import_module(entry.module).object_code()
    head = json.dumps({"name": name, "sha256": hashlib.sha256(code).hexdigest()})
    kept = None
    for folder in folders():
        with suppress(OSError):
            kept = _write(folder / file_name(entry), head.encode() + b"\n" + code)
            break
    return link(name, code), kept


def compile_in_background(entry: Entry = SEARCHING) -> None:
    """Starts a process that compiles, and that outlives this one; it does nothing where another one is at it."""
    what = f"Entry({entry.name!r}, {entry.module!r}, tuple(map(Path, {[str(source) for source in entry.sources]!r})))"
    names = "Entry, Path, detached_build"
    program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import {names}; detached_build({what})"
    # Imported here: once per installation.
    import subprocess

    nowhere = subprocess.DEVNULL
    subprocess.Popen(
        [sys.executable, "-c", program], stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
    ).wait()


def detached_build(entry: Entry) -> None:
    """Compiles in a process that is nobody's child, so that nobody who ends takes it along."""
    if hasattr(os, "fork") and os.fork():
        os._exit(0)
    for lock in _locks(entry):
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if lock.exists() and time.time() - lock.stat().st_mtime > STALE_SECONDS:
                lock.unlink()  # of a process that was killed
            lock.touch(exist_ok=False)
        except FileExistsError:
            return
        except OSError:
            continue  # can't be written
        try:
            build(entry)
        finally:
            lock.unlink(missing_ok=True)
        return


def _locks(entry: Entry) -> Iterator[Path]:
    """The file in each folder that says that someone is compiling."""
    return ((folder / file_name(entry)).with_suffix(".lock") for folder in folders())


def link(name: str, code: bytes) -> Function:
    """The function ``name`` of an object file.

    Raises:
        RuntimeError: it isn't in there.
    """
    try:
        return elf.load(name, code)
    except elf.NotLoadable:
        return _link_by_llvm(name, code)


def _link_by_llvm(name: str, code: bytes) -> Function:
    """As `link`, on every platform."""
    # Imported here: it takes as long as everything else that a short search needs.
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # For arrays that compiled code would make; there are none here.
    llvm.add_symbol("NRT_MemInfo_call_dtor", ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value)
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise RuntimeError(f"no function {name}")
    call = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)
    call.engine = engine  # type: ignore[attr-defined]  # which owns the code
    return call


def folders() -> Iterator[Path]:
    """Where the file may be, in the order of preference."""
    yield BESIDE
    # Imported here, as in most places the file is in the first.
    import platformdirs

    with suppress(RuntimeError):  # there is no home folder
        cache = platformdirs.user_cache_path("bsp-sat")
        if cache.is_absolute() and _is_private(cache):
            yield cache
    if hasattr(os, "getuid"):  # elsewhere the user's cache can be written
        import tempfile

        temporary = Path(tempfile.gettempdir(), f"bsp-sat-{os.getuid()}")
        if _is_private(temporary):
            yield temporary


def _trusted_files(entry: Entry) -> Iterator[Path]:
    """The file in each folder. Who could write beside the sources could write the sources; elsewhere it is checked."""
    places = (folder / file_name(entry) for folder in folders())
    return (place for place in places if place.parent == BESIDE or _is_private(place))


def _is_private(place: Path) -> bool:
    """Whether nobody else can have put a file there, or into a folder there; it need not exist."""
    try:
        status = place.lstat()
    except FileNotFoundError:
        return True
    except OSError:  # a folder that can't be looked into
        return False
    if not hasattr(os, "getuid"):  # no such permissions
        return True
    kind = stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)
    return kind and status.st_uid == os.getuid() and not status.st_mode & 0o022


@cache
def file_name(entry: Entry = SEARCHING) -> str:
    """A name that changes with everything that the code depends on."""
    digest = hashlib.sha256()
    for source in entry.sources:
        digest.update(source.read_bytes())
    digest.update(f"{llvmlite.__version__} {processor()}".encode())
    return f"{entry.name}-{digest.hexdigest()[:32]}.o"


@cache
def processor() -> str:
    """What kind of processor this is and what it can do: machine code for one kind may not run on another."""
    with suppress(OSError), CPU_INFO.open(encoding="utf-8", errors="replace") as file:
        about = file.read(CPU_INFO_BYTES).partition("\n\n")[0].splitlines()
        facts = [line for line in about if line.partition(":")[0].strip() in CPU_FACTS]
        if facts:
            return "\n".join(facts)
    # Imported here, as in `_link_by_llvm`.
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _write(place: Path, content: bytes) -> Path:
    """Writes the file so that others see all of it or nothing, and says where it is."""
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Imported here, as in `compile_in_background`.
    import tempfile

    with tempfile.NamedTemporaryFile(dir=place.parent, prefix=place.name[:8], delete=False) as stream:
        temporary = Path(stream.name)
        try:
            stream.write(content)
            stream.close()
            return temporary.replace(place)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
