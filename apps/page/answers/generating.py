"""``/api/generate``: a level made to specification."""

from collections.abc import Mapping
from threading import Event
from typing import Any

from bsp_sat.apps.levels.board_spec import BoardSpec, Range
from bsp_sat.apps.levels.grade import checked_names
from bsp_sat.apps.levels.level_numbers import NUMBERS
from bsp_sat.apps.levels.levels import make_levels
from bsp_sat.apps.page.request_fields import MOST_EXACT, check_keys, chosen, whole
from bsp_sat.backends.run import Here
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.registry import SORT_PUZZLES
from bsp_sat.instances.sorting import BallSort
from bsp_sat.instances.text.reading import as_json

MOST_TRIES = 100_000

GeneratingFields = tuple[BoardSpec, int, int]
"""The arguments of `generating`."""


def generating_asked(fields: Mapping[str, Any]) -> GeneratingFields:
    """What is wanted, with the options of `bsp-sat generate levels`; ``ranges`` holds those of measures."""
    check_keys(fields, "puzzle", "ranges", "seed", *NUMBERS)
    puzzle = SORT_PUZZLES[chosen(fields, "puzzle", SORT_PUZZLES) or BallSort.kind]
    colours, capacity, empty, tries = (
        whole(fields, key, number.least, min(number.most, MOST_TRIES), number.default)
        for key, number in NUMBERS.items()
    )
    ranges = fields.get("ranges", {})
    if not isinstance(ranges, dict) or not all(isinstance(wanted, str) for wanted in ranges.values()):
        expected = 'expected an object of texts, such as {"optimum": "8..12"}'
        raise BoardError("ranges", f"{expected}, found {as_json(ranges)}")
    wanted = {checked_names([name])[0]: Range.parse(text) for name, text in ranges.items()}
    return BoardSpec(puzzle, colours, capacity, empty, wanted), tries, whole(fields, "seed", 0, MOST_EXACT, 0)


def generating(wanted: BoardSpec, tries: int, seed: int) -> dict[str, Any]:
    """The board of `bsp-sat generate levels` under ``boards``, which is empty if none was found."""
    made = make_levels([wanted], seed, Here(), Event(), most_tries=tries)
    return {"boards": [level.to_json(seed) for level in made if not level.distance]}
