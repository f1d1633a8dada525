"""What the server refuses: with the words of the command line, and without a word about its inside."""

import json
from itertools import product

import pytest
from starlette.testclient import TestClient

from bsp_sat.apps.page import application as routes
from bsp_sat.apps.page import request_fields
from bsp_sat.apps.page.errors import Refused, refused_by
from bsp_sat.apps.page.http import bodies, page_files
from bsp_sat.apps.page.http.guard import HEADERS, Guard
from bsp_sat.apps.page.http.origins import origin_of
from bsp_sat.apps.page.questions import QUICK, SEARCHES, SHORT_TURNS, TURNS
from bsp_sat.apps.page.request_fields import MOST_MOVES
from bsp_sat.backends.engine import has_tab_library
from bsp_sat.instances.errors import BoardError, Unsupported
from tests.support import readers
from tests.support.malformed import MALFORMED_BOARDS

JSON = {"Content-Type": "application/json"}
POSTED = ("position", "solve", "hint", "grade", "generate", "certificate", "draw", "explore")
POSTED += ("horizons", "formula", "why", "import")
BOARD = {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}


async def nothing(scope, receive, send):
    """Answers with an empty page."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def as_text(contents):
    """Contents as a page would send them, None where they aren't text."""
    try:
        return contents.decode()
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("more", [0, 1])
def test_as_much_as_is_allowed_is_taken_and_not_more(ask, monkeypatch, more):
    monkeypatch.setattr(request_fields, "MOST_TEXT", 8 - more)
    found = ask("position", board="ab|ba|-\n")
    assert found == "board: expected at most 7 characters, found 8" if more else isinstance(found, dict)


class TestBoards:
    @pytest.mark.parametrize(
        "case",
        [case for case in MALFORMED_BOARDS if as_text(case.contents) is not None and len(case.contents) < 100_000],
        ids=lambda case: case.name,
    )
    def test_boards_are_refused_in_the_words_of_the_command_line(self, ask, command, case):
        text = as_text(case.contents)
        said = ask("position", board=text), command("show", "-", "--format", "json", stdin=text)
        page, terminal = (" ".join(each.split()).partition("; if it is none")[0] for each in said)  # a terminal draws
        assert page == terminal

    @pytest.mark.parametrize("case", MALFORMED_BOARDS, ids=lambda case: case.name)
    def test_boards_are_refused_as_objects_too(self, client, case):
        body = b'{"board": ' + case.contents.strip() + b"}"
        response = client.post("/api/position", content=body, headers=JSON)
        assert response.status_code in (400, 413)
        assert isinstance(response.json()["error"], str)

    @pytest.mark.parametrize(
        ("board", "sentence"),
        [
            (
                {"capacity": 1, "tubes": [[]] * 101},
                "board: the page takes boards of at most 100 columns and 2,500 places, found 101 and 101",
            ),
            ({"capacity": 1000, "tubes": [[], [], []]}, "found 3 and 3,000"),
            ({"puzzle": "shot", "width": 100, "height": 100, "balls": [[0, 0]]}, "found 100 and 10,000"),
            ({"puzzle": "tiles", "columns": [["a"] * 2501]}, "found 1 and 2,501"),
            ({"capacity": 1, "tubes": [[2**53]]}, "a browser can't tell the number 9007199254740992"),
            (None, "board: expected a JSON object or a text, found null"),
            (["ab", "ba"], "board: expected a JSON object or a text, found"),
            (f"{json.dumps(BOARD)}\n{json.dumps(BOARD)}", "board: expected one board, found 2"),
        ],
        ids=str,
    )
    def test_boards_that_no_page_could_show_are_refused(self, ask, board, sentence):
        assert sentence in ask("position", board=board)


class TestMoves:
    @pytest.mark.parametrize(
        ("moves", "sentence"),
        [
            ([[0, 1]], "move 1 (1 → 2  b) is illegal: tube 2 is full"),
            ([[0, 2], [0, 9]], "move 2 (1 → 10  a) is illegal: there is no tube 10, the board has 3"),
            ([[0]], "plan[0]: expected [from, to] with two tube numbers, found [0]"),
            ("0 1", 'moves: expected a list of moves, found "0 1"'),
            ([[0, 2]] * (MOST_MOVES + 1), "moves: expected at most 3,000, found 3,001"),
        ],
        ids=lambda value: str(value)[:20],
    )
    def test_moves_that_cannot_be_are_refused(self, ask, moves, sentence):
        for path in ("position", "solve", "hint", "certificate", "draw"):
            assert ask(path, board=BOARD, moves=moves) == sentence


class TestOptions:
    @pytest.mark.parametrize(
        ("path", "fields", "sentence"),
        [
            ("solve", {"seconds": 0}, "seconds: expected a number above 0 and at most 1e+09, found 0"),
            ("solve", {"seconds": True}, "seconds: expected a number above 0"),
            ("hint", {"seconds": "1"}, "seconds: expected a number above 0"),
            ("solve", {"puzzle": "chess"}, 'puzzle: expected one of ball-sort, water-sort, tiles, shot, found "chess"'),
            ("certificate", {"proof": "faith"}, 'proof: expected one of labels, borders, lrat, found "faith"'),
            ("certificate", {"board": "?ab|?ba|-\ncolours a3 b3"}, "there is nothing to certify"),
            ("grade", {"measures": "all"}, "measures: expected a list of names"),
            ("grade", {"measures": ["beauty"]}, "unknown measure 'beauty'"),
            ("grade", {"board": {"puzzle": "tiles", "columns": [["a"]]}}, "grading takes"),
            ("hint", {"board": {"puzzle": "tiles", "columns": [["a"]]}}, "hint takes"),
            ("generate", {}, "colours: expected a whole number from 1 to 256, found none"),
            ("generate", {"colours": 2, "rows": 2}, "unknown key 'rows', expected some of puzzle,"),
            ("generate", {"colours": 5, "tries": 0}, "tries: expected a whole number from 1 to 100000"),
            ("generate", {"colours": 5, "ranges": {"optimum": "few"}}, "expected a number or a"),
            ("generate", {"colours": 5, "ranges": [1]}, "ranges: expected an object"),
            ("generate", {"colours": 5, "ranges": {"beauty": "1"}}, "unknown measure 'beauty'"),
            ("explore", {"history": {}, "board": "?ab|?ba|-\ncolours a3 b3"}, "history: expected a list"),
        ],
        ids=str,
    )
    def test_options_that_mean_nothing_are_refused(self, ask, client, path, fields, sentence):
        fields = fields if path == "generate" else {"board": BOARD, **fields}
        answer = ask(path, **fields)
        assert isinstance(answer, str)
        assert sentence in answer
        if path == "generate" or "measures" in fields:  # before a search
            assert client.post(f"/api/{path}", json=fields).status_code == 400

    def test_misspelt_keys_are_refused_everywhere(self, client):
        for path in QUICK | SEARCHES | TURNS | SHORT_TURNS:
            fields = {"colours": 2} if path == "generate" else {"board": "?ab|?ba|-\ncolours a3 b3"}
            response = client.post(f"/api/{path}", json={"puzle": "ball-sort", **fields})
            sentence = response.json()["error"]
            assert (response.status_code, sentence[:34]) == (400, "unknown key 'puzle', expected some"), path
            assert "did you mean puzzle?" in sentence, path
        response = client.post("/api/read?rows=1", content=b"", headers={"Content-Type": "image/png"})
        assert response.json() == {"error": "unknown key 'rows', expected some of row; did you mean row?"}


class TestBodies:
    def test_bodies_of_another_type_and_too_long_ones_and_other_methods_are_refused(self, client):
        long = json.dumps({"board": "a" * bodies.JSON_BYTES})
        for path in (f"/api/{name}" for name in POSTED):
            # A form of somebody else's page can send text without asking; JSON it can't.
            typed, got = client.post(path, content=b"{}", headers={"Content-Type": "text/plain"}), client.get(path)
            refusal = (415, {"error": "expected a body of type application/json"})
            assert (typed.status_code, typed.json()) == refusal, path
            assert client.post(path, content=long, headers=JSON).status_code == 413, path
            assert (got.status_code, got.json()) == (405, {"error": "Method Not Allowed"}), path

    def test_a_picture_that_is_too_long_is_refused(self, client, monkeypatch):
        monkeypatch.setattr(routes, "PICTURE_BYTES", 10)
        response = client.post("/api/read", content=b"x" * 11, headers={"Content-Type": "image/png"})
        assert (response.status_code, response.json()) == (413, {"error": "expected a body of at most 10 bytes"})

    def test_a_picture_of_another_type_is_refused(self, client):
        assert client.post("/api/read", content=b"<svg/>", headers={"Content-Type": "image/svg+xml"}).status_code == 415

    @pytest.mark.parametrize(
        ("body", "sentence"),
        [
            (b"", "not JSON"),
            (b"[]", "body: expected a JSON object, found []"),
            (b"\xff", "body: not UTF-8 text: byte 0 is 0xff"),
            (b'{"board": 1, "board": 2}', "board: expected once, found twice in one object"),
            (b"[" * 200_000, "not usable JSON: nested more than 100 levels deep"),
            (b'{"board": NaN}', "board: expected a JSON object or a text, found NaN"),
        ],
        ids=lambda value: str(value)[:20],
    )
    def test_bodies_that_are_no_objects_are_refused(self, client, body, sentence):
        response = client.post("/api/position", content=body, headers=JSON)
        assert response.status_code == 400
        assert sentence in response.json()["error"]


class TestNames:
    """Host and Origin; the server listens on 127.0.0.1 and also goes by page.example."""

    @pytest.mark.parametrize(
        ("status", "host"),
        [*product([200], ["127.0.0.1", "127.0.0.1:8020", "localhost:8020", "LOCALHOST", "[::1]:8020",
                          "page.example:443"]),
         *product([403], ["evil.example", "evil.example:8020", "127.0.0.1.evil.example", "192.168.1.5", "",
                          "localhost@evil.example", "localhost:port", "page.example.", "[::1", "localhost/..",
                          "localhost:8020:8020"])],
    )  # fmt: skip
    def test_the_server_is_served_by_its_own_names_alone(self, client, status, host):
        for path in ("/", "/page/index.html", "/data/boards.json"):
            response = client.get(path, headers={"Host": host})
            assert response.status_code == status
            assert status == 200 or "Host" in response.json()["error"]

    @pytest.mark.parametrize(
        ("status", "origin"),
        [*product([200], ["http://127.0.0.1:8020", "https://page.example"]),
         *product([403], ["HTTP://127.0.0.1:8020", "http://evil.example", "null", "", "http://127.0.0.1:3000",
                          "http://localhost:8020", "file://127.0.0.1:8020", "http://127.0.0.1:8020.evil.example",
                          "https://page.example@evil.example"])],
    )  # fmt: skip
    def test_pages_of_the_own_origins_alone_may_ask(self, client, status, origin):
        headers = {"Host": "127.0.0.1:8020", "Origin": origin}
        response = client.post("/api/position", json={"board": BOARD}, headers=headers)
        assert response.status_code == status
        assert status == 200 or "Origin" in response.json()["error"]

    @pytest.mark.parametrize(
        ("host", "origin", "passes"),
        [
            ("sort.example", "https://sort.example", True),
            ("sort.example:443", "https://sort.example", True),
            ("127.0.0.1:8020", "https://sort.example", True),  # of a proxy that doesn't pass Host on
            ("sort.example", "https://sort.example:8443", False),
            ("sort.example", "http://sort.example", False),
            ("sort.example", "http://sort.example:3000", False),
            ("sort.example:3000", "http://sort.example:3000", False),
            ("sort.example:8020", "http://sort.example:8020", True),  # the server itself
            ("other.example", "https://other.example:8443", True),
            ("other.example", "https://other.example", False),
            ("plain.example", "http://plain.example", True),
            ("plain.example", "https://plain.example", False),
            ("localhost:9000", "http://localhost:9000", True),  # of a port that leads here
            ("localhost:9000", "https://localhost:9000", False),
            ("localhost", "http://localhost:80", True),
        ],
    )
    def test_pages_under_further_names(self, host, origin, passes):
        names = ("Sort.example", "other.example:8443", "http://plain.example")
        guarded = Guard(nothing, "127.0.0.1", map(origin_of, names))
        client = TestClient(guarded, base_url="http://127.0.0.1:8020")
        assert (client.post("/", headers={"Host": host, "Origin": origin}).status_code == 200) is passes

    @pytest.mark.parametrize(
        "name",
        ["", "ftp://sort.example", "sort.example/", "a@b", "sort.example:port", "http://",
         "a b", "bücher.example", "a\n", "sort.example:65536", "sort.example:٤", "[::1]a"],
    )  # fmt: skip
    def test_requests_without_a_name_are_refused(self, name):
        with pytest.raises(Unsupported, match="--allow-host: expected a name such as "):
            origin_of(name)

    @pytest.mark.parametrize(
        ("header", "values"),
        [
            ("Host", ["127.0.0.1:8020", "evil.example"]),
            ("Origin", ["http://127.0.0.1:8020", "http://evil.example"]),
            ("Origin", ["http://127.0.0.1:8020"] * 2),
        ],
    )
    def test_requests_with_several_names_are_refused(self, client, header, values):
        headers = [("Host", "127.0.0.1:8020")] if header == "Origin" else []
        response = client.get("/data/boards.json", headers=[*headers, *((header, value) for value in values)])
        refusal = (403, {"error": f"expected one header {header}, found several"})
        assert (response.status_code, response.json()) == refusal

    @pytest.mark.parametrize(
        ("listening", "host", "passes"),
        [
            ("0.0.0.0", "192.168.1.5:8020", True),  # an address can't be made to stand for another one
            ("0.0.0.0", "evil.example", False),
            ("0.0.0.0", "localhost", True),
            ("::", "[fe80::1]:8020", True),
            ("192.168.1.5", "192.168.1.5", True),
            ("box.lan", "box.lan:8020", True),
            ("127.0.0.1", "192.168.1.5", False),
        ],
    )
    def test_the_address_that_it_listens_on_is_a_name_of_the_server(self, listening, host, passes):
        response = TestClient(Guard(nothing, listening)).get("/", headers={"Host": host})
        assert (response.status_code == 200) is passes


class TestHeaders:
    @pytest.mark.parametrize(
        ("path", "host", "status"),
        [("/", "localhost", 200), ("/page/index.html", "localhost", 200), ("/data/boards.json", "localhost", 200),
         ("/api/none", "localhost", 404), ("/", "evil.example", 403)],
    )  # fmt: skip
    def test_every_answer_has_the_headers_that_protect(self, client, path, host, status):
        response = client.get(path, headers={"Host": host})
        assert response.status_code == status
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        for name in ("set-cookie", "access-control-allow-origin", "server"):
            assert name not in response.headers

    def test_nothing_of_the_api_is_kept(self, client):
        assert client.post("/api/position", json={"board": "ab|ba|-"}).headers["cache-control"] == "no-store"
        assert client.get("/").headers["cache-control"] == "no-cache"

    def test_the_page_is_compressed_on_the_way_and_streams_are_not(self, client):
        headers = {"Accept-Encoding": "gzip"}
        for path in ("main.js", *["engine/search.wasm"] * has_tab_library()) * 2:
            response = client.get(f"/page/{path}", headers=headers)
            assert (response.headers["content-encoding"], response.headers["vary"]) == ("gzip", "Accept-Encoding")
        assert page_files.compressed.cache_info().hits >= 2  # the first board waits for it: it is done once
        stream = client.post("/api/solve", json={"board": BOARD}, headers=headers)
        assert "content-encoding" not in stream.headers

    def test_what_is_not_changed_is_not_sent_again(self, client):
        tag = client.get("/page/index.html").headers["etag"]
        assert client.get("/page/index.html", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(
    "path", ["/page/../application.py", "/page/%2e%2e/application.py", "/page//etc/passwd", "/page/..%2fguard.py"]
)
def test_nothing_but_the_page_is_served(client, path):
    assert client.get(path).status_code == 404


class TestBugs:
    """A bug of ours is one sentence, and its place is for the log alone."""

    def test_a_bug_in_an_answer_says_so(self, client, monkeypatch, caplog):
        monkeypatch.setattr(
            routes, "read", lambda request, by, _, queue: bodies.read(request, by, readers.broken, queue)
        )
        response = client.post("/api/position", json={"board": BOARD})
        assert response.status_code == 500
        assert response.json() == {"error": "this is a bug in bsp-sat, please report it: RuntimeError"}
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        assert "secret" in caplog.text
        assert "Traceback" not in caplog.text

    def test_a_bug_in_a_search_says_so(self, ask, monkeypatch, caplog):
        def broken(*_, **__):
            raise RuntimeError("secret /home/me")

        monkeypatch.setattr("bsp_sat.apps.page.answers.solving.solve_with", broken)
        assert ask("solve", board=BOARD) == "this is a bug in bsp-sat, please report it: RuntimeError"
        assert "secret" in caplog.text

    @pytest.mark.parametrize(
        ("error", "status", "sentence"),
        [
            (OSError(11, "Resource temporarily unavailable"), 503, "Resource temporarily unavailable"),
            (MemoryError(), 503, "out of memory"),
            (Refused(413, "too long"), 413, "too long"),
            (BoardError("board", "no tubes"), 400, "board: no tubes"),
            (RuntimeError("can't start new thread"), 500, "this is a bug in bsp-sat, please report it: RuntimeError"),
        ],
    )
    def test_what_else_is_none(self, error, status, sentence):
        """That there is no thread is known by where the error comes from, and this one comes from nowhere."""
        refused = refused_by(error)
        assert (refused.status, refused.sentence) == (status, sentence)
