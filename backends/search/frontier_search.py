"""The search of `bsp_sat.backends.search.frontier`: expands buckets of boards, each as a whole.

A bucket holds the boards with the same number of clicks and the same bound. A click lowers the bound by at most one, as
it takes tiles from one run of columns. So buckets are expanded in order of clicks + bound, then of clicks, and no board
can enter a bucket after it has been expanded. A board that was reached before with fewer clicks has been expanded in an
earlier bucket with the same bound. Boards are compared as wholes; hashes only select which ones to compare. (If two
boards share a hash, a third one that equals one of them may be expanded again, which only costs time.)
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bsp_sat.backends.backend import Report
from bsp_sat.backends.engine import FOUND, PAUSED
from bsp_sat.backends.search.tile_arrays import Array, TileArrays
from bsp_sat.backends.search.tiles_beam import TilesBeam
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.tiles import Click, Tiles

CHUNK = 1 << 14  # boards expanded at once: small enough for the processor's cache
BEAM_EFFORT = 120_000_000  # expansions times tiles: about a second
BEAM_TURN = 2_000_000  # the same between two reports
BEAM_MEMORY = 0.2


def search(
    puzzle: Tiles, report: Report, max_steps: int | None, *, bound: bool, one_part: bool, head_start: bool
) -> str:
    """Finds a shortest plan; the arguments are those of `Backend.run` and the fields of `Frontier`."""
    boards = TileArrays(puzzle)
    if head_start:
        for plan in _shorter_plans(puzzle):
            if max_steps is None or len(plan) <= max_steps:
                report.stats(plan_by="a beam search")
                report.plan(plan)
                max_steps = len(plan) - 1
    start = _Bucket.of(boards.start(), np.array([-1]), -1)
    total = int(boards.bounds(start.rows)[0]) if bound else 0
    waiting: dict[tuple[int, int], list[_Bucket]] = {(total, 0): [start]}
    done: list[tuple[int, _Bucket]] = []
    expansions = 0
    while waiting:
        total, clicks = key = min(waiting)
        report.lower_bound(total)
        if max_steps is not None and total > max_steps:
            return ""
        seen = [earlier for left, earlier in done if left == total - clicks]
        bucket = _without_duplicates(waiting.pop(key), seen)
        solved = np.flatnonzero(~bucket.rows.any(axis=1))
        if solved.size:
            report.plan(_clicks_to([each for _, each in done], bucket, int(solved[0])))
            return ""
        for begin in range(0, len(bucket.rows), CHUNK):
            rows = bucket.rows[begin : begin + CHUNK]
            for column, which, after in boards.clicks(rows, one_part=one_part):
                bounds = boards.bounds(after) if bound else np.zeros(len(after), np.int64)
                totals = clicks + 1 + bounds
                parents = expansions + begin + which
                for value in np.unique(totals):
                    if max_steps is None or value <= max_steps:
                        these = totals == value
                        child = _Bucket.of(after[these], parents[these], column)
                        waiting.setdefault((int(value), clicks + 1), []).append(child)
        expansions += len(bucket.rows)
        if len(bucket.rows):
            done.append((total - clicks, bucket))
        report.progress(expansions)
    assert max_steps is not None, "every board can be cleared"
    report.lower_bound(max_steps + 1)
    return ""


class _Bucket(NamedTuple):
    """Boards with their hashes, their parents (by order of expansion), and the columns clicked on the parents."""

    rows: Array
    hashes: Array
    parents: Array
    columns: Array

    @classmethod
    def of(cls, rows: Array, parents: Array, column: int) -> "_Bucket":
        """The boards after clicks on one column."""
        multipliers = np.random.default_rng(0).integers(1 << 63, size=rows.shape[1], dtype=np.uint64)
        hashes = np.zeros(len(rows), np.uint64)
        for number, multiplier in enumerate(2 * multipliers + np.uint64(1)):
            hashes += rows[:, number] * multiplier
        return cls(rows, hashes, parents, np.full(len(rows), column, np.int16))

    def at(self, which: Array) -> "_Bucket":
        """Some of the boards."""
        return _Bucket(*(values[which] for values in self))


def _without_duplicates(parts: list[_Bucket], seen: list[_Bucket]) -> _Bucket:
    """All boards of the parts, without duplicates and without those of ``seen``, in order of their hashes."""
    whole = _Bucket(*map(np.concatenate, zip(*parts, strict=True)))
    whole = whole.at(np.argsort(whole.hashes))
    new = np.ones(len(whole.rows), bool)
    new[1:] = (whole.rows[1:] != whole.rows[:-1]).any(axis=1)
    for earlier in seen:
        place = np.minimum(np.searchsorted(earlier.hashes, whole.hashes), len(earlier.rows) - 1)
        maybe = np.flatnonzero(earlier.hashes[place] == whole.hashes)
        new[maybe] &= (earlier.rows[place[maybe]] != whole.rows[maybe]).any(axis=1)
    return whole.at(np.flatnonzero(new))


def _shorter_plans(puzzle: Tiles) -> Iterator[Plan]:
    """Shorter and shorter plans: first any clicks, which clear every board, then those of a beam search."""
    clicks, left = [], puzzle
    while not left.is_goal():
        clicks.append(next(iter(left.legal_moves())))
        left = left.after_legal(clicks[-1])
    best = Plan(tuple(clicks))
    yield best
    if not TilesBeam.takes(puzzle):
        return
    tiles = max(1, sum(map(len, puzzle.columns)))
    beam = TilesBeam(puzzle, memory_mb=None, share=BEAM_MEMORY)
    while beam.expansions * tiles < BEAM_EFFORT:
        outcome = beam.advance(len(best) - 1, max(1, BEAM_TURN // tiles))
        if outcome == FOUND:
            best = beam.plan()
            yield best
        elif outcome != PAUSED:
            break
    beam.close()


def _clicks_to(done: list[_Bucket], bucket: _Bucket, index: int) -> Plan:
    """The clicks that lead to one board of a bucket."""
    parents = np.concatenate([each.parents for each in done]) if done else np.array([], np.int64)
    columns = np.concatenate([each.columns for each in done]) if done else np.array([], np.int16)
    clicks = []
    board, column = int(bucket.parents[index]), int(bucket.columns[index])
    while board >= 0:
        clicks.append(Click(column))
        board, column = int(parents[board]), int(columns[board])
    return Plan(tuple(reversed(clicks)))
