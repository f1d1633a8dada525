"""The packages are the folders of modules that are here; pyproject.toml has everything but what is computed here.

Where a workflow of the repository builds, the package names the repository, and the links and the picture of the README
lead there from an index of packages. Elsewhere they are left out of the description, since they would lead nowhere.
"""

import os
import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
FOLDERS = "instances", "encoder", "backends", "cli", "formal", "apps"
HOME = "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}".format_map(os.environ) if "GITHUB_REPOSITORY" in os.environ else ""
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def link(written: re.Match[str]) -> str:
    """A link or a picture of the README, as it is in the description."""
    mark, text, target = written.groups()
    if "://" in target:
        return written[0]
    if not HOME:
        return "" if mark else text
    return f"{mark}[{text}]({HOME}/{'raw' if mark else 'blob'}/v{VERSION}/{target})"


packages = [path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("__init__.py")]
setup(
    packages=["bsp_sat", *sorted(f"bsp_sat.{'.'.join(path.relative_to(ROOT).parts)}" for path in packages)],
    long_description=re.sub(r"(!?)\[([^]]*)\]\(([^)\s]+)\)", link, (ROOT / "README.md").read_text("utf-8")),
    long_description_content_type="text/markdown",
    project_urls={"Source": HOME, "Changes": f"{HOME}/blob/v{VERSION}/CHANGELOG.md"} if HOME else {},
)
