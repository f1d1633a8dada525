"""The packages are the folders of modules that are here; pyproject.toml has everything else."""

from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
FOLDERS = "instances", "encoder", "backends", "cli", "formal", "apps"

packages = [path.parent for folder in FOLDERS for path in (ROOT / folder).rglob("__init__.py")]
setup(packages=["bsp_sat", *sorted(f"bsp_sat.{'.'.join(path.relative_to(ROOT).parts)}" for path in packages)])
