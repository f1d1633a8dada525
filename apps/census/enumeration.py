"""Looks at every board of a class, in parts that can be done one by one, on several processes.

A part has all boards that begin with the same tubes (`bsp_sat.apps.census.board_classes`), and needs nothing of the
other parts.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bsp_sat.apps.census.board_class import BoardClass
from bsp_sat.apps.census.board_classes import BoardClasses
from bsp_sat.backends.kernel import Kernel, solve_boards
from bsp_sat.backends.result import Findings, Status
from bsp_sat.instances.errors import BackendError
from bsp_sat.instances.sorting import BallSort, SortPuzzle, WaterSort

RULES: tuple[type[SortPuzzle], ...] = (BallSort, WaterSort)
FEWEST_PARTS = 40
MOST_TUBES = 2  # that parts begin with
LONGEST = 10  # boards kept of those with the longest shortest plans
SHOWN = 10  # unsolvable boards kept


@dataclass
class Lengths:
    """Shortest plans under one rule: the number of boards for each optimum, and some with the highest, in order."""

    moves: Counter[int] = field(default_factory=Counter)
    longest: list[bytes] = field(default_factory=list)

    @property
    def most(self) -> int:
        """The highest optimum; -1 if there are no boards."""
        return max(self.moves, default=-1)

    def add(self, optimum: int, board: bytes) -> None:
        """Counts a board."""
        if optimum > self.most:
            self.longest.clear()
        self.moves[optimum] += 1
        if optimum == self.most and len(self.longest) < LONGEST:
            self.longest.append(board)

    def merge(self, other: "Lengths") -> None:
        """Counts other boards, which come later."""
        if other.most > self.most:
            self.longest.clear()
        if other.most >= self.most:
            self.longest += other.longest[: LONGEST - len(self.longest)]
        self.moves += other.moves


@dataclass
class ClassPart:
    """What was found in some boards: ``examples`` are unsolvable ones, in order; ``lengths``, if asked for, by rule."""

    boards: int = 0
    unsolvable: int = 0
    examples: list[bytes] = field(default_factory=list)
    lengths: dict[str, Lengths] = field(default_factory=dict)

    def merge(self, other: "ClassPart") -> None:
        """Counts the boards of another part, which comes later."""
        self.boards += other.boards
        self.unsolvable += other.unsolvable
        self.examples += other.examples[: SHOWN - len(self.examples)]
        for rule, lengths in other.lengths.items():
            self.lengths.setdefault(rule, Lengths()).merge(lengths)

    def shown(self) -> Iterator[bytes]:
        """The boards that are kept."""
        yield from self.examples
        for lengths in self.lengths.values():
            yield from lengths.longest

    def to_json(self) -> dict[str, Any]:
        """Boards as digits in hexadecimal, two for each ball."""
        lengths = {
            rule: {"moves": dict(sorted(each.moves.items())), "longest": [board.hex() for board in each.longest]}
            for rule, each in self.lengths.items()
        }
        examples = [board.hex() for board in self.examples]
        return {"boards": self.boards, "unsolvable": self.unsolvable, "examples": examples, "lengths": lengths}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> "ClassPart":
        """The reverse of `to_json`; fields that don't fit or contradict each other raise errors as in `StoredPart`."""
        lengths = {
            rule: Lengths(
                Counter({int(moves): int(number) for moves, number in each["moves"].items()}),
                [bytes.fromhex(board) for board in each["longest"]],
            )
            for rule, each in fields["lengths"].items()
        }
        examples = [bytes.fromhex(board) for board in fields["examples"]]
        boards, unsolvable = int(fields["boards"]), int(fields["unsolvable"])
        if len(examples) != min(unsolvable, SHOWN) or unsolvable > boards:
            raise ValueError
        if any(each.moves.total() != boards - unsolvable for each in lengths.values()):
            raise ValueError
        return cls(boards, unsolvable, examples, lengths)


def beginnings(of: BoardClass) -> list[bytes]:
    """The beginnings of the parts of a class, in order."""
    tables = BoardClasses(of.colours, of.capacity, of.empty)
    found = [b""]
    for tubes in range(1, min(MOST_TUBES, of.colours - 1) + 1):
        if len(found) < FEWEST_PARTS:
            found = tables.beginnings(tubes)
    return found


def enumerate_part(of: BoardClass, beginning: bytes, lengths: bool) -> ClassPart:
    """Decides or measures the boards of a part; BackendError if ball sort and water sort disagree on the unsolvable."""
    return _measured(of, beginning) if lengths else _decided(of, beginning)


def _decided(of: BoardClass, beginning: bytes) -> ClassPart:
    """Decides each board by its border tables."""
    tables = BoardClasses(of.colours, of.capacity, of.empty)
    part = ClassPart()
    for found in tables.unsolvable(beginning):
        part.merge(ClassPart(unsolvable=len(found), examples=found))
    part.boards = tables.counted
    return part


def _measured(of: BoardClass, beginning: bytes) -> ClassPart:
    """Finds the optimum of each board under both rules, by search."""
    tables = BoardClasses(of.colours, of.capacity, of.empty)
    part = ClassPart(lengths={rule.kind: Lengths() for rule in RULES})
    for found in tables.boards(beginning):
        by_rule = []
        for rule in RULES:
            dead = []
            for balls, optimum in zip(found, _optima(of, found, rule), strict=True):
                if optimum is None:
                    dead.append(balls)
                else:
                    part.lengths[rule.kind].add(optimum, balls)
            by_rule.append(dead)
        if by_rule[0] != by_rule[1]:
            raise BackendError(f"{of}: ball sort and water sort disagree on which boards can be solved")
        part.merge(ClassPart(len(found), len(by_rule[0]), by_rule[0]))
    return part


def _optima(of: BoardClass, found: list[bytes], rule: type[SortPuzzle]) -> Iterator[int | None]:
    """The optimum of each board; None if it can't be solved."""
    boards = [of.under(rule, balls) for balls in found]
    for board, answer in zip(boards, solve_boards(boards, plans=False), strict=True):
        yield answer.length if answer.settled else _optimum(board)


def _optimum(board: SortPuzzle) -> int | None:
    """The optimum of a board that takes too long among many."""
    findings = Findings(board, Kernel.name)
    Kernel().run(board, findings)
    if findings.status not in (Status.OPTIMAL, Status.UNSOLVABLE):
        raise BackendError(f"expected the kernel to settle a board, it ended with {findings.status.value}")
    return None if findings.best is None else len(findings.best)
