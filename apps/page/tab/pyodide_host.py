"""The engine's side of the worker in ``files/page/tab/worker.js``; runs in Pyodide alone."""

import sys
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from bsp_sat.apps.page.errors import Refused
from bsp_sat.apps.page.tab.engine import Engine

SAT_PACKAGES = ("pysat", "pysolvers", "pycard")
SITE = "/site"


class PyodideHost:
    """The worker; ``host`` is its object in JavaScript."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def heap_bytes(self) -> int:
        """This worker's memory."""
        return int(self._host.heapBytes())

    def pause(self) -> bool:
        """Lets the worker take messages, if the browser can suspend this code."""
        from pyodide.ffi import can_run_sync, run_sync  # exists in Pyodide alone

        if can_run_sync():
            run_sync(self._host.tick())
        return bool(self._host.isCancelled())


class SatOnDemand(MetaPathFinder):
    """Has python-sat fetched when it is first imported, by few boards; `Refused` where the worker can't load it."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Unpacks the wheel where the usual finders, which are asked next, look for it."""
        if name in SAT_PACKAGES:
            wheel = self._host.satWheel()
            if wheel is None:  # the next import tries again
                raise Refused(503, "the SAT solver can't be loaded, perhaps for want of a network: try again")
            ZipFile(BytesIO(wheel.to_bytes())).extractall(SITE)
            invalidate_caches()
            sys.meta_path.remove(self)


def engine_in(host: Any) -> Engine:
    """The engine in a worker."""
    sys.meta_path.insert(0, SatOnDemand(host))
    return Engine(PyodideHost(host))
