"""Builds the library of the compiled search.

    python -m bsp_sat.backends.kernel.native.build [PLATFORM…]

`bsp_sat.backends.kernel.native.compiling` makes an object file for a platform, and a linker makes the library of it.
The library depends on no other one, so that one for Linux suits every C library. The build's own backend
(`build_backend.py`) calls this when the project is installed; afterwards neither numba nor llvmlite is needed.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bsp_sat.backends.kernel.native import compiling
from bsp_sat.backends.kernel.native.shared_library import ENTRY_POINTS, KERNEL, file_name, host, sources_digest
from bsp_sat.backends.kernel.native.tab import FOR_PAGE, FOR_PYTHON

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
        entries: of `ENTRY_POINTS`, those that it has.
    """

    tag: str
    triple: str
    processor: str
    linker: tuple[str, ...]
    features: str = ""
    entries: tuple[str, ...] = tuple(ENTRY_POINTS)


_ELF = ("ld.lld", "-shared", "-s")
_BROWSER = ("wasm32-unknown-emscripten", "generic")
_WASM = ("wasm-ld", "--experimental-pic", "-shared", "-s")
# What all browsers since 2023 have.
_FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
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
        ("lld-link", "/dll", "/noentry", "/nodefaultlib", *(f"/export:{name}" for name in ENTRY_POINTS)),
    ),
    FOR_PYTHON: Platform(  # whose `ctypes` loads such a module in a browser
        "pyemscripten_2026_0_wasm32",
        *_BROWSER,
        (*_WASM, *(f"--export={name}" for name in ENTRY_POINTS)),
        _FEATURES,
    ),
    FOR_PAGE: Platform("", *_BROWSER, (*_WASM, "--export=go_on"), _FEATURES, ("go_on",)),
}


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
    target = PLATFORMS[platform]
    modules = {name: f"bsp_sat.backends.kernel.{ENTRY_POINTS[name]}" for name in target.entries}
    with TemporaryDirectory(dir=folder) as work:
        objects, library = Path(work, "compiled.o"), Path(work, path.name)
        objects.write_bytes(compiling.object_code(modules, target.triple, target.processor, target.features))
        subprocess.run(_link_command(platform, objects, library), check=True)
        for old in folder.glob(file_name(platform, "*")):
            old.unlink()
        return library.replace(path)


def install_library(folder: Path, platform: str) -> None:
    """Puts the library into a folder, and builds it if it isn't among the sources; arguments as above."""
    built = KERNEL / file_name(platform, sources_digest())
    if not built.is_file():
        build_library(folder, platform)
    elif folder != KERNEL:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, folder)


def _link_command(platform: str, objects: Path, library: Path) -> list[str]:
    if platform == host() and has_compiler():
        kind = ("-dynamiclib",) if sys.platform == "darwin" else ("-shared", "-nostdlib", "-s")
        return ["cc", *kind, "-o", str(library), str(objects)]
    linker = PLATFORMS[platform].linker
    output = [f"/out:{library}"] if linker[0] == "lld-link" else ["-o", str(library)]
    program = () if linker[0] == "wasm-ld" and shutil.which("wasm-ld") else ZIG
    return [*program, *linker, *output, str(objects)]


if __name__ == "__main__":
    for platform in sys.argv[1:] or [host()]:
        print(build_library(KERNEL, platform))  # noqa: T201 - the output of this command
