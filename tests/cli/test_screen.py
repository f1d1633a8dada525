"""What a terminal shows: every colour as a colour of its own, also where there are only 16 of them."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress

import pytest
from click import unstyle

from bsp_sat import BallSort, load
from bsp_sat.apps.levels.measures import MEASURES
from bsp_sat.cli.screen import print_line
from bsp_sat.cli.terminal import NAMED_OF_16, PALETTE_OF_16, colour_styles
from bsp_sat.instances.palette import NAMED, PALETTE
from tests.support.command import bsp_sat

CELL = re.compile(r"\x1b\[1;(?:[\d;]+);(48;[25];[\d;]+|4[0-7]|10[0-7])m (\S) \x1b\[0m")
TERMINALS = {
    "16": {"TERM": "xterm-16color"},
    "16-in-tmux": {"TERM": "screen"},
    "256": {"TERM": "xterm-256color"},
    "all": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
}


def program(*args: str, stdin: str) -> "subprocess.CompletedProcess[str]":
    """`bsp-sat` as a program of its own."""
    command = [sys.executable, "-m", "bsp_sat", *args]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=600, check=False)


@pytest.fixture(params=TERMINALS)
def terminal(request, monkeypatch):
    """An environment that a process takes for a terminal."""
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in {"FORCE_COLOR": "1", **TERMINALS[request.param]}.items():
        monkeypatch.setenv(name, value)


def backgrounds(text):
    """For each symbol the codes of its backgrounds."""
    found = {}
    for background, symbol in CELL.findall(text):
        found.setdefault(symbol, set()).add(background)
    return found


def board_of(colours):
    return BallSort.from_tubes([[colour] for colour in colours], 1)


BOARDS = [
    *(load(name) for name in ("level-80", "colored-water-15", "tiles-2022-11-16")),
    *map(board_of, (["red", "orange", "brown", 1], range(16), range(20))),
]


@pytest.mark.usefixtures("terminal")
class TestColours:
    def test_each_has_one_background_of_its_own_and_of_more_than_sixteen_no_three_are_alike(self):
        text = "\n".join(json.dumps(puzzle.to_json()) for puzzle in BOARDS)
        *pictures, _ = program("show", "-", stdin=text).stdout.split("Every plan has at least")
        for puzzle, picture in zip(BOARDS, pictures, strict=True):
            codes = [code for (code,) in backgrounds(picture).values()]
            assert len(codes) == len(puzzle.palette)
            assert max(map(codes.count, codes)) <= (1 if len(codes) <= 16 else 2)

    def test_steps_of_a_plan_keep_the_colours_of_the_board(self):
        run = program("solve", "-", "--boards", "--backend", "astar", stdin="ab|ba|-")
        assert run.stdout.count(" a ") == 8  # two on each of four boards
        found = backgrounds(run.stdout)
        assert [len(codes) for codes in found.values()] == [1, 1]
        assert found["a"] != found["b"]


def test_red_is_red_and_orange_is_not_on_sixteen_colours():
    styles = colour_styles(["red", "orange", "yellow", "green", "blue"], few=True)
    names = {colour: style.bgcolor.name for colour, style in styles.items()}
    assert {colour: names[colour] for colour in ("red", "yellow")} == {"red": "bright_red", "yellow": "bright_yellow"}
    assert len(set(names.values())) == 5


def test_both_palettes_know_the_same_names_and_hold_nothing_twice():
    assert set(NAMED) == set(NAMED_OF_16)
    assert len(set(PALETTE)) == len(PALETTE)
    assert len(set(PALETTE_OF_16)) == 16
    assert set(NAMED_OF_16.values()) <= set(PALETTE_OF_16)


def test_the_list_of_shipped_boards_fits_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = bsp_sat("instances").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    (row,) = (line for line in lines if line.startswith("level-80"))
    assert row.split("  ")[0] == "level-80"
    assert "ball-sort, 9 colours, 11 tubes of 4" in row
    assert row.rstrip().endswith("38")


class TestNarrowTerminals:
    """On a terminal of 40 columns nothing is cut, and no word is broken that fits."""

    @pytest.fixture
    def shown(self, monkeypatch):
        for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "40"}.items():
            monkeypatch.setenv(name, value)
        return lambda *words, stdin="": unstyle(bsp_sat(*words, stdin=stdin).stdout)

    def test_the_list_of_shipped_boards_breaks_at_words(self, shown):
        lines = shown("instances").splitlines()
        assert max(map(len, lines)) <= 40

    def test_sentences_of_a_census_break_at_words(self, shown):
        out = shown("census", "--colours", "3", "--capacity", "3", "--empty", "2")
        assert max(map(len, out.splitlines())) <= 40
        assert "Every board can be solved: 3 colours, capacity 3, 2 empty tubes" in " ".join(out.split())

    def test_every_figure_of_a_comparison_stands_whole_below_its_solver(self, shown):
        solver = "heuristic:greedy:misplaced:room-weight=0.5"
        lines = shown("compare", "-", "--solvers", f"kernel,{solver}", stdin="abab|baba|-|-").splitlines()
        tables = [line for line in lines if line.startswith("solver ")]
        headings = [line.split()[-1] for line in tables]
        assert headings == ["answered", "solved", "unsolvable", "moves", "excess", "ratio", "explored", "seconds", "MB"]
        for name in ("kernel", solver):
            rows = [line.removeprefix(name) for line in lines if line.startswith(f"{name} ")]
            assert len(rows) == len(tables)
            assert rows.pop(0).strip() == "1 of 1"
            assert all(re.fullmatch(r"[\d,]+(\.\d\d)?", row.strip()) for row in rows)

    def test_a_grade_says_how_each_figure_is_known(self, shown):
        out = shown("grade", "level-80")
        assert "…" not in out
        assert out.count(" exact ") == len(MEASURES) - 4  # which are sampled: two kinds of players, and lost positions
        assert [out.count(figure) for figure in ("1,319,98", "1,600", "0.0657")] == [1, 1, 1]


class TestWidth:
    """A board of any number of tubes, on a terminal of any width."""

    def lines(self, monkeypatch, tubes, columns):
        monkeypatch.setenv("COLUMNS", columns)
        run = bsp_sat("show", "-", stdin="capacity 2|goal monochrome".replace("|", "\n") + "\na" * tubes)
        assert (run.returncode, run.stderr) == (0, "")
        return run.stdout.splitlines()

    @pytest.mark.parametrize(
        ("tubes", "columns"), [(20, "80"), (100, "80"), (11, "30"), (5, "12"), (1200, "80"), (25, "0")]
    )
    def test_numbers_stand_above_rows_of_tubes_that_fit(self, monkeypatch, tubes, columns):
        lines = self.lines(monkeypatch, tubes, columns)
        rows = [number for number, line in enumerate(lines) if re.fullmatch(r"[\d ]+", line)]
        assert len(rows) > 1
        assert [int(word) for row in rows for word in lines[row].split()] == list(range(1, tubes + 1))
        for row in rows:
            numbers, top, bottom = lines[row : row + 3]
            assert max(map(len, (numbers, top, bottom))) <= (int(columns) or 80)
            balls = [match.start() for match in re.finditer("a", bottom)]
            spans = [match.span() for match in re.finditer(r"\d+", numbers)]
            assert all(start - 1 <= ball <= end for ball, (start, end) in zip(balls, spans, strict=True))
            assert top.split() == ["·"] * len(spans)

    def test_tubes_that_fit_stand_in_one_row_above_their_numbers(self, monkeypatch):
        lines = self.lines(monkeypatch, 19, "80")
        assert lines[3].split() == ["a"] * 19
        assert lines[4].split() == [str(number) for number in range(1, 20)]

    @pytest.mark.parametrize("columns", ["1", "4", "100000", "-1", "x"])
    def test_any_width_is_one(self, monkeypatch, columns):
        assert self.lines(monkeypatch, 3, columns)


@pytest.mark.parametrize(
    "words",
    [
        "generate random --colours 3 --count 3",
        "generate levels --colours 3 --jobs 1",
        "solve pack.jsonl --jobs 1",
        "export ab|ba|- --format dimacs",
    ],
)
def test_on_a_terminal_each_line_of_output_begins_where_a_line_does(words, tmp_path):
    """Progress stood before the first board: a bar, or `starting{"name": ...`."""
    (tmp_path / "pack.jsonl").write_text('{"tubes": [[0, 1], [1, 0], []]}\n' * 3)
    ours, theirs = pty.openpty()
    command, shown = [sys.executable, "-m", "bsp_sat", *words.split()], b""
    with subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs) as run:
        os.close(theirs)
        with suppress(OSError):  # the program has ended
            while more := os.read(ours, 10_000):
                shown += more
    os.close(ours)
    assert run.returncode == 0
    begins = b"c order" if words.startswith("export") else b'{"'
    before = [line.partition(begins)[0] for line in shown.split(b"\n") if begins in line]
    assert before
    assert all(re.sub(rb".*\x1b\[2K|\x1b\[[?\d]*[hlA-Z]|\r", b"", each) == b"" for each in before)


def test_a_line_of_output_and_what_clears_the_progress_are_one_write(monkeypatch):
    """Another thread drew the progress between the two, about once in ten thousand lines."""
    written, screen = [], io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr("click.echo", written.append)
    print_line("{}")
    assert written == ["\r\x1b[2K{}"]
