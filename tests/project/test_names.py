"""Public class names that stand for several things are no more than these, each with its reason."""

from tests.project.names_twice import names_twice

CHECKERS = {"Rules", "Shot", "Tiles", "Tube", "TubeRule"}
"""The checkers share nothing with the package, and are read without it."""


def test_no_other_public_name_stands_for_several_things():
    assert names_twice().keys() == CHECKERS
