"""`bsp-sat plot`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from bsp_sat.apps.study import plots
from bsp_sat.apps.study.commands import plot_pack
from bsp_sat.apps.study.external import kept_runs
from bsp_sat.apps.study.store import open_campaign
from bsp_sat.cli.options import FileName
from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.optional import need
from bsp_sat.instances.text.reading import read_text
from bsp_sat.instances.text.writing import make_folder, write_file

FORMATS = ("png", "svg")
SQLITE = b"SQLite format 3\0"
"""The first bytes of results of a campaign; JSON Lines begin with a brace."""


@click.command()
@click.argument("results", type=FileName(), metavar="RESULTS")
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    default=Path(),
    help="Folder for the plots.  [default: the current one]",
)
def plot(results: Path, folder: Path) -> None:
    """Plot RESULTS, a file from `bsp-sat compare --out`, or graded boards, as PNG and SVG.

    For a comparison: states explored, plan lengths against the optimum, swept weights, and boards solved over time. For
    the JSON Lines of `bsp-sat grade --json` or `bsp-sat generate levels`: the measures along the levels, and against
    other boards of the class.
    """
    if not results.exists():
        raise BoardError(str(results), "no such file")
    need("matplotlib", "plot")
    figures = {name: figure for name, figure in _drawn(results).items() if figure is not None}
    make_folder(folder)
    written = {
        folder / f"{name}.{form}": plots.saved(figure, form) for name, figure in figures.items() for form in FORMATS
    }
    for path, data in written.items():
        write_file(path, data)
    click.echo("".join(f"{path}\n" for path in written), nl=False)


def _drawn(results: Path) -> dict[str, Any]:
    """The plots by name; None for those without data."""
    start = b""
    if results.is_file():
        with results.open("rb") as file:
            start = file.read(len(SQLITE))
    if start.startswith(b"{"):
        lines = plot_pack.read_pack(read_text(str(results)), str(results))
        return {name: draw(lines) for name, draw in plot_pack.PACK_FIGURES.items()}
    if start not in (b"", SQLITE):
        problem = "expected the results of a campaign (`compare --out`) or graded boards (`grade --json`)"
        raise BoardError(str(results), problem)
    with open_campaign(results, reading=True) as campaign:
        programs = kept_runs(campaign, (), campaign.proved())
        runs = [*campaign.runs(), *(run for of in programs.values() for run in of.values())]
    if not runs:
        raise BoardError(str(results), "expected outcomes, found none yet")
    runs = [replace(run, solver=run.solver.replace("$", r"\$")) for run in runs]  # which would begin a formula
    return {name: draw(runs) for name, draw in plots.FIGURES.items()}
