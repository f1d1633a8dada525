"""An audit of a pack: can each level be solved, is what is published of it right, is it a duplicate, where it jumps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from bsp_sat.apps.levels.alike import KnownBoards, Twin
from bsp_sat.backends.published import published_answer, recorded_plan
from bsp_sat.backends.result import Status
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.words import quantity

LEAST, BEFORE = 3, 5  # levels that a jump is measured against
STEEP, HIGH = 1.5, 5  # a jump: times their median, and moves above it


@dataclass(frozen=True)
class AuditedLevel:
    """What an audit says of a level.

    ``length`` is that of the shortest plan that was found, with hidden cells of a strategy in the worst case. By
    ``excess`` moves a recorded plan is longer than the optimum; by ``jump`` moves the level exceeds the median of those
    before, if that is a jump.
    """

    number: int
    name: str
    size: str
    status: str
    length: int | None
    claim: str
    is_wrong: bool
    excess: int | None
    twin: Twin | None
    jump: int | None

    @property
    def notes(self) -> list[str]:
        """What a designer should look at, each in a sentence without its level."""
        found = []
        if self.status == Status.UNSOLVABLE:
            found.append("can't be solved")
        elif self.status != Status.OPTIMAL:
            found.append("no answer in time" if self.status == Status.UNKNOWN else self.status)
        if self.is_wrong or self.excess:
            found.append(self.claim)
        if self.twin is not None:
            found.append(f"is level {self.twin.number + 1} again" + (", upside down" if self.twin.turned else ""))
        if self.jump is not None:
            found.append(f"{quantity(self.jump, 'move')} above the levels before")
        return found


def audited(answers: Sequence[tuple[Instance, Mapping[str, Any]]]) -> Iterator[AuditedLevel]:
    """Audits a pack: its levels in order, each with its result as an object."""
    known = KnownBoards()
    before: list[int] = []
    for number, (instance, answer) in enumerate(answers, start=1):
        length, status = answer.get("length"), str(answer["status"])
        claim, is_wrong, excess = _judged(instance, answer)
        twin = known.twin_of(instance.puzzle)
        known.add(instance.puzzle)
        jump = None
        if status == Status.OPTIMAL and length is not None:
            usual = median(before[-BEFORE:]) if len(before) >= LEAST else None
            if usual is not None and length >= STEEP * usual and length >= usual + HIGH:
                jump = round(length - usual)
            before.append(length)
        size = instance.puzzle.summary()
        yield AuditedLevel(number, instance.name, size, status, length, claim, is_wrong, excess, twin, jump)


def _judged(instance: Instance, answer: Mapping[str, Any]) -> tuple[str, bool, int | None]:
    """What the pack says of a level, whether it is wrong, and how much too long a recorded plan is."""
    optimum = answer["length"] if answer["status"] == Status.OPTIMAL else None
    if (plan := recorded_plan(instance)) is not None:
        key, moves = plan
        if moves is None:
            return f"{key}: a plan that doesn't solve the level", True, None
        excess = None if optimum is None else moves - optimum
        return f"{key}: a plan of {quantity(moves, 'move')}, the fewest are {optimum}", False, excess
    if (claim := published_answer(instance)) is None:
        return "", False, None
    said = f"says {claim}"
    proved = Status.UNSOLVABLE if answer["status"] == Status.UNSOLVABLE else optimum
    if claim == proved:
        return f"{said}, right", False, None
    if proved == Status.UNSOLVABLE:
        return f"{said}, and it can't be solved", True, None
    if claim == Status.UNSOLVABLE:
        return f"{said}, and there is a plan of {answer.get('length')}", answer.get("length") is not None, None
    if optimum is not None:
        return f"{said}, the fewest moves are {optimum}", True, None
    bound, length = answer.get("lower_bound") or 0, answer.get("length")
    is_wrong = isinstance(claim, int) and (claim < bound or (length is not None and claim > length))
    return f"{said}, proved is {bound} or more", is_wrong, None
