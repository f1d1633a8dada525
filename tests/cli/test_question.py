"""A doubtful board: the boards it may be are drawn, one key on a terminal decides, and else an option."""

import json
import os
import pty
import re
import subprocess
import sys
import termios
from contextlib import suppress
from select import select

import pytest

from tests.support.command import bsp_sat
from tests.support.helpers import wait_until

DOUBTFUL = "g r g r\nb b r g\nr b g b\n"
"""Three full tubes, none with room."""

QUESTION = """\
1  5 tubes of 4, 2 empty, each from      2  4 tubes of 4, 1 empty, each from
   bottom to top                            bottom to top
   r g b · ·                                r g b ·
   g r g · ·                                g r g ·
   r b b · ·                                r b b ·
   g b r · ·                                g b r ·
   --read-as 1                              --read-as 2
3  3 tubes of 4, each from bottom to     4  4 tubes of 4, in columns, the top
   top                                      row first
   r g b                                    · · · ·
   g r g                                    g r g r
   r b b                                    b b r g
   g b r                                    r b g b
   --empty 0                                but every tube has the same room, as
                                            in hardly any game
                                            but the tubes are columns
                                            --read-as 4
"""
HEADING = "no tube is empty or has room: how many empty tubes are there:"
ASKED = "Which one? 1, 2, 3, 4, or q to quit: "


@pytest.fixture
def doubtful(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text(DOUBTFUL)
    return path


class Terminal:
    """The command at a terminal of 80 columns; what it answers goes into a pipe."""

    def __init__(self, *words, stdin=None):
        self.ours, theirs = pty.openpty()
        self.run = subprocess.Popen(
            [sys.executable, "-m", "bsp_sat", *map(str, words)],
            stdin=theirs if stdin is None else stdin,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "COLUMNS": "80"},
        )
        os.close(theirs)
        self.shown = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.kill()
        with self.run:
            if self.ours is not None:
                os.close(self.ours)

    def until(self, words=None):
        """Reads the screen until the words, or to the end."""
        with suppress(OSError):  # the program has ended
            while words is None or not self.shown.endswith(words):
                wait_until(lambda: select([self.ours], [], [], 0)[0])
                if not (more := os.read(self.ours, 10_000)):
                    break
                self.shown += more.decode().replace("\r\n", "\n")
        return self.shown

    def press(self, key):
        """Presses a key as soon as the program waits for one, as it drops what is pressed before. If it runs still."""
        with suppress(OSError, termios.error):
            wait_until(lambda: self.has_ended() or not termios.tcgetattr(self.ours)[3] & termios.ICANON)
            os.write(self.ours, key)

    def has_ended(self):
        return self.run.poll() is not None

    def hang_up(self):
        os.close(self.ours)
        self.ours = None

    def answer(self):
        """The exit code, and standard output."""
        return self.run.communicate()[0].decode(), self.run.returncode


@pytest.mark.parametrize(("key", "tubes"), [(b"1", 5), (b"2", 4), (b"3", 3), (b"4", 4)])
def test_one_key_picks_the_board(doubtful, key, tubes):
    with Terminal("show", doubtful, "--format", "json") as terminal:
        screen = terminal.until(ASKED)
        terminal.press(key)
        output, code = terminal.answer()
    assert " ".join(screen.split()).startswith(f"{doubtful}: {HEADING} 1 5 tubes of 4, 2 empty")
    assert (code, len(json.loads(output)["tubes"])) == (0, tubes)


def test_other_keys_do_nothing(doubtful):
    with Terminal("show", doubtful, "--format", "json") as terminal:
        terminal.until(ASKED)
        for key in b"x", b"5", b"\r", b"12":
            terminal.press(key)
        wait_until(lambda: terminal.press(b"2") or terminal.has_ended())  # some may be dropped
        output, code = terminal.answer()
    assert (code, len(json.loads(output)["tubes"])) == (0, 4)


LEFT = 2, "q\nError: {}: no board was chosen"


@pytest.mark.parametrize(
    ("key", "code", "said"),
    [(b"q", *LEFT), (b"\x1b", *LEFT), (b"\x03", 3, "Interrupted."), (b"\x04", 3, "Interrupted.")],
)
def test_it_can_be_left_without_a_board(doubtful, key, code, said):
    with Terminal("show", doubtful) as terminal:
        terminal.until(ASKED)
        terminal.press(key)
        shown = terminal.until().partition(ASKED)[2]
        assert terminal.answer() == ("", code)
    assert shown.strip() == said.format(doubtful)


def test_a_terminal_that_is_gone_ends_the_question(doubtful):
    with Terminal("show", doubtful) as terminal:
        terminal.until(ASKED)
        terminal.hang_up()
        output, code = terminal.answer()
    assert output == ""
    assert code != 0


@pytest.mark.parametrize("name", ["file", "-"])
def test_without_a_terminal_each_board_has_the_option_that_picks_it(doubtful, name):
    name = str(doubtful) if name == "file" else name
    run = bsp_sat("show", name, stdin=DOUBTFUL)
    heading, question = re.split(r"(?m)^(?=1  )", run.stderr)
    question, error, _ = re.split(r"(?m)^(?=Error)|\n\Z", question)
    assert (run.returncode, run.stdout) == (2, "")
    options = re.findall(r"--[a-z-]+ \w+", run.stderr)
    where = "standard input" if name == "-" else name
    assert " ".join(heading.split()) == f"{where}: {HEADING}"
    assert question == QUESTION
    assert error == f"Error: {where}: expected one of these options as well"
    for option, tubes in zip(options, (5, 4, 3, 4), strict=True):
        chosen = bsp_sat("show", name, *option.split(), "--format", "json", stdin=DOUBTFUL)
        assert (chosen.returncode, len(json.loads(chosen.stdout)["tubes"])) == (0, tubes)


def test_a_board_from_standard_input_is_not_asked_about_though_messages_go_to_a_terminal(doubtful):
    with doubtful.open() as text, Terminal("show", "-", stdin=text) as terminal:
        shown = terminal.until()
        assert terminal.answer() == ("", 2)
    assert ASKED not in shown
    assert shown.endswith("Error: standard input: expected one of these options as well\n")
