"""The parts of the reader, each against a method that doesn't share it."""

from math import dist, hypot
from random import Random
from statistics import mean, median_low

import pytest
from PIL import Image

from bsp_sat.apps.pictures.capacity import find_capacities
from bsp_sat.apps.pictures.clusters import dealt, grouped, natural, tree
from bsp_sat.apps.pictures.contents import Contents
from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.apps.pictures.names import NAMES, lab_of, names_for, rgb_of
from bsp_sat.apps.pictures.picture import PixelPicture, Region
from bsp_sat.apps.pictures.rows import Tube, find_rows
from bsp_sat.apps.pictures.stacks import find_stacks


def points(*places: float) -> list[list[float]]:
    return [[abs(one - other) for other in places] for one in places]


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_is_that_of_average_linkage(seed):
    random = Random(seed)
    places = [random.uniform(0, 100) for _ in range(12)]
    steps = tree(points(*places))
    groups = [[place] for place in places]
    for height, labels in steps[1:]:
        apart = [
            (mean(abs(a - b) for a in one for b in other), number, second)
            for number, one in enumerate(groups)
            for second, other in enumerate(groups[:number])
        ]
        least, number, second = min(apart)
        groups[second] += groups.pop(number)
        assert height == pytest.approx(least)
        assert len(set(labels)) == len(groups)


def test_groups_are_cut_where_they_are_apart():
    steps = tree(points(0, 1, 2, 50, 51, 90))
    cut = natural(steps, 6)
    assert cut.labels == (0, 0, 0, 1, 1, 2)
    assert cut.margin > 5
    assert cut.sizes() == [3, 2, 1]
    assert grouped(steps, 2).sizes() in ([3, 3], [5, 1])


def test_a_cell_is_moved_where_counts_demand_it():
    start = grouped(tree(points(0, 1, 2, 3, 20, 60, 61, 62)), 2)
    repaired = dealt(points(0, 1, 2, 3, 20, 60, 61, 62), start, 4)
    assert (repaired.sizes(), repaired.moved) == ([4, 4], {4})


def picture_of(image: Image.Image, width: int | None = None) -> PixelPicture:
    return PixelPicture(bytearray(image.convert("RGB").tobytes()), image.size, width or image.width)


def flooded(image: Image.Image) -> list[tuple[int, int, int, int]]:
    """Boxes of connected pixels with grey ones on all four sides, pixel by pixel."""
    wide, high = image.size
    left = {
        (x, y)
        for x in range(wide)
        for y in range(high)
        if not (0 < x < wide - 1 and image.getpixel((x - 1, y)) != image.getpixel((x + 1, y)))
        and not (0 < y < high - 1 and image.getpixel((x, y - 1)) != image.getpixel((x, y + 1)))
    }
    found = []
    while left:
        region, edge = set(), [left.pop()]
        while edge:
            x, y = edge.pop()
            region.add((x, y))
            for place in ((x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y)):
                if place in left:
                    left.remove(place)
                    edge.append(place)
        xs, ys = [x for x, _ in region], [y for _, y in region]
        across, down = max(xs) + 1 - min(xs), max(ys) + 1 - min(ys)
        area = sum(
            max(x for x, other in region if other == y) - min(x for x, other in region if other == y) + 1
            for y in set(ys)
        )
        middle = [y for x, y in region if x == (min(xs) + max(xs) + 1) // 2]
        core = max(middle) + 1 - min(middle) if middle else 0
        cell = 7 <= across <= 0.34 * wide and 0.25 * across <= down <= 14 * across
        if cell and area >= 0.56 * across * down and core >= 0.7 * down:
            found.append((min(xs), min(ys), max(xs) + 1, max(ys) + 1, area))
    return sorted(found)


@pytest.mark.parametrize("seed", range(6))
def test_regions_are_those_of_a_flood(seed):
    random = Random(seed)
    image = Image.new("L", (90, 60))
    for _ in range(14):
        x, y = random.randrange(80), random.randrange(50)
        image.paste(random.randrange(0, 256, 50), (x, y, x + random.randrange(3, 30), y + random.randrange(3, 30)))
    assert sorted(picture_of(image).regions(4)) == flooded(image)


def test_a_look_is_the_median_of_a_ring():
    random = Random(5)
    image = Image.new("RGB", (40, 40))
    image.putdata([tuple(random.randrange(256) for _ in range(3)) for _ in range(1600)])
    (look,) = picture_of(image).looks([(4.5, 4.5, 34.5, 34.5)])
    steps = [(number + 0.5) / 15 for number in range(15)]
    ring = [(x, y) for x in steps for y in steps if 0.18 <= hypot(x - 0.5, y - 0.5) <= 0.38]
    labs = [lab_of(image.getpixel((int(4.5 + 30 * x), int(4.5 + 30 * y)))) for x, y in ring]
    expected = [median_low(lab[channel] for lab in labs) for channel in range(3)]
    assert look.colour == pytest.approx(expected, abs=1.5)
    assert dist(look.corners[0], lab_of(image.getpixel((7, 7)))) < 0.5
    assert look.drawn > 5


def test_a_smaller_picture_has_the_mean_of_its_squares():
    image = Image.new("RGB", (20, 10), (200, 0, 0))
    image.paste((0, 0, 0), (0, 0, 10, 10))
    left, right, between = picture_of(image, 5).looks([(0, 0, 1, 1), (4, 1, 5, 2), (2, 1, 3, 2)])
    assert dist(left.colour, lab_of((0, 0, 0))) < 0.3
    assert dist(right.colour, lab_of((200, 0, 0))) < 0.3
    assert dist(between.colour, lab_of((100, 0, 0))) < 0.5


def test_a_mosaic_of_thousands_of_cells_is_not_looked_at_for_rows():
    """What is done with rows takes time in proportion to the square of their tubes."""
    cells = [Region(12 * x, 12 * y, 12 * x + 8, 12 * y + 8, 64) for x in range(45) for y in range(45)]
    width, stacks = find_stacks(cells)
    picture = picture_of(Image.new("RGB", (540, 540)))
    assert (width, len(stacks)) == (8, 45)
    assert find_rows(picture, width, stacks, cells) == []
    assert find_stacks(3 * cells) == (0.0, [])


@pytest.mark.parametrize("width", [360, 591, 1080])
def test_what_is_cut_off_above_or_below_does_not_change_the_size_of_the_rest(width):
    whole, cut = (Loaded(bytearray(), (width, round(part * width))) for part in (2.2, 2.05))
    assert cut.scale == whole.scale


def test_walls_are_found_where_they_are_again():
    image = Image.new("L", (200, 40), 40)
    for start in (30, 90, 150):
        image.paste(200, (start, 0, start + 2, 40))
        image.paste(200, (start + 20, 0, start + 22, 40))
    picture = picture_of(image)
    line = picture.line(5, 35)
    like = picture.likeness(line[41 - 18 : 41 + 19], (7.0, 8.0))
    best = sorted(range(len(like)), key=lambda place: -like[place])[:3]
    assert sorted(place - 18 for place in best) == [41, 101, 161]


def test_colours_survive_the_way_to_another_space_and_back():
    random = Random(3)
    for _ in range(50):
        rgb = random.randrange(256), random.randrange(256), random.randrange(256)
        assert rgb_of(lab_of(rgb)) == rgb


def test_lab_is_what_the_standard_says():
    white, grey = lab_of((255, 255, 255)), lab_of((119, 119, 119))
    assert white == pytest.approx([100, 0, 0], abs=0.1)
    assert grey == pytest.approx([50, 0, 0], abs=0.2)
    assert dist(white, grey) == pytest.approx(50, abs=0.3)


def test_every_name_names_its_own_colour():
    assert names_for([lab_of(rgb) for rgb in NAMES.values()]) == list(NAMES)


def test_more_colours_than_names_are_told_apart_by_numbers():
    names = names_for([lab_of((level, 20, 20)) for level in range(60, 60 + len(NAMES) + 3)])
    assert len(set(names)) == len(NAMES) + 3


def test_no_tube_holds_more_cells_than_those_of_games():
    """Once stacked bars of 53 parts in one colour were tubes of 53."""
    filled = (4, 4, 5, 5, 3, 5, 5, 5, 4, 4, 6, 3)
    tubes = [Contents(Tube(50.0 * number, 240.0, 1.0), (), cells, 1.0) for number, cells in enumerate(filled)]
    capacities, _ = find_capacities(tubes, [None] * len(tubes), [53], 53, hidden=False)
    assert set(capacities) == {6}
