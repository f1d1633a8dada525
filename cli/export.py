"""`bsp-sat export`."""

import io
from pathlib import Path

import click

from bsp_sat.cli.options import board_argument, puzzle_option
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.export.dimacs import Dimacs, write_dimacs
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.encoder.export.weighted import weighted_formula
from bsp_sat.encoder.registry import ENCODINGS, encoding_for
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.instances.files import Instance, load_instance
from bsp_sat.instances.sorting import SortPuzzle


@click.command()
@board_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["dimacs", "wcnf", "opb", "pddl", "lpcp"]),
    required=True,
    help="dimacs: is there a plan; wcnf, opb: a shortest plan as MaxSAT or pseudo-Boolean problem; "
    "pddl: domain and problem; lpcp: the board text of the LP/CP contest 2021.",
)
@click.option("--max-steps", type=click.IntRange(min=0), metavar="N", help="For dimacs: plans of at most N moves.")
@click.option("--encoding", type=click.Choice(list(ENCODINGS)), help="For dimacs, wcnf, opb.")
@puzzle_option
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead; for pddl a folder.")
def export(
    board: str, form: str, max_steps: int | None, encoding: str | None, puzzle: str | None, out: Path | None
) -> None:
    """Write BOARD as input for other solvers.

    The variables' meanings are comments of the dimacs file. A plan that a planner finds for the pddl files
    is read by `bsp-sat check` as it is.
    """
    instance = load_instance(board, puzzle)
    if form != "dimacs" and max_steps is not None:
        raise click.UsageError("--max-steps goes with --format dimacs")
    if form in ("pddl", "lpcp") and encoding is not None:
        raise click.UsageError(f"--format {form} has no encoding")
    files = _files(instance, form, max_steps, encoding)
    if out is None:
        for text in files.values():
            click.echo(text, nl=False)
        return
    try:
        if form == "pddl":
            out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (out / name if form == "pddl" else out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoardError(str(out), error.strerror or str(error)) from None


def _files(instance: Instance, form: str, max_steps: int | None, encoding: str | None) -> dict[str, str]:
    """The texts to write, by file name."""
    puzzle = instance.puzzle
    if form in ("dimacs", "wcnf", "opb"):
        chosen = encoding_for(puzzle) if encoding is None else ENCODINGS[encoding]
        if form == "dimacs":
            return {"board.cnf": _dimacs(instance, chosen, max_steps)}
        weighted = weighted_formula(puzzle, chosen)
        return {"board.wcnf": weighted.to_wcnf()} if form == "wcnf" else {"board.opb": weighted.to_opb()}
    if not isinstance(puzzle, SortPuzzle):
        raise Unsupported(f"--format {form} takes ball-sort and water-sort boards, not {puzzle.kind}")
    if form == "lpcp":
        return {"board.txt": lpcp_text(puzzle)}
    return {"domain.pddl": pddl_domain(puzzle), "problem.pddl": pddl_problem(puzzle, instance.name)}


def _dimacs(instance: Instance, encoding: Encoding, max_steps: int | None) -> str:
    formula = encoding.encode(instance.puzzle)
    if max_steps is None:
        assumptions, question = formula.at_any_length(), "a plan of any length"
        if assumptions is None:
            raise Unsupported(f"the {encoding.name} encoding has no formula for plans of any length; give --max-steps")
    else:
        assumptions, question = formula.at_horizon(max_steps), f"a plan of at most {max_steps} moves"
        if not encoding.certifies:
            question = f"a plan of {max_steps} moves, provided that none is shorter"
    text = io.StringIO()
    clauses = [*formula.clauses, *([literal] for literal in [*assumptions, *formula.exact])]
    write_dimacs(Dimacs(clauses, formula.names, [f"{encoding.name} encoding: {question}"]), text)
    return text.getvalue()
