"""Builds the engine's library, from the C sources in engine/.

    python -m bsp_sat.backends.engine.build [PLATFORM…]

For this machine by ``$CC``, ``cc`` or ``clang``, with ``$CFLAGS``; where those aren't there, for other machines and for
browsers by the package `ziglang`. The build's own backend (`build_backend.py`) calls this when the project is
installed; a checkout calls it where the sources have changed. The two libraries for browsers are kept with the sources,
so that nobody needs `ziglang` for them; the same sources give the same bytes on every machine.

The engine uses little of the standard library, and what is old, so that a library for Linux suits every system. The
page's module has its own (`engine/freestanding/`).
"""

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from bsp_sat.backends.engine.built_files import (
    ENGINE,
    FOLDER,
    FOR_PAGE,
    FOR_PYTHON,
    file_name,
    host,
    kept,
    sources,
    sources_digest,
)

ZIGLANG = "ziglang==0.17.1"
"""The package that compiles for other systems. Another release makes other libraries for browsers: build them again."""

FOR_BROWSERS = FOR_PYTHON, FOR_PAGE
MISSING = f"""\
what is kept isn't of these sources: pip install {ZIGLANG} && \
python -m bsp_sat.backends.engine.build {" ".join(FOR_BROWSERS)}"""

ZIG = [sys.executable, "-m", "ziglang"]
OPTIONS = ["-std=c11", "-O2", "-fvisibility=hidden", "-fno-stack-protector", "-fno-math-errno"]
OPTIONS += ["-ffunction-sections", "-ffp-contract=off"]  # floats are rounded alike on every machine
BROWSER = [f"-m{name}" for name in ("bulk-memory", "mutable-globals", "nontrapping-fptoint", "sign-ext", "simd128")]
"""What all browsers since 2023 have."""

LOOPS = ("astar.c", "bounds.c", "children.c", "homes.c", "moves.c", "store.c")
"""Nearly all of a search's time; the rest of the page's module is small, since each visit fetches it."""

HEADERS = [f"-I{ENGINE / 'freestanding'}"]
"""In the place of standard ones, which `ziglang` would compile a standard library for."""

PAGE_CALLS = ["malloc"]
PAGE_CALLS += [f"bspsat_board_{name}" for name in ("new", "free", "numbers")]
PAGE_CALLS += [f"bspsat_search_{name}" for name in ("new", "free", "start", "run", "facts", "plan")]
PAGE_CALLS += [f"bspsat_beam_{name}" for name in ("new", "free", "run", "plan")]
"""What the page's engine calls; its module has nothing else."""

LINUX = ["-shared", "-fPIC", "-Wl,-z,defs", "-s"]
LINUX_TAG = "manylinux_2_17_{0}.manylinux2014_{0}.musllinux_1_1_{0}"


class NotBuilt(Exception):
    """The library can't be built; the message says why."""


@dataclass(frozen=True)
class Platform:
    """What the library is built for, with options of the compiler, or for browsers of the linker.

    ``processor`` is the least that it runs on, where that isn't the target's own.
    """

    tag: str
    target: str
    options: list[str]
    processor: str = ""


PLATFORMS = {
    "linux-x86_64": Platform(LINUX_TAG.format("x86_64"), "x86_64-linux-gnu.2.17", LINUX, "x86-64-v2"),
    "linux-aarch64": Platform(LINUX_TAG.format("aarch64"), "aarch64-linux-gnu.2.17", LINUX),
    "darwin-x86_64": Platform("macosx_11_0_x86_64", "x86_64-macos.11.0", ["-shared"], "x86-64-v2"),
    "darwin-arm64": Platform("macosx_11_0_arm64", "aarch64-macos.11.0", ["-shared"]),
    "windows-amd64": Platform(
        "win_amd64",
        "x86_64-windows-gnu",
        [*HEADERS, "-shared", "-nostdlib", "-lucrtbase", "-lkernel32", "-lcompiler_rt", "-Wl,--no-entry", "-s"],
        "x86-64-v2",
    ),
    FOR_PYTHON: Platform(
        "pyemscripten_2026_0_wasm32", "wasm32-emscripten", ["--experimental-pic", "-shared", "--import-undefined"]
    ),
    FOR_PAGE: Platform(
        "", "wasm32-emscripten", ["--no-entry", "--compress-relocations", *(f"--export={name}" for name in PAGE_CALLS)]
    ),
}


def compiler(platform: str) -> list[str]:
    """The command that compiles for a platform; empty if there is none here."""
    target = PLATFORMS.get(platform)
    if platform == host() and os.name == "posix":
        for command in (shlex.split(os.environ.get("CC", "")), ["cc"], ["clang"]):
            if command and shutil.which(command[0]):
                return [*command, *([f"-march={target.processor}"] if target and target.processor else [])]
    if target is None or find_spec("ziglang") is None:
        return []
    processor = [f"-mcpu={target.processor.replace('-', '_')}"] if target.processor else []
    return [*ZIG, "cc", "-target", target.target, "-fno-sanitize=all", *processor]


def build_library(folder: Path, platform: str) -> Path:
    """Builds the library, and removes those of other sources. NotBuilt if there is no compiler, or it failed."""
    command = compiler(platform)
    if not command:
        raise NotBuilt(MISSING if platform in FOR_BROWSERS else "there is no C compiler, and no package ziglang")
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    path = folder / file_name(platform, sources_digest())
    units = [unit for unit in sources() if unit.suffix == ".c" and (platform == FOR_PAGE or unit.name != "page.c")]
    command += [*OPTIONS, f"-I{ENGINE}"]
    with TemporaryDirectory(prefix="unfinished-", dir=folder) as work:
        made = Path(work, path.name)
        if platform in FOR_BROWSERS:
            objects = [str(Path(work, f"{number}.o")) for number in range(len(units))]
            command += [*BROWSER, *HEADERS, *(["-fPIC"] if platform == FOR_PYTHON else [])]
            for unit, compiled in zip(units, objects, strict=True):
                size = "-Os" if platform == FOR_PYTHON or unit.name in LOOPS else "-Oz"
                _run([*command, size, "-c", str(unit), "-o", compiled], work)
            link = [*ZIG, "wasm-ld", "-s", "--gc-sections", *PLATFORMS[platform].options]
            _run([*link, *objects, "-o", str(made)], work)
        else:
            options = PLATFORMS[platform].options if platform in PLATFORMS else LINUX
            own = shlex.split(os.environ.get("CFLAGS", "")) if platform == host() else []
            if own:  # as for a debugger
                options = [option for option in options if option != "-s"]
            _run([*command, *own, *map(str, units), *options, "-o", str(made)], work)
        for old in folder.glob(file_name(platform, "*")):
            old.unlink(missing_ok=True)
        return made.replace(path)


def install_library(folder: Path, platform: str) -> None:
    """Puts the library into a folder, and builds it if it isn't among the sources; arguments and errors as above."""
    built = kept(platform)
    if not built:
        build_library(folder, platform)
    elif folder != FOLDER:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, folder)


def _run(command: list[str], caches: str) -> None:
    """Runs a compiler, whose caches go with the folder of the build."""
    own = {f"ZIG_{kind}_CACHE_DIR": caches for kind in ("GLOBAL", "LOCAL")}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | own)
    if run.returncode:
        raise NotBuilt(f"{shlex.join(command)} failed:\n{run.stderr}")


if __name__ == "__main__":
    for platform in sys.argv[1:] or [host()]:
        print(build_library(FOLDER, platform))  # noqa: T201 - the output of this command
