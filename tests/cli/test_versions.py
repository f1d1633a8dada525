"""Which versions an answer comes from."""

from importlib.metadata import version

import pytest

from bsp_sat import __version__
from bsp_sat.apps.study.database import to_write
from bsp_sat.backends import versions as module
from bsp_sat.backends.versions import in_words, versions
from tests.support.command import bsp_sat

HERE = f"bsp-sat {__version__}, python-sat {version('python-sat')}, ortools {version('ortools')}"


def test_the_program_tells_its_version_and_those_of_the_solver_libraries():
    assert bsp_sat("--version").stdout == f"{HERE}\n"


def test_a_library_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(module, "LIBRARIES", ("no such library",))
    versions.cache_clear()
    assert in_words(versions()) == f"bsp-sat {__version__}, no such library not installed"
    monkeypatch.undo()
    versions.cache_clear()


@pytest.mark.parametrize("earlier", ["bsp-sat 0.0.1", "bsp-sat \x1b[31m"])
def test_a_campaign_that_goes_on_with_another_version_says_so(earlier, tmp_path):
    (tmp_path / "boards.txt").write_text("ab|ba|-\n")
    (tmp_path / "more.txt").write_text("ab|ba|-|-\n")
    results = tmp_path / "results"
    words = ("--resume", str(results), "--solvers", "auto")
    first = bsp_sat("compare", str(tmp_path / "boards.txt"), *words)
    assert (first.returncode, first.stderr.count("Note")) == (0, 0)
    same = bsp_sat("compare", str(tmp_path / "more.txt"), *words)
    assert (same.returncode, same.stderr.count("Note")) == (0, 0)
    with to_write(results, "results") as database, database:
        assert database.execute("SELECT words FROM versions").fetchall() == [(HERE,)]
        database.execute("UPDATE versions SET words = ?", (earlier,))
    (tmp_path / "third.txt").write_text("abc|bca|cab|-|-\n")
    other = bsp_sat("compare", str(tmp_path / "third.txt"), *words)
    assert other.returncode == 0
    assert f"Note: earlier runs are of other versions: {earlier[:8]}" in other.stderr
    assert f"Now: {HERE}." in other.stderr
    assert "\x1b" not in other.stderr
