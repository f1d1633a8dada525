import gc
import os
import zlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator

import psutil
import pytest
from hypothesis import HealthCheck, settings

# What is loaded when it is first needed may take long, and everything on a busy machine.
settings.register_profile("any-pace", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-pace")

# The tests start hundreds of programs: each may keep what it compiles, where the system's default is that none does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Each of several workers begins with other folders: the first that comes to a file compiles it for all.

    That is half of what collecting costs, the first time.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and (worker := getattr(collector.config, "workerinput", None)):
        begin = int(worker["workerid"].removeprefix("gw")) * len(report.result) // worker["workercount"]
        report.result = [*report.result[begin:], *report.result[:begin]]
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (not is_first(item), item.path))  # the same order for each worker
    if config.getoption("--slow"):
        return
    left_out = [item for item in items if "slow" in item.keywords or not is_in_sample(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if "slow" not in item.keywords and is_in_sample(item)]


def pytest_collection_finish() -> None:
    """The garbage collector need not look through thousands of tests, which all stay, again and again."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was skipped and why, a line for each reason: most reasons say how to have it."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, number in reasons.most_common():
        terminalreporter.write_line(f"{number} skipped: {reason}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three more than there are processors: tests wait a third of their time, for processes, signals and limits."""
    return (os.cpu_count() or 1) + 3


def is_first(item: pytest.Item) -> bool:
    """Whether a test is begun first, and by one worker: of those in a browser, a second one costs as much again."""
    return item.get_closest_marker("first") is not None or "site" in getattr(item, "fixturenames", ())


def is_in_sample(item: pytest.Item) -> bool:
    """Whether a case of a test marked ``sampled(every=n)`` is one of the n-th part that always runs, the same ones."""
    mark = item.get_closest_marker("sampled")
    return mark is None or zlib.crc32(item.name.encode()) % mark.kwargs["every"] == 0


@pytest.fixture
def one_in(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """The step of a loop over many cases in one test: ``one_in(3)`` takes every third, and each with ``--slow``."""
    return lambda step: 1 if request.config.getoption("--slow") else step


@pytest.fixture
def no_process_is_left() -> Iterator[None]:
    """Fails a test that leaves a child process behind.

    What earlier children start is theirs: a worker's browser and servers live on, and start processes of their own.
    """

    def children() -> set[int]:
        return {child.pid for child in psutil.Process().children()}

    before = children()
    yield
    assert children() <= before
