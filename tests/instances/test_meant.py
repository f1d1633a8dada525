"""The board that was meant: read right and said, or asked about with what decides. All readings are judged alike."""

import json

import pytest

from bsp_sat import AmbiguousBoard, BallSort, BoardError, ReadingChoices, load, load_instances
from bsp_sat.instances.files import instance_of, parse_boards, parse_instances
from bsp_sat.instances.text.graphemes import graphemes
from tests.support.command import bsp_sat, invoke
from tests.support.helpers import read_one as read

MEANT = [list("rrg"), list("ggbr"), list("brgb"), ["b"], []]


def padded(room, *, in_front):
    return [([room] * (4 - len(tube)) + tube[::-1]) if in_front else tube + [room] * (4 - len(tube)) for tube in MEANT]


class TestRoom:
    """The commonest JSON of games: every tube has as many cells, and some word is room."""

    @pytest.mark.parametrize("in_front", [False, True])
    @pytest.mark.parametrize("capacity", [{}, {"capacity": 4}])
    @pytest.mark.parametrize("room", ["", " ", 0, -1, "0", "-", "_", ".", "empty", "None", "AIR", "E", "X", None])
    def test_a_word_for_room_above_the_balls_is_no_colour(self, room, capacity, in_front):
        board = read(json.dumps({"tubes": padded(room, in_front=in_front), **capacity}))
        assert board.puzzle.coloured_tubes() == MEANT
        assert f"{json.dumps(room if room != ' ' else '')} is room" in board.read_as or room in (
            None,
            0,
            -1,
            ".",
            "_",
            "-",
        )

    def test_where_a_colour_may_be_room_the_user_decides(self):
        text = "[[1, 2, 1, 2], [2, 1, 2, 1], [0, 0, 0, 0], []]"
        assert read(text).puzzle.palette == (1, 2, 0)
        (board,) = parse_instances(text, choices=ReadingChoices(room=("0",)))
        assert board.puzzle.palette == (1, 2)

    @pytest.mark.parametrize(("text", "signs"), [("☀️❤️", 2), ("🇩🇪🇫🇷", 2), ("👍🏽a", 2), ("👨‍👩‍👧b", 2), ("e\u0301f", 2)])
    def test_what_is_seen_as_one_sign_is_one_ball(self, text, signs):
        assert len(graphemes(text)) == signs


class TestManyBoards:
    @pytest.mark.parametrize(
        "text",
        [
            "ab|ba|-\nba|ab|-",
            "[1, 2] [2, 1] []\n[2, 1] [1, 2] []",
            '{"levels": [{"tubes": [["a", "b"], ["b", "a"], []]}, {"tubes": [["b", "a"], ["a", "b"], []]}]}',
            '[[["a", "b"], ["b", "a"], []], [["b", "a"], ["a", "b"], []]]',
            '{"1": [["a", "b"], ["b", "a"], []], "2": [["b", "a"], ["a", "b"], []]}',
            '{"levels": [{"tubes": ["ab", "ba", ""]}, {"tubes": ["ba", "ab", ""]}]}',
            '---\nvials: [["a", "b"], ["b", "a"], []]\n---\nvials: [["b", "a"], ["a", "b"], []]\n',
            '[{"id": 1, "bottles": ["ab", "ba", ""]}, {"id": 2, "bottles": ["ba", "ab", ""]}]',
            "board = [[1, 2], [2, 1], []]\nboard = [[2, 1], [1, 2], []]",
            "Input: tubes = [[1, 2], [2, 1], []]\nOutput: 3\n\nInput: tubes = [[2, 1], [1, 2], []]\nOutput: 3\n",
            '{"levels": ["red,blue; blue,red;", "blue,red; red,blue;"]}',
            '[{"id": 1, "tube": ["abab", "bbaa", ""]}, {"id": 2, "tube": ["bbaa", "abab", ""]}]',
            "<a><b><c>a,b</c><c>b,a</c><c/></b><b><c>b,a</c><c>a,b</c><c/></b></a>",
            'id,tubes\n1,"a,b;b,a;"\n2,"b,a;a,b;"',
            'id,board\n1,"a,b\nb,a\n-"\n' + "9" * 5_000 + ',"b,a\na,b\n-"',
            "id;moves;board\n1;3;ab|ba|-\n2;3;ba|ab|-",
        ],
    )
    def test_a_list_a_map_a_wrapper_and_lines_are_several_boards(self, text):
        first, second = parse_instances(text)
        assert len(first.puzzle.tubes) == len(second.puzzle.tubes) == 3
        assert first.puzzle.coloured_tubes() == [*second.puzzle.coloured_tubes()[1::-1], []]

    @pytest.mark.parametrize(
        ("text", "tubes"),
        [
            ("red,blue,red,blue;blue,red,blue,red;;", [["red", "blue"] * 2, ["blue", "red"] * 2, [], []]),
            ("a;b;b;a|b;a;a;b|-", [[*"abba"], [*"baab"], []]),
            ("light blue,red; red; light blue;", [["light blue", "red"], ["red"], ["light blue"], []]),
        ],
    )
    def test_one_text_with_marks_of_two_kinds_is_a_board(self, text, tubes):
        """Read as boards of letters, of which some could be solved."""
        assert read(json.dumps({"tubes": text})).puzzle.coloured_tubes() == tubes

    @pytest.mark.parametrize("value", [["pink", "gold", "pink", "gold", ".", "."], "pink,gold,gold,pink,-1,-1"])
    def test_one_list_of_balls_is_cut_by_the_capacity(self, value):
        """Read as six tubes of letters, or of one ball."""
        boards = parse_instances(json.dumps([{"id": number, "data": value, "capacity": 2} for number in (1, 2)]))
        assert [{*board.puzzle.palette} for board in boards] == [{"pink", "gold"}] * 2
        assert [len(board.puzzle.tubes) for board in boards] == [3, 3]

    @pytest.mark.parametrize(
        "text",
        [
            '{"level1": ["ab,cd", "cd,ab", ""], "level2": ["cd", "cd,ab", "ab"]}',  # no list of the first one's colours
            "ab,cd;cd,ab;-\ncd;cd,ab;ab",  # no tubes of letters
            "ab,cd|cd,ab|-\ncd|cd,ab|ab",
        ],
    )
    def test_a_board_with_tubes_of_one_ball_is_one_of_several(self, text):
        assert [board.puzzle.coloured_tubes()[0] for board in parse_instances(text)] == [["ab", "cd"], ["cd"]]

    def test_a_colour_with_a_comma_in_its_name_is_asked_about(self):
        with pytest.raises(AmbiguousBoard, match='a colour is called "1,0"'):
            read("0,1;1,0;;\n1,0;0,1;;")

    def test_one_text_whose_marks_have_no_order_is_none(self):
        with pytest.raises(BoardError):
            read('{"tubes": "ab;ba|ab;ba|b"}')

    def test_a_space_after_a_ruler_of_yaml_keeps_all_boards_in_a_question(self):
        with pytest.raises(AmbiguousBoard, match='"e" is a colour') as caught:
            parse_instances(
                '--- \nd: [["b", "a"], ["a", "b"], []]\n--- \nd: [["e", "d"], ["d", "a"], ["e", "a"], []]\n'
            )
        assert {len(reading.boards) for reading in caught.value.readings} == {2}

    @pytest.mark.parametrize("colours", [2, 10])
    def test_a_number_above_is_that_of_the_tubes_with_those_that_stand_empty(self, colours):
        tubes = [f"{colour + 1} {(colour + 1) % colours + 1}" for colour in range(colours)]
        lines = [str(colours + 2), *tubes, "-", "-"]
        assert len(read("\n".join(lines)).puzzle.tubes) == colours + 2

    def test_boards_without_a_name_have_that_of_their_place(self, tmp_path):
        path = tmp_path / "levels.jsonl"
        path.write_text('{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}\n' * 2)
        assert [board.name for board in load_instances(path)] == ["levels.jsonl:1", "levels.jsonl:2"]

    def test_one_that_can_not_be_read_is_named_and_the_others_are_read(self):
        good = {"tubes": [["a", "b"], ["b", "a"], []]}
        boards = parse_boards(json.dumps({"levels": [good, good, {"tubes": [["a", "b"], ["b"]]}, good]}), "x.json")
        assert len(boards.instances) == 3
        assert [str(error) for error in boards.refused] == [
            "x.json: levels 3: tubes: 1 of colour 'a' cannot fill whole tubes of 2; expected a multiple of the "
            'capacity, or "goal": "monochrome"'
        ]

    def test_each_line_that_can_not_be_read_is_named(self):
        good, bad = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}, {"tubes": 5}
        lines = [json.dumps(board) for board in (good, bad, good, bad, good)]
        boards = parse_boards("\n".join(lines))
        assert [error.where.partition(":")[0] for error in boards.refused] == ["line 2", "line 4"]
        assert len(boards.instances) == 3


class TestKeys:
    def test_what_games_call_things_is_obeyed(self):
        keys = '"bottleCapacity": 4, "type": "water-sort", "emptyTubes": 2'
        text = f'{{{keys}, "bottles": [["r", "b", "b", "r"], ["b", "r", "r", "b"]]}}'
        board = read(text).puzzle
        assert (board.kind, board.capacity, board.coloured_tubes()[2:]) == ("water-sort", 4, [[], []])

    def test_an_end_that_is_said_is_the_top(self):
        board = read('{"topFirst": true, "tubes": [["a", "b", "b"], ["b", "a", "a"], []]}')
        assert board.puzzle.coloured_tubes()[0] == ["b", "b", "a"]
        assert board.other_end is None

    def test_keys_that_sound_like_rules_need_the_users_word(self):
        text = '{"capacity": 2, "tubes": [["r", "b"], ["b", "r"], []], "frozenTubes": [1], "moveLimit": 2, "jokers": 1}'
        with pytest.raises(
            AmbiguousBoard, match=r"frozenTubes \(freezing .*\), jokers \(a ball that .*\): these keys sound"
        ) as caught:
            read(text)
        for key, rule in {
            "iceCells": "freezing", "keyBlocks": "keys", "rehideAfter": "covered again", "bufferTube": "here any_in",
            "bottomTap": "here drain", "wildcards": "any colour",
        }.items():  # fmt: skip
            with pytest.raises(AmbiguousBoard, match=rf"^{key} \(.*{rule}.*\): this key sounds"):
                read(text.replace("frozenTubes", key).replace(', "jokers": 1', ""))
        assert caught.value.readings[0].option == "--ignore-unknown"
        (board,) = parse_instances(text, choices=ReadingChoices(ignore_unknown=True))
        assert board.unused == ("moveLimit",)

    @pytest.mark.parametrize(
        ("key", "value", "meant"),
        [
            ("topToBttom", True, "toptobottom"), ("topTBottom", True, "toptobottom"), ("tpFirst", True, "topfirst"),
            ("topFirrst", True, "topfirst"), ("bottmFirst", False, "bottomfirst"), ("ordr", "top-down", "order"),
            ("dierction", "top to bottom", "direction"), ("capcity", 4, "capacity"), ("tubeHieght", 4, "tubeheight"),
            ("emtyTubes", 1, "emptytubes"), ("numTubs", 4, "numtubes"), ("gametpye", "water", "gametype"),
            ("gaol", "monochrome", "goal"), ("no_im", [1], "noin"), ("crok", True, "cork"),
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("capacity", [{}, {"capacity": 3}, {"puzzle": "ball-sort", "capacity": 3}])
    def test_a_key_that_is_a_letter_away_from_one_that_matters_needs_the_users_word(self, key, value, meant, capacity):
        with pytest.raises(AmbiguousBoard, match=rf"^{key} \(much like {meant}\): this key sounds like a rule"):
            instance_of({"tubes": [["a", "b", "b"], ["b", "a", "a"], []], **capacity, key: value})

    @pytest.mark.parametrize(
        ("key", "value"), [("counts", {"a": 3}), ("page", 3), ("rows", 3), ("types", ["x"]), ("caps", 4)]
    )
    def test_what_would_say_nothing_of_the_board_under_the_known_name_is_no_rule(self, key, value):
        board = instance_of({"tubes": [["a", "b", "b"], ["b", "a", "a"], []], key: value})
        assert key in board.unused

    def test_a_key_that_says_no_to_one_end_says_the_other(self):
        board = instance_of({"capacity": 3, "tubes": [["a", "b", "b"], ["b", "a", "a"], []], "bottomFirst": False})
        assert board.puzzle.coloured_tubes()[0] == ["b", "b", "a"]

    def test_recorded_moves_show_which_end_is_the_top(self):
        tubes = [["b", "b", "a"], ["a", "a", "b"], []]
        board = read(json.dumps({"tubes": tubes, "solution": [[0, 2], [0, 2], [1, 0]]}))
        assert board.puzzle.coloured_tubes() == [tube[::-1] for tube in tubes]
        assert board.other_end is None


class TestTheOtherEnd:
    def test_nothing_shows_it_so_it_is_solved_too(self):
        run = bsp_sat("solve", "caac|bbac|bbac|-")
        assert "Optimal: 12 moves." in run.stdout
        assert "If it is the top, add --top-first: then this board has no plan.\n" in run.stdout
        assert bsp_sat("solve", "caac|bbac|bbac|-", "--top-first").returncode == 1

    def test_in_the_own_form_it_is_said(self):
        assert "other end" not in bsp_sat("solve", "level-80").stdout


class TestQuestions:
    NO_ROOM = "abba\nbaab\n"

    @pytest.mark.parametrize(
        ("text", "meant"),
        [
            (NO_ROOM, "abba baab  "),
            ("a,b|b,a", "ab ba "),  # commas in bars are between balls
            ("EFT\nFTE\nFET", "FFE ETF TET  "),  # a square of letters may be drawn upright
            ("r b\nb g\n\ng .\nr .", "br gb rg "),  # tubes in two rows, none of which is a board
            ("3\n1 0\n0 1", "10 01 "),
            ("Level 3;;;\nr;b;g;\ng;r;b;\nb;g;r;", "bgr grb rbg "),
        ],
    )
    def test_the_meant_board_is_offered_and_each_reading_is_what_its_option_picks(self, text, meant):
        with pytest.raises(AmbiguousBoard) as caught:
            read(text)
        offered = [reading.boards[0].puzzle.coloured_tubes() for reading in caught.value.readings]
        assert [[*tube] for tube in meant.split(" ")] in [[[*map(str, t)] for t in board] for board in offered]
        for reading in caught.value.readings:
            (board,) = parse_instances(text, choices=reading.choices)
            assert board.puzzle == reading.boards[0].puzzle

    def test_a_pipe_gets_the_readings_and_the_options_within_80_columns(self):
        run = bsp_sat("solve", "-", stdin=self.NO_ROOM)
        assert run.returncode == 2
        assert all(f"--empty {number}" in run.stderr for number in (0, 1, 2))
        assert max(map(len, run.stderr.splitlines()[:-1])) <= 80

    def test_extra_tubes_are_the_empty_tubes_of_a_board_that_has_none(self):
        assert (
            json.loads(bsp_sat("solve", "-", "--json", "--extra-tubes", "2", stdin=self.NO_ROOM).stdout)["length"] == 8
        )
        found = json.loads(bsp_sat("solve", "-", "--json", "--fewest-extra-tubes", stdin=self.NO_ROOM).stdout)
        assert (found["extra_tubes"], found["length"]) == (1, 8)

    def test_a_number_that_no_reading_has_is_refused(self):
        with pytest.raises(BoardError, match="expected a reading from 1 to"):
            parse_instances(self.NO_ROOM, choices=ReadingChoices(read_as=9))

    def test_lines_of_two_full_tubes_may_be_one_board_or_a_board_each(self):
        with pytest.raises(
            AmbiguousBoard, match="no tube is empty or has room: how many empty tubes are there: "
        ) as caught:
            parse_instances("ab|ba\nba|ab")
        assert {(len(each.boards), len(each.boards[0].puzzle.tubes)) for each in caught.value.readings} == {
            (boards, tubes + empty) for boards, tubes in ((1, 4), (2, 2)) for empty in (0, 1, 2)
        }

    @pytest.mark.parametrize("text", [" 1 | 10 | . \n 10 | 1 | . \n", " red | blue | - \n blue | red | - \n"])
    def test_a_number_or_word_between_bars_with_spaces_is_one_ball(self, text):
        (first, second, empty) = read(text).puzzle.coloured_tubes()
        assert len({*first, *second}) == 2
        assert (first, empty) == (second[::-1], [])

    def test_dots_below_all_balls_of_a_drawing_are_balls_that_nobody_has_seen(self):
        with pytest.raises(AmbiguousBoard, match="how many empty tubes are there") as caught:
            parse_instances("a b c\na b c\n. . .\n")
        best = caught.value.readings[0]
        assert best.option == "--empty 2"
        assert best.boards[0].puzzle.coloured_tubes() == [[None, *2 * ball] for ball in "abc"] + [[], []]

    def test_a_tube_that_is_a_ball_shorter_is_named_in_words(self):
        run = bsp_sat("show", "-", stdin="gg\ny.\npb\nyp\nbg\n.\nrr\n")
        assert " ".join(run.stderr.split("1  7 tubes")[0].split()) == (
            "standard input: it isn't clear which board this is (tube 6 has 1 cell, all others 2):"
        )
        assert "   but tube 6 has 1 cell, all others 2\n" in run.stderr


class TestSaying:
    def test_a_solved_board_says_so(self):
        assert "This board is solved already, as it was read." in bsp_sat("solve", "aa|bb|-").stdout

    def test_what_was_inferred_stands_with_the_answer(self):
        run = bsp_sat("solve", '[["a", "b", ""], ["b", "a", ""], ["", "a", "b"]]', "--top-first")
        assert run.returncode == 2
        out = bsp_sat("solve", '[["a", "b"], ["b", "a"], ["", ""]]').stdout
        assert 'Read as ball sort: 3 tubes of 2, 1 empty, each from bottom to top; "" is room.\n' in out


class TestLanguages:
    BOARD = BallSort.from_text("ab|ba|-")

    @pytest.mark.parametrize(
        "text",
        [
            "capacity: 2\ntubes:\n  - [a, b]\n  - [b, a]\n  - []\n",
            "created: 2024-01-01\n1:\n  - [a, b]\n  - [b, a]\n  - []\n",
            "- - 1: a\n  - 1: b\n- - 1: b\n  - 1: a\n- []\n",
            'tubes = [\n  ["a", "b"],\n  ["b", "a"],\n  [],\n]\n',
            '{\n // bottom first\n "tubes": [["a", "b"], ["b", "a"], []], /* all */\n}',
            'let t: Vec<Vec<&str>> = vec![vec!["a", "b"], vec!["b".to_string(), "a"], vec![]];',
            'String[][] t = {{"a", "b"}, {"b", "a"}, new String[0]};',
            'let t: [[String]] = [["a", "b"], ["b", "a"], [String]()]',
            "tubes := [][]int{{1, 2}, {2, 1}, {}}",
            "new int[][] { new int[] {1, 2}, new int[] {2, 1}, new int[] {} }",
            "val t = listOf(listOf(1, 2), listOf(2, 1), listOf())",
            "tubes([[a, b], [b, a], []]).",
            "let x = [[1;2];[2;1];[]]",
            "A = [1 2; 2 1; 0 0];",
            "((a b) (b a) ())",
            "list(c(1, 2), c(2, 1), c())",
            "enum Color tubes[3][2] = {{RED, BLUE}, {BLUE, RED}, {EMPTY, EMPTY}};",
            "{:tubes [[:a :b] [:b :a] []]}",
        ],
    )
    def test_a_list_of_any_language_is_read(self, text):
        assert read(text).puzzle.tubes == self.BOARD.tubes

    def test_an_alias_bomb_is_refused(self):
        lines = [f"a{at}: &a{at}\n  - *a{at - 1}\n  - *a{at - 1}\n" for at in range(1, 60)]
        with pytest.raises(BoardError, match="expected at most 1,000,000 values, as often as aliases"):
            read("a0: &a0\n  - x\n" + "".join(lines) + "tubes:\n  - *a59\n")

    def test_an_alias_that_holds_itself_is_refused(self):
        with pytest.raises(BoardError, match="nested more than 100 levels deep"):
            read("tubes: &a\n  - *a\n")

    def test_merged_aliases_are_refused_before_they_are_copied(self):
        lines = [f"a{at}: &a{at}\n  <<: [*a{at - 1}, *a{at - 1}]\n" for at in range(1, 60)]
        with pytest.raises(BoardError, match="expected YAML without merge keys"):
            read("a0: &a0\n  x: y\n" + "".join(lines) + "tubes:\n  - a\n")

    def test_deep_yaml_is_refused(self):
        with pytest.raises(BoardError, match="nested more than 100 levels deep"):
            read("tubes:\n" + "- " * 5_000 + "a\n")

    def test_utf_16_is_read(self, tmp_path):
        path = tmp_path / "board.txt"
        path.write_bytes("ab\nba\n-\n".encode("utf-16"))
        assert load(path) == self.BOARD


def test_a_board_may_stand_on_the_command_line():
    assert invoke("show", "ab|ba|-", "--format", "text")[1] == "# ball-sort\nab\nba\n-\n"


def test_a_number_of_empty_tubes_that_differs_from_those_there_is_asked_about():
    with pytest.raises(AmbiguousBoard) as caught:
        instance_of({"tubes": [["a", "b"], ["b", "a"], []], "emptyTubes": 2})
    assert {sum(not tube for tube in reading.boards[0].puzzle.tubes) for reading in caught.value.readings} == {1, 3}


def test_a_question_about_a_rule_names_it_among_the_doubts():
    with pytest.raises(AmbiguousBoard) as caught:
        instance_of({"tubes": [["a", "b"], ["b", "a"], []], "bombs": [1]})
    assert [reading.doubts[0] for reading in caught.value.readings] == [
        "bombs sounds like a rule that isn't known here"
    ]
    assert caught.value.readings[0].boards[0].other_end is not None


READ_AS_MEANT = {
    "an empty tube is no heading": ("-\nA1  B1\nB1  A1\n", " A1,B1 B1,A1"),
    "nor is one with a label": ("0) (empty)\n1) 💚 ❤️\n2) 💚 ❤️\n", " 💚,❤️ 💚,❤️"),
    "empty columns of a table are tubes": (
        "| green |   |   |   | red |\n| red |   |   |   | green |\n| green |   |   |   | red |\n",
        "green,red,green    red,green,red"),
    "at both ends, too": ("|   | red |   | green |   |\n|   | green |   | red |   |\n", " green,red  red,green "),
    "numbers are no flags of a notation": ("1  1\n2\n3  2  2\n3  1  3\n", "1,1 2 3,2,2 3,1,3"),
    "the first row of a table has no sizes": ("3\t3\t3\t\t\n1\t2\t1\t\t\n2\t2\t1\t\t\n", "2,1,3 2,2,3 1,1,3  "),
    "a table of tabs is in no notation of another program": ("\t1\t\n\t2\t\n1\t1\t1\n2\t2\t2\n", "2,1 2,1,2,1 2,1"),
    "quoted mail may be indented": ("    > Tube 1: RED, RED, GREEN\n    > Tube 2: GREEN, GREEN, RED\n    > Tube 3: -\n",
        "RED,RED,GREEN GREEN,GREEN,RED "),
    "mail of one line too": ("> __,GR,R_,G_\n", " G,R R G"),
    "letters in brackets, in one line": ("[ab] [ba] []\n", "a,b b,a "),
    "and in lines": ("na\nan\n-\n", "n,a a,n "),
    "a word for room whose letters fill nothing": ("ab|ba|nil", "a,b b,a "),
    "a ball and room beside it are no label": ("1 . 1\n1 . 0\n1 . 0\n0 . 1\n1 . 0\n0 . 0\n",
        "0,1,0,1,1,1  0,0,1,0,0,1"),
    "a link with more in it": ("https://x.org/play?level=3&tubes=ab,ba,&cap=2\n", "a,b b,a "),
    "labels with a number sign": ("#1: a, b\n#2: b, a\n#3: empty\n", "a,b b,a "),
    "a comment": ('// 3\n{\n "jars": [\n "ab",\n "ba",\n ""\n ],\n "cap": 2\n}', "a,b b,a "),
    "a comment before a fence": ("# 3\n```txt\nab\nba\n-\n```\n", "a,b b,a "),
    "frozen by Ruby": ("T = [['a', 'b'], ['b', 'a'], []].freeze\n", "a,b b,a "),
    "colours of hex": ("3 2\n#f00 #0f0\n#0f0 #f00\n. .\n", "#f00,#0f0 #0f0,#f00 "),
    "dashes": ("[red, sky-blue]\n[sky-blue, red]\n[]\n", "red,sky-blue sky-blue,red "),
    "escapes in single quotes": ("['\\u0041b', 'bA', '']", "A,b b,A "),
    "numbers that are balls below are no sizes": ("2 1\n2\n1\n", "2,1 2 1"),
    "a comment above mail": ("# level 3\n> O;Y\n> Y;O\n> -\n", "O,Y Y,O "),
    "and within it": ("> O;Y\n# three\n> Y;O\n\n> -\n", "O,Y Y,O "),
    "no column of quote marks": ("# level 3\n> g r g\n> g empty empty\n> r r empty\n", "g,r,g g r,r"),
    "room beside a number is no setting": ("empty empty\n0 2\nempty 4\n1 1\n2 0\nempty 4\n", " 2,0 4 1,1 0,2 4"),
    "no comment of YAML: - Tube 1: #f00": ("- Tube 1: #f00 #0f0\n- Tube 2: #0f0 #f00\n- Tube 3: -\n",
        "#f00,#0f0 #0f0,#f00 "),
    "no comment of YAML: - Tube 1:\n  - ": (
        "- Tube 1:\n  - #f00\n  - #0f0\n- Tube 2:\n  - #0f0\n  - #f00\n- Tube 3: []\n", "#f00,#0f0 #0f0,#f00 "),
    "no comment of YAML: tubes:\n  - [#f": ("tubes:\n  - [#f00, #0f0]\n  - [#0f0, #f00]\n  - []\n",
        "#f00,#0f0 #0f0,#f00 "),
    "no comment of YAML: jars:\n- - #f00": ("jars:\n- - #f00\n  - #0f0 # green\n- - #0f0\n  - #f00\n- []\n",
        "#f00,#0f0 #0f0,#f00 "),
    "labels after dashes": ("- Tube 1: red blue\n- Tube 2: blue red\n- Tube 3:\n", "red,blue blue,red "),
    "an end in brackets above words": ("(top to bottom)\n#f00 #0f0\n#0f0 #f00\n- -\n", "#0f0,#f00 #f00,#0f0 "),
    "or above lists": ("[top first]\n[a b b]\n[b a a]\n[]\n", "b,b,a a,a,b "),
    "or as the key of a list": ("top to bottom:\n- Tube 1: a, b, b\n- Tube 2: b, a, a\n- Tube 3:\n", "b,b,a a,a,b "),
    "or as a key of games": ('{"topToBottom": [["a", "b", "b"], ["b", "a", "a"], []]}', "b,b,a a,a,b "),
    "words alone after a dash": ("- Tube 1: red | blue\n- Tube 2: blue\n- Tube 3: (empty)\n- Tube 4: red\n",
        "red,blue blue  red"),
    "a number alone": ("- Tube 1: 1, 2\n- Tube 2: 2\n- Tube 3: 1\n", "1,2 2 1"),
    "nothing after a label": ("T1 = a | b | b\nT2 = b | a | a\nT3 = \n", "a,b,b b,a,a "),
    "or above letters": ("(top down)\nab|ba|-\n", "b,a a,b "),
    "and stand in a fence": ("```txt\n> 1,2\n> 2,1\n> -\n```\n", "1,2 2,1 "),
    "both between balls and tubes, one line: a, b | b, a | -": ("a, b | b, a | -", "a,b b,a "),
    "both between balls and tubes, one line: a,b|b,a|": ("a,b|b,a|", "a,b b,a "),
    "both between balls and tubes, one line: a|b, b|a, ": ("a|b, b|a, ", "a,b b,a "),
    "both between balls and tubes, one line: a/b|b/a|-": ("a/b|b/a|-", "a,b b,a "),
    "the names of the colours are no board": (
        '{"names": ["NA", "a", "b"], "start": [["a", "b"], ["b", "a"], ["NA", "NA"]]}', "a,b b,a "),
    "PHP is no XML": ("<?php return ['tubes' => [['r', 'b'], ['b', 'r'], []]];", "r,b b,r "),
    "numbers between bars with spaces": ("8 | 13 | 8\n13 | 8 | 13 | 8\n13", "8,13,8 13,8,13,8 13"),
    "labels before tabs": ("1. 13\t13\t8\n2. 8\t8\t13\n3. \t\t\n", "13,13,8 8,8,13 "),
    "labels that tabs follow": ("1.\ta\tb\n2.\tb\ta\n3.\t\t", "a,b b,a "),
    "two balls are no misspelt setting: const LEV": (
        "const LEVEL = [\n  ['#00f', '#f00'],\n  ['#f00', '#00f'],\n  [],\n];\n", "#00f,#f00 #f00,#00f "),
    "two balls are no misspelt setting: c c a b a": ("c c\na\nb a\nb\n-", "c,c a b,a b "),
    "two balls are no misspelt setting: 1. r,b 2.": ("1. r,b\n2. b,r\n3. \n4. \n", "r,b b,r  "),
    "rows of numbers of a matrix of R are no sizes": (
        "     [,1] [,2] [,3]\n[1,]    4    1   NA\n[2,]    4    1   NA\n[3,]    1    4   NA\n[4,]    1    4   NA\n",
        "1,1,4,4 4,4,1,1 "),
    "a line for an empty tube names no columns": ("-\n0 1\n1 0\n", " 0,1 1,0"),
    "a ball before a dot for room is no label": ("c1 . . c2 c3\nc2 . . c3 c1\n", "c2,c1   c3,c2 c1,c3"),
    "a row without anything is no number of balls": ("0,1\n,\n2,0\n,\n1,2\n", "0,1  2,0  1,2"),
    "a tube like numbers below an empty one is kept": ("3 3\n2 1\n-\n1 2\n", "3,3 2,1  1,2"),
    "numbers below a ruler are those of the tubes": (
        "b r r . .\ng g b . .\nr b g . .\nr g b . .\n---------\n1 2 3 4 5\n", "r,r,g,b g,b,g,r b,g,b,r  "),
    "words for room after a number count no tubes": ("2 empty\n2 empty\nempty empty\n1 3\n1 3\n", "2 2  1,3 1,3"),
    "numbers that count the lines are no balls": ("0 1 2\n1 2 1\n2\n", "1,2 2,1 "),
    "zero is a colour where there is other room": ("[[0, 1], [1, 0], []]", "0,1 1,0 "),
    "null in an object is an unknown ball": ('{"tubes": [["a", "b"], ["b", null], []]}', "a,b b,a "),
    "lines with the number of a tube each, beside other names": (
        "N_BOTTLES = 3\nbottles[0] = [C.NONE, C.NONE]\nbottles[1] = [C.RED, C.BLUE]\nbottles[2] = [C.BLUE, C.RED]",
        " RED,BLUE BLUE,RED"),
    "a number of empty tubes that are there adds none": ('{"tubes": [["a", "b"], ["b", "a"], []], "emptyTubes": 1}',
        "a,b b,a "),
    "rows of a list of names": ('[\n    ["Red", "Blue"],\n    ["Empty", "Empty"],\n    ["Blue", "Red"]\n]',
        "Red,Blue  Blue,Red"),
    "names of columns, and a comma at the end": ("R1T1,R1T2,R2T1\nBrown, Blue, \nBlue, Brown,",
        "Blue,Brown Brown,Blue "),
    "calls over lines, one of them empty": (
        "Step.of(Bottle.ofTwo(RED, BLUE),\n        Bottle.ofTwo(BLUE, RED),\n\n  Bottle.empty());",
        "RED,BLUE BLUE,RED "),
    "members of a class": ("data_in = [\n    [color.RED, color.BLUE],\n    [color.BLUE, color.RED],\n    [],\n]",
        "RED,BLUE BLUE,RED "),
    "Chinese words between commas": (",绿绿黄黄,绿绿黄黄", " 绿,绿,黄,黄 绿,绿,黄,黄"),
    "two empty words in one line": ('DF FD "" ""', "D,F F,D  "),
    "a constant of names": ("const problem = [[ORANGE, BLUE], [BLUE, ORANGE], []]", "ORANGE,BLUE BLUE,ORANGE "),
    "walls": ("|r|  |b|  | |\n|b|  |r|  | |\n", "b,r r,b "),
    "walls with wide gaps": ("|r|    |b|    | |\n|b|    |r|    | |\n", "b,r r,b "),
    "walls above a ruler": ("|E|  |F|  |T|  | |\n|F|  |T|  |E|  | |\n|F|  |E|  |T|  | |\n----------------\n",
        "F,F,E E,T,F T,E,T "),
    "double walls": ("||r||b|| ||\n||b||r|| ||\n", "b,r r,b "),
    "slashes in commas": ("r/b, b/r, empty", "r,b b,r "),
    "slashes in commas, of several lengths": ("R/B, B/R/R/G, G/B, G/R/B/G", "R,B B,R,R,G G,B G,R,B,G"),
    "commas in slashes": ("r,b / b,r / -", "r,b b,r "),
    "constructors of Kotlin": (
        "val t = listOf(Bottle().apply { addAll(listOf(R, B)) }, Bottle().apply { addAll(listOf(B, R)) }, Bottle())",
        "R,B B,R "),
    "chained calls": ("[new Tube().fill(['r','b']), new Tube().fill(['b','r']), new Tube()]", "r,b b,r "),
    "lists of Kotlin with a type": (
        "val t = listOf(mutableListOf(C.R, C.B), mutableListOf(C.B, C.R), mutableListOf<C>())", "R,B B,R "),
    "arrays of F#": ("let tubes = [| [| 1; 2 |]; [| 2; 1 |]; [|  |] |]", "1,2 2,1 "),
    "a type of Haskell": (
        "board = [[Red,Blue], [Blue,Red,Red,Green], [Green,Blue], [Green,Red,Blue,Green]] :: [[Color]]",
        "Red,Blue Blue,Red,Red,Green Green,Blue Green,Red,Blue,Green"),
    "XML: elements with text": ("<level><tube>r,b</tube><tube>b,r</tube><tube/></level>", "r,b b,r "),
    "XML: elements of elements": ("<a><b id='1'><c>r</c><c>b</c></b><b id='2'><c>b</c><c>r</c></b><b id='3'/></a>",
        "r,b b,r "),
    "XML: attributes, and a remark about the top": (
        "<?xml version='1.0'?><!-- top first --><a><b balls='b,r'/><b balls='r,b'/><b balls=''/></a>", "r,b b,r "),
    "XML: an attribute that says the top": (
        "<a top_first='true'><b><c>b</c><c>r</c></b><b><c>r</c><c>b</c></b><b></b></a>", "r,b b,r "),
    "XML: an element each ball": (
        "<a height='2'><c x='0' y='0' c='r'/><c x='0' y='1' c='b'/><c x='1' y='1' c='r'/><c x='1' y='0' c='b'/><c"
        " x='2' y='0' c=''/></a>", "r,b b,r "),
    "SQL: a row with a board": ("INSERT INTO levels (id, board) VALUES (7, 'rb|br|-');", "r,b b,r "),
    "SQL: a remark about the top": (
        "DROP TABLE t;\n-- top first\nINSERT INTO t (id, balls) VALUES (1, 'br'), (2, 'rb'), (3, '');", "r,b b,r "),
    "SQL: a row each ball": (
        "insert into `t` (tube, y, color) values (1, 1, 'r'), (1, 2, 'b');\ninsert into t (tube, y, color) values"
        " (2, 2, 'r'), (2, 1, 'b'), (3, 1, NULL);", "r,b b,r "),
}  # fmt: skip
"""Texts that were read as another board, or asked about without the meant one, and its tubes."""

MAY_BE_ANOTHER = {
    "one tube is a ball shorter, as if a ball were lost": "gg\ny.\npb\nyp\nbo\n.\nrr\n",
    "the only full tube is a ball shorter than the drawn ones": "rgg|r---|gr--|g---",
    "x is room and o a colour, or both are room": "b/r\nb/r\np/x\ny/o\ng/x\np/g\no/x\ny/x\n",
    "E is room and O a colour, or the other way":
        '[["B","G"],["O","O"],["Y","P"],["R","B"],["G","R"],["P","E"],["Y","E"]]',
    "a number above that is more than the tubes below": "7\n1 2\n2 1\n",
    "a number above, of all tubes or of empty ones": "2\n1 2\n2 1\n",
    "10 between bars is a ball, or two of a tube": "1|10|.\n10|1|.\n",
    "13 between bars in a table without room, or two of a tube": "13 | 8\n8 | 13\n",
    "13 between bars in tubes of several lengths, or two of a tube": "8|13|8\n13|8|13|8\n13",
    "0 above x is room, or x above 0": "x 0\n0 0\n2 3\nx 3\nx 0\n1 1\nx x\nx 2\n",
    "x on tops and in a whole tube, 0 on tops": "2 x\nx x\n1 0\n2 0\n4 0\n1 4\n5 0\n3 3\n5 x\n",
    "letters that spell a word for room, and fit as well": "na|na|bc|cb|-",
    "a first line of dashes that no other tube is as high as": "---\nc | _ | _ | a\nc|a|_|_",
    "or the first of the tubes, above settings": "---\ncapacity 4\n1010|0011|-|-|-",
    "room beside each row, or two empty columns": "🟢🔴⚪⚪\n🔴🔴⚪⚪\n🟢🟢⚪⚪\n🔴🟢⚪⚪",
    "room at the right of rows, or at the top of columns": "0 · ·\n0 1 ·\n1 1 0\n",
    "room at the left of rows, or at the top of columns": "⚪⚪🔵🔵\n⚪⚪🔵🟢\n🟢🔴🟢🔴\n🟢🔴🔵🔴",
    "a digit fills a tube, or another word is room": '[[1,1,2,1],[0,0,0,0],[1,"x","x","x"],[2,2,2,"x"]]',
    "indented rows, or columns of which two are empty": "    -\n    💚 ❤️ 💙 💚\n    💚 💚 ❤️ ❤️\n    💙 ❤️ 💙 💙\n",
    "a full tube, or numbers of full and of empty tubes": "7;7\n-;6\n3;2\n1;5\n2;5\n-;3\n4;1\n4;6\n",
    "clear is room and o a colour, or the other way":
        '[["clear","clear"],["r","p"],["clear","o"],["p","r"],["clear","o"],["r","b"],["b","y"],["clear","g"],["c'
        'lear","r"],["y","g"]]',
    "one of two boards is doubtful":
        '[{"tubes": [["b","a"],["a","b"],[]]}, {"tubes": [["x"],["x"],[":"],[":","{"],["{"],[]]}]',
}  # fmt: skip


@pytest.mark.parametrize(("text", "tubes"), READ_AS_MEANT.values(), ids=READ_AS_MEANT.keys())
def test_a_text_that_was_once_misread_is_read_as_it_was_meant(text, tubes):
    puzzle, expected = read(text).puzzle, [tube.split(",") if tube else [] for tube in tubes.split(" ")]
    assert [[*map(str, tube)] for tube in puzzle.coloured_tubes()] == expected
    assert puzzle.capacity == max(map(len, expected))


@pytest.mark.parametrize("text", MAY_BE_ANOTHER.values(), ids=MAY_BE_ANOTHER.keys())
def test_what_may_be_another_board_is_asked_about(text):
    with pytest.raises(AmbiguousBoard):
        read(text)


class TestFoundByTheFuzzer:
    """Texts that were read as another board, or asked about without the board that was meant."""

    def test_two_numbers_above_a_table_with_names_are_no_tube(self):
        with pytest.raises(BoardError, match="line 1: '2 3'"):
            read("2 3\n1,green,red\n2,green,blue\n3,blue,red\n4,cyan,cyan\n5,-,-")

    def test_a_word_that_is_plainly_room_in_one_board_of_a_pack_is_room_in_all(self):
        pack = ["eacc acbd xecb xxad ebdb xeda", "xxxf cebe xbfd adce xebc xafd dacb xxaf",
                "eaec bbab cdad bdac aada caee xxxx xxxx xxxx"]  # fmt: skip
        boards = parse_instances(json.dumps([{"columns": [[*tube] for tube in tubes.split()]} for tubes in pack]))
        expected = [[[*tube.strip("x")[::-1]] for tube in tubes.split()] for tubes in pack]
        assert [board.puzzle.coloured_tubes() for board in boards] == expected

    def test_a_question_about_a_pack_offers_all_of_its_boards(self):
        pack = ["ygxx pxxx rbyx yrpp ggbr pgbx oyrx ooob", "ybbx rrbr ypyx bygx gxxx ppxx ggpr",
                "rbrb pgry yyxx gbpp pxxx rxxx ggxx ybxx"]  # fmt: skip
        with pytest.raises(AmbiguousBoard) as caught:
            parse_instances(
                json.dumps({str(place): [[*tube] for tube in tubes.split()] for place, tubes in enumerate(pack)})
            )
        expected = [[[*tube.strip("x")] for tube in tubes.split()] for tubes in pack]
        offered = [[board.puzzle.coloured_tubes() for board in reading.boards] for reading in caught.value.readings]
        assert expected in offered

    def test_a_question_about_a_few_lines_of_a_pack_offers_all_of_its_boards(self):
        lines = ['["a", "b"], ["b", "a"], []', "[1, 2], [2, 1]", '["b", "a"], ["a", "b"], []', "[3, 4], [4, 3]"]
        text = "".join(f'{{"tubes": [{line}], "capacity": 2}}\n' for line in lines)
        with pytest.raises(AmbiguousBoard, match=r"^line 2: ") as caught:
            parse_instances(text)
        for reading in caught.value.readings:
            picked = parse_instances(text, choices=reading.choices)
            assert [each.puzzle for each in picked] == [each.puzzle for each in reading.boards]
            assert [each.puzzle.coloured_tubes()[0] for each in picked[::2]] == [["a", "b"], ["b", "a"]]
        assert [each.words for each in caught.value.readings] == [
            f"4 boards, number 2: {words}, each from bottom to top"
            for words in ("4 tubes of 2, 2 empty", "3 tubes of 2, 1 empty", "2 tubes of 2")
        ]
        run = bsp_sat("show", "-", stdin=text)  # which draws that one
        assert (
            "   2 1 · ·                                  2 1 ·\n   1 2 · ·                                  1 2 ·\n"
            in run.stderr
        )
        with pytest.raises(BoardError, match="expected a reading from 1 to 1, found 2"):
            parse_instances(text.splitlines()[0], choices=ReadingChoices(read_as=2))

    def test_a_board_that_is_the_same_turned_round_has_no_other_end(self):
        same, other = [["a", "b", "a"], ["b", "a", "b"], []], [["a", "b", "b"], ["b", "a", "a"], []]
        first, second = parse_instances(json.dumps({"levels": [{"board": same}, {"board": other}]}))
        assert first.other_end is None
        assert second.other_end is not None

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(
                "-\n-\nbba\nccc\na\nba\n\naba\nabb\n-\n-\n\nfb\nfe\nfdc\nag\nac\ngd\ncde\nabe\nbg\n", id="some boards"
            ),
            pytest.param("g r g r\nb b r g\nr b g b\n", id="how many empty tubes, and in rows or columns"),
            pytest.param("3|1\n0|4\n5|2\n0|1\n4|5\n2|3\nnull|null\nlnl|null", id="a pack, most of it without room"),
            pytest.param("goal monochrome\nrrrb\nrgbg\nbhbg", id="lines of which one may be a remark"),
            pytest.param(
                "tubes: 6\n(4 1 1)\n(4 2 1)\n(6 6 6)\n(3 2 5)\n(3 2 3)\n(4 5 5)", id="a word that may be room"
            ),
            pytest.param(
                '{"tubes": [["b", "r", "g"], ["b", "g", "r"]], "puzzle": "ball-sort", "goal": "monochrome"}',
                id="a word that may be room in columns",
            ),
            pytest.param(
                "bby\nggrr\nybyr\nbrg\nyg\n\nr\nyggb\nyybr\ngbr\nrybg\n\nrggr\nrrgg\n-\n\ngrrb\nybrg\nygyb\nrybg",
                id="parts, or one board",
            ),
        ],
    )
    def test_each_reading_that_is_offered_is_what_its_option_picks(self, text):
        with pytest.raises(AmbiguousBoard) as caught:
            parse_instances(text)
        for reading in caught.value.readings:
            picked = parse_instances(text, choices=reading.choices)
            assert [each.puzzle for each in picked] == [each.puzzle for each in reading.boards], reading.option

    def test_a_board_with_a_tube_a_ball_shorter_is_read_back(self):
        board = parse_instances("capacities 2 2 1\nab\nb\na\n")[0].puzzle
        assert read(board.to_text()).puzzle == board


def test_what_another_form_says_about_a_board_is_written_only_if_it_can_be_read_back():
    value = {"name": "first", "optimal": "1", "puzzle": "ball-sort", "tubes": [["b", "a"], ["a", "b"], []]}
    (instance,) = parse_instances(json.dumps(value), puzzle="water-sort")
    assert instance.about == {"name": "first"}
    assert parse_instances(json.dumps(instance.to_json())) == [instance]


def test_a_text_that_cannot_be_encoded_is_refused_with_its_line():
    with pytest.raises(BoardError, match=r"line 2: expected text, found '\\udcff', which is no character"):
        parse_instances("ab|ba|-\n\udcff: ab|ba|-")


@pytest.mark.parametrize("key", ["unlocked", "isUnlocked", "clock"])
def test_what_locks_no_tube_is_no_rule(key):
    board = instance_of({"tubes": [["a", "b"], ["b", "a"], []], key: True})
    assert board.puzzle.coloured_tubes() == [["a", "b"], ["b", "a"], []]


def test_a_misspelt_key_is_named_once():
    run = bsp_sat("solve", '{"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "gaol": []}')
    assert run.stderr.count("gaol") == 1


def test_a_full_board_is_drawn_with_the_tubes_that_its_plan_says_were_added(tmp_path):
    board, plan = '[["a", "b"], ["b", "a"]]', tmp_path / "plan.json"
    plan.write_text(bsp_sat("solve", board, "--json", "--extra-tubes", "1").stdout)
    assert bsp_sat("draw", board, str(plan), "-o", str(tmp_path / "plan.svg")).returncode == 0


def test_a_program_that_fills_tubes_is_named():
    with pytest.raises(
        BoardError, match=r"a program that fills.* isn't read: expected the tubes as lists, or a line each"
    ):
        read("tubes[0].push(RED);\ntubes[0].push(BLUE);\n")


def test_a_row_of_equals_signs_is_between_boards():
    assert len(parse_instances("Level 1\nab|ba|-\n===\nLevel 2\naab|bba|-\n")) == 2


def test_a_board_with_its_goal_beside_it_is_asked_about():
    with pytest.raises(AmbiguousBoard) as caught:
        parse_instances('solve([["r", "b"], ["b", "r"], []], [["r", "r"], ["b", "b"], []])')
    assert [len(reading.boards) for reading in caught.value.readings] == [1, 2]
