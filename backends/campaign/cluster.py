"""The workers of a dask.distributed cluster, for campaigns too long for one machine.

The scheduler hands each task to a thread of one of its workers, which watches a child process just as a local thread
does: limits and crashes are dealt with there. If a whole worker dies the scheduler gives its task to another one; a
task that took several workers along comes back as an error. Cancelling can't reach a board that is being
solved: it runs on until its own limit.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bsp_sat.backends.campaign.pool import Outcome, Submit, Task, Team
from bsp_sat.instances.errors import Unsupported

CONNECT_SECONDS = 5.0

_team = Team()  # of one process of the cluster; its children end with it


def solve_here(task: Task) -> Outcome:
    """Runs in the cluster."""
    return _team.solve(task)


@contextmanager
def cluster_workers(address: str) -> Iterator[Submit]:
    """The cluster whose scheduler listens at ``address``, such as ``tcp://10.0.0.1:8786``.

    Raises:
        Unsupported: dask isn't installed, or nothing answers there.
    """
    try:
        from distributed import Client
    except ImportError:
        raise Unsupported("--cluster needs dask.distributed: pip install 'bsp-sat[cluster]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks are one error here
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:  # TimeoutError among them; an address of no known form
        raise Unsupported(f"no dask scheduler answers at {address}: {error}") from None
    with client, client.get_executor(pure=False) as executor:
        yield lambda task: executor.submit(solve_here, task)
