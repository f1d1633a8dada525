"""Memory: what a container leaves, shares of several boards, and a search that goes on with what it has."""

import pytest

from bsp_sat import load
from bsp_sat.backends.limits import Limits, available_bytes
from bsp_sat.backends.run import Process, Solve
from tests.support.misbehaving import TellsItsMemory

FREE = available_bytes()


def group(folder, most, used, *stat):
    """The files of a group of version 2."""
    lines = {"max": most, "current": used, **({"stat": "\n".join(stat)} if stat else {})}
    return {f"sys/fs/cgroup{folder}/memory.{name}": f"{text}\n" for name, text in lines.items()}


def old_group(folder, most, used, cached):
    """The files of a group of version 1."""
    lines = {"limit_in_bytes": most, "usage_in_bytes": used, "stat": f"total_inactive_file {cached}"}
    return {f"sys/fs/cgroup/memory{folder}/memory.{name}": f"{text}\n" for name, text in lines.items()}


def system(root, cgroup, files):
    """A tree of files as Linux has them."""
    for name, text in {"proc/self/cgroup": cgroup, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


WITHIN = {
    "none": ("0::/\n", {}, None),
    "unlimited": ("0::/a\n", group("/a", "max", 7), None),
    "above": ("0::/a/b\n", group("/a/b", "max", 7)
        | group("/a", 5_000_000, 2_000_000, "anon 1900000", "inactive_file 100000"), 3_100_000),
    "container, with the host's path": ("0::/docker/0123\n", group("", 5_000_000, 6_000_000, "anon 1900000"), 0),
    "version 1, and a group that others count in": ("5:cpu,cpuacct:/b\n4:memory:/a\n0::/\n",
        old_group("/b", 10, 7, 0) | old_group("/a", 4_000_000, 1_000_000, 500_000)
        | old_group("", 9223372036854771712, 1_000_000, 500_000), 3_500_000),
}  # fmt: skip


@pytest.mark.parametrize("where", WITHIN)
def test_limits_of_containers_count(tmp_path, where):
    cgroup, files, left = WITHIN[where]
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
