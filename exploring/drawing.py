"""Fillings drawn at random, each as likely as any other that agrees with what is known."""

from random import Random

from bsp_sat.instances.sorting import Filling, HiddenSort

MOST_TRIES = 2_000  # for one filling; what is known rules out few arrangements, so that some ten are enough


def draw(board: HiddenSort, number: int, chance: Random) -> list[Filling]:
    """Fillings of ``board``, drawn independently; fewer than ``number`` where arrangements that agree are rare.

    The missing balls are shuffled over the unknown cells, and what shows something else is thrown away.
    """
    balls = [colour for colour, missing in enumerate(board.missing) for _ in range(missing)]
    place_of = {place: index for index, place in enumerate(board.unknown)}
    differing = [(place_of[place], colour) for place, colour in board.differing().items()]
    drawn: list[Filling] = []
    tries = 0
    while len(drawn) < number and tries < number * MOST_TRIES:
        tries += 1
        chance.shuffle(balls)
        if all(balls[index] != colour for index, colour in differing):
            drawn.append(bytes(balls))
    return drawn
