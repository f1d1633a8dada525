"""Boards for commands. Says on standard error what a file was taken for, if it isn't in the project's own format."""

import click

from bsp_sat.instances import files
from bsp_sat.instances.errors import printable
from bsp_sat.instances.files import Instance


def load_instances(name: str, puzzle: str | None = None) -> list[Instance]:
    """See `bsp_sat.instances.files.load_instances`."""
    instances = files.load_instances(name, puzzle)
    readings = [instance.read_as for instance in instances if instance.read_as]
    if readings:
        likewise = f" Likewise {len(readings) - 1} more." if len(readings) > 1 else ""
        click.echo(printable(readings[0]) + likewise, err=True)
    return instances


def load_instance(name: str, puzzle: str | None = None) -> Instance:
    """See `bsp_sat.instances.files.load_instance`."""
    return files.one_of(load_instances(name, puzzle), name)
