"""The sources of the package: its folders, its modules, and one tree of them for tools that follow no mapping."""

import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]

FOLDERS = [
    name.removeprefix("bsp_sat.")
    for name in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"]
    if name != "bsp_sat"
]
"""The folders that install as packages below `bsp_sat`."""


def modules() -> dict[str, Path]:
    """The files of all modules by the names under which they are imported."""
    package = ROOT / "bsp_sat"
    own = [path for path in package.rglob("*.py") if path.relative_to(package).parts[0] not in FOLDERS]
    places = [(path, path.relative_to(ROOT)) for path in own]
    places += [
        (path, Path("bsp_sat") / path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")
    ]
    named = {".".join(place.with_suffix("").parts).removesuffix(".__init__"): path for path, place in places}
    return dict(sorted(named.items()))


def has_links() -> bool:
    """Whether the links in `bsp_sat/` are there; Windows checkouts and unpacked archives lack them."""
    return all((ROOT / "bsp_sat" / folder).is_dir() for folder in FOLDERS)


def one_tree(copy: Path) -> Path:
    """The folder in which mypy and import-linter run: this one, or without links a copy with folders in their place."""
    if has_links():
        return ROOT
    copy.mkdir()
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copytree(ROOT / "bsp_sat", copy / "bsp_sat", ignore=shutil.ignore_patterns(*FOLDERS))
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / "bsp_sat" / folder)
    return copy
