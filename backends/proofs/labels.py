"""Distance labels: the result of a search in a form that a short program can check.

docs/certificates.md has the format, `bsp_sat.formal.check_labels` the argument. That checker shares no code
with this module: a mistake here only leads to labels that it refuses.

For "no plan has fewer than C moves", A* with the puzzle's plain bound and without prunings visits all positions s with
g(s) + bound(s) < C, where g(s) is the least number of moves that lead to s. The label of s is C − g(s). A move leads
from s to a position u with g(u) ≤ g(s) + 1. Either u has a label, of at least C − g(s) − 1; or g(u) + bound(u) ≥ C, so
its bound is that large. For this bound, these are the fewest positions and the least labels that work: the board needs
a label of C, each position after it needs C − 1 by its label or by its bound, and so on. For "there is no plan", all
reachable positions have the label ∞.

A readable search, for every puzzle, finds small numbers of positions. If a sort board needs more, the compiled search
starts again. (Its space of moves, without prunings, has the same positions.)

Related work: Eriksson, Röger, Helmert, ICAPS 2017; Mugdan, Christen, Eriksson, ICAPS 2023; Dold and others, 2025.
"""

import sys
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path

from bsp_sat.backends.kernel import Kernel, PlanFound, TooManyPositions, positions_anywhere, positions_of
from bsp_sat.backends.search.best_first import BestFirst
from bsp_sat.formal.check_labels import MAX_DIGITS, MAX_NUMBERS, MAX_TABLE_BYTES
from bsp_sat.instances.errors import NoLabels, Refuted
from bsp_sat.instances.optional import IN_A_TAB, is_installed
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import (
    ANYWHERE,
    CHOOSY,
    COLOURED,
    DRAINED,
    MIXED_CAPACITIES,
    ONE_WAY,
    TUBE_RULES,
    WANTED,
    BallSort,
    SortPuzzle,
    TubeRule,
    WaterSort,
    group_size,
)
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.tiles import Tiles

FIRST_POSITIONS = 5_000  # limit of the readable search if there is a compiled one, which takes as long to load
READABLE_POSITIONS = 500_000  # limit of the readable search on other boards: half a minute
COMPILED_POSITIONS = 2_000_000
TAB_POSITIONS = 50_000  # in a browser's tab, where the compiled labels can't be sorted, for want of numpy: ten seconds
COMPILED_MB = 600.0  # memory for states of the compiled search
MAX_PARTS = 65_536
MAX_PART_BYTES = 65_535
MOST_RULES = 256  # rules of tubes are numbered in one byte
NO_PLAN = 0
"""How the label ∞ is written."""

Parts = tuple[bytes, ...]
"""A position as its tubes, columns or rows, each a byte string."""


@dataclass(frozen=True)
class Labels:
    """Positions with labels, ready to be written, in strictly rising order, as are the parts of positions in the table.

    ``columns`` has for each place in a position the numbers of the parts there, one for each position; ``labels`` one
    for each, `NO_PLAN` for ∞.
    """

    table: Sequence[bytes]
    columns: "Sequence[array[int]]"
    labels: "array[int]"

    def __len__(self) -> int:
        return len(self.labels)


# -- positions as parts ------------------------------------------------------------------------------------


def _shot_parts(puzzle: Shot) -> Parts:
    rows: list[list[int]] = [[] for _ in range(puzzle.height)]
    for x, y in sorted(puzzle.balls):
        rows[y].append(x)
    return tuple(map(bytes, rows))


PARTS: dict[str, Callable[..., Parts]] = {
    BallSort.kind: attrgetter("tubes"),
    WaterSort.kind: attrgetter("tubes"),
    Tiles.kind: attrgetter("columns"),
    Shot.kind: _shot_parts,
}
"""For each puzzle, the function that splits a position into parts; puzzles without an entry have no labels."""


def _codes(puzzle: AnyPuzzle) -> bytes:
    """Translates the puzzle's bytes to those of the format, which numbers colours by first appearance on the board."""
    codes = bytearray(range(256))
    if not isinstance(puzzle, Shot):
        for code, colour in enumerate(dict.fromkeys(chain.from_iterable(PARTS[puzzle.kind](puzzle)))):
            codes[colour] = code
    return bytes(codes)


def _rule_numbers(puzzle: AnyPuzzle) -> dict[TubeRule, int] | None:
    """The format's numbers of the rules of tubes: first all rules with their locks open, then those with closed locks.

    None if tubes have no rules.
    """
    if not isinstance(puzzle, SortPuzzle) or puzzle.features().isdisjoint({ANYWHERE, COLOURED, WANTED, *TUBE_RULES}):
        return None
    rules = puzzle.rules.tubes
    in_order = [*(rule.base for rule in rules), *(rule for rule in rules if rule.lock is not None)]
    return {rule: number for number, rule in enumerate(dict.fromkeys(in_order))}


def _writer(puzzle: AnyPuzzle) -> Callable[[AnyPuzzle], Parts]:
    """The function that writes positions of a board in the format."""
    codes, numbers, parts_of = _codes(puzzle), _rule_numbers(puzzle), PARTS[puzzle.kind]
    if numbers is None:
        return lambda position: tuple(part.translate(codes) for part in parts_of(position))

    def written(position: AnyPuzzle) -> Parts:
        assert isinstance(position, SortPuzzle)
        tubes = zip(position.tubes, position.rules.tubes, strict=True)
        return tuple(bytes([numbers[rule]]) + tube.translate(codes) for tube, rule in tubes)

    return written


# -- finding -----------------------------------------------------------------------------------------------


def find_labels(puzzle: AnyPuzzle, length: int | None, memory_mb: float = COMPILED_MB) -> Labels:
    """Labels that prove that no plan has fewer than ``length`` moves or, for None, that there is no plan.

    Raises NoLabels if it would take too many positions, or more than ``memory_mb`` (10⁶ bytes), or the puzzle has no
    labels; and Refuted if the claim is wrong.
    """
    if puzzle.kind not in PARTS:
        raise NoLabels(f"there are no distance labels for {puzzle.kind} boards")
    if isinstance(puzzle, SortPuzzle) and (any(puzzle.covers) or puzzle.is_hidden):
        raise NoLabels(f"there are no distance labels for {puzzle.kind} boards with covered cells")
    if isinstance(puzzle, SortPuzzle) and puzzle.rules.anywhere:
        most = group_size(len(puzzle.tubes), given=puzzle.goal == "coloured")
        if len(puzzle.palette) > most:
            raise NoLabels(f"there are no distance labels for over {most} colours where balls go anywhere")
    if len(_rule_numbers(puzzle) or ()) > MOST_RULES:
        raise NoLabels(f"tubes have more than {MOST_RULES} different rules")
    if any(isinstance(colour, int) and len(str(colour)) > MAX_DIGITS for colour in getattr(puzzle, "palette", ())):
        raise NoLabels(f"a colour is a number of more than {MAX_DIGITS} digits")
    if IN_A_TAB:
        return readable_labels(puzzle, length, TAB_POSITIONS)
    # Where balls go anywhere and a colour can lose its home, the compiled search knows more than the checkers do; where
    # a move isn't one ball from the top, its positions aren't written as theirs.
    features = puzzle.features()
    is_other = isinstance(puzzle, WaterSort) or not features.isdisjoint((CHOOSY, DRAINED, MIXED_CAPACITIES, ONE_WAY))
    if not Kernel().takes(puzzle) or (ANYWHERE in features and is_other) or not is_installed("numpy"):
        return readable_labels(puzzle, length, READABLE_POSITIONS)
    try:
        return readable_labels(puzzle, length, FIRST_POSITIONS)
    except NoLabels:
        assert isinstance(puzzle, SortPuzzle)
        return compiled_labels(puzzle, length, COMPILED_POSITIONS, memory_mb)


def readable_labels(puzzle: AnyPuzzle, length: int | None, most: int) -> Labels:
    """The labels of at most ``most`` positions, by the readable search; raises as `find_labels` does."""

    def following(state: AnyPuzzle) -> Iterator[AnyPuzzle]:
        return (state.after_legal(move).canonical() for move in state.legal_moves())

    def rank(state: AnyPuzzle, cost: int) -> int | None:
        total = cost if length is None else cost + state.lower_bound()
        if length is not None and total >= length:
            return None
        if state.is_goal():
            raise Refuted(f"there is a plan of {quantity(cost, 'move')}")
        return total

    start = puzzle.canonical()
    search = BestFirst(start, following, rank, deepest_first=True)
    for _ in search:
        if len(search.reached) > most:
            raise NoLabels(f"more than {most} positions would need a label")
    written = _writer(puzzle)
    labels = {
        written(state): NO_PLAN if length is None else length - cost for state, (cost, _) in search.reached.items()
    }
    table = sorted(set(chain.from_iterable(labels)))
    numbers = {part: number for number, part in enumerate(table)}
    sort = isinstance(puzzle, SortPuzzle)
    rows = []
    for position, label in labels.items():
        row = [numbers[part] for part in position]
        rows.append((sorted(row) if sort else row, label))
    rows.sort()
    columns = [array("I", column) for column in zip(*(row for row, _ in rows), strict=True)]
    return Labels(table, columns or [array("I")] * len(written(start)), array("I", [label for _, label in rows]))


def compiled_labels(puzzle: SortPuzzle, length: int | None, most: int, memory_mb: float = COMPILED_MB) -> Labels:
    """The labels of at most ``most`` positions of a sort board, by the compiled search; raises the same."""
    # Imported here: numpy.
    import numpy as np

    try:
        find = positions_anywhere if puzzle.rules.anywhere else positions_of
        found = find(puzzle, None if length is None else length - 1, most, memory_mb)
    except PlanFound as problem:
        raise Refuted(f"there is a plan of {quantity(problem.length, 'move')}") from None
    except TooManyPositions as problem:
        raise NoLabels(f"more than {problem.positions} positions would need a label") from None
    codes, rules = _codes(puzzle), _rule_numbers(puzzle) or {}

    def part(number: int) -> bytes:
        tube, rule = found.tubes[number]
        return (b"" if rule is None else bytes([rules[rule]])) + tube.translate(codes)

    rows = np.asarray(found.rows).reshape(-1, len(puzzle.tubes) + 1)
    positions, moves = rows[:, :-1], rows[:, -1]
    used = sorted(set(np.unique(positions).tolist()), key=part)
    rank = np.zeros(len(found.tubes), np.uint32)
    rank[used] = np.arange(len(used))
    ranks = np.sort(rank[positions], axis=1)
    order = np.lexsort(ranks.T[::-1])
    moves = moves[order]
    labels = np.zeros(len(moves), np.uint32) if length is None else (length - moves).astype(np.uint32)
    columns = [array("I", column.tobytes()) for column in ranks[order].T]
    return Labels(list(map(part, used)), columns, array("I", labels.tobytes()))


# -- writing -----------------------------------------------------------------------------------------------


def write_labels(labels: Labels, path: Path) -> int:
    """Writes the file that docs/certificates.md describes, and returns its bytes; NoLabels if it is too large."""
    if len(labels.table) > MAX_PARTS:
        raise NoLabels(f"more than {MAX_PARTS} different tubes, columns or rows")
    if max(map(len, labels.table), default=0) > MAX_PART_BYTES:
        raise NoLabels(f"a column of more than {MAX_PART_BYTES} tiles")
    if len(labels) * len(labels.columns) > MAX_NUMBERS or sum(2 + len(part) for part in labels.table) > MAX_TABLE_BYTES:
        raise NoLabels("the labels take more space than the checkers allow")
    table = b"".join(len(part).to_bytes(2, "little") + part for part in labels.table)
    number_bytes = 1 if len(labels.table) <= 1 << 8 else 2
    label_bytes = 1 if max(labels.labels, default=0) < 1 << 8 else 2 if max(labels.labels) < 1 << 16 else 4
    header = (
        f"bsp-sat labels 1: {len(labels.table)} parts in {len(table)} bytes, {len(labels)} positions of "
        f"{len(labels.columns)}, numbers of {number_bytes}, labels of {label_bytes}\n"
    )
    packer = zlib.compressobj(9)
    packed = [packer.compress(table), packer.compress(_packed(labels.labels, label_bytes))]
    packed += [packer.compress(_packed(column, number_bytes)) for column in labels.columns]
    data = header.encode("ascii") + b"".join(packed) + packer.flush()
    path.write_bytes(data)
    return len(data)


def _packed(numbers: "array[int]", width: int) -> bytes:
    """Numbers of ``width`` bytes each, the low byte first."""
    packed = array({1: "B", 2: "H", 4: "I"}[width], numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
