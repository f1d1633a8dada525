"""Fillings that agree with what is known, and how long the rest is for a player who knows one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from bsp_sat.apps.covered.board import Cells, arrangements, fillings_of
from bsp_sat.apps.covered.knowledge import Knowledge
from bsp_sat.apps.covered.sampling import sample_fillings
from bsp_sat.backends.kernel import Distances
from bsp_sat.instances.sorting import Filling, Place, SortPuzzle

FEW = 60  # up to this many arrangements nothing is drawn
AGAIN = 1.5  # cost of giving an attempt up, in lengths of a new one
MOST_EFFORT = 500_000  # states expanded for the lengths of fillings, until those searched so far have to do
LEAST = 20  # searched in any case


@dataclass(frozen=True, eq=False)
class Hindsight:
    """Fillings of ``cells``, in no special order, with exact lengths; none if all is known, or none was found.

    ``start`` is the position at the start of an attempt, with everything known by now. ``drawn`` fillings are a sample
    of more. There are no ``distances`` without fillings while not all is known.
    """

    cells: Cells
    start: SortPuzzle
    fillings: tuple[Filling, ...] = ()
    drawn: bool = False
    distances: Distances | None = None
    _least: dict[Filling, int] = field(default_factory=dict)  # bounds on the lengths from the start

    @classmethod
    def of(cls, knowledge: Knowledge, board: SortPuzzle, samples: int, chance: Random) -> "Hindsight":
        """Fillings for what is known at a position: all, or some ``samples``, as far as `MOST_EFFORT` is enough."""
        start, cells = knowledge.start, Cells.of(knowledge.first)
        if not board.is_hidden:
            return cls(cells, start, distances=Distances([board, start]))
        cases, drawn = knowledge.cases(), arrangements(board) > FEW
        if drawn:
            here = sample_fillings(board, samples, chance, cases)
        else:
            here = [filling for filling in fillings_of(board) if cases.agree_with(board.unknown, filling)]
        if not here:
            return cls(cells, start, drawn=drawn)
        known = {(place, level): start.tubes[place][level] for place, level in cells.places}
        wholes = [{**known, **dict(zip(board.unknown, filling, strict=True))} for filling in here]
        fillings = tuple(bytes(whole[cell] for cell in cells.places) for whole in wholes)
        boards = [cells.filled(position, filling) for position in (board, start) for filling in fillings]
        found = cls(cells, start, fillings, drawn, Distances(boards))
        some = found._some_fillings(board, fillings if drawn else chance.sample(fillings, len(fillings)))
        return found if len(some) == len(fillings) else replace(found, fillings=tuple(some), drawn=True)

    def _some_fillings(self, board: SortPuzzle, fillings: Sequence[Filling]) -> Sequence[Filling]:
        """The first of these, as many as have lengths within `MOST_EFFORT`."""
        for number, filling in enumerate(fillings):
            if number >= LEAST and self.effort > MOST_EFFORT:
                return fillings[:number]
            self.length(board, filling)
        return fillings

    def without(self, differing: Mapping[Place, int]) -> "Hindsight | None":
        """With those fillings alone in which cells don't have these colours; None if there are none."""
        numbers = {place: number for number, place in enumerate(self.cells.places)}
        fillings = tuple(
            filling
            for filling in self.fillings
            if all(filling[numbers[cell]] != colour for cell, colour in differing.items())
        )
        return replace(self, fillings=fillings) if fillings else None

    def length(self, board: SortPuzzle, filling: Filling = b"") -> int | None:
        """The remaining moves for a player who knows the filling; None if there is no plan."""
        assert self.distances is not None
        return self.distances.length_filled(board, self.cells.places, filling)

    @property
    def effort(self) -> int:
        """The effort of the searches for lengths so far, in states expanded."""
        return 0 if self.distances is None else self.distances.effort

    def from_start(self, filling: Filling) -> int | None:
        """The length of a new attempt for a player who knows the filling; None if there is no plan."""
        return self.length(self.start, filling)

    def left(self, board: SortPuzzle, filling: Filling) -> float:
        """The remaining moves for a filling, or of a new attempt if they are fewer; a move lowers them by up to one."""
        length = self.length(board, filling)
        if length is not None and length <= AGAIN * self._least_from_start(filling):
            return length
        again = AGAIN * (self.from_start(filling) or 0)
        return again if length is None else min(length, again)

    def _least_from_start(self, filling: Filling) -> int:
        """A bound on the length from the start, where there is a plan."""
        if filling not in self._least:
            self._least[filling] = self.cells.filled(self.start, filling).lower_bound()
        return self._least[filling]

    def alive(self, board: SortPuzzle) -> list[Filling]:
        """The fillings that can still be solved."""
        return [filling for filling in self.fillings if self.length(board, filling) is not None]
