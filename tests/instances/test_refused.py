"""What is asked or said of lines that are no board: which line was taken for a tube, and what the others are."""

import re
import shlex

import pytest

from bsp_sat import AmbiguousBoard, BoardError
from bsp_sat.instances.files import parse_instances
from tests.support.command import bsp_sat

NO_TUBES = {
    "a title of letters": ("abba\nrb\nbr\n-\n", "line 1", "rb br "),
    "a name": ("Anna\nrb\nbr\n-\n", "line 1", "rb br "),
    "a date": ("2024-05-01\nrb\nbr\n-\n", "line 1", "rb br "),
    "a request after it": ("rb\nbr\n-\nplease help", "line 4", "rb br "),
    "a signature": ("rb\nbr\n-\n-- \nAnna", "lines 4, 5", "rb br "),
    "a word among letters": ("a b\nb a\nno\n", "line 3", "ab ba "),
    "numbers and a path": ("3\n1\n4\n\nbackground/1.jpg\n\nr r r g\ng g g r\n- - - -\n- - - -", "lines 1, 2, 3, 5",
                           "rrrg gggr  "),
    "how much a tube holds": ("Every bottle has room for 2 units.\nBottle 1: red, blue\nBottle 2: blue, red\n3: -",
                              "line 1", "rb br "),
    "empty tubes counted in words": ("y r b y\nb y r r\nr b y b\nempty x2", "line 4", "yrby byrr rbyb  "),
    "a solution": ("RGB\nOPR\nBOG\nPRO\nGBP\n-\n-\n\nSolution: 1->4, 2->5, 3->4", "line 9", "RGB OPR BOG PRO GBP  "),
    "a command": ("./solver 3 ABAB BABA", "line 1", "ABAB BABA "),
    "a line in the middle": ("rgb\ngbr\nbrg\n(next row)\n-\n-", "line 4", "rgb gbr brg  "),
}  # fmt: skip


@pytest.mark.parametrize(("text", "place", "tubes"), NO_TUBES.values(), ids=NO_TUBES.keys())
def test_a_line_that_is_no_tube_is_named_and_each_reading_without_it_can_be_picked(text, place, tubes):
    with pytest.raises(AmbiguousBoard) as caught:
        parse_instances(text)
    assert caught.value.question.startswith(f"{place}: ")
    offered = [reading.boards[0].puzzle.coloured_tubes() for reading in caught.value.readings]
    assert [[*map(str, tube)] for tube in tubes.split(" ")] in [
        [[str(ball)[0] for ball in tube] for tube in board] for board in offered
    ]
    for reading, board in zip(caught.value.readings, offered, strict=True):
        (picked,) = parse_instances(text, choices=reading.choices)
        assert picked.puzzle.coloured_tubes() == board


def test_an_empty_tube_after_a_label_is_not_left_out():
    for text in ("1: rb\n2: br\n3: -\nAnna: no", "x:y\n2:-\n3:rb\n4:br"):
        with pytest.raises(BoardError) as caught:
            parse_instances(text)
        for reading in getattr(caught.value, "readings", ()):
            assert [] in reading.boards[0].puzzle.coloured_tubes()


REFUSED = {
    "a lost ball": ("G B\nO P R\nB O G\nP R O\nG B P\n-\n-", "line 1: 'G B' has 2 balls, the others 3: write ? for one",
                    ("^G B", "G B ?"), "GBR OPR BOG PRO GBP  "),
    "one too many": ("R G B\nO P R R\nB O G\nP R O\nG B P\n-\n-",
                     "line 2: 'O P R R' has 4 balls, the others 3: is one too many?",
                     ("R R", "R"), "RGB OPR BOG PRO GBP  "),
    "a lost ball of tubes that aren't full": ("B\nB R R G\nG B\nG R B G",
                                              "line 2: 'R' stands 3 times, most others 4: is it a ball",
                                              ("G B\n", "G B ?\n"), "B BRRG GBR GRBG"),
    "one too many of them": ("R B\nB R R G G\nG B\nG R B G", "line 2: 'G' stands 5 times, most others 4: is it a ball",
                             ("G G", "G"), "RB BRRG GB GRBG"),
    "a remark": ("1: r, b\n2: b, r (shut)\n3: -", "line 2: '(shut)' stands only here: is it a ball", (r" \(shut\)", ""),
                 "rb br "),
    "a misread ball": ("Y R 8 Y\nB Y R R\nR B Y B\n-\n-", "line 1: '8' stands only here: is it a ball", ("8", "B"),
                       "YRBY BYRR RBYB  "),
    "a word between balls": ("Tube 1: y, r, b and y\nTube 2: b, y, r and r\nTube 3: r, b, y and b\nTube 4: empty",
                             "line 1: 'and' stands 3 times, most others 4: is it a ball", (" and", ","),
                             "yrby byrr rbyb "),
    "spaces in one line": ("Y R B Y\nBYRR\nRBYB\n-", "line 1: 'Y R B Y' has 4 parts, the others 1: is one too many?",
                           ("Y R B Y", "YRBY"), "YRBY BYRR RBYB "),
    "words without spaces": ("YelRedBluYel\nBluYelRedRed\nRedBluYelBlu\n-",
                             "line 1: 'YelRedBluYel' is no tube as it stands: expected balls, all with the same mark",
                             (r"(?<=[a-z])(?=[A-Z])", " "), "YRBY BYRR RBYB "),
    "times and names": ("[14:00] anna: 1: YRB\n[14:01] anna: 2: BYR\n[14:02] anna: 3: RBY\n[14:03] anna: 4: empty",
                        "line 1: '[14:00] anna: 1: YRB' is no tube as it stands", (r"\[.*: (?=\d:)", ""),
                        "YRB BYR RBY "),
    "a floor": ("r   b   .\nb   r   .\n-   -   -", "line 1: 'r   b   .' is no tube as it stands", (r"\n-.*", ""),
                "br rb "),
    "two numbers": ("2\n3\n1 2\n2 1\n\n\n", "line 2: '3' stands only here: is it a ball",
                    (r"(?s)^2\n3\n(.*?)\n+$", r"\1\n-"), "12 21 "),
    "words in two cases": ("red Blue\nBlue Red\n-", "line 2: 'Red' and 'red' differ only by case: expected one",
                           ("red", "Red"), "RB BR "),
    "words in many cases": ("red BLUE Green\nOrange green Red\nblue orange green\nRed BLUE orange\n-",
                            "line 2: 'Red' and 'red' differ only by case: expected one spelling",
                            (r"(\w)(\w*)", lambda word: word[0].title()), "RBG OGR BOG RBO "),
    "one ball a line": ("14\n7\n3\n6\n7\n3\n6\n7\n3\n6\n7\n3\n6\n7\n3\n6\n0\n0\n",
                        "line 1: most lines are one ball, nothing says where a tube ends: write the balls of each tube",
                        (r"(?:14\n)?([367])\n(.)\n(.)\n(.)\n(.)\n", r"\1 \2 \3 \4 \5\n"), "73673 67367 36736  "),
    "an argument that is no ball": ('t = [tube(["r","b"], range(2)), tube(["b","r"], range(2)), tube([], range(2))]',
        'line 1: \'t = [tube(["r","b"], range(2)), tube... is no tube as it stands: of code keep only a list of tubes',
        (r"tube\((.*?), range\(2\)\)", r"\1"), "rb br "),
    "code around two boards": (
        '@pytest.mark.parametrize("tubes,n", [([["r","b"],["b","r"],[]], 3), ([["r","r"],["b","b"],[]], 0)])',
        "line 1: '@pytest.mark.parametrize(\"tubes,n\", ... is no tube as it stands: of code keep",
        (r"@.*?\[\(|, 3\).*", ""), "rb br "),
    "room at both ends": ('[["", "r", "b"], ["b", "r", ""], ["", "", ""]]',
                          'tube 1: expected room only at the top, found ["", "r", "b"]; an unknown ball is ?, and room '
                          "needn't be written", ('(, )?""(, )?', ""), "rb br "),
    "numbers of balls": ('{"names": ["NA", "a", "b"], "start": [["a", "b"], ["b", "a"], ["b", "b"], ["a", "b"]], '
                         '"high": [2, 2, 0, 0]}',
                         "high: does it count the balls of each tube? Then leave out the others, and it",
                         (r'\["b", "b"\], \["a", "b"\](.*), "high.*\]', r"[], []\1"), "ab ba  "),
    "no balls at all": ('{"Scene": {"BottleCount": 3, "BottlePosition": [{"x": -30, "y": 20}, {"x": 0, "y": 20}]}}',
                        "tubes: missing, and no balls of tubes are in Scene: this is no board",
                        ("Position.*", 's": [["a", "b"], ["b", "a"], []]}}'), "ab ba "),
}  # fmt: skip
"""Texts, what is said of them, an edit that this sentence may bring about, and the tubes of the text then."""


@pytest.mark.parametrize(("text", "says", "edit", "tubes"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_of_lines_names_the_line_and_what_helps_which_is_read_then(text, says, edit, tubes):
    with pytest.raises(BoardError, match=re.escape(says)) as caught:
        parse_instances(text)
    assert not isinstance(caught.value, AmbiguousBoard)
    (instance,) = parse_instances(re.sub(*edit, text))
    assert [[str(ball)[0] for ball in tube] for tube in instance.puzzle.coloured_tubes()] == [
        [*tube] for tube in tubes.split(" ")
    ]


def test_a_reading_without_a_line_is_picked_on_the_command_line(tmp_path):
    path = tmp_path / "level.txt"
    path.write_text("y r b y\nb y r r\nr b y b\nempty x2")
    options = re.findall(r"--read-as \d(?: --empty \d)?", bsp_sat("show", str(path)).stderr)
    assert len(options) > 2
    for each in options:
        ran = bsp_sat("show", str(path), *shlex.split(each))
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
