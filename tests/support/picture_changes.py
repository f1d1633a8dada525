"""Changes that happen to screenshots on their way to a reader, and changes that make them show something else.

A *mild* change leaves the whole board in sight, and it should still be read. After any other change the board may be
refused or doubtful, but it must not be a wrong board that is called sure. Nothing in it is shared with the reader.
"""

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps

Box = tuple[float, float, float, float]
"""Left, top, right and bottom of a tube, in pixels."""


@dataclass(frozen=True)
class Shot:
    """A picture of a board."""

    image: Image.Image  # in RGB
    boxes: Sequence[Box]  # where its tubes are, row by row from the top
    cells: Sequence[int]  # how many cells each tube holds

    def board(self) -> Box:
        """The box around all tubes."""
        lefts, tops, rights, bottoms = zip(*self.boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    def tube_width(self) -> float:
        """Of the narrowest tube."""
        return min(right - left for left, _, right, _ in self.boxes)


Change = Callable[[Shot, Random], Image.Image]


def scaled(image: Image.Image, scale: float) -> Image.Image:
    """Resized as programs do it: now sharp, now smooth, by the digits of the scale."""
    methods = (Image.Resampling.BILINEAR, Image.Resampling.BICUBIC, Image.Resampling.LANCZOS)
    method = methods[int(scale * 1000) % len(methods)]
    return image.resize((round(image.width * scale), round(image.height * scale)), method)


def cropped(shot: Shot, random: Random) -> Image.Image:
    """Cut around the board, with some of the ground left."""
    left, top, right, bottom = shot.board()
    width, height = shot.image.size
    share = [random.uniform(0.1, 1.0) for _ in range(4)]
    near = 0.4 * shot.tube_width()
    return shot.image.crop(
        (
            round(max(0, left - near) * share[0]),
            round(max(0, top - near) * share[1]),
            round(width - max(0, width - right - near) * share[2]),
            round(height - max(0, height - bottom - near) * share[3]),
        )
    )


def bordered(shot: Shot, random: Random) -> Image.Image:
    """A frame of one colour around it."""
    side = round(random.uniform(0.01, 0.12) * shot.image.width)
    return ImageOps.expand(shot.image, side, _colour(random))


def with_status_bar(shot: Shot, random: Random) -> Image.Image:
    """A telephone's status bar above it."""
    height = round(0.05 * shot.image.width)
    return _below(_bar(shot.image.width, height, random), shot.image)


def with_heading(shot: Shot, random: Random) -> Image.Image:
    """A heading in large letters above it."""
    image = shot.image
    height = round(random.uniform(0.1, 0.3) * image.width)
    strip = Image.new("RGB", (image.width, height), image.getpixel((image.width // 2, 1)))
    text = random.choice(["LEVEL {}", "Level {}", "{}", "STAGE {} OF 999", "Moves: {}", "HILL {}", "III {} III"])
    _write(strip, text.format(random.randrange(1, 20000)), random)
    return _below(strip, image)


def with_advertisement(shot: Shot, random: Random) -> Image.Image:
    """An advertisement below it: coloured boxes, icons, a button and text."""
    image = shot.image
    height = round(random.uniform(0.1, 0.3) * image.width)
    strip = Image.new("RGB", (image.width, height), random.choice([(255, 255, 255), (20, 20, 20), (230, 235, 245)]))
    pen = ImageDraw.Draw(strip)
    for _ in range(random.randrange(3, 14)):
        x, y = random.uniform(0, 0.9) * image.width, random.uniform(0, 0.8) * height
        across, down = random.uniform(0.02, 0.2) * image.width, random.uniform(0.1, 0.5) * height
        pen.rectangle((x, y, x + across, y + down), fill=_colour(random))
    _write(strip, random.choice(["INSTALL", "Play now!", "Download", "SALE 50%"]), random)
    return _below(image, strip)


def with_buttons(shot: Shot, random: Random) -> Image.Image:
    """A row of buttons below it, outlined like tubes but lower."""
    image = shot.image
    width = random.uniform(0.8, 1.4) * shot.tube_width()
    strip = Image.new("RGB", (image.width, round(2.2 * width)), image.getpixel((image.width // 2, image.height - 2)))
    pen = ImageDraw.Draw(strip)
    count = random.randrange(2, 6)
    step = image.width / count
    for index in range(count):
        x = (index + 0.5) * step - width / 2
        box = (x, 0.6 * width, x + width, 1.6 * width)
        pen.rounded_rectangle(box, 0.2 * width, outline=_colour(random), width=max(1, round(0.05 * width)))
    return _below(image, strip)


def with_tubes_in_heading(shot: Shot, random: Random) -> Image.Image:
    """Outlines like those of tubes above it, as a logo has them."""
    image = shot.image
    left, top, right, bottom = random.choice(list(shot.boxes))
    width, height = right - left, bottom - top
    count = random.randrange(2, 5)
    strip = Image.new("RGB", (image.width, round(1.2 * height)), image.getpixel((image.width // 2, 1)))
    pen = ImageDraw.Draw(strip)
    step = random.uniform(1.2, 1.8) * width
    shade = random.choice([(230, 230, 230), (120, 120, 120), (250, 210, 60)])
    for index in range(count):
        x = image.width / 2 + (index - (count - 1) / 2) * step - width / 2
        box = (x, 0.1 * height, x + width, 1.1 * height)
        corners = (False, False, True, True)
        pen.rounded_rectangle(box, 0.4 * width, outline=shade, width=max(1, round(0.05 * width)), corners=corners)
    return _below(strip, image)


def other_gamma(shot: Shot, random: Random) -> Image.Image:
    """Another gamma."""
    gamma = random.choice([0.6, 0.75, 1.3, 1.6])
    return shot.image.point([round(255 * (level / 255) ** gamma) for level in range(256)] * 3)


def warmer(shot: Shot, random: Random) -> Image.Image:
    """Warmer, as in the evening, or cooler."""
    share = random.uniform(0.7, 0.95)
    red, blue = random.choice([(1.0, share), (share, 1.0)])
    factors = (red, 0.5 + red * blue / 2, blue)
    return shot.image.point([round(level * factor) for factor in factors for level in range(256)])


def noisy(shot: Shot, random: Random) -> Image.Image:
    """With the noise of a sensor."""
    noise = np.random.default_rng(random.randrange(2**32)).normal(0, random.uniform(2, 6), (*shot.image.size[::-1], 3))
    return Image.fromarray(np.clip(np.asarray(shot.image) + noise, 0, 255).astype(np.uint8))


def _turned(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=image.getpixel((1, 1)))


def photographed(shot: Shot, random: Random) -> Image.Image:
    """A photo of a screen: askew, unevenly lit, blurred, with noise, as JPEG."""
    image = shot.image
    width, height = image.size
    corners = ((0, 0), (0, height), (width, height), (width, 0))
    quad = [side + random.uniform(-0.02, 0.02) * width for corner in corners for side in corner]
    fill = image.getpixel((1, 1))
    askew = image.transform(image.size, Image.Transform.QUAD, quad, Image.Resampling.BICUBIC, fillcolor=fill)
    y, x = np.mgrid[:height, :width]
    direction = random.uniform(0, 2 * math.pi)
    light = 0.9 + 0.15 * (math.cos(direction) * (x / width - 0.5) + math.sin(direction) * (y / height - 0.5))
    lit = Image.fromarray(np.clip(np.asarray(askew) * light[..., None], 0, 255).astype(np.uint8))
    sharpness = lit.filter(ImageFilter.GaussianBlur(0.0008 * max(image.size)))
    return saved(noisy(Shot(sharpness, shot.boxes, shot.cells), random), "JPEG", quality=85)


def seen_aslant(shot: Shot, random: Random) -> Image.Image:
    """In perspective: one side is lower than the other by up to 3 %."""
    width, height = shot.image.size
    lower = random.uniform(0.01, 0.03) * height
    one, other = random.choice([(lower, 0), (0, lower)])
    quad = (0, -one, 0, height + one, width, height + other, width, -other)
    fill = shot.image.getpixel((1, 1))
    return shot.image.transform(shot.image.size, Image.Transform.QUAD, quad, Image.Resampling.BICUBIC, fillcolor=fill)


def night_tint(shot: Shot, random: Random) -> Image.Image:
    """With little blue and less green, as telephones show it at night."""
    green, blue = random.uniform(0.75, 0.9), random.uniform(0.35, 0.6)
    return shot.image.point([round(level * factor) for factor in (1.0, green, blue) for level in range(256)])


def screenshot_of_screenshot(shot: Shot, random: Random) -> Image.Image:
    """Shown smaller between bars, with a status bar, and saved as JPEG, twice."""
    for _ in range(2):
        image = ImageOps.expand(scaled(shot.image, random.uniform(0.7, 0.9)), round(0.05 * shot.image.width))
        shot = Shot(with_status_bar(Shot(image, (), ()), random), (), ())
        shot = Shot(saved(shot.image, "JPEG", quality=random.randrange(60, 90)), (), ())
    return shot.image


def _cut_through(side: str) -> Change:
    """Cut off on one side through the tubes that are nearest to it."""

    def change(shot: Shot, random: Random) -> Image.Image:
        left, top, right, bottom = {
            "left": min(shot.boxes),
            "right": max(shot.boxes, key=lambda box: box[2]),
            "top": min(shot.boxes, key=lambda box: box[3]),
            "bottom": max(shot.boxes, key=lambda box: box[3]),
        }[side]
        share = random.uniform(0.2, 0.8)
        x, y = round(left + share * (right - left)), round(top + share * (bottom - top))
        width, height = shot.image.size
        places = {
            "left": (x, 0, width, height),
            "right": (0, 0, x, height),
            "top": (0, y, width, height),
            "bottom": (0, 0, width, y),
        }
        return shot.image.crop(places[side])

    return change


def dimmed_row(shot: Shot, random: Random) -> Image.Image:
    """A row is darker than the others, as in a tutorial."""
    _, top, _, bottom = random.choice(list(shot.boxes))
    return _dimmed(shot.image, (0, round(top), shot.image.width, round(bottom)), random.uniform(0.4, 0.7))


def dimmed_half(shot: Shot, random: Random) -> Image.Image:
    """One half is darker than the other."""
    width, height = shot.image.size
    half = random.choice([(0, 0, width // 2, height), (0, 0, width, height // 2), (0, height // 2, width, height)])
    return _dimmed(shot.image, half, random.uniform(0.4, 0.7))


def finger_on_a_cell(shot: Shot, random: Random) -> Image.Image:
    """A finger, or a large mouse pointer, over a filled place."""
    filled = [(box, cells) for box, cells in zip(shot.boxes, shot.cells, strict=True) if cells]
    (left, top, right, bottom), _ = random.choice(filled)
    size = right - left
    middle = bottom - random.uniform(0.15, 0.85) * (bottom - top)
    image = shot.image.copy()
    colour = random.choice([(224, 172, 140), (120, 80, 60), (250, 250, 250), (90, 90, 90)])
    box = (left + 0.05 * size, middle - 0.5 * size, right - 0.05 * size, middle + 0.6 * size)
    ImageDraw.Draw(image).ellipse(box, fill=colour, outline=(60, 40, 30))
    return image


def lifted_tube(shot: Shot, random: Random) -> Image.Image:
    """A tube is lifted by up to a cell, as some games show what was tapped."""
    filled = [(box, cells) for box, cells in zip(shot.boxes, shot.cells, strict=True) if cells]
    (left, top, right, bottom), _ = random.choice(filled)
    margin, up = 0.12 * (right - left), round(random.uniform(0.2, 0.9) * (right - left))
    place = (round(left - margin), round(top - margin), round(right + margin), round(bottom + margin))
    image = shot.image.copy()
    tube = shot.image.crop(place)
    image.paste(shot.image.getpixel((max(0, place[0] - 1), max(0, round((top + bottom) / 2)))), place)
    image.paste(tube, (place[0], place[1] - up))
    return image


def row_repeated_below(shot: Shot, random: Random) -> Image.Image:
    """Some filled tubes once more below all."""
    filled = [box for box, cells in zip(shot.boxes, shot.cells, strict=True) if cells]
    return _with_copies(shot, random.sample(filled, min(2, len(filled))), above=False)


def _with_empty_tubes(shot: Shot, random: Random, above: bool) -> Image.Image:
    empty = [box for box, cells in zip(shot.boxes, shot.cells, strict=True) if not cells]
    if not empty:
        return shot.image
    return _with_copies(shot, [random.choice(empty)] * random.randrange(1, 4), above)


def _with_copies(shot: Shot, boxes: Sequence[Box], above: bool) -> Image.Image:
    """Copies of tubes beside each other in a strip of their own."""
    image = shot.image
    height = max(bottom - top for _, top, _, bottom in shot.boxes)
    width = max(right - left for left, _, right, _ in boxes)
    step = _spacing(shot)
    ground = image.getpixel((image.width // 2, 1 if above else image.height - 2))
    strip = Image.new("RGB", (image.width, round(1.5 * height)), ground)
    for index, (left, top, right, bottom) in enumerate(boxes):
        margin = 0.12 * width
        copy = image.crop((round(left - margin), round(top - margin), round(right + margin), round(bottom + margin)))
        x = image.width / 2 + (index - (len(boxes) - 1) / 2) * step - copy.width / 2
        strip.paste(copy, (round(x), round(0.2 * height)))
    return _below(strip, image) if above else _below(image, strip)


def _spacing(shot: Shot) -> float:
    """The least step from a tube to the next."""
    return min(
        (
            second[0] - first[0]
            for first, second in zip(shot.boxes, shot.boxes[1:], strict=False)
            if second[0] > first[0] and abs(second[3] - first[3]) < 0.5 * (first[3] - first[1])
        ),
        default=2 * shot.tube_width(),
    )


def _with_popup(shot: Shot, box: Box, random: Random) -> Image.Image:
    left, top, right, bottom = box
    margin = random.uniform(0.1, 0.25) * (right - left)
    image = shot.image.copy()
    fill = random.choice([(255, 255, 255), (40, 40, 40), (250, 220, 120), (60, 120, 200)])
    place = (left - margin, top - margin, right + margin, bottom + margin)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(place, margin, fill=fill, outline=_colour(random), width=max(1, round(0.2 * margin)))
    ink = (20, 20, 20) if sum(fill) > 380 else (240, 240, 240)
    pen.text((left, (top + bottom) / 2), "Hint!", ink, font=ImageFont.load_default(max(8, 0.35 * (right - left))))
    return image


def _dimmed(image: Image.Image, box: tuple[int, int, int, int], share: float) -> Image.Image:
    result = image.copy()
    result.paste(ImageEnhance.Brightness(image.crop(box)).enhance(share), box[:2])
    return result


def _below(above: Image.Image, below: Image.Image) -> Image.Image:
    joined = Image.new("RGB", (above.width, above.height + below.height))
    joined.paste(above, (0, 0))
    joined.paste(below, (0, above.height))
    return joined


def _bar(width: int, height: int, random: Random) -> Image.Image:
    bar = Image.new("RGB", (width, max(8, height)), random.choice([(0, 0, 0), (255, 255, 255), (30, 60, 120)]))
    ink = (255, 255, 255) if bar.getpixel((0, 0))[0] < 128 else (0, 0, 0)
    pen = ImageDraw.Draw(bar)
    font = ImageFont.load_default(max(8, 0.6 * height))
    pen.text((0.05 * width, 0.2 * height), f"{random.randrange(24)}:{random.randrange(10, 60)}", ink, font=font)
    for index in range(4):
        x = width - (index + 1) * 1.2 * height
        pen.rectangle((x, 0.3 * height, x + 0.7 * height, 0.8 * height), outline=ink)
    return bar


def _write(strip: Image.Image, text: str, random: Random) -> None:
    """Text in the middle of a strip, as large as fits."""
    size = 0.8 * strip.height
    font = ImageFont.load_default(size)
    length = font.getlength(text)
    if length > 0.9 * strip.width:
        font = ImageFont.load_default(max(8, size * 0.9 * strip.width / length))
        length = font.getlength(text)
    ink = random.choice([(255, 255, 255), (20, 20, 20), (250, 200, 40), (230, 60, 60)])
    stroke = random.choice([0, 0, max(1, round(0.04 * size))])
    pen = ImageDraw.Draw(strip)
    place = ((strip.width - length) / 2, strip.height / 2)
    pen.text(place, text, ink, font=font, anchor="lm", stroke_width=stroke, stroke_fill=(60, 30, 10))


def _colour(random: Random) -> tuple[int, int, int]:
    return random.randrange(256), random.randrange(256), random.randrange(256)


def saved(image: Image.Image, form: str, quality: int) -> Image.Image:
    data = io.BytesIO()
    image.save(data, form, quality=quality)
    return Image.open(data).convert("RGB")


def sent(shot: Shot, random: Random) -> Image.Image:
    """As messengers send pictures: no larger than they allow, and compressed."""
    longest = random.choice([1600, 1280, 960, 720, 560])
    small = scaled(shot.image, min(1.0, longest / max(shot.image.size)))
    return saved(small, "JPEG", quality=random.randrange(60, 88))


MILD: dict[str, Change] = {
    "unchanged": lambda shot, random: shot.image,
    "smaller": lambda shot, random: scaled(shot.image, random.uniform(0.4, 0.95)),
    "larger": lambda shot, random: scaled(shot.image, random.uniform(1.05, 2.0)),
    "cropped": cropped,
    "border": bordered,
    "status bar": with_status_bar,
    "heading": with_heading,
    "advertisement": with_advertisement,
    "buttons": with_buttons,
    "JPEG": lambda shot, random: saved(shot.image, "JPEG", quality=random.randrange(30, 91)),
    "WebP": lambda shot, random: saved(shot.image, "WEBP", quality=random.randrange(30, 91)),
    "brighter": lambda shot, random: ImageEnhance.Brightness(shot.image).enhance(random.uniform(1.05, 1.33)),
    "darker": lambda shot, random: ImageEnhance.Brightness(shot.image).enhance(random.uniform(0.6, 0.95)),
    "contrast": lambda shot, random: ImageEnhance.Contrast(shot.image).enhance(
        random.choice([0.6, 0.75, 0.85, 1.15, 1.3, 1.5])
    ),
    "gamma": other_gamma,
    "warmer, cooler": warmer,
    "saturation": lambda shot, random: ImageEnhance.Color(shot.image).enhance(
        random.choice([0.5, 0.7, 0.85, 1.3, 1.6])
    ),
    "256 colours": lambda shot, random: shot.image.quantize(256).convert("RGB"),
    "blurred": lambda shot, random: shot.image.filter(
        ImageFilter.GaussianBlur(random.uniform(0.0005, 0.002) * max(shot.image.size))
    ),
    "noise": noisy,
    "slightly turned": lambda shot, random: _turned(shot.image, random.uniform(0.2, 1.0) * random.choice([-1, 1])),
}
"""Changes after which the board should be read."""

HARD: dict[str, Change] = {
    "photo of a screen": photographed,
    "turned": lambda shot, random: _turned(shot.image, random.uniform(2.0, 8.0) * random.choice([-1, 1])),
    "grey": lambda shot, random: shot.image.convert("L").convert("RGB"),
    "16 or 64 colours": lambda shot, random: shot.image.quantize(random.choice([16, 64])).convert("RGB"),
    "inverted": lambda shot, random: ImageOps.invert(shot.image),
    "tubes in a heading": with_tubes_in_heading,
    "cut through the first column": _cut_through("left"),
    "cut through the last column": _cut_through("right"),
    "cut through the first row": _cut_through("top"),
    "cut through the last row": _cut_through("bottom"),
    "row dimmed": dimmed_row,
    "half dimmed": dimmed_half,
    "popup over the last tube": lambda shot, random: _with_popup(shot, shot.boxes[-1], random),
    "popup over a tube": lambda shot, random: _with_popup(shot, random.choice(list(shot.boxes)), random),
    "finger on a cell": finger_on_a_cell,
    "tube lifted": lifted_tube,
    "empty tubes above": lambda shot, random: _with_empty_tubes(shot, random, above=True),
    "empty tubes below": lambda shot, random: _with_empty_tubes(shot, random, above=False),
    "filled tubes repeated below": row_repeated_below,
    "upside down": lambda shot, random: shot.image.transpose(Image.Transpose.ROTATE_180),
    "seen aslant": seen_aslant,
    "much smaller": lambda shot, random: scaled(shot.image, random.uniform(0.3, 0.4)),
    "much larger": lambda shot, random: scaled(shot.image, random.uniform(2.0, 2.5)),
    "strong JPEG": lambda shot, random: saved(shot.image, "JPEG", quality=random.randrange(15, 31)),
    "night tint": night_tint,
    "screenshot of a screenshot": screenshot_of_screenshot,
    "sent by a messenger": sent,
}
"""Changes after which it mustn't be wrong and sure; most hide or add something."""

CHANGES = MILD | HARD
