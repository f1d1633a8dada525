"""Solves one board for `bsp-sat solve`: finds out all that is wanted, and then has it printed."""

import sys
import time
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

import click

from bsp_sat.backends import proofs
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import Limits, least_extra_tubes, solve_here_first
from bsp_sat.cli.boards import compared_with_file, sort_puzzle, with_extra_tubes
from bsp_sat.cli.commands.solve_facts import Answer, Wanted
from bsp_sat.cli.exits import EXIT_UNKNOWN
from bsp_sat.cli.live import live_status, working
from bsp_sat.cli.options import EXIT_CODES, stop_on_signals
from bsp_sat.instances.files import Instance
from bsp_sat.instances.text.writing import json_text

if TYPE_CHECKING:
    from bsp_sat.cli.commands.solve_answer import QuestionTable


def solve_one(process: Process, instance: Instance, backend: Backend, limits: Limits, wanted: Wanted) -> int:
    """Solves one board, prints the answer, and returns the exit code."""
    if wanted.certificate is not None:
        proofs.prepare(wanted.certificate, instance.puzzle, wanted.proof)  # before hours of work
    table = None
    shows_questions = backend.solver_name is not None and (not wanted.as_json or sys.stderr.isatty())
    if shows_questions or not wanted.as_json:
        from bsp_sat.cli.commands.solve_answer import QuestionTable, print_answer, print_board

        table = QuestionTable(stderr=wanted.as_json) if shows_questions else None
    backend.check(instance.puzzle)
    with stop_on_signals() as stop:
        before_it = None if wanted.as_json else print_board
        answer = _Solving(process, backend, limits, wanted, stop).answer(instance, table, before_it)
    if wanted.as_json:
        click.echo(json_text(answer.to_json()))
    else:
        print_answer(answer)
    if answer.not_certified:
        click.echo(f"Error: no certificate: {answer.not_certified}", err=True)
    cut_short = stop.is_set() and answer.result.status is Status.FEASIBLE
    return EXIT_UNKNOWN if cut_short or answer.not_certified else EXIT_CODES[answer.result.status]


class _Solving(NamedTuple):
    """Finds out all that is wanted: by a process and a backend, within limits, and until it is stopped."""

    process: Process
    backend: Backend
    limits: Limits
    wanted: Wanted
    stop: Event

    def answer(
        self, instance: Instance, table: "QuestionTable | None", show: Callable[[Instance], None] | None
    ) -> Answer:
        """The answer; shows the board as soon as it is known, and what a solver is asked."""
        began = time.monotonic()
        extra_tubes, result = self.wanted.extra_tubes, None
        if self.wanted.fewest_extra_tubes:
            extra_tubes, result = self._with_fewest_extra_tubes(instance)
            instance = with_extra_tubes(instance, extra_tubes)
        if show is not None:
            show(instance)
        if result is None:
            result = compared_with_file(self._result(instance, self.backend, table), instance)
        answer = Answer(instance, result, self.wanted, extra_tubes)
        self._add_what_else_is_wanted(answer, time.monotonic() - began)
        return answer

    def _with_fewest_extra_tubes(self, instance: Instance) -> tuple[int, Result]:
        """The fewest extra tubes, at most those of the option, and the result with them."""
        puzzle, most = sort_puzzle(instance), self.wanted.extra_tubes
        with live_status() as hook:
            return least_extra_tubes(
                self.process, puzzle, self.backend, most=most, limits=self.limits, on_progress=hook, stop=self.stop
            )

    def _result(self, instance: Instance, backend: Backend, table: "QuestionTable | None" = None) -> Result:
        with live_status(table) as hook:
            result = solve_here_first(
                self.process, instance.puzzle, backend, limits=self.limits, on_progress=hook, stop=self.stop
            )
        if table is not None:
            table.end(result)
        return result

    def _add_what_else_is_wanted(self, answer: Answer, spent: float) -> None:
        """Adds the cross-check, the reasons and the certificate; the answer has used ``spent`` seconds."""
        instance, puzzle, result, wanted = answer.instance, answer.instance.puzzle, answer.result, self.wanted
        if wanted.cross_check:
            from bsp_sat.backends.cross_check import cross_check

            answer.witnesses = cross_check(puzzle, result, lambda backend: self._result(instance, backend))
        if wanted.explain:
            from bsp_sat.backends.explanation import explained

            answer.reasons = list(explained(puzzle, result))
        if wanted.certificate is not None:
            about = partial(proofs.certify, self.process, puzzle=puzzle, result=result, proof=wanted.proof)
            make = partial(about, limits=self.limits, spent=spent, stop=self.stop)
            with working("making the certificate"):
                answer.certificate = proofs.certificate_entry(wanted.certificate, make)
