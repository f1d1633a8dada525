"""The machine code of grading's compiled part, made at its first use and kept (`bsp_sat.backends.kernel.code`)."""

from functools import cache
from pathlib import Path

from bsp_sat.backends.kernel import code

_HERE = Path(__file__).parent
_OWN = ("arrays.py", *(f"compiled/{name}.py" for name in ("entry", "nexts", "plays", "walks")))

GRADING = code.Entry("grading", "bsp_sat.grading.compiled.entry", (*code.SOURCES, *(_HERE / name for name in _OWN)))


@cache
def function() -> code.Function:
    """The compiled function, from a file or made now, which takes ten seconds or more."""
    return code.load(GRADING) or code.build(GRADING)[0]
