"""The socket, its address, and a browser to open it; nothing heavy is loaded for it, as the browser takes a second."""

import socket
import webbrowser
from threading import Thread

from bsp_sat.instances.errors import Unsupported

WAITING_CONNECTIONS = 1_000
ACCEPTED_AT_ONCE = 16
CONNECTIONS = 1_000
LEAST_CONNECTIONS = 16

FILES = 64 + 4 * ACCEPTED_AT_ONCE
"""Files that are open whatever is asked: the program's own, and connections that are over but not closed yet."""

FILES_A_JOB = 12
"""For a search, a turn and a request read at once: a process each, with two pipes and a file, and what they open."""


def most_connections(jobs: int) -> int:
    """How many connections there may be: as many as the system's limit of open files leaves, up to `CONNECTIONS`.

    Args:
        jobs: searches at a time.

    Raises:
        Unsupported: it leaves too few.
    """
    try:
        import resource
    except ImportError:  # Windows
        return CONNECTIONS
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = FILES + jobs * FILES_A_JOB
    if limit == resource.RLIM_INFINITY:
        return CONNECTIONS
    if limit < needed + LEAST_CONNECTIONS:
        least = needed + LEAST_CONNECTIONS
        raise Unsupported(f"--jobs {jobs} takes {least} open files, and the system allows {limit} (ulimit -n)")
    return min(CONNECTIONS, limit - needed)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        Unsupported: the port is in use, or there is no such address here.
    """
    if not host:
        raise Unsupported("--host: expected an address, found none; 0.0.0.0 stands for all of this machine's")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except PermissionError:
        raise Unsupported(f"port {port} is for the administrator alone; name another one by --port") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unsupported(f"can't listen on {host}, port {port}: {reason}; see --host and --port") from None


def address_of(listening: socket.socket) -> str:
    """The address of a socket, for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def open_browser(address: str) -> bool:
    """Opens a browser window, beside whatever else goes on; False where there is no browser with windows."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser:  # one in the terminal, which would wait for its end
        return False
    Thread(target=browser.open, args=(address,), daemon=True).start()
    return True
