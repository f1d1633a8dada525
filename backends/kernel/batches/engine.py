"""The compiled search as bsp_sat/web/page/engine/engine.js calls it, for the page and for a package of npm.

    python -m bsp_sat.backends.kernel.batches.engine FILE

writes the module, for ``npm pack`` in bsp_sat/web/package.
"""

import json
import sys
from functools import cache
from pathlib import Path

from bsp_sat.backends.kernel.batches import arrays
from bsp_sat.backends.kernel.contents.arrays import BASE, BY_HOMES, END, MONOCHROME, WATER
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, PAUSED
from bsp_sat.backends.kernel.native.tab import FOR_PAGE, tab_library
from bsp_sat.backends.kernel.search.search import BUCKETS

SECTION = "bsp-sat"


@cache
def engine_module() -> bytes:
    """The library for web/page/engine/engine.js, with a section that says how it is called.

    The section holds a JSON object: where the arguments lie, and what answers mean.

    Raises:
        Unsupported: see `tab_library`.
    """
    layout = {
        "arena": {
            "head": arrays.ARENA_HEAD,
            "base": BASE,
            "end": END,
            "heads": arrays.SEARCHED_AT.store.heads,
            "buckets": BUCKETS,
        },
        "progress": {"size": arrays.PROGRESS, "expansions": arrays.MOST_EXPANSIONS, "plans": arrays.PLANS},
        "answer": {
            "size": arrays.ANSWER,
            "outcome": arrays.OUTCOME,
            "spent": arrays.SPENT,
            "moves": arrays.MOVES_END,
        },
        "outcome": {"goal": GOAL, "exhausted": EXHAUSTED, "paused": PAUSED},
        "flags": {"water": WATER, "monochrome": MONOCHROME, "homes": BY_HOMES},
    }
    name, text = SECTION.encode(), json.dumps(layout).encode()
    section = bytes([len(name)]) + name + text
    return (
        tab_library(FOR_PAGE).read_bytes() + bytes([0]) + _leb128(len(section)) + section
    )  # 0: a section that isn't WebAssembly's


def _leb128(number: int) -> bytes:
    """A number as WebAssembly writes it: seven bits a byte, the lowest first."""
    return bytes([number]) if number < 128 else bytes([number & 127 | 128]) + _leb128(number >> 7)


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(engine_module())
