"""A canonical form of boards: the same for all that differ by the order of tubes and the names of colours."""

from bsp_sat.instances.sorting import SortPuzzle

Tubes = tuple[tuple[int, ...], ...]


def canonical_form(puzzle: SortPuzzle) -> Tubes:
    """The same for two boards exactly if they differ by the order of tubes and the names of colours alone."""
    return _least(puzzle.tubes, [0] * len(puzzle.palette))[0]


def colour_ranks(puzzle: SortPuzzle) -> bytes:
    """By colour, its number in the `canonical_form`."""
    return bytes(_least(puzzle.tubes, [0] * len(puzzle.palette))[1])


def _least(tubes: tuple[bytes, ...], ranks: list[int]) -> tuple[Tubes, list[int]]:
    """The tubes with their colours by rank, in order, and the ranks.

    Colours get ranks by where they lie, and then by the ranks that lie around them, until no more can be told apart.
    Where colours still look alike, each of them is put first in turn, and the least of the outcomes counts.
    """
    ranks = _refined(tubes, ranks)
    alike = next((rank for rank in range(len(ranks)) if ranks.count(rank) > 1), None)
    if alike is None:
        return tuple(sorted(tuple(ranks[ball] for ball in tube) for tube in tubes)), ranks
    chosen: list[int] = []
    for colour, rank in enumerate(ranks):
        if rank == alike and not any(_are_twins(tubes, colour, other) for other in chosen):
            chosen.append(colour)
    # The one that is chosen comes before those it was alike.
    split = ([2 * rank + (rank == alike and c != colour) for c, rank in enumerate(ranks)] for colour in chosen)
    return min(_least(tubes, further) for further in split)


def _are_twins(tubes: tuple[bytes, ...], one: int, other: int) -> bool:
    """Whether two colours can take each other's places and leave the same tubes, so that either may go first."""
    names = bytes(range(256)).translate(bytes.maketrans(bytes([one, other]), bytes([other, one])))
    return sorted(tube.translate(names) for tube in tubes) == sorted(tubes)


def _refined(tubes: tuple[bytes, ...], ranks: list[int]) -> list[int]:
    """Ranks from 0, without gaps, that tell as many colours apart as their surroundings do."""
    while True:
        around: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in ranks]
        for tube in tubes:
            seen = tuple(ranks[ball] for ball in tube)
            for height, ball in enumerate(tube):
                around[ball].append((height, seen))
        looks = [(rank, sorted(places)) for rank, places in zip(ranks, around, strict=True)]
        order = sorted(looks)
        refined = [order.index(look) for look in looks]
        if len(set(refined)) == len(set(ranks)):
            return refined
        ranks = refined
