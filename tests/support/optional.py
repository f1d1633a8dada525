"""What some tests need and the extra `test` leaves out; they are skipped with a reason that says how to have it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def needed(module: str, extra: str) -> Any:
    """Imports a module; without it the test, or the file that asks for it, is skipped."""
    return pytest.importorskip(module, reason=f"no {module.partition('.')[0]}: pip install -e '.[{extra}]'")


def run_tool(name: str, *arguments: object, cwd: Path = ROOT) -> None:
    """Runs a program of the extra `lint`, which has to be content; skips the test where it isn't installed."""
    program = Path(sys.executable).with_name(name)
    if not program.exists():
        pytest.skip(f"no {name}: pip install -e '.[lint]'")
    run = subprocess.run([program, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
