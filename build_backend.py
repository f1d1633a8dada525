"""Builds the package with setuptools, and three libraries of the compiled search in it (PEP 517's backend).

One is for this machine, two are for browsers. What they are made with is asked for where they can be made. Where they
can't, or where that fails, the package is installed without them: the program says so when it would use the first one,
and the page asks its server without the others.
"""

import shutil
import sys
from pathlib import Path
from typing import Any, ClassVar

from setuptools import Command
from setuptools.build_meta import *  # noqa: F403 - the hooks that need no change
from setuptools.build_meta import get_requires_for_build_editable as _requires_for_editable
from setuptools.build_meta import get_requires_for_build_wheel as _requires_for_wheel
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build

ROOT = Path(__file__).parent
NUMBA = "numba>=0.62,<0.69"  # `bsp_sat.backends.kernel.native.compiling` says what a newer one may break
LINKER = "ziglang>=0.13"
NEWEST_PYTHON = (3, 14)  # that numba has wheels for

sys.path.insert(0, str(ROOT))
import bsp_sat  # noqa: E402 - found in the sources

bsp_sat.__path__.append(str(ROOT))  # where its folders are, if the links in it are missing

from bsp_sat.backends.kernel.native.build import PLATFORMS, has_compiler, install_library  # noqa: E402 - as above
from bsp_sat.backends.kernel.native.shared_library import KERNEL, host  # noqa: E402 - as above
from bsp_sat.backends.kernel.native.tab import FOR_PAGE, FOR_PYTHON  # noqa: E402 - as above


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """What setuptools asks for, and what the library is made with."""
    return [*_requires_for_wheel(config_settings), *_requirements(config_settings)]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """The same for an editable installation."""
    return [*_requires_for_editable(config_settings), *_requirements(config_settings)]


def _requirements(config_settings: Any) -> list[str]:
    if host() not in PLATFORMS or sys.version_info[:2] > NEWEST_PYTHON:
        return []
    has_linkers = has_compiler() and shutil.which("wasm-ld") and "plat-name" not in str(config_settings)
    return [NUMBA] if has_linkers else [NUMBA, LINKER]


class BuildLibrary(Command):
    """Builds the library into the package, or into the sources of an editable installation."""

    description = "build the library of the compiled search"
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
        folder = KERNEL if self.editable_mode else Path(self.build_lib or "", "bsp_sat", "backends", "kernel")
        for platform in (wheel.platform(), FOR_PYTHON, FOR_PAGE):
            try:
                install_library(folder, platform)
            except Exception as error:  # the package is of use without it
                self.warn(f"the compiled search isn't built for {platform}: {error!r}")
            else:
                wheel.has_library |= platform == wheel.platform() and not self.editable_mode

    def get_source_files(self) -> list[str]:
        """None: the package has them all."""
        return []

    def get_outputs(self) -> list[str]:
        """None that setuptools would have to know."""
        return []

    def get_output_mapping(self) -> dict[str, str]:
        """None, as above."""
        return {}


class Build(build):
    """The build, and the library after everything else."""

    sub_commands: ClassVar = [*build.sub_commands, ("build_library", None)]


class TaggedWheel(bdist_wheel):
    """A wheel for one platform, by ``--plat-name`` another one than this, and for every Python."""

    has_library = False

    def platform(self) -> str:
        """The key of the platform in `PLATFORMS`."""
        if not self.plat_name_supplied:
            return host()
        return next(name for name, platform in PLATFORMS.items() if self.plat_name in platform.tag.split("."))

    def get_tag(self) -> tuple[str, str, str]:
        """Python, its binary interface and the platform that the wheel is for."""
        return ("py3", "none", PLATFORMS[self.platform()].tag) if self.has_library else super().get_tag()
