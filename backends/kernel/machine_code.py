"""The machine code of the compiled search: made once per installation, loaded in a hundredth of a second.

numba compiles in ten seconds or more, and takes a quarter of a second to be imported at all. So its object files are
kept, and loaded without numba, in most places without llvmlite as well (`bsp_sat.backends.kernel.elf`). They stand in
the first of three folders that can be written: beside the sources, in the user's cache, in a folder of the user's among
the temporary files. A file's name holds a checksum of the sources and the processor, its head one of what follows: a
file that is out of date isn't found, a damaged one is made again. Where no folder can be written each process compiles
anew.

This module is all that knows how machine code comes about: what calls it asks `MachineCode.function` for a function
that takes the address of its argument (`bsp_sat.backends.kernel.calls`).
"""

import ctypes
import hashlib
import importlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

import llvmlite

from bsp_sat.backends.kernel import elf

HERE = Path(__file__).parent
BESIDE = HERE / "__pycache__"
START_SECONDS = 5.0  # until a compiler has said that it is at work; when it hasn't by then it has failed
LOOK_SECONDS = 0.1
STALE_SECONDS = 300.0  # many times what compiling takes
CPU_INFO = Path("/proc/cpuinfo")
CPU_INFO_BYTES = 20_000  # more than the first processor takes
CPU_FACTS = {
    "vendor_id", "cpu family", "model", "stepping", "flags",  # x86
    "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features",  # ARM
}  # fmt: skip

Function = Callable[[int], int]
"""Takes the address of an argument, as `bsp_sat.backends.kernel.arrays` describes it."""

_loaded: dict[str, Function] = {}
_LOADING = Lock()


@dataclass(frozen=True)
class MachineCode:
    """One compiled function, with all that it calls.

    Attributes:
        name: what the file's name begins with, and what people are told.
        module: has ``object_code``, which compiles.
        sources: everything that the machine code depends on.
    """

    name: str
    module: str
    sources: tuple[Path, ...]

    def is_ready(self) -> bool:
        """Whether it needn't be compiled first."""
        return self.name in _loaded or self.file() is not None

    def file(self) -> Path | None:
        """The file to load; whether it is sound is seen when it is loaded. None where there is none."""
        return next((place for place in self._trusted_places() if place.is_file()), None)

    def function(self) -> Function:
        """The compiled function, from a file or made now; one thread does it, and others wait."""
        with _LOADING:
            if self.name not in _loaded:
                _loaded[self.name] = self._load() or self._build()[0]
            return _loaded[self.name]

    def load(self) -> None:
        """Loads the function, so that the first search needn't."""
        self.function()

    def compile(self) -> Path | None:
        """Compiles, unless there is a sound file.

        Returns:
            The file; None where no folder can be written. Then the function stays in this process alone.
        """
        with _LOADING:
            function, kept = self._load(), self.file()
            if function is None:
                function, kept = self._build()
            _loaded[self.name] = function
            return kept

    def compile_in_background(self) -> "Compilation | None":
        """Has a process compile that outlives this one, where that is of use: no file is there, and one can be kept."""
        if self.file() is not None or not can_be_kept():
            return None
        start_compiler(self)
        return Compilation(self)

    def is_being_made(self) -> bool:
        """Whether some process says that it is compiling."""
        return any(lock.exists() for lock in self.locks())

    def locks(self) -> Iterator[Path]:
        """The file in each folder that says that someone is compiling."""
        return (place.with_suffix(".lock") for place in self.places())

    def places(self) -> Iterator[Path]:
        """Where the file may be, in the order of preference."""
        return (folder / file_name(self) for folder in folders())

    def _trusted_places(self) -> Iterator[Path]:
        """Those that others can't have written. Who could write beside the sources could write the sources."""
        return (place for place in self.places() if place.parent == BESIDE or _is_private(place))

    def _load(self) -> Function | None:
        """The function from the first sound file; None where there is none."""
        for place in self._trusted_places():
            with suppress(OSError, ValueError, KeyError, RuntimeError):
                head, _, code = place.read_bytes().partition(b"\n")
                about = json.loads(head)
                if about["sha256"] == hashlib.sha256(code).hexdigest():
                    return link(about["name"], code)
        return None

    def _build(self) -> tuple[Function, Path | None]:
        """Compiles, and keeps the result for other processes: the function, and the file if one can be written."""
        # Imported here: it compiles, which takes ten seconds or more.
        name, code = importlib.import_module(self.module).object_code()
        head = json.dumps({"name": name, "sha256": hashlib.sha256(code).hexdigest()})
        kept = None
        for place in self.places():
            with suppress(OSError):
                kept = _write(place, head.encode() + b"\n" + code)
                break
        return link(name, code), kept


def _sources(*modules: str) -> tuple[Path, ...]:
    common = ("arguments", "bounds", "loops", "homes", "moves", "packing", "ruled", "states")
    return HERE / "arrays.py", *(HERE / "compiled" / f"{module}.py" for module in (*common, *modules))


SEARCH_CODE = MachineCode("search", "bsp_sat.backends.kernel.compiled.search_entry", _sources("search_entry"))
GRADING_CODE = MachineCode(
    "grading",
    "bsp_sat.backends.kernel.compiled.graph_entry",
    _sources("graph_entry", "plays", "successors", "walks"),
)
BATCH_CODE = MachineCode(
    "batch",
    "bsp_sat.backends.kernel.compiled.batch_entry",
    _sources("alphabet", "arena", "batch_entry", "batches", "plans", "successors"),
)
MACHINE_CODE = (SEARCH_CODE, GRADING_CODE, BATCH_CODE)
"""All of it: the search, what grades boards on top of it, and what takes boards as bytes."""


class Compilation:
    """A compiler at work in a process of its own, as far as that can be seen from here."""

    def __init__(self, code: MachineCode) -> None:
        self._code = code
        self._began = time.monotonic()

    def is_over(self) -> bool:
        """Whether the machine code is there, or nobody makes it."""
        starting = time.monotonic() - self._began < START_SECONDS
        return self._code.file() is not None or not (starting or self._code.is_being_made())

    def wait(self) -> None:
        """Waits until it is over."""
        while not self.is_over():
            time.sleep(LOOK_SECONDS)


def can_be_kept() -> bool:
    """Whether a folder can be written, or made."""
    places = (next(place for place in (folder, *folder.parents) if place.exists()) for folder in folders())
    return any(place.is_dir() and os.access(place, os.W_OK) for place in places)


def start_compiler(code: MachineCode) -> None:
    """Starts a process that compiles, and that outlives this one; it does nothing where another one is at it."""
    program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import compile_detached as compile; "
    # Imported here: once per installation.
    import subprocess

    nowhere = subprocess.DEVNULL
    subprocess.Popen(
        [sys.executable, "-c", f"{program}compile({code.name!r})"],
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        start_new_session=True,
    ).wait()


def compile_detached(name: str) -> None:
    """Compiles in a process that is nobody's child, so that nobody who ends takes it along."""
    if hasattr(os, "fork") and os.fork():
        os._exit(0)
    code = next(each for each in MACHINE_CODE if each.name == name)
    for lock in code.locks():
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
            code.compile()
        finally:
            lock.unlink(missing_ok=True)
        return


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
def file_name(code: MachineCode) -> str:
    """A name that changes with everything that the code depends on."""
    digest = hashlib.sha256()
    for source in code.sources:
        digest.update(source.read_bytes())
    digest.update(f"{llvmlite.__version__} {processor()}".encode())
    return f"{code.name}-{digest.hexdigest()[:32]}.o"


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
    # Imported here, as in `start_compiler`.
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
