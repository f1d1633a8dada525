"""The `bsp-sat` command and what its subcommands have in common: errors and exit codes."""

import os
import sys
from typing import Any

import click

from bsp_sat.backends.result import BackendError
from bsp_sat.cli.check import check
from bsp_sat.cli.compare import compare
from bsp_sat.cli.count import count
from bsp_sat.cli.export import export
from bsp_sat.cli.generate import generate
from bsp_sat.cli.instances import instances
from bsp_sat.cli.options import EXIT_BAD_INPUT, EXIT_BUG, EXIT_UNKNOWN
from bsp_sat.cli.partition import partition
from bsp_sat.cli.plot import plot
from bsp_sat.cli.show import show
from bsp_sat.cli.solve import solve
from bsp_sat.cli.verify import verify
from bsp_sat.instances.errors import BspSatError


class CommandGroup(click.Group):
    """Turns expected errors into one message and an exit code, wherever they come from."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the subcommand."""
        try:
            return super().invoke(ctx)
        except BackendError as error:
            click.echo(f"Error: this is a bug in bsp-sat, please report it: {error}", err=True)
            ctx.exit(EXIT_BUG)
        except BspSatError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(EXIT_BAD_INPUT)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(EXIT_UNKNOWN)
        except BrokenPipeError:
            # The reader has gone, for example `| head`. Nothing may be written any more, not even at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        except OSError as error:  # a full disk behind standard output
            click.echo(f"Error: {error.strerror or error}", err=True)
            ctx.exit(EXIT_BAD_INPUT)


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bsp-sat")
def main() -> None:
    """Solve sort puzzles, and prove the answers.

    A BOARD is a file (JSON or text), "-" for standard input, or the name of a shipped board
    (`bsp-sat instances` lists them). Exit codes of `solve`: 0 a plan, 1 proved unsolvable, 2 bad input,
    3 unknown.
    """


for command in (solve, compare, plot, check, verify, count, show, export, instances, generate, partition):
    main.add_command(command)
