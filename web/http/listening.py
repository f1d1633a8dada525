"""The socket, its address, and a browser to open it; nothing heavy is loaded for it, as the browser takes a second."""

import socket
import webbrowser
from threading import Thread

from bsp_sat.instances.errors import Unsupported

WAITING_CONNECTIONS = 1_000


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        Unsupported: the port is in use, or there is no such address here.
    """
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
