"""The libraries of the engine: the one that fits the sources, which is built where there is none."""

from pathlib import Path

from bsp_sat.backends.engine import built_files
from bsp_sat.instances.errors import Unsupported

_AGAIN = """\
install a C compiler (Debian and Ubuntu: `sudo apt install gcc`; macOS: `xcode-select --install`; any system: \
`pip install ziglang`), then repeat the installation with `--force-reinstall --no-cache-dir`"""


def library_file(platform: str) -> Path:
    """The library for a platform. Unsupported if there is none; the message says why, and what to do."""
    if not built_files.FOLDER.is_dir():
        raise Unsupported("the compiled part of bsp-sat can't be loaded from a ZIP archive: unpack it")
    if not built_files.ENGINE.is_dir():
        for path in built_files.FOLDER.glob(built_files.file_name(platform, "*")):
            return path
        raise Unsupported(f"bsp-sat was installed without its compiled part for {platform}: {_AGAIN}")
    if found := built_files.kept(platform):
        return found
    from bsp_sat.backends.engine.build import NotBuilt, build_library

    try:
        return build_library(built_files.FOLDER, platform)
    except NotBuilt as error:
        raise Unsupported(f"the compiled part of bsp-sat can't be built for {platform}: {error}") from None


def tab_library() -> Path:
    """The library for Python in a browser; errors as above."""
    return library_file(built_files.FOR_PYTHON)


def engine_module() -> bytes:
    """The library for the page's engine; errors as above."""
    return library_file(built_files.FOR_PAGE).read_bytes()


def has_tab_library() -> bool:
    """Whether there are both."""
    try:
        tab_library(), library_file(built_files.FOR_PAGE)
    except Unsupported:
        return False
    return True
