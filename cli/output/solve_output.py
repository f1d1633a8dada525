"""The output of `bsp-sat solve` for one board."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from bsp_sat.backends.backend import Backend
from bsp_sat.backends.cross_check import compare_claims, witness_for
from bsp_sat.backends.result import Result, Status
from bsp_sat.cli.output import screen
from bsp_sat.instances.files import Instance


@dataclass
class SolveOutput:
    """A result with everything that is printed with it.

    Attributes:
        instance: the board.
        result: the result.
        witness: the result of the cross-check, if there was one.
        confirmed: whether the cross-check settles the board too.
        certificate: the certificate or why there is none, as in the result format; None if none was asked for.
        extra_tubes: empty tubes added to the given board; None if the option wasn't used.
        fewest: whether there is no plan with fewer added tubes.
        most_extra_tubes: as many as there may be, where the fewest were asked for; None for any number.
    """

    instance: Instance
    result: Result
    witness: Result | None = None
    confirmed: bool = False
    certificate: dict[str, Any] | None = None
    extra_tubes: int | None = None
    fewest: bool = False
    most_extra_tubes: int | None = None

    def cross_check(self, run: Callable[[Backend], Result], backend: Backend) -> None:
        """Solves again with a backend that shares little with ``backend``.

        Raises:
            Disagreement: they contradict each other.
        """
        self.witness = run(witness_for(backend))
        self.confirmed = compare_claims(self.instance.puzzle, self.result, self.witness)

    def certify(self, making: Callable[..., Any], folder: Path, proof: str | None) -> None:
        """Makes the certificate, or records why there is none."""
        # Imported here: only certificates need it.
        from bsp_sat.backends.proofs.certificate import CertificateError

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
        """The result format, with ``cross_check``, ``certificate`` and ``extra_tubes`` if they were asked for."""
        fields = self.result.to_json(self.instance.puzzle)
        if self.extra_tubes is not None:
            fields["extra_tubes"] = self.extra_tubes
        if self.witness is not None:
            fields["cross_check"] = {"confirmed": self.confirmed, **self.witness.to_json(self.instance.puzzle)}
        if self.certificate is not None:
            fields["certificate"] = self.certificate
        return fields

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
        """Prints the board, the verdict and the moves as text; with ``boards`` also the board after each move."""
        puzzle, result = self.instance.puzzle, self.result
        out = screen.console()
        out.print(screen.heading(self.instance), screen.Drawing(puzzle), "", sep="\n")
        if self.extra_tubes is not None:
            out.print(Text(self._extra_in_words()), soft_wrap=True)
        out.print(screen.verdict(result), soft_wrap=True)
        if result.plan is not None and len(result.plan):
            out.print(Text(f"\nMoves, {puzzle.move_key}:"), soft_wrap=True)
            listing = screen.plan_boards if boards else screen.plan_listing
            out.print(listing(puzzle, result.plan))
        out.print("", screen.effort(result), sep="\n")
        if self.witness is not None:
            does = "confirms this" if self.confirmed else f"settles nothing ({self.witness.reason})"
            out.print(Text(f"Cross-check: {self.witness.backend} {does}."), soft_wrap=True)
            out.print(screen.effort(self.witness))
        if self.certificate is not None and not self.not_certified:
            made = self.certificate
            listed = f" of {made['positions']:,} positions" if "positions" in made else ""
            proof = f"{made['kind']}{listed}, {made['bytes'] / 1000:,.1f} kB, {made['seconds']:.1f} s"
            hint = f"check it with: bsp-sat verify {made['folder']}"
            out.print(Text(f"Certificate: {made['folder']} ({proof}); {hint}"), soft_wrap=True)
