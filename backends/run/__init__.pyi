"""What the package offers: written by ``python -m tests.support.computed_docs`` of its tables."""

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
