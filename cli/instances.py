"""`bsp-sat instances`."""

import click

from bsp_sat.instances.files import load_instance
from bsp_sat.instances.shipped import shipped_names


@click.command()
def instances() -> None:
    """List the shipped boards; each name can stand for a BOARD."""
    from rich.table import Table

    from bsp_sat.cli import screen

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "board", "optimum", "source"):
        table.add_column(heading, no_wrap=heading in ("name", "optimum"), overflow="fold")
    for name in shipped_names():
        instance = load_instance(name)
        optimum = "" if instance.known_answer is None else str(instance.known_answer)
        table.add_row(name, instance.puzzle.summary(), optimum, str(instance.about.get("source", "")))
    screen.console().print(table)
