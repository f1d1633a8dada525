"""`bsp-sat compile`."""

import time

import click

from bsp_sat.cli.output.live import working
from bsp_sat.instances.errors import Unsupported


@click.command()
def compile() -> None:
    """Compile the search, and what grades boards, ahead of their first use, for images of containers and for servers.

    Without this the first board that needs it does it, in the background, once for each installation and kind of
    processor. Exit code: 0 it is there, 2 no folder can be written that would keep it.
    """
    # Imported here: numpy and llvmlite.
    from bsp_sat.backends.kernel import code
    from bsp_sat.grading.compiled_code import GRADING

    for what, entry in (("search", code.SEARCHING), ("grading", GRADING)):
        began = time.monotonic()
        with working(f"compiling the {what}, once per installation"):
            kept = code.build(entry)[1] if code.load(entry) is None else code.file(entry)
        if kept is None:
            raise Unsupported(f"none of these folders can be written: {', '.join(map(str, code.folders()))}")
        click.echo(f"The compiled {what} is in {kept} ({time.monotonic() - began:.1f} s).")
