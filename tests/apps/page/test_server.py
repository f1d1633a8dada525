"""A server in a process of its own, where signals, sockets and processes matter."""

import signal
import socket
import subprocess
import sys
import webbrowser

import httpx2
import psutil
import pytest
from click.testing import CliRunner

from bsp_sat import load_instance
from bsp_sat.apps.page.http import listening
from bsp_sat.apps.page.http.listening import address_of, listen, open_browser
from bsp_sat.apps.page.http.server import Server
from bsp_sat.cli.group import commands
from bsp_sat.instances import optional
from bsp_sat.instances.errors import Unsupported
from tests.support.helpers import wait_until
from tests.support.server import HARD, children, events_of, serving

LEVEL = load_instance("level-80").to_json()


@pytest.fixture(scope="module")
def server():
    """Its searches end by themselves long after `wait_until` gives up."""
    with serving("--time-limit", "3600") as (process, address):
        yield process, address
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=600)[1] == ""  # whatever it was asked


def streamed(address, board, path="solve"):
    return httpx2.stream("POST", f"{address}api/{path}", json={"board": board}, timeout=600)


def until_progress(response):
    """Reads a stream until its search is at work; closing what is given back, or losing it, closes the stream."""
    lines = response.iter_lines()
    assert any(line == "event: progress" for line in lines)
    return lines


@pytest.mark.parametrize("path", ["solve", "certificate", "horizons"])
def test_closing_a_stream_ends_its_search_and_one_that_waits_begins(server, path):
    process, address = server
    with streamed(address, HARD, path) as response:
        at_work = until_progress(response)
        busy = children(process)
        with streamed(address, LEVEL) as waiting:
            lines = waiting.iter_lines()
            assert next(lines) == "event: queued"
            at_work.close()
            name, answer = events_of("event: queued\n" + "\n".join(lines))[-1]
    assert (name, answer["status"], answer["length"]) == ("answer", "optimal", 38)
    wait_until(lambda: any(not child.is_running() for child in busy))  # its process is ended


LENGTH = b"Content-Type: application/json\r\nContent-Length: -5"


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (400, b"\x00\xff\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"),
        (403, b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        (404, b"GET /data/%ff%00%2e HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (404, b"GET /page/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (400, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000),
        (400, b"POST /api/methods HTTP/1.1\r\nHost: localhost\r\n" + LENGTH + b"\r\n\r\n"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_request(server, status, request_):
    process, address = server
    with socket.create_connection(("127.0.0.1", int(address.strip("/").rpartition(":")[2])), 600) as connection:
        connection.sendall(request_)
        assert connection.recv(12) == b"HTTP/1.1 %d" % status
    assert process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_signal_ends_it_with_streams_open(number):
    with serving() as (process, address):
        with streamed(address, HARD) as at_work, streamed(address, HARD) as waiting:
            streams = [until_progress(at_work), waiting.iter_lines()]
            assert next(streams[1]) == "event: queued"
            left = children(process)
            process.send_signal(number)
            for lines in streams:
                assert [*lines][-3:-1] == ["event: error", 'data: {"error": "the server has ended"}']
        _, err = process.communicate(timeout=600)
        assert (process.returncode, err) == (0, "")
        assert not [child for child in left if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]


class TestListening:
    def test_a_port_in_use(self):
        with listen("127.0.0.1", 0) as taken:
            port = taken.getsockname()[1]
            in_use = f"can't listen on 127.0.0.1, port {port}: Address already in use; see"
            with pytest.raises(Unsupported, match=in_use):
                listen("127.0.0.1", port)
            command = [sys.executable, "-m", "bsp_sat", "serve", "--no-open", "--port", str(port)]
            run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
        assert run.stderr.startswith("Error: can't listen on 127.0.0.1")

    def test_a_port_of_the_administrator(self, monkeypatch):
        def refused(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(socket, "create_server", refused)
        with pytest.raises(Unsupported, match="port 80 needs administrator rights; choose another one with --port"):
            listen("127.0.0.1", 80)

    @pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid"])
    def test_no_address_of_this_machine(self, host):
        with pytest.raises(Unsupported, match=f"can't listen on {host}, port 0: [^(]*; see --host and --port"):
            listen(host, 0)

    def test_no_address_is_not_every_address(self):
        with pytest.raises(Unsupported, match="--host: expected an address, found none"):
            listen("", 0)

    @pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
    def test_the_server_listens_on_its_address(self, host):
        with listen(host, 0) as there:
            assert address_of(there) == f"http://127.0.0.1:{there.getsockname()[1]}/"


class TestBrowser:
    def test_no_browser_is_opened_where_there_is_none(self, monkeypatch):
        def none():
            raise webbrowser.Error

        for found in (none, lambda: webbrowser.GenericBrowser("w3m")):  # which has no windows
            monkeypatch.setattr(webbrowser, "get", found)
            assert not open_browser("http://127.0.0.1:8020/")

    def test_a_browser_with_windows_is_opened(self, monkeypatch):
        opened = []

        class Browser(webbrowser.BaseBrowser):
            def open(self, url, new=0, autoraise=True):
                opened.append(url)
                return True

        monkeypatch.setattr(webbrowser, "get", Browser)
        assert open_browser("http://127.0.0.1:8020/")
        wait_until(lambda: bool(opened))
        assert opened == ["http://127.0.0.1:8020/"]


class TestCommand:
    """The command up to where it serves."""

    def run(self, *words):
        return CliRunner().invoke(commands, ["serve", "--port", "0", *words], standalone_mode=False)

    def test_without_its_libraries_serve_says_what_to_install(self, monkeypatch):
        monkeypatch.setattr(optional, "find_spec", lambda name: None)
        result = self.run()
        assert (result.exit_code, result.stdout) == (2, "")
        assert "the page needs Starlette, which isn't installed: pip install starlette uvicorn" in result.stderr

    @pytest.mark.parametrize(("found", "said"), [(True, ""), (False, "No browser found; open http://")])
    def test_says_where_the_page_is(self, monkeypatch, found, said):
        monkeypatch.setattr(listening, "open_browser", lambda address: found)
        monkeypatch.setattr(Server, "run", lambda self, sockets: sockets[0].close())
        result = self.run()
        assert result.exit_code == 0
        assert result.stdout.startswith("The page is at http://127.0.0.1:")
        assert result.stderr.startswith(said)
        assert result.stderr.count("\n") == (not found)

    def test_opens_no_browser_where_it_is_not_to(self, monkeypatch):
        monkeypatch.setattr(listening, "open_browser", lambda address: pytest.fail("it did"))
        monkeypatch.setattr(Server, "run", lambda self, sockets: sockets[0].close())
        assert self.run("--no-open").exit_code == 0
