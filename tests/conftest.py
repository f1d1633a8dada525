from collections.abc import Iterator

import psutil
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))


@pytest.fixture
def no_process_is_left() -> Iterator[None]:
    """Fails a test that leaves a child process behind."""

    def children() -> set[int]:
        return {child.pid for child in psutil.Process().children(recursive=True)}

    before = children()
    yield
    assert children() <= before
