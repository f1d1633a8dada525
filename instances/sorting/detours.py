"""How many balls have to move twice where they may go anywhere, if each colour ends in one tube.

Take a plan. A colour's **home** is the tube that it ends in; the balls that never move are **kept**: they lie at the
bottom of their home. Every other ball moves at least once. One that moves only once goes **straight** home.

*When a home is cleared.* Let a home be cleared when its last ball that isn't kept has left its place for the first
time. A ball that goes straight home stays there, and so do all balls below it by then. A ball of the home that isn't
kept and hasn't left yet would be below it and would leave later. So a ball goes straight home only after its home was
cleared; and it leaves its own tube no later than that is cleared. So a ball from a tube that is cleared before its
home, or from its home itself, makes a **detour**: it moves at least twice.

*The bound.* Order the homes as they are cleared. For the first home, the detours are those of the balls of its colour
in it that aren't kept; for each next one, of its colour in all homes so far. Tubes that are no home count as
cleared last. The fewest moves are at least

    balls − kept + detours,  at the least over all choices of homes and all orders.

Keeping more balls of a home's colour never costs anything, so its whole bottom run counts as kept. The least is found
exactly, over sets of homes and of colours. If the homes are given this is a minimum feedback arc set of the graph with
an arc from tube to tube for each ball that wants to go there; with a vertex for each ball, a feedback vertex set
(Althaus and others, SoCS 2025, doi 10.1609/socs.v18i1.35971). Tubes outside of its cycles, those that no ball wants to
go to or to leave, are taken out first.

If there are many colours they are split into groups, and the sum over the groups is taken. That is a bound, too: in the
best order of all homes, those of one group have no more detours if the others aren't counted as cleared.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from math import comb

MOST_SETS = 2_000  # of homes and colours in a group; some milliseconds

Homes = Mapping[int, Mapping[int, int]]
"""For each colour the tubes that may be its home, each with the number of balls that it keeps."""


def moves_of_homes(tubes: Sequence[bytes], homes: Homes) -> int:
    """The least of detours − kept, over all choices of homes, and all orders in which they are cleared.

    >>> moves_of_homes([b"ab", b"ba", b""], {ord("a"): {0: 1}, ord("b"): {1: 1}})
    -1
    >>> moves_of_homes([b"ab", b"ba", b""], {ord("a"): {1: 0}, ord("b"): {0: 0}})
    3
    """
    total, given = 0, len(homes) == sum(map(len, homes.values()))
    colours = list(homes)
    if given:
        colours, others = _in_cycles(tubes, {colour: place for colour in homes for place in homes[colour]})
        total = sum(_at_home(tubes, colour, *each) for colour in others for each in homes[colour].items())
    size = group_size(len(tubes), given=given)
    groups = [colours[start : start + size] for start in range(0, len(colours), size)]
    return total + sum(_least(tubes, {colour: homes[colour] for colour in group}) for group in groups)


def group_size(tubes: int, *, given: bool) -> int:
    """How many colours make a group, more if each colour has only one choice of its home."""
    return max(
        1, *(size for size in range(tubes + 1) if (1 << size if given else comb(size + tubes, size)) <= MOST_SETS)
    )


def _at_home(tubes: Sequence[bytes], colour: int, place: int, kept: int) -> int:
    """Detours − kept of the balls of a colour that lie in its home."""
    return tubes[place].count(colour) - 2 * kept


def _in_cycles(tubes: Sequence[bytes], home: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """The colours whose homes some ball wants to go to and some other ball wants to leave, and the others."""
    wants = {colour: {to for to in home if to != colour and to in tubes[place]} for colour, place in home.items()}
    left = set(home)
    while True:
        wanted = set().union(*(wants[colour] & left for colour in left))
        inside = {colour for colour in left & wanted if wants[colour] & left}
        if inside == left:
            return sorted(left), sorted(home.keys() - left)
        left = inside


def _least(tubes: Sequence[bytes], homes: Homes) -> int:
    """The least of detours − kept for these colours alone, home by home in the order in which they are cleared."""
    choices = [
        (1 << number, colour, [(1 << place, _at_home(tubes, colour, place, kept)) for place, kept in places.items()])
        for number, (colour, places) in enumerate(homes.items())
    ]

    @cache
    def waiting(colour: int, cleared: int) -> int:
        """Balls of a colour in a set of tubes."""
        last = cleared.bit_length() - 1
        return waiting(colour, cleared ^ 1 << last) + tubes[last].count(colour) if cleared else 0

    costs = {(0, 0): 0}
    for _ in homes:
        following: dict[tuple[int, int], int] = {}
        for (cleared, done), cost in costs.items():
            for colour_bit, colour, places in choices:
                if not done & colour_bit:
                    so_far, done_then = cost + waiting(colour, cleared), done | colour_bit
                    for place_bit, at_home in places:
                        if not cleared & place_bit:
                            key, value = (cleared | place_bit, done_then), so_far + at_home
                            if following.get(key, value + 1) > value:
                                following[key] = value
        costs = following
    return min(costs.values(), default=0)
