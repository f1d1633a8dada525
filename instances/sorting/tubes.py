"""Runs and blocks of one tube, a byte string with one byte a ball, bottom first."""

from functools import lru_cache
from itertools import groupby, pairwise


@lru_cache(maxsize=1 << 16)
def top_run(tube: bytes) -> int:
    """Number of balls of one colour on top of a tube, 0 for an empty one.

    >>> top_run(b"abb")
    2
    """
    return len(tube) - len(tube.rstrip(tube[-1:]))


@lru_cache(maxsize=1 << 16)
def bottom_run(tube: bytes) -> int:
    """Number of balls of one colour at the bottom of a tube, 0 for an empty one."""
    return len(tube) - len(tube.lstrip(tube[:1]))


@lru_cache(maxsize=1 << 16)
def block_count(tube: bytes) -> int:
    """Number of maximal one-colour runs in a tube.

    >>> block_count(b"abba")
    3
    """
    return len(tube) and 1 + sum(lower != upper for lower, upper in pairwise(tube))


@lru_cache(maxsize=1 << 16)
def colour_blocks(tube: bytes, colour: int) -> int:
    """Number of maximal runs of one colour in a tube.

    >>> colour_blocks(b"abba", ord("a"))
    2
    """
    return sum(run[0] == colour for run in groupby(tube))
