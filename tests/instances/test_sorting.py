"""Ball sort and water sort: rules, known positions, and what players see."""

from itertools import permutations, product
from random import Random

import pytest

from bsp_sat import BallSort, Pour, Tiles, WaterSort
from bsp_sat.apps.page.move_text import in_past_tense
from bsp_sat.instances.files import instance_of
from bsp_sat.instances.tiles import Click
from tests.support.helpers import board, every_rule


class TestGoals:
    @every_rule
    @pytest.mark.parametrize(
        ("text", "full", "monochrome"),
        [("aa|bb|-", True, True), ("a|a|bb", False, True), ("ab|ab", False, False), ("-|-", True, True)],
    )
    def test_a_board_is_a_goal_as_its_goal_says(self, rule, text, full, monochrome):
        assert board(rule, text, 2).is_goal() is full
        assert board(rule, text, 2, "monochrome").is_goal() is monochrome

    def test_unfinished_names_the_tubes(self):
        assert board(BallSort, "aa|bc|cb|-", 2).unfinished() == "tubes 2, 3 should be one colour and full"
        assert board(BallSort, "aa|bc|b|-", 2, "monochrome").unfinished() == "tube 2 should be one colour"
        assert board(BallSort, "aa|-", 2).unfinished() == ""

    def test_a_board_may_have_been_read_upside_down(self):
        how, turned = board(BallSort, "aab|bba|-", 3).misreading()
        assert (how, turned.coloured_tubes()) == (
            "with its tubes read top-down",
            [["b", "a", "a"], ["a", "b", "b"], []],
        )
        assert board(BallSort, "aba|bab|-", 3).misreading() is None


class TestBounds:
    """By hand; `test_soundness` compares with exact distances."""

    @pytest.mark.parametrize(
        ("text", "capacity", "goal", "balls", "water"),
        [
            ("ab|ba|-", 2, "full", 2, 2),
            ("aabb|bbaa|-", 4, "full", 4, 2),
            (
                "aab|aab|aab|-",
                3,
                "full",
                5,
                5,
            ),  # a fills two tubes: two of its bottoms may stay, but each has to be filled
            ("aab|aab|aab|-", 3, "monochrome", 3, 3),
            ("a|a", 2, "full", 1, 1),
            ("a|a", 2, "monochrome", 0, 0),
        ],
    )
    def test_the_lower_bound_is_the_one_found_by_hand(self, text, capacity, goal, balls, water):
        assert board(BallSort, text, capacity, goal).lower_bound() == balls
        assert board(WaterSort, text, capacity, goal).lower_bound() == water


class TestPrunings:
    def moves(self, text, capacity, *prunings, goal="full"):
        return {tuple(move) for move in board(BallSort, text, capacity, goal).pruned_moves(frozenset(prunings))}

    def test_finished_tubes_are_left_alone(self):
        assert self.moves("aa|bc|cb|-", 2, "finished") == {(1, 3), (2, 3)}

    def test_a_full_tube_of_a_colour_that_fills_two_is_not_finished(self):
        assert (0, 3) in self.moves("aa|ab|ab|-", 2, "finished")

    def test_a_one_colour_tube_does_not_move_into_an_empty_one(self):
        assert self.moves("a|ab|b|-", 2, "whole-tube") == {(1, 2), (1, 3)}

    def test_one_of_several_empty_tubes_stands_for_all(self):
        assert self.moves("ab|-|ba|-", 2, "one-empty") == {(0, 1), (2, 1)}

    def test_canonical_is_the_same_for_every_order_of_tubes(self):
        puzzle = board(BallSort, "ab|ba|-|cc", 2)
        turned = [
            BallSort(tuple(order), puzzle.capacity, puzzle.goal, puzzle.palette) for order in permutations(puzzle.tubes)
        ]
        assert {state.canonical() for state in turned} == {puzzle.canonical()}

    def test_describe_counts_from_one(self):
        assert board(BallSort, "ab|ba|-", 2).describe(Pour(0, 2)) == "1 → 3  b"

    def test_a_colour_that_is_a_number_is_not_taken_for_another_number(self):
        puzzle = BallSort.from_json(
            {
                "capacity": 2,
                "tubes": [[4, 5], [5, 4], []],
                "accepts": {"2": [4]},
                "locked": [{"tube": 1, "until": {"colour": 4}}],
            }
        )
        assert puzzle.describe(Pour(0, 2)) == "1 → 3  colour 5"
        assert puzzle.refusal(Pour(0, 2)) == "tube 3 does not accept colour 5"
        assert puzzle.refusal(Pour(1, 2)) == "tube 2 is locked until colour 4 is complete"
        assert board(BallSort, "45|4|5", 2).refusal(Pour(1, 2)) == "colour 4 cannot go on colour 5"
        assert Tiles.from_columns([[3]]).describe(Click(0)) == "1  colour 3"
        assert in_past_tense(puzzle, Pour(0, 2)) == "Moved colour 5 from tube 1 to tube 3"

    def test_a_board_is_summed_up_in_words(self):
        assert board(BallSort, "aa", 2).summary() == "ball-sort, 1 colour, 1 tube of 2"
        assert board(WaterSort, "ab|b|a", 2, "monochrome").summary().endswith(", goal monochrome")


class TestDefinitions:
    """What docs/ says in words, once more in a few lines that share nothing with the package."""

    def test_the_pruning_uneven_is_as_the_documents_define_it(self):
        capacity = 4

        def allowed(move, tubes):
            source, target = tubes[move.source], tubes[move.target]
            ball = source[-1]
            of_colour = [tube for tube in tubes if set(tube) == {ball}]
            if set(source) == {ball} and len(source) > min(map(len, of_colour)):
                return False
            others = [tube for place, tube in enumerate(tubes) if place != move.source and set(tube) <= {ball}]
            return len(set(target)) > 1 or len(target) == max(len(tube) for tube in others if len(tube) < capacity)

        for seed in range(300):
            chance = Random(seed)
            uniform = [[colour] * chance.randint(1, capacity) for colour in "aab" for _ in range(chance.randint(1, 2))]
            mixed = [["a", "b"], ["b", "a", "a"]][: chance.randint(0, 2)]
            tubes = [*uniform, *mixed, [], []]
            chance.shuffle(tubes)
            puzzle = BallSort.from_tubes(tubes, capacity, "monochrome")
            left = set(puzzle.pruned_moves(frozenset({"uneven"})))
            assert left == {move for move in puzzle.legal_moves() if allowed(move, tubes)}, seed

    def test_the_goal_gathered_is_as_the_documents_define_it(self):
        every_tube = [*map(list, product("ab", repeat=2)), ["a"], ["b"], []]
        goals = others = 0
        for tubes in product(every_tube, repeat=3):
            if not any(tubes) or any(sum(tube.count(colour) for tube in tubes) > 2 for colour in "ab"):
                continue  # of one colour more than a tube holds
            fields = {"puzzle": "ball-sort", "capacity": 2, "tubes": list(tubes), "goal": "gathered"}
            is_goal = instance_of(fields).puzzle.is_goal()
            unmixed = all(len(set(tube)) <= 1 for tube in tubes)
            assert is_goal == (unmixed and all(sum(colour in tube for tube in tubes) <= 1 for colour in "ab"))
            goals, others = goals + is_goal, others + (not is_goal)
        assert min(goals, others) > 20
