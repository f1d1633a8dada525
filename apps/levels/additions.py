"""What a level gets besides its balls: covered cells, locked tubes and corks."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.sorting import TOPS, SortPuzzle, locks
from bsp_sat.instances.text.words import short

LOCKINGS = 20  # ways of locking that are tried


@dataclass(frozen=True)
class Additions:
    """What is added to each level: full tubes that are locked until a colour is complete, a cork, covers.

    ``hide`` is ``tops`` to cover all cells below the top runs, or a share of these cells, from 0 to 1.
    """

    hide: str | None = None
    locked: int = 0
    cork: bool = False

    @property
    def changes_moves(self) -> bool:
        """Whether plans change: covers leave them as they are for who knows what is covered.

        In water sort covered runs show as a whole, so that a pour takes what it takes without covers.
        """
        return self.locked > 0 or self.cork

    @property
    def share(self) -> float:
        """The share of cells below the top runs that is covered. Unsupported if ``hide`` is none."""
        try:
            share = 0.0 if self.hide is None else 1.0 if self.hide == TOPS else float(self.hide)
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise Unsupported(f"hide: expected {TOPS}, or a share from 0 to 1, found {short(repr(self.hide))}")
        return share

    def added_to(self, puzzle: SortPuzzle, seed: str) -> Iterator[SortPuzzle]:
        """The level with what is added to it, in several ways if there are locks; Unsupported if too few are full."""
        chance = Random(seed)
        full = sum(map(bool, puzzle.tubes))
        if self.locked > full:
            raise Unsupported(f"locked: expected at most {full}, the number of full tubes, found {self.locked}")
        for _ in range(LOCKINGS if self.locked else 1):
            fields: dict[str, Any] = puzzle.to_json()
            if self.share:
                fields["hidden"] = [
                    [chance.random() < self.share and {*tube[level:]} != {tube[-1]} for level in range(len(tube))]
                    for tube in puzzle.tubes
                ]
            if self.locked:
                fields["locked"] = locks(chance, self.locked, fields["tubes"])
            if self.cork:
                fields["cork"] = True
            yield type(puzzle).from_json(fields)
