"""Boards in any spelling: what programs print and people type is read as the board it stands for, or refused."""

import json
import re
from itertools import filterfalse
from pathlib import Path

import numpy
import pytest

from bsp_sat import AmbiguousBoard, BallSort, BoardError, load
from bsp_sat.encoder.export.lpcp import lpcp_text
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting.spellings.decoders import DECODERS, decoded
from bsp_sat.instances.text.brackets import read_brackets
from tests.support.command import bsp_sat, invoke
from tests.support.helpers import read_one as read

BOARDS = [
    "ab|ba|-", "abca|bcab|cabc|-|-", "abc|cab|dda|bcd|-|-", "abcde|bcdea|cdeab|deabc|eabcd|-|-|-",
    "abc|bcab|cab|ac|-", "ab|cab|bcc|a|-", "aabb|abab|abba|baab|-|-",
    "abcdef|fedcba|abcdef|fedcba|abcdef|fedcba|-|-",
]  # fmt: skip
"""In the project's own notation."""

WORDS = dict(zip("abcdef", ("red", "navy blue", "green", "not red", "pink", "#ffcc00"), strict=True))

BRACES = str.maketrans("[]", "{}")


def own(text):
    return BallSort.from_text(text)


def padded(board, room):
    return [tube + [room] * (board.capacity - len(tube)) for tube in board.coloured_tubes()]


def upright(board, room):
    """Rows from the top."""
    return [list(row) for row in zip(*padded(board, room), strict=True)][::-1]


def table(rows, separator=" "):
    return "\n".join(separator.join(map(str, row)) for row in rows)


def numbered(rows):
    return [[ball if isinstance(ball, int) else "abcdef".index(ball) + 1 for ball in row] for row in rows]


def words(rows):
    return [[WORDS.get(ball, ball) for ball in row] for row in rows]


def names(board):
    return [[WORDS[ball].upper().strip("#").replace(" ", "_") for ball in tube] for tube in board.coloured_tubes()]


def bare(rows):
    """Lists without quotes."""
    return re.sub("'", "", str(rows))


def calls(tube):
    return ", ".join(f"Ball({name})" for name in tube)


def counted_balls(tube):
    return ", ".join(f'[{place}] = "{ball}"' for place, ball in enumerate(tube, 1))


def shown(board):
    return invoke("show", "-", stdin=json.dumps(board.to_json()))[1]


SPELLINGS = {
    "a list": lambda board: json.dumps(board.coloured_tubes()),
    "a list over lines": lambda board: json.dumps(board.coloured_tubes(), indent=2),
    "an object without capacity": lambda board: json.dumps({"tubes": board.coloured_tubes()}),
    "tubes as strings": lambda board: json.dumps({"tubes": list(map("".join, board.coloured_tubes()))}),
    "strings": lambda board: json.dumps(list(map("".join, board.coloured_tubes()))),
    "strings of words": lambda board: json.dumps([", ".join(tube) for tube in words(board.coloured_tubes())]),
    "a Python list": lambda board: str(board.coloured_tubes()),
    "names": lambda board: repr(words(board.coloured_tubes())),
    "a Python object": lambda board: repr({"tubes": board.coloured_tubes(), "capacity": board.capacity}),
    "tuples": lambda board: repr(tuple(map(tuple, board.coloured_tubes()))),
    "assigned, with comments and a comma at the end": lambda board: (
        "# mine\ntubes: list[list[str]] = [\n" + "".join(f"  {tube},  # x\n" for tube in board.coloured_tubes()) + "]"
    ),
    "lines of a list": lambda board: "".join(f"    {tube},\n" for tube in words(board.coloured_tubes())),
    "printed line by line": lambda board: "\n".join(map(str, board.coloured_tubes())),
    "without quotes": lambda board: "\n".join(map(bare, padded(board, "empty"))),
    "enumerated": lambda board: f"state = {bare([[f'Color.{name}' for name in tube] for tube in names(board)])}",
    "calls": lambda board: f"Step.of({', '.join(f'Tube.of({bare(tube)[1:-1]})' for tube in names(board))})",
    "braces": lambda board: f"int[][] t = {str(numbered(board.coloured_tubes())).translate(BRACES)};",
    "JavaScript": lambda board: f"const tubes = {json.dumps(board.coloured_tubes())};",
    "None for room": lambda board: str(padded(board, None)),
    "null for room": lambda board: json.dumps(padded(board, None)),
    "an array": lambda board: f"np.array({numbered(padded(board, 0))})",
    "an array with a type": lambda board: f"import_ = array({numbered(padded(board, -1))}, dtype=int8)",
    "a printed array": lambda board: str(numpy.array(numbered(padded(board, 0)))),
    "a printed array of names": lambda board: str(numpy.array(words(padded(board, "-")))),
    "an array of columns": lambda board: repr(numpy.array(numbered(upright(board, 0)))),
    "a printed array of columns": lambda board: str(numpy.array(numbered(upright(board, 0)), dtype=float)),
    "words": lambda board: table(tube or "-" for tube in board.coloured_tubes()),
    "words with room": lambda board: table(padded(board, "_")),
    "words in columns": lambda board: table(upright(board, "."), "  "),
    "one line": lambda board: " ".join("".join(tube) for tube in padded(board, "_")),
    "commas between tubes": lambda board: ",".join("".join(tube) for tube in board.coloured_tubes()),
    "bars between words": lambda board: " | ".join(" ".join(tube) or "-" for tube in board.coloured_tubes()),
    "CSV": lambda board: table(words(padded(board, "")), ","),
    "CSV with spaces": lambda board: table(padded(board, ""), ", "),
    "CSV with quotes": lambda board: "\r\n".join(",".join(f'"{ball}"' for ball in tube) for tube in padded(board, "")),
    "CSV with commas at the ends": lambda board: "".join(f"{','.join(tube)},\n" for tube in padded(board, "none")),
    "CSV in columns under names": lambda board: table(
        [[f"T{place}" for place in range(len(board.tubes))], *words(upright(board, ""))], ","
    ),
    "semicolons": lambda board: table(padded(board, ""), ";"),
    "slashes": lambda board: "\n".join("/".join(tube) or "-" for tube in board.coloured_tubes()),
    "TSV": lambda board: table(words(padded(board, "")), "\t"),
    "TSV in columns": lambda board: table(upright(board, ""), "\t"),
    "numbered tubes": lambda board: "\n".join(
        f"Tube {place}: {' '.join(tube)}" for place, tube in enumerate(board.coloured_tubes(), 1)
    ),
    "a list for people": lambda board: "\n".join(
        f"{place}. {''.join(tube) or '-'}" for place, tube in enumerate(board.coloured_tubes(), 1)
    ),
    "a table": lambda board: "\n".join(f"| {' | '.join(row)} |" for row in upright(board, " ")),
    "a table with a border": lambda board: (
        "\n".join(f"│{'│'.join(row)}│" for row in upright(board, " ")) + "\n+" + "-+" * len(board.tubes)
    ),
    "a drawing": shown,
    "a drawing without words": lambda board: "\n".join(shown(board).splitlines()[2 : 3 + board.capacity]),
    "tubes and capacity before them": lambda board: f"{len(board.tubes)} {board.capacity}\n{table(padded(board, '.'))}",
    "semicolons, and e for room": lambda board: (
        f"{len(board.tubes)};{board.capacity};" + table(padded(board, "E"), ",").replace("\n", ";")
    ),
    "{} for room": lambda board: json.dumps({"stacks": [[ball or {} for ball in tube] for tube in padded(board, 0)]}),
    "a ball each": lambda board: f"listOf({', '.join(f'listOf({calls(tube)})' for tube in names(board))})",
    "counted balls of Lua": lambda board: (
        "tubes = {" + ",".join(f"{{{counted_balls(tube)}}}" for tube in board.coloured_tubes()) + "}"
    ),
    "fields of Unity": lambda board: json.dumps(
        {"m_Capacity": board.capacity, "m_Tubes": [{"m_Balls": tube} for tube in board.coloured_tubes()]}
    ),
    "marks of Japanese": lambda board: "\n".join(
        f"瓶{place}：{'、'.join(tube) or '空'}" for place, tube in enumerate(board.coloured_tubes(), 1)
    ),
    "labels of French": lambda board: "\n".join(
        f"Fiole n°{place} : {' ; '.join(tube) or 'vide'}" for place, tube in enumerate(board.coloured_tubes(), 1)
    ),
    "labels of keycaps": lambda board: "\n".join(
        f"{place}️⃣ {''.join(tube) or '➖'}" for place, tube in enumerate(board.coloured_tubes(), 1)
    ),
    "arrows after labels": lambda board: "\n".join(
        f"{place}. {' -> '.join(tube) or '(empty)'}" for place, tube in enumerate(board.coloured_tubes(), 1)
    ),
    "dashes between balls, semicolons between tubes": lambda board: "; ".join(
        "-".join(map(str, tube)) or "-" for tube in numbered(board.coloured_tubes())
    ),
    "cells between bars after labels": lambda board: "\n".join(
        f"{place}: [{'|'.join(tube)})" for place, tube in enumerate(padded(board, " "), 1)
    ),
    "tubes with floors": lambda board: (
        "\n".join("  ".join(f"| {ball} |" for ball in row) for row in upright(board, " "))
        + "\n"
        + "  ".join("\\___/" for _ in board.tubes)
    ),
    "another order, said": lambda board: (
        "order top-down\n" + table([tube[::-1] or "-" for tube in board.coloured_tubes()])
    ),
}  # fmt: skip
"""What writes a board in another spelling."""


def normal(board):
    """Tubes with colours numbered as they come, and the capacity."""
    return board.tubes, board.capacity, board.goal


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_known_board_in_another_spelling_is_that_board(spelling):
    for board in map(own, BOARDS):
        instance = read(SPELLINGS[spelling](board))
        assert normal(instance.puzzle) == normal(board)
        its_own = spelling == "a Python object"
        assert re.match("$" if its_own else f"Read as ball sort: {len(board.tubes)} tubes of ", instance.read_as)
        again = json.dumps(instance.to_json())
        assert parse_instances(again) == [instance]
        assert parse_instances(again)[0].read_as == ""


class TestPrintedBoards:
    """Boards as they stand in the texts that the project began with, and in programs of others."""

    LEVEL_80 = """board = [
    ["not green", "orange", "pink", "blue"],
    ["green", "not red", "not red", "not red"],
    ["black", "pink", "orange", "pink"],
    ["yellow", "black", "blue", "not green"],
    ["not green", "black", "orange", "yellow"],
    ["yellow", "black", "red", "not red"],
    ["blue", "green", "orange", "pink"],
    ["green", "red", "not green", "red"],
    ["green", "yellow", "blue", "red"],
    [],
    [],
]
"""
    WATER = """ColoredWater(np.array([[ 0,  1,  0,  5,  8,  9,  7,  4,  2,  8,  2,  5,  5, 10, 12],
                       [ 0,  2,  0,  6,  3, 10,  9,  7, 11,  3, 11, 12,  3,  6, 13],
                       [ 0,  3,  0,  7,  4,  2, 11, 11,  6, 12, 12, 13,  1, 13,  1],
                       [ 0,  4,  0,  5,  9,  9,  7,  6,  8,  8, 13,  1,  4, 10, 10]]))
"""
    TILES = """play([
    ['hot pink', 'turquoise', 'hot pink', 'hot pink', 'yellow'],
    ['white', 'turquoise', 'yellow', 'white', 'hot pink'],
    ['yellow', 'white', 'hot pink', 'hot pink', 'turquoise'],
    ['white', 'hot pink', 'turquoise', 'white', 'turquoise'],
    ['white', 'hot pink', 'white', 'white', 'turquoise']
])
"""
    SHOT = " o \n o o o\n o \n o o o o\n\n   o o\n\n o  \n"

    def test_lists_of_names_are_read(self):
        assert read(self.LEVEL_80).puzzle.tubes == load("level-80").tubes

    @pytest.mark.parametrize("part", [slice(None), slice(13, -2), slice(22, -3)])
    def test_an_array_of_columns_is_read(self, part):
        """The whole, without the call, and the numbers alone."""
        instance = read(self.WATER[part], "water-sort")
        assert instance.puzzle.tubes == load("colored-water-15", "water-sort").tubes
        words = '15 tubes of 4, 2 empty, in columns, the top row first; "0" is room'
        assert instance.read_as == f"Read as water sort: {words}."

    @pytest.mark.parametrize("text", [TILES, TILES[5:-2]])
    def test_an_array_is_read_as_tiles_if_it_is_said(self, text):
        instance = read(text, "tiles")
        assert instance.puzzle.to_json()["columns"] == load("tiles-2022-11-16").to_json()["columns"]
        assert instance.read_as == "Read as tiles: 5 columns, each from bottom to top."
        with pytest.raises(BoardError, match="tiles are read with --puzzle tiles"):
            read(text)

    def test_balls_printed_as_o_are_read(self):
        instance = read(self.SHOT)
        assert len(instance.puzzle.balls) == 12
        assert {(1, 0), (1, 1), (3, 1), (3, 5), (1, 7)} < instance.puzzle.balls
        assert instance.read_as == "Read as shot: 12 balls on 8×9."

    @pytest.mark.parametrize("ball", "#o")
    def test_a_grid_in_a_border_of_plus_signs(self, ball):
        rows = load("shot-literate").to_text().replace("#", ball).splitlines()
        bordered = "\n".join(["+" * 9, *(f"+{row}+" for row in rows), "+" * 9])
        assert read(bordered).puzzle == load("shot-literate")

    @pytest.mark.parametrize("room", ["·", ".", " · "])
    def test_a_grid_with_dots_is_read(self, room):
        text = load("shot-literate").to_text().replace(" ", room).replace("#", " o ".strip(" " * (len(room) < 2)))
        assert read(text).puzzle == load("shot-literate")


class TestOwnPrints:
    @pytest.mark.parametrize("name", ["level-80", "longest-6-3-2", "longest-4-4-1"])
    def test_the_export_for_the_contest_is_read_again(self, name):
        """It has the empty tubes last."""
        board = load(name, "ball-sort")
        assert board.tubes == (*filter(None, board.tubes), *filterfalse(None, board.tubes))
        assert normal(read(lpcp_text(board)).puzzle) == normal(board)

    @pytest.mark.parametrize("command", ["show", "solve"])
    @pytest.mark.parametrize("rules", ["ball-sort", "water-sort"])
    def test_a_drawing_with_all_that_is_below_it_is_read(self, command, rules):
        text = invoke(command, "level-80", "--puzzle", rules)[1]
        instance = read(text)
        assert instance.puzzle == load("level-80", rules)
        assert instance.name == "level-80"

    def test_a_drawing_that_leaves_something_out_is_refused(self):
        text = invoke("show", "-", stdin="cork on\nab|ba|-")[1]
        with pytest.raises(BoardError, match="this drawing doesn't show all of the board: use `show --format json`"):
            read(text)


class TestWhatIsNotSaid:
    def test_room_at_the_left_means_that_the_top_is_there(self):
        instance = read("[[0, 0, 1], [2, 2, 1], [0, 1, 2]]")
        assert instance.puzzle.coloured_tubes() == [[1], [1, 2, 2], [2, 1]]
        assert 'each from top to bottom; "0" is room' in instance.read_as

    def test_room_in_the_last_rows_means_that_the_first_is_the_bottom(self):
        instance = read("1 2 3\n2 3 1\n3 1 2\n- - -\n- - -")
        assert instance.puzzle.coloured_tubes() == [list("123"), list("231"), list("312"), [], []]
        text = "goal monochrome\n1 2 3 1\n2 3 1 -\n3 1 - -"
        assert "in columns, the bottom row first" in read(f"tubes-in columns\n{text}").read_as

    def test_rows_and_columns_that_both_fit_are_asked_about(self):
        text = "- -\na a"
        with pytest.raises(AmbiguousBoard, match="it is solved already"):
            read(text)
        text = "a b - -\nb a - -\n- - - -\n- - - -"
        for way in "rows", "columns":
            board = read(f"tubes-in {way}\ngoal monochrome\n{text}").puzzle
            assert board.coloured_tubes() == [["a", "b"], ["b", "a"], [], []]

    def test_the_usual_order_decides_where_only_one_reading_has_it(self):
        assert len(read("R G B R\nG R B B\nB G R G\n- - - -").puzzle.tubes) == 4

    def test_characters_may_stand_in_columns_and_this_is_said(self):
        assert normal(read("tubes-in columns\nab.\nba.").puzzle) == normal(own("ba|ab|-"))

    @pytest.mark.parametrize("text", ["[[1, 2], [2, 1]]", "red blue\nblue red", "1,2\n2,1", '{"tubes": ["ab", "ba"]}'])
    def test_empty_tubes_are_not_made_up(self, text):
        with pytest.raises(
            AmbiguousBoard, match="no tube is empty or has room: how many empty tubes are there"
        ) as caught:
            read(text)
        assert [reading.choices.empty for reading in caught.value.readings] == [2, 1, 0]

    def test_settings_may_stand_before_any_spelling(self):
        instance = read("capacity = 3\ngoal monochrome\n[['a', 'b'], ['b', 'a'], []]")
        assert (instance.puzzle.capacity, instance.puzzle.goal) == (3, "monochrome")
        assert instance.read_as == "Read as ball sort: 3 tubes of 3, 1 empty, each from bottom to top."


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[[1, 2], [2, 1], []", "line 1, column 20: not JSON: Expecting ',' delimiter"),
            ("[['a', 'b'],\n ['b' + 'a'], []]", "line 2, column 7: not JSON, nor a list of another language"),
            ("[[1, 2],, [2, 1]]", "line 1, column 9: not JSON"),
            ("tubes = open('x')", "cannot fill whole tubes"),
            ("int[][] t = new int[4][];\nt[0] = {1, 2};\nt[1] = {2, 1};", "expected 4 tubes, each named once"),
            ("(1, 2", "line 1, column 6: not JSON, nor a list of another language: expected a value or )"),
            ("[__import__('os').system('x')]", "line 1, column 18: not JSON"),
            ("[[1.5, 2], [2, 1], []]", "tubes[0][0]: expected a colour"),
            ("[[], []]", "expected a board, found no"),
            ("|", "expected a tube between two |"),
            ("22 33 22", "no tube is empty or has room"),
            ("[]", "tubes: expected at least one tube, found none"),
            (f"x: ball-sort, 2 colours, 3 tubes of {'1' * 5000}\nb   a   ·\na   b   ·\n1   2   3", "line 1: this"),
            ('{"tubes": [["a"], []], "order": "upwards"}', "order: expected 'bottom-up' or 'top-down'"),
            (
                'order bottom-up\n{"order": "top-down", "tubes": [["a"], []]}',
                'order: expected the bottom of a tube first, as another key says, found "top-down"',
            ),
            ("[1, 2, 2, 1]", "tubes[0]: expected a list, found 1"),
            ("x = [[1], []]\ny = [[1], []]", "it is solved already; there is one colour): 2 boards"),
            ("{'tubes': [[1], []], 'tubes': [[2], []]}", "not JSON"),
            ("{'name\udcff': 1, 'tubes': [['a', 'b'], ['b', 'a'], []]}", "line 1: expected text"),
            ("[[0, 1, 0], [1, 0, 1], [None, 1, None]]", "tube 3: expected room only at the top, found [null, 1"),
            ("red blue\nblue red\nred", "tubes: 3 of colour 'red' cannot fill whole tubes of 2"),
            ("a b c\nb c a\n- - -", "tubes: 2 of colour 'a' cannot fill whole tubes of 3"),
            ("Rb|br|-", "tubes: 1 of colour 'R' cannot fill whole tubes of 2; 'R' and 'r' differ only by case"),
            ("Red,blue,blue,red\nblue,red,red,blue\n,,,", "'Red' and 'red' differ only by case"),
            ("3 2\na b\nb b", "tubes: 1 of colour 'a' cannot fill whole tubes of 2"),
            ("tubes-in columns\na b\nb a\na", "expected rows of one length, as the tubes are in columns"),
            ("tubes-in circles\na b\nb a", "line 1: expected tubes-in rows or columns, found 'circles'"),
            ("np.array([[1, 2], [2, 1], ..., [0, 0]])", "line 1, column 27: not JSON"),
        ],
    )  # fmt: skip
    def test_refusals_are_one_sentence_that_names_the_place(self, text, message):
        with pytest.raises(BoardError) as caught:
            parse_instances(text, "mine")
        assert str(caught.value).startswith("mine: ")
        assert message in str(caught.value)
        assert len(str(caught.value)) < 400

    @pytest.mark.parametrize("start", ["[", "(", "{", "f(", "[[1 2]", "{1:"])
    def test_the_nesting_of_spellings_is_bounded(self, start):
        with pytest.raises(BoardError, match=r"nested more than 100 levels deep|not JSON"):
            read_brackets(start * 50_000)


class TestWhereItIsSaid:
    def test_what_was_assumed_is_said_on_standard_error_and_nowhere_else(self):
        text = "[['a', 'b'], ['b', 'a'], []]"
        run = invoke("solve", "-", "--json", stdin=text)
        sentence = "Read as ball sort: 3 tubes of 2, 1 empty, each from bottom to top."
        assert run[0] == 0
        said = f"{sentence} The other way round: --top-first.\n"
        assert run[1].count(said) == 1
        answer = json.loads(run[1].replace(said, ""))
        assert (answer["length"], answer["read_as"]) == (3, sentence)

    @pytest.mark.parametrize("text", ["ab|ba|-", '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}'])
    def test_nothing_is_said_of_boards_in_the_own_formats(self, text):
        assert "Read as" not in invoke("show", "-", stdin=text)[1]

    @pytest.mark.parametrize(
        ("key", "meant"), [("lokced", "locked"), ("gaol", "goal"), ("capcity", "capacity"), ("colors", "colours")]
    )
    def test_a_misspelt_key_is_not_passed_over_in_silence(self, key, meant):
        board = json.dumps({"tubes": [["a", "b"], ["b", "a"], []], "capacity": 2, key: []})
        run = bsp_sat("solve", "-", "--json", stdin=f"{board}\n{board}")
        assert run.stderr.count(f"Unknown key {key}; did you mean {meant}?\n") == 1
        assert "did you mean" not in run.stdout

    def test_keys_about_the_board_are_not_taken_for_misspelt_ones(self):
        about = ["name", "source", "optimal", "level", "date", "notes", "comment", "grade", "moves", "steps"]
        fields = {"tubes": [["a", "b"], ["b", "a"], []], "capacity": 2, "contents": [], **dict.fromkeys(about)}
        assert bsp_sat("show", "-", stdin=str(fields)).stderr == ""

    def test_it_is_said_once_for_many_boards(self):
        lines = '{"tubes": [["a", "b"], ["b", "a"], []]}\n' * 3
        said = "each from bottom to top. The other way round: --top-first. Likewise 2 more.\n"
        assert invoke("show", "-", stdin=lines)[1].count(said) == 1


def test_a_certificate_has_its_board_in_the_own_format(tmp_path):
    (tmp_path / "board.txt").write_text("ab|ba|-")
    assert invoke("solve", str(tmp_path / "board.txt"), "--certificate", str(tmp_path / "proof"))[0] == 0
    assert invoke("verify", str(tmp_path / "proof"))[0] == 0
    board = tmp_path / "proof" / "board.json"
    fields = json.loads(board.read_text())
    del fields["capacity"]
    board.write_text(json.dumps(fields))
    assert invoke("verify", str(tmp_path / "proof"))[0] == 1


def test_an_unknown_puzzle_is_refused_for_texts_too():
    with pytest.raises(BoardError, match="puzzle: expected one of"):
        read("ab|ba|-", "sudoku")


PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
LISTED = PAGE.partition("\n### Other spellings\n")[2].partition("\n- ")[2].partition("\n\n")[0]
EXAMPLES = re.findall(r"`(.+?)`", LISTED)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_the_docs_are_read(text):
    board = read(text.replace("↵", "\n").replace("⇥", "\t")).puzzle
    assert isinstance(board, Shot) or normal(board)[:2] == normal(own("ab|ba|-"))[:2]


def test_there_are_examples_of_every_spelling():
    assert len(EXAMPLES) >= 15


class TestUnknownBalls:
    def test_a_question_mark_in_an_object_is_one(self):
        text = '{"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", null], [null, "a"], []], "reveal": "cell"}'
        board = read(text.replace("null", '"?"'))
        assert board == read(text)

    @pytest.mark.parametrize("other", ["5", "null", "{}"])
    def test_what_is_no_tube_beside_one_is_named(self, other):
        with pytest.raises(BoardError, match=r"tubes\[1\]: expected"):
            read(f'{{"capacity": 2, "tubes": [["?"], {other}]}}')

    @pytest.mark.parametrize("word", ["hidden", "Unknown"])
    def test_words_for_it_are_no_colours(self, word):
        rows = [["red", word, word, "blue"], [word, "red", "blue", word], ["blue", "red", "blue", "red"], [], []]
        marked = [["?" if cell == word else cell for cell in row] for row in rows]
        assert read(json.dumps(rows)) == read(json.dumps(marked))
        assert word not in read(json.dumps(rows)).puzzle.palette

    def test_room_below_a_ball_says_how_to_write_it(self):
        with pytest.raises(BoardError, match=r"expected room only at the top, .*; an unknown ball is \?"):
            read('[["a", null, "b", "b"], ["a", "a", null, "b"], [], []]')

    def test_a_board_may_begin_with_a_covered_ball(self):
        lines, settings = "[r]?yb|?yrr|yb..|-\n", "colours r4 y4 b2\ngoal monochrome\n"
        assert read(lines + settings) == read(settings + lines)


@pytest.mark.parametrize("decoder", [each for each in DECODERS if each.decode], ids=lambda each: each.name)
def test_each_notation_that_is_rewritten_reads_its_example(decoder):
    text, tubes = decoder.example
    found = [[str(ball)[0] for ball in tube] for tube in read(text).puzzle.coloured_tubes()]
    assert found == [*map(list, tubes.split(" "))]
    assert decoder.source


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'r b'>]><a><c>&b;</c><c>b r</c><c/></a>", "expected XML without <!DOCTYPE"),
        ("<a><c>r b</c>\n<c>b r</a>", "line 2: no XML, mismatched tag"),
        ("<a><c>r <b/>b</c><c>b r</c><c/></a>", "no text between elements in <c>"),
        ("<a><c balls='r b'><balls>b</balls></c><c>b r</c></a>", "expected a name once"),
        ("<a>" * 10_000 + "</a>" * 10_000, "^nested more than 100 levels deep"),
        *(
            (text, f"^line {place}: more than the rows of one table of a database isn't read")
            for place, text in (
                (1, "INSERT INTO a (b) VALUES ('ab'), ('ba'), ('');\nINSERT INTO c (b) VALUES ('ab'), ('ba'), ('');"),
                (1, "INSERT INTO a (b, c) VALUES ('ab'), ('ba'), ('');"),
                (2, "UPDATE a SET locked = 1;\nINSERT INTO a (b) VALUES ('ab'), ('ba'), ('');"),
            )
        ),
    ],
    ids=range(8),
)
def test_xml_and_sql_that_stand_for_more_than_is_read_or_are_none_are_refused(text, says):
    with pytest.raises(BoardError, match=says):
        read(text)


@pytest.mark.parametrize(
    "text", ["4\nabab\nbaba\nabab\nbaba", "ab\ncdcd\nba\nab\nab", "2\nabba\nbab\naab", "3\nrgb\ngbr\nbrg"]
)
def test_lines_of_letters_are_no_balls_a_line(text):
    assert decoded(text) == text


@pytest.mark.parametrize(
    "label",
    ["Колба {}: ", "Éprouvette {}: ", "试管{}:", "{}本目:", "{}、", "TUBE_{}=", "{} -> ", "시험관 {}: ", "أنبوب {}: "],
)
def test_a_label_that_counts_is_none_of_the_balls_in_any_language(label):
    lines = [label.format(number) + tube for number, tube in enumerate(["r,b", "b,r", "empty"], start=1)]
    assert read("\n".join(lines)).puzzle.coloured_tubes() == [["r", "b"], ["b", "r"], []]
