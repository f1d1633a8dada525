"""Colours that don't show, against all fillings with all names by the program of `tests.support.naive_variants`."""

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bsp_sat import BoardError, Explorer, WaterSort
from bsp_sat.apps.covered.board import arrangements, filled, fillings_of
from bsp_sat.apps.covered.game import Game as TrueGame
from bsp_sat.apps.covered.sampling import sample_fillings
from bsp_sat.apps.covered.strategy import NotSolved, Strategy, check_strategy, first_of
from bsp_sat.apps.covered.strategy import play as play_strategy
from bsp_sat.apps.covered.study import study
from bsp_sat.instances.files import instance_of, parse_instances
from bsp_sat.instances.sorting import NEW_COLOUR
from bsp_sat.instances.sorting.other_notations import FROZENFRANK_CAPACITY, NOTATIONS
from tests.apps.covered.games import checked_study, compared, covered_board, played, played_out, read
from tests.support.command import invoke
from tests.support.naive_variants import random_unseen_board

LONGEST = {1: 6, 2: 3}  # moves, by the number of empty tubes: trying all plays takes too long beyond


def water(tubes, **fields):
    return WaterSort.from_json({"capacity": 2, "tubes": tubes, **fields})


class TestReading:
    def test_what_is_left_over_are_new_colours_of_a_tube_full(self):
        board = water([[None, "r"], [None, None], [None, "g"], []])
        assert board.palette == ("r", "g", "new colour 1")
        assert board.rules.counts == (2, 2, 2)
        assert board.unseen == (2,)
        assert "1 colour not seen yet" in board.summary()

    def test_more_balls_than_fit_a_tube_are_of_several(self):
        board = water([["r", "g"], ["r", "r"], [None, None], [None, None], []])
        assert (board.palette, board.rules.counts) == (("r", "g", "new colour 1"), (4, 2, 2))

    def test_colours_that_rules_name_have_a_name(self):
        tubes = [[None, None], [None, None], [None, "g"], []]
        board = water(tubes, locked=[{"tube": 0, "until": "r"}], accepts={"3": ["g", "b"]})
        assert (board.palette, board.unseen) == (("g", "b", "r"), ())
        with pytest.raises(BoardError, match="expected a colour of the board"):
            water([["g", "g"], []], accepts={"1": ["b"]})

    def test_counts_may_be_given_for_some(self):
        board = water([["r", "g"], [None, None], [None, None], [None, None], []], colours={"r": 4})
        assert (board.rules.counts, board.unseen) == ((4, 2, 2), (2,))

    @pytest.mark.parametrize(
        ("tubes", "problem"),
        [
            ([["r", None], [None, "g"], [None]], "the other 1 cell can't make whole tubes of 2"),
            ([["r", "g"], ["b", None], []], r"1 cell unknown, but 3 balls missing .*\(1 of 'r', 1 of 'g', "),
            ([["r", None], [None, None], [None]], "the other 3 cells can't make whole tubes of 2"),
            ([[None, None], [None, None], [None, None, None]], "at most 2 balls"),
        ],
    )
    def test_refused_if_the_numbers_do_not_come_out(self, tubes, problem):
        with pytest.raises(BoardError, match=problem):
            water(tubes)

    def test_no_name_is_given_twice(self):
        board = water([["new colour 1", None], [None, None], [None, "new colour 3"], [None, None], []])
        assert board.palette == ("new colour 1", "new colour 3", "new colour 2", "new colour 4")

    def test_a_written_board_means_the_same(self):
        for board in map(read, map(random_unseen_board, range(60))):
            assert read(board.to_json()) == board
            [again] = parse_instances(board.to_text(), puzzle=board.kind)
            assert again.puzzle == board
            if board.is_hidden and (notation := _other_notation(board)):
                [again] = parse_instances(notation, puzzle=board.kind)
                assert again.puzzle.to_text() == board.to_text()

    def test_also_where_one_has_shown(self):
        explorer = Explorer(read(UNSEEN))
        explorer.record_move(explorer.next_move().move)
        explorer.record_colours({explorer.looking[0]: [NEW_COLOUR]})
        board = explorer.position
        again = read(board.to_json())
        assert again.coloured_tubes() == board.coloured_tubes()
        assert [again.palette[colour] for colour in again.unseen] == ["new colour 2"]
        assert set(map(len, (again.unknown, again.unseen))) == {len(board.unknown), len(board.unseen)}

    def test_capacities_that_are_not_the_one_of_the_board(self):
        fields = {"capacity": 2, "capacities": [4, 4, 4, 4], "goal": "monochrome", "puzzle": "ball-sort"}
        board = read({**fields, "tubes": [["r", "r"], [None] * 4, [None] * 4, []]})
        assert board.rules.counts == (2, 4, 4)
        assert read(board.to_json()) == board


def _other_notation(board):
    is_plain = board.kind == "water-sort" and not board.rules.features() and board.goal == "full"
    is_plain &= board.shows_runs and board.capacity == FROZENFRANK_CAPACITY
    return NOTATIONS["frozenfrank"](board, "x") if is_plain else None


@pytest.mark.parametrize(
    "seeds",
    [(0, 2, 3, 4, 9, 10, 11), *(pytest.param(range(n, n + 50), marks=pytest.mark.slow) for n in range(0, 500, 50))],
)
def test_values_are_those_of_all_plays_of_all_named_fillings(seeds):
    boards = list(map(random_unseen_board, seeds))
    several = [board for board in boards if len(read(board).unseen) > 1]
    values = {id(board): compared(board, LONGEST[board["tubes"].count([])], extra=1) for board in boards}
    assert any(values[id(board)] for board in several)


def test_arrangements_that_differ_in_names_alone_count_once():
    """By cell, nothing that shows rules out an arrangement: there are as many as fillings."""
    boards = (read({**random_unseen_board(seed), "reveal": "cell"}) for seed in range(20))
    for board in (board for board in boards if board.is_hidden):
        assert arrangements(board) == len(list(fillings_of(board)))


UNSEEN = {
    "puzzle": "water-sort",
    "capacity": 3,
    "reveal": "cell",
    "tubes": [[None, None, "r"], [None, None, "g"], [None, None, "g"], [None, None, "r"], [], []],
}


@pytest.mark.parametrize("reveal", ["run", "cell"])
def test_a_strategy_for_one_filling_is_one_for_all_namings(reveal):
    board = read({**UNSEEN, "reveal": reveal})
    found = study(board, most_fillings=0)
    assert found.fillings is None
    assert "fillings that differ only in their names count as one" in found.notes[0]
    board = read({**UNSEEN, "reveal": reveal, "tubes": [["r"], [None] * 3, [None] * 2, ["r"], [None, "r"], []]})
    strategy = checked_study(board).worst.strategy
    namings = board.rules.nameless
    assert namings == 2
    for filling in fillings_of(board):
        for other in (filling, filling.translate(bytes.maketrans(b"\1\2", b"\2\1"))):
            given = replace(board, rules=replace(board.rules, nameless=2))
            assert play_strategy(strategy, first_of(filled(given, other)))
    text = json.dumps(strategy.to_json())
    damaged = Strategy.from_json(json.loads(text.replace("new colour 2", "new colour 1")))
    with pytest.raises(NotSolved, match="nothing to do for what shows"):
        check_strategy(board, damaged)


def test_fillings_are_drawn_alike():
    """Each filling up to renaming is as likely as another, by both reveal rules."""
    tubes = [[None, "r"], [None, "g"], [None, None], [None, None], ["r", "g"], []]
    for reveal in ("run", "cell"):
        board = water(tubes, reveal=reveal, colours={"r": 3, "g": 3}, goal="monochrome", no_out=[5])
        whole = list(fillings_of(board))
        drawn = Counter(_canonical(each, board.unseen) for each in sample_fillings(board, 60 * len(whole), Random(1)))
        assert set(drawn) == set(whole)
        assert 25 < min(drawn.values()) <= max(drawn.values()) < 110


def _canonical(filling, unseen):
    order = bytes(dict.fromkeys(ball for ball in filling if ball in unseen))
    return filling.translate(bytes.maketrans(order, bytes(unseen)))


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 1_000), marks=pytest.mark.slow)])
def test_games_are_refereed(seeds):
    tally = played(map(random_unseen_board, seeds))
    assert tally["solved"] > tally["games"] / 2
    assert tally["asked"], tally


@pytest.mark.parametrize("seeds", [range(10), pytest.param(range(10, 1_000), marks=pytest.mark.slow)])
def test_solved_in_one_attempt_more_than_there_are_unknown_cells(seeds):
    """Boards with locks and corks, of which only the tops show; nothing says which colours there are."""
    attempts, unseen = Counter(), Counter()
    for board, true in map(covered_board, seeds):
        instance = instance_of({**board, "contents": true["tubes"]} | {"colours": {}})
        if instance.puzzle.is_hidden:
            attempts[played_out(instance.puzzle, TrueGame.of(instance))] += 1
            unseen[len(instance.puzzle.unseen)] += 1
    assert attempts.total() - attempts[1] > attempts.total() / 5
    assert unseen.total() - unseen[0] > unseen.total() / 2


class TestAnswers:
    def test_two_tubes_show_two_new_colours_or_one(self):
        board = read({**UNSEEN, "tubes": [["r"], [None] * 3, [None] * 3, ["r", "r"], []]})
        explorer = Explorer(board)
        assert explorer.looking == (1, 2)
        explorer.record_colours({1: [NEW_COLOUR], 2: [NEW_COLOUR]})
        assert [explorer.position.coloured_tubes()[tube][-1] for tube in (1, 2)] == ["new colour 1", "new colour 2"]
        explorer = Explorer(board)
        explorer.record_colours({1: [NEW_COLOUR], 2: ["new colour 1"]})
        assert [explorer.position.coloured_tubes()[tube][-1] for tube in (1, 2)] == ["new colour 1", "new colour 1"]
        explorer = Explorer(board)
        explorer.record_colours({1: ["new colour 1"], 2: [NEW_COLOUR]})
        assert [explorer.position.coloured_tubes()[tube][-1] for tube in (1, 2)] == ["new colour 1", "new colour 2"]

    def test_there_are_no_more_new_colours_than_there_are(self):
        explorer = Explorer(read({**UNSEEN, "tubes": [["r"], [None] * 3, [None] * 2, [None], ["r", "r"]]}))
        assert explorer.looking == (1, 2, 3)
        with pytest.raises(BoardError, match="there is no colour 'new colour' on this board"):
            explorer.record_colours({tube: [NEW_COLOUR] for tube in explorer.looking})

    def test_play_asks_and_says_the_name(self, tmp_path):
        path = tmp_path / "board.json"
        tubes = [["light blue"], [None] * 3, [None] * 3, ["light blue"] * 2, []]
        path.write_text(json.dumps({**UNSEEN, "tubes": tubes}))
        answers = ["new", "new colour", "new colour 1 new colour 1", "new colour", "new colour 1", "quit"]
        _, output = invoke("play", path, stdin="\n".join([*answers, ""]))
        named = "light blue, new colour 1, new colour 2, or 'new colour'"
        assert f"there is no colour 'new' on this board, expected one of {named}." in output
        assert "cells revealed together must be a whole run" in output
        assert "From now on this colour is called new colour 1." in output
        assert "From now on this colour is called new colour 2." not in output
