"""A server where something is scarce: threads, open files, memory, time to read requests, patience of clients."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from random import Random

import httpx2
import psutil
import pytest
from starlette.requests import Request

from bsp_sat.apps.page.errors import Refused
from bsp_sat.apps.page.http import bodies
from bsp_sat.apps.page.http.listening import listen, most_connections
from bsp_sat.apps.page.http.queue import Queue
from bsp_sat.apps.page.questions import QUICK
from bsp_sat.apps.page.request_fields import fields_of
from bsp_sat.backends.limits import Limits
from bsp_sat.instances.errors import BspSatError, Unsupported
from bsp_sat.instances.registry import PUZZLES
from tests.support import readers, server
from tests.support.helpers import wait_until
from tests.support.server import HARD, events_of, run_apart

resource = pytest.importorskip("resource")

BOARD = {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
SEED, ROUNDS = os.environ.get("BSP_SAT_FUZZ_SEED", "1"), int(os.environ.get("BSP_SAT_FUZZ_ROUNDS", "10"))
PROGRAMS = os.pathsep.join((os.environ["PATH"], "/usr/sbin"))
PATIENCE = 600  # seconds, for a machine that does forty other things

NO_THREADS = """
import os, threading
NAME = next(name for name in ("_start_joinable_thread", "_start_new_thread") if hasattr(threading, name))
START = getattr(threading, NAME)
def start(*args, **kwargs):
    if os.path.exists({flag!r}):
        raise RuntimeError("can't start new thread")
    return START(*args, **kwargs)
setattr(threading, NAME, start)
"""


def open_files(limit: int) -> str:
    """Python that sets the limit of open files."""
    return f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit}))"


@contextmanager
def serving(*words, before="", number=signal.SIGTERM):
    """A server that has time to read requests. A signal ends it, at once though clients are there, and it says nothing.

    If it waited for any client, its end would take ten minutes.
    """
    patient = (
        "import bsp_sat.apps.page.http.bodies as bodies; bodies.READING = bodies.Limits(seconds=600, memory_mb=300)"
    )
    with server.serving(*words, before=f"{before}\n{patient}") as (process, address):
        yield process, address
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")


async def nothing(scope, receive, send):
    """Answers nothing."""


def ask(address, path="position", board=BOARD):
    """Asks on a connection of its own."""
    with httpx2.Client(timeout=PATIENCE) as client:
        response = client.post(f"{address}api/{path}", json={"board": board})
        return response.status_code, response.text


def connection_to(address):
    port = int(address.rstrip("/").rpartition(":")[2])
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(PATIENCE)
    return connection


def post(path, body, kind="application/json", length=None):
    """A request as it goes over the wire."""
    head = f"POST /api/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body) if length is None else length}\r\n\r\n".encode() + body


def rest_of(connection):
    """All that comes until the end, however it comes."""
    found = b""
    with suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            found += part
    return found


def first_events(lines):
    """The names of a stream's events up to the first that says how the search goes."""
    names = []
    for line in lines:
        if line.startswith("event: "):
            names.append(line.removeprefix("event: "))
            if names[-1] != "queued":
                break
    return names


class TestThreads:
    """Where the system gives none for a while, some requests are refused, and nothing is lost for good."""

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_without_threads_for_new_processes_the_answer_says_so(self, tmp_path, number):
        flag = tmp_path / "none"
        with serving(before=NO_THREADS.format(flag=str(flag)), number=number) as (_, address):
            assert ask(address)[0] == 200
            flag.touch()
            for _ in range(10):  # each ends the process for searches, which can't be replaced
                with httpx2.stream("POST", f"{address}api/solve", json={"board": HARD}, timeout=PATIENCE) as refused:
                    if refused.status_code == 503:
                        refused.read()
                        break
                    events = first_events(refused.iter_lines())
                # A request that comes while the last process is being ended is queued, and refused in its stream.
                assert events[-1] == "progress" or events == ["queued", "error"]
            assert (refused.status_code, refused.json()) == (503, {"error": "the system has no thread to spare"})
            assert int(refused.headers["retry-after"]) > 0
            assert httpx2.get(address, timeout=PATIENCE).status_code == 503  # the page takes one
            assert ask(address)[0] == 200
            flag.unlink()
            assert httpx2.get(address, timeout=PATIENCE).status_code == 200
            for _ in range(4):
                status, text = ask(address, "solve")
                assert (status, events_of(text)[-1][0]) == (200, "answer")
            flag.touch()  # nor does it take one to end

    def test_without_a_thread_to_begin_with_serve_says_so(self, tmp_path):
        flag = tmp_path / "none"
        flag.touch()
        with server.serving(before=NO_THREADS.format(flag=str(flag))) as (process, _):
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        assert (out, err) == ("", "Error: the page can't be served: the system has no thread to spare\n")


class TestOpenFiles:
    def test_a_connection_too_many_is_refused_and_those_before_it_stay(self):
        before = "import bsp_sat.apps.page.http.listening as listening; listening.CONNECTIONS = 3"
        with serving(before=before) as (_, address), ExitStack() as stack:
            answered = [stack.enter_context(connection_to(address)) for _ in range(3)]
            for connection in answered:
                connection.sendall(post("solve", json.dumps({"board": HARD}).encode()))
                assert connection.recv(12) == b"HTTP/1.1 200"
            assert ask(address)[0] == 503
            answered[0].close()
            wait_until(lambda: ask(address)[0] == 200)

    def test_with_too_few_open_files_the_answer_says_so(self, monkeypatch):
        monkeypatch.setattr(resource, "getrlimit", lambda _: (150, 4096))
        with pytest.raises(Unsupported, match="--jobs 1 takes 152 open files, and the system allows 150 "):
            most_connections(1)

    @pytest.mark.parametrize(
        ("limit", "jobs", "connections"),
        [(1024, 2, 880), (1024, 64, 384), (256, 1, 120), (4096, 2, 1000), (resource.RLIM_INFINITY, 2, 1000)],
    )
    def test_connections_by_their_limit(self, monkeypatch, limit, jobs, connections):
        monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
        assert most_connections(jobs) == connections


class TestReading:
    """Long requests that take long to read cost a process for as long as they may take, and nothing else."""

    LONG = b'{"a": "' + b"x" * bodies.SHORT_BYTES + b'"}'

    def test_reading_ends_at_a_limit(self, monkeypatch):
        async def scene():
            queue = Queue(1, 100)
            monkeypatch.setattr(bodies, "READING", Limits(seconds=1, memory_mb=300))
            slow = [asyncio.ensure_future(self.read(queue, readers.endless)) for _ in range(2)]
            await asyncio.sleep(0)  # in which they take the limit
            monkeypatch.setattr(bodies, "READING", Limits(seconds=600, memory_mb=300))
            for _ in range(3):
                assert await self.read(queue, readers.same) == json.loads(self.LONG)
            for each in slow:
                with pytest.raises(Refused, match=r"time limit of 1 s reached"):
                    await each
            with pytest.raises(Refused, match="memory limit of 300 MB reached"):
                await self.read(queue, readers.greedy)
            queue.close()

        run_apart(scene)

    async def read(self, queue, reader):
        """Reads a long request."""

        async def receive():
            return {"type": "http.request", "body": self.LONG}

        scope = {"type": "http", "headers": [(b"content-type", b"application/json")]}
        return await bodies.read(Request(scope, receive), bodies.parsed, reader, queue)

    def test_forty_that_take_for_ever(self):
        before = "import bsp_sat.apps.page.questions as questions; from tests.support import readers\n"
        before += "questions.QUICK['methods'] = readers.endless"
        with serving(before=before) as (_, address), ExitStack() as stack:
            for _ in range(40):
                connection = stack.enter_context(connection_to(address))
                connection.sendall(post("methods", self.LONG))
            for _ in range(2):
                assert ask(address)[0] == 200
                assert ask(address, "solve")[0] == 200


def test_what_the_server_keeps_of_boards_is_bounded():
    """All that is kept from one request to the next; a board's texts, tubes, locks and covers are new each time."""

    assert all(PUZZLES.values())  # which loads all kinds

    def read(numbers):
        for number in numbers:
            name = f"c{number}"
            tubes = [[name, "b", name], ["b", name, "b"], []]
            hidden = [[name, "b", None], ["b", name, "b"], []]
            counts, locked = {"tubes": hidden, "counts": {name: 3, "b": 3}}, {"locked": [{"tube": 2, "until": 1}]}
            for fields in (counts, locked, {name: number}):
                board = {"capacity": 3, "tubes": tubes, **fields}
                with suppress(BspSatError):
                    QUICK["position"](fields_of(json.dumps({"board": board}).encode()))
            QUICK["import"](fields_of(json.dumps({"text": f"{name} b {name} | b {name} b | -"}).encode()))
        modules = [module for name, module in sys.modules.items() if name.startswith("bsp_sat.")]
        caches = {
            each for module in modules for each in vars(module).values() if isinstance(each, type(cache(nothing)))
        }
        most = {each: each.cache_parameters()["maxsize"] for each in caches}
        assert 20_000 < sum(filter(None, most.values())) <= 70_000
        return {each: each.cache_info().currsize for each in caches if most[each] is None}

    assert read(range(10)) == read(range(10, 40))


class TestClients:
    def test_answers_leave_at_once(self):
        """Without TCP_NODELAY the end of an answer waits for a word from the client's system, which takes 40 ms."""
        with listen("127.0.0.1", 0) as listening, socket.socket() as client:
            client.connect(listening.getsockname())
            made, _ = listening.accept()
            with made:
                assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    def test_chunks_are_refused(self):
        """They take the server longer to read than a client to send."""
        chunks = post("position", b"")[:-2].replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        chunks += b"\r\n2\r\n{}\r\n0\r\n\r\n"
        with serving() as (_, address):
            for data, status, sentence in (
                (chunks, b"411", b"expected a body with its length"),
                (chunks.replace(b"0\r\n\r\n", b"x" * 100_000), b"400", b"Invalid HTTP request"),
            ):
                with connection_to(address) as connection:
                    connection.sendall(data)
                    said = rest_of(connection)
                assert said.startswith(b"HTTP/1.1 " + status)
                assert sentence in said

    def test_connections_that_wait_for_their_clients_are_closed(self):
        """Requests of which a part comes, or a byte now and then, and answers that nobody takes; searches go on."""
        before = """
import bsp_sat.apps.page.application as application
import bsp_sat.apps.page.http.server as server
application.all_boards = lambda: "x" * 20_000_000
server.CLIENT_SECONDS = 0
"""
        whole = b"GET /data/levels.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        with serving(before=before) as (process, address), ExitStack() as stack:
            searching = stack.enter_context(connection_to(address))
            searching.sendall(post("solve", json.dumps({"board": HARD}).encode()))
            waiting = []
            for data in (
                b"", whole[:-2], post("position", b"{", length=300_000), post("read", b"PK", "image/png", 100),
                whole.replace(b"levels", b"boards"), whole.replace(b"levels", b"boards") * 2, whole + whole[:-2],
            ):  # fmt: skip
                waiting.append(stack.enter_context(connection_to(address)))
                waiting[-1].sendall(data)
            ask(address)  # all those have been accepted

            def only_the_search_is_left():
                with suppress(OSError):
                    waiting[2].send(b"a")
                open_ones = psutil.Process(process.pid).net_connections("tcp")
                return sum(each.status == psutil.CONN_ESTABLISHED for each in open_ones) == 1

            wait_until(only_the_search_is_left)
            assert searching.recv(12) == b"HTTP/1.1 200"
            wait_until(lambda: b"event: progress" in searching.recv(1 << 16))

    def test_idle_connections_lock_out_others_for_a_while_only(self):
        before = f"{open_files(256)}\nimport bsp_sat.apps.page.http.server as server; server.CLIENT_SECONDS = 0"
        with serving(before=before) as (_, address), ExitStack() as stack:
            for _ in range(400):
                stack.enter_context(connection_to(address))

            def answers():
                with suppress(httpx2.TransportError):  # one that waited for long to be accepted
                    return ask(address)[0] == 200

            wait_until(answers)

    def test_bodies_share_their_memory(self):
        """Each may take half of what the others leave: a large one is refused where a small one isn't."""
        before = "import bsp_sat.apps.page.http.bodies as bodies; bodies.ALL_BYTES = 1_000"
        with serving(before=before) as (_, address), ExitStack() as stack:
            holding = stack.enter_context(connection_to(address))
            holding.sendall(post("position", b"{", length=450))
            large, small = (BOARD | {"name": "x" * length} for length in (250, 1))
            wait_until(lambda: ask(address, board=large)[0] == 503)
            assert ask(address, board=large)[1] == '{"error": "the server is handling too much data; try again later"}'
            assert ask(address, board=small)[0] == 200
            holding.close()
            wait_until(lambda: ask(address, board=large)[0] == 200)
            with connection_to(address) as connection:
                connection.sendall(post("read", b"", "image/png", bodies.MOST_BYTES + 1))
                assert connection.recv(12) == b"HTTP/1.1 413"


@pytest.mark.skipif(shutil.which("nginx", path=PROGRAMS) is None, reason="needs nginx")
def test_the_reverse_proxy_of_the_docs_bounds_its_clients(tmp_path):
    """Its configuration as it stands in docs/page.md, but for the ports, certificate and one number."""
    with serving("--allow-host", "sort.example.org") as (process, address), ExitStack() as stack:
        with listen("127.0.0.1", 0) as free:
            port = free.getsockname()[1]
        (written,) = re.findall(r"```nginx\n(.*?)```", Path("docs/page.md").read_text(), re.DOTALL)
        written = written.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("clients 20;", "clients 3;")
        written = written.replace("http://127.0.0.1:8020", address.rstrip("/"))
        folders = "".join(
            f"{each}_temp_path {tmp_path}/{each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        configuration = tmp_path / "nginx.conf"
        configuration.write_text(
            f"daemon off; user root; pid {tmp_path}/pid; error_log {tmp_path}/log; events {{}}\n"
            f"http {{ access_log off; {folders}\n{written}\n}}"
        )
        nginx = shutil.which("nginx", path=PROGRAMS)
        command = [nginx, "-p", str(tmp_path), "-e", f"{tmp_path}/log", "-c", str(configuration)]
        proxy = stack.enter_context(subprocess.Popen(command))
        stack.callback(proxy.terminate)
        through = f"http://127.0.0.1:{port}/"

        def asked(content, path="position", kind="application/json"):
            headers = {"Host": "sort.example.org", "Content-Type": kind}
            with suppress(httpx2.TransportError):  # nginx begins
                answer = httpx2.post(f"{through}api/{path}", content=content, headers=headers, timeout=PATIENCE)
                return answer.status_code

        body = json.dumps({"board": BOARD}).encode()
        wait_until(lambda: asked(body) == 200)
        assert asked(b"x" * 32_000_000, "read", "image/png") == 413
        assert asked(b"x" * 19_000_000, "read", "image/png") == 400  # passed on; it is no picture
        for index in range(3):  # events come at once; part of a body isn't passed on
            held = stack.enter_context(connection_to(through))
            request = post("solve", json.dumps({"board": HARD}).encode(), length=None if index == 0 else 5_000)
            held.sendall(request.replace(b"Host: localhost", b"Host: sort.example.org"))
            if index == 0:
                wait_until(lambda held=held: b"event: " in held.recv(1 << 16))
        wait_until(lambda: asked(body) == 503)
        assert ask(address)[0] == 200
        open_ones = psutil.Process(process.pid).net_connections("tcp")
        assert sum(each.status == psutil.CONN_ESTABLISHED for each in open_ones) == 1


def test_the_server_loads_nothing_heavy():
    """numpy's library ends the whole process where it finds no memory."""
    before = """
import sys
from importlib.machinery import ModuleSpec
class Refusing:
    def find_spec(self, name, *_):
        return ModuleSpec(name, self) if name in ("numpy", "PIL.Image", "llvmlite", "ortools", "pysat") else None
    def create_module(self, spec):
        raise AssertionError(f"the server imports {spec.name}")
sys.meta_path.insert(0, Refusing())
"""
    with serving(before=before) as (_, address):
        for path in ("position", "solve", "hint", "grade", "certificate", "draw", "horizons", "formula", "why"):
            status, text = ask(address, path)
            assert (status, '"error"' in text) == (200, False)
        hidden = "?ab|?ba|-\ncolours a3 b3"
        assert [ask(address, path, hidden)[0] for path in ("explore", "solve")] == [200, 200]
        png = {"Content-Type": "image/png"}
        refused = httpx2.post(f"{address}api/read", content=b"x", headers=png, timeout=PATIENCE)
        assert refused.json()["error"].endswith("expected a PNG, JPEG or WebP picture, found something else")


def hostile(chance, address):
    """One of the things that a stranger may do, on a connection that stays open."""
    connection = connection_to(address)
    body = json.dumps({"board": BOARD}).encode()
    kinds = [
        b"",
        b"GET / HTTP/1.1\r\nX: " + b"a" * chance.randrange(30_000),
        post("position", b"{", length=chance.randrange(2, 300_000)),
        post("read", b"\x89PNG" * chance.randrange(1, 10_000), "image/png"),
        post("read", b"x" * chance.randrange(1, 10_000), "image/png", 20_000_000),
        post(chance.choice(("solve", "hint", "grade", "draw", "certificate")), body),
        post("solve", json.dumps({"board": HARD}).encode()),
        post("position", body) * chance.randrange(1, 300),
        post("generate", b'{"colours": 12, "ranges": {"optimum": "90"}}') * 3,
        chance.randbytes(chance.randrange(1, 1_000)) + b"\r\n\r\n",
    ]
    with suppress(OSError):
        connection.setblocking(False)
        connection.send(chance.choice(kinds))
    return connection


def attack(seed, flag, actions):
    """Strangers at a server whose system is short of everything by chance; afterwards it answers, and ends."""
    chance = Random(seed)
    before = f"""
{open_files(chance.choice((180, 256, 1024)))}
resource.setrlimit(resource.RLIMIT_AS, ({chance.choice((1, 4))} * 10**9,) * 2)
{NO_THREADS.format(flag=str(flag))}
"""
    with serving("--time-limit", "2", before=before) as (_, address):
        assert ask(address)[0] == 200  # it has begun
        connections = []
        for _ in range(actions):
            connections.append(hostile(chance, address))
            if chance.random() < 0.05:
                flag.unlink() if flag.exists() else flag.touch()
            if connections and chance.random() < 0.3:
                connections.pop(chance.randrange(len(connections))).close()
            if chance.random() < 0.05:
                with suppress(httpx2.TransportError):  # one that was chosen to make room
                    assert ask(address)[0] in (200, 503)
        for connection in connections:
            connection.close()
        flag.unlink(missing_ok=True)
        wait_until(lambda: ask(address)[0] == 200)
        wait_until(lambda: ask(address, "solve")[0] == 200)


@pytest.mark.parametrize(
    ("servers", "actions"), [(1, 100), pytest.param(ROUNDS, 1_000, marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_attacks_leave_the_server_answering(tmp_path, servers, actions):
    for number in range(1, servers + 1):
        attack(f"{SEED} {number}", tmp_path / "none", actions)
