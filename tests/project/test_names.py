"""Public class names that stand for several things are no more than these, each with its reason."""

import ast
from collections import defaultdict

from tests.support.sources import modules

CHECKERS = {"Rules", "Shot", "Tiles", "Tube", "TubeRule"}
"""The checkers share nothing with the package, and are read without it."""


def test_no_other_public_name_stands_for_several_things():
    places = defaultdict(set)
    for module, path in modules().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(module)
    several = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert several.keys() == CHECKERS, several
