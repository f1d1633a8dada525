"""`bsp-sat audit`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import click

from bsp_sat.apps.levels.audit import BEFORE, HIGH, STEEP, AuditedLevel, audited
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.published import ends_of
from bsp_sat.backends.registry import make_backend
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import FAILED, Failure, Job, Solve
from bsp_sat.backends.versions import in_words, versions
from bsp_sat.cli import parts
from bsp_sat.cli.batch import Request, outcomes
from bsp_sat.cli.boards import load_boards
from bsp_sat.cli.group import EXIT_BUG, EXIT_NO, EXIT_UNKNOWN
from bsp_sat.cli.options import (
    FileName,
    ReadingOptions,
    Work,
    board_argument,
    limit_options,
    reading_options,
    work_options,
)
from bsp_sat.cli.report import Page
from bsp_sat.cli.screen import Screen
from bsp_sat.instances.errors import BoardError, printable
from bsp_sat.instances.files import Instance
from bsp_sat.instances.sorting import is_hidden
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import csv_text, write_file

AUTO = make_backend("auto")

SECONDS = 10.0
"""For each level, unless another limit is given."""

SUFFIXES = (".html", ".csv")
COLUMNS = ("level", "name", "board", "status", "moves", "published", "like", "notes")
WIDTH, HEIGHT, MARGIN = 900, 220, 34  # of the curve


@click.command()
@board_argument
@reading_options
@limit_options
@work_options
@click.option(
    "-o", "--out", type=FileName(), metavar="FILE", help="Write a row for each level, and the curve (.html), or .csv."
)
@click.pass_context
def audit(
    ctx: click.Context, board: str, reading: ReadingOptions, limits: Limits, work: Work, out: Path | None
) -> None:
    """Check all levels of a pack, a file of many boards.

    Can each be solved, and in how many moves at least? Is what the pack publishes right, as an optimum or as a recorded
    plan? Which levels are duplicates, up to colours, the order of tubes, and which end is the top? Where does the
    number of moves jump? Each level has 10 seconds, or --time-limit. Exit code: 0 each level can be solved and nothing
    published is wrong, 1 otherwise, 2 bad input, 3 some are unknown or it was interrupted, 4 a crash.
    """
    if out is not None and out.suffix not in SUFFIXES:
        raise BoardError(str(out), f"expected a name that ends in {' or '.join(SUFFIXES)}")
    instances = load_boards(board, reading)
    limits = replace(limits, seconds=limits.seconds or SECONDS)
    request = Request(AUTO.name, limits, None, work.cluster)
    jobs = [_job(instance, limits) for instance in instances]
    answers: list[tuple[Instance, dict[str, Any]]] = []
    for instance, outcome in zip(instances, outcomes(jobs, request, work.jobs), strict=False):
        if isinstance(outcome, Failure):
            answers.append((instance, {"status": FAILED, "length": None, "lower_bound": None}))
        else:
            answers.append((instance, request.answer(outcome, instance)))
    levels = list(audited(answers))
    lines = [*_summary(levels, len(instances)), *_unknown_end(instances), *_findings(levels)]
    if out is not None:
        as_csv = out.suffix == ".csv"
        write_file(out, csv_text([COLUMNS, *_rows(levels)]).encode() if as_csv else _page(board, lines, levels))
    screen = Screen()
    for line in lines:
        screen.print(printable(line))
    statuses = {level.status for level in levels}
    if FAILED in statuses:
        ctx.exit(EXIT_BUG)
    if any(level.is_wrong or level.status == Status.UNSOLVABLE for level in levels):
        ctx.exit(EXIT_NO)
    ctx.exit(EXIT_UNKNOWN if len(levels) < len(instances) or statuses - {Status.OPTIMAL} else 0)


def _job(instance: Instance, limits: Limits) -> Job[Any, Any]:
    puzzle = instance.puzzle
    return parts.covered().job(puzzle, limits) if is_hidden(puzzle) else Solve(AUTO.for_board(puzzle), puzzle, limits)


def _summary(levels: Sequence[AuditedLevel], wanted: int) -> list[str]:
    """A line for each question about the whole pack."""
    by = {status: sum(level.status == status for level in levels) for status in (*Status, FAILED)}
    counts = [
        (by[Status.OPTIMAL], "solved in the fewest moves"),
        (by[Status.FEASIBLE], "solved, perhaps not in the fewest moves"),
        (by[Status.UNSOLVABLE], "unsolvable, proved"),
        (by[Status.UNKNOWN], "without an answer in time"),
        (by[FAILED], "failed"),
    ]
    said = ", ".join(f"{count} {words}" for count, words in counts if count)
    lines = [f"{quantity(len(levels), 'level')}: {said or 'none looked at'}."]
    if len(levels) < wanted:
        lines.append(f"Interrupted: {wanted - len(levels)} more weren't looked at.")
    lengths = [level.length for level in levels if level.length is not None and level.status == Status.OPTIMAL]
    if lengths:
        lines.append(f"Fewest moves: {min(lengths)} to {max(lengths)}, {sum(lengths) / len(lengths):.1f} on average.")
    plans = [level.excess for level in levels if level.excess is not None]
    if plans:
        best = sum(not excess for excess in plans)
        lines.append(f"Recorded plans: {best} of {len(plans)} have the fewest moves; {sum(plans)} moves too many.")
    claims = [level for level in levels if level.claim and level.excess is None]
    if claims:
        wrong = sum(level.is_wrong for level in claims)
        lines.append(f"Published answers: {len(claims)}, of which {wrong} wrong.")
    lines.append(f"Duplicates: {sum(level.twin is not None for level in levels)}.")
    lines.append(f"Jumps: {sum(level.jump is not None for level in levels)}.")
    return lines


def _unknown_end(instances: Sequence[Instance]) -> list[str]:
    """What to know of published answers if neither they nor anything else shows which end of a tube is the top."""
    ends = ends_of(instances)
    if not ends.levels:
        return []
    turned_by = next(instance.turned_by for instance in instances if instance.other_end is not None)
    fits = f"fits {ends.as_read} of {quantity(ends.levels, 'level')} as read, and {ends.turned} with {turned_by}"
    return [f"Nothing shows which end of a tube is its top: what is published {fits}."]


def _findings(levels: Sequence[AuditedLevel]) -> list[str]:
    return [f"Level {each.number} ({each.name}): {'; '.join(each.notes)}." for each in levels if each.notes]


def _rows(levels: Sequence[AuditedLevel]) -> list[tuple[object, ...]]:
    return [
        (
            each.number,
            each.name,
            each.size,
            each.status,
            each.length,
            each.claim or None,
            None if each.twin is None else each.twin.number + 1,
            "; ".join(each.notes) or None,
        )
        for each in levels
    ]


def _page(source: str, lines: Sequence[str], levels: Sequence[AuditedLevel]) -> bytes:
    page = Page(f"Audit of {source}")
    page.list_all(lines)
    page.heading("Fewest moves, level by level")
    page.picture(_curve(levels), "Fewest moves of each level")
    page.heading("All levels")
    page.table(COLUMNS, _rows(levels))
    page.say(
        f"A jump is a level with at least {STEEP:g} times the moves of the median of up to {BEFORE} solved levels "
        f"before it, and {HIGH} more. Levels are alike up to colours, the order of tubes, and which end is the top. "
        f"Answers are proved by {in_words(versions())}."
    )
    return page.html()


def _curve(levels: Sequence[AuditedLevel]) -> bytes:
    """The fewest moves of each level; jumps are filled dots, unsolvable levels crosses at the bottom."""
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": f"{WIDTH}", "height": f"{HEIGHT}"}
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size})
    most = max((level.length or 0 for level in levels), default=0) or 1
    step = (WIDTH - 2 * MARGIN) / max(1, len(levels) - 1)

    def place(level: AuditedLevel, moves: int) -> tuple[float, float]:
        x = MARGIN + (level.number - 1) * step
        return round(x, 1), round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * moves / most, 1)

    def words(x: float, y: float, text: object, anchor: str) -> None:
        about = {"x": f"{x}", "y": f"{y}", "text-anchor": anchor, "font-size": "12", "fill": "#555"}
        SubElement(root, "text", about).text = str(text)

    points = [(level, place(level, level.length)) for level in levels if level.length is not None]
    line = " ".join(f"{x},{y}" for _, (x, y) in points)
    SubElement(root, "polyline", {"points": line, "fill": "none", "stroke": "#3b6ea5", "stroke-width": "1.5"})
    for level, (x, y) in points:
        if level.jump is not None:
            SubElement(root, "circle", {"cx": f"{x}", "cy": f"{y}", "r": "4", "fill": "#b3261e"})
    for level in levels:
        if level.status == Status.UNSOLVABLE:
            x, y = place(level, 0)
            cross = f"M{x - 4},{y - 4}l8,8m0,-8l-8,8"
            SubElement(root, "path", {"d": cross, "stroke": "#b3261e", "stroke-width": "2"})
    floor = HEIGHT - MARGIN
    SubElement(root, "path", {"d": f"M{MARGIN},{MARGIN}V{floor}H{WIDTH - MARGIN}", "fill": "none", "stroke": "#888"})
    words(MARGIN - 6, MARGIN + 4, most, "end")
    words(MARGIN - 6, floor + 4, 0, "end")
    words(MARGIN, floor + 18, "level 1", "start")
    words(WIDTH - MARGIN, floor + 18, len(levels), "end")
    return tostring(root)
