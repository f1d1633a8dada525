"""The scripts docs/slurm.sh and docs/kubernetes.yml, with loopback workers in place of nodes."""

import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
BOARD = '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n'
PYTHON = shlex.quote(sys.executable)
PROGRAMS = f"""
hostname() {{ echo 127.0.0.1; }}
srun() {{ "$@" --name one & "$@" --name two & wait; }}
dask() {{ exec {PYTHON} -m dask "$@"; }}
bsp-sat() {{ {PYTHON} -m bsp_sat "$@"; }}
SLURM_CPUS_PER_TASK=1
trap 'kill 0' TERM
"""


def commands_of_containers():
    """The commands of the Kubernetes file: scheduler, worker, solve."""
    listed = re.findall(r"command: \[(.*?)\]", (DOCS / "kubernetes.yml").read_text(encoding="utf-8"))
    return [[word.strip().strip('"') for word in each.split(",")] for each in listed]


def slurm():
    return (DOCS / "slurm.sh").read_text(encoding="utf-8")


def kubernetes():
    scheduler, worker, solve = (shlex.join(command) for command in commands_of_containers())
    return f"{scheduler} &\nsrun {worker} &\n{solve}\nkill $(jobs -p)\n"


@pytest.mark.slow
@pytest.mark.parametrize("script", [slurm, kubernetes])
def test_the_script_solves_all_boards(tmp_path, script):
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (tmp_path / "boards.jsonl").write_text(BOARD * 20)
    text = script().replace("8786", str(port)).replace("scheduler:", "127.0.0.1:")
    text = text.replace("--nthreads 16", "--nthreads 1")
    ended = subprocess.run(
        ["bash", "-c", PROGRAMS + text],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=600,
        start_new_session=True,
        check=False,
    )
    assert len((tmp_path / "answers.jsonl").read_text().splitlines()) == 20, ended.stderr
