"""What answers in a browser's tab, in a process that has no more than a tab has."""

import base64
import io
import json
import struct
import subprocess
import sys
import zipfile
from types import SimpleNamespace

import pytest
from PIL import Image

from bsp_sat import BallSort, load, random_boards, read_picture, verify_certificate
from bsp_sat.apps.page.errors import Refused
from bsp_sat.apps.page.tab import pyodide_host
from tests.support.browser import SMALL
from tests.support.drawn_screens import Drawn, random_picture, rows_of
from tests.support.server import HARD, events_of

ABSENT = (
    "PIL", "click", "distributed", "llvmlite", "matplotlib", "numba", "numpy", "ortools", "psutil", "resource", "rich",
    "segno", "starlette", "uvicorn",
)  # fmt: skip

PROGRAM = """
import json, sys
from base64 import b64decode, b64encode

sys.modules.update(dict.fromkeys(ABSENT))  # so that an import of one says that it isn't there
import bsp_sat.instances.optional
bsp_sat.instances.optional.IN_A_TAB = True
import subprocess
def refuse(*_, **__): raise OSError("a tab has no processes")
subprocess.Popen = refuse
from bsp_sat.apps.page.tab.engine import Engine

class Host:
    def heap_bytes(self): return HEAP
    def pause(self): self.pauses += 1; return self.pauses >= STOPPED_AFTER

class Reply:
    def head(self, status, kind): self.status, self.kind, self.body = status, kind, b""
    def piece(self, data): self.body += data

for line in sys.stdin:
    path, body, HEAP, STOPPED_AFTER = json.loads(line)
    host, reply = Host(), Reply()
    host.pauses = 0
    Engine(host).answer(path, b64decode(body), reply)
    print(json.dumps([reply.status, reply.kind, b64encode(reply.body).decode()]), flush=True)
"""


@pytest.fixture(scope="module")
def asked():
    """Asks the engine, and gives back the status and the body: JSON, the last event of a stream, or a file."""
    program = [sys.executable, "-c", f"ABSENT = {ABSENT}\n{PROGRAM}"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def ask(path, body=None, heap=0, stopped_after=10**9):
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            process.stdin.write(json.dumps([path, base64.b64encode(data).decode(), heap, stopped_after]) + "\n")
            process.stdin.flush()
            status, kind, answer = json.loads(process.stdout.readline())
            answer = base64.b64decode(answer).decode()
            if kind.startswith("text/event-stream"):
                return status, events_of(answer)[-1][1]
            return status, json.loads(answer) if kind == "application/json" else answer

        yield ask
        process.stdin.close()


def test_the_tab_solves_as_a_server_does(asked, ask):
    for board in (SMALL, load("level-80").to_json(), {"puzzle": "tiles", "columns": [["a", "b"], ["b", "b"]]}):
        (status, here), there = asked("solve", {"board": board}), ask("solve", board=board)
        keys = ("status", "length", "lower_bound", "notes")
        assert status == 200
        assert {key: here[key] for key in keys} == {key: there[key] for key in keys}


HIDDEN = next(random_boards(BallSort, 4, 4, 2, hide="tops", seed=1)).to_json()


@pytest.mark.parametrize(
    ("path", "fields", "key"),
    [
        ("position", {"board": SMALL}, "legal"),
        ("hint", {"board": SMALL}, "moves"),
        ("grade", {"board": SMALL}, "grades"),
        ("generate", {"colours": 3, "empty": 2, "ranges": {"optimum": "1.."}}, "boards"),
        ("horizons", {"board": SMALL}, "length"),
        ("formula", {"board": SMALL}, "clauses"),
        ("why", {"board": SMALL}, "sentences"),
        ("methods", {"board": SMALL}, "encodings"),
        ("explore", {"board": HIDDEN, "advise": True}, "advice"),
    ],
)
def test_the_tab_answers_each_question(asked, path, fields, key):
    status, answer = asked(path, fields)
    assert (status, answer.get("error")) == (200, None)
    assert answer[key]


@pytest.mark.parametrize("proof", ["labels", "lrat"])
def test_certificates_are_made_and_hold(asked, proof, tmp_path):
    _, answer = asked("certificate", {"board": SMALL, "proof": proof})
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["certificate"]["zip"]))) as files:
        files.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    assert verify_certificate(folder).proof == proof


def test_the_tab_draws_boards(asked):
    assert asked("draw", {"board": SMALL})[1].startswith("<svg")
    status, answer = asked("draw", {"board": SMALL, "format": "gif"})
    assert (status, "Pillow" in answer["error"]) == (400, True)


@pytest.mark.parametrize(
    ("path", "fields", "words"),
    [
        ("horizons", {"board": SMALL, "solver": "kissat"}, "expected one of"),
        ("solve", {"board": "nonsense"}, "cannot fill whole tubes"),
        ("solve", [], "JSON object"),
    ],
)
def test_the_tab_says_what_it_cannot_do(asked, path, fields, words):
    assert words in asked(path, fields)[1]["error"]


def test_a_sat_solver_that_could_not_be_loaded_is_loaded_later(monkeypatch, tmp_path):
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pysat/__init__.py", "")
    loads = iter([None, SimpleNamespace(to_bytes=wheel.getvalue)])
    finder = pyodide_host.SatOnDemand(SimpleNamespace(satWheel=lambda: next(loads)))
    monkeypatch.setattr(pyodide_host, "SITE", tmp_path)
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    with pytest.raises(Refused) as refused:
        finder.find_spec("pysat")
    assert refused.value.sentence == "the SAT solver can't be loaded, perhaps for want of a network: try again"
    assert finder in sys.meta_path
    finder.find_spec("pysat")
    assert (tmp_path / "pysat" / "__init__.py").is_file()
    assert finder not in sys.meta_path


def pixels(drawn: Drawn) -> bytes:
    """What the page sends of a picture."""
    image = Image.open(io.BytesIO(drawn.data)).convert("RGBA")
    return struct.pack("<II", *image.size) + image.tobytes()


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_the_tab_reads_the_same_board_from_the_same_pixels(asked, seed):
    drawn = random_picture(seed)
    board = read_picture(drawn.data)
    expected = json.loads(json.dumps({**board.to_json(), "reasons": board.reasons()}))
    assert asked("read?", pixels(drawn)) == (200, expected)


def test_the_tab_reads_rows_that_a_person_shows(asked):
    drawn = random_picture(1)
    rows = "&".join(f"row={','.join(map(str, row))}" for row in rows_of(drawn))
    status, board = asked(f"read?{rows}", pixels(drawn))
    assert (status, board["sure"], board["puzzle"]) == (200, True, drawn.puzzle)
    assert [len(tube) for tube in board["tubes"]] == [len(tube) for tube in drawn.tubes]


@pytest.mark.parametrize(
    ("query", "body", "words"),
    [
        ("", b"", "at least 60 pixels a side"),
        ("", struct.pack("<II", 70, 70) + bytes(10), "at least 60 pixels a side"),
        ("", struct.pack("<II", 1 << 20, 1 << 20), "at most 10,000,000"),
        ("", struct.pack("<II", 70, 70) + bytes(4 * 70 * 70), "no board found"),
        ("row=1,2,3", struct.pack("<II", 70, 70) + bytes(4 * 70 * 70), "expected LEFT,TOP"),
    ],
)
def test_the_tab_refuses_what_is_no_picture_of_a_board(asked, query, body, words):
    status, answer = asked(f"read?{query}", body)
    assert (status, words in answer["error"]) == (400, True)


def test_hard_boards_of_all_chains_are_searched_within_the_limits(asked):
    """Also those for which `auto` would start another process, CP-SAT, or the search that needs numpy."""
    blocks = {"puzzle": "ball-sort", "capacity": 24, "tubes": [["a", "b"] * 12, ["b", "a"] * 12, []]}
    for board in (HARD, blocks, {"puzzle": "tiles", "columns": [["a", "b", "c"] * 4] * 6}):
        status, answer = asked("solve", {"board": board, "seconds": 0.5})
        assert status == 200
        assert answer["status"] in ("optimal", "unsolvable", "feasible", "unknown")
        assert answer["ending"] in ("time-limit", "done")


def test_a_search_in_the_tab_is_cancelled(asked):
    _, answer = asked("solve", {"board": HARD}, stopped_after=3)
    assert (answer["ending"], answer["lower_bound"] > 20) == ("interrupted", True)


def test_the_memory_limit_in_the_tab_leaves_a_bound(asked):
    _, answer = asked("solve", {"board": HARD}, heap=800_000_000)
    assert (answer["ending"], answer["lower_bound"] > 20) == ("memory-limit", True)
    assert "700 MB" in answer["reason"]
