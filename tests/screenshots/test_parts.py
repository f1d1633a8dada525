"""The parts of the reader, each against a method that doesn't share it."""

from itertools import product
from random import Random

import numpy as np
import pytest

from bsp_sat.screenshots.cielab import distance, lab_of, rgb_of
from bsp_sat.screenshots.clusters import Grouping, cheapest_shares, dealt, natural, sizes, tree
from bsp_sat.screenshots.names import names_for
from bsp_sat.screenshots.regions import boxes
from bsp_sat.screenshots.words import NAMES


@pytest.mark.parametrize(("groups", "size"), [(1, 3), (2, 1), (2, 4), (3, 2), (4, 2), (6, 1)])
def test_the_shares_are_the_cheapest(groups, size):
    random = np.random.default_rng(10 * groups + size)
    cells = np.arange(groups * size)
    ways = [way for way in product(range(groups), repeat=len(cells)) if sizes(way) == [size] * groups]
    for lean in (0.0, 1.0):  # towards the first group, which then has too many
        for _ in range(10):
            costs = random.random((len(cells), groups)) + lean * np.arange(groups)
            found = list(map(int, cheapest_shares(costs, size)))
            assert sizes(found) == [size] * groups
            assert costs[cells, found].sum() == pytest.approx(min(costs[cells, way].sum() for way in ways))


def points(*places: float) -> np.ndarray:
    line = np.array(places, dtype=float)
    return np.abs(line[:, None] - line[None])


def test_the_tree_joins_the_nearest_first():
    steps = tree(points(0, 1, 10, 12, 100))
    assert [len(set(labels)) for _, labels in steps] == [5, 4, 3, 2, 1]
    assert [round(height, 2) for height, _ in steps] == [0, 1, 2, 10.5, 94.25]


def test_groups_are_cut_where_they_are_apart():
    cut = natural(tree(points(0, 1, 2, 50, 51, 90)), 6)
    assert cut.labels == (0, 0, 0, 1, 1, 2)
    assert cut.margin > 5


def test_a_cell_is_moved_where_counts_demand_it():
    apart = points(0, 1, 2, 3, 20, 60, 61, 62)
    start = Grouping((0, 0, 0, 0, 0, 1, 1, 1), 3.0, 40.0, 2.0)
    repaired = dealt(apart, start, 4)
    assert sizes(repaired.labels) == [4, 4]
    assert repaired.moved == {4}


def flooded(mask: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Boxes of connected regions, pixel by pixel."""
    left = {(int(y), int(x)) for y, x in np.argwhere(mask)}
    found = []
    while left:
        region, edge = set(), [left.pop()]
        while edge:
            y, x = edge.pop()
            region.add((y, x))
            for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if place in left:
                    left.remove(place)
                    edge.append(place)
        if len(region) >= 25:
            ys, xs = [y for y, _ in region], [x for _, x in region]
            found.append((min(xs), min(ys), max(xs) + 1, max(ys) + 1))
    return sorted(found)


@pytest.mark.parametrize("seed", range(6))
def test_regions_are_those_of_a_flood(seed):
    random = np.random.default_rng(seed)
    mask = random.random((60, 40)) < (0.55, 0.62, 0.7)[seed % 3]
    found = boxes(mask)
    assert sorted(zip(found.left, found.top, found.right, found.bottom, strict=True)) == flooded(mask)
    assert (found.area <= (found.right - found.left) * (found.bottom - found.top)).all()
    assert ((found.core >= 0) & (found.core <= 1)).all()


def test_an_empty_picture_has_no_regions():
    assert len(boxes(np.zeros((20, 20), dtype=bool)).area) == 0


def test_a_ring_counts_as_a_disc_and_a_waist_has_no_core():
    y, x = np.mgrid[:41, :41] - 20
    ring = boxes((np.hypot(x, y) <= 20) & (np.hypot(x, y) >= 8))
    assert ring.area[0] == pytest.approx(np.pi * 20.5**2, rel=0.05)
    assert ring.core[0] == 1
    waist = boxes((np.hypot(x, y - 24) > 20) & (np.hypot(x, y + 24) > 20))
    assert waist.core[0] < 0.4


def test_colours_survive_the_way_to_another_space_and_back():
    random = Random(3)
    for _ in range(50):
        rgb = random.randrange(256), random.randrange(256), random.randrange(256)
        assert rgb_of(lab_of(np.array(rgb, dtype=np.uint8))) == rgb


def test_lab_is_what_the_standard_says():
    white, grey = lab_of(np.array([[255, 255, 255], [119, 119, 119]], dtype=np.uint8))
    assert white == pytest.approx([100, 0, 0], abs=0.1)
    assert grey == pytest.approx([50, 0, 0], abs=0.2)
    assert distance(white, grey) == pytest.approx(50, abs=0.3)


def test_every_name_names_its_own_colour():
    colours = [lab_of(np.array(rgb, dtype=np.uint8)) for rgb in NAMES.values()]
    assert names_for(colours) == list(NAMES)


def test_more_colours_than_names_are_told_apart_by_numbers():
    colours = [lab_of(np.array([level, 20, 20], dtype=np.uint8)) for level in range(60, 60 + len(NAMES) + 3)]
    names = names_for(colours)
    assert len(set(names)) == len(colours)
