"""Draws fillings at random, uniformly among those that agree with what is known."""

from bisect import bisect
from itertools import accumulate
from random import Random

from bsp_sat.apps.covered.cases import Case, Cases
from bsp_sat.instances.sorting import Filling, SortPuzzle

MOST_TRIES = 2_000  # for each filling; few arrangements are ruled out, so about ten are enough


def sample_fillings(board: SortPuzzle, number: int, chance: Random, cases: Cases | None = None) -> list[Filling]:
    """Fillings of ``board``, drawn independently; fewer than ``number`` if few arrangements agree.

    A case (`bsp_sat.apps.covered.effects`) is drawn, weighted by the number of ways to distribute the balls that are
    still missing. These are shuffled over the unknown cells that the case leaves open. Arrangements that show something
    else, or belong to another case, are rejected.
    """
    cells = board.unknown
    cases = cases or Cases(board, board.differing())
    possible = [{}] if cases.possible is None else cases.possible
    if not possible:
        return []
    likely = list(accumulate(map(cases.ways, possible)))
    decks = [_balls_to_deal(board, case) for case in possible]
    drawn: list[Filling] = []
    tries = 0
    while len(drawn) < number and tries < number * MOST_TRIES:
        tries += 1
        chosen = bisect(likely, chance.randrange(likely[-1])) if len(possible) > 1 else 0
        case = possible[chosen]
        chance.shuffle(decks[chosen])
        balls = iter(decks[chosen])
        filling = bytes(case[place] if place in case else next(balls) for place, _ in cells)
        if cases.is_of(case, cells, filling):
            drawn.append(filling)
    return drawn


def _balls_to_deal(board: SortPuzzle, case: Case) -> list[int]:
    """The missing balls without those of a case's tubes."""
    missing = list(board.missing)
    for place, _ in board.unknown:
        if place in case:
            missing[case[place]] -= 1
    return [colour for colour, number in enumerate(missing) for _ in range(number)]
