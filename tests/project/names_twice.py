"""Public class names that stand for several things: ``python -m tests.project.names_twice`` lists them."""

import ast
from collections import defaultdict

from tests.support.sources import modules


def names_twice() -> dict[str, list[str]]:
    """Each public class name that several modules define, with these modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, path in modules().items():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module)
    return {name: sorted(found) for name, found in sorted(places.items()) if len(found) > 1}


if __name__ == "__main__":
    for name, found in names_twice().items():
        print(name, *found)  # noqa: T201 - a list for people
