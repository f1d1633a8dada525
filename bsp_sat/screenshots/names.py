"""Names for colours that a person would use, each but once a picture."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bsp_sat.screenshots.cielab import distance, lab_of
from bsp_sat.screenshots.words import NAMES

_WORDS = tuple(NAMES)
_PLACES = lab_of(np.array(list(NAMES.values()), dtype=np.uint8))


def nearest_name(colour: NDArray[np.float32]) -> str:
    """The name that fits a colour in Lab best."""
    return _WORDS[int(np.argmin(distance(_PLACES, colour)))]


def names_for(colours: Sequence[NDArray[np.float32]]) -> list[str]:
    """A name of its own for each colour in Lab; the best fits choose first. Beyond the names, numbers tell them apart.

    >>> names_for([lab_of(np.array(rgb, dtype=np.uint8)) for rgb in ((230, 40, 40), (200, 30, 60), (30, 90, 225))])
    ['red', 'dark red', 'blue']
    """
    if not colours:
        return []
    apart = np.array([distance(_PLACES, colour) for colour in colours])
    names = [""] * len(colours)
    taken: set[int] = set()
    for flat in np.argsort(apart, axis=None, kind="stable"):
        one, word = divmod(int(flat), len(_WORDS))
        if not names[one] and word not in taken:
            names[one] = _WORDS[word]
            taken.add(word)
    for index, name in enumerate(names):
        if not name:
            names[index] = f"{nearest_name(colours[index])} {index + 1}"
    return names
