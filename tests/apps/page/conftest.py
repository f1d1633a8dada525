import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from bsp_sat.apps.page.application import application
from bsp_sat.apps.page.http.origins import origin_of
from bsp_sat.cli.group import commands
from tests.support.browser import PHONE, Site, browsing
from tests.support.server import events_of


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """A server with one place for searches and one for turns, without a network."""
    app = application(
        host="127.0.0.1", origins=(origin_of("page.example"),), places=1, waiting=3, seconds=60, memory_mb=1_000
    )
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """A server and a browser, one of each for all tests of a worker."""
    with browsing() as site:
        yield site


@pytest.fixture
def page(site: Site) -> Iterator[Any]:
    """The first screen, on a phone."""
    with site.visit(None, **PHONE) as page:
        yield page


Ask = Callable[..., Any]


@pytest.fixture
def ask(client: TestClient) -> Ask:
    """Posts an object, and gives back the answer: of a stream the last event, refusals as their sentences."""

    def asked(path: str, **fields: Any) -> Any:
        response = client.post(f"/api/{path}", json=fields)
        if response.headers["content-type"].startswith("text/event-stream"):
            name, data = events_of(response.text)[-1]
            return data["error"] if name == "error" else data
        data = response.json()
        assert (response.status_code == 200) == ("error" not in data)
        return data.get("error", data)

    return asked


@pytest.fixture
def command() -> Callable[..., Any]:
    """Runs a command, and gives back the JSON values that it prints, one if it is one; or what it says is wrong."""

    def run(*words: object, stdin: str | None = None) -> Any:
        result = CliRunner().invoke(commands, [str(word) for word in words], input=stdin, standalone_mode=False)
        if result.exit_code == 2:
            return result.stderr.strip().removeprefix("Error: ").removeprefix("standard input: ")
        values = [json.loads(line) for line in result.stdout.splitlines()]
        return values[0] if len(values) == 1 else values

    return run
