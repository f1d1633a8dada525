"""`bsp-sat export`."""

import io
from collections.abc import Sequence
from pathlib import Path

import click

from bsp_sat.backends.limits import MOST
from bsp_sat.backends.result import Status
from bsp_sat.cli.boards import file_name, load_boards
from bsp_sat.cli.options import OneOf, ReadingOptions, WholeNumber, board_argument, reading_options
from bsp_sat.cli.screen import working
from bsp_sat.encoder.encoding import Encoding
from bsp_sat.encoder.export.dimacs import Dimacs, decision_formula, write_dimacs
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.encoder.export.pddl import pddl_domain, pddl_problem
from bsp_sat.encoder.export.strips import strips_domain, strips_problem
from bsp_sat.encoder.export.weighted import weighted_formula
from bsp_sat.encoder.registry import ENCODINGS, check_encoding, encoding_for
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.files import Instance, one_of
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
        if len(instances) > 1 and out is not None:
            _write_pack(instances, form, max_steps, encoding, out)
            return
        files = _files(one_of(instances, board), form, max_steps, encoding)
    if out is None:
        for text in files.values():
            click.echo(text, nl=False)
        return
    for name, text in files.items():
        _write(out / name if form in PLANNING else out, text, makes_folder=form in PLANNING)


def _write(path: Path, text: str, *, makes_folder: bool = True) -> None:
    """Writes a file, and makes its folder. BoardError if it can't be written."""
    try:
        if makes_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BoardError(str(path), error.strerror or str(error)) from None


def _write_pack(
    instances: Sequence[Instance], form: str, max_steps: int | None, encoding: str | None, out: Path
) -> None:
    """Writes each board of a pack into a folder, and what was written into ``index.csv`` there."""
    index: list[tuple[object, ...]] = [("file", "board", "horizon", "expected", "optimum")]
    for number, instance in enumerate(instances):
        known, name = instance.known_answer, file_name(number, len(instances), instance.name)
        if form != "dimacs":
            for file, text in _files(instance, form, None, encoding).items():
                place = f"{name}/{file}" if form in PLANNING else f"{name}{Path(file).suffix}"
                _write(out / place, text)
                index.append((place, instance.name, None, None, known))
            continue
        pair = [known - 1, known] if isinstance(known, int) and known > 0 else [None]
        for horizon in pair if max_steps is None else [max_steps]:
            formula = _formula(instance, horizon, encoding)
            place = name + (".cnf" if horizon is None else f"-{horizon}.cnf")
            _write(out / place, _text(formula))
            settled = isinstance(known, int) or known == Status.UNSOLVABLE
            answer = formula.answer_for(horizon, known if isinstance(known, int) else None) if settled else None
            index.append((place, instance.name, horizon, ANSWERS[answer], known))
    _write(out / "index.csv", csv_text(index))


def _formula(instance: Instance, max_steps: int | None, encoding: str | None) -> Dimacs:
    return decision_formula(instance.puzzle, _encoding(instance, encoding), max_steps)


def _text(formula: Dimacs) -> str:
    text = io.StringIO()
    write_dimacs(formula, text)
    return text.getvalue()


def _encoding(instance: Instance, name: str | None) -> Encoding:
    chosen = encoding_for(instance.puzzle) if name is None else ENCODINGS[name]
    check_encoding(chosen, instance.puzzle)
    return chosen


def _files(instance: Instance, form: str, max_steps: int | None, encoding: str | None) -> dict[str, str]:
    """The contents to write, by file name."""
    puzzle = instance.puzzle
    if form == "dimacs":
        return {"board.cnf": _text(_formula(instance, max_steps, encoding))}
    if form in ("wcnf", "opb"):
        weighted = weighted_formula(puzzle, _encoding(instance, encoding))
        return {"board.wcnf": weighted.to_wcnf()} if form == "wcnf" else {"board.opb": weighted.to_opb()}
    SCOPES[form].check(f"--format {form}", puzzle)
    assert isinstance(puzzle, SortPuzzle)
    if form == "lpcp":
        return {"board.txt": lpcp_text(puzzle)}
    domain, problem = PLANNING[form]
    return {"domain.pddl": domain(puzzle), "problem.pddl": problem(puzzle, instance.name)}
