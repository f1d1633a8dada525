"""Builds the library of the compiled search.

    python -m bsp_sat.backends.kernel.compiled.build [PLATFORM]

numba makes LLVM's intermediate code of the entry points, for no processor in particular; llvmlite, which has all of
LLVM's targets, makes an object file of it for a platform, and a linker makes the library. The library depends on no
other one, so that one for Linux suits every C library. The build's own backend (`build_backend.py`) calls this when the
project is installed; afterwards neither numba nor llvmlite is needed.
"""

import importlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bsp_sat.backends.kernel.shared_library import ENTRY_POINTS, HERE, EntryPoint, file_name, host, sources_digest

ZIG = (sys.executable, "-m", "ziglang")  # the package `ziglang`, which has linkers for all platforms


@dataclass(frozen=True)
class Platform:
    """What the library is built for.

    Attributes:
        tag: of wheels.
        triple: LLVM's name of it.
        processor: the least that it runs on, by LLVM's name.
        linker: of the package `ziglang`, with its options.
        features: what the library may use beyond the least, by LLVM's names.
    """

    tag: str
    triple: str
    processor: str
    linker: tuple[str, ...]
    features: str = ""


_ELF = ("ld.lld", "-shared", "-s")
PLATFORMS = {
    "linux-x86_64": Platform(
        "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        "x86_64-unknown-linux-gnu",
        "x86-64-v2",
        _ELF,
    ),
    "linux-aarch64": Platform(
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        "aarch64-unknown-linux-gnu",
        "generic",
        _ELF,
    ),
    "darwin-x86_64": Platform(
        "macosx_10_13_x86_64",
        "x86_64-apple-macosx10.13",
        "x86-64-v2",
        ("cc", "-target", "x86_64-macos", "-shared", "-nostdlib"),
    ),
    "darwin-arm64": Platform(
        "macosx_11_0_arm64",
        "arm64-apple-macosx11.0",
        "apple-m1",
        ("cc", "-target", "aarch64-macos", "-shared", "-nostdlib"),
    ),
    "windows-amd64": Platform(
        "win_amd64",
        "x86_64-pc-windows-msvc",
        "x86-64-v2",
        ("lld-link", "/dll", "/noentry", "/nodefaultlib", *(f"/export:{entry.symbol}" for entry in ENTRY_POINTS)),
    ),
    "emscripten-wasm32": Platform(  # Pyodide in a browser, whose `ctypes` loads such a module
        "pyemscripten_2026_0_wasm32",
        "wasm32-unknown-emscripten",
        "generic",
        ("wasm-ld", "--experimental-pic", "-shared", "-s", *(f"--export={entry.symbol}" for entry in ENTRY_POINTS)),
        "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128",  # all browsers since 2023 have these
    ),
}

# LLVM calls it for loops that fill arrays. Without builtins, or it would make of this loop a call of itself.
_MEMSET = """
define hidden ptr @memset(ptr returned %array, i32 %value, i64 %size) "no-builtins" nounwind {
start:
  %byte = trunc i32 %value to i8
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %end, label %fill
fill:
  %place = phi i64 [ 0, %start ], [ %next, %fill ]
  %address = getelementptr i8, ptr %array, i64 %place
  store i8 %byte, ptr %address
  %next = add i64 %place, 1
  %full = icmp eq i64 %next, %size
  br i1 %full, label %end, label %fill
end:
  ret ptr %array
}
"""


def has_compiler() -> bool:
    """Whether this machine has a C compiler to link with."""
    return os.name == "posix" and shutil.which("cc") is not None


def build_library(folder: Path, platform: str) -> Path:
    """Builds the library, and removes those of other sources.

    Args:
        folder: where it goes.
        platform: the key of `PLATFORMS`.

    Returns:
        The library.

    Raises:
        KeyError: there is no such platform.
        subprocess.CalledProcessError: the linker failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file_name(platform, sources_digest())
    with TemporaryDirectory(dir=folder) as work:
        objects, library = Path(work, "compiled.o"), Path(work, path.name)
        objects.write_bytes(object_code(PLATFORMS[platform]))
        subprocess.run(_link_command(platform, objects, library), check=True)
        for old in folder.glob(file_name(platform, "*")):
            old.unlink()
        return library.replace(path)


def install_library(folder: Path, platform: str) -> None:
    """Puts the library into a folder, and builds it if it isn't among the sources; arguments as above."""
    built = HERE / file_name(platform, sources_digest())
    if not built.is_file():
        build_library(folder, platform)
    elif folder != HERE:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, folder)


def object_code(target: Platform) -> bytes:
    """The object file of all entry points for a platform."""
    # Imported here, as in `_code`: installations that have the library do without.
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc="pic"
    )
    library = llvm.parse_assembly(_MEMSET)
    modules = [library, *map(llvm.parse_assembly, map(_code, ENTRY_POINTS))]
    for module in modules:
        module.triple, module.data_layout = target.triple, str(machine.target_data)
    for module in modules[1:]:
        library.link_in(module)
    return bytes(machine.emit_object(library))


@cache
def _prepare_numba() -> None:
    """Has numba make what the library needs, and no more."""
    # Read when numba is imported: code for any processor of the kind.
    os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_OPT="3")
    from numba.core.codegen import JITCPUCodegen

    from bsp_sat.backends.kernel.compiled import packing

    # To make machine code of a function LLVM prepares its code for the processor, and numba would have that optimised
    # again in each caller, which isn't sound: a test of a sign was lost in that way. A copy is prepared instead, and
    # only of the entry points. Nothing is made for calls of the other functions from Python.
    add_module = JITCPUCodegen._add_module

    def add_copy(codegen: Any, module: Any) -> None:
        if any(part.name.startswith("cfunc.") for part in module.functions):
            add_module(codegen, module.clone())

    JITCPUCodegen._add_module = add_copy  # type: ignore[method-assign]  # numba has no setting for it
    JITCPUCodegen.set_env = lambda *_: None  # type: ignore[method-assign]  # the same
    packing.PART.update(no_cpython_wrapper=True, no_cfunc_wrapper=True)


@cache
def _code(entry: EntryPoint) -> str:
    """LLVM's code of one entry point and of what it calls, optimised, under the name that the library gives it."""
    _prepare_numba()
    import llvmlite.binding as llvm

    function = importlib.import_module(f"{__package__}.{entry.module}").run
    module = llvm.parse_assembly(function.inspect_llvm())
    for part in (*module.functions, *module.global_variables):
        if part.name == function.native_name:
            part.name = entry.symbol
        elif not part.is_declaration:
            part.linkage = "internal"
    # numba adds reference counts, which nothing here uses.
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    return str(module)


def _link_command(platform: str, objects: Path, library: Path) -> list[str]:
    if platform == host() and has_compiler():
        kind = ("-dynamiclib",) if sys.platform == "darwin" else ("-shared", "-nostdlib", "-s")
        return ["cc", *kind, "-o", str(library), str(objects)]
    linker = PLATFORMS[platform].linker
    output = [f"/out:{library}"] if linker[0] == "lld-link" else ["-o", str(library)]
    program = () if linker[0] == "wasm-ld" and shutil.which("wasm-ld") else ZIG
    return [*program, *linker, *output, str(objects)]


if __name__ == "__main__":
    print(build_library(HERE, sys.argv[1] if len(sys.argv) > 1 else host()))  # noqa: T201 - the output of this command
