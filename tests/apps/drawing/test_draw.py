"""Drawn boards and plans: what a file shows is the board, at every moment, and nothing a board says becomes markup."""

import random
import subprocess
import sys
from collections import Counter
from io import BytesIO
from itertools import islice, pairwise
from math import ceil
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from bsp_sat import PUZZLES, BallSort, Knock, Pour, Shot, Tiles, Unsupported, WaterSort, draw, load, random_boards
from bsp_sat.apps.drawing import draw as drawing
from bsp_sat.apps.drawing import raster, tubes
from bsp_sat.apps.drawing.film import Film, Key, Piece
from bsp_sat.apps.drawing.shapes import Disc, Line, Point, Rectangle, Words, arc
from bsp_sat.instances.files import parse_instances
from bsp_sat.instances.palette import NAMED, paints_for
from tests.support.pancakes import Pancakes

SVG = "{http://www.w3.org/2000/svg}"

VARIANT = """{"puzzle": "%s", "capacity": 3, "reveal": "cell", "partial": false, "cork": true, "goal": "monochrome",
 "tubes": [["red", "blue", "red"], ["blue", "red", "blue"], [], ["green", "green"], ["green"], []],
 "hidden": [[true, true, false], [true, false, false], [], [false, false], [false], []],
 "capacities": [3, 3, 4, 3, 3, 3],
 "locked": [{"tube": 2, "until": "green"}, {"tube": 5, "until": {"colour": "green", "tubes": 1}}],
 "no_in": [0], "no_out": [3], "accepts": {"3": ["green", "red", "blue"]}}"""
COLOURED = """{"puzzle": "%s", "capacity": 2, "goal": "coloured", "tube_colours": ["red", "blue", null],
 "tubes": [["red", "blue"], ["blue", "red"], []]}"""
DRAINED = """{"puzzle": "%s", "capacity": 3, "drain": true,
 "tubes": [["red", "red", "blue"], ["blue", "red", "blue"], []]}"""
HIDDEN = '{"puzzle": "%s", "capacity": 2, "tubes": [[null, "red"], ["blue", null], ["green", "green"], []]}'


def boards():
    for kind in ("ball-sort", "water-sort"):
        for name, text in {"variant": VARIANT, "coloured": COLOURED, "drained": DRAINED, "hidden": HIDDEN}.items():
            yield pytest.param(parse_instances(text % kind)[0].puzzle, id=f"{name} {kind}")
    for kind, puzzle in PUZZLES.items():
        numbers = {"balls": 6} if kind == "shot" else {}
        numbers = {"colours": 5} if kind in ("ball-sort", "water-sort") else numbers
        for number, instance in enumerate(islice(random_boards(puzzle, seed=7, **numbers), 3)):
            yield pytest.param(instance.puzzle, id=f"{puzzle.kind} {number}")


every_board = pytest.mark.parametrize("puzzle", list(boards()))


def walk(puzzle, seed, most=12):
    """Legal moves, drawn at random, and the positions on the way."""
    chance = random.Random(seed)
    moves, positions = [], [puzzle]
    while len(moves) < most and (legal := list(positions[-1].legal_moves())):
        moves.append(chance.choice(legal))
        positions.append(positions[-1].apply(moves[-1]))
    return moves, positions


def shown(film, time):
    """What can be seen at a time: shapes and where, as often as they are there."""
    found = Counter()
    for piece in film.pieces:
        key = piece.at_time(time)
        if key.opacity:
            assert key.opacity == 1
            found[piece.shapes, round(key.place.x, 6), round(film.height - key.place.y, 6)] += 1
    return found


@every_board
def test_a_film_shows_each_position_of_a_walk(puzzle, monkeypatch):
    monkeypatch.setattr(tubes, "ROOM", tubes.LANE)  # the same places with and without moves
    for seed in range(3):
        moves, positions = walk(puzzle, seed)
        film = drawing.FILMS[puzzle.kind](puzzle, moves)
        for number, position in enumerate(positions):
            still = drawing.FILMS[puzzle.kind](position, ())
            assert shown(film, number) == shown(still, 0), moves[:number]


@every_board
def test_everything_stays_within_the_picture_and_keys_go_on_in_time(puzzle):
    moves, _ = walk(puzzle, 1)
    film = drawing.FILMS[puzzle.kind](puzzle, moves)
    for piece in film.pieces:
        assert all(one.time <= other.time for one, other in pairwise(piece.keys))
        for key in piece.keys:
            if key.opacity:
                assert 0 <= key.place.x <= film.width
                assert 0 <= key.place.y <= film.height
    for words in (shape for shape in film.still if isinstance(shape, Words)):
        assert words.size / 2 <= words.centre.y <= film.height - words.size / 2


@every_board
def test_symbols_and_fills_of_all_colours_are_in_the_file(puzzle):
    root = ET.fromstring(draw(puzzle))
    legend = [colour for _, colour in puzzle.picture().legend]
    texts = Counter(element.text for element in root.iter(f"{SVG}text"))
    fills = {element.get("fill") for element in root.iter()}
    for paint in paints_for(legend):
        assert texts[paint.symbol]
        assert paint.fill in fills


def tube_middle(film, tube):
    points = film.still[2 * tube].points
    return (points[0].x + points[-1].x) / 2


def test_a_board_may_have_as_many_colours_as_there_are_bytes():
    root = ET.fromstring(draw(BallSort.from_tubes([[colour] for colour in range(256)], 1)))
    titles = [group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g")]
    assert titles == [str(colour) for colour in range(256)]


class TestHostileTexts:
    COLOURS = (
        "<script>alert(1)</script>", '"><image href="https://example.org/x"/>', "</style><style>*{fill:red}",
        "&amp;&lt;", "]]>", "\u202e\x00\x1b[31m\n", "url(javascript:alert(1))", "x" * 64,
    )  # fmt: skip

    @pytest.mark.parametrize("rule", [BallSort, WaterSort])
    def test_hostile_texts_stay_texts(self, rule):
        colours = self.COLOURS
        puzzle = rule.from_tubes([[colour] * 2 for colour in colours] + [[]], 2)
        moves = [Pour(0, len(colours))]
        plain = rule.from_tubes([[number] * 2 for number in range(len(colours))] + [[]], 2)
        data = draw(puzzle, moves, title=self.COLOURS[0])
        root, expected = ET.fromstring(data), ET.fromstring(draw(plain, moves))
        assert [element.tag for element in root.iter()] == [element.tag for element in expected.iter()]
        names = [(element.tag, sorted(element.keys())) for element in root.iter()]
        assert names == [(element.tag, sorted(element.keys())) for element in expected.iter()]
        assert root.findtext(f"{SVG}style") == expected.findtext(f"{SVG}style")
        assert root.findtext(f"{SVG}title") == colours[0]
        assert len(data) < 2 * len(draw(plain, moves))
        assert len(draw(plain, moves, title="\ud800" + "x" * 5000)) < 2 * len(data)

    def test_hostile_texts_on_tiles_stay_texts(self):
        root = ET.fromstring(draw(Tiles.from_columns([list(self.COLOURS)])))
        assert {element.tag.removeprefix(SVG) for element in root.iter()} == {
            "svg", "title", "desc", "rect", "g", "text", "polyline",
        }  # fmt: skip


class TestAnimation:
    def test_moves_only_where_motion_is_welcome(self):
        puzzle = load("level-80")
        sheet = ET.fromstring(draw(puzzle, [Pour(0, 9), Pour(1, 10)])).findtext(f"{SVG}style")
        before, condition, rest = sheet.partition("@media (prefers-reduced-motion: no-preference){")
        assert not before
        assert condition
        assert rest.rstrip().endswith("}")
        assert rest.count("{") + 1 == rest.count("}")
        assert ET.fromstring(draw(puzzle)).find(f"{SVG}style") is None

    def test_an_animation_says_each_move_below(self):
        root = ET.fromstring(draw(load("level-80"), [Pour(0, 9), Pour(1, 10)]))
        texts = [element.text for element in root.iter(f"{SVG}text")]
        assert texts[-3:] == ["0 of 2", "1 of 2:  1 → 10  blue", "2 of 2:  2 → 11  cyan"]

    def test_each_of_them_for_its_own_move_alone(self):
        film = Film(200, 50, moves=3)
        said = ("0 of 3", "1 of 3", "2 of 3", "3 of 3")
        film.add_captions(said)
        for time in (0, 0.5, 1, 1.5, 2, 2.5, 3, 4):
            seen = [piece.shapes[0].text for piece in film.pieces if piece.at_time(time).opacity == 1]
            assert seen == [said[min(3, ceil(time))]]

    def test_tubes_are_corked_when_they_are_complete_and_locks_go(self):
        puzzle = parse_instances(VARIANT % "water-sort")[0].puzzle
        film = tubes.film_of_tubes(puzzle, [Pour(4, 3), Pour(0, 2)])
        corks = [piece for piece in film.pieces if piece.title == "cork"]
        assert [[cork.at_time(time).opacity for cork in corks] for time in (0, 1, 2)] == [[0], [1], [1]]
        assert corks[0].place.x == tube_middle(film, 3)
        going = [piece for piece in film.pieces if piece.keys[0].opacity and not piece.keys[-1].opacity]
        locks = [piece for piece in going if any(isinstance(shape, Line) for shape in piece.shapes)]
        assert [lock.place.x for lock in locks] == [tube_middle(film, 2), tube_middle(film, 5)]

    def test_a_position_of_a_plan_is_that_board(self):
        moves, positions = walk(load("level-80"), 5)
        for number in (0, 4, len(moves)):
            one, other = (ET.fromstring(draw(*it)) for it in ((positions[number],), (positions[0], moves)))
            at = ET.fromstring(draw(positions[0], moves, position=number))
            groups = [[element.get("transform") for element in root.iter(f"{SVG}g")] for root in (at, one)]
            assert groups[0][:-1] == groups[1]
            assert at.find(f"{SVG}style") is None
            captions = [element.text for element in other.iter(f"{SVG}text")][-len(moves) - 1 :]
            assert [element.text for element in at.iter(f"{SVG}text")][-1] == captions[number]

    def test_water_goes_over_the_rims(self):
        film = tubes.film_of_tubes(WaterSort.from_tubes([["a", "b", "b"], ["b"], ["a", "a"]], 3), [Pour(0, 1)])
        moving = [piece for piece in film.pieces if len(piece.keys) > 1]
        assert len(moving) == 2
        for piece in moving:
            assert min(key.place.y for key in piece.keys) < film.still[0].points[0].y

    def test_knocks_go_on_from_ball_to_ball(self):
        film = drawing.FILMS["shot"](Shot.from_balls(7, 1, [(0, 0), (3, 0), (4, 0), (6, 0)]), [Knock(0, 0, "right")])
        ends = [piece.keys[-1] for piece in film.pieces]
        steps = [round((piece.keys[-1].place.x - piece.keys[0].place.x) / 40) for piece in film.pieces]
        assert steps == [2, 0, 1, 1]  # the last one over the edge
        assert [key.opacity for key in ends] == [1, 1, 1, 0]


def test_arcs_go_clockwise_from_the_right():
    for quarter, end in enumerate([(1, 0), (0, 1), (-1, 0), (0, -1)]):
        assert arc(Point(0, 0), 1, 0, quarter)[-1] == pytest.approx(end)
        assert arc(Point(0, 0), 1, quarter, 4)[0] == pytest.approx(end)


@pytest.mark.parametrize("colour", [0, 1])
def test_the_colour_of_a_tube_at_the_goal_coloured_is_below_it(colour):
    puzzle = parse_instances(COLOURED % "ball-sort")[0].puzzle
    film = drawing.FILMS["ball-sort"](puzzle, ())
    places = {piece.shapes[0].fill: piece.place for piece in film.pieces if not piece.title}
    assert len(places) == 2
    (bottom,) = [piece.place for piece in film.pieces[2 * colour : 2 * colour + 1]]
    mark = places[NAMED[("red", "blue")[colour]]]
    assert (mark.x, mark.y > bottom.y) == (bottom.x, True)


class TestPixels:
    def test_a_png_shows_the_colours_in_their_places(self):
        puzzle = BallSort.from_tubes([["red", "blue"], ["blue", "red"], []], 2)
        film = drawing.FILMS["ball-sort"](puzzle, ())
        image = Image.open(BytesIO(draw(puzzle, form="png"))).convert("RGB")
        assert image.size == (round(film.width * raster.SHARP), round(film.height * raster.SHARP))
        for piece in film.pieces:
            x, y = (round(raster.SHARP * part) for part in piece.place)
            red, green, blue = image.getpixel((x + 24, y))  # beside the symbol
            assert f"#{red:02x}{green:02x}{blue:02x}" == NAMED[piece.title]

    def test_a_gif_ends_where_the_plan_does(self):
        puzzle = BallSort.from_tubes([["red", "blue"], ["blue"], ["red"]], 2, "monochrome")
        still, gif = (Image.open(BytesIO(draw(puzzle, moves, "gif"))) for moves in ((), [Pour(0, 1)]))
        assert (still.n_frames, gif.n_frames) == (1, 1 + raster.FRAMES)
        film = drawing.FILMS["ball-sort"](puzzle, [Pour(0, 1)])
        colours = {}
        for frame in (0, gif.n_frames - 1):
            gif.seek(frame)
            image = gif.convert("RGB")
            for piece in film.pieces:
                x, y = piece.at_time(0 if frame == 0 else 1).place
                colours[frame, piece.title, x, y] = image.getpixel((round(x) + 13, round(y)))
        for (_, name, _, _), pixel in colours.items():
            assert max(abs(a - b) for a, b in zip(pixel, bytes.fromhex(NAMED[name][1:]), strict=True)) < 12

    def test_a_gif_has_the_colours_of_its_last_frame(self):
        """Which aren't those of the first: what was covered shows."""
        film = Film(40, 40)
        for colour, number in (("#ff0000", 0), ("#0000ff", 1)):
            piece = Piece.at(Point(20, 20), [Rectangle(-15, -15, 30, 30, colour, colour)])
            film.pieces.append(piece)
            if number:
                piece.keys[0] = piece.keys[0]._replace(opacity=0)
                piece.keys += [Key(0.3, Point(20, 20), 0), Key(0.5, Point(20, 20), 1)]
        film.moves = 1
        image = Image.open(BytesIO(raster.gif(film)))
        image.seek(image.n_frames - 1)
        red, _, blue = image.convert("RGB").getpixel((20, 20))
        assert (red < 30, blue > 225) == (True, True)

    def test_pixels_are_drawn_without_the_font_of_the_machine(self):
        program = """
from PIL import ImageFont
truetype, missed = ImageFont.truetype, []

def missing(font, *args, **options):
    if isinstance(font, str):
        missed.append(font)
        raise OSError
    return truetype(font, *args, **options)

ImageFont.truetype = missing
from bsp_sat import Pour, draw, load
assert draw(load("level-80"), [Pour(0, 9)], "png", position=1).startswith(b"\\x89PNG")
assert missed
"""
        subprocess.run([sys.executable, "-c", program], check=True)

    def test_every_shape_is_painted(self):
        """Each alone changes the picture, in both painters."""
        shapes = [
            Rectangle(-9, -9, 18, 18, "#ff0000", "#000000", 4),
            Disc(Point(0, 0), 9, "#00ff00"),
            Line((Point(-9, 0), Point(9, 0)), "#0000ff"),
            Words(Point(0, 0), "x", 20, "#000000", bold=True),
        ]
        files = set()
        for shape in shapes:
            film = Film(40, 40, [shape], [Piece((shape,), [Key(0, Point(20, 20), 0.5)])])
            files |= {drawing.svg(film), raster.png(film)}
        assert len(files) == 2 * len(shapes)


WIDE = BallSort.from_tubes([["a"], *[[]] * 9_999], 10_000, "monochrome")
NARROW = BallSort.from_tubes([["a"], []], 10_000, "monochrome")
LEVEL = load("level-80")

REFUSED = {
    "many tubes": (BallSort.from_tubes([[]] * 20_001, 4), [], drawing.FORMATS, "too large"),
    "a high column": (Tiles.from_columns([[1] * 20_001]), [], drawing.FORMATS, "too large"),
    "many moves": (WIDE, [Pour(0, 1), Pour(1, 0)] * 200, ["svg"], "too large to be drawn with "),
    "many pixels": (NARROW, [], ["png", "gif"], "SVG has no such limit"),
    "a long plan": (LEVEL, [Pour(0, 9), *[Pour(9, 10), Pour(10, 9)] * 200], ["gif"], "too long for a GIF"),
    "a puzzle without an artist": (Pancakes((2, 1)), [], ["svg"], "pancakes boards can't be drawn"),
    "another form": (LEVEL, [], ["pdf", "jpeg"], "expected one of the forms svg, png, gif, html, found"),
}


class TestRefusals:
    @pytest.mark.parametrize("what", REFUSED)
    def test_what_is_too_large_or_unknown_is_refused(self, what):
        board, moves, forms, problem = REFUSED[what]
        for form in forms:
            with pytest.raises(Unsupported, match=problem):
                draw(board, moves, form)

    def test_what_has_too_many_pixels_is_drawn_in_svg(self):
        assert draw(NARROW)
