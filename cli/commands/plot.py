"""`bsp-sat plot`."""

from io import BytesIO
from pathlib import Path

import click

from bsp_sat.instances.errors import BoardError, Unsupported

FORMATS = ("png", "svg")


@click.command()
@click.argument("results", type=click.Path(dir_okay=False, path_type=Path), metavar="RESULTS")
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    default=Path(),
    help="Folder for the pictures.  [default: here]",
)
def plot(results: Path, folder: Path) -> None:
    """Draw RESULTS, a file that `bsp-sat compare --out` wrote, as PNG and SVG.

    States explored, plan lengths against the optimum, swept weights, and boards solved over time.
    """
    # Imported here: a database and statistics that `--help` needn't wait for.
    from bsp_sat.backends.campaign.store import open_campaign

    if not results.exists():
        raise BoardError(str(results), "no such file")
    with open_campaign(results, reading=True) as campaign:
        runs = campaign.runs()
    if not runs:
        raise BoardError(str(results), "expected outcomes, found none yet")
    try:
        import matplotlib as mpl

        from bsp_sat.cli.output.figures import FIGURES
    except ModuleNotFoundError:
        raise Unsupported("plot needs matplotlib: pip install 'bsp-sat[plot]'") from None
    with mpl.rc_context({"svg.hashsalt": "bsp-sat", "svg.fonttype": "none"}):
        drawn = {name: draw(runs) for name, draw in FIGURES.items()}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, figure in drawn.items():
                if figure is not None:
                    for suffix in FORMATS:
                        path = folder / f"{name}.{suffix}"
                        picture = BytesIO()  # in one piece: a signal leaves no half of a file
                        metadata = {"Date": None} if suffix == "svg" else None
                        figure.savefig(picture, format=suffix, dpi=150, metadata=metadata)
                        path.write_bytes(picture.getvalue())
                        click.echo(path)
        except OSError as error:
            raise BoardError(str(folder), error.strerror or str(error)) from None
