"""`bsp-sat read`, and pictures wherever a command takes a BOARD."""

import io
import json
import signal
import time
from contextlib import suppress
from dataclasses import replace
from random import Random

import click
import pytest
from click.testing import CliRunner
from PIL import Image, ImageGrab

import bsp_sat
from bsp_sat import BspSatError
from bsp_sat.cli import boards as pictures
from bsp_sat.cli.group import commands
from bsp_sat.cli.options import ReadingOptions
from bsp_sat.instances import optional
from tests.support.drawn_screens import Style, draw, random_tubes, rows_of
from tests.support.full_disk import room_for
from tests.support.helpers import subcommands

STYLE = Style(rows=(2, 3), scale=0.6, foot="corners")
TUBES = random_tubes(Random(4), 3, 4, 2)


@pytest.fixture(scope="module")
def shot(tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures") / "shot.png"
    path.write_bytes(draw(TUBES, STYLE, 4).data)
    return path


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory):
    """One cell has the wrong colour: no capacity fits the counts."""
    tubes = [list(tube) for tube in TUBES]
    tubes[0][0] = next(colour for colour in "abc" if colour != tubes[0][0])
    path = tmp_path_factory.mktemp("pictures") / "odd.png"
    path.write_bytes(draw(tubes, STYLE, 4).data)
    return path


@pytest.fixture(scope="module")
def covered(tmp_path_factory):
    """Of 15 cells the colour doesn't show."""
    path = tmp_path_factory.mktemp("pictures") / "hidden.png"
    tubes = [[None, None, None, colour] for colour in "abcde"] + [[], []]
    path.write_bytes(draw(tubes, replace(STYLE, rows=(4, 3), theme="wood"), 4).data)
    return path


def run(*words: object, stdin: bytes = b"") -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    runner = CliRunner()
    input = io.BufferedReader(io.BytesIO(stdin))
    result = runner.invoke(commands, [str(word) for word in words], input=input, standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    code = result.return_value if isinstance(result.return_value, int) else result.exit_code
    return code, result.stdout, result.stderr


def refused(problem: str, *words: object) -> bool:
    """Whether a command ends as bad input, and says so."""
    code, out, err = run(*words)
    return (code, out) == (2, "") and problem in err


def test_prints_a_board_file(shot):
    code, out, err = run("read", shot)
    board = json.loads(out)
    assert (code, err) == (0, "")
    assert board["name"] == "shot.png"
    assert board["sure"] is True
    assert board["puzzle"] == "water-sort"
    assert [len(tube) for tube in board["tubes"]] == [4, 4, 4, 0, 0]
    assert all(cell["confidence"] > 0.5 for tube in board["picture"]["tubes"] for cell in tube["cells"])
    again = run("show", "-", "--format", "json", stdin=out.encode())
    assert json.loads(again[1])["tubes"] == board["tubes"]
    assert json.loads(run("read", "-", stdin=shot.read_bytes())[1])["tubes"] == board["tubes"]


def test_several_pictures_are_lines_and_doubts_are_unmistakable(shot, doubtful):
    code, out, err = run("read", shot, doubtful)
    assert code == 3
    assert [json.loads(line)["sure"] for line in out.splitlines()] == [True, False]
    assert err.startswith("Doubtful: ")
    assert len(err.splitlines()) == 1


def test_what_cant_be_read(tmp_path, shot):
    empty = tmp_path / "empty.png"
    Image.new("RGB", (300, 300)).save(empty)
    code, out, err = run("read", empty, tmp_path / "none.png", shot)
    assert code == 2
    assert len(out.splitlines()) == 1
    assert "no board found" in err
    assert "no such file" in err


def test_a_missing_picture_is_an_error_of_the_program_in_python_too():
    with pytest.raises(BspSatError, match=r"no.png: no such file"):
        bsp_sat.read_picture("no.png")


def test_a_correction_makes_a_board(doubtful):
    wanted = json.loads(run("read", doubtful)[1])["tubes"]
    code, out, _ = run("read", doubtful, "--set", "1:1=teal", "--set", "5:1=teal")
    board = json.loads(out)
    assert board["tubes"][0] == ["teal", *wanted[0][1:]]
    assert board["tubes"][4] == ["teal"]
    assert board["picture"]["tubes"][0]["cells"][0]["confidence"] == 1
    assert code == 3  # counts still don't fit
    code, out, _ = run("read", doubtful, "--set", "1:4=-")
    assert len(json.loads(out)["tubes"][0]) == 3


@pytest.mark.parametrize(
    ("correction", "problem"),
    [
        ("9:1=red", "expected 1 to 5"),
        ("1:9=red", "expected a cell from 1 to 4"),
        ("5:1=-", "expected a cell from 1 to 0"),
        ("1+:1=red", "expected --set 1+ before"),
        *((correction, "TUBE:CELL=COLOUR") for correction in ("red", "0:1=red", "1:1=", "1=red", "1", "1+=none")),
    ],
)
def test_corrections_of_what_isnt_there_and_what_is_none(shot, correction, problem):
    assert refused(problem, "read", shot, "--set", correction)


def test_rows_given_by_hand_are_read_from_one_picture(shot):
    row = ",".join(map(str, rows_of(draw(TUBES, STYLE, 4))[0]))
    code, out, _ = run("read", shot, "--row", row)
    board = json.loads(out)
    assert [len(tube) for tube in board["tubes"]] == [4, 4]
    assert code == 3  # the third full tube isn't in this row, so that the counts don't fit
    assert refused("expected LEFT,TOP,RIGHT,BOTTOM,TUBES,CELLS", "read", shot, "--row", "1,2,3")
    assert refused("take one picture", "read", shot, shot, "--row", row)
    assert refused("one picture", "read", shot, shot, "--overlay", "out.png")
    assert refused("expected a PICTURE", "read")


def test_an_overlay_is_drawn_over_the_picture(shot, tmp_path):
    target = tmp_path / "overlay.png"
    assert run("read", shot, "--overlay", target)[0] == 0
    with Image.open(target) as over, Image.open(shot) as under:
        assert over.size == under.size
        assert over.convert("RGB").tobytes() != under.convert("RGB").tobytes()


def test_the_steps_are_shown_also_where_no_board_is_found(shot, tmp_path):
    plain = tmp_path / "plain.png"
    Image.new("RGB", (100, 100)).save(plain)
    for picture, code in ((shot, 0), (plain, 2)):
        steps = tmp_path / f"steps{code}"
        assert run("read", picture, "--explain", steps)[0] == code
        for step in ("regions", "stacks", "tubes"):
            with Image.open(steps / f"{step}.png") as drawn:
                assert (b"\0\xff\0" in drawn.convert("RGB").tobytes()) == (code == 0)


def test_where_nothing_can_be_drawn_the_board_is_printed_all_the_same(shot, tmp_path):
    with room_for(700):
        full = run("read", shot, "--overlay", tmp_path / "overlay.png")
    nowhere = run("read", shot, "--overlay", tmp_path / "nosuch" / "overlay.png")
    for (code, out, err), problem in ((full, "File too large"), (nowhere, "No such file or directory")):
        assert (code, json.loads(out)["sure"], problem in err) == (2, True, True)
    assert not list(tmp_path.iterdir())
    code, _, err = run("read", shot, "--explain", shot / "steps")
    assert (code, "the folder can't be made" in err) == (2, True)


def test_a_picture_is_read_from_the_clipboard(shot, monkeypatch):
    monkeypatch.setattr(ImageGrab, "grabclipboard", lambda: Image.open(shot))
    assert run("read", "--clipboard")[0] == 0
    monkeypatch.setattr(ImageGrab, "grabclipboard", lambda: None)
    assert refused("expected a picture on the clipboard, found none", "read", "--clipboard")

    def none():
        raise NotImplementedError("no clipboard here")

    monkeypatch.setattr(ImageGrab, "grabclipboard", none)
    assert "no clipboard here" in run("read", "--clipboard")[2]


def words_for(name, command, board, folder):
    """A command line of a command that takes a BOARD, with a folder, a new file or a choice for all else it needs."""
    words = [name]
    for param in command.params:
        if "BOARD" in (param.metavar or ""):
            words.append(board)
        elif param.required and isinstance(param, click.Argument):
            words.append(folder)
        elif param.required:
            chosen = param.type.choices[0] if isinstance(param.type, click.Choice) else folder / "new.svg"
            words += [param.opts[0], chosen]
    return words


TAKE_BOARDS = {
    name: command
    for name, command in subcommands(commands).items()
    if any("BOARD" in (param.metavar or "") for param in command.params)
}


class TestWhereverABoardStands:
    @pytest.mark.parametrize("name", TAKE_BOARDS)
    def test_a_doubtful_picture_is_named_and_not_used(self, name, doubtful, tmp_path):
        code, out, err = run(*words_for(name, TAKE_BOARDS[name], doubtful, tmp_path))
        assert (code, out) == (3, "")
        assert err.startswith(f"Unknown: the board of {doubtful} is doubtful: counts: ")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("name", [name for name in TAKE_BOARDS if name != "play"])  # which asks on standard input
    @pytest.mark.sampled(every=3)
    def test_a_picture_comes_from_standard_input(self, name, doubtful, tmp_path):
        code, _, err = run(*words_for(name, TAKE_BOARDS[name], "-", tmp_path), stdin=doubtful.read_bytes())
        assert code == 3
        assert err.startswith("Unknown: the board of standard input is doubtful: counts: ")

    @pytest.mark.parametrize("name", TAKE_BOARDS)
    @pytest.mark.sampled(every=3)
    def test_without_pillow_one_sentence_says_so(self, name, shot, tmp_path, monkeypatch):
        monkeypatch.setattr(optional, "find_spec", lambda _name: None)
        assert refused("needs Pillow, which isn't installed", *words_for(name, TAKE_BOARDS[name], shot, tmp_path))

    def test_what_a_picture_shows_is_used_as_a_file_is(self, shot, tmp_path):
        code, out, _ = run("show", shot, "--format", "json")
        assert code == 0
        (tmp_path / "board.json").write_text(out)
        for words in (["hint", "--json"], ["count", "--json"], ["export", "--format", "lpcp"]):
            of_file = run(*words, tmp_path / "board.json")
            assert of_file[0] == 0
            assert run(*words, shot) == of_file

    def test_play_asks_about_the_covered_cells_of_a_picture(self, covered):
        code, out, _ = run("play", covered, "--reveal", "run", stdin=b"quit\n")
        assert code == 3
        assert "if this attempt succeeds, estimated" in out


class TestSolve:
    def test_the_time_limit_holds_for_reading(self, shot, monkeypatch):
        ended = []
        monkeypatch.setattr("bsp_sat.apps.pictures.reading.find_stacks", lambda _regions: ended.append(time.sleep(60)))
        code, out, err = run("solve", shot, "--time-limit", "0.5")
        assert (code, out, ended) == (3, "", [])
        assert err == f"Unknown: time limit of 0.5 s reached while {shot} was being read\n"
        code, out, _ = run("solve", shot, "--time-limit", "0.5", "--json")
        answer = json.loads(out)
        assert (code, answer["status"], answer["reason"]) == (3, "unknown", err[len("Unknown: ") : -1])

    def test_a_time_limit_at_any_moment_is_an_answer(self, monkeypatch):
        """Also at the moments when the timer is set and taken back."""
        monkeypatch.setattr("sys.unraisablehook", lambda _: None)  # it ends the closing of a file, or pytest's own hook
        for microseconds in range(1, 1000):
            with suppress(pictures.Unread):
                pictures.load_boards("level-80", ReadingOptions(), microseconds / 1e6)

    def test_the_timers_last_signal_may_come_late(self, monkeypatch):
        """By another thread, when reading is done and the timer has ended."""
        set_timer, ended = signal.setitimer, []

        def late(which, seconds, *interval):
            found = set_timer(which, seconds, *interval)
            if seconds == 0 and not ended:
                ended.append(True)
                signal.raise_signal(signal.SIGALRM)
            return found

        monkeypatch.setattr("signal.setitimer", late)
        assert len(pictures.load_boards("level-80", ReadingOptions(), 60)) == 1
        assert ended

    def test_names_what_plain_boards_havent(self, covered):
        assert refused("add --reveal run", "solve", covered)
        code, out, _ = run("solve", covered, "--reveal", "run", "--json")
        assert code == 3  # a sample of the fillings can be solved
        assert json.loads(out)["arrangements"] == 168_168_000  # 15 balls, three of each of five colours

    def test_board_files_say_themselves_what_shows(self):
        assert refused('a board file says it with "reveal"', "solve", "level-80", "--reveal", "run")
        assert refused("no such file", "play", "missing.png", "--reveal", "run")

    def test_rules_that_pictures_dont_show(self, shot):
        assert refused("ball-sort or water-sort", "solve", shot, "--puzzle", "tiles")
