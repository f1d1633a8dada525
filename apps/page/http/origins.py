"""Origins of pages: scheme, host name and port. Imports little."""

import re
from typing import NamedTuple

from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.text.words import short

PORTS = {"http": 80, "https": 443}
MOST_PORT = 65_535

_HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?", re.IGNORECASE | re.ASCII)
"""Browsers send names with other letters in ASCII too, as ``xn--bcher-kva.example``."""


class Origin(NamedTuple):
    """The origin of a page: http or https, the host name in lower case, and the port, also a scheme's default."""

    scheme: str
    name: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "Origin | None":
        """Parses an origin as browsers write it; None if it isn't one."""
        scheme, _, rest = text.partition("://")
        name, port = name_and_port(rest)
        if name is None or scheme not in PORTS:
            return None
        return cls(scheme, name, PORTS[scheme] if port is None else port)


def origin_of(name: str) -> Origin:
    """The origin for a name given with ``--allow-host``; `Unsupported` if it is no host name.

    >>> origin_of("sort.example.org"), origin_of("http://box.lan:8080")
    (Origin(scheme='https', name='sort.example.org', port=443), Origin(scheme='http', name='box.lan', port=8080))
    """
    origin = Origin.parse(name if "://" in name else f"https://{name}")
    if origin is None:
        raise Unsupported(f"--allow-host: expected a name such as sort.example.org, found {short(repr(name))}")
    return origin


def name_and_port(host: str) -> tuple[str | None, int | None]:
    """The name, in lower case, and the port of a Host header; both None if it is malformed."""
    match = _HOST.fullmatch(host)
    if match is None:
        return None, None
    port = int(match["port"]) if match["port"] else None
    return (match["name"].strip("[]").lower(), port) if (port or 0) <= MOST_PORT else (None, None)
