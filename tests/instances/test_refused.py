"""What is said of lines that are no board: which line was taken for a tube, and an edit that helps."""

import re
import shlex

import pytest

from bsp_sat import AmbiguousBoard, BoardError, ReadingChoices
from bsp_sat.instances.files import parse_instances
from tests.support.command import bsp_sat

CURED = {
    "a title of letters": ("abba\nrb\nbr\n-\n", "line 1"),
    "a name": ("Anna\nrb\nbr\n-\n", "line 1"),
    "a date": ("2024-05-01\nrb\nbr\n-\n", "line 1"),
    "a request after it": ("rb\nbr\n-\nplease help", "line 4"),
    "a signature": ("rb\nbr\n-\n-- \nAnna", "line 5"),
    "a word among letters": ("a b\nb a\nno\n", "line 3"),
    "numbers and a path": ("3\n1\n4\n\nbackground/1.jpg\n\nr r r g\ng g g r\n- - - -\n- - - -", "lines 1, 2, 3, 5"),
    "how much a tube holds": ("Every bottle has room for 2 units.\nBottle 1: red, blue\nBottle 2: blue, red\n3: -",
                              "line 1"),
    "empty tubes counted in words": ("y r b y\nb y r r\nr b y b\nempty x2", "line 4"),
    "numbers below a drawing": ("Y R B . .\nB R Y . .\nR Y B . .\nY B R . .\n1 2 3 4 5", "line 5"),
    "a solution": ("RGB\nOPR\nBOG\nPRO\nGBP\n-\n-\n\nSolution: 1->4, 2->5, 3->4", "line 9"),
    "a command": ("./solver 3 ABAB BABA", "line 1"),
    "a line in the middle": ("rgb\ngbr\nbrg\n(next row)\n-\n-", "line 4"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "place"), CURED.values(), ids=CURED.keys())
def test_the_edit_that_a_refusal_names_makes_the_text_a_board(text, place):
    with pytest.raises(BoardError) as caught:
        parse_instances(text)
    said = str(caught.value)
    assert said.startswith(f"{place}: ")
    numbers = [int(number) for number in re.findall(r"\d+", place)]
    lines = text.split("\n")
    for number in numbers:
        line = lines[number - 1]
        lines[number - 1] = (
            line.partition(re.search("'(.*?)' was", said)[1])[2] if "leave it out" in said else f"# {line}"
        )
    options = re.search(r" and add (.*?): then", said)
    chosen = dict(zip(*[iter(shlex.split(options[1]))] * 2, strict=True)) if options else {}
    choices = ReadingChoices(**{key[2:].replace("-", "_"): int(value) for key, value in chosen.items()})
    (board,) = parse_instances("\n".join(lines), choices=choices)
    assert f"then there are {len(board.puzzle.tubes)} tubes of {board.puzzle.capacity}" in said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("G B\nO P R\nB O G\nP R O\nG B P\n-\n-", "line 1: 'G B' has 2 balls, the others 3; tubes: 2 of colour"),
        ("R G B\nO P R R\nB O G\nP R O\nG B P\n-\n-", "line 2: 'O P R R' has 4 balls, the others 3; "),
        ("Y R 8 Y\nB Y R R\nR B Y B\n-\n-", "line 1: '8' stands only here; tubes: 1 of colour '8'"),
    ],
)
def test_a_lost_ball_or_a_strange_one_is_named_with_its_line(text, says):
    with pytest.raises(BoardError, match=re.escape(says)):
        parse_instances(text)


def test_the_cure_works_on_the_command_line(tmp_path):
    path = tmp_path / "level.txt"
    path.write_text("y r b y\nb y r r\nr b y b\nempty x2")
    said = bsp_sat("show", str(path)).stderr
    path.write_text("y r b y\nb y r r\nr b y b\n# empty x2")
    ran = bsp_sat("show", str(path), *shlex.split(re.search(r" and add (.*?): then", said)[1]))
    assert ran.returncode == 0, ran.stderr


def test_a_text_of_many_lines_is_not_read_again_without_each(monkeypatch):
    read = []
    from bsp_sat.instances.sorting.spellings import meant

    judged = meant.judge_text
    monkeypatch.setattr(meant, "judge_text", lambda *args: read.append(1) or judged(*args))
    for lines in (10, 60, 2000):
        read.clear()
        with pytest.raises((BoardError, AmbiguousBoard)):
            parse_instances("\n".join(f"{number} x{number} y" for number in range(lines)))
        assert len(read) <= 31
