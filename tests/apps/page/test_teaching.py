"""What a class asks: horizons and formulas, and why."""

import json
from dataclasses import replace

import pytest

from bsp_sat import solve
from bsp_sat.apps.page.answers.explaining import explanation, positions_from
from bsp_sat.apps.page.request_fields import MOST_MOVES
from bsp_sat.encoder.description import describe
from bsp_sat.encoder.registry import ENCODINGS, encodings_for
from bsp_sat.instances.errors import BackendError
from bsp_sat.instances.files import load_shipped, parse_instances
from bsp_sat.instances.sorting import Pour
from tests.support.server import HARD, events_of

EASY = "caac|bbac|bbac|-"
LEVEL = load_shipped("level-80").to_json()
LOST = "bcc|baa|bca|-"
TILES = {"puzzle": "tiles", "columns": [["a", "b", "a"], ["b"], ["b", "a"]]}


def puzzle_of(text, puzzle=None):
    return parse_instances(text if isinstance(text, str) else json.dumps(text), puzzle=puzzle)[0].puzzle


class TestHorizons:
    @pytest.mark.parametrize("encoding", ["order", "homes", "sequential"])
    def test_horizons_are_refuted_one_by_one_up_to_the_answer(self, ask, encoding):
        found = ask("horizons", board=EASY, encoding=encoding)
        assert (found["status"], found["length"], found["encoding"]) == ("optimal", 12, encoding)
        questions = found["stats"]["questions"]
        low = puzzle_of(EASY).lower_bound()
        refuted = [each["horizon"] for each in questions if not each["satisfiable"]]
        assert (refuted[0], refuted[-1]) == (low, 11)
        assert refuted == sorted(refuted)
        if encoding != "homes":  # which leaps
            assert refuted == list(range(low, 12))
        for each in questions:
            assert each.keys() == {
                "asks", "horizon", "layers", "exact", "variables", "clauses", "satisfiable", "conflicts", "seconds",
            }  # fmt: skip
            assert min(each["variables"], each["clauses"], each["conflicts"] + 1) > 0
        sizes = [each["clauses"] for each in questions]
        assert sizes == sorted(sizes)

    def test_nothing_is_said_of_another_reading(self, ask):
        """Which is solved in other ways; what is shown is this formula."""
        upside_down = "021|012|012|-"
        assert ask("solve", board=upside_down)["notes"]
        assert not ask("horizons", board=upside_down)["notes"]

    def test_sizes_of_questions_are_those_of_the_formula(self, ask):
        (first, *_) = ask("horizons", board=EASY, encoding="order")["stats"]["questions"]
        about = ask("formula", board=EASY, encoding="order", horizon=first["horizon"])
        assert sum(each["count"] for each in about["variables"]) == first["variables"]
        assert sum(each["count"] for each in about["clauses"]) == first["clauses"]

    def test_questions_come_as_they_are_answered(self, client):
        response = client.post("/api/horizons", json={"board": EASY, "encoding": "sequential"})
        progress = [data for name, data in events_of(response.text) if name == "progress"]
        seen = [data["questions"] for data in progress if "questions" in data]
        assert [each["horizon"] for each in seen[-1]][:2] == [9, 10]
        assert sorted(map(len, seen)) == list(map(len, seen))

    def test_water_asks_again_without_the_assumption(self, ask):
        """Models may then be no plans; only the second answer counts as a refutation."""
        questions = ask("horizons", board="cba|bba|acc|-", puzzle="water-sort", encoding="order")["stats"]["questions"]
        found = [(each["horizon"], each["exact"], each["satisfiable"]) for each in questions]
        assert found == [(4, True, False), (4, False, False), (5, True, True)]

    def test_horizons_refuse_what_they_cannot_ask(self, ask):
        assert ask("horizons", board=EASY, encoding="knocks").startswith("the knocks encoding takes shot boards")
        assert ask("horizons", board=EASY, encoding="best").startswith("encoding: expected one of order, homes")
        assert "takes" in ask("horizons", board="?bca|?cab|a?bc|-|-")

    def test_the_sat_solver_is_the_one_asked_for(self, ask):
        assert ask("horizons", board=EASY)["solver"] == "cadical195"
        assert ask("horizons", board=EASY, solver="glucose4")["solver"] == "glucose4"
        assert ask("horizons", board=EASY, solver="kissat").startswith("solver: expected one of cadical153")


class TestMethods:
    @pytest.mark.parametrize("board", [EASY, TILES], ids=["ball-sort", "tiles"])
    def test_every_method_that_is_offered_takes_the_board(self, ask, board):
        found = ask("methods", board=board)
        position = puzzle_of(board)
        assert found["encodings"][0] == ask("formula", board=board)["encoding"]
        assert found["encodings"] == [encoding.name for encoding in encodings_for(position)]
        assert found["sat_solvers"][0] == ask("horizons", board=board)["solver"]

    def test_methods_are_those_of_the_position_after_the_moves(self, ask):
        board = {"puzzle": "shot", "width": 3, "height": 1, "balls": [[0, 0], [2, 0]]}
        assert ask("methods", board=board, moves=[[0, 0, "right"]])["encodings"] == ["knocks"]
        assert "tube 4 is empty" in ask("methods", board=EASY, moves=[[3, 0]])

    def test_a_board_with_hidden_cells_has_strategies_and_no_methods(self, ask):
        assert ask("methods", board="?bca|?cab|a?bc|-|-").startswith("a board with hidden cells has strategies")


class TestFormula:
    def test_the_formula_is_described_as_in_python(self, ask):
        found = ask("formula", board=EASY, moves=[[0, 3]], encoding="order", horizon=11)
        position = puzzle_of(EASY).apply(Pour(0, 3))
        expected = describe(position, ENCODINGS["order"], 11).to_json(position)
        assert found == json.loads(json.dumps(expected))
        assert found["unsat"] == "no plan has 11 moves or fewer"
        assert (found["colours"], found["blocks"][0]) == (
            ["c", "a", "b"],
            {"tube": 0, "level": 0, "size": 1, "colour": "c"},
        )

    def test_the_formula_of_another_puzzle_has_no_blocks(self, ask):
        found = ask("formula", board=TILES)
        assert (found["encoding"], found["blocks"]) == ("clicks", None)
        assert found["horizon"] == puzzle_of(TILES).lower_bound()

    def test_a_horizon_that_is_none_is_refused(self, ask):
        assert ask("formula", board=EASY, horizon=MOST_MOVES + 1).startswith("horizon: expected a whole number from 0")
        assert ask("formula", board=EASY, horizon="5").startswith("horizon: expected a whole number")


class TestWhy:
    def test_a_lost_position_has_been_searched_to_its_end(self, ask):
        found = ask("why", board=LOST)
        assert (found["status"], found["positions"]) == ("unsolvable", positions_from(puzzle_of(LOST), 10_000))
        assert found["sentences"] == [
            f"{found['positions']} different positions can follow. All were looked at, and none is solved."
        ]

    def test_a_position_without_a_move_is_lost_at_once(self, ask):
        found = ask("why", board="capacity 2\nab|ba")
        assert (found["positions"], found["length"]) == (1, None)
        assert found["sentences"] == ["No move leads to another position, and this one isn't solved."]

    def test_too_many_positions_are_not_counted(self):
        position = puzzle_of("bcc|baa|bca|-")
        assert positions_from(position, 3) is None
        found = explanation(position, solve(position), None)
        assert found["sentences"][0].endswith("states, for all that can follow, and none is solved.")

    def test_an_optimum_above_the_bound_says_what_was_refuted(self, ask):
        found = ask("why", board=LEVEL)
        assert (found["status"], found["length"], found["bound"]) == ("optimal", 38, 31)
        assert found["sentences"] == [
            "Every plan has 31 moves or more. That is the lower bound: it counts moves that every plan needs.",
            f"A search excluded plans of 31 to 37 moves: it looked at {found['states']:,} states, "
            "and none leads to such a plan.",
        ]

    def test_an_optimum_at_the_bound_rests_on_the_bound(self, ask):
        board = "ab|ba|-"
        assert ask("why", board=board, moves=[[0, 2]])["sentences"] == [
            "Every plan has 2 moves or more. That is the lower bound: it counts moves that every plan needs."
        ]
        assert ask("why", board="aa|bb|-")["sentences"] == ["The board is solved."]

    @pytest.mark.parametrize("figures", [{"settled_by": "borders", "tables": 1_234}, {"settled_by": "cpsat"}], ids=str)
    def test_figures_of_a_search_that_settled_nothing_are_left_out(self, figures):
        position = puzzle_of(LOST)
        result = replace(solve(position), stats={"expansions": 99, **figures})
        found = explanation(position, result, None)
        assert found["states"] is None
        assert found["tables"] == figures.get("tables")
        expected = "1,234 tables of what is left" if "tables" in figures else "It is proved that there is no plan"
        assert expected in found["sentences"][0]

    def test_an_optimum_without_states_has_no_figures(self):
        position = puzzle_of(LEVEL)
        found = explanation(position, replace(solve(position), stats={"settled_by": "cpsat"}), None)
        assert found["sentences"][1] == "Plans of 31 to 37 moves were excluded by the backend cpsat."

    def test_what_is_not_known_is_said_to_be_open(self, ask):
        found = ask("why", board=HARD, seconds=0.3)
        assert found["status"] in ("feasible", "unknown")
        assert "isn't known" in found["sentences"][0]

    def test_a_lost_position_that_leads_to_a_goal_is_a_bug(self):
        with pytest.raises(BackendError, match="a position without a solution leads to a goal"):
            positions_from(puzzle_of("ab|ba|-"), 100)

    def test_boards_with_hidden_cells_have_no_why(self, ask):
        assert ask("why", board="?bca|?cab|a?bc|-|-").startswith("a board with hidden cells has no proof")
