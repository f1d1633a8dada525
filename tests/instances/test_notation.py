"""The text notations: tubes and the picture of shot."""

import json
import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bsp_sat import BallSort, BoardError, WaterSort, load
from bsp_sat.instances.files import load_instances, parse_instances
from bsp_sat.instances.puzzle import RESERVED, symbols_for
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting.spellings.names import DOUBTFUL, word_of
from tests.support.command import invoke
from tests.support.helpers import RULES, board


def read(text, puzzle=None):
    (instance,) = parse_instances(text, puzzle=puzzle)
    return instance.puzzle


class TestTubes:
    @pytest.mark.parametrize(
        "text",
        [
            "ab|ba|-",
            "ab\nba\n-",
            "ab\r\nba\r\n-\r\n",
            "|ab|ba|-|",
            " ab | ba | - ",
            "\n\nab|ba\n\n-\n\n",
            "# two colours\nab | ba  # bottom first\n-",
            "capacity 2\ngoal full\nab|ba|-",
        ],
    )
    def test_one_board_may_be_written_in_many_ways(self, text):
        assert read(text) == board(BallSort, "ab|ba|-", 2)

    def test_the_rule_of_a_text_is_chosen_outside(self):
        assert read("ab|ba|-", "water-sort") == board(WaterSort, "ab|ba|-", 2)

    @pytest.mark.parametrize(
        ("text", "capacity"),
        [
            ("ab|ba|-", 2), ("caac|bbac|bbac|-", 4), ("aabb|bb|aa", 4), ("aab|ab|b", 3), ("ab|ab|ab|-", 3),
            ("ab|ab|aa|-", 2), ("aa|aa|bb|bb", 2), ("capacity 5\nab|ab|a|aa|bbb|-", 5),
        ],
    )  # fmt: skip
    def test_the_capacity_is_the_smallest_that_fits(self, text, capacity):
        assert read(text).capacity == capacity

    @pytest.mark.parametrize(
        "text", ["ab|ba|__", "ab|ba|--", "ab|ba|_", "ab|ba|_-", "ab\nba\n__\n", "ab|b_|a_", "ab|b-|a-", "|ab|ba|__|"]
    )
    def test_marks_of_room_above_the_balls_are_no_balls(self, text):
        puzzle = read(text)
        assert (puzzle.capacity, puzzle.palette) == (2, ("a", "b"))

    def test_drawn_room_counts_as_that_of_dots(self):
        assert read("goal monochrome\nabc|ab__|c----|-") == read("goal monochrome\nabc|ab..|c....|-")

    @pytest.mark.parametrize("line", ["noout 3", "reveals cell", "extra 3"])
    @pytest.mark.parametrize("tubes", ["abab|baba|cccd|dddc|-|-", "abab\nbaba\ncccd\ndddc\n-\n-"])
    def test_a_misspelt_setting_makes_no_board_of_words(self, tubes, line):
        with pytest.raises(BoardError, match=f"expected one character a ball, .*, found '{line}'"):
            read(f"{tubes}\ngoal monochrome\n{line}")

    def test_a_tube_of_words_is_no_setting(self):
        assert read("goal monochrome\nred\nblue\nred blue\n-").palette == ("red", "blue")

    @pytest.mark.parametrize("text", ["capacity 2\nab|ba", "capacities 2 2\nab|ba"])
    def test_a_board_without_room_is_read_where_its_capacity_is_said(self, text):
        assert read(text) == board(BallSort, "ab|ba", 2)

    @pytest.mark.parametrize(
        ("message", "texts"),
        [
            ("expected one character a ball", ["_a|a_|-", "a_b|b_a|-", "a-b|ba|-"]),  # room below a ball
            ("no tube is empty or has room: how many empty tubes are there",
             ["caac|bbac|bbac", "|ab|ba|", "?b|ab"]),
            ("expected a board, found no ball", ["none"]),
            ("expected - for an empty tube, found a line that (begin|end)s",
             ["ab|ba|", "ab|ba||", "|ab|ba", "ab|ba|-|", "red blue | blue red |", "red blue | blue red | - |"]),
        ],
    )  # fmt: skip
    def test_a_text_that_is_nearly_a_board_is_refused_with_what_it_lacks(self, message, texts):
        for text in texts:
            with pytest.raises(BoardError, match=message):
                read(text)

    def test_goal_and_capacity_may_be_said(self):
        assert read("goal monochrome\ncapacity 7\naab|b") == board(BallSort, "aab|b", 7, "monochrome")

    def test_tubes_that_spell_words_are_tubes(self):
        assert read("goal\nloag\n-\n-\ngoal\nloag").coloured_tubes()[0] == list("goal")

    def test_long_names_are_written_as_letters(self):
        assert load("level-80").to_text().startswith("poib\ngccc\nlioi\n")  # purple, orange, pink, blue; …

    @pytest.mark.parametrize("colour", ["", "ab", "-", "|", "#", " ", "{", "]", "\n", "\u2028", 12])
    def test_any_name_gets_a_letter(self, colour):
        written = BallSort.from_tubes([[colour, "a"], ["a", colour], []], 2).to_text()
        letter = symbols_for([colour, "a"])[0]
        assert written == f"{letter}a\na{letter}\n-\n"
        assert read(written) == board(BallSort, f"{letter}a|a{letter}|-", 2)

    def test_one_and_the_string_one_get_different_letters(self):
        assert BallSort.from_tubes([[1], ["1"]], 1).to_text() == "capacity 1\n1\na\n"

    def test_rules_that_name_colours_use_the_same_letters(self):
        rules = {"locked": [{"tube": 2, "until": "red"}], "accepts": {"3": ["blue"]}, "colours": {"red": 2, "blue": 2}}
        tubes = [["red", "blue"], ["blue", "red"], [], []]
        puzzle = BallSort.from_json({"capacity": 2, "tubes": tubes, **rules})
        assert puzzle.to_text() == "locked 3 colour r\naccepts 4 b\nrb\nbr\n-\n-\n"
        assert read(puzzle.to_text()).summary() == puzzle.summary()


TAKEN = "-_|#·.?{}[]"  # by the notation itself
SEPARATOR = re.compile(r"[,;/:()\"'%\W]")  # signs that may separate cells: a board of them alone is asked about
balls = st.characters(exclude_categories=["C", "Z"]).filter(
    lambda ball: (
        ball.isprintable() and ball not in TAKEN and word_of(ball) not in DOUBTFUL and not SEPARATOR.match(ball)
    )
)


@st.composite
def sort_boards(draw):
    rule = draw(st.sampled_from(RULES))
    goal = draw(st.sampled_from(["full", "monochrome"]))
    capacity = draw(st.integers(2, 6))
    tubes = draw(st.lists(st.lists(st.sampled_from(draw(st.lists(balls, min_size=1, max_size=3))), max_size=capacity)))
    assume(any(len(tube) < capacity for tube in tubes) and any(len(set(tube)) > 1 for tube in tubes))
    try:
        return rule.from_tubes(tubes, capacity, goal)
    except BoardError:
        assume(False)


@given(sort_boards())
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_reading_what_was_written_gives_the_board_back(puzzle):
    assert read(puzzle.to_text(), puzzle.kind) == puzzle


@pytest.mark.parametrize("tubes", ["1|1|12", "2|2|-|21"])
def test_digits_that_are_balls_too_are_no_numbers_of_tubes(tubes):
    text = "\n".join(["goal monochrome", *tubes.split("|")])
    assert read(text) == read(f"goal monochrome\n{tubes}")


@st.composite
def shot_boards(draw):
    width, height = draw(st.integers(7, 12)), draw(st.integers(9, 12))
    places = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return Shot.from_balls(width, height, draw(st.sets(places, min_size=1, max_size=12)))


@given(shot_boards())
def test_reading_a_picture_of_shot_gives_the_board_back(puzzle):
    assert read(puzzle.to_text()) == puzzle


class TestSeveralBoards:
    """Blank lines between tubes are usual, and so are blank lines between boards."""

    @pytest.mark.parametrize(
        "text",
        [
            "ab|ba|-\n\nba|ab|-",
            "# two\n\n# first\nab\nba\n-\n\n\n# second\r\nba\r\nab\r\n-\r\n",
            "red blue\nblue red\n-\n \nblue red\nred blue\n-",
            "2 1\n1 2\n2 1\n\n2 1\n2 1\n1 2\n",
        ],
    )
    def test_boards_between_blank_lines_are_not_merged(self, text):
        first, second = parse_instances(text)
        assert first.puzzle.coloured_tubes() == [*second.puzzle.coloured_tubes()[1::-1], []]

    @pytest.mark.parametrize(
        "text",
        [
            "ab\n\nba\n\n-",
            "ab|ba|-\n\n-",
            "capacity 2\n\nab|ba|-",
            "ab|cd\n\nba|dc\n\n-|-",
            "aa\n\nbb\n\nab\n\nba\n\n-",
            "tubes = [\n\n['a', 'b'],\n\n['b', 'a'],\n\n[]]",
        ],
    )
    def test_tubes_between_blank_lines_are_one_board(self, text):
        read(text)

    def test_a_part_that_is_no_board_beside_two_boards_is_named(self):
        with pytest.raises(BoardError, match="line 5: this board is doubtful: no tube is empty"):
            parse_instances("ab|ba|-\n\nba|ab|-\n\nab|ba\n")

    @pytest.mark.parametrize("form", ["text", "sshcrack", "frozenfrank"])
    def test_what_show_writes_of_several_boards_is_read_again(self, form):
        boards = [WaterSort.from_tubes([["red", "blue"] * 2, ["blue", "red"] * 2, []], 4)] * 2
        boards.append(WaterSort.from_tubes([["red", "blue", "blue", "blue"], ["blue", "red", "red", "red"], [], []], 4))
        lines = "\n".join(json.dumps(board.to_json()) for board in boards)
        written = invoke("show", "-", "--format", form, stdin=lines)[1]
        assert [each.puzzle.tubes for each in parse_instances(written, puzzle="water-sort")] == [
            board.tubes for board in boards
        ]

    def test_several_grids_of_shot_are_not_written_as_one_text(self):
        lines = f"{json.dumps(load('shot-literate').to_json())}\n" * 2
        code, printed = invoke("show", "-", "--format", "text", stdin=lines)
        assert (code, printed) == (2, "Error: as text shot boards need a file each, use --format json\n")


class TestShot:
    def test_what_show_writes_is_read_again(self):
        assert read(invoke("show", "shot-literate", "--format", "text")[1]) == load("shot-literate")

    def test_the_picture_of_the_post_is_read(self):
        assert read("# #\n # #\n\n #\n") == load("shot-literate")

    def test_room_on_the_right_and_below_may_be_left_out(self):
        puzzle = read("\n  #  #\n")
        assert (puzzle.width, puzzle.height, puzzle.balls) == (7, 9, {(2, 1), (5, 1)})

    def test_larger_grids_are_read_as_pictures(self):
        puzzle = read("#" + " " * 8 + "#\n" * 11)
        assert (puzzle.width, puzzle.height) == (10, 11)

    @pytest.mark.parametrize("places", [[(0, 0)], [(0, 0), (0, 3)], [(0, 8)]])
    def test_balls_in_the_first_column_are_no_comments(self, places):
        puzzle = Shot.from_balls(7, 9, places)
        assert read(puzzle.to_text()) == puzzle

    def test_comments_of_words_are_comments(self):
        assert read("# a b\n#\n##\nab|ba|-") == board(BallSort, "ab|ba|-", 2)

    @pytest.mark.parametrize(("width", "height"), [(6, 9), (7, 8), (1, 1)])
    def test_smaller_grids_have_no_picture(self, width, height):
        with pytest.raises(BoardError, match="at least 7×9"):
            Shot.from_balls(width, height, [(0, 0)]).to_text()


class TestSymbols:
    def test_names_of_one_character_keep_themselves(self):
        assert symbols_for(["black", "b", 3, "blue"]) == ["l", "b", "3", "u"]

    def test_letters_run_out_of_the_name(self):
        assert symbols_for(["aa", "aaa", "aaaa"]) == ["a", "A", "b"]

    @given(st.lists(st.one_of(st.integers(), st.text(max_size=4)), unique_by=str, max_size=256))
    @settings(max_examples=25)
    def test_symbols_are_distinct_printable_characters(self, palette):
        symbols = symbols_for(palette)
        assert len(set(symbols)) == len(palette)
        assert all(len(symbol) == 1 and symbol.isprintable() and symbol not in RESERVED for symbol in symbols)


@pytest.mark.parametrize(
    "text",
    [
        "capacity 3\n[a]bc\n[b]ca\n[c]ab\n-\n",
        "goal monochrome\nreveal cell\ncolours a3 b3 c2\n??b\na?b\nab.\n-\n",
        "capacities 2 3 4\ngoal gathered\nab\nab\n-\n",
        "goal monochrome\nlocked 1 colour b\nlocked 2 tubes 1\nno-in 1\nno-out 2 3\naccepts 3 a\ncork on\nab\nba\n-\n",
        "locked 3 colour a tubes 1\npartial refused\nab\nba\n-\n",
        "any-in 2 3\nab\nba\n-\n",
        "cork on\ndrain on\nab\nba\n-\n",
    ],
)
def test_rules_of_tubes_are_written_and_read_again(text, tmp_path):
    board = WaterSort.from_text(text)
    path = tmp_path / "board.txt"
    path.write_text(board.to_text())
    (instance,) = load_instances(path, "water-sort")
    assert instance.puzzle == board
    assert WaterSort.from_json(board.to_json()) == board
    assert WaterSort.from_text(board.to_text()).to_text() == board.to_text()
