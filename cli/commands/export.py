"""`bsp-sat export`."""

import io
from pathlib import Path

import click

from bsp_sat.backends.limits import MOST
from bsp_sat.cli.boards import load_board
from bsp_sat.cli.options import OneOf, ReadingOptions, WholeNumber, board_argument, reading_options
from bsp_sat.cli.screen import working
from bsp_sat.encoder.export.dimacs import decision_formula, write_dimacs
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.encoder.export.strips import strips_domain, strips_problem
from bsp_sat.encoder.export.weighted import weighted_formula
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, encoding_for
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import ANYWHERE, COLOURED, MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort

PLAIN = (MONOCHROME, SEVERAL_HOMES)
SCOPES = {
    "lpcp": Scope.of(BallSort, WaterSort, features=PLAIN),
    "pddl": Scope.of(BallSort, WaterSort, features=(ANYWHERE, COLOURED, *PLAIN)),
    "strips": Scope.of(BallSort, WaterSort, features=PLAIN),
}
PLANNING = {"pddl": (pddl_domain, pddl_problem), "strips": (strips_domain, strips_problem)}
"""The formats of two files, for planners."""


@click.command()
@board_argument
@click.option(
    "--format",
    "form",
    type=OneOf(["dimacs", "wcnf", "opb", "pddl", "strips", "lpcp"]),
    required=True,
    help="dimacs: whether there is a plan; wcnf, opb: a shortest plan as a MaxSAT or pseudo-Boolean problem; "
    'pddl: domain and problem for a planner; strips: the same without "or" and "for all", for any planner; '
    "lpcp: the board text of the LP/CP contest 2021.",
)
@click.option(
    "--max-steps",
    type=WholeNumber(0, MOST),
    metavar="N",
    help="For dimacs: plans of at most N moves; exactly N for sequential.",
)
@click.option("--encoding", type=OneOf(list(ENCODINGS)), help="Encoding for dimacs, wcnf and opb.")
@reading_options
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="Write to this file instead of standard output; for pddl and strips, to a folder.",
)
def export(
    board: str, form: str, max_steps: int | None, encoding: str | None, reading: ReadingOptions, out: Path | None
) -> None:
    """Write BOARD as input for other solvers.

    Comments in dimacs, wcnf and opb files explain what each answer means for this board: on water-sort boards not every
    model is a plan. Comments in dimacs files list the variables. `bsp-sat check` reads plans that a planner finds.
    """
    instance = load_board(board, reading)
    if form != "dimacs" and max_steps is not None:
        raise click.UsageError("--max-steps goes with --format dimacs")
    if form in SCOPES and encoding is not None:
        raise click.UsageError(f"--format {form} has no encoding")
    with working("writing the formula"):
        files = _files(instance, form, max_steps, encoding)
    if out is None:
        for text in files.values():
            click.echo(text, nl=False)
        return
    try:
        if form in PLANNING:
            out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name if form in PLANNING else out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoardError(str(out), error.strerror or str(error)) from None


def _files(instance: Instance, form: str, max_steps: int | None, encoding: str | None) -> dict[str, str]:
    """The contents to write, by file name."""
    puzzle = instance.puzzle
    if form in ("dimacs", "wcnf", "opb"):
        chosen = encoding_for(puzzle) if encoding is None else ENCODINGS[encoding]
        check_encoding(chosen, puzzle)
        if form == "dimacs":
            text = io.StringIO()
            write_dimacs(decision_formula(puzzle, chosen, max_steps), text)
            return {"board.cnf": text.getvalue()}
        weighted = weighted_formula(puzzle, chosen)
        return {"board.wcnf": weighted.to_wcnf()} if form == "wcnf" else {"board.opb": weighted.to_opb()}
    SCOPES[form].check(f"--format {form}", puzzle)
    assert isinstance(puzzle, SortPuzzle)
    if form == "lpcp":
        return {"board.txt": lpcp_text(puzzle)}
    domain, problem = PLANNING[form]
    return {"domain.pddl": domain(puzzle), "problem.pddl": problem(puzzle, instance.name)}
