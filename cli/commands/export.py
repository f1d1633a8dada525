"""`bsp-sat export`."""

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from bsp_sat.backends.limits import MOST
from bsp_sat.backends.result import Status
from bsp_sat.cli.boards import file_name, load_boards
from bsp_sat.cli.commands.show import BOARDS
from bsp_sat.cli.options import FORMULAS, OneOf, ReadingOptions, WholeNumber, board_argument, reading_options
from bsp_sat.cli.screen import working
from bsp_sat.encoder.export.dimacs import Dimacs, decision_formula, write_dimacs
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.encoder.export.strips import strips_domain, strips_problem
from bsp_sat.encoder.export.weighted import weighted_formula
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, encoding_for
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance
from bsp_sat.instances.scope import Scope
from bsp_sat.instances.sorting import ANYWHERE, COLOURED, MONOCHROME, SEVERAL_HOMES, BallSort, SortPuzzle, WaterSort
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.text.writing import csv_text

PLAIN = (MONOCHROME, SEVERAL_HOMES)
SCOPES = {
    "lpcp": Scope.of(BallSort, WaterSort, features=PLAIN),
    "pddl": Scope.of(BallSort, WaterSort, features=(ANYWHERE, COLOURED, *PLAIN)),
    "strips": Scope.of(BallSort, WaterSort, features=PLAIN),
}
PLANNING = {"pddl": (pddl_domain, pddl_problem), "strips": (strips_domain, strips_problem)}
"""The formats of two files, for planners."""
ANSWERS = {True: "SATISFIABLE", False: "UNSATISFIABLE", None: None}


@click.command()
@board_argument
@click.option(
    "--format",
    "form",
    type=OneOf(FORMULAS, show=BOARDS),
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
    help="Write to this file instead of standard output; for pddl, strips and several boards, to a folder.",
)
def export(
    board: str, form: str, max_steps: int | None, encoding: str | None, reading: ReadingOptions, out: Path | None
) -> None:
    """Write BOARD as input for other solvers.

    Comments in dimacs, wcnf and opb files explain what each answer means for this board: on water-sort boards not every
    model is a plan. Comments in dimacs files list the variables. `bsp-sat check` reads plans that a planner finds.

    Of a file of boards each is written into the folder --out, with index.csv: file, board, horizon, expected answer and
    optimum. In dimacs, without --max-steps, a board whose file says its optimum N is written twice, for N moves and for
    N - 1.
    """
    instances = load_boards(board, reading)
    if len(instances) > 1 and out is None:
        raise click.UsageError(f"expected -o FOLDER for {quantity(len(instances), 'board')}, or one of them, {board}#1")
    if form != "dimacs" and max_steps is not None:
        raise click.UsageError("--max-steps goes with --format dimacs")
    if form in SCOPES and encoding is not None:
        raise click.UsageError(f"--format {form} has no encoding")
    with working("writing the formula"):
        several = len(instances) > 1
        pack = _pack(instances, form, max_steps, encoding)
        files = pack if several else _files(instances[0], form, max_steps, encoding)[0].items()
        if out is not None:
            is_folder = several or form in PLANNING
            for name, text in files:
                _write(text, out / name if is_folder else out, makes_folder=is_folder)
    if out is None:
        click.echo("".join(text for _, text in files), nl=False)


def _write(text: str, path: Path, *, makes_folder: bool) -> None:
    try:
        if makes_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoardError(str(path), error.strerror or str(error)) from None


def _pack(
    instances: Sequence[Instance], form: str, max_steps: int | None, encoding: str | None
) -> Iterator[tuple[str, str]]:
    """The files of several boards, each with its name; last, what they are."""
    index: list[tuple[object, ...]] = [("file", "board", "horizon", "expected", "optimum")]
    for number, instance in enumerate(instances):
        known, stem = instance.known_answer, file_name(number, len(instances), instance.name)
        optimum = known if isinstance(known, int) else None
        horizons: tuple[int | None, ...] = (max_steps,)
        if optimum and form == "dimacs" and max_steps is None:
            horizons = optimum - 1, optimum
        for horizon in horizons:
            files, formula = _files(instance, form, horizon, encoding)
            is_known = optimum is not None or known == Status.UNSOLVABLE
            answer = formula.answer_for(horizon, optimum) if formula is not None and is_known else None
            for file, text in files.items():
                asked = "" if horizon is None else f"-{horizon}"
                place = f"{stem}/{file}" if form in PLANNING else f"{stem}{asked}{Path(file).suffix}"
                index.append((place, instance.name, horizon, ANSWERS[answer], known))
                yield place, text
    yield "index.csv", csv_text(index)


def _files(
    instance: Instance, form: str, max_steps: int | None, encoding: str | None
) -> tuple[dict[str, str], Dimacs | None]:
    """The contents to write, by file name; and for dimacs what they are written from."""
    puzzle = instance.puzzle
    if form in ("dimacs", "wcnf", "opb"):
        chosen = encoding_for(puzzle) if encoding is None else ENCODINGS[encoding]
        check_encoding(chosen, puzzle)
        if form == "dimacs":
            text, formula = io.StringIO(), decision_formula(puzzle, chosen, max_steps)
            write_dimacs(formula, text)
            return {"board.cnf": text.getvalue()}, formula
        weighted = weighted_formula(puzzle, chosen)
        return {f"board.{form}": weighted.to_wcnf() if form == "wcnf" else weighted.to_opb()}, None
    SCOPES[form].check(f"--format {form}", puzzle)
    assert isinstance(puzzle, SortPuzzle)
    if form == "lpcp":
        return {"board.txt": lpcp_text(puzzle)}, None
    domain, problem = PLANNING[form]
    return {"domain.pddl": domain(puzzle), "problem.pddl": problem(puzzle, instance.name)}, None
