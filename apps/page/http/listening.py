"""The socket, its address, and opening a browser. Imports little, so that the browser starts early."""

import ipaddress
import socket
import webbrowser
from threading import Thread

from bsp_sat.instances.errors import Unsupported

WAITING_CONNECTIONS = 1_000
ACCEPTED_AT_ONCE = 16
CONNECTIONS = 1_000
LEAST_CONNECTIONS = 16

FILES = 64 + 4 * ACCEPTED_AT_ONCE
"""Open files besides requests: the program's own, and ended connections that aren't closed yet."""

ELSEWHERE = ("192.0.2.1", 9)
"""An address that is reserved for documentation (RFC 5737)."""

FILES_A_JOB = 8
"""Open files for each job: a search and a turn, each a process with two pipes and a file."""


def most_connections(jobs: int) -> int:
    """The most connections that open files allow beside ``jobs`` searches, to `CONNECTIONS`; Unsupported if too few."""
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
    """A listening socket; `Unsupported` if the port is in use, or this machine has no such address."""
    if not host:
        raise Unsupported("--host: expected an address, found none; 0.0.0.0 means all addresses of this machine")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except PermissionError:
        raise Unsupported(f"port {port} needs administrator rights; choose another one with --port") from None
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while ")[0]  # Python adds the address
        raise Unsupported(f"can't listen on {host}, port {port}: {reason}; see --host and --port") from None
    # For all its connections. Without it the end of an answer waits for a word from the client's system.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def phone_host(host: str | None) -> str:
    """The address that a phone in this network reaches: ``host``, else one that is found; Unsupported if none is."""
    if host is None:
        return _network_address()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise Unsupported(f"--phone: expected an address such as 192.168.1.5 after --host, found {host!r}") from None
    if address.is_loopback:
        raise Unsupported(f"--phone: only this machine can reach {host}; leave out --host, or give another address")
    if address.is_unspecified:
        raise Unsupported(f"--phone: {host} means all addresses; leave out --host, or give one of them")
    return host


def _network_address() -> str:
    """The address of this machine from which it would send to another network."""
    nowhere = Unsupported("--phone: this machine is in no network; connect it to the phone's, or give --host ADDRESS")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # sends nothing, as this is UDP
        except OSError:
            raise nowhere from None
        address: str = probe.getsockname()[0]
    if ipaddress.ip_address(address).is_loopback:
        raise nowhere
    return address


def address_of(listening: socket.socket) -> str:
    """The URL of a socket, for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{name}:{port}/"


def open_browser(address: str) -> bool:
    """Opens a browser window in the background. Returns False if there is no graphical browser."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser:  # a browser in the terminal, which would block
        return False
    Thread(target=browser.open, args=(address,), daemon=True).start()
    return True
