"""What the package offers: written of its tables by python -m tests.support.computed_docs."""

from bsp_sat.backends.run.call import Call as Call, Returned as Returned
from bsp_sat.backends.run.cluster import cluster_pool as cluster_pool, pool_of as pool_of
from bsp_sat.backends.run.head_start import give_head_start as give_head_start
from bsp_sat.backends.run.here import Here as Here
from bsp_sat.backends.run.job import FAILED as FAILED, Failure as Failure, Job as Job, Pipe as Pipe, Run as Run, Runner as Runner
from bsp_sat.backends.run.places import Places as Places, QueueFull as QueueFull
from bsp_sat.backends.run.pool import ClusterGone as ClusterGone, Pool as Pool, local_pool as local_pool
from bsp_sat.backends.run.process import POLL_SECONDS as POLL_SECONDS, ChildRun as ChildRun, Process as Process
from bsp_sat.backends.run.solving import Solve as Solve, showing as showing
