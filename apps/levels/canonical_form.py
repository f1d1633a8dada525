"""A canonical form of boards that ignores the order of tubes and the names of colours."""

from bsp_sat.instances.sorting import SortPuzzle

Tubes = tuple[tuple[int, ...], ...]


def canonical_form(puzzle: SortPuzzle) -> Tubes:
    """Equal for two boards if and only if they differ at most in the order of tubes and the names of colours."""
    return _sorted_with_ranks(puzzle.tubes, [0] * len(puzzle.palette))[0]


def colour_ranks(puzzle: SortPuzzle) -> bytes:
    """The number of each colour in the `canonical_form`."""
    return bytes(_sorted_with_ranks(puzzle.tubes, [0] * len(puzzle.palette))[1])


def _sorted_with_ranks(tubes: tuple[bytes, ...], ranks: list[int]) -> tuple[Tubes, list[int]]:
    """The sorted tubes, with ranks in place of colours, and the rank of each colour.

    Colours are ranked by their places, then repeatedly by the ranks next to them, until nothing changes. If colours
    still have the same rank, each of them is tried as the first, and the least result counts.
    """
    ranks = _refined_ranks(tubes, ranks)
    alike = next((rank for rank in range(len(ranks)) if ranks.count(rank) > 1), None)
    if alike is None:
        return tuple(sorted(tuple(ranks[ball] for ball in tube) for tube in tubes)), ranks
    chosen: list[int] = []
    for colour, rank in enumerate(ranks):
        if rank == alike and not any(_are_twins(tubes, colour, other) for other in chosen):
            chosen.append(colour)
    # The chosen colour comes before those of the same rank.
    split = ([2 * rank + (rank == alike and c != colour) for c, rank in enumerate(ranks)] for colour in chosen)
    return min(_sorted_with_ranks(tubes, further) for further in split)


def _are_twins(tubes: tuple[bytes, ...], one: int, other: int) -> bool:
    """Whether exchanging two colours leaves the same tubes, so that only one of them has to be tried."""
    names = bytes(range(256)).translate(bytes.maketrans(bytes([one, other]), bytes([other, one])))
    return sorted(tube.translate(names) for tube in tubes) == sorted(tubes)


def _refined_ranks(tubes: tuple[bytes, ...], ranks: list[int]) -> list[int]:
    """Ranks from 0, without gaps, that distinguish colours with different places or neighbours."""
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
