"""A class of boards: its colours, its capacity, its empty tubes."""

from dataclasses import dataclass
from string import ascii_lowercase
from typing import TypeVar

from bsp_sat.instances.puzzle import symbols_for
from bsp_sat.instances.sorting import BallSort, SortPuzzle
from bsp_sat.instances.text.words import quantity

SortPuzzleT = TypeVar("SortPuzzleT", bound=SortPuzzle)


@dataclass(frozen=True)
class BoardClass:
    """The boards of n colours with n full tubes of capacity h and k empty tubes, each colour filling one tube."""

    colours: int
    capacity: int
    empty: int

    def __str__(self) -> str:
        return f"({self.colours},{self.capacity},{self.empty})"

    @property
    def in_words(self) -> str:
        """The three numbers with what they count."""
        empty = quantity(self.empty, "empty tube")
        return f"{quantity(self.colours, 'colour')}, capacity {self.capacity}, {empty}"

    @classmethod
    def of(cls, board: BallSort) -> "BoardClass":
        """The class of a board of full and empty tubes."""
        return cls(len(board.palette), board.capacity, len(board.tubes) - len(board.palette))

    def has(self, balls: bytes) -> bool:
        """Whether colours given tube by tube are a board of the class."""
        return sorted(balls) == [colour for colour in range(self.colours) for _ in range(self.capacity)]

    def board(self, balls: bytes) -> BallSort:
        """The board of colours given tube by tube, each bottom first."""
        return self.under(BallSort, balls)

    def under(self, rule: type[SortPuzzleT], balls: bytes) -> SortPuzzleT:
        """The same under the rules of ball sort or water sort."""
        tubes = tuple(balls[at : at + self.capacity] for at in range(0, len(balls), self.capacity))
        names = symbols_for([ascii_lowercase[c] if c < len(ascii_lowercase) else c for c in range(self.colours)])
        return rule((*tubes, *[b""] * self.empty), self.capacity, "full", tuple(names))


def line_of(board: SortPuzzle) -> str:
    """A board as one line in text notation, such as ``ab|ba|-``."""
    return "|".join("".join(str(board.palette[ball]) for ball in tube) or "-" for tube in board.tubes)
