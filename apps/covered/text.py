"""What is known of a board with hidden cells, in sentences."""

from collections.abc import Iterator

from bsp_sat.apps.covered.policy import Advice
from bsp_sat.apps.covered.strategy import StrategyResult
from bsp_sat.apps.covered.study import HiddenStudy
from bsp_sat.backends.explanation import Reason, Topic
from bsp_sat.instances.text.words import quantity


def sentences_of(found: HiddenStudy) -> list[str]:
    """What a study has found: fillings with a plan, moves in the worst case and on average, and notes."""
    lines = [_solvable(found), *_worst(found), *_average(found), *(f"Note: {note}." for note in found.notes)]
    if found.worst.strategy is not None:
        lines.append("The strategies are in --json; `bsp-sat play` goes through one, move by move.")
    return lines


def _solvable(found: HiddenStudy) -> str:
    if found.regardless is not None:
        which, why = found.regardless
        has = "Every filling of the hidden cells has" if which == "all" else "No filling of the hidden cells has"
        return f"{has} a plan, proved: {why}{'' if which == 'all' else ', none of them solved'}."
    if found.looked_at == 0:
        return "No filling was examined."
    looked_at = quantity(found.looked_at, "filling")
    if found.fillings is None:
        return f"Of {looked_at} drawn at random, {found.solvable:,} have a plan: solvable for {found.solvable_for}."
    if found.looked_at < found.fillings:
        return f"Of {looked_at} examined, {found.solvable:,} have a plan."
    possible = "is possible" if found.looked_at == 1 else "are possible"
    have = {"all": "all have a plan", "none": "none has a plan"}.get(
        found.solvable_for, f"{found.solvable:,} have a plan"
    )
    return f"{looked_at} of the hidden cells {possible}: {have}, proved."


def _worst(found: HiddenStudy) -> list[str]:
    if found.worst.value is not None:
        return [f"In the worst case you need {quantity(found.worst.value, 'move')}; proved: no strategy needs fewer."]
    return (
        [f"In the worst case you need {quantity(found.worst.bound, 'move')} or more, proved."] if found.solvable else []
    )


def _average(found: HiddenStudy) -> list[str]:
    if not found.solvable:
        return []
    about = "" if found.interval is None else f" ± {found.interval:.2f} (estimated, 95 %)"
    lines = [f"Knowing what is hidden, you would need {found.mean_known:.2f} moves on average{about}."]
    if found.average is not None:
        value, bound = found.average.value, found.average.bound / found.solvable
        said = f"{bound:.2f} moves or more" if value is None else f"{value / found.solvable:.2f} moves at best"
        lines.insert(0, f"On average you need {said}, proved.")
    return lines


def reasons_of(found: HiddenStudy) -> Iterator[Reason]:
    """How what a study has found is known, and what isn't."""
    worst, examined = found.worst, quantity(found.looked_at, "filling")
    if worst.value is not None:
        played = "`bsp-sat check BOARD RESULT` plays it for every filling"
        yield Reason(Topic.PLAN, f"A strategy of {quantity(worst.value, 'move')} in the worst case; {played}.")
    if found.regardless is None and found.fillings != found.looked_at:
        yield Reason(
            Topic.OPEN, f"Only {examined} were examined: for the others it isn't known whether they have a plan."
        )
    elif found.solvable and worst.value is None:
        yield Reason(Topic.OPEN, "Whether a strategy solves all fillings that have a plan, without a restart.")
    if found.solvable:
        longest = quantity(found.longest, "move")
        average = "; the mean of all shortest plans bounds the average" if found.average is not None else ""
        yield Reason(Topic.BOUND, f"A filling's shortest plan has {longest}, and every strategy needs them{average}.")
    if worst.bound > found.longest:
        yield Reason(Topic.REFUTED, f"AND-OR search went through all strategies of fewer than {worst.bound:,} moves.")
    elif found.regardless is not None and not found.solvable:
        yield Reason(Topic.REFUTED, f"All that can come to be known was searched: {found.regardless[1]}, none solved.")
    elif not found.solvable and found.looked_at:
        yield Reason(Topic.REFUTED, f"Each of {examined} was searched to the end: none has a plan.")
    yield Reason(
        Topic.TRUST, "The exact search of each filling and, for strategies, the AND-OR search over what shows."
    )


def played_sentence(name: str, outcome: StrategyResult | Exception) -> str:
    """What came of playing a strategy for every filling: the moves it took, or why it fails."""
    if not isinstance(outcome, StrategyResult):
        return f"Invalid ({name}): {outcome}"
    passed_over = f"; {outcome.passed_over} without a plan passed over" if outcome.passed_over else ""
    return (
        f"Valid ({name}): the strategy solves {quantity(outcome.fillings, 'filling')}, in at most "
        f"{quantity(outcome.worst, 'move')} and {outcome.mean:.2f} on average{passed_over}."
    )


def rest_after(advice: Advice) -> str:
    """What an advised move begins: how many moves it is to something new, and what is left then."""
    moves = quantity(len(advice.route), "move")
    if advice.known:
        return f"{moves} left, proved"
    drawn = ", estimated" if advice.drawn else ""
    news = f"{'shows' if advice.shows else 'tells'} something new in {moves}"
    said = f"{news}, then about {advice.left:.1f} more if this attempt succeeds{drawn}"
    if advice.alive == advice.fillings:
        return said
    return f"{said}; solvable in {advice.alive} of {advice.fillings}{' drawn' if advice.drawn else ''} fillings"


def why_restart(advice: Advice) -> str:
    """Why the game has to be restarted."""
    if advice.known:
        return "no plan leads on from here, proved"
    if advice.alive:
        return "nothing more can be seen from here"
    drawn = " (estimated from a sample)" if advice.drawn else ""
    return f"none of {advice.fillings} fillings can be solved from here{drawn}"
