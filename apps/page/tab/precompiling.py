"""Puts bytecode in the place of the sources that a visit begins with, in a page's engine.

The making of the page runs this in that page's own Python (``precompile.mjs``): bytecode belongs to one version of it.
Other modules stay sources, as bytecode is twice as large. It is the same in each run: it holds no times, and strings
have the same hashes.
"""

import sys
from importlib import import_module
from pathlib import Path
from py_compile import PycInvalidationMode, compile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

SCRATCH = Path("/tmp")


def compiled(source: bytes, name: str, *, optimize: int) -> bytes:
    """The bytecode of a module; messages name its file."""
    module, target = SCRATCH / "module.py", SCRATCH / "module.pyc"
    module.write_bytes(source)
    mode = PycInvalidationMode.UNCHECKED_HASH
    compile(str(module), str(target), name, doraise=True, optimize=optimize, invalidation_mode=mode)
    return target.read_bytes()


def compile_package(package: Path, started: set[str]) -> None:
    """Compiles files of a folder."""
    for name in started:
        path = package / name
        path.with_suffix(".pyc").write_bytes(compiled(path.read_bytes(), name, optimize=0))
        path.unlink()


def compile_archive(archive: Path, started: set[str]) -> None:
    """Compiles files of an archive, without their descriptions: these are most of its size."""
    with ZipFile(archive) as old:
        files = {name: old.read(name) for name in old.namelist()}
    with ZipFile(archive, "w") as new:
        for name, data in files.items():
            if name in started:
                new.writestr(ZipInfo(f"{name}c"), compiled(data, name, optimize=2), ZIP_DEFLATED, 9)
            else:
                new.writestr(ZipInfo(name), data, ZIP_DEFLATED, 9)


def inside(place: str, paths: set[str]) -> set[str]:
    """Those of some paths that lie in a place, from there."""
    return {path.removeprefix(f"{place}/") for path in paths if path.startswith(f"{place}/")}


if __name__ == "__main__":
    package, library = Path("/made/bsp_sat"), Path("/made/engine/python_stdlib.zip")
    sys.path.insert(0, str(package.parent))
    import_module("bsp_sat.apps.page.tab.pyodide_host")
    import_module("bsp_sat.apps.page.questions").import_answers()
    import_module("bsp_sat.backends.kernel.backend")
    loaded = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    compile_archive(library, inside("/lib/python314.zip", loaded))
    compile_package(package, inside(str(package), loaded))
