"""`bsp-sat solve` and `bsp-sat check` on boards with hidden cells: strategies instead of plans."""

from dataclasses import asdict, dataclass
from types import SimpleNamespace

import click

from bsp_sat.apps.covered.board import arrangements
from bsp_sat.apps.covered.strategy import StrategyResult
from bsp_sat.apps.covered.study import HiddenStudy, check_study, play_strategies, study
from bsp_sat.apps.covered.text import played_sentence, reasons_of, sentences_of
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.explanation import Reason
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run import Call, Returned, Run
from bsp_sat.cli.group import EXIT_NO
from bsp_sat.cli.options import EXIT_CODES, stop_on_signals
from bsp_sat.cli.screen import Screen, heading, working
from bsp_sat.cli.wanted import Wanted
from bsp_sat.instances.errors import BoardError, PlanError, Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import SortPuzzle, is_hidden
from bsp_sat.instances.text.reading import in_words, parse_json, read_text
from bsp_sat.instances.text.writing import json_text


def study_one(instance: Instance, backend: Backend, limits: Limits, wanted: Wanted) -> int:
    """Proves what it can about a board with hidden cells, prints it, and returns the exit code."""
    wanted.check_for_hidden(backend, limits)
    board = instance.puzzle
    assert is_hidden(board)
    with stop_on_signals() as stop, working("looking for strategies"):
        found = study(board, seconds=limits.seconds, is_stopped=stop.is_set)
    reasons = list(reasons_of(found)) if wanted.explain else []
    if wanted.as_json:
        more = {"explanation": [asdict(reason) for reason in reasons]} if wanted.explain else {}
        click.echo(json_text({**found.to_json(), **more}))
    else:
        _print(instance, found, reasons)
    return EXIT_CODES[found.status]


@dataclass(frozen=True)
class StudyBoard(Call[HiddenStudy]):
    """The study of one of many boards with hidden cells, which keeps the limit of time itself."""

    @classmethod
    def of(cls, board: SortPuzzle, limits: Limits) -> "StudyBoard":
        """The study of a board."""
        return cls(study, (board, limits.seconds), Limits(memory_mb=limits.memory_mb))

    def result(self, run: Run[Returned[HiddenStudy]]) -> HiddenStudy:
        """What was found; nothing, and why, if the memory didn't suffice or the board is too large."""
        try:
            return super().result(run)
        except Unsupported as error:
            return HiddenStudy(arrangements(self.arguments[0]), seconds=run.seconds(), notes=[str(error)])


def _print(instance: Instance, found: HiddenStudy, reasons: list[Reason]) -> None:
    out = Screen()
    out.show_board(heading(instance), instance.puzzle)
    for line in sentences_of(found):
        out.print(line, wrap=False)
    out.print(f"and-or: {found.seconds:.2f} s", style="dim")
    if reasons:
        out.list_topics([reason.row for reason in reasons])


def check_file(board: SortPuzzle, source: str) -> int:
    """Plays the strategies in a file for every filling, and returns the exit code; PlanError if it holds none."""
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
        click.echo(played_sentence(name, outcome))
        if not isinstance(outcome, StrategyResult):
            code = EXIT_NO
    return code


COVERED = SimpleNamespace(study_one=study_one, job=StudyBoard.of, check_file=check_file, check_line=check_study)
"""A `bsp_sat.cli.parts.Covered`."""
