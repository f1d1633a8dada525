"""`bsp-sat instances`."""

import click

from bsp_sat.instances.files import load_instance
from bsp_sat.instances.shipped import ATLAS, shipped_names


@click.command()
def instances() -> None:
    """List the shipped boards; each name can stand for a BOARD."""
    from rich.padding import Padding
    from rich.text import Text

    from bsp_sat.cli import screen

    shipped = [load_instance(name) for name in shipped_names()]
    rows = [("name", "board", "optimum")]
    rows += [(board.name, board.puzzle.summary(), str(board.known_answer or "–")) for board in shipped]
    first, second, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
    heading, *lines = (f"{name:<{first}}  {summary:<{second}}  {optimum}" for name, summary, optimum in rows)
    out = screen.console()
    out.print(Text(heading, "bold"), soft_wrap=True)
    for board, line in zip(shipped, lines, strict=True):
        out.print(Text(line), soft_wrap=True)
        out.print(Padding(Text(str(board.about.get("source", "")), "dim"), (0, 0, 0, 4)))
    out.print(Text(f"\n{ATLAS} stands for 982 boards with proved optima, for `bsp-sat compare`."), soft_wrap=True)
