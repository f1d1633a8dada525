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

from bsp_sat.on_demand import OnDemand

NAMES = {
    "call": "Call Returned",
    "cluster": "cluster_pool pool_of",
    "head_start": "give_head_start",
    "here": "Here",
    "job": "FAILED Failure Job Pipe Run Runner",
    "places": "Places QueueFull",
    "pool": "ClusterGone Pool local_pool",
    "process": "POLL_SECONDS ChildRun Process",
    "solving": "Solve showing",
}

__getattr__ = OnDemand(__name__, modules=("child", "child_main"), names=NAMES)
