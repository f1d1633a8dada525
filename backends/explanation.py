"""How an answer was proved, in words: for the command line and the page, from the facts in a `Result`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.result import Asks, Question, Result, Status, excludes
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.text.words import quantity


class Topic(StrEnum):
    """What a reason is about."""

    PLAN = "plan"
    """How many moves are enough."""

    BOUND = "bound"
    """How many moves are needed, without a search."""

    HORIZONS = "horizons"
    """What a solver was asked."""

    REFUTED = "refuted"
    """What excludes shorter plans, or any plan."""

    OPEN = "open"
    """What isn't known."""

    TRUST = "trust"
    """What has to be believed."""


@dataclass(frozen=True)
class Reason:
    """A part of an explanation."""

    topic: Topic
    words: str

    @property
    def row(self) -> tuple[str, str]:
        """The topic and the words, to be printed side by side."""
        return self.topic.capitalize(), self.words


def explained(puzzle: AnyPuzzle, result: Result) -> Iterator[Reason]:
    """What is known and what isn't, and why."""
    if result.plan is not None:
        by = f", found by {result.stats['plan_by']}" if "plan_by" in result.stats else ""
        moves = quantity(result.length, "move")
        yield Reason(Topic.PLAN, f"{moves}{by}, played by the rules from the board to the goal.")
    if result.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        yield Reason(Topic.OPEN, _open(result))
    bound = puzzle.lower_bound()
    if result.length != 0 and result.lower_bound is not None and result.lower_bound >= bound:
        least = f"Every plan has {quantity(bound, 'move')} or more."
        yield Reason(Topic.BOUND, f"{least} That is the lower bound: it counts moves that every plan needs.")
    if asked := asked_in_words(result):
        yield Reason(Topic.HORIZONS, asked)
    if result.status is Status.UNSOLVABLE:
        yield Reason(Topic.REFUTED, _no_plan(puzzle, result))
    elif result.lower_bound is not None and result.lower_bound > bound:
        yield Reason(Topic.REFUTED, _no_shorter_plan(result, bound, result.lower_bound - 1))
    trusted = _trusted(result, bound)
    yield Reason(Topic.TRUST, f"{trusted[0].upper()}{trusted[1:]}.")


def counted(result: Result, figure: str) -> int | None:
    """How much the proof looked at, by the figure of the backend that settled the board; None if that has another."""
    return result.stats.get(figure) if figure and _settling(result).counts == figure else None


def _trusted(result: Result, bound: int) -> str:
    if result.lower_bound is None or result.lower_bound > bound:
        return _settling(result).rests_on
    return "the rules, and their lower bound (docs/search.md)" if result.lower_bound == bound else "the rules alone"


def _settling(result: Result) -> type[Backend]:
    """The backend that settled the board; results from elsewhere may name one that isn't known here."""
    return BACKENDS.get(result.settled_by, Backend)


def asked_in_words(result: Result) -> str:
    """What a solver was asked, and what it answered; empty if that is no part of the proof."""
    if not result.questions:
        if result.encoding is None or result.status is not Status.OPTIMAL:
            return ""
        return "A quick search found a plan as short as the lower bound: nothing was left to ask."
    times = len(result.questions)
    encoding = f" (encoding {result.encoding})" if result.encoding else ""
    asked = f"{result.solver or 'A solver'} was asked {quantity(times, 'time')}{encoding}"
    refuted = [question for question in result.questions if question.refutes]
    found = [f"refuted {_sought(refuted)}"] if refuted else []
    has_model = any(question.satisfiable for question in result.questions)
    found += ["found a plan"] if has_model else []
    said = f"It {' and '.join(found) or 'settled nothing'}"
    conflicts = sum(question.conflicts or 0 for question in result.questions)
    seconds = sum(question.seconds for question in result.questions)
    elsewhere = origin(result)
    return f"{asked}. {said}: {quantity(conflicts, 'conflict')}, {seconds:.2f} s.{elsewhere and ' '}{elsewhere}"


def beside_questions(puzzle: AnyPuzzle, result: Result) -> list[str]:
    """What the table of a solver's questions doesn't say: how it knew where to begin, and whose the plan is."""
    if not result.questions:
        return [words] if (words := asked_in_words(result)) else []
    begun = ""
    if any(question.horizon == puzzle.lower_bound() for question in result.questions):
        begun = f"It began at the lower bound: every plan has {quantity(puzzle.lower_bound(), 'move')} or more."
        if (guide := result.stats.get("guide")) is not None:
            horizons = [question.horizon for question in result.questions if question.horizon is not None]
            leapt = any(later - former > 1 for former, later in pairwise(horizons))
            then = f", so it went on with {guide - 1}" if leapt else ""
            begun += f" A quick search had found {quantity(guide, 'move')}{then}."
    return [words for words in (begun, origin(result)) if words]


def origin(result: Result) -> str:
    """Where the plan of a solver's run is from, in a sentence; empty where it is a model."""
    if result.plan is None or any(question.satisfiable for question in result.questions):
        return ""
    return f"The plan of {quantity(result.length, 'move')} is that of a quick search, no model."


def _sought(questions: Iterable[Question]) -> str:
    """What was asked for, such as ``plans of at most 31 to 33 and 37 moves``."""
    parts = []
    for asks, group in groupby(questions, key=lambda question: question.asks):
        horizons = sorted({question.horizon for question in group if question.horizon is not None})
        parts.append("plans of any length" if asks is Asks.ANY else f"plans of {asks} {_ranges(horizons)} moves")
    return ", ".join(parts)


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers in words.

    >>> _ranges([31, 32, 33, 37])
    '31 to 33 and 37'
    """
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    *others, last = (str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
    return f"{', '.join(others)} and {last}" if others else last


def _no_plan(puzzle: AnyPuzzle, result: Result) -> str:
    if stuck := puzzle.stuck():
        return f"{stuck}."
    settling = _settling(result)
    number = counted(result, settling.counts)
    if number is None:
        return f"It is proved that there is no plan: {result.reason}."
    return settling.no_plan.format(states=quantity(number, "state"), tables=quantity(number, "table"))


def _no_shorter_plan(result: Result, first: int, last: int) -> str:
    excluded = quantity(first, "move") if first == last else f"{first} to {quantity(last, 'move')}"
    states = counted(result, "expansions")
    if states is not None:
        looked_at = quantity(states, "state")
        return f"A search excluded plans of {excluded}: it looked at {looked_at}, and none leads to such a plan."
    return f"Plans of {excluded} were excluded by the backend {result.settled_by}."


def _open(result: Result) -> str:
    if result.length is not None:
        length = quantity(result.length, "move")
        return f"Whether {length} are the fewest isn't known: {result.lower_bound} or more are needed."
    if excludes(result.lower_bound, result.max_steps):
        return f"Whether there is a plan of more than {quantity(result.max_steps, 'move')} isn't known."
    return f"Whether there is a plan isn't known. If so, it has {quantity(result.lower_bound, 'move')} or more."
