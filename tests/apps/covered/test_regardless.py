"""What is proved of all fillings at once, against all plays of each, by the naive program of `naive_variants`."""

import json
from collections import Counter

import pytest

from bsp_sat.apps.covered import study as studies
from bsp_sat.apps.covered.regardless import plan_for_all, positions_if_none_is_solved
from bsp_sat.apps.covered.study import check_study, study
from bsp_sat.instances.errors import BoardError
from tests.apps.covered.games import crowded_board, read, wanting_board
from tests.support.command import invoke
from tests.support.naive_variants import Game, board_with_rules, fillings, with_names

STUCK = {
    "puzzle": "ball-sort",
    "capacity": 4,
    "tubes": [[None, *above] for above in zip("iikklleeffhh", "defgghijjkld", "aaaabbbbcccc", strict=True)] + [[], []],
    "reveal": "cell",
}
"""Twelve colours; none of the unknown balls can be uncovered."""

APART = {
    "puzzle": "ball-sort",
    "goal": "monochrome",
    "capacity": 4,
    "tubes": [*([None, top] for top in "abcdeabc"), [], [], [], [], []],
    "colours": {"a": 3, "b": 3, "c": 3, "d": 3, "e": 4},
}
"""Each unknown ball may stay alone."""


def compared(boards):
    """How often what is proved of a board is so for all of its fillings, and how often it could have been."""
    found = Counter()
    for board in boards:
        try:
            position = read(board)
        except BoardError:
            continue
        if not position.is_hidden:
            continue
        filled = fillings(board if "colours" in board else with_names(board)[0])
        have_plans = {Game(each).optimum() is not None for each in filled}
        if positions_if_none_is_solved(position) is not None:
            assert have_plans == {False}, json.dumps(board)
            found["proved none"] += 1
        if (plan := plan_for_all(position)) is not None:
            for each in filled:
                game = Game(each)
                state = game.start()
                for move in plan:
                    state = game.moves(state)[move]
                assert game.is_goal(state), json.dumps(board)
            found["proved all"] += len(filled) > 1
        found["none"] += have_plans == {False}
    return found


@pytest.mark.parametrize("seeds", [range(300), pytest.param(range(300, 20_000), marks=pytest.mark.slow)])
def test_what_is_proved_of_all_fillings_is_so_for_each(seeds):
    found = compared(wanting_board(seed) if seed % 5 == 0 else crowded_board(seed) for seed in seeds)
    assert found["proved none"] > 0.8 * found["none"] > 0
    assert found["proved all"]


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 2_000), marks=pytest.mark.slow)])
def test_it_is_so_under_all_rules(seeds):
    assert compared(board_with_rules(seed, most_unknown=4) for seed in seeds)["proved none"]


class TestStudy:
    def test_a_board_that_no_filling_solves_is_said_to_be_so(self, tmp_path):
        path = tmp_path / "stuck.json"
        path.write_text(json.dumps(STUCK))
        code, output = invoke("solve", path)
        sentence = (
            "No filling of the hidden cells has a plan, proved: whatever is hidden, 1,237 positions can be reached"
        )
        assert (code, sentence in output, "drawn at random" in output) == (1, True, False)
        _, text = invoke("solve", path, "--json", "--explain")
        fields = json.loads(text)
        assert (fields["status"], fields["solvable"], fields["notes"]) == ("unsolvable", "none", [])
        assert [each["topic"] for each in fields["explanation"]] == ["refuted", "trust"]
        check_study(read(STUCK), fields)

    def test_a_board_whose_fillings_one_plan_solves_is_said_to_be_so(self, tmp_path):
        path = tmp_path / "apart.json"
        path.write_text(json.dumps(APART))
        _, output = invoke("solve", path)
        assert "Every filling of the hidden cells has a plan, proved: the same plan of 8 moves solves each." in output
        _, text = invoke("solve", path, "--json")
        fields = json.loads(text)
        assert (fields["status"], fields["solvable"], fields["fillings"]) == ("unknown", "all", None)
        check_study(read(APART), fields)

    def test_a_filling_with_a_plan_makes_the_search_for_none_needless(self, monkeypatch):
        board = {"puzzle": "ball-sort", "capacity": 3, "tubes": [[None, "a"], [None, "b"], [None, "c"], [], []]}
        position = read(board | {"colours": dict.fromkeys("abc", 2), "goal": "monochrome"})
        monkeypatch.setattr(studies, "positions_if_none_is_solved", lambda *_: pytest.fail("it was searched"))
        assert study(position, most_fillings=1).solvable > 0

    def test_a_search_that_is_too_large_proves_nothing(self):
        assert positions_if_none_is_solved(read(STUCK), most=1_236) is None
        assert positions_if_none_is_solved(read(STUCK), most=1_237) == 1_237


class TestWithoutProof:
    """Nothing is said of all fillings where it would be wrong, or where the argument doesn't hold."""

    @pytest.mark.parametrize(
        "rules",
        [
            {"locked": [{"tube": 2, "until": 1}], "tubes": [["a"], ["a"], [None, None], ["b"], ["c"]]},
            {
                "goal": "wanted",
                "wanted": {"a": 1},
                "no_out": [2, 3],
                "tubes": [["a"], ["a", "a"], [None, "b", "c"], [None, "c", "b"]],
                "capacity": 3,
                "colours": dict.fromkeys("abc", 3),
            },
        ],
        ids=["a lock opens", "cells may stay unknown"],
    )
    def test_no_search_for_positions_that_are_solved(self, rules):
        board = {"puzzle": "ball-sort", "capacity": 2, "colours": dict.fromkeys("abc", 2), **rules}
        assert all(Game(each).optimum() for each in fillings(board | {"reveal": "cell"}))
        assert positions_if_none_is_solved(read(board)) is None

    @pytest.mark.parametrize(
        "rules",
        [{"puzzle": "ball-sort", "cork": True}, {"puzzle": "water-sort", "reveal": "cell"}],
        ids=["a tube of two unknown balls is corked", "two unknown balls are poured together"],
    )
    def test_no_plan_for_all(self, rules):
        pairs = [[None, None, "c"], [None, None, "c"], [], [], []]
        board = {"capacity": 3, "goal": "monochrome", "tubes": pairs, "colours": dict.fromkeys("abc", 2), **rules}
        assert plan_for_all(read(board)) is None
