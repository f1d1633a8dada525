"""Memory: what a container leaves, shares of several boards, and a search that goes on with what it has."""

import pytest

from bsp_sat import load
from bsp_sat.backends.limits import Limits, available_bytes
from bsp_sat.backends.run import Process, Solve
from tests.support.misbehaving import TellsItsMemory

FREE = available_bytes()
V2, V1 = "sys/fs/cgroup", "sys/fs/cgroup/memory"


def system(root, cgroup, files):
    """A tree of files as Linux has them."""
    for name, text in {"proc/self/cgroup": cgroup, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(
    ("cgroup", "files", "left"),
    [
        ("0::/\n", {}, None),
        ("0::/a\n", {f"{V2}/a/memory.max": "max\n", f"{V2}/a/memory.current": "7\n"}, None),
        ("0::/a/b\n", {f"{V2}/a/b/memory.max": "max\n", f"{V2}/a/b/memory.current": "7\n",
         f"{V2}/a/memory.max": "5000000\n", f"{V2}/a/memory.current": "2000000\n",
         f"{V2}/a/memory.stat": "anon 1900000\ninactive_file 100000\n"}, 3_100_000),
        (  # in a container the path is the host's
            "0::/docker/0123\n",
            {
                f"{V2}/memory.max": "5000000\n",
                f"{V2}/memory.current": "6000000\n",
                f"{V2}/memory.stat": "anon 1900000\n",
            },
            0,
        ),
        (
            "5:cpu,cpuacct:/b\n4:memory:/a\n0::/\n",
            {
                f"{V1}/b/memory.limit_in_bytes": "10\n",  # of a group that others count in
                f"{V1}/b/memory.usage_in_bytes": "7\n",
                f"{V1}/b/memory.stat": "total_inactive_file 0\n",
                f"{V1}/a/memory.limit_in_bytes": "4000000\n",
                f"{V1}/a/memory.usage_in_bytes": "1000000\n",
                f"{V1}/a/memory.stat": "total_inactive_file 500000\n",
                f"{V1}/memory.limit_in_bytes": "9223372036854771712\n",
                f"{V1}/memory.usage_in_bytes": "1000000\n",
                f"{V1}/memory.stat": "total_inactive_file 500000\n",
            },
            3_500_000,
        ),
    ],
    ids=["none", "unlimited", "above", "container", "version-1"],
)  # fmt: skip
def test_limits_of_containers_count(tmp_path, cgroup, files, left):
    found = available_bytes(system(tmp_path, cgroup, files))
    if left is None:
        assert found > FREE / 2
    else:
        assert found == left


@pytest.mark.parametrize(
    ("share", "limit", "planned"),
    [(None, None, None), (500.0, None, 500.0), (500.0, 300.0, 300.0), (None, 300.0, 300.0)],
)
def test_a_worker_plans_with_its_share(share, limit, planned):
    with Process(share) as process:
        result = process.do(Solve(TellsItsMemory(), load("level-80"), Limits(memory_mb=limit)))
    assert result.stats["memory_mb"] == planned
