"""Files that are no pictures of boards, or that would fill the memory: refused, with one sentence."""

import io
import itertools
import struct
import zlib
from random import Random

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageDraw, PngImagePlugin

from bsp_sat.apps.pictures.loading import MAX_BYTES, load_picture
from bsp_sat.apps.pictures.reading import read_picture
from bsp_sat.instances.errors import BoardError, PictureError
from tests.support.helpers import steps_of


def png(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG that claims a size and holds these rows, packed."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def saved(image: Image.Image, form: str, **options) -> bytes:
    data = io.BytesIO()
    image.save(data, form, **options)
    return data.getvalue()


def frames() -> list[Image.Image]:
    return [Image.new("RGB", (100, 100), (shade, 0, 0)) for shade in (0, 100, 200)]


def test_what_is_no_picture_is_refused_in_one_sentence():
    noise = Image.effect_noise((300, 400), 90).convert("RGB")
    cases = {
        "empty": (b"", "expected a PNG, JPEG or WebP picture"),
        "text": (b"caac|bbac|bbac|-\n", "expected a PNG, JPEG or WebP picture"),
        "GIF": (saved(frames()[1], "GIF"), "expected a PNG, JPEG or WebP picture"),
        "HEIC": (b"\0\0\0\x24ftypheic" + bytes(99), "found HEIC: on an iPhone .* Convert Image, to share a JPEG"),
        "TIFF": (saved(frames()[1], "TIFF"), "expected a PNG, JPEG or WebP picture"),
        "one pixel": (saved(Image.new("RGB", (1, 1)), "PNG"), "at least 60 pixels a side, found 1 × 1"),
        "a line": (saved(Image.new("RGB", (4000, 8)), "PNG"), "at least 60 pixels a side"),
        "claims to be huge": (png(20_000, 20_000), "at most 40 million pixels"),
        "is large": (png(8000, 8000), "at most 40 million pixels, found 8000 × 8000"),
        "is huge": (png(20_000, 20_000, bytes(1_000_000)), "at most 40 million pixels"),
        "beyond numbers": (png(2**31 - 1, 2**31 - 1), "million pixels"),
        "cut off": (saved(noise, "PNG")[:5000], "damaged"),
        "JPEG cut off": (saved(noise, "JPEG")[:3000], "damaged"),
        "WebP cut off": (saved(noise, "WEBP")[:3000], "damaged|expected a PNG"),
        "only a start": (b"\x89PNG\r\n\x1a\n", "damaged|expected a PNG"),
        "no rows": (png(200, 200), "damaged"),
        "animated PNG": (saved(frames()[0], "PNG", save_all=True, append_images=frames()[1:]), "animation"),
        "animated WebP": (saved(frames()[0], "WEBP", save_all=True, append_images=frames()[1:]), "animation"),
        "plain": (
            saved(Image.new("RGB", (300, 400), "white"), "PNG"),
            "cells in them; --row of .* tubes are; birds and",
        ),
        "noise": (saved(noise, "PNG"), "no board found"),
        "too many bytes": (b"\xff\xd8\xff" + bytes(MAX_BYTES), "at most 50 MB"),
    }
    for name, (data, problem) in cases.items():
        with pytest.raises(PictureError, match=problem) as error:
            read_picture(data)
        assert "\n" not in str(error.value), name


COLOURS = ((230, 40, 40), (40, 200, 40), (50, 80, 230), (230, 220, 40), (200, 60, 200), (60, 210, 210), (240, 140, 30))


def test_a_frame_inside_a_frame_is_not_sure():
    """Two flat regions about one middle: tubes whose distance is 0."""
    picture = Image.new("RGB", (420, 1000), (15, 15, 20))
    paint = ImageDraw.Draw(picture)
    cells = [*COLOURS[:4]] * 4
    Random(1).shuffle(cells)
    for y in range(690, 910, 7):
        paint.line((0, y, 420, y), (60, 60, 60))
    for left in range(40, 420, 95):
        for top in (96, 696):
            paint.rectangle((left - 9, top, left + 58, top + 208), outline=(190, 190, 190), width=2)
        for top in range(101, 300, 50):
            paint.rectangle((left + 1, top, left + 48, top + 47), cells.pop())
    paint.rectangle((180, 420, 240, 660), (60, 60, 60))
    paint.rectangle((184, 424, 236, 656), outline=(200, 200, 200), width=2)
    board = read_picture(saved(picture, "PNG"))
    assert board.rows[0] == 4
    assert not board.sure


@pytest.mark.parametrize("seed", range(3))
def test_stacked_bars_are_no_board(seed):
    """Bars of one width on one line, as tubes are, but of parts of every height."""
    chance = Random(seed)
    chart = Image.new("RGB", (900, 600), "white")
    paint = ImageDraw.Draw(chart)
    for left in range(80, 800, 90):
        bottom = 520
        for colour in COLOURS[:5]:
            top = bottom - chance.randrange(20, 75)
            paint.rectangle((left, top, left + 50, bottom - 1), colour)
            bottom = top
    with pytest.raises(PictureError, match="birds and other shaded pieces aren't read"):
        read_picture(saved(chart, "PNG"))


def test_a_week_of_appointments_is_no_board():
    """Its columns and hours are those of tubes and cells; most hours are free, in grey."""
    chance = Random(93)
    week = Image.new("RGB", (800, 1100), "white")
    paint = ImageDraw.Draw(week)
    for left in range(66, 760, 100):
        for top in range(80, 880, 80):
            paint.rectangle((left, top + 2, left + 80, top + 77), chance.choice([*COLOURS, *[(200, 200, 200)] * 7]))
    with pytest.raises(PictureError, match="cells are doubtful"):
        read_picture(saved(week, "PNG"))


def test_columns_of_shades_are_no_board():
    """Once a board without room, in which cells had to be moved until each colour filled a tube."""
    shades = Image.new("RGB", (720, 560), "white")
    paint = ImageDraw.Draw(shades)
    for column, row in itertools.product(range(4), repeat=2):
        left, top = 60 + 150 * column, 60 + 110 * row
        colour = f"hsl({(197, 215, 20, 132)[column]}, 70%, {30 + 12 * row}%)"
        paint.rectangle((left, top, left + 130, top + 109), fill=colour)
    with pytest.raises(PictureError, match="no tube has room"):
        read_picture(saved(shades, "PNG"))


@pytest.mark.parametrize(
    ("cell", "gap", "width", "height"),
    [
        pytest.param(20, 12, 1100, 1100, id="102 tubes", marks=pytest.mark.slow),
        pytest.param(24, 28, 1040, 1100, id="40 tubes", marks=pytest.mark.slow),
        pytest.param(24, 28, 1040, 560, id="20 tubes"),
    ],
)
def test_three_times_as_many_tubes_take_at_most_six_times_as_many_steps(cell, gap, width, height):
    picture = Image.new("RGB", (width, height), (15, 15, 20))
    paint = ImageDraw.Draw(picture)
    chance = Random(1)
    tall = 16 * (cell + 2)
    for bottom in range(6 + tall, height, tall + 60):
        for left in range(6, width - cell - 4, cell + gap):
            paint.rectangle((left - 2, bottom - tall - 2, left + cell + 1, bottom + 1), outline=(150, 150, 150))
            for top in range(bottom - tall, bottom, cell + 2):
                paint.rectangle((left, top, left + cell - 1, top + cell - 1), chance.choice(COLOURS))
    third, whole = (saved(part, "PNG") for part in (picture.crop((0, 0, width // 3, height)), picture))
    assert len(whole) < 68_000
    assert steps_of(read_picture, whole) < 6 * steps_of(read_picture, third)


def test_a_small_game_in_a_wide_page_takes_steps_in_proportion_to_the_ways_its_rows_may_go_on():
    """Not to their square: two rows of 4 tubes may go on by 25 to each side."""
    page = Image.new("RGB", (1100, 500), "white")
    paint = ImageDraw.Draw(page)
    cells = [*COLOURS[:4]] * 8
    Random(1).shuffle(cells)
    for number, colour in enumerate(cells):
        left, top = 520 + 20 * (number // 4 % 4), 200 + 80 * (number // 16) + 12 * (number % 4)
        paint.rectangle((left, top, left + 10, top + 10), colour)
    assert steps_of(read_picture, saved(page, "PNG")) < 8_000_000


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "1", "I;16", "CMYK"])
def test_every_kind_of_pixel_can_be_loaded(mode):
    form = "JPEG" if mode == "CMYK" else "PNG"
    picture = Image.new("RGB", (100, 120), (200, 30, 30))
    loaded = load_picture(saved(Image.new("I;16", (100, 120)) if mode == "I;16" else picture.convert(mode), form))
    assert (loaded.size, len(loaded.rgb)) == ((100, 120), 3 * 100 * 120)


def test_grey_of_16_bits_keeps_its_shades():
    shades = np.linspace(0, 65535, 120 * 100).astype(np.uint16).reshape(120, 100)
    loaded = load_picture(saved(Image.fromarray(shades), "PNG"))
    read = np.frombuffer(loaded.rgb, dtype=np.uint8).reshape(120, 100, 3)
    assert np.abs(read.astype(int) - (shades / 257)[..., None]).max() <= 1


def test_clear_pixels_are_loaded_as_dark_and_photos_turned_as_they_say():
    picture = Image.new("RGBA", (100, 100), (255, 255, 255, 0))
    assert set(load_picture(saved(picture, "PNG")).rgb) == {0}
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    assert load_picture(saved(Image.new("RGB", (100, 200)), "JPEG", exif=turned)).size == (200, 100)


def test_a_text_bomb_inside_a_picture_is_refused():
    info = PngImagePlugin.PngInfo()
    info.add_text("comment", "a" * 30_000_000, zip=True)
    with pytest.raises(PictureError, match="damaged"):
        load_picture(saved(Image.new("RGB", (100, 100)), "PNG", pnginfo=info))


def test_a_picture_that_is_not_there_is_missed_and_a_folder_refused(tmp_path):
    with pytest.raises(PictureError, match=r"^no-such-picture.png: no such file$"):
        read_picture("no-such-picture.png")
    with pytest.raises(BoardError, match="it is a folder"):
        read_picture(tmp_path)
