"""The output of `bsp-sat solve` for one board."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.result import Result, Status
from bsp_sat.cli.output import screen
from bsp_sat.instances.files import Instance
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.tiles import Tiles

if TYPE_CHECKING:
    from bsp_sat.backends.cross_check import Witness
    from bsp_sat.backends.explanation import Reason


def print_board(instance: Instance) -> None:
    """Draws the board, before anything is known about it."""
    screen.console().print(screen.heading(instance), screen.Drawing(instance.puzzle), "", sep="\n")


@dataclass
class SolveOutput:
    """A result with everything that is printed with it.

    Attributes:
        instance: the board.
        result: the result.
        extra_tubes: empty tubes added to the given board; None if the option wasn't used.
        fewest: whether there is no plan with fewer added tubes.
        most_extra_tubes: as many as there may be, where the fewest were asked for; None for any number.
        witnesses: those of the cross-check; None without one.
        reasons: how the answer was proved, if that was asked for; else None.
        certificate: the certificate or why there is none, as in the result format; None if none was asked for.
    """

    instance: Instance
    result: Result
    extra_tubes: int | None = None
    fewest: bool = False
    most_extra_tubes: int | None = None
    witnesses: "tuple[Witness, ...] | None" = None
    reasons: "list[Reason] | None" = None
    certificate: dict[str, Any] | None = None

    def certify(self, making: Callable[..., Any], folder: Path, proof: str | None) -> None:
        """Makes the certificate, or records why there is none."""
        # Imported here: only certificates need it.
        from bsp_sat.instances.errors import CertificateError

        try:
            made = making(folder, self.instance.puzzle, self.result, proof).to_json()
        except CertificateError as error:
            made = {"error": str(error)}
        self.certificate = {"folder": str(folder), **made}

    @property
    def not_certified(self) -> str:
        """Why there is no certificate; empty if there is one, or none was asked for."""
        return "" if self.certificate is None else self.certificate.get("error", "")

    def to_json(self) -> dict[str, Any]:
        """The result format, with what else was asked for."""
        puzzle = self.instance.puzzle
        fields = self.result.to_json(puzzle)
        if self.extra_tubes is not None:
            fields["extra_tubes"] = self.extra_tubes
        if self.reasons is not None:
            fields["explanation"] = [{"topic": reason.topic, "words": reason.words} for reason in self.reasons]
        if self.witnesses is not None:
            first, *others = sorted(self.witnesses, key=lambda witness: not witness.confirms)
            fields["cross_check"] = {**first.to_json(puzzle), "others": [other.to_json(puzzle) for other in others]}
        if self.certificate is not None:
            fields["certificate"] = self.certificate
        return fields

    @property
    def _is_for_sat(self) -> bool:
        """Whether `sat` takes the board; of puzzles from outside, that isn't worth loading all encodings for."""
        return isinstance(self.instance.puzzle, SortPuzzle | Tiles | Shot)

    def _extra_in_words(self) -> str:
        with_more = f"With {self.extra_tubes} more empty tube{'' if self.extra_tubes == 1 else 's'}"
        if not self.fewest:
            return f"{with_more}:"
        if self.result.status is Status.UNSOLVABLE and self.extra_tubes == self.most_extra_tubes:
            return f"{with_more}, and with fewer:" if self.extra_tubes else f"{with_more}:"
        if self.result.status is Status.UNSOLVABLE:
            return "No number of added empty tubes is enough."
        fewer = ", and with fewer there is no plan" if self.extra_tubes else ""
        return f"{with_more}{fewer}:"

    def print(self, *, boards: bool) -> None:
        """Prints the answer and the moves as text, below the board; with ``boards`` also the board after each move."""
        puzzle, result = self.instance.puzzle, self.result
        out = screen.console()
        if self.extra_tubes is not None:
            out.print(Text(self._extra_in_words()), soft_wrap=not out.is_terminal)
        out.print(screen.answer(result), soft_wrap=not out.is_terminal)
        if result.plan is not None and len(result.plan):
            out.print(Text(f"\nMoves, {puzzle.move_key}:"), soft_wrap=not out.is_terminal)
            listing = screen.plan_boards if boards else screen.plan_listing
            out.print(listing(puzzle, result.plan))
        out.print("", screen.effort(result), sep="\n")
        if self.witnesses is not None:
            _print_witnesses(out, self.witnesses)
        if self.certificate is not None and not self.not_certified:
            made = self.certificate
            listed = f" of {made['positions']:,} positions" if "positions" in made else ""
            proof = f"{made['kind']}{listed}, {made['bytes'] / 1000:,.1f} kB, {made['seconds']:.1f} s"
            hint = f"check it with: bsp-sat verify {made['folder']}"
            out.print(Text(f"Certificate: {made['folder']} ({proof}); {hint}"), soft_wrap=True)
        if self.reasons is not None:
            self._print_reasons(out, self.reasons)
        elif result.backend == Auto.name:
            hint = "What is proved and how: --explain."
            by_sat = f"{hint} By SAT, horizon by horizon: --backend sat." if self._is_for_sat else hint
            out.print(Text(by_sat, "dim"), soft_wrap=not out.is_terminal)

    def _print_reasons(self, out: Console, reasons: "list[Reason]") -> None:
        rows = [(reason.topic.capitalize(), reason.words) for reason in reasons]
        if self.witnesses is None:
            rows.append(("Check", "--cross-check solves it again by A*, and by bfs if few states do."))
        if self.certificate is None and self.result.status in (Status.OPTIMAL, Status.UNSOLVABLE):
            rows.append(("Proof", "--certificate DIR writes it; `bsp-sat verify DIR` checks it."))
        if self.result.backend == Auto.name and self._is_for_sat:
            rows.append(("SAT", "--backend sat has it refuted by a SAT solver, horizon by horizon."))
        out.print()
        column = 2 + max(len(topic) for topic, _ in rows)
        for topic, words in rows:
            lines = fill(f"{topic:<{column}}{words}", max(out.width, 2 * column), subsequent_indent=" " * column)
            text = Text(lines)
            text.stylize("bold", 0, len(topic))
            out.print(text, soft_wrap=not out.is_terminal)


def _print_witnesses(out: Console, witnesses: "tuple[Witness, ...]") -> None:
    """Says who confirms the answer, who doesn't, and what each of them rests on."""
    if names := [witness.backend.name for witness in witnesses if witness.confirms]:
        out.print(Text(f"Cross-check: {' and '.join(names)} confirm{'s' if len(names) == 1 else ''} this."))
    for witness in witnesses:
        found = witness.result
        if not witness.confirms:
            says = f"says: {found}" if found.settled else f"settles nothing ({found.reason})."
            out.print(Text(f"Cross-check: {witness.backend.name} {says}"), soft_wrap=not out.is_terminal)
        line = Text.assemble(screen.effort(found), f"; rests on {witness.backend.rests_on}", style="dim")
        out.print(line, soft_wrap=not out.is_terminal)
