"""`bsp-sat solve` and `bsp-sat check` on boards with hidden cells: strategies instead of plans."""

from dataclasses import dataclass

import click

from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run import Call, Returned, Run
from bsp_sat.cli.options import EXIT_CODES, EXIT_NO, stop_on_signals
from bsp_sat.cli.output.live import working
from bsp_sat.hidden.strategy import StrategyResult
from bsp_sat.hidden.study import HiddenStudy, play_strategies, study
from bsp_sat.instances.errors import BoardError, PlanError, Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import HiddenSort
from bsp_sat.instances.text.reading import in_words, parse_json, read_text
from bsp_sat.instances.text.writing import json_text


def solve_hidden(instance: Instance, limits: Limits, *, as_json: bool) -> int:
    """Proves what it can about a board with hidden cells, prints it, and returns the exit code."""
    board = instance.puzzle
    assert isinstance(board, HiddenSort)
    with stop_on_signals() as stop, working("looking for strategies"):
        found = study(board, seconds=limits.seconds, is_stopped=stop.is_set)
    if as_json:
        click.echo(json_text(found.to_json()))
    else:
        _print(instance, found)
    return EXIT_CODES[found.status]


@dataclass(frozen=True)
class StudyBoard(Call[HiddenStudy]):
    """The study of one of many boards with hidden cells.

    It keeps the limit of time itself, and then says what it has found.
    """

    @classmethod
    def of(cls, board: HiddenSort, limits: Limits) -> "StudyBoard":
        """The study of a board."""
        return cls(_study, (board, limits.seconds), Limits(memory_mb=limits.memory_mb))

    def result(self, run: Run[Returned[HiddenStudy]]) -> HiddenStudy:
        """What was found; nothing, and why, if the memory didn't suffice or the board is too large."""
        try:
            return super().result(run)
        except Unsupported as error:
            board: HiddenSort = self.arguments[0]
            return HiddenStudy(board.arrangements(), seconds=run.seconds(), notes=[str(error)])


def _study(board: HiddenSort, seconds: float | None) -> HiddenStudy:
    return study(board, seconds=seconds)


def _print(instance: Instance, found: HiddenStudy) -> None:
    from rich.text import Text

    from bsp_sat.cli.output import screen

    out = screen.console()
    out.print(screen.heading(instance), screen.Drawing(instance.puzzle), "", sep="\n")
    lines = [_solvable(found), *_worst(found), *_average(found), *(f"Note: {note}." for note in found.notes)]
    if found.worst.strategy is not None:
        lines.append("The strategies are in --json; `bsp-sat play` goes through one, move by move.")
    for line in lines:
        out.print(Text(line), soft_wrap=True)
    out.print(Text(f"and-or: {found.seconds:.2f} s", "dim"))


def _solvable(found: HiddenStudy) -> str:
    if found.looked_at == 0:
        return "No filling was examined."
    looked_at = f"{found.looked_at:,} filling{'' if found.looked_at == 1 else 's'}"
    if found.fillings is None:
        return f"Of {looked_at} drawn, {found.solvable:,} have a plan: solvable for {found.solvable_for}."
    if found.looked_at < found.fillings:
        return f"Of {looked_at} examined, {found.solvable:,} have a plan."
    have = {"all": "all have a plan", "none": "none has a plan"}.get(
        found.solvable_for, f"{found.solvable:,} have a plan"
    )
    return f"Of {looked_at} {have}, proved."


def _worst(found: HiddenStudy) -> list[str]:
    if found.worst.value is not None:
        return [f"In the worst case {found.worst.value} moves; proved: no strategy needs fewer."]
    return [f"In the worst case {found.worst.bound} moves or more, proved."] if found.solvable else []


def _average(found: HiddenStudy) -> list[str]:
    if not found.solvable:
        return []
    about = "" if found.interval is None else f" ± {found.interval:.2f} (estimated, 95 %)"
    lines = [f"For a player who knows what is hidden {found.mean_known:.2f} moves on average{about}."]
    if found.average is not None:
        value, bound = found.average.value, found.average.bound / found.solvable
        said = f"{bound:.2f} moves or more" if value is None else f"{value / found.solvable:.2f} moves at best"
        lines.insert(0, f"On average {said}, proved.")
    return lines


def check_file(board: HiddenSort, source: str) -> int:
    """Plays the strategies in the file ``source`` for every filling, prints the results, and returns the exit code.

    Raises:
        PlanError: the file holds no strategy.
    """
    try:
        data = parse_json(read_text(source))
    except FileNotFoundError:
        raise PlanError(f"{source}: no such file") from None
    except BoardError as error:
        raise PlanError(str(error)) from None
    if not isinstance(data, dict) or not isinstance(data.get("strategy"), dict):
        raise PlanError(f'{in_words(source)}: expected an object with a "strategy", as the board has hidden cells')
    code = 0
    for name, outcome in play_strategies(board, data):
        if isinstance(outcome, StrategyResult):
            passed_over = f"; {outcome.passed_over} without a plan passed over" if outcome.passed_over else ""
            click.echo(
                f"Valid ({name}): the strategy solves {outcome.fillings:,} fillings, in {outcome.worst} moves at most "
                f"and {outcome.mean:.2f} on average{passed_over}."
            )
        else:
            click.echo(f"Invalid ({name}): {outcome}")
            code = EXIT_NO
    return code
