"""`bsp-sat partition`."""

import click

from bsp_sat.backends.cpsat.partition import find_triples
from bsp_sat.cli.boards import load_board
from bsp_sat.cli.group import EXIT_NO
from bsp_sat.cli.options import Parsed, ReadingOptions, board_argument, reading_options, refuse_standard_input_twice
from bsp_sat.cli.screen import working
from bsp_sat.instances.errors import BoardError, GoalNotReached, IllegalMove, Unsupported, printable
from bsp_sat.instances.files import load_plan
from bsp_sat.instances.sorting import SortPuzzle
from bsp_sat.instances.text.words import quantity, short
from bsp_sat.instances.text.writing import json_text
from bsp_sat.instances.three_partition import Core


def _parse_triples(value: str) -> list[list[int]]:
    """Parses triples such as ``7+8+9,7+7+10``."""
    try:
        return [[int(number) for number in part.split("+")] for part in value.split(",")]
    except ValueError:
        raise Unsupported(f"expected triples such as 7+8+9,7+7+10, found {short(repr(value))}") from None


@click.command()
@board_argument
@click.argument("plan_file", metavar="[PLAN]", required=False)
@click.option(
    "--triples", type=Parsed("triples", _parse_triples), metavar="A+B+C,…", help="Build the plan from these triples."
)
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with the plan.")
@click.pass_context
def partition(
    ctx: click.Context,
    board: str,
    plan_file: str | None,
    triples: list[list[int]] | None,
    reading: ReadingOptions,
    as_json: bool,
) -> None:
    """Read a BOARD as 3-Partition: a plan as triples, triples as a plan.

    BOARD is one made by `bsp-sat generate three-partition`, or of the same form. With PLAN (a file or "-", as for
    `check`), prints the triples it stands for. Without, CP-SAT looks for a partition of the numbers, and a shortest
    plan is built from it. Exit code: 0 there is a partition, 1 there is none or PLAN doesn't solve the board, 2 bad
    input.
    """
    refuse_standard_input_twice(board, plan_file)
    if plan_file is not None and triples is not None:
        raise click.UsageError("--triples can't be used with PLAN")
    instance = load_board(board, reading)
    if not isinstance(instance.puzzle, SortPuzzle):
        raise Unsupported(f"3-Partition is for ball-sort and water-sort boards, not {instance.puzzle.kind}")
    try:
        core = Core.of(instance.puzzle)
    except BoardError as error:
        raise BoardError(f"{instance.name} is no 3-Partition board: {error.where}", error.problem) from None
    if plan_file is not None:
        plan = load_plan(instance.puzzle, plan_file)
        try:
            found = core.triples_of(plan)
        except (IllegalMove, GoalNotReached) as error:
            click.echo(f"Invalid: {error}")
            ctx.exit(EXIT_NO)
    else:
        with working("looking for a partition"):
            wanted = triples or find_triples(core.numbers, core.puzzle.capacity)
        if wanted is None:
            no = f"{_heading(core, instance.name)} don't fall into triples (CP-SAT), so the board is unsolvable."
            click.echo(json_text(_about(core, "no")) if as_json else no)
            ctx.exit(EXIT_NO)
        found = core.tubes_of(wanted)
        plan = core.plan_of(found)
    if as_json:
        about = {
            **_about(core, "yes"),
            "triples": [core.numbers_of(triple) for triple in found],
            "tubes": found,
            "length": len(plan),
            "plan": plan.to_json(instance.puzzle),
        }
        click.echo(json_text(about))
        return
    click.echo(f"{_heading(core, instance.name)} fall into triples:\n")
    for triple in found:
        numbers = " + ".join(f"{number:>{len(str(instance.puzzle.capacity))}}" for number in core.numbers_of(triple))
        click.echo(f"  {numbers} = {instance.puzzle.capacity}   tubes {', '.join(str(at + 1) for at in triple)}")
    click.echo()
    if plan_file is not None:
        click.echo(f"This is the order in which the plan of {len(plan)} moves empties the upper parts of the tubes.")
    else:
        shortest = ", and none is shorter" if triples is None else ""
        click.echo(f"The plan along these triples has {len(plan)} moves{shortest}; --json prints it.")


def _about(core: Core, answer: str) -> dict[str, object]:
    return {"answer": answer, "numbers": core.numbers, "target": core.puzzle.capacity}


def _heading(core: Core, name: str) -> str:
    return f"{printable(name)}: {quantity(len(core.numbers), 'number')}, target {core.puzzle.capacity}. They"
