"""What packs publish of their levels, answers and recorded plans, and which end of a tube these show to be the top."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bsp_sat.backends.result import Status
from bsp_sat.backends.solve import solve_shortly
from bsp_sat.instances.errors import GoalNotReached, IllegalMove, PlanError
from bsp_sat.instances.files import Instance, KnownAnswer
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import SortPuzzle, is_hidden
from bsp_sat.instances.sorting.spellings.names import PUBLISHED, is_named, plain
from bsp_sat.instances.text.writing import json_text

MOST_EFFORT = 50_000_000
"""Expansions times tubes², some tenths of a second: after these no more levels are solved to learn the end."""

SURE = 2
"""An end is the top if more than this many times as many levels fit it alone as the other alone."""


class Ends(NamedTuple):
    """How many levels of a pack what is published fits, by which end of a tube is the top.

    ``levels`` counts those of which something is published, and which could be solved from both ends.
    """

    levels: int = 0
    as_read: int = 0
    turned: int = 0
    both: int = 0

    @property
    def other_is_top(self) -> bool | None:
        """Whether the other end than the one read is the top; None if nothing shows it."""
        here, there = self.as_read - self.both, self.turned - self.both
        return True if there > SURE * here else False if here > SURE * there else None


def recorded_plan(instance: Instance) -> tuple[str, int | None] | None:
    """The key of a recorded plan and its moves, None if it doesn't solve the level; None without one that is read."""
    for key, value in instance.about.items():
        if is_named(key, "steps") and isinstance(value, list) and value and (pairs := _pairs(value)) is not None:
            return key, _played(instance, pairs)
    return None


def published_answer(instance: Instance) -> KnownAnswer | None:
    """The fewest moves as the pack has them, or ``unsolvable``; None if it says nothing."""
    claims = [value for key, value in instance.about.items() if plain(key) in PUBLISHED and type(value) is int]
    claim = next(iter(claims), instance.known_answer)
    return None if claim == Status.UNKNOWN else claim


def ends_of(instances: Sequence[Instance]) -> Ends:
    """How what is published fits the levels from both ends, of those that show by nothing else which is the top.

    A plan fits if it solves the level, an answer if it is the proved one. Each search and all together are bounded in
    expansions, so that the same pack is read alike on every machine.
    """
    found, left = Ends(), MOST_EFFORT
    for instance in instances:
        if instance.other_end is None or is_hidden(instance.puzzle):
            continue
        fits: list[bool | None] = []
        for each in (instance, instance.other_end):
            if (plan := recorded_plan(each)) is not None:
                fits.append(plan[1] is not None)
            elif (claim := published_answer(each)) is None or left <= 0:
                break
            else:
                right, effort = _is_right(each, claim)
                fits.append(right)
                left -= effort
        match fits:
            case [bool() as here, bool() as there]:
                both = found.both + (here and there)
                found = Ends(found.levels + 1, found.as_read + here, found.turned + there, both)
    return found


def with_shown_ends(instances: Sequence[Instance]) -> list[Instance]:
    """The levels of a pack, all with the end on top that what is published shows; as they are if it shows none."""
    ends = ends_of(instances)
    if ends.other_is_top is None:
        return list(instances)
    fit, others = (ends.turned, ends.as_read) if ends.other_is_top else (ends.as_read, ends.turned)
    why = f" What is published shows this end: it fits {fit} of {ends.levels}, the other end {others}."
    return [_decided(instance, why, turned=ends.other_is_top) for instance in instances]


def _decided(instance: Instance, why: str, *, turned: bool) -> Instance:
    if instance.other_end is None:
        return instance
    taken = replace(instance.other_end, place=instance.place) if turned else replace(instance, other_end=None)
    return replace(taken, read_as=taken.read_as and taken.read_as + why)


def _is_right(instance: Instance, claim: KnownAnswer) -> tuple[bool | None, int]:
    """Whether a published answer is the proved one, None if a short search doesn't tell; and the effort of it."""
    puzzle = instance.puzzle
    assert isinstance(puzzle, SortPuzzle)  # others have no ends
    result = solve_shortly(puzzle)
    if result is None:
        return None, 0
    effort = int(result.stats.get("expansions", 0)) * len(puzzle.tubes) ** 2
    if not result.settled:
        return None, effort
    return claim == (str(Status.UNSOLVABLE) if result.plan is None else len(result.plan)), effort


def _pairs(steps: Sequence[Any]) -> list[tuple[int, int]] | None:
    """Recorded moves, such as ``[0, 2]`` or ``{"from": 0, "to": 2}``; None if they have another form."""
    pairs = []
    for step in steps:
        pair = [step.get("from"), step.get("to")] if isinstance(step, dict) else step
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(tube) is int for tube in pair):
            return None
        pairs.append((pair[0], pair[1]))
    return pairs


def _played(instance: Instance, pairs: Sequence[tuple[int, int]]) -> int | None:
    """The number of moves of a plan whose tubes count from 0 or from 1; None if it doesn't solve the level."""
    for first in (0, 1):
        try:
            plan = Plan.from_text(instance.puzzle, json_text([[tube - first for tube in pair] for pair in pairs]))
            plan.replay(instance.puzzle)
        except (PlanError, IllegalMove, GoalNotReached):
            continue
        return len(plan)
    return None
