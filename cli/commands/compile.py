"""`bsp-sat compile`."""

import click

from bsp_sat.backends.kernel import check_library


@click.command(deprecated="the search is compiled when bsp-sat is installed")
def compile() -> None:
    """Check that the compiled search is installed.

    It is built when bsp-sat is installed, so that this command is no longer needed. Exit code: 0 it is there, 2 it
    isn't.
    """
    check_library()
    click.echo("The compiled search was built when bsp-sat was installed; there is nothing to do.")
