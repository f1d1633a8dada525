"""What `bsp-sat solve` is asked for, and what it finds out about one board."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.result import Result
from bsp_sat.backends.solve import Limits
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance

if TYPE_CHECKING:
    from bsp_sat.backends.cross_check import Witness
    from bsp_sat.backends.explanation import Reason


@dataclass(frozen=True)
class Wanted:
    """What is asked for besides a plan, by the names of the options.

    Raises:
        Unsupported: an option needs another one.
    """

    cross_check: bool
    explain: bool
    certificate: Path | None
    proof: str | None
    extra_tubes: int | None
    fewest_extra_tubes: bool
    boards: bool
    as_json: bool

    def __post_init__(self) -> None:
        """Checks what can be checked without a board."""
        if self.proof is not None and self.certificate is None:
            raise Unsupported("--proof needs --certificate")

    @property
    def needs_one_plan(self) -> bool:
        """Whether there is an option for the plan of a single board."""
        return self.cross_check or self.boards or self.explain or self.fewest_extra_tubes

    def check_for_many(self) -> None:
        """Refuses options for a single board."""
        if self.needs_one_plan:
            which = "--cross-check, --explain, --boards and --fewest-extra-tubes"
            raise Unsupported(f"{which} take a single board, without --resume and --cluster")

    def check_for_hidden(self, backend: Backend, limits: Limits) -> None:
        """Refuses options that need a plan, for a board with hidden cells."""
        if backend != Auto() or self.needs_one_plan or self.certificate is not None or limits.max_steps is not None:
            which = "limits, --extra-tubes and --json; for many boards also --jobs, --resume and --cluster"
            raise Unsupported(f"a board with hidden cells has strategies, not plans: it takes only {which}")


@dataclass
class Answer:
    """All that was found out about a board.

    Attributes:
        instance: the board, with the tubes that were added.
        result: the result.
        wanted: what was asked for.
        extra_tubes: empty tubes added to the given board; None if no option asked for it.
        witnesses: those of the cross-check; None without one.
        reasons: how the answer was proved, if that was asked for; else None.
        certificate: the certificate or why there is none, as in the result format; None if none was asked for.
    """

    instance: Instance
    result: Result
    wanted: Wanted
    extra_tubes: int | None = None
    witnesses: "tuple[Witness, ...] | None" = None
    reasons: "list[Reason] | None" = None
    certificate: dict[str, Any] | None = None

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
