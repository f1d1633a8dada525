"""`bsp-sat serve`."""

import io
import os
import secrets
import sys

import click
from click.core import ParameterSource

from bsp_sat.apps.page import application
from bsp_sat.apps.page.http import listening, origins, server
from bsp_sat.cli.options import WholeNumber, memory_limit_option, time_limit_option
from bsp_sat.instances.optional import need

PORT = 8020
MOST_JOBS = 64  # each has two processes
SECRET_BYTES = 16  # 128 bits
SECONDS, MEMORY_MB, WAITING = 60.0, 1_000.0, 100


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on.")
@click.option(
    "--port", type=WholeNumber(0, 65535), default=PORT, show_default=True, help="Port to listen on; 0 for any free one."
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another host name of the server, for example behind a reverse proxy. Add the port, and http:// in front, "
    "unless it is https at the usual port.",
)
@click.option(
    "--phone",
    is_flag=True,
    help="Let a phone in this network open the page too: listen on this machine's address there, with a secret in the "
    "page's address, which is shown as a QR code.",
)
@click.option("--open/--no-open", "opening", default=True, help="Open the page in a browser.  [default: open]")
@click.option(
    "--jobs",
    type=WholeNumber(1, MOST_JOBS),
    metavar="N",
    default=lambda: min(os.cpu_count() or 1, MOST_JOBS),
    help="How many searches may run at the same time.  [default: one for each CPU]",
)
@time_limit_option("Stop a search after this time.", default=SECONDS, show_default=True)
@memory_limit_option("Stop a search that uses more memory.", default=MEMORY_MB, show_default=True)
@click.pass_context
def serve(
    ctx: click.Context,
    host: str,
    port: int,
    names: tuple[str, ...],
    phone: bool,
    opening: bool,
    jobs: int,
    time_limit: float,
    memory_limit: float,
) -> None:
    """Open a page to play, edit and solve boards, in a browser on this machine.

    Ctrl-C ends the server. Only this machine can reach it unless you set --phone or --host; read docs/page.md
    before you do.
    """
    need("starlette", "the page")
    need("uvicorn", "the page")
    if phone:
        need("segno", "--phone")
    secret = None
    if phone:
        if names:
            raise click.UsageError("--phone is for this network, --allow-host for a proxy: give only one of them")
        host = listening.phone_host(None if ctx.get_parameter_source("host") is ParameterSource.DEFAULT else host)
        secret = secrets.token_urlsafe(SECRET_BYTES)
    allowed = tuple(map(origins.origin_of, names))
    connections = listening.most_connections(jobs)
    opened = listening.listen(host, port)
    address = listening.address_of(opened) if secret is None else f"{listening.address_of(opened)}{secret}/"
    click.echo(f"The page is at {address} (Ctrl-C ends it)")
    if phone:
        click.echo("Phones in the same network can open it too; anyone who has the address can.")
        if sys.stdout.isatty():
            click.echo(f"Scan this code with the phone:\n\n{_qr_code(address)}")
    if opening and not listening.open_browser(address):
        click.echo(f"No browser found; open {address} in one", err=True)
    # Loaded while the browser starts; its first request waits at the open socket.
    app = application.application(
        host=host,
        origins=allowed,
        places=jobs,
        waiting=WAITING,
        seconds=time_limit,
        memory_mb=memory_limit,
        secret=secret,
    )
    server.Server(app, connections).run([opened])


def _qr_code(address: str) -> str:
    """A QR code of half blocks, which a phone reads on dark and on light terminals."""
    import segno

    text = io.StringIO()
    segno.make_qr(address, error="l").terminal(text, compact=True)
    return text.getvalue()
