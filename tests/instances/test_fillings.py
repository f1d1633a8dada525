"""Whether there is a way to deal out the missing balls: found by counting, against trying all ways."""

import json
from collections import Counter
from itertools import pairwise, permutations
from random import Random

import pytest

import bsp_sat
from bsp_sat import BallSort, BoardError, WaterSort
from bsp_sat.apps.covered.board import fillings_of
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.sorting import is_hidden

REFUSED = "no way to deal out the missing balls"


def random_board(chance):
    """Tubes of covered balls below one that shows, or a run of them; the missing balls are of any colours."""
    tubes = [[None] * chance.randint(0, 2) + [chance.choice("abc")] * chance.randint(1, 2) for _ in range(3)]
    shown = Counter(ball for tube in tubes for ball in tube if ball)
    missing = [chance.choice("abcd") for tube in tubes for ball in tube if ball is None]
    counts = shown + Counter(missing)
    return {"capacity": 4, "tubes": [*tubes, []], "colours": dict(counts), "goal": "monochrome"}, sorted(missing)


def ways(tubes, missing):
    """Every way to deal them out in which what is covered below a shown run is of another colour."""
    cells = [(tube, level) for tube, balls in enumerate(tubes) for level, ball in enumerate(balls) if ball is None]
    for way in sorted(set(permutations(missing))):
        filled = [list(tube) for tube in tubes]
        for (tube, level), ball in zip(cells, way, strict=True):
            filled[tube][level] = ball
        if not any(
            known is None and lower == upper and ball is not None
            for tube, start in zip(filled, tubes, strict=True)
            for (lower, upper), (known, ball) in zip(pairwise(tube), pairwise(start), strict=True)
        ):
            yield way


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_a_filling_is_found_exactly_where_there_is_one(first):
    refused = 0
    for seed in range(first, first + 50):
        board, missing = random_board(Random(seed))
        found = list(ways(board["tubes"], missing))
        try:
            position = WaterSort.from_json(board)
        except BoardError as error:
            if REFUSED in str(error):
                refused += 1
                assert not found, board
            continue
        if is_hidden(position):
            assert position.has_filling()
            assert [tuple(position.palette[ball] for ball in filling) for filling in fillings_of(position)] == sorted(
                found, key=lambda way: [position.palette.index(ball) for ball in way]
            )
    assert refused


def test_where_it_takes_trying_all_ways():
    """Reading a board can't take for ever: the last cells can't be of the only colour that trying leaves for them."""
    tubes = [[None] * 15 + ["b"], *([[None, "z"]] * 15), [], []]
    colours = {"b": 6, "c": 5, "d": 5, "z": 30}
    board = {"capacity": 30, "tubes": tubes, "colours": colours, "goal": "monochrome"}
    assert WaterSort.from_json(board).has_filling()
    board["colours"] = {**colours, "c": 4, "z": 31}
    with pytest.raises(BoardError, match=REFUSED):
        WaterSort.from_json(board)


def test_thousands_of_cells_are_filled():
    board = {"capacity": 30, "tubes": [*([None] * 29 + [str(colour)] for colour in range(80)), [], []]}
    position = WaterSort.from_json(board)
    assert is_hidden(position)
    assert len(next(fillings_of(position))) == 29 * 80


def test_where_counts_tell_what_is_missing_colours_are_numbered_as_they_show():
    """So that a board that is written and read again is the same."""
    known = parse(tubes=[[None, "b"], ["b", "a"], []])
    assert known.palette == ("a", "b")
    assert known.tubes == (b"\x00\x01", b"\x01\x00", b"")
    assert known == parse(tubes=[["a", "b"], ["b", "a"], []], hidden=[[True, False], [False, False], []])
    assert known == parse(tubes=[["b", None], ["a", "b"], []], order="top-down")


def parse(**fields):
    return parse_instances(json.dumps({"puzzle": "ball-sort", "capacity": 2, **fields}))[0].puzzle


def test_a_number_with_zeros_before_it_is_the_name_of_another_colour():
    with pytest.raises(BoardError, match="0 cells unknown, but 3 balls missing"):
        parse(tubes=[[1, 1], []], goal="gathered", colours={"1": 2, "00": 3})


def test_cells_that_can_not_have_the_one_colour_that_is_missing_are_refused():
    """Below a run that shows as a whole the next cell has another colour, although the counts leave none."""
    board = {"capacity": 3, "reveal": "run", "tubes": [["g", "g", "g"], [None, None, "r"]], "colours": {"g": 3, "r": 3}}
    for read in (BallSort.from_json, lambda board: bsp_sat.board({"puzzle": "ball-sort", **board})):
        with pytest.raises(BoardError, match="no way to deal out the missing balls agrees with what shows"):
            read(board)
    assert BallSort.from_json({**board, "reveal": "cell"}).coloured_tubes()[1] == ["r", "r", "r"]
