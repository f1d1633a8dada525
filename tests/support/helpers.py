"""What several test modules need."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import click
import psutil
import pytest
from hypothesis import strategies as st

from bsp_sat import BallSort, Instance, Plan, Result, Tiles, WaterSort
from bsp_sat.backends.backend import Backend
from bsp_sat.backends.registry import BACKENDS, make_backend
from bsp_sat.backends.result import Findings
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.files import load_instances, parse_instances
from bsp_sat.instances.puzzle import AnyPuzzle
from bsp_sat.instances.registry import PUZZLES
from bsp_sat.instances.sorting import Goal, SortPuzzle

DATA = Path(__file__).parents[1] / "data"
RULES: tuple[type[SortPuzzle], ...] = (BallSort, WaterSort)
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.kind)


def solve_here(backend: str | Backend, puzzle: AnyPuzzle, max_steps: int | None = None) -> Result:
    """Runs a backend in this process, without limits; its plans are replayed like those of a child process."""
    chosen = (make_backend(backend) if isinstance(backend, str) else backend).for_board(puzzle)
    findings = Findings(puzzle, chosen.name, claims_bounds=chosen.claims_bounds, max_steps=max_steps)
    reason = chosen.run(puzzle, findings, max_steps)
    return findings.result(reason, encoding=chosen.encoding_name, solver=chosen.solver_name)


def backends_for(puzzle: AnyPuzzle) -> list[str]:
    """The names of the backends that take this board."""
    return [name for name in BACKENDS if make_backend(name).takes(puzzle)]


class Recorder(Findings):
    """Keeps each bound and the length of each plan in the order in which they arrive."""

    def __init__(self, puzzle: AnyPuzzle, max_steps: int | None = None) -> None:
        super().__init__(puzzle, "recorded", max_steps=max_steps)
        self.facts: list[tuple[str, int]] = []

    def lower_bound(self, bound: int) -> None:
        self.facts.append(("bound", bound))
        super().lower_bound(bound)

    def plan(self, plan: Plan) -> None:
        self.facts.append(("plan", len(plan)))
        super().plan(plan)

    @property
    def bounds(self) -> list[int]:
        return [number for kind, number in self.facts if kind == "bound"]

    @property
    def lengths(self) -> list[int]:
        return [number for kind, number in self.facts if kind == "plan"]


def wrong_answers(backend: str | Backend, instances: Iterable[Instance]) -> dict[str, int | str]:
    """What a backend finds of those instances whose known answer is another."""
    found = ((instance, answer(solve_here(backend, instance.puzzle))) for instance in instances)
    return {case_id(instance): said for instance, said in found if said != instance.known_answer}


def answer(result: Result) -> int | str:
    """The result as the data files write it: the optimum, or the status where none is proved."""
    return len(result.plan) if result.status == "optimal" and result.plan is not None else str(result.status)


def board(rule: type[SortPuzzle], text: str, capacity: int, goal: Goal = "full") -> SortPuzzle:
    """A board from ``|``-separated tubes, bottom first, ``-`` for an empty one."""
    return rule.from_tubes([list(tube.replace("-", "")) for tube in text.split("|")], capacity, goal)


def scattered(
    chance: Random, rule: type[SortPuzzle], balls: str, tubes: int, capacity: int, goal: Goal = "full"
) -> SortPuzzle:
    """A board with the balls in any of its tubes."""
    found: list[list[str]] = [[] for _ in range(tubes)]
    for ball in chance.sample(balls, len(balls)):
        chance.choice([tube for tube in found if len(tube) < capacity]).append(ball)
    return rule.from_tubes(found, capacity, goal)


small_tiles = st.lists(st.text("abc", max_size=4), min_size=1, max_size=4).map(
    lambda columns: Tiles.from_columns([list(column) for column in columns])
)


def read_one(text: str, puzzle: str | None = None) -> Instance:
    """The one board of a text."""
    (instance,) = parse_instances(text, puzzle=puzzle)
    return instance


def from_fields(fields: dict[str, Any]) -> Any:
    """The position that the fields of a board describe."""
    return PUZZLES[fields["puzzle"]].from_json(fields)


@cache
def reference(name: str, rule: str | None = None) -> list[Instance]:
    """The boards of a file in ``tests/data``, which many modules read while tests are collected."""
    return load_instances(DATA / name, rule)


def under_both_rules(name: str) -> Iterator[Instance]:
    """The sort boards of a file in ``tests/data``, under either rule."""
    for rule in RULES:
        yield from reference(name, rule.kind)


def case_id(instance: Instance) -> str:
    """A name for a test's parameter."""
    return f"{instance.name}-{instance.puzzle.kind}"


def json_lines(name: str) -> list[dict[str, object]]:
    """The raw objects of a file in ``tests/data``."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def subcommands(group: click.Group) -> dict[str, click.Command]:
    """The commands of a group that are still of use, by name."""
    context = click.Context(group)
    found = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    return {name: command for name, command in found if command is not None and not command.deprecated}


def hours_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """From each look at the clock to the next one: no limit of seconds leaves time for anything."""
    monkeypatch.setattr(time, "monotonic", count(step=3600.0).__next__)


def steps_of(function: Callable[..., object], *arguments: object) -> int:
    """The lines of Python that a call runs, which may refuse its input: the same on every machine, however busy."""
    steps = 0

    def step(*_: object) -> Callable[..., object]:
        nonlocal steps
        steps += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        with suppress(BspSatError):
            function(*arguments)
    finally:
        sys.settrace(before)
    return steps


def wait_until(condition: Callable[[], bool]) -> None:
    """Looks again and again; ten minutes are for a machine that stands still."""
    deadline = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def wait_until_at_work(parent: "subprocess.Popen[bytes]", seconds: float) -> None:
    """Until the child of a process has used up so much processor time."""
    used = 0.0
    while used < seconds:
        time.sleep(0.05)
        assert parent.poll() is None, f"it ended with exit code {parent.returncode}"
        for child in psutil.Process(parent.pid).children():
            with suppress(psutil.NoSuchProcess):
                used = child.cpu_times().user
