"""Runs jobs within limits: in this process, in child processes, on a cluster. Other packages use only these names.

Solver libraries don't react to time limits or signals while they run. So most jobs run in a child process that can be
killed at any moment. It sends each fact as soon as it is proved; the facts received by then are the answer. The parent
replays plans.

* `Job`: a piece of work with a typed result, reported through a `Pipe`; `Run`: a job in progress.
* `Solve`, a backend on a board, and `Call`, a function: two jobs.
* `Runner`: does one job after the other. `Here` does so in this process, a `Process` in a child that stays warm.
* `Pool`: does many jobs at once; `pool_of` this machine or a cluster. The outcome of each is its result or a `Failure`.
* `Places`: threads with a process each, and a queue; for work of several jobs that depend on each other.
* `give_head_start`: starts a child before the program knows its first job.
"""

from typing import TYPE_CHECKING

from bsp_sat.on_demand import OnDemand

if TYPE_CHECKING:
    from bsp_sat.backends.run.call import Call as Call
    from bsp_sat.backends.run.call import Returned as Returned
    from bsp_sat.backends.run.cluster import cluster_pool as cluster_pool
    from bsp_sat.backends.run.cluster import pool_of as pool_of
    from bsp_sat.backends.run.head_start import give_head_start as give_head_start
    from bsp_sat.backends.run.here import Here as Here
    from bsp_sat.backends.run.job import FAILED as FAILED
    from bsp_sat.backends.run.job import Failure as Failure
    from bsp_sat.backends.run.job import Job as Job
    from bsp_sat.backends.run.job import Pipe as Pipe
    from bsp_sat.backends.run.job import Run as Run
    from bsp_sat.backends.run.job import Runner as Runner
    from bsp_sat.backends.run.places import Places as Places
    from bsp_sat.backends.run.places import QueueFull as QueueFull
    from bsp_sat.backends.run.pool import ClusterGone as ClusterGone
    from bsp_sat.backends.run.pool import Pool as Pool
    from bsp_sat.backends.run.pool import local_pool as local_pool
    from bsp_sat.backends.run.process import POLL_SECONDS as POLL_SECONDS
    from bsp_sat.backends.run.process import ChildRun as ChildRun
    from bsp_sat.backends.run.process import Process as Process
    from bsp_sat.backends.run.solving import Solve as Solve
    from bsp_sat.backends.run.solving import showing as showing

__getattr__ = OnDemand(
    __name__,
    {
        "call": ("Call", "Returned"),
        "cluster": ("cluster_pool", "pool_of"),
        "head_start": ("give_head_start",),
        "here": ("Here",),
        "job": ("FAILED", "Failure", "Job", "Pipe", "Run", "Runner"),
        "places": ("Places", "QueueFull"),
        "pool": ("ClusterGone", "Pool", "local_pool"),
        "process": ("POLL_SECONDS", "ChildRun", "Process"),
        "solving": ("Solve", "showing"),
    },
    modules=("child", "child_main"),
)
