"""Plans: `Plan.replay` is the only judge, and what a file says is what is judged."""

import json
import pickle
import random
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bsp_sat import BallSort, GoalNotReached, IllegalMove, Plan, PlanError, Pour, Shot, Tiles, load
from bsp_sat.instances.puzzle import Puzzle
from bsp_sat.instances.shot import DIRECTIONS, Knock
from bsp_sat.instances.tiles import Click
from tests.support.helpers import board, every_rule, solve_here
from tests.support.malformed import MALFORMED_PLANS

PUZZLE = board(BallSort, "ab|ba|-", 2)
SHORTEST = Plan((Pour(0, 2), Pour(1, 0), Pour(1, 2)))


def test_a_plan_is_a_sequence_of_moves():
    assert list(SHORTEST) == list(SHORTEST.moves) == [Pour(0, 2), Pour(1, 0), Pour(1, 2)]
    assert (len(SHORTEST), SHORTEST[0], SHORTEST[-1]) == (3, Pour(0, 2), Pour(1, 2))
    assert Pour(1, 0) in SHORTEST
    assert Plan(())  # is a plan too
    with pytest.raises(IndexError):
        SHORTEST[3]


class TestReplay:
    def test_a_replay_returns_the_solved_position(self):
        assert SHORTEST.replay(PUZZLE).coloured_tubes() == [["a", "a"], [], ["b", "b"]]

    def test_an_empty_plan_solves_a_solved_board_only(self):
        solved = board(BallSort, "aa|-", 2)
        assert Plan(()).replay(solved) == solved
        with pytest.raises(GoalNotReached, match="after 0 moves the ball-sort board is not solved: tubes 1, 2 should"):
            Plan(()).replay(PUZZLE)

    @pytest.mark.parametrize(
        ("puzzle", "move", "text"),
        [
            (PUZZLE, (0, 2), ""),
            (PUZZLE, (0, 1), "move 1 (1 → 2  b) is illegal: tube 2 is full"),
            (PUZZLE, (0, 9), "move 1 (1 → 10  b) is illegal: there is no tube 10, the board has 3"),
            (
                BallSort.from_text("no-out 1\nab|ba|-"),
                (0, 2),
                "move 1 (1 → 3  b) is illegal: nothing may be taken from tube 1",
            ),
            (Tiles.from_columns(["ab"]), (0,), ""),
            (Tiles.from_columns(["ab"]), (1,), "move 1 (2) is illegal: there is no column 2, the board has 1"),
            (Shot.from_balls(7, 9, [(0, 0), (2, 0)]), (0, 0, "right"), ""),
            (
                Shot.from_balls(7, 9, [(0, 0)]),
                (0, 0, "right"),
                "move 1 (1 1 right) is illegal: it strikes no ball and would leave the grid",
            ),
        ],
    )
    def test_a_move_may_be_a_plain_tuple(self, puzzle, move, text):
        if text:
            with pytest.raises(IllegalMove, match=re.escape(text)):
                puzzle.play([move])
            with pytest.raises(IllegalMove, match=re.escape(text)):
                Plan((move,)).replay(puzzle)
            assert text.endswith(puzzle.refusal(move))
        else:
            assert puzzle.refusal(move) is None
            assert puzzle.play([move]) == puzzle.apply(move) != puzzle
        assert Plan.from_json(puzzle, Plan((move,)).to_json(puzzle)) == Plan((move,))

    @pytest.mark.parametrize(
        ("moves", "step", "text"),
        [
            ([(0, 1)], 1, "move 1 (1 → 2  b) is illegal: tube 2 is full"),
            ([(0, 2), (1, 2)], 2, "move 2 (2 → 3  a) is illegal: a cannot go on b"),
            ([(0, 2), (1, 0), (1, 2), (1, 2)], 4, "move 4 (2 → 3) is illegal: tube 2 is empty"),
            ([(0, 2), (2, 2)], 2, "move 2 (3 → 3  b) is illegal: source and target are the same tube"),
            ([(0, 3)], 1, "move 1 (1 → 4  b) is illegal: there is no tube 4, the board has 3"),
            ([(9, 0)], 1, "move 1 (10 → 1) is illegal: there is no tube 10, the board has 3"),
            ([(-1, 0)], 1, "move 1 (0 → 1) is illegal: there is no tube 0, the board has 3"),
            ([(10**30, 0)], 1, f"move 1 ({10**30 + 1} → 1) is illegal: there is no tube {10**30 + 1}, the board has 3"),
        ],
    )
    @every_rule
    def test_the_first_illegal_move_is_named(self, rule, moves, step, text):
        with pytest.raises(IllegalMove) as caught:
            Plan(tuple(Pour(*move) for move in moves)).replay(board(rule, "ab|ba|-", 2))
        assert str(caught.value) == text
        assert caught.value.step == step

    def test_legal_moves_that_end_nowhere_are_no_plan(self):
        with pytest.raises(
            GoalNotReached, match="after 1 move the ball-sort board is not solved: tubes 1, 3, 4 should"
        ):
            Plan(SHORTEST.moves[:1]).replay(board(BallSort, "ab|cc|-|ab", 2))


@pytest.mark.parametrize("moves", [(), (Pour(0, 2), Pour(1, 0)), (Click(1), Pour(1, 0))], ids=len)
def test_plans_travel_as_short_tuples(moves):
    plan = Plan(moves)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert (plan.__reduce__()[0] is Plan) == (len({type(move) for move in moves}) != 1)


@pytest.mark.parametrize("name", ["level-80", "tiles-2022-11-16", "shot-literate"])
class TestCorruptedPlans:
    def test_no_move_can_be_left_out_of_a_shortest_plan(self, name):
        puzzle = load(name)
        plan = solve_here("astar", puzzle).plan
        for left_out in range(len(plan)):
            with pytest.raises((IllegalMove, GoalNotReached)):
                Plan(plan.moves[:left_out] + plan.moves[left_out + 1 :]).replay(puzzle)

    def test_moves_are_refused_with_the_same_words_where_no_position_is_made_for_each(self, name):
        puzzle = load(name)
        moves = solve_here("astar", puzzle).plan.moves
        for seed in range(50):
            some = random.Random(seed).choices(moves, k=4)
            for each in (moves, moves[: seed // 2], [*moves[: seed // 3], *some]):
                assert ended(puzzle.play, each) == ended(partial(Puzzle.play, puzzle), each)


def ended(played, moves):
    """The position after moves, or the words that refuse one."""
    try:
        return played(moves)
    except IllegalMove as error:
        return str(error)


class TestMalformed:
    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            *((None, case.contents.decode(), case.message) for case in MALFORMED_PLANS),
            ("tiles-2022-11-16", "[1, [2]]", "plan[1]: expected a column number, found [2]"),
            ("tiles-2022-11-16", "[true]", "plan[0]: expected a column number, found True"),
            ("tiles-2022-11-16", "1\n0", "line 2: expected a column number, counted from 1, found '0'"),
            ("tiles-2022-11-16", "white", "line 1: expected a column number, counted from 1, found 'white'"),
            ("tiles-2022-11-16", "1" * 5000, "line 1: expected a column number"),
            ("shot-literate", "[[0, 0]]", "plan[0]: expected [x, y, direction] with one of left, right, up, down"),
            ("shot-literate", '[[0, 0, "north"]]', "plan[0]: expected [x, y, direction]"),
            ("shot-literate", '[[0, true, "up"]]', "plan[0]: expected [x, y, direction]"),
            ("shot-literate", "1 1 right\n1 0 up", "line 2: expected COLUMN ROW DIRECTION, counted from 1"),
            ("shot-literate", "1 1 north", "line 1: expected COLUMN ROW DIRECTION"),
            ("shot-literate", "1" * 5000 + " 1 up", "line 1: expected COLUMN ROW DIRECTION"),
            ("shot-literate", "up", "line 1: expected COLUMN ROW DIRECTION"),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_a_malformed_plan_is_refused_with_one_line_that_names_the_place(self, name, text, message):
        with pytest.raises(PlanError) as caught:
            Plan.from_text(load(name) if name else PUZZLE, text)
        assert message in str(caught.value)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 300


class TestText:
    @pytest.mark.parametrize(
        "text",
        [
            "1 3\n2 1\n2 3\n",
            "1 3\r\n2 1\r\n2 3",
            "1 -> 3\n2->1\n2 → 3",
            "1, 3\n2,1\n2 , 3",
            "1→3 2→1 2→3",
            "1 → 3 b, 2 -> 1 a\n2->3",
            "1-3, 2>1\n2-3",
            " 1. 1 → 3  b\n 2. 2 → 1  a\n10. 2 → 3  b\n",
            "# shortest\n1 3 # b\n\n2 1\n2 3\n",
            "1 3  not green\n2 1  hot pink\n2 3  7",
            "[[0, 2], [1, 0], [1, 2]]",
            '{"status": "optimal", "length": 3, "plan": [[0, 2], [1, 0], [1, 2]]}',
            ' \n {"plan": [\n[0, 2],\n[1, 0],\n[1, 2]\n]}\n',
        ],
    )
    def test_plans_in_text_count_tubes_from_one_and_in_json_from_zero(self, text):
        assert Plan.from_text(PUZZLE, text) == SHORTEST

    def test_a_plan_is_printed_as_people_write_it(self):
        assert str(SHORTEST) == "1→3 2→1 2→3"
        assert (
            repr(SHORTEST)
            == "Plan(moves=(Pour(source=0, target=2), Pour(source=1, target=0), Pour(source=1, target=2)))"
        )
        assert str(Plan((Click(1), Click(0)))) == "2, 1"
        assert str(Plan((Knock(0, 0, "right"), Knock(1, 3, "up")))) == "1 1 right, 2 4 up"
        long = Plan(tuple(Pour(n, n + 1) for n in range(40)))
        assert max(map(len, str(long).splitlines())) <= 80
        assert Plan.from_text(load("level-80"), str(long)) == long

    def test_a_number_above_that_of_any_column_is_a_column_a_digit(self):
        board = load("tiles-2022-11-16")
        plan = Plan.from_text(board, "10010012")
        assert plan == Plan(tuple(Click(int(digit)) for digit in "10010012"))
        assert plan.replay(board).is_goal()
        assert Plan.from_text(board, "100") == Plan((Click(99),))

    def test_a_direction_after_an_arrow_counts_from_zero(self):
        assert Plan.from_text(load("shot-literate"), "(1,1)=> Down").moves == ((1, 1, "down"),)

    @pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "[]", '{"plan": []}'])
    def test_a_plan_of_no_moves(self, text):
        assert Plan.from_text(PUZZLE, text) == Plan(())


pours = st.builds(Pour, st.integers(0, 200), st.integers(0, 200))
knocks = st.builds(Knock, st.integers(0, 20), st.integers(0, 20), st.sampled_from(sorted(DIRECTIONS)))
clicks = st.builds(Click, st.integers(0, 20))


@pytest.mark.parametrize(
    ("name", "moves"), [("level-80", pours), ("shot-literate", knocks), ("tiles-2022-11-16", clicks)]
)
@given(data=st.data())
def test_reading_what_was_written_gives_the_plan_back(name, moves, data):
    puzzle = load(name)
    plan = Plan(tuple(data.draw(st.lists(moves, max_size=5))))
    assert Plan.from_text(puzzle, json.dumps(plan.to_json(puzzle))) == plan
    assert Plan.from_json(puzzle, plan.to_json(puzzle)) == plan
    assert Plan.from_text(puzzle, "\n".join(puzzle.describe(move) for move in plan.moves)) == plan
