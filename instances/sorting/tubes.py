"""Runs and blocks of a tube, a byte string with a byte for each ball, bottom first."""

from functools import lru_cache
from itertools import groupby, pairwise


@lru_cache(maxsize=1 << 16)
def top_run(tube: bytes) -> int:
    """The length of the run at the top of a tube, 0 for an empty one.

    >>> top_run(b"abb")
    2
    """
    return len(tube) - len(tube.rstrip(tube[-1:]))


@lru_cache(maxsize=1 << 16)
def bottom_run(tube: bytes) -> int:
    """The length of the run at the bottom of a tube, 0 for an empty one."""
    return len(tube) - len(tube.lstrip(tube[:1]))


@lru_cache(maxsize=1 << 16)
def block_count(tube: bytes) -> int:
    """The number of blocks in a tube.

    >>> block_count(b"abba")
    3
    """
    return len(tube) and 1 + sum(lower != upper for lower, upper in pairwise(tube))


@lru_cache(maxsize=1 << 16)
def colour_blocks(tube: bytes, colour: int) -> int:
    """The number of blocks of a colour in a tube.

    >>> colour_blocks(b"abba", ord("a"))
    2
    """
    return sum(run[0] == colour for run in groupby(tube))
