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
    from bsp_sat.backends.kernel import MACHINE_CODE

    for code in MACHINE_CODE:
        began = time.monotonic()
        with working(f"compiling the {code.name}, once per installation"):
            kept = code.compile()
        if kept is None:
            folders = ", ".join(str(place.parent) for place in code.places())
            raise Unsupported(f"none of these folders can be written: {folders}")
        click.echo(f"The compiled {code.name} is in {kept} ({time.monotonic() - began:.1f} s).")
