"""What the API answers is what the commands print."""

import base64
import io
import json
import re
import zipfile
from pathlib import Path
from random import Random

import pytest

from bsp_sat import Plan, load_instance, verify_certificate
from bsp_sat.apps.page.answering import Service
from bsp_sat.apps.page.answers import solving
from bsp_sat.backends.boards import filter_solvable
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.sorting import BallSort
from bsp_sat.instances.text.reading import as_json
from tests.support.drawn_screens import Style, draw, random_tubes, rows_of
from tests.support.server import HARD, events_of

EASY = "caac|bbac|bbac|-"
UNSOLVABLE = "capacity 2\nab|ba"
HIDDEN = "?bca|?cab|a?bc|-|-"
RULED = "ab|ba|-\nlocked 1 colour b\ncapacities 2 2 3"
TILES = {"puzzle": "tiles", "columns": [["a", "b", "a"], ["b"], ["b", "a"]]}
SHOT = {"puzzle": "shot", "width": 5, "height": 3, "balls": [[0, 0], [2, 0], [4, 0], [2, 2]]}
MEASURED = ("seconds", "peak_memory_mb")


def lasting(answer):
    """An answer without what differs from run to run, and without figures of the search."""
    return {key: value for key, value in answer.items() if key not in (*MEASURED, "stats")}


def puzzle_of(text, puzzle=None):
    return parse_instances(text, puzzle=puzzle)[0].puzzle


def text_of(board):
    return board if isinstance(board, str) else json.dumps(board)


@pytest.mark.parametrize("board", [EASY, UNSOLVABLE, RULED, TILES, SHOT, HIDDEN], ids=as_json)
def test_solve_answers_as_the_command_does(ask, command, board):
    answer, printed = ask("solve", board=board), command("solve", "-", "--json", stdin=text_of(board))
    also = {"read_as", "other_end"}  # which the page has from elsewhere
    assert lasting(answer) == {key: value for key, value in lasting(printed).items() if key not in also}
    # A worker has more figures than a command that searches in its own process.
    assert printed.get("stats", {}).items() <= answer.get("stats", {}).items()


def test_solve_from_where_the_game_stands(ask):
    answer = ask("solve", board=EASY, moves=[[0, 3], [1, 3]], puzzle="water-sort")
    start = puzzle_of(EASY, "water-sort")
    played = Plan.from_json(start, [[0, 3], [1, 3], *answer["plan"]])
    played.replay(start)
    assert answer["status"] == "optimal"


@pytest.mark.parametrize(("asked", "given"), [(None, None), (3.0, 3.0), (1000, 60)])
def test_a_hint_takes_the_time_that_is_asked_for_within_the_limit_of_the_server(monkeypatch, asked, given):
    monkeypatch.setattr(solving, "task_calling", lambda limits, function, *arguments: arguments)
    *_, seconds = solving.hinting(Service(seconds=60, memory_mb=100), (puzzle_of(EASY), (), asked))
    assert seconds == given


def test_only_a_board_as_it_was_given_may_have_been_meant_otherwise(ask):
    """It is unsolvable, solvable with its tubes turned over, and so is the position after the move."""
    board = "bcc|baa|bca|-"
    (note,) = ask("solve", board=board)["notes"]
    assert note == "with its tubes read top-down, this board is solvable"
    lost = ask("solve", board=board, moves=[[0, 3]])
    assert (lost["status"], lost["notes"]) == ("unsolvable", [])


def test_answers_have_what_the_types_of_the_page_say(ask, client):
    """All that an interface promises is in each answer, and what it says there may be is in one of them."""
    text = (Path(__file__).parents[3] / "apps/page/page/types.d.ts").read_text(encoding="utf-8")
    bodies = dict(re.findall(r"^interface (\w+)[^{]*\{\n(.*?)^\}", text, re.DOTALL | re.MULTILINE))
    free = {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "any_in": [2]}
    covered = ask("explore", board=HIDDEN, history=[], advise=True)
    played, ruled, hint = ask("position", board=EASY), ask("position", board=free), ask("hint", board=EASY)
    answers = {
        "Position": [played, ruled, covered],
        "TubeRule": ruled["tubes"],
        "NamedColour": played["colours"],
        "Advice": [covered["advice"]],
        "SolveAnswer": [ask("solve", board="bcc|baa|bca|-"), ask("horizons", board=EASY)],
        "HintAnswer": [hint],
        "MoveCost": hint["moves"],
        "WhyAnswer": [ask("why", board=EASY)],
        "FormulaAnswer": [ask("formula", board=EASY)],
        "Methods": [ask("methods", board=EASY)],
        "Figure": ask("grade", board=EASY, measures=["optimum"])["grades"].values(),
        "BoardReading": client.post("/api/position", json={"board": "a b a b\nb a b a\n"}).json()["readings"],
        "Reading": [TestRead().read(client).json()],
    }
    unasked = {"interval", "hidden", "capacities", "locked"}
    for name, found in answers.items():
        fields = dict(re.findall(r"^  (\w+)(\??):", bodies[name], re.MULTILINE))
        for answer in found:
            assert {field for field, may_lack in fields.items() if not may_lack} <= answer.keys(), name
        assert fields.keys() - unasked <= set().union(*found), name


@pytest.mark.parametrize("moves", [[], [[0, 3]], [[0, 3], [1, 3], [2, 3]]], ids=len)
def test_hint_answers_as_the_command_does(ask, command, tmp_path, moves):
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps(moves))
    answer = ask("hint", board=EASY, moves=moves, seconds=30)
    assert answer == command("hint", "-", plan, "--json", "--time-limit", "30", stdin=EASY)


def test_grade_answers_as_the_command_does(ask, command):
    answer = ask("grade", board=EASY, measures=["optimum", "dead_share"])
    line = command("grade", "-", "--json", "--measures", "optimum,dead_share", stdin=EASY)
    assert lasting(answer) == {key: value for key, value in lasting(line).items() if key not in ("board", "asked")}


def test_generate_answers_as_the_command_does(ask, command):
    words = "levels --colours 5 --optimum 13.. --dead-share ..0.5 --seed 3 --jobs 1"
    made = command("generate", *words.split())
    del made["asked"]  # for --resume
    asked = {"colours": 5, "ranges": {"optimum": "13..", "dead-share": "..0.5"}, "seed": 3}
    assert ask("generate", **asked) == {"boards": [made]}
    assert ask("generate", colours=2, ranges={"optimum": "8"}, tries=1) == {"boards": []}


def test_keys_of_a_board_that_may_be_misspelt_are_named(ask):
    board = {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "lokced": [], "note": ""}
    for given in (board, json.dumps(board)):
        assert ask("position", board=given)["read_as"] == "Unknown key lokced; did you mean locked?"


class TestRead:
    DRAWN = draw(random_tubes(Random(4), 3, 4, 2), Style(rows=(2, 3), scale=0.6, foot="corners"), 4)
    PICTURE = DRAWN.data

    def read(self, client, query="", kind="image/png"):
        return client.post(f"/api/read{query}", content=self.PICTURE, headers={"Content-Type": kind})

    def test_a_picture_is_read_as_the_command_reads_it_also_where_rows_are_said_to_be(self, client, command, tmp_path):
        path = tmp_path / "shot.png"
        path.write_bytes(self.PICTURE)
        rows = [",".join(map(str, row)) for row in rows_of(self.DRAWN)]
        for shown in ([], rows):
            answer = self.read(client, "?" + "&".join(f"row={row}" for row in shown)).json()
            found = command("read", path, *(word for row in shown for word in ("--row", row)))
            assert [answer.pop("reasons"), found.pop("name")] == [[], "shot.png"]
            assert answer == found
        first = self.read(client, f"?row={rows[0]}").json()
        assert first["picture"]["rows"] == [2]

    def test_the_position_of_what_was_read_can_be_asked_for(self, client, ask):
        assert ask("position", board=self.read(client).json())["summary"] == "water-sort, 3 colours, 5 tubes of 4"

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("?row=1,2,3", "expected LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS such as 60,200,420,380,4,4, found 1,2,3"),
            ("?row=60,200,420,380,30,4&row=60,500,420,680,11,4", "the picture: expected at most 40 tubes, found 41"),
            ("?row=6,2,8,38,4,4", "the picture: expected cells that are some pixels apart, found 6,2,8,38,4,4"),
        ],
    )
    def test_a_picture_with_wrong_rows_is_refused(self, client, query, sentence):
        response = self.read(client, query)
        assert (response.status_code, response.json()) == (400, {"error": sentence})

    def test_without_its_library_reading_says_what_to_install(self, client, monkeypatch):
        monkeypatch.setattr("bsp_sat.instances.optional.find_spec", lambda name: None)
        assert "pip install pillow" in self.read(client).json()["error"]


class TestCertificate:
    def certified(self, tmp_path, answer):
        made = answer["certificate"]
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(made["zip"]))) as archive:
            archive.extractall(tmp_path)
        return tmp_path / "certificate"

    @pytest.mark.parametrize(("board", "kind"), [(EASY, "labels"), (UNSOLVABLE, "borders"), (TILES, "labels")])
    def test_a_certificate_from_the_page_can_be_verified(self, ask, tmp_path, board, kind):
        answer = ask("certificate", board=board)
        assert answer["certificate"]["kind"] == kind
        assert verify_certificate(self.certified(tmp_path, answer)).puzzle == puzzle_of(text_of(board))

    def test_a_certificate_is_of_where_the_game_stands(self, ask, tmp_path):
        answer = ask("certificate", board=EASY, moves=[[0, 3]], proof="lrat")
        position = puzzle_of(EASY)
        position = position.apply(position.move_from_json([0, 3]))
        verified = verify_certificate(self.certified(tmp_path, answer))
        assert verified.puzzle.tubes == position.tubes
        assert answer["certificate"]["kind"] == "lrat"

    def test_without_a_certificate_the_answer_stays(self, ask):
        answer = ask("certificate", board=EASY, proof="borders")
        assert answer["status"] == "optimal"
        assert list(answer["certificate"]) == ["error"]


class TestDraw:
    @pytest.mark.parametrize(
        ("form", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF8"), ("html", b"<!DOCTYPE html>")]
    )
    def test_a_picture_is_what_the_command_draws(self, client, command, tmp_path, form, start):
        moves = [] if form == "png" else [[0, 2], [1, 0]]
        response = client.post("/api/draw", json={"board": "ab|ba|-", "plan": moves, "format": form})
        board, plan, target = (tmp_path / name for name in ("ball-sort", "plan.json", f"out.{form}"))
        board.write_text("ab|ba|-")
        plan.write_text(json.dumps(moves))
        command("draw", board, *([plan] if moves else []), "-o", target)
        assert response.headers["content-type"].startswith("text/html" if form == "html" else "image/")
        assert response.content.startswith(start)
        assert response.content == target.read_bytes()

    def test_a_picture_that_cannot_be_drawn_is_refused(self, ask):
        assert ask("draw", board="ab|ba|-", plan=[[0, 1]]) == "move 1 (1 → 2  b) is illegal: tube 2 is full"
        assert ask("draw", board="ab|ba|-", format="pdf") == 'format: expected svg, png, gif, html, found "pdf"'


class TestPosition:
    def test_the_position_of_a_start_has_its_moves(self, ask):
        answer = ask("position", board={"capacity": 2, "tubes": [["red", "blue"], ["blue", "red"], []], "name": "mine"})
        assert answer["name"] == "mine"
        assert (answer["moves"], answer["last"], answer["effect"]) == ([], None, None)
        assert (answer["legal"], answer["goal"], answer["lower_bound"]) == ([[0, 2], [1, 2]], False, 2)
        assert answer["words"] == ["Move blue from tube 1 to tube 3", "Move red from tube 2 to tube 3"]
        assert answer["text"] == "rb\nbr\n-\n"
        assert [(each["colour"], each["symbol"]) for each in answer["colours"]] == [("red", "r"), ("blue", "b")]
        assert (answer["hidden"], answer["tubes"]) == (False, None)

    def test_the_position_of_an_end_is_a_goal(self, ask):
        answer = ask("position", board="ab|ba|-", moves=[[0, 2], [1, 0], [1, 2]])
        assert (answer["goal"], answer["lower_bound"], answer["unfinished"]) == (True, 0, "")
        assert answer["last"] == "Moved b from tube 2 to tube 3"
        assert answer["position"]["tubes"] == [["a", "a"], [], ["b", "b"]]
        assert answer["text"] == "aa\n-\nbb\n"
        assert answer["board"]["tubes"] == [["a", "b"], ["b", "a"], []]

    def test_a_pour_tells_how_much(self, ask):
        answer = ask("position", board="abb|baa|-", puzzle="water-sort", moves=[[0, 2]])
        assert answer["effect"] == {"from": 0, "to": 2, "amount": 2, "colour": "b"}
        assert answer["last"] == "Moved 2 b from tube 1 to tube 3"

    def test_a_position_of_tiles_has_its_clicks(self, ask):
        board = {"puzzle": "tiles", "columns": [["a", "b", "a"], ["b", "b"], ["b", "a"]]}
        answer = ask("position", board=board, moves=[1])
        assert answer["effect"] == {"column": 1, "colour": "b", "removed": [[0, 1], [1, 0], [1, 1], [2, 0]]}
        assert answer["last"] == "Clicked column 2: 4 b tiles"
        assert answer["position"]["columns"] == [["a", "a"], [], ["a"]]
        assert answer["words"] == ["Click column 1: 2 a tiles", "Click column 3: 1 a tile"]
        assert answer["text"] is None

    def test_a_position_of_shot_has_its_knocks(self, ask):
        answer = ask("position", board=SHOT, moves=[[0, 0, "right"]])
        ways = [[[0, 0], [1, 0]], [[2, 0], [3, 0]], [[4, 0], None]]
        assert answer["effect"] == {"ball": [0, 0], "direction": "right", "ways": ways}
        assert answer["position"]["balls"] == [[1, 0], [3, 0], [2, 2]]
        assert answer["last"] == "Knocked the ball in column 1, row 1 to the right"
        upright = {"puzzle": "shot", "width": 1, "height": 5, "balls": [[0, 0], [0, 3]]}
        answer = ask("position", board=upright, moves=[[0, 3, "up"]])
        assert answer["effect"]["ways"] == [[[0, 3], [0, 1]], [[0, 0], None]]
        assert (answer["position"]["balls"], answer["goal"]) == ([[0, 1]], True)

    def test_a_position_names_the_rules_of_its_tubes(self, ask):
        first, second, _ = ask("position", board=RULED)["tubes"]
        assert first["locked"] == "until b is complete"
        assert (second["locked"], second["capacity"], second["accepts"]) == (None, 2, None)
        tubes = ask("position", board="ab|ba|-\nno-in 1\nno-out 3")["tubes"]
        assert [(tube["takes"], tube["gives"]) for tube in tubes] == [(False, True), (True, True), (True, False)]

    def test_a_text_of_any_notation(self, ask):
        assert ask("position", board="P??B !P,B??P EEEE EEEE", puzzle="water-sort")["hidden"] is True


class TestExplore:
    def test_a_generated_board_is_played_to_its_end(self, ask):
        made = random_boards(BallSort, colours=4, empty=2, hide="tops", seed=1)
        board = next(filter_solvable(made, solvable=True)).to_json()
        history = []
        for _ in range(200):
            answer = ask("explore", board=board, history=history, advise=True)
            if answer["looking"]:
                assert answer["shows"].keys() == {str(tube) for tube in answer["looking"]}
                history.append({"saw": answer["shows"]})
                continue
            advice = answer["advice"]
            if advice["solved"]:
                break
            history.append({"restart": True} if advice["restart"] else {"move": advice["route"][0]})
        assert advice["solved"]
        assert answer["goal"]
        start = puzzle_of(json.dumps({"capacity": 4, "tubes": board["contents"]}))
        Plan.from_json(start, answer["moves"]).replay(start)

    def test_exploring_asks_what_shows(self, ask):
        board = "?ab|?ba|-\ncolours a3 b3"
        history = [{"move": [0, 2]}, {"move": [1, 0]}, {"move": [1, 2]}]
        answer = ask("explore", board=board, history=history)
        assert (answer["looking"], answer["shows"], answer["advice"]) == ([1], None, None)
        history.append({"saw": {"1": ["b"]}})
        answer = ask("explore", board=board, history=history, advise=True)
        assert (answer["looking"], answer["hidden"], answer["advice"]["known"]) == ([], False, True)
        assert answer["last"] == "Moved b from tube 2 to tube 3"

    def test_exploring_takes_a_colour_that_has_not_shown(self, ask):
        board = "??b|?ba|?ab|???|-\n"
        answer = ask("explore", board=board, history=[], advise=True)
        assert (answer["looking"], answer["unseen"]) == ([3], ["new colour 1", "new colour 2"])
        assert "there is no colour" in ask("explore", board=board, history=[{"saw": {"3": ["red"]}}])
        for name in ("new colour", "new colour 1"):
            answer = ask("explore", board=board, history=[{"saw": {"3": [name]}}], advise=True)
            assert answer["unseen"] == ["new colour 2"]
            assert answer["position"]["tubes"][3][-1] == "new colour 1"
            assert answer["advice"]["route"]
        position = ask("position", board=board)
        assert (position["hidden"], position["unseen"]) == (True, ["new colour 1", "new colour 2"])
        assert ask("position", board="ab|ab|-")["unseen"] == []

    def test_exploring_says_what_comes_up(self, ask):
        """Also where the board doesn't: the page asks for the length of a run."""
        board = {"capacity": 2, "tubes": [[None, "r"], [None, "b"], []], "colours": {"r": 2, "b": 2}}
        for puzzle, usual in (("ball-sort", "cell"), ("water-sort", "run")):
            assert ask("explore", board={**board, "puzzle": puzzle}, history=[])["reveal"] == usual
            for reveal in ("run", "cell"):
                asked = {**board, "puzzle": puzzle, "reveal": reveal}
                assert ask("explore", board=asked, history=[])["reveal"] == reveal
        assert ask("position", board="ab|ba|-")["reveal"] is None

    def test_contents_of_a_board_with_new_colours(self, ask):
        board = {"puzzle": "water-sort", "capacity": 2, "tubes": [[None, "r"], [None, "r"], [None, None], []]}
        board["contents"] = [["x", "r"], ["y", "r"], ["x", "y"], []]
        answer = ask("explore", board=board, history=[])
        assert answer["shows"] == {"2": ["new colour 2"]}
        answer = ask("explore", board=board, history=[{"saw": answer["shows"]}])
        assert answer["position"]["tubes"][2] == [None, "new colour 2"]
        board["contents"] = [["x", "r"], ["x", "y"], ["r", "y"], []]
        assert "contents: expected a colour for each unknown cell" in ask("explore", board=board, history=[])

    def test_exploring_asks_about_locks(self, ask):
        board = {"capacity": 2, "tubes": [[None, "r"], [None, "b"], [None, "b"], []]}
        board |= {"locked": [{"tube": 3, "until": "r"}], "colours": {"g": 2, "r": 2, "b": 2}}
        asking = {"opened": [3], "corked": [], "solved": False}
        answer = ask("explore", board=board, history=[], advise=True)
        assert (answer["asking"], answer["noticed"], answer["advice"]) == (asking, None, None)
        board["contents"] = [["r", "r"], ["g", "b"], ["g", "b"], []]
        assert ask("explore", board=board, history=[])["noticed"] == asking
        assert "expected what was noticed of" in ask("explore", board=board, history=[{"move": [0, 3]}])
        for noticed, sentence in (
            ({"opened": [1]}, "history[0]: expected what was noticed of"),
            ({"opened": 3}, "history[0].noticed.opened: expected a list of tubes"),
            ({"solved": 1}, "expected true or false"),
            ({"closed": []}, "history[0]: expected"),
        ):
            assert sentence in ask("explore", board=board, history=[{"noticed": noticed}])
        answer = ask("explore", board=board, history=[{"noticed": {"opened": [3]}}], advise=True)
        assert (answer["asking"], answer["hidden"], answer["advice"]["known"]) == (None, False, True)

    def test_the_end_of_the_game_may_be_said(self, ask):
        board = {"capacity": 3, "tubes": [[None, "a", "a"], [None, "b", "b"], []]}
        answer = ask("explore", board=board, history=[], advise=True)
        assert (answer["asking"]["solved"], answer["advice"]["solved"], answer["goal"]) == (True, False, False)
        answer = ask("explore", board=board, history=[{"noticed": {"solved": True}}], advise=True)
        assert (answer["advice"]["solved"], answer["goal"]) == (True, True)

    @pytest.mark.parametrize(
        ("step", "sentence"),
        [
            ({"move": [0, 1]}, "expected what shows in tube 2, found a move"),
            ({"saw": {"0": ["a"]}}, "expected tubes that show something new"),
            ({"saw": {"1": ["c"]}}, "there is no colour 'c' on this board"),
            ({"saw": {"1": ["a", "a"]}}, "tube 2 has 1 unknown cell, found 2 colours"),
            ({"saw": {"x": []}}, "expected the number of a tube"),
            ({"saw": {"1": "ab"}}, "expected a list of colours"),
            ({"wait": True}, "history[3]: expected"),
            ({"move": [0]}, "expected [from, to]"),
        ],
        ids=as_json,
    )
    def test_exploring_refuses_wrong_reports(self, ask, step, sentence):
        history = [{"move": [0, 2]}, {"move": [1, 0]}, {"move": [1, 2]}, step]
        assert sentence in ask("explore", board="?ab|?ba|-\ncolours a3 b3", history=history)

    def test_exploring_refuses_an_illegal_move_and_a_plain_board(self, ask):
        answer = ask("explore", board="?ab|?ba|-\ncolours a3 b3", history=[{"move": [0, 1]}])
        assert answer == "move 1 (1 → 2  b) is illegal: tube 2 is full"
        assert "this board has no hidden cells" in ask("explore", board=EASY)


def test_a_search_tells_where_it_stands(client):
    response = client.post("/api/solve", json={"board": load_instance("level-80").to_json()})
    *progress, (name, answer) = events_of(response.text)
    assert {event for event, _ in progress} == {"progress"}
    assert name == "answer"
    for _, data in progress:
        assert data.keys() == {"lower", "upper", "seconds", "phase"}
        assert data["lower"] <= answer["length"]
        assert data["upper"] is None or data["upper"] >= answer["length"]


def test_a_time_limit_leaves_what_is_proved(ask):
    answer = ask("solve", board=HARD, seconds=0.2)
    assert (answer["status"] in ("unknown", "feasible"), answer["ending"]) == (True, "time-limit")
    assert answer["lower_bound"] > 0


def test_numbers_that_json_has_not_are_null(client):
    """A browser can't read an answer with any of them in it."""
    body = b'{"board": {"capacity": 1, "tubes": [["a"]], "weight": 1e999, "deep": [{"rate": NaN}, -Infinity]}}'
    response = client.post("/api/position", content=body, headers={"Content-Type": "application/json"})
    board = json.loads(response.content, parse_constant=pytest.fail)["board"]
    assert (board["weight"], board["deep"]) == (None, [{"rate": None}, None])
