"""`bsp-sat generate`."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from bsp_sat.backends.auto import Auto
from bsp_sat.backends.baselines.depth_first import DepthFirstSorted
from bsp_sat.backends.result import Findings, Status
from bsp_sat.backends.solve import solve
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.generators import GENERATORS, Generator, random_boards
from bsp_sat.instances.sorting import BallSort, WaterSort
from bsp_sat.instances.words import short

MOST_REFUSED = 1000  # boards in a row of the wrong kind before giving up

SORT_RULES = {rule.kind: rule for rule in (BallSort, WaterSort)}


@click.group()
def generate() -> None:
    """Make boards, as JSON Lines on standard output or in a file."""


@generate.command()
@click.option("--colours", type=int, required=True, help="Number of colours, each fills one tube.")
@click.option("--capacity", type=int, default=4, show_default=True, help="Balls a tube.")
@click.option("--empty", type=int, default=2, show_default=True, help="Empty tubes.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first board; the next has the next.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="Number of boards.")
@click.option("--solvable", is_flag=True, help="Leave out boards that a search proves unsolvable.")
@click.option("--puzzle", type=click.Choice(list(SORT_RULES)), default=BallSort.kind, show_default=True, help="Rules.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write instead.")
def random(
    colours: int, capacity: int, empty: int, seed: int, count: int, solvable: bool, puzzle: str, out: Path | None
) -> None:
    """Shuffle all balls and cut them into tubes.

    The same options give the same boards everywhere. With --solvable, seeds of unsolvable boards are
    passed over.
    """
    boards = random_boards(SORT_RULES[puzzle], colours, capacity, empty, seed)
    if solvable:
        if empty == 0 and colours > 1 and capacity > 1:
            raise BoardError("empty", "expected 1 or more with --solvable: without room no ball can move")
        boards = _solvable(boards)
    _write(islice(boards, count), out)


def _write(boards: Iterator[Instance], out: Path | None) -> None:
    """Boards as JSON Lines, on standard output as they are made, or all of them in a file."""
    lines = (json.dumps(board.to_json()) + "\n" for board in boards)
    if out is None:
        for line in lines:
            click.echo(line, nl=False)
    else:
        try:
            out.write_text("".join(lines), encoding="utf-8")
        except OSError as error:
            raise BoardError(str(out), error.strerror or str(error)) from None


def _numbers(_ctx: click.Context, _param: click.Parameter, value: str | None) -> list[int] | None:
    """Reads whole numbers with commas between them."""
    try:
        return None if value is None else [int(number) for number in value.split(",")]
    except ValueError:
        problem = f"expected whole numbers with commas between them, found {short(repr(value))}"
        raise click.BadParameter(problem) from None


@generate.command()
@click.option("--triples", type=int, help="M: a third of how many numbers there are.")
@click.option("--target", type=int, help="B: the sum of a triple, and the capacity.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first board; the next has the next.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="Number of boards.")
@click.option(
    "--solvable/--unsolvable", default=None, help="Only numbers that fall into triples, or only such that don't."
)
@click.option("--numbers", callback=_numbers, metavar="A,B,C,…", help="The numbers, in place of random ones.")
@click.option("--mix", type=click.IntRange(min=0), default=0, metavar="N", help="Tubes of N other colours beside them.")
@click.option("--puzzle", type=click.Choice(list(SORT_RULES)), default=BallSort.kind, show_default=True, help="Rules.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write instead.")
def three_partition(
    triples: int | None,
    target: int | None,
    seed: int,
    count: int,
    solvable: bool | None,
    numbers: list[int] | None,
    mix: int,
    puzzle: str,
    out: Path | None,
) -> None:
    """Make hard boards from 3-Partition.

    3·M numbers above B/4 and below B/2 with the sum M·B: do they fall into M triples of sum B? Each number a is a tube
    of capacity B with B − a blue balls below a red ones, and there is one empty tube. The board is solvable exactly
    if the numbers fall into triples. The answer, which CP-SAT proves on the numbers, and the optima stand in
    the file. docs/three-partition.md says more.
    """
    # Imported here: no other command needs it.
    from bsp_sat.backends.baselines.partition import mixed, partition_boards, partition_instance

    rule = SORT_RULES[puzzle]
    boards: Iterator[Instance]
    if numbers is not None:
        if triples is not None or solvable is not None or count > 1:
            raise click.UsageError("--numbers goes without --triples, --count, --solvable and --unsolvable")
        given = sum(numbers) * 3 // len(numbers) if target is None else target
        boards = iter([partition_instance(rule, numbers, given, f"three-partition-{'-'.join(map(str, numbers))}")])
    elif triples is None or target is None:
        raise click.UsageError("expected --triples and --target, or --numbers")
    else:
        boards = partition_boards(rule, triples, target, seed, solvable=solvable)
    if mix:
        boards = (mixed(board, mix, seed + number) for number, board in enumerate(boards))
    _write(islice(boards, count), out)


def _solvable(boards: Iterator[Instance]) -> Iterator[Instance]:
    decide = DepthFirstSorted()
    return (board for board in boards if solve(board.puzzle, decide).plan is not None)


def _command(name: str, generator: Generator) -> click.Command:
    """The command that offers a generator of the registry."""

    def make(seed: int, count: int, out: Path | None, solvable: bool | None = None, **numbers: int) -> None:
        boards = generator.boards(**numbers, seed=seed)
        _write(islice(boards if solvable is None else _decided(boards, solvable), count), out)

    def option(*names: str, **settings: Any) -> click.Option:
        return click.Option(names, show_default="default" in settings, **settings)

    options = []
    for number, (default, text) in generator.numbers.items():
        given: dict[str, Any] = {"required": True} if default is None else {"default": default}
        options.append(option(f"--{number}", type=int, help=text, **given))
    options += [
        option("--seed", type=int, default=0, help="Seed of the first board; the next has the next."),
        option("--count", type=click.IntRange(min=1), default=1, help="Number of boards."),
    ]
    if generator.decidable:
        text = "Only boards proved solvable, or only such proved unsolvable."
        options.append(click.Option(["--solvable/--unsolvable"], default=None, help=text))
    path = click.Path(path_type=Path, dir_okay=False)
    options.append(option("--out", type=path, help="File to write instead."))
    return click.Command(name, callback=make, params=list(options), help=generator.summary)


def _decided(boards: Iterator[Instance], solvable: bool) -> Iterator[Instance]:
    refused = 0
    for board in boards:
        backend = Auto()
        findings = Findings(board.puzzle, backend.name)  # in this process: one for each small board takes longest
        reason = backend.run(board.puzzle, findings, None)
        if (findings.result(reason).status is not Status.UNSOLVABLE) is solvable:
            refused = 0
            yield board
        elif (refused := refused + 1) == MOST_REFUSED:
            kind = "solvable" if solvable else "unsolvable"
            raise BoardError("", f"none of {refused} boards in a row is {kind}; try other numbers")


for _name, _generator in GENERATORS.items():
    generate.add_command(_command(_name, _generator))
