"""What stands beside tubes and balls is obeyed or asked about, never dropped; what is no tube is no board."""

import json

import pytest

from bsp_sat import AmbiguousBoard, BallSort, BoardError
from bsp_sat.instances.files import instance_of, parse_instances


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("top_first", "tru", "neither true nor false"),
        ("bottomToTop", 0.5, "neither true nor false"),
        ("tubeSize", [2, 2, 3], "with no number"),
    ],
)
def test_a_key_that_matters_with_a_value_that_says_nothing_is_asked_about(key, value, problem):
    with pytest.raises(AmbiguousBoard, match=problem):
        instance_of({"tubes": [["a", "b"], ["b", "a"], []], key: value})


@pytest.mark.parametrize("capacity", ["3", " 3 ", 3.0])
def test_a_number_as_a_text_or_with_a_point_is_a_number(capacity):
    fields = {"bottles": [["a", "b", "a"], ["b", "b", "a"]], "bottleCapacity": capacity, "emptyTubes": "1"}
    assert instance_of({**fields, "topFirst": "True"}).puzzle == BallSort(["aba", "abb", ""])


@pytest.mark.parametrize("capacity", ["six", 2.5, True, [2, 2, 3]])
def test_a_capacity_that_is_no_number_is_refused(capacity):
    with pytest.raises(BoardError, match="capacity: expected a whole number from 1 to"):
        instance_of({"tubes": [["a", "b"], ["b", "a"], []], "capacity": capacity})


@pytest.mark.parametrize(
    ("ball", "rule"),
    [
        ({"color": "a", "hidden": 1}, "hidden"),
        ({"color": "a", "type": "bomb"}, "type: bomb"),
        ({"color": "a", "id": 7}, ""),
    ],
)
def test_what_sounds_like_a_rule_in_a_ball_is_asked_about(ball, rule):
    board = {"tubes": [[ball, {"color": "b", "hidden": 0, "type": "normal"}], ["b", "a"], []]}
    if rule:
        with pytest.raises(AmbiguousBoard, match=rule):
            instance_of(board)
    else:
        assert instance_of(board).puzzle == BallSort(["ab", "ba", ""])


def test_tubes_that_say_their_capacities_keep_them():
    tubes = [{"cap": 2, "balls": ["a", "b"]}, {"cap": 2, "balls": ["b", "a"]}, {"cap": "3", "balls": []}]
    instance = instance_of({"tubes": tubes})
    assert instance.puzzle.capacities == (2, 2, 3)
    assert "capacities 2 2 3" in instance.read_as
    with pytest.raises(AmbiguousBoard, match="one tube holds a ball less than all others"):
        instance_of({"tubes": [*tubes[:2], {**tubes[2], "cap": 1}]})
    assert instance_of({"tubes": [{**tube, "cap": len(tube["balls"])} for tube in tubes]}).puzzle.capacity == 2
    with pytest.raises(BoardError, match="tube 1: expected at most 1 ball, its capacity, found 2"):
        instance_of({"tubes": [{**tubes[0], "cap": 1}, *tubes[1:]]})


def test_a_first_row_like_all_but_an_empty_tube_may_be_one():
    with pytest.raises(AmbiguousBoard) as caught:
        parse_instances("3, 3\n1, 2\n-\n1, 2\n")
    boards = [reading.boards[0].puzzle for reading in caught.value.readings]
    assert boards == [BallSort(["12", "-", "12"]), BallSort(["33", "12", "-", "12"])]


def test_objects_of_tubes_are_boards_and_places_of_a_tube_are_its_balls():
    tubes = {"tube1": "ab", "tube2": "ba", "tube3": ""}
    assert len(parse_instances(json.dumps([tubes, tubes]))) == 2
    slots = [{"slot1": "a", "slot2": "b"}, {"slot1": "b", "slot2": "a"}, {"slot1": None, "slot2": None}]
    assert instance_of({"tubes": slots}).puzzle == BallSort(["ab", "ba", ""])


def test_names_beside_tubes_leave_tubes_of_two_balls():
    with pytest.raises(AmbiguousBoard) as caught:
        parse_instances("5 2\n0 1\n1 2\n0 2\n")
    boards = [reading.boards[0].puzzle for reading in caught.value.readings]
    assert boards == [BallSort(["1", "21", "2", "", ""]), BallSort(["01", "12", "02", "", ""])]


def test_a_first_row_of_numbers_that_fit_badly_may_be_a_tube():
    with pytest.raises(AmbiguousBoard) as caught:
        parse_instances("3  3\n1  2\n1  2\n-\n")
    assert BallSort(["33", "12", "12", ""]) in [reading.boards[0].puzzle for reading in caught.value.readings]


BALLS = [["y", "r", "b", "y"], ["b", "y", "r", "r"], ["r", "b", "y", "b"], [], []]


def with_keys(*, of_ball=None, of_tube=None, **beside):
    """A board with a key for each ball or tube, whose value goes by its place, and others beside the tubes."""
    tubes = [
        {
            "balls": [{"color": ball, **(of_ball(tube, level) if of_ball else {})} for level, ball in enumerate(balls)],
            **(of_tube(tube, len(balls)) if of_tube else {}),
        }
        for tube, balls in enumerate(BALLS)
    ]
    return {"capacity": 4, "tubes": tubes if of_ball or of_tube else BALLS, **beside}


@pytest.mark.parametrize(
    ("board", "named"),
    {
        "mask": (with_keys(of_ball=lambda _, level: {"mask": int(level < 2)}), "mask"),
        "visible": (with_keys(of_ball=lambda _, level: {"visible": level > 1}), "visible"),
        "a key in any language": (with_keys(of_ball=lambda tube, level: {"verdeckt": tube == level}), "verdeckt"),
        "sealed": (with_keys(of_tube=lambda tube, _: {"sealed": tube == 4}), "sealed"),
        "active": (with_keys(of_tube=lambda tube, _: {"active": tube != 4}), "active"),
        "only one tube has it": (with_keys(of_tube=lambda tube, _: {"adTube": True} if tube == 4 else {}), "adTube"),
        "a field of C#": (with_keys(_isLocked=[4]), "_isLocked"),
        "a field of Unity": (with_keys(of_tube=lambda tube, _: {"m_Shut": tube == 1}), "m_Shut"),
        "beside the balls": ({"tubes": [[tube == 0, balls] for tube, balls in enumerate(BALLS)]}, "argument"),
        "values beside the tubes": (with_keys(shut=[False, False, False, False, True]), "shut"),
        "values of balls beside them": (with_keys(under=[[1, 0, 0, 0], [0] * 4, [1] * 4, [], []]), "under"),
        "a direction that isn't known": (with_keys(direction="down"), "direction: down"),
        "an order that isn't known": (with_keys(tubeOrder="reversed"), "tubeOrder: reversed"),
        "a key of one board": (with_keys(targetTube=2), "targetTube"),
    }.values(),
)
def test_what_varies_among_balls_or_tubes_and_is_not_understood_is_asked_about(board, named):
    with pytest.raises(AmbiguousBoard, match=f"^{named}: this key") as caught:
        instance_of(board)
    (reading,) = caught.value.readings
    assert instance_of(board, choices=reading.choices).puzzle.coloured_tubes() == BALLS


@pytest.mark.parametrize(
    "board",
    [
        with_keys(of_ball=lambda tube, level: {"id": 4 * tube + level, "y": level, "index": level, "tube": tube + 1}),
        with_keys(of_ball=lambda tube, level: {"hex": "#" + BALLS[tube][level] * 3, "place": 4 - level}),
        with_keys(of_tube=lambda tube, size: {"name": f"glass {tube}", "number": tube + 1, "uid": 7 * tube % 5}),
        with_keys(of_tube=lambda _, size: {"isEmpty": not size, "filled": size, "done": False}),
        with_keys(of_tube=lambda tube, size: {"top": BALLS[tube][-1] if size else None, "x": 40.5 * tube}),
        with_keys(ranks=[1, 2, 3, 4, 5], id=7, chapter="down"),
    ],
)
def test_numbers_names_and_what_follows_from_the_balls_are_not_asked_about(board):
    assert instance_of(board).puzzle.coloured_tubes() == BALLS


def test_two_states_of_one_board_are_asked_about():
    now, then = [["r"], ["b", "r"], ["b"]], [["r", "b"], ["b", "r"], []]
    with pytest.raises(AmbiguousBoard) as caught:
        instance_of({"tubes": now, "initialTubes": then})
    offered = [reading.boards[0].puzzle.coloured_tubes() for reading in caught.value.readings]
    assert now in offered
    assert then in offered
