"""Locked places, and that what a message says helps does help: for each kind of refusal or doubt."""

import functools
import json
from dataclasses import replace

import pytest
from PIL import Image, ImageDraw, ImageFilter

from bsp_sat.apps.pictures.board import DoubtKind, corrected
from bsp_sat.apps.pictures.corrections import Correction
from bsp_sat.apps.pictures.reading import read_picture
from tests.apps.pictures.judging import BALLS, PLAIN, WATER, image_of, is_exact, pattern, png
from tests.apps.pictures.test_read import run
from tests.support.drawn_screens import Drawn, draw, random_shot, rows_of

SLOT = replace(WATER, rows=(4, 4))


def with_place(sign: str, dashes: float, theme: str = "dark", **how: object) -> Drawn:
    return draw(PLAIN, replace(SLOT, locked=sign, dashes=dashes, theme=theme, **how), 4)  # type: ignore[arg-type]  # fields by name


@pytest.mark.parametrize("theme", ["dark", "sea", "night"])
@pytest.mark.parametrize(("sign", "dashes"), [("lock", 0.5), ("plus", 0.3), ("ad", 0.5)])
def test_a_locked_place_is_no_tube(sign, dashes, theme):
    drawn = with_place(sign, dashes, theme, puzzle="ball-sort" if sign == "ad" else "water-sort", pitch=1.1)
    board = read_picture(drawn.data)
    assert is_exact(board, drawn)
    assert board.sure, board.reasons()
    assert len(board.left_out) == 1
    assert board.with_locked().rows == (4, 4)


@pytest.mark.parametrize("theme", ["light", "paper", "forest"])
def test_a_sign_in_a_place_with_a_full_outline_is_no_empty_tube_in_silence(theme):
    drawn = with_place("lock", 0.0, theme)
    board = read_picture(drawn.data)
    assert any("tube 8" in doubt and "it may be locked" in doubt for doubt in board.reasons())
    cured = corrected(board, [Correction(7)])
    assert cured.sure
    assert is_exact(cured, drawn)


@pytest.mark.parametrize("puzzle", ["water-sort", "ball-sort"])
def test_a_nearly_white_plus_on_white_glass_is_no_empty_tube_in_silence(puzzle):
    drawn = with_place("plus", 0.0, "light", puzzle=puzzle)  # (240, 240, 240) on (250, 250, 252)
    assert any("tube 8" in doubt and "it may be locked" in doubt for doubt in read_picture(drawn.data).reasons())


def test_a_locked_place_is_said_and_may_be_taken_in(tmp_path):
    path = tmp_path / "shot.png"
    path.write_bytes(with_place("lock", 0.5).data)
    code, out, err = run("read", path)
    assert (code, len(json.loads(out)["tubes"])) == (0, 7)
    assert "1 locked place left out, which --with-locked takes in" in err
    code, out, err = run("read", path, "--with-locked")
    assert (code, len(json.loads(out)["tubes"]), err) == (0, 8, "")
    assert "1 locked place left out; --extra-tubes 1" in run("solve", path)[2]


def test_a_message_over_an_empty_tube_is_no_locked_place():
    drawn = draw(PLAIN, WATER, 4)
    image, (left, top, right, bottom) = image_of(drawn), drawn.boxes[-1]
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((left - 6, top - 6, right + 6, bottom + 6), 8, fill="white", outline="lime", width=2)
    pen.text((left, (top + bottom) / 2), "Hint!", "black")
    board = read_picture(png(image))
    assert (board.left_out, board.sure) == ((), False)


def wrong_cell() -> tuple[bytes, list[str], Drawn]:
    tubes = [list(tube) for tube in PLAIN]
    right, tubes[0][0] = tubes[0][0], next(colour for colour in "abcde" if colour != tubes[0][0])
    drawn, names = draw(tubes, WATER, 4), {}
    for of_tube, of_read in zip(tubes, read_picture(drawn.data).contents(), strict=True):
        names.update(zip(of_tube, of_read, strict=True))
    return drawn.data, ["--set", f"1:1={names[right]}"], draw(PLAIN, WATER, 4)


def no_tube() -> tuple[bytes, list[str], Drawn]:
    drawn = with_place("plus", 0.0)
    return drawn.data, ["--set", "8=none"], drawn


def no_room() -> tuple[bytes, list[str], Drawn]:
    full = draw(PLAIN[:5], replace(WATER, rows=(3, 2)), 4)
    return full.data, ["--set", "5+", "--set", "5+"], draw(PLAIN, replace(WATER, rows=(3, 4)), 4)


def posts() -> tuple[bytes, list[str], Drawn]:
    drawn = draw(PLAIN, replace(WATER, foot="post", pitch=0.5, gap=0.0), 4)
    return drawn.data, ["--puzzle", "water-sort"], drawn


def row_words(drawn: Drawn) -> list[str]:
    return [word for row in rows_of(drawn) for word in ("--row", ",".join(map(str, row)))]


def out_of_focus() -> tuple[bytes, list[str], Drawn]:
    drawn = draw(PLAIN, replace(WATER, theme="dark on dark", header=False), 4)
    return png(image_of(drawn).filter(ImageFilter.GaussianBlur(7))), row_words(drawn), drawn


def nuts() -> Drawn:
    """Seen from above, on white shafts with feet: each nut hides half of the next, and stacks have no walls."""
    tubes = [*map(list, ("abca", "bcdd", "cbad", "abc", "d")), []]
    image, lows = Image.new("RGB", (720, 1280), (222, 230, 240)), (480, 980)
    pen = ImageDraw.Draw(image)
    colours = {"a": (240, 110, 48), "b": (62, 197, 255), "c": (149, 218, 63), "d": (180, 45, 147)}

    def disc(middle: int, low: int, half: int, colour: tuple[int, ...]) -> None:
        pen.ellipse((middle - half, low - 0.37 * half, middle + half, low + 0.37 * half), colour)

    for number, tube in enumerate(tubes):
        middle, low = 180 + 180 * (number % 3), lows[number // 3]
        for step in range(20):
            disc(middle, low - step, 70, (225 + 15 * (step > 18),) * 3)
        for step in range(20, 170, 8):
            disc(middle, low - step, 12, (200 + step % 16 * 5,) * 3)
        for level, cell in enumerate(tube):
            for step, light in enumerate([0.85] * 3 + [1.0] * 37 + [0.6]):
                colour = tuple(round(light * part + 100 * (light == 0.6)) for part in colours[cell])
                disc(middle, low - 30 - 40 * level - step, 64, colour)
    return Drawn(png(image), tubes, [4] * 6, "water-sort", WATER)


def test_nuts_on_shafts_are_read_always_doubtful_and_solved_as_printed(tmp_path):
    path, drawn = tmp_path / "nuts.png", nuts()
    path.write_bytes(drawn.data)
    board = read_picture(drawn.data, "water-sort")
    assert is_exact(board, drawn)
    assert [doubt.kind for doubt in board.doubts] == [DoubtKind.MEASURED]
    code, _, err = run("solve", path, "--puzzle", "water-sort")
    assert (code, "`bsp-sat read` shows it, and if it is right, solve what that prints" in err) == (3, True)
    code, out, _ = run("read", path, "--puzzle", "water-sort")
    assert (code, run("solve", "-", stdin=out.encode())[0]) == (3, 0)


def by_rows(number: int, kind: str, style: str) -> tuple[bytes, list[str], Drawn]:
    drawn = random_shot(number, kind, style)
    return drawn.data, [*row_words(drawn), "--puzzle", drawn.puzzle], drawn


def full_of_the_ground() -> tuple[bytes, list[str], Drawn]:
    drawn = random_shot(300543, "completed", "glossy balls")
    return drawn.data, [word for cell in range(4) for word in ("--set", f"7:{cell + 1}=beige")], drawn


def in_front() -> tuple[bytes, list[str], Drawn]:
    drawn = draw(PLAIN, BALLS, 4)
    image, (left, top, right, bottom) = image_of(drawn), drawn.boxes[-1]
    ImageDraw.Draw(image).rectangle((left + 2, top + 0.1 * (bottom - top), right - 2, bottom), fill=(60, 120, 200))
    return png(image), ["--set", "7=none", "--set", "7+"], drawn


def lifted() -> tuple[bytes, list[str], Drawn]:
    drawn = draw(PLAIN, WATER, 4)
    image, (left, top, right, bottom) = image_of(drawn), drawn.boxes[1]
    place = round(left - 6), round(top - 6), round(right + 6), round(bottom + 6)
    tube = image.crop(place)
    image.paste(image.getpixel(place[:2]), place)
    image.paste(tube, (place[0], place[1] - round(0.33 * (bottom - top) / 4)))
    return png(image), row_words(drawn), drawn


HIGH = functools.partial(by_rows, 100089, "plain", "symbols")
BELOW = functools.partial(by_rows, 100241, "low", "cups")
OVER = functools.partial(by_rows, 100068, "low", "patterned balls")


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (wrong_cell, "--set TUBE:CELL=COLOUR"),
        (no_tube, "--set TUBE=none"),
        (no_room, "--set TUBE+"),
        (posts, "--puzzle"),
        (out_of_focus, "--row"),
        pytest.param(HIGH, "alike high; `bsp-sat read` shows it, and corrects it with --row;", id="high"),
        pytest.param(BELOW, "like a tube; `bsp-sat read` shows it, and corrects it with --row;", id="below"),
        pytest.param(OVER, "upside down; `bsp-sat read` shows it, and corrects it with --row;", id="upside down"),
        (full_of_the_ground, "--set TUBE:CELL=COLOUR"),
        (in_front, "--set TUBE=none or --set TUBE+"),
        (lifted, "heights of those of other tubes; `bsp-sat read` shows it, and corrects it with --row;"),
    ],
)
def test_the_option_that_a_refusal_names_makes_the_board_right(case, says, tmp_path):
    data, words, drawn = case()
    path = tmp_path / "shot.png"
    path.write_bytes(data)
    code, _, err = run("solve", path)
    assert code in (2, 3)
    assert says in err
    code, out, _ = run("read", path, *words)
    assert pattern(json.loads(out)["tubes"]) == pattern(drawn.tubes)
    assert code == 0, json.loads(out)["doubts"]


def test_a_folder_is_read_into_a_pack(tmp_path):
    shots, pack = tmp_path / "shots", tmp_path / "pack.jsonl"
    shots.mkdir()
    code, _, err = run("read", shots)
    assert (code, "expected pictures in this folder" in err) == (2, True)
    (shots / "b.png").write_bytes(draw(PLAIN, WATER, 4).data)
    (shots / "a.PNG").write_bytes(no_tube()[0])
    (shots / "c.jpg").write_bytes(b"no picture")
    code, out, _ = run("read", shots, "-o", pack)
    assert code == 2
    assert [line.split()[0] for line in out.splitlines()] == ["doubtful", "certain", "refused"]
    assert [json.loads(line)["name"] for line in pack.read_text().splitlines()] == ["b.png"]
