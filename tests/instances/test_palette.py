"""The palette: apart for all eyes, readable, and with something for every name."""

from itertools import combinations

import pytest

from bsp_sat.apps.pictures.names import NAMES
from bsp_sat.instances.palette import GROUND, INK, NAMED, NEAR, PALETTE, QUIET, fills_for, paints_for
from tests.support.vision import EYES, contrast, difference, seen_by

# Lab, Lab, their difference: from the test data of Sharma, Wu and Dalal.
PUBLISHED = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0),
    ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.441), (91.1528, -1.6435, 0.0447), 1.4441),
]


@pytest.mark.parametrize(("one", "other", "expected"), PUBLISHED)
def test_the_measure_is_the_published_one(one, other, expected):
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)
    assert difference(other, one) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(("number", "least"), [(8, 16), (14, 14), (len(PALETTE), 10)])
def test_colours_are_apart_for_all_eyes(eye, number, least):
    seen = [seen_by(eye, fill) for fill in PALETTE[:number]]
    assert min(difference(one, other) for one, other in combinations(seen, 2)) >= least


def test_what_is_written_can_be_read():
    assert all(contrast(paint.fill, paint.ink) >= 4.5 for paint in paints_for(list(NAMED)))
    assert min(contrast(GROUND, INK), contrast(GROUND, QUIET)) >= 4.5


def test_every_edge_stands_out_from_the_ground():
    assert all(contrast(paint.line, GROUND) >= 1.5 for paint in paints_for(list(NAMED)))


def test_the_names_that_pictures_are_read_with_have_colours():
    assert set(NAMES) <= NAMED.keys() | NEAR.keys()
    assert {name for names in NEAR.values() for name in names} <= NAMED.keys()
    assert not NAMED.keys() & NEAR.keys()


def test_names_get_their_colour_and_no_other_name_gets_it():
    colours = ["dark red", "Red", 1, "maroon", "gray", "grey", "red", 2]
    fills = dict(zip(colours, fills_for(colours), strict=True))
    assert fills["Red"] == NAMED["red"]
    assert fills["maroon"] == NAMED["maroon"]
    assert fills["grey"] == NAMED["grey"]
    assert fills["gray"] == NAMED["black"]  # the next that comes near
    assert len(set(fills.values())) == len(colours)


def test_beyond_the_palette_symbols_tell_colours_apart():
    paints = paints_for(list(range(60)))
    assert {paint.fill for paint in paints} == set(PALETTE)
    assert len({paint.symbol for paint in paints}) == 60
