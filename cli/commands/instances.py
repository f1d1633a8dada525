"""`bsp-sat instances`."""

from textwrap import wrap

import click

from bsp_sat.cli.screen import Screen
from bsp_sat.instances.files import ATLAS, load_instance, shipped_names


@click.command()
def instances() -> None:
    """List the shipped boards; each name can stand for a BOARD."""
    shipped = [load_instance(name) for name in shipped_names()]
    rows = [("name", "board", "optimum")]
    rows += [(board.name, board.puzzle.summary(), str(board.known_answer or "–")) for board in shipped]
    first, second, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    heading, *lines = (f"{name:<{first}}  {summary:<{second}}  {optimum}" for name, summary, optimum in rows)
    out = Screen()
    out.print(heading, style="bold")
    for board, line in zip(shipped, lines, strict=True):
        out.print(line)
        for part in wrap(str(board.about.get("source", "")), out.width - 4):
            out.print(f"    {part}", style="dim")
    out.print(f"\n{ATLAS} stands for 982 boards with proved optima, for `bsp-sat compare`.")
