"""docs/python.md works as it stands, and `help(bsp_sat)` is a table of contents."""

import doctest
import pydoc
import re
from pathlib import Path

import bsp_sat

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
FILE = re.compile(r"<!-- file: (\w+\.py) -->\n\n```python\n(.*?)```", re.DOTALL)


def test_each_example_of_the_page_does_what_it_shows(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name, program in FILE.findall(PAGE):
        (tmp_path / name).write_text(program, encoding="utf-8")
    examples = "".join(re.findall(r"```python\n(>>>.*?)```", PAGE, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", None, 0)
    assert len(test.examples) > 30
    said: list[str] = []
    assert doctest.DocTestRunner().run(test, out=said.append).failed == 0, "".join(said)


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
