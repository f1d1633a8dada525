"""`bsp-sat page`."""

from pathlib import Path

import click

from bsp_sat.apps.page.tab.making import make_page


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def page(folder: Path) -> None:
    """Make the page as a FOLDER of files that needs no server.

    Any web server can serve it; the boards are solved in the visitor's browser. Making it needs npm, pip and a
    network: docs/page.md.
    """
    size = make_page(folder)
    click.echo(f"{folder}: {size / 1e6:.1f} MB; serve it, for example: python3 -m http.server -d {folder}")
