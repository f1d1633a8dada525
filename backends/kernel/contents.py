"""Tube contents as small numbers: the alphabet of the compiled search.

A ball lands only on its own colour or in an empty tube. So a tube always holds an untouched **residue**, a prefix of
what it held at the start, with balls of the residue's top colour on it, or balls of one colour only. These contents
are few (about ten a tube at capacity 4). Each gets a number, a state is the sorted list of its tubes' numbers,
and what a move does to a tube is looked up. Number 0 is the empty tube.

Two alphabets are made, for the two state spaces of `bsp_sat.backends.kernel.compiled.loops`: for single moves a step
takes one ball off a tube, for homes it takes the whole top run.
"""

from collections.abc import Iterable
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bsp_sat.instances.sorting import BallSort, SortPuzzle, block_count, bottom_run, top_run

Ints = NDArray[np.int32]

MIXED, UNIFORM, TEMPORARY = 1, 2, 3
"""Kinds of contents: several colours; one colour; one colour in a tube that isn't that colour's home."""

Content = tuple[bytes, int]
"""Balls, bottom first, and kind (0 for the empty tube)."""

NOTHING: Content = (b"", 0)


NO_INTS: Ints = np.zeros(0, np.int32)
NO_WORDS = np.zeros(0, np.uint64)


class Contents(NamedTuple):
    """The contents of a board's tubes; all arrays but ``founded``, ``homes`` and ``counts`` are indexed by number.

    Attributes:
        top: colour on top, -1 for the empty tube.
        run: balls in the top run.
        room: balls that still fit.
        bottom: colour at the bottom, -1 for the empty tube.
        work: moves that the contents cost if nothing stays: balls (ball sort) or blocks (water sort).
        keep: moves saved where the bottom run stays.
        stays: balls of the bottom run.
        blocks: [contents, colours] blocks of each colour, for the bound of boards whose colours fill several tubes.
        kind: 0, `MIXED`, `UNIFORM` or `TEMPORARY`.
        less: what is left when one ball, or in the space of homes the top run, is gone.
        more: with one more ball of the top colour; -1 where that can't happen.
        colours: bit set of the colours in it.
        done: 1 where the goal accepts it.
        alone: 1 for a full tube with every ball of its colour.
        founded: [colours, capacity + 1] number of the contents of one colour in a tube that was empty; where tubes have
            rules [groups · colours, capacity + 1].
        homes: [colours] tubes that the colour fills in the end; 0 for all that it stands at the bottom of.
        gives: 1 where the tube may be a source. This and what follows is only where tubes have rules.
        takes: bit set of the colours that may be put in.
        group: number of the tube's rule.
        opens: number of the same contents when the lock has opened, -1 where there is none.
        lock_colour: colour that opens the lock when it is complete, -1 for none.
        lock_tubes: number of complete tubes that opens it.
        complete: balls of a complete tube, 0 for others.
        counts: [colours] balls of each.
    """

    top: Ints
    run: Ints
    room: Ints
    bottom: Ints
    work: Ints
    keep: Ints
    stays: Ints
    blocks: Ints
    kind: Ints
    less: Ints
    more: Ints
    colours: NDArray[np.uint64]
    done: Ints
    alone: Ints
    founded: Ints
    homes: Ints
    gives: Ints = NO_INTS
    takes: NDArray[np.uint64] = NO_WORDS
    group: Ints = NO_INTS
    opens: Ints = NO_INTS
    lock_colour: Ints = NO_INTS
    lock_tubes: Ints = NO_INTS
    complete: Ints = NO_INTS
    counts: Ints = NO_INTS


class Alphabet:
    """The contents that a board's tubes can have, numbered.

    Args:
        puzzle: the board.
        by_homes: whether a step takes a whole top run off, see the module docstring.
        further: tubes of other positions that searches begin at, as well.

    Attributes:
        puzzle: the board.
        by_homes: as given.
        numbers: the number of each content.
    """

    def __init__(self, puzzle: SortPuzzle, *, by_homes: bool, further: Iterable[bytes] = ()) -> None:
        self.puzzle = puzzle
        self.by_homes = by_homes
        self.numbers: dict[Content, int] = {NOTHING: 0}
        waiting = [*map(self.of, (*puzzle.tubes, *further))]
        for colour in range(len(puzzle.palette)):
            waiting += [self.founded(colour, load) for load in range(1, puzzle.capacity + 1)]
        self._steps: dict[Content, tuple[Content, Content | None]] = {}
        while waiting:
            content = waiting.pop()
            if content not in self.numbers:
                self.numbers[content] = len(self.numbers)
                self._steps[content] = less, more = self.less(content), self.more(content)
                waiting.append(less)
                if more is not None:
                    waiting.append(more)

    @staticmethod
    def of(tube: bytes) -> Content:
        """The content that ``tube``, bottom first, is."""
        if not tube:
            return NOTHING
        return tube, UNIFORM if tube.count(tube[0]) == len(tube) else MIXED

    def start(self, board: SortPuzzle) -> tuple[list[int], int]:
        """The numbers of a board's tubes, and the open homes: in their space full tubes of one colour are homes."""
        contents = list(map(self.of, board.tubes))
        homes = 0
        if self.by_homes:
            full = [tube for tube, kind in contents if len(tube) == board.capacity and kind == UNIFORM]
            homes = sum(1 << tube[0] for tube in full)
            contents = [NOTHING if tube in full else (tube, kind) for tube, kind in contents]
        return [self.numbers[content] for content in contents], homes

    def founded(self, colour: int, load: int) -> Content:
        """``load`` balls of one colour in a tube that was empty."""
        return bytes([colour]) * load, TEMPORARY if self.by_homes else UNIFORM

    def less(self, content: Content) -> Content:
        """The content after a step took balls off."""
        tube, _ = content
        return self.of(tube[: -top_run(tube)] if self.by_homes else tube[:-1])

    def more(self, content: Content) -> Content | None:
        """The content with one more ball of its top colour, where a step can put one there."""
        tube, kind = content
        if len(tube) == self.puzzle.capacity or kind == 0 or (self.by_homes and kind == UNIFORM):
            return None
        return tube + tube[-1:], kind

    @cached_property
    def tables(self) -> Contents:
        """The look-up tables, which nobody changes."""
        puzzle, capacity = self.puzzle, self.puzzle.capacity
        balls, full = isinstance(puzzle, BallSort), puzzle.goal == "full"
        counts = {c: sum(tube.count(c) for tube in puzzle.tubes) for c in range(len(puzzle.palette))}
        homes = np.array([puzzle.home_tubes(c) if full else 0 for c in counts], np.int32)
        figures = [(-1, 0, capacity, -1, 0, 0, 0, 0, 0, -1, True, False)]  # in the order of the fields
        for content, (less, more) in self._steps.items():
            tube, kind = content
            size, stays = len(tube), bottom_run(tube)
            figures.append(
                (
                    tube[-1],
                    top_run(tube),
                    capacity - size,
                    tube[0],
                    size if balls else block_count(tube),
                    self._keep(content, stays) if balls else 1,
                    stays,
                    kind,
                    self.numbers[less],
                    -1 if more is None else self.numbers[more],
                    kind != MIXED and (size == capacity or not full),
                    kind == UNIFORM and size == capacity == counts[tube[0]],
                )
            )
        columns = np.array(figures, np.int32).T.copy()
        top, run, room, bottom, work, keep, stays_, kind_, less_, more_, done, alone = columns
        return Contents(
            top=top,
            run=run,
            room=room,
            bottom=bottom,
            work=work,
            keep=keep,
            stays=stays_,
            blocks=self._blocks(len(counts), needed=not balls and bool((homes != 1).any())),
            kind=kind_,
            less=less_,
            more=more_,
            colours=np.array([sum(1 << colour for colour in set(tube)) for tube, _ in self.numbers], np.uint64),
            done=done,
            alone=alone,
            founded=np.array(
                [
                    [self.numbers[self.founded(c, load)] if load else 0 for load in range(puzzle.capacity + 1)]
                    for c in counts
                ],
                np.int32,
            ).reshape(len(counts), puzzle.capacity + 1),
            homes=homes,
        )

    def _blocks(self, colours: int, *, needed: bool) -> Ints:
        """[contents, colours] blocks of each colour; only zeros where no bound asks for them."""
        blocks = np.zeros((len(self.numbers), colours), np.int32)
        for number, (tube, _) in enumerate(self.numbers if needed else ()):
            for colour, _ in groupby(tube):
                blocks[number, colour] += 1
        return blocks

    def _keep(self, content: Content, stays: int) -> int:
        """Balls of the bottom run; for homes less the balls of its colour above, which then move twice."""
        tube, kind = content
        if kind == TEMPORARY:
            return 0
        return stays - (tube.count(tube[0]) - stays) if self.by_homes else stays
