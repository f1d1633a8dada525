"""`bsp-sat generate`: a command for each generator that a puzzle declares, and one for 3-Partition."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click

from bsp_sat.backends.boards import filter_solvable, partition_boards, partition_instance
from bsp_sat.cli import parts
from bsp_sat.cli.batch import write_line
from bsp_sat.cli.group import Suggesting
from bsp_sat.cli.options import Option, Parsed, WholeNumber, number_option, rules_option, seed_option
from bsp_sat.cli.screen import progress_bar
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.files import Instance
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.puzzle import Generator
from bsp_sat.instances.registry import PUZZLES, SORT_PUZZLES
from bsp_sat.instances.text.words import short
from bsp_sat.instances.text.writing import json_text, write_file
from bsp_sat.instances.three_partition import NUMBERS


class _Makers(Suggesting):
    """The generators' commands, and those of apps, which are imported on demand: they load numpy."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return [*super().list_commands(ctx), *parts.subcommand_names("generate")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name, or None."""
        return super().get_command(ctx, cmd_name) or parts.subcommand("generate", cmd_name)


@click.group(cls=_Makers)
def generate() -> None:
    """Make boards, as JSON Lines on standard output or in a file."""


MAX_COUNT = 1_000_000_000  # boards of one file
_seed_option = seed_option("Seed of the first board; the next ones count up.")
_count_option = Option(
    "--count", type=WholeNumber(1, MAX_COUNT), default=1, show_default=True, help="Number of boards."
)
_out_option = Option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write to FILE instead of standard output."
)


def _command(generator: Generator, kinds: Sequence[str]) -> click.Command:
    """The command for a generator, with ``--puzzle`` if it makes boards of several kinds."""

    def make(
        seed: int, count: int, out: Path | None, puzzle: str = kinds[0], solvable: bool | None = None, **given: Any
    ) -> None:
        boards = random_boards(PUZZLES[puzzle], seed=seed, **given)
        with progress_bar(count, 0) as advance:
            _write(islice(boards if solvable is None else filter_solvable(boards, solvable), count), out, advance)

    about = "The same options give the same boards everywhere."
    options: list[Option] = [number_option(name, number) for name, number in generator.numbers.items()]
    options += [
        Option(f"--{name}", default="", metavar=word.metavar, help=word.help) for name, word in generator.words.items()
    ]
    options += [_seed_option, _count_option]
    if generator.decidable:
        about += " With --solvable or --unsolvable, seeds of other boards are skipped."
        text = "Keep only boards that a search proves solvable (or unsolvable)."
        options.append(Option("--solvable/--unsolvable", default=None, help=text))
    if len(kinds) > 1:
        options.append(rules_option(kinds))
    options.append(_out_option)
    for option in reversed(options):
        make = option(make)
    return click.command(generator.command, help=f"{generator.summary}\n\n{about}")(make)


def _write(boards: Iterator[Instance], out: Path | None, advance: Callable[[], object] = lambda: None) -> None:
    """Writes boards as JSON Lines, one by one to standard output, or all at once to a file; reports each."""
    lines = []
    for board in boards:
        if out is None:
            write_line(board.to_json(), None)
        else:
            lines.append(f"{json_text(board.to_json())}\n")
        advance()
    if out is not None:
        write_file(out, "".join(lines).encode())


def _numbers(value: str) -> list[int]:
    try:
        return [int(number) for number in value.split(",")]
    except ValueError:
        raise Unsupported(f"expected whole numbers separated by commas, found {short(repr(value))}") from None


@generate.command()
@number_option("triples", NUMBERS["triples"], required=False)
@number_option("target", NUMBERS["target"], required=False)
@_seed_option
@_count_option
@click.option(
    "--solvable/--unsolvable", default=None, help="Make only numbers that can (or can't) be split into triples."
)
@click.option(
    "--numbers", type=Parsed("numbers", _numbers), metavar="A,B,C,…", help="Use these numbers instead of random ones."
)
@rules_option(list(SORT_PUZZLES))
@_out_option
def three_partition(
    triples: int | None,
    target: int | None,
    seed: int,
    count: int,
    solvable: bool | None,
    numbers: list[int] | None,
    puzzle: str,
    out: Path | None,
) -> None:
    """Make hard boards from 3-Partition.

    Given 3·M numbers above B/4 and below B/2 with the sum M·B, can they be split into M triples of sum B? Each number a
    becomes a tube of capacity B with B − a blue balls below a red ones, and there is one empty tube. The board is
    solvable if and only if the numbers can be split. The file has the answer, which CP-SAT proves on the numbers, and
    the optima. See docs/three-partition.md.
    """
    rule = SORT_PUZZLES[puzzle]
    boards: Iterator[Instance]
    if numbers is not None:
        if triples is not None or solvable is not None or count > 1:
            raise click.UsageError("--numbers can't be used with --triples, --count, --solvable or --unsolvable")
        given = sum(numbers) * 3 // len(numbers) if target is None else target
        boards = iter([partition_instance(rule, numbers, given, f"three-partition-{'-'.join(map(str, numbers))}")])
    elif triples is None or target is None:
        raise click.UsageError("expected --triples and --target, or --numbers")
    else:
        boards = partition_boards(rule, triples, target, seed, solvable=solvable)
    _write(islice(boards, count), out)


_generators = {puzzle.generator.command: puzzle.generator for puzzle in PUZZLES.values() if puzzle.generator}
for _generator in _generators.values():
    _kinds = [kind for kind, puzzle in PUZZLES.items() if puzzle.generator is _generator]
    generate.add_command(_command(_generator, _kinds))
