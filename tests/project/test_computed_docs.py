"""What docs/ shows of the program is what the program does."""

import re
from pathlib import Path

import pytest

from tests.support.computed_docs import PARTS, pages, rewritten, stubs

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_computed_parts_are_as_they_would_be_written_now(page):
    text = page.read_text(encoding="utf-8")
    assert text == rewritten(text), "write them again by: python -m tests.support.computed_docs"


@pytest.mark.parametrize("path", stubs(), ids=lambda path: path.parent.name)
def test_type_checkers_read_the_names_that_the_tables_have(path):
    assert path.read_text("utf-8") == stubs()[path], "write it again by: python -m tests.support.computed_docs"


def test_each_computed_part_is_shown_once():
    shown = [name for page in pages() for name in re.findall("computed: ([a-z0-9-]+)", page.read_text("utf-8"))]
    assert sorted(shown) == sorted(PARTS)


def test_pages_say_about_how_long_the_checkers_are():
    found = []
    for page in (ROOT / "docs").glob("*.md"):
        for name, lines in re.findall(r"`([^`]*\.py)`\s+\(about (\d+) lines", page.read_text("utf-8")):
            path = ROOT / "formal" / name.removeprefix("formal/")
            found.append((name, int(lines)))
            assert abs(len(path.read_text("utf-8").splitlines()) - int(lines)) <= int(lines) / 10, (page.name, name)
    assert len(found) == 3
