"""`bsp-sat generate levels`, a subcommand of `bsp_sat.cli.commands.generate`."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import IO, Any, NamedTuple

import click

from bsp_sat.apps.levels.additions import Additions
from bsp_sat.apps.levels.board_spec import BoardSpec, Range
from bsp_sat.apps.levels.grade import checked_names
from bsp_sat.apps.levels.level_numbers import NUMBERS
from bsp_sat.apps.levels.levels import Level, make_pack
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.backends import proofs
from bsp_sat.backends.engine import check_library
from bsp_sat.backends.lock import open_alone
from bsp_sat.backends.result import Status
from bsp_sat.backends.run import Process, pool_of
from bsp_sat.backends.solve import solve_with
from bsp_sat.cli.batch import REMEDY, write_line
from bsp_sat.cli.group import EXIT_UNKNOWN
from bsp_sat.cli.options import (
    Option,
    Parsed,
    WholeNumber,
    Work,
    certificate_option,
    group,
    number_option,
    resumable_work_options,
    rules_option,
    seed_option,
    stop_on_signals,
)
from bsp_sat.cli.screen import working
from bsp_sat.instances.errors import BoardError, BspSatError, Unsupported
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.registry import SORT_PUZZLES
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.reading import parse_json
from bsp_sat.instances.text.words import parse_number, quantity, short
from bsp_sat.instances.text.writing import json_text

MOST_LEVELS = 100_000
LINE_START = b'{"name": "level-'


class _Sizes(NamedTuple):
    """A number, or the ends of a range from which each board gets one."""

    low: int
    high: int

    @classmethod
    def read_for(cls, name: str) -> Callable[[str], "_Sizes"]:
        """The function that reads them for one of `NUMBERS`."""

        def read(text: str) -> "_Sizes":
            ends = [parse_number(word) for word in text.split("..")]
            match ends:
                case [int(low)]:
                    sizes = cls(low, low)
                case [int(low), int(high)] if low <= high:
                    sizes = cls(low, high)
                case _:
                    raise Unsupported(f"expected a number or a range such as 5..12, found {short(repr(text))}")
            for end in sizes:
                NUMBERS[name].check(name, end)
            return sizes

        return read


def _sizes_option(name: str, words: str = "") -> Option:
    number = NUMBERS[name]
    default = None if number.default is None else str(number.default)
    read = Parsed("number", _Sizes.read_for(name))
    about: dict[str, Any] = {"required": True} if default is None else {"default": default, "show_default": True}
    return Option(f"--{name}", type=read, metavar="N|N..N", help=number.help + words, **about)


@dataclass(frozen=True)
class _Wishes:
    """What the boards should be like."""

    sizes: tuple[_Sizes, ...]
    rule: type[SortPuzzle]
    ranges: dict[str, Range]
    solvable: bool

    def to_json(self) -> dict[str, Any]:
        """For the lines of a pack, which say what they were made for."""
        sizes = {name: list(ends) for name, ends in zip(("colours", "capacity", "empty"), self.sizes, strict=True)}
        ranges = {name: str(wanted) for name, wanted in self.ranges.items()}
        return {**sizes, "puzzle": self.rule.kind, "solvable": self.solvable, **ranges}

    def specs(self, count: int, seed: int) -> list[BoardSpec]:
        """A specification for each board. Sizes are drawn, and the same for the same seed."""
        chance = Random(f"{seed} sizes")
        drawn = [[chance.randint(*each) for each in self.sizes] for _ in range(count)]
        return [
            BoardSpec(self.rule, colours, capacity, empty, self.ranges, solvable=self.solvable)
            for colours, capacity, empty in drawn
        ]


def _wishes(
    colours: _Sizes, capacity: _Sizes, empty: _Sizes, puzzle: str, unsolvable: bool, **measures: Range | None
) -> _Wishes:
    ranges = {name: wanted for name, wanted in measures.items() if wanted is not None}
    return _Wishes((colours, capacity, empty), SORT_PUZZLES[puzzle], ranges, solvable=not unsolvable)


def _range_options() -> dict[str, Option]:
    """An option for each measure."""
    flags = {name: f"--{name.replace('_', '-')}" for name in MEASURES}
    return {
        name: Option(flags[name], metavar="RANGE", type=Parsed("range", Range.parse), help=measure.summary.rstrip(":"))
        for name, measure in MEASURES.items()
    }


@click.command()
@group(
    "wishes",
    _wishes,
    colours=_sizes_option("colours", " 5..12: each board gets a number of these."),
    capacity=_sizes_option("capacity"),
    empty=_sizes_option("empty"),
    puzzle=rules_option(list(SORT_PUZZLES)),
    **_range_options(),
    unsolvable=Option(
        "--unsolvable", is_flag=True, help="Make boards without a plan. Use --effort for how hard that is to see."
    ),
)
@click.option(
    "--curve",
    type=Parsed("measure", lambda name: checked_names([name])[0]),
    metavar="MEASURE",
    help="Make a pack from easy to hard by a measure, such as optimum: in equal steps from four times as many boards.",
)
@group(
    "additions",
    Additions,
    hide=Option("--hide", metavar="tops|SHARE", help="Cover all cells below the top runs, or a share of them, 0 to 1."),
    locked=Option(
        "--locked",
        type=WholeNumber(0, NUMBERS["colours"].most),
        default=0,
        help="Lock N full tubes until a colour is complete.",
        metavar="N",
    ),
    cork=Option("--cork", is_flag=True, help="Close complete tubes for good."),
)
@click.option("--count", type=WholeNumber(1, MOST_LEVELS), default=1, show_default=True, help="Number of boards.")
@seed_option("The same seed gives the same boards.")
@number_option("tries", NUMBERS["tries"])
@certificate_option("Write a proof of each answer into a folder below DIR.")
@resumable_work_options("Write to OUT, line by line, and go on there after an interruption. Not with --curve.")
@click.option(
    "-o",
    "--out",
    "new",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to FILE instead of standard output.",
)
@click.pass_context
def levels(
    ctx: click.Context,
    /,
    wishes: _Wishes,
    additions: Additions,
    curve: str | None,
    count: int,
    seed: int,
    tries: int,
    certificate: Path | None,
    work: Work,
    new: Path | None,
) -> None:
    """Make boards whose measures are in given ranges.

    A RANGE is a figure (36), a range (34..38, ..0.05, 34..) or, with a percent sign, a range of percentiles among
    boards of the same size (..1%, 90..%). docs/grading.md defines the measures. Each board is solved and graded. No two
    boards are equal up to tube order and colour names. Ranges and the curve are of the board without locks and corks;
    of a board with some, only the optimum is given. Covered balls have their colours in the file. Exit code: 0 all
    boards were found, 2 bad input, 3 some weren't, or weren't certified, or it was interrupted.
    """
    check_library()
    if work.out is not None and (curve is not None or new is not None):
        raise click.UsageError("--resume goes neither with --curve, whose boards are chosen at the end, nor with --out")
    specs = wishes.specs(count, seed)
    _ = additions.share  # refuses what is none
    if certificate is not None:
        proofs.prepare_folder(certificate)
    asked = {"seed": seed, "tries": tries, **wishes.to_json(), **asdict(additions)}
    path = work.out or new
    tried = 0
    with (
        nullcontext(None) if path is None else open_alone(path) as file,
        Process() as prover,
        stop_on_signals() as stop,
        working() as show,
        pool_of(work.jobs, work.cluster, stop) as pool,
    ):
        if new is not None and file is not None and file.read(1):
            raise BoardError(str(new), "exists already; name a new file, or use --resume to go on with it")
        before = [] if work.out is None or file is None else _read_levels(file, work.out, asked)
        made = len(before)
        all_certified = not any("error" in level.certificate for level in before)

        def on_climb(number: int, looked_at: int, distance: float) -> None:
            nearest = f"nearest {distance:.3g} away" if distance < inf else "all made before"
            show(f"board {number + 1} · {looked_at} tried · {nearest}")

        options: dict[str, Any] = {"workers": work.jobs, "most_tries": tries, "on_climb": on_climb}
        if before:
            options |= {"first": before[-1].number + 1, "before": [level.puzzle for level in before]}
        for plain in make_pack(specs, curve, seed, pool, stop, **options):
            tried += plain.tried
            level = None if plain.distance else _with_additions(additions, plain, f"{seed} {plain.number}", prover)
            if plain.distance:
                _report_missing(plain)
            elif level is None:
                click.echo(
                    f"Board {plain.number + 1}: it has no plan with any locks or corks that were tried", err=True
                )
            else:
                made += 1
                line = {**level.to_json(seed), "asked": asked}
                if certificate is not None:
                    line["certificate"] = _certified(level, certificate / f"{level.number:04}", prover)
                    all_certified &= "error" not in line["certificate"]
                write_line(line, file)
    if stop.is_set():
        click.echo("Interrupted.", err=True)
    where = "" if path is None else f"{path}: "
    click.echo(f"{where}{made} of {quantity(count, 'level')} made, {quantity(tried, 'board')} tried.", err=True)
    ctx.exit(0 if made == count and all_certified and not stop.is_set() else EXIT_UNKNOWN)


class _Before(NamedTuple):
    """A level that an earlier run wrote: its place in the pack, its board, and the entry of its certificate."""

    number: int
    puzzle: SortPuzzle
    certificate: dict[str, Any]


def _read_levels(file: IO[bytes], out: Path, asked: dict[str, Any]) -> list[_Before]:
    """The levels in a file, from which an incomplete last line is removed; BoardError names a line of other options."""
    found: list[_Before] = []
    complete = 0
    for number, text in enumerate(file, 1):
        where = f"{out}: line {number}"
        if not text.endswith(b"\n") and text.startswith(LINE_START[: len(text)]):
            file.truncate(complete)
            break
        try:
            line = parse_json(text.decode())
            (instance,) = parse_instances(text.decode(), where)
            place = int(str(line["name"]).rpartition("-")[2])
        except (BspSatError, UnicodeDecodeError, TypeError, KeyError, ValueError):
            raise BoardError(where, f"expected a level of an earlier run; {REMEDY}") from None
        if line.get("asked") != asked:
            raise BoardError(where, f"it was made with other options: give the same, or {REMEDY}")
        if not isinstance(instance.puzzle, SortPuzzle) or (found and place <= found[-1].number):
            raise BoardError(where, f"expected a level after the one before it; {REMEDY}")
        found.append(_Before(place, instance.puzzle, line.get("certificate", {})))
        complete += len(text)
    return found


def _with_additions(additions: Additions, level: Level, seed: str, prover: Process) -> Level | None:
    """A level with what is added to it; None if it has no plan then."""
    if additions == Additions():
        return level
    for puzzle in additions.added_to(level.puzzle, seed):
        if not additions.changes_moves:
            return replace(level, puzzle=puzzle)
        result = solve_with(prover, puzzle)
        if result.status == Status.OPTIMAL and "optimum" in level.grades:
            return replace(level, puzzle=puzzle, grades={"optimum": {"value": result.length, "how": "exact"}})
        if result.status == Status.UNSOLVABLE and "optimum" not in level.grades:
            return replace(level, puzzle=puzzle, grades={})
    return None


def _report_missing(level: Level) -> None:
    words = f"none found among {level.tried}"
    if level.repeats:
        words += ", but boards made before"
    if level.distance < inf:
        words += f"; wanted: {'; '.join(level.unmet)}; the nearest is {json_text(level.puzzle.to_json()['tubes'])}"
    click.echo(f"Board {level.number + 1}: {words}", err=True)


def _certified(level: Level, folder: Path, process: Process) -> dict[str, Any]:
    """Solves a board again and writes a certificate of the answer, or reports why there is none."""
    result = solve_with(process, level.puzzle)
    return proofs.certificate_entry(folder, partial(proofs.certify, process, puzzle=level.puzzle, result=result))
