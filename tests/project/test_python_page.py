"""docs/python.md has all errors, and `help(bsp_sat)` is a table of contents."""

import pydoc
import re
from pathlib import Path

import bsp_sat

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_page_shows_all_errors_that_are_public():
    public = {name for name in bsp_sat.__all__ if isinstance(error := getattr(bsp_sat, name), type)
              and issubclass(error, bsp_sat.BspSatError)}  # fmt: skip
    tree = PAGE.partition("## Errors")[2]
    assert {name for name in public if name not in tree} <= {"Contradiction"}  # which hidden cells alone have


def test_help_is_a_table_of_contents():
    shown = pydoc.plain(pydoc.render_doc(bsp_sat))
    assert len(shown.splitlines()) < 120
    assert {name for name in bsp_sat.__all__ if not re.search(rf"\b{name}\b", bsp_sat.__doc__)} == set()


def test_a_star_import_brings_every_public_name():
    names: dict[str, object] = {}
    exec("from bsp_sat import *", names)
    assert set(bsp_sat.__all__) <= names.keys()
