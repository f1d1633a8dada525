"""The documentation site: no broken link, every page, every public name and every command."""

import subprocess
import sys
from pathlib import Path

import pytest

import bsp_sat
from bsp_sat.cli.group import commands as group
from tests.support.helpers import subcommands

ROOT = Path(__file__).parents[2]
BESIDE_THE_CODE = "apps/*", "benchmarks", "benchmarks/results", "encoder", "engine", "formal", "formal/*", "instances"


def test_each_page_is_in_the_contents_of_the_site():
    contents = (ROOT / "docs" / "site" / "index.rst").read_text(encoding="utf-8").split()
    pages = {f"../{page.stem}" for page in (ROOT / "docs").glob("*.md") if page.stem != "README"}
    beside = [page for room in BESIDE_THE_CODE for page in ROOT.glob(f"{room}/*.md")]
    assert len(beside) > len(BESIDE_THE_CODE)
    pages |= {f"../../{page.relative_to(ROOT).with_suffix('').as_posix()}" for page in beside}
    assert pages - set(contents) == set()


@pytest.mark.slow
def test_the_site_has_everything_and_no_broken_link(tmp_path):
    pytest.importorskip("sphinx", reason="needs the extra docs")
    site = tmp_path / "site"
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", ROOT / "docs" / "site", ROOT, site]
    run = subprocess.run(build, capture_output=True, text=True, timeout=600)
    assert (run.returncode, run.stderr) == (0, "")
    for page in (ROOT / "docs").rglob("*.md"):
        assert (site / page.relative_to(ROOT)).with_suffix(".html").exists(), page
    names = (site / "docs" / "site" / "api.html").read_text(encoding="utf-8")
    assert {name for name in bsp_sat.__all__ if f'id="bsp_sat.{name}"' not in names} == set()
    commands = (site / "docs" / "site" / "commands.html").read_text(encoding="utf-8")
    assert {name for name in subcommands(group) if f'id="bsp-sat-{name}"' not in commands} == set()
    assert (site / "searchindex.js").exists()
    first = (site / "index.html").read_text(encoding="utf-8")
    assert (site / first.partition('href="')[2].partition('"')[0]).is_file()
