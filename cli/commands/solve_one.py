"""One board of `bsp-sat solve`: what is asked for, what is found out about it, and the words of the answer."""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bsp_sat.backends import cross_check, explanation, proofs
from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import BACKENDS
from bsp_sat.backends.result import Result, Status
from bsp_sat.backends.run import Process
from bsp_sat.backends.solve import Limits, least_extra_tubes, solve_shortly, solve_with
from bsp_sat.cli.boards import compared_with_file, sort_puzzle, with_extra_tubes
from bsp_sat.cli.group import EXIT_UNKNOWN
from bsp_sat.cli.options import EXIT_CODES, stop_on_signals
from bsp_sat.cli.screen import QuestionTable, Screen, effort, heading, live_status, working
from bsp_sat.cli.wanted import Wanted
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.registry import OWN_KINDS
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import json_text

if TYPE_CHECKING:
    from bsp_sat.backends.cross_check import Witness
    from bsp_sat.backends.explanation import Reason


class SolvedBoard(NamedTuple):
    """All that was found out about a board.

    ``extra_tubes`` are those added to the given board, and ``certificate``, as in the result format, may say why there
    is none; both are None unless asked for. ``other_end`` is the result with the other end of each tube as its top, if
    nothing shows which it is, and a short search settles it.
    """

    instance: Instance
    result: Result
    wanted: Wanted
    extra_tubes: int | None = None
    witnesses: "tuple[Witness, ...] | None" = None
    reasons: "list[Reason] | None" = None
    certificate: dict[str, Any] | None = None
    other_end: Result | None = None

    @property
    def not_certified(self) -> str:
        """Why there is no certificate; empty if there is one, or none was asked for."""
        return "" if self.certificate is None else self.certificate.get("error", "")

    def to_json(self) -> dict[str, Any]:
        """The result format, with what else was asked for."""
        puzzle = self.instance.puzzle
        fields = self.result.to_json(puzzle)
        if self.instance.read_as:
            fields["read_as"] = self.instance.read_as
        if self.other_end is not None:
            fields["other_end"] = {"status": self.other_end.status, "length": self.other_end.length}
        if self.extra_tubes is not None:
            fields["extra_tubes"] = self.extra_tubes
        if self.reasons is not None:
            fields["explanation"] = [asdict(reason) for reason in self.reasons]
        if self.witnesses is not None:
            first, *others = sorted(self.witnesses, key=lambda witness: not witness.confirms)
            fields["cross_check"] = {**first.to_json(puzzle), "others": [other.to_json(puzzle) for other in others]}
        if self.certificate is not None:
            fields["certificate"] = self.certificate
        return fields


def solve_one(process: Process, instance: Instance, backend: Backend, limits: Limits, wanted: Wanted) -> int:
    """Solves one board, prints the answer, and returns the exit code."""
    if wanted.certificate is not None:
        proofs.prepare(wanted.certificate, instance.puzzle, wanted.proof)  # before hours of work
    shows_questions = backend.solver_name is not None and (not wanted.as_json or sys.stderr.isatty())
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
        self, instance: Instance, table: QuestionTable | None, show: Callable[[Instance], None] | None
    ) -> SolvedBoard:
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
        what_else = self._what_else_is_wanted(instance, result, time.monotonic() - began)
        other_end = None if instance.other_end is None else solve_shortly(instance.other_end.puzzle, self.stop)
        return SolvedBoard(instance, result, self.wanted, extra_tubes, *what_else, other_end)

    def _with_fewest_extra_tubes(self, instance: Instance) -> tuple[int, Result]:
        """The fewest extra tubes, at most those of the option, and the result with them."""
        puzzle, most = sort_puzzle(instance), self.wanted.extra_tubes
        with live_status() as hook:
            return least_extra_tubes(
                self.process, puzzle, self.backend, most=most, limits=self.limits, on_progress=hook, stop=self.stop
            )

    def _result(self, instance: Instance, backend: Backend, table: QuestionTable | None = None) -> Result:
        with live_status(table) as hook:
            result = solve_with(
                self.process,
                instance.puzzle,
                backend,
                limits=self.limits,
                on_progress=hook,
                stop=self.stop,
                here_first=True,
            )
        if table is not None:
            table.end(result.questions, explanation.beside_questions(instance.puzzle, result))
        return result

    def _what_else_is_wanted(
        self, instance: Instance, result: Result, spent: float
    ) -> "tuple[tuple[Witness, ...] | None, list[Reason] | None, dict[str, Any] | None]":
        """The cross-check, the reasons and the certificate, as in `SolvedBoard`; the result took ``spent`` seconds."""
        puzzle, wanted = instance.puzzle, self.wanted
        witnesses = reasons = certificate = None
        if wanted.cross_check:
            witnesses = cross_check.cross_check(puzzle, result, lambda backend: self._result(instance, backend))
        if wanted.explain:
            reasons = list(explanation.explained(puzzle, result))
        if wanted.certificate is not None:
            about = partial(proofs.certify, self.process, puzzle=puzzle, result=result, proof=wanted.proof)
            make = partial(about, limits=self.limits, spent=spent, stop=self.stop)
            with working("making the certificate"):
                certificate = proofs.certificate_entry(wanted.certificate, make)
        return witnesses, reasons, certificate


def print_board(instance: Instance) -> None:
    """Draws the board, before anything is known about it."""
    Screen().show_board(heading(instance), instance.puzzle)


def print_answer(answer: SolvedBoard) -> None:
    """Prints the answer and the moves, below the board; with ``--boards`` also the board after each move."""
    puzzle, result, wanted = answer.instance.puzzle, answer.result, answer.wanted
    out = Screen()
    if answer.extra_tubes is not None:
        out.print(_extra_in_words(answer))
    if answer.instance.read_as:
        out.print(printable(answer.instance.read_as))
    if result.length == 0:
        out.print(("This board is solved already, as it was read", "bold"), ".")
    else:
        out.answer(result)
    if (other := _other_end_in_words(answer)) is not None:
        out.print(other)
    if result.plan is not None and len(result.plan):
        out.print(f"\nMoves, {puzzle.move_key}:")
        show = out.draw_plan if wanted.boards else out.list_plan
        show(puzzle, result.plan)
    elif _is_short_of_tubes(answer):
        out.print("Add --fewest-extra-tubes to find how many more empty tubes it needs.", style="dim")
    out.print()
    out.print(effort(result), style="dim")
    if answer.witnesses is not None:
        _print_witnesses(out, answer.witnesses)
    if answer.certificate is not None and not answer.not_certified:
        made = answer.certificate
        listed = f" of {quantity(made['positions'], 'position')}" if "positions" in made else ""
        proof = f"{made['kind']}{listed}, {made['bytes'] / 1000:,.1f} kB, {made['seconds']:.1f} s"
        hint = f"check it with: bsp-sat verify {made['folder']}"
        out.print(f"Certificate: {made['folder']} ({proof}); {hint}", wrap=False)
    if answer.reasons is not None:
        _print_reasons(out, answer)
    elif result.backend in (Auto.name, "sat", "cpsat"):
        out.print(_which_way(answer), style="dim")


def _by_whom(result: Result) -> str:
    """What settled the board, such as ``an exact search (kernel)``."""
    if result.backend in ("sat", "cpsat"):
        return "formulas"
    searches = BACKENDS.get(result.settled_by, Backend).counts == "expansions"
    return f"an exact search ({result.settled_by})" if searches else result.settled_by


def _which_way(answer: SolvedBoard) -> str:
    """How the answer was proved, in one line, and how to see it proved the other way."""
    result = answer.result
    proved = result.status in (Status.OPTIMAL, Status.UNSOLVABLE)
    how = f"Proved by {_by_whom(result)}. --explain says how" if proved else "--explain says what is known"
    if result.backend != Auto.name:
        return f"{how}; without --backend {result.backend}, an exact search answers."
    return f"{how}; --backend sat asks a SAT solver." if _is_for_sat(answer) else f"{how}."


def _is_for_sat(answer: SolvedBoard) -> bool:
    """Whether `sat` takes the board; of puzzles from outside, that isn't worth loading all encodings for."""
    puzzle = answer.instance.puzzle
    if puzzle.kind not in OWN_KINDS or not puzzle.features():
        return puzzle.kind in OWN_KINDS
    from bsp_sat.encoder.registry import encodings_for  # plain boards needn't pay for it

    return any(True for _ in encodings_for(puzzle))


def _is_short_of_tubes(answer: SolvedBoard) -> bool:
    """Whether there is no plan, and more tubes, for which no option asks, may help."""
    is_sort = isinstance(answer.instance.puzzle, SortPuzzle)
    return is_sort and answer.result.status is Status.UNSOLVABLE and answer.extra_tubes is None


def _extra_in_words(answer: SolvedBoard) -> str:
    extra, unsolvable = answer.extra_tubes, answer.result.status is Status.UNSOLVABLE
    with_more = f"With {quantity(extra, 'more empty tube')}"
    if not answer.wanted.fewest_extra_tubes:
        return f"{with_more}:"
    if unsolvable and extra == answer.wanted.extra_tubes:
        return f"{with_more}, and with fewer:" if extra else f"{with_more}:"
    if unsolvable:
        return "No number of added empty tubes is enough."
    fewer = ", and with fewer there is no plan" if extra else ""
    return f"{with_more}{fewer}:"


def _other_end_in_words(answer: SolvedBoard) -> str | None:
    """What is known of the board with the other end on top; None if something shows which end it is."""
    instance, other = answer.instance, answer.other_end
    if instance.other_end is None:
        return None
    first, last = ("top", "bottom") if instance.top_first else ("bottom", "top")
    taken = f"The first ball of each tube was taken for its {first}. If it is the {last}, add {instance.turned_by}"
    if other is None or not other.settled:
        return f"{taken}."
    found = "this board has no plan" if other.length is None else f"it takes {quantity(other.length, 'move')}"
    return f"{taken}: then {found}."


def _print_reasons(out: Screen, answer: SolvedBoard) -> None:
    rows = [reason.row for reason in answer.reasons or ()]
    if answer.witnesses is None:
        rows.append(("Check", "--cross-check solves it again by A*, and a small board also by breadth-first search."))
    if answer.certificate is None and answer.result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
        rows.append(("Proof", "--certificate DIR writes it; `bsp-sat verify DIR` checks it."))
    if answer.result.backend == Auto.name and _is_for_sat(answer):
        rows.append(("SAT", "--backend sat asks a SAT solver for shorter plans, one number of moves after the other."))
    out.list_topics(rows)


def _print_witnesses(out: Screen, witnesses: "tuple[Witness, ...]") -> None:
    """Says who confirms the answer, who doesn't, and what each of them rests on."""
    if names := [witness.backend.name for witness in witnesses if witness.confirms]:
        out.print(f"Cross-check: {' and '.join(names)} confirm{'s' if len(names) == 1 else ''} this.")
    for witness in witnesses:
        found = witness.result
        if not witness.confirms:
            says = f"says: {found}" if found.settled else f"settles nothing ({found.reason})."
            out.print(f"Cross-check: {witness.backend.name} {says}")
        out.print(f"{effort(found)}; rests on {witness.backend.rests_on}", style="dim")
