"""Makes the folder of files that is the page without a server; docs/page.md describes it.

Everything is pinned: the same sources and tools make the same bytes.
"""

import base64
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from bsp_sat.apps.page.answers.boards import all_boards
from bsp_sat.apps.page.modules import joined, without_comments
from bsp_sat.backends.engine import engine_module, tab_library
from bsp_sat.backends.limits import die_with_parent
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.text.writing import json_text

PYODIDE = "pyodide", "314.0.7", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
PYTHON_SAT = "python-sat", "1.9.dev17", "8ecf5e9de74844365ff2bef39f2f30791a54895fe6fba5dfd92f1c327673477b"
ESBUILD = "esbuild-wasm", "0.25.12", "e0712c0e7a9bcfb53c648f63222b07d6ef052897da093498441b8ac5fcfc5342"
"""Name, version and SHA-256 of what is fetched."""

WHEELS = ["--implementation", "cp", "--python-version", "3.14", "--abi", "cp314"]
WHEELS += ["--platform", "pyemscripten_2026_0_wasm32"]  # those that this Pyodide takes

PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ESBUILD_FILES = ("bin/esbuild", "esbuild.wasm", "wasm_exec.js", "wasm_exec_node.js")
PARTS: tuple[str, ...] = ("instances", "encoder", "backends", "formal")
PARTS += tuple(f"apps/{app}" for app in ("levels", "covered", "pictures", "drawing", "page"))  # built on these
MAKING = ("apps/page/tab/files/", "apps/page/tab/making.py", "apps/page/tab/precompiling.py")
LEFT_OUT = ("apps/page/http/", "apps/page/page/", "apps/page/application.py", *MAKING)
OWN = "engine/bsp_sat.packed"  # not .gz: some hosts have browsers unpack that. A folder with this file was made here
COMING = ".bsp-sat-coming"  # one with this folder too: it has what isn't in its place yet

ICON = '<link rel="icon"'
HEAD = """\
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
object-src 'none'; base-uri 'none'; form-action 'none'">
<link rel="manifest" href="manifest.webmanifest">
"""
NOTICES = """\
This page is bsp-sat {version}, under the MIT licence, with

* Pyodide {pyodide}, under the Mozilla Public Licence 2.0. It contains CPython, under the PSF licence. Its sources are
  at github.com/pyodide/pyodide
* python-sat {python_sat}, under the MIT licence, with the SAT solvers that it names. Its sources are at
  github.com/pysathq/pysat; the archive engine/python_sat.whl has its licence.

"""


def make_page(folder: Path) -> int:
    """Makes the folder, or makes it again, and returns the size of the page's files in bytes.

    Raises `Unsupported` if the folder holds other files, or something that is needed can't be had.
    """
    if folder.exists() and not _is_own(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise Unsupported(f"{folder}: expected an empty folder, or one that this command made")
    with TemporaryDirectory(prefix="bsp-sat-") as name:
        made = Path(name, "page")
        web = Path(str(files("bsp_sat.apps.page")))
        no_types = shutil.ignore_patterns("*.d.ts", "*.d.mts")
        shutil.copytree(web / "page", made / "page", ignore=no_types)
        shutil.copytree(web / "data", made / "data")
        shutil.copytree(web / "tab" / "files", made, ignore=no_types, dirs_exist_ok=True)
        (made / "data" / "boards.json").write_text(json_text(all_boards()), encoding="utf-8")
        _join(made / "page")
        _put_engine(made / "engine", Path(name))
        _put_index(made)
        _put_notices(made)
        _put_list(made)
        _replace(folder, made)
        return sum(path.stat().st_size for path in made.rglob("*") if path.is_file())


def _is_own(folder: Path) -> bool:
    """Whether a folder was made here, also where that was interrupted."""
    return (folder / OWN).is_file() or (folder / COMING).is_dir()


def _replace(folder: Path, made: Path) -> None:
    """Puts the page's files and folders into a folder; what else is there, such as ``.git``, stays.

    All is copied beside the old files first. Where this is interrupted, the folder can be made again.
    """
    coming = folder / COMING
    coming.mkdir(parents=True, exist_ok=True)
    for rest in coming.iterdir():
        _remove(rest)
    for new in made.iterdir():
        if new.is_dir():
            shutil.copytree(new, coming / new.name)
        else:
            shutil.copy(new, coming)
    for new in list(coming.iterdir()):
        _remove(folder / new.name)
        new.rename(folder / new.name)
    coming.rmdir()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _join(page: Path) -> None:
    """Puts the modules and styles as they travel in the place of their sources."""
    texts = joined(page)
    for source in [*page.rglob("*.js"), *page.rglob("*.css")]:
        source.unlink()
    for place, text in texts.items():
        path = page / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for folder in page.iterdir():
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _shorten(page: Path, scratch: Path) -> None:
    """Makes modules and styles shorter: a sixth less travels."""
    name, version, checksum = ESBUILD
    packed = _fetched(["npm", "pack", "--silent", f"{name}@{version}"], scratch / "esbuild", checksum)
    program = scratch / "shorten"
    _unpack(packed, ESBUILD_FILES, program)
    options = ["--minify", "--legal-comments=none", "--allow-overwrite", f"--outdir={page}", f"--outbase={page}"]
    _run_node(program / "bin" / "esbuild", *options, *sorted([*page.rglob("*.js"), *page.rglob("*.css")]))


def _unpack(packed: bytes, names: Sequence[str], folder: Path) -> None:
    """Puts some files of an npm package into a folder."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for name in names:
            member = archive.extractfile(f"package/{name}")
            assert member is not None
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(member.read())


def _put_engine(engine: Path, scratch: Path) -> None:
    name, version, checksum = PYODIDE
    packed = _fetched(["npm", "pack", "--silent", f"{name}@{version}"], scratch / "npm", checksum)
    _unpack(packed, PYODIDE_FILES, engine)
    lock = engine / "pyodide-lock.json"  # names packages of Pyodide's, and none of them is used
    lock.write_text(json.dumps({**json.loads(lock.read_bytes()), "packages": {}}), encoding="utf-8")
    name, version, checksum = PYTHON_SAT
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    wheel = _fetched([*pip, "--only-binary=:all:", *WHEELS, f"{name}=={version}"], scratch / "pip", checksum)
    (engine / "python_sat.whl").write_bytes(wheel)
    package = engine.parent / "bsp_sat"
    (engine.parent / "page" / "engine" / "search.wasm").write_bytes(engine_module())
    library = tab_library()
    for place, data in (*_sources(), (f"backends/engine/{library.name}", library.read_bytes())):
        path = package / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    _run_node(Path(str(files("bsp_sat.apps.page.tab"))) / "precompile.mjs", engine.parent)
    _shorten(engine.parent / "page", scratch)
    (engine / Path(OWN).name).write_bytes(_packed(package))
    shutil.rmtree(package)


def _run_node(program: Path, *words: object) -> None:
    node = shutil.which("node")
    if node is None:
        raise Unsupported("Node.js is needed, which prepares what a visit begins with, and isn't installed")
    run = _ran([node, program, *map(str, words)])
    if run.returncode:
        raise Unsupported(f"Node.js can't run {program.name}: {' '.join(run.stderr.split())[-300:]}")


def _ran(command: Sequence[str | Path], folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Runs a program that ends with this process, on Linux, even if that is killed."""
    end = partial(die_with_parent, os.getpid()) if sys.platform == "linux" else None  # Windows takes none
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, preexec_fn=end)


def _packed(folder: Path) -> bytes:
    """An archive of a folder that is the same at all times; page/tab/unpack.js reads it."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                member = tarfile.TarInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}")
                member.size = path.stat().st_size
                archive.addfile(member, io.BytesIO(path.read_bytes()))
    return gzip.compress(data.getvalue(), 9, mtime=0)


def _sources() -> Iterator[tuple[str, bytes]]:
    """The package's files by path, but what only a server or the command line needs."""
    top = Path(str(files("bsp_sat")))
    for path in top.glob("*.py"):
        yield path.name, path.read_bytes()
    yield "apps/__init__.py", (top / "apps" / "__init__.py").read_bytes()
    for part in PARTS:
        folder = Path(str(files(f"bsp_sat.{part.replace('/', '.')}")))
        for path in folder.rglob("*"):
            place = f"{part}/{path.relative_to(folder).as_posix()}"
            if path.suffix in (".py", ".json") and not place.startswith(LEFT_OUT) and "/commands/" not in place:
                yield place, path.read_bytes()


def _fetched(command: list[str], folder: Path, checksum: str) -> bytes:
    """The file that a command puts into a folder; Unsupported if the command fails, or the file is another one."""
    folder.mkdir()
    what, program = command[-1], shutil.which(command[0])
    if program is None:
        raise Unsupported(f"{what} is needed, and {command[0]}, which fetches it, isn't installed")
    run = _ran([program, *command[1:]], folder)
    found = list(folder.iterdir())
    if run.returncode or len(found) != 1:
        words = run.stderr.strip().splitlines()
        raise Unsupported(f"{what} can't be fetched: {words[-1] if words else 'no message'}")
    data = found[0].read_bytes()
    if hashlib.sha256(data).hexdigest() != checksum:
        raise Unsupported(f"{what} isn't the file that was expected: its checksum differs")
    return data


def _put_index(made: Path) -> None:
    """The server's first file, with what the page needs without a server."""
    index = made / "page" / "index.html"
    text = index.read_text(encoding="utf-8")
    index.unlink()
    assert ICON in text
    text = text.replace(ICON, HEAD + ICON).replace(" from its own server", "")
    (made / "index.html").write_text(text, encoding="utf-8")


def _put_notices(made: Path) -> None:
    for about in metadata.distributions(name="bsp-sat"):
        if licence := about.read_text("licenses/LICENSE"):  # a folder that it was built in may come first, without one
            text = NOTICES.format(version=about.version, pyodide=PYODIDE[1], python_sat=PYTHON_SAT[1])
            (made / "licences.txt").write_text(text + licence, encoding="utf-8")
            return
    raise Unsupported("bsp-sat's licence isn't installed with it: install it again")


def _put_list(made: Path) -> None:
    """Tells the service worker which files there are, with their checksums, so that it keeps all of one version."""
    checksums = {}
    worker = made / "service-worker.js"
    for path in sorted(made.rglob("*")):
        if path.is_file() and path != worker:
            digest = base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
            checksums[path.relative_to(made).as_posix()] = f"sha256-{digest}"
    code = without_comments(worker.read_text(encoding="utf-8"))
    version = hashlib.sha256((json.dumps(checksums) + code).encode()).hexdigest()[:16]
    page = json.dumps({"version": version, "files": checksums}, indent=0)
    worker.write_text(f"const PAGE = {page};\n{code}", encoding="utf-8")
