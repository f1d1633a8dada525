"""`bsp-sat serve --phone`: a server that a phone in the same network reaches, by an address with a secret."""

import os
import pty
import re
import secrets
import signal
import subprocess
import sys
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from bsp_sat.apps.page.commands import serve
from bsp_sat.apps.page.http import listening
from bsp_sat.apps.page.http.secret import Secret
from bsp_sat.instances import optional
from bsp_sat.instances.errors import Unsupported
from tests.support.command import bsp_sat
from tests.support.server import serving

IN_A_NETWORK = "from bsp_sat.apps.page.http import listening; listening._network_address = lambda: '127.0.0.1'"
BOARD = {"board": "ab|ba|-"}


@pytest.fixture(scope="module")
def address():
    """Of a server on a machine whose network has no other machine."""
    with serving("--phone", before=IN_A_NETWORK) as (process, address):
        httpx2.get(address, timeout=600)  # it says its address before it is ready, and a signal before would be seen
        yield address
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=600)[1] == ""


class TestRealServer:
    def test_a_server_answers_below_its_secret(self, address):
        with httpx2.Client(timeout=600) as client:
            page = client.get(address)
            assert (page.status_code, page.headers["Referrer-Policy"]) == (200, "no-referrer")
            assert client.get(f"{address}data/levels.json").json()["capacity"] == 4
            assert client.post(f"{address}api/position", json=BOARD).json()["legal"] == [[0, 2], [1, 2]]
            with client.stream("POST", f"{address}api/solve", json=BOARD) as stream:
                assert "event: answer" in stream.iter_lines()

    def test_the_secret_is_long_enough_and_new_each_time(self, address):
        secret = urlsplit(address).path.strip("/")
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", secret)
        with serving("--phone", before=IN_A_NETWORK) as (_, other):
            assert urlsplit(other).path != urlsplit(address).path

    @pytest.mark.parametrize(
        "path",
        ["", "data/boards.json", "page/main.js", "api/solve", "A" * 22 + "/", "//{secret}/", "{secret}", "{secret}x/"],
    )
    def test_everything_without_the_secret_is_not_found(self, address, path):
        url = urlsplit(address)
        root, secret = f"{url.scheme}://{url.netloc}/", url.path.strip("/")
        for method in ("GET", "POST"):
            # A wrong Host would be 403 if anything looked at it.
            there, headers = root + path.format(secret=secret), {"Host": "evil.example"}
            answer = httpx2.request(method, there, headers=headers, timeout=600)
            assert (answer.status_code, answer.content) == (404, b"")

    @pytest.mark.parametrize("path", ["page", "page/", "data", "data/boards/", "api/solve/"])
    def test_nothing_leads_away_from_the_secret(self, address, path):
        answer = httpx2.get(address + path, timeout=600)
        assert (answer.status_code, "location" in answer.headers) == (404, False)

    def test_host_and_origin_are_checked_as_before(self, address):
        host = urlsplit(address).netloc
        for headers, status in (
            ({"Host": "evil.example"}, 403),
            ({"Origin": "http://evil.example"}, 403),
            ({"Origin": f"http://{host}"}, 200),
        ):
            answer = httpx2.post(f"{address}api/position", json=BOARD, headers=headers, timeout=600)
            assert answer.status_code == status

    def test_the_qr_code_is_shown_on_a_terminal(self):
        main, end = pty.openpty()
        program = f"{IN_A_NETWORK}\nfrom bsp_sat.cli import main; main()"
        command = [sys.executable, "-c", program, "serve", "--phone", "--no-open", "--port", "0", "--jobs", "1"]
        with open(main, "rb", buffering=0) as terminal:  # noqa: PTH123 - no path
            process = subprocess.Popen(command, stdout=end, stderr=end)
            os.close(end)
            said = b""
            while said.count("▀".encode()) < 50:
                said += terminal.read(1000)
            process.kill()
            process.wait()
        assert b"Scan this code with the phone" in said


def test_the_qr_code_holds_the_address():
    text = serve._qr_code("http://192.168.100.5:8020/AAAAAAAAAAAAAAAAAAAAAA/")
    rows = text.splitlines()
    assert len(rows) <= 24
    assert max(map(len, rows)) <= 60
    assert set(text) <= set(" ▀▄█\n")


class TestAddress:
    def test_the_address_is_one_of_this_machine(self):
        """A server there can be reached, or there is no network here."""
        try:
            host = listening.phone_host(None)
        except Unsupported as error:
            assert "this machine is in no network" in str(error)  # noqa: PT017 - either may be
        else:
            with listening.listen(host, 0) as socket:
                assert listening.address_of(socket).startswith(f"http://{host}:")

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            ("--host 127.0.0.1", "only this machine can reach 127.0.0.1"),
            ("--host ::1", "only this machine can reach ::1"),
            ("--host 0.0.0.0", "0.0.0.0 means all addresses"),
            ("--host localhost", "expected an address such as 192.168.1.5"),
            ("--allow-host sort.example.org", "--phone is for this network, --allow-host for a proxy"),
        ],
    )
    def test_a_wrong_address_is_refused(self, words, problem):
        run = bsp_sat("serve", "--no-open", "--phone", *words.split())
        assert problem in run.stderr
        assert run.returncode != 0

    def test_without_segno_it_says_what_to_install(self, monkeypatch):
        monkeypatch.setattr(optional, "find_spec", lambda name: None if name == "segno" else object())
        run = bsp_sat("serve", "--no-open", "--phone")
        assert "--phone needs segno, which isn't installed: pip install segno" in run.stderr


def test_secrets_are_compared_in_constant_time(monkeypatch):
    compared = []
    monkeypatch.setattr(secrets, "compare_digest", lambda *words: compared.append(words) or words[0] == words[1])
    client = TestClient(Secret(PlainTextResponse("in"), "abc"))
    assert [client.get(path).status_code for path in ("/abc/", "/abd/", "/", "/%C3%BC/")] == [200, 404, 404, 404]
    assert compared == [(word, b"abc") for word in (b"abc", b"abd", b"", "ü".encode())]
