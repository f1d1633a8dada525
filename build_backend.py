"""Builds the package with setuptools, and three libraries of the engine in it (PEP 517's backend).

One is for this machine. Two are for browsers, and are kept with the sources. Where there is no compiler for one that is
missing the package `ziglang` is asked for. Where that fails too, the package is installed without it, and says so: the
program does when it would use the first one, and the page asks its server without the others.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from setuptools import Command
from setuptools.build_meta import *  # noqa: F403 - the hooks that need no change
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.editable_wheel import editable_wheel

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))
import bsp_sat  # noqa: E402 - found in the sources

bsp_sat.__path__.append(str(ROOT))  # where its folders are, if the links in it are missing

from bsp_sat.backends.engine.build import (  # noqa: E402 - as above
    FOR_BROWSERS,
    PLATFORMS,
    ZIGLANG,
    compiler,
    install_library,
)
from bsp_sat.backends.engine.built_files import FOLDER, host, kept  # noqa: E402 - as above


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """A compiler, unless all that is needed is there."""
    is_for_others = "plat-name" in str(config_settings)
    has_all = all(kept(platform) or compiler(platform) for platform in (host(), *FOR_BROWSERS))
    return [ZIGLANG] if host() in PLATFORMS and (is_for_others or not has_all) else []


get_requires_for_build_editable = get_requires_for_build_wheel


class BuildLibrary(Command):
    """Builds the libraries into the package, or into the sources of an editable installation."""

    description = "build the libraries of the engine"
    user_options: ClassVar[list[tuple[str, str, str]]] = []
    editable_mode = False
    build_lib: str | None

    def initialize_options(self) -> None:
        """Leaves the folder to the build."""
        self.build_lib = None

    def finalize_options(self) -> None:
        """Takes the folder of the build."""
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        """Builds, or warns that it can't."""
        wheel = self.get_finalized_command("bdist_wheel")
        assert isinstance(wheel, TaggedWheel)
        folder = (
            FOLDER if self.editable_mode else Path(self.build_lib or "", "bsp_sat", *FOLDER.relative_to(ROOT).parts)
        )

        def install(platform: str) -> Exception | None:
            try:
                install_library(folder, platform)
            except Exception as error:  # the package is of use without it
                return error
            return None

        platforms = wheel.platform(), *FOR_BROWSERS
        with ThreadPoolExecutor() as pool:
            errors = dict(zip(platforms, pool.map(install, platforms), strict=True))
        if wheel.plat_name_supplied and (error := errors[wheel.platform()]):
            raise error  # a wheel for that platform is what was asked for
        wheel.has_library = not (errors[wheel.platform()] or self.editable_mode)
        for platform, error in errors.items():
            if error:
                _say(f"bsp-sat is installed WITHOUT ITS COMPILED PART for {platform}: {error}")

    def get_source_files(self) -> list[str]:
        """None: the package has them all."""
        return []

    def get_outputs(self) -> list[str]:
        """None that setuptools would have to know."""
        return []

    def get_output_mapping(self) -> dict[str, str]:
        """None, as above."""
        return {}


def _say(message: str) -> None:
    """Warns, also on the terminal: pip shows what a build prints only with ``-v``."""
    print(f"\n{message}\n", file=sys.stderr)  # noqa: T201 - a build's output
    with suppress(OSError), open("/dev/tty", "w") as terminal:  # noqa: PTH123 - no file
        print(f"\n{message}\n", file=terminal)


class Build(build):
    """The build, and the libraries after everything else."""

    sub_commands: ClassVar = [*build.sub_commands, ("build_library", None)]


class TaggedWheel(bdist_wheel):
    """A wheel for one platform, by ``--plat-name`` another one than this, and for every Python."""

    has_library = False

    def platform(self) -> str:
        """The key of the platform in `PLATFORMS`, or this machine."""
        if not self.plat_name_supplied:
            return host()
        return next(name for name, platform in PLATFORMS.items() if self.plat_name in platform.tag.split("."))

    def get_tag(self) -> tuple[str, str, str]:
        """Python, its binary interface and the platform that the wheel is for."""
        python, abi, plat = super().get_tag()
        if not self.has_library:
            return python, abi, plat
        self.root_is_pure = False
        known = PLATFORMS.get(self.platform())
        return "py3", "none", known.tag if known else self.plat_name.replace("-", "_").replace(".", "_")


class EditableWheel(editable_wheel):
    """An editable installation that type checkers and editors find too, where the links in ``bsp_sat/`` are.

    By default setuptools installs a hook for imports, since the package's folders stand side by side; what doesn't run
    the program sees nothing of it. Here a folder that holds a link to ``bsp_sat/`` and nothing else joins the path.
    """

    def finalize_options(self) -> None:
        """Has the folder joined."""
        super().finalize_options()
        link = ROOT / "build" / "editable" / "bsp_sat"
        if (ROOT / "bsp_sat" / "backends").is_dir():
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(Path("..", "..", "bsp_sat"), target_is_directory=True)
            self.package_dir = {"": link.parent.relative_to(ROOT).as_posix()}
