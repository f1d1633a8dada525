"""Pictures of boards in the manner of many games, drawn here: what tests and benchmarks read boards from.

Nothing in it is shared with the reader. Lengths are in units of a screen of `WIDE` × `HIGH`.
"""

import io
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

WIDE, HIGH = 720, 1280

RGB = tuple[int, int, int]

PALETTE: tuple[RGB, ...] = (
    (214, 40, 45), (245, 140, 40), (250, 218, 60), (95, 215, 125), (20, 105, 50), (85, 165, 235), (45, 50, 200),
    (115, 45, 150), (235, 95, 125), (125, 75, 15), (120, 150, 20), (30, 225, 240), (255, 180, 160), (20, 150, 140),
    (225, 60, 180), (110, 115, 120), (250, 250, 250), (150, 110, 230),
)  # fmt: skip

NEAR: tuple[RGB, ...] = (
    (245, 140, 40), (250, 165, 45), (95, 205, 120), (85, 185, 95), (45, 50, 200), (75, 60, 215), (235, 95, 125),
    (240, 125, 150), (85, 165, 235), (110, 185, 240),
)  # fmt: skip
"""Pairs that lie close to each other."""


@dataclass(frozen=True)
class Theme:
    """What is behind the tubes, and what they are made of."""

    top: RGB
    bottom: RGB
    glass: RGB
    outline: RGB
    texture: str = "plain"
    faintness: float = 0.0  # share of the ground in the outline


THEMES = {
    "dark": Theme((26, 26, 26), (26, 26, 26), (26, 26, 26), (200, 200, 200), "doodles"),
    "night": Theme((14, 18, 40), (24, 30, 60), (30, 36, 62), (130, 140, 160)),
    "sea": Theme((4, 70, 80), (2, 20, 60), (4, 50, 70), (235, 240, 240), "grid"),
    "light": Theme((240, 243, 248), (222, 230, 240), (250, 250, 252), (120, 130, 150)),
    "paper": Theme((235, 226, 205), (228, 216, 192), (240, 234, 220), (110, 85, 60), "noise"),
    "wood": Theme((105, 58, 32), (78, 40, 22), (120, 75, 52), (230, 220, 210), "wood"),
    "forest": Theme((40, 84, 60), (24, 52, 36), (70, 110, 90), (210, 235, 220), "leaves"),
    "dark on dark": Theme((18, 18, 18), (18, 18, 18), (24, 24, 28), (52, 52, 56)),
}


@dataclass(frozen=True)
class Style:
    """How a board is drawn."""

    puzzle: str = "water-sort"
    theme: str = "dark"
    rows: tuple[int, ...] = (4, 3)
    pitch: float = 0.95  # over the width of a cell
    gap: float = 0.08  # between cell and outline, over the width of a cell
    line: float = 3.0
    foot: str = "round"
    mouth: float = 0.45  # room above a full tube, in cells
    lip: bool = False
    gloss: float = 0.0  # 0 to 1
    shade: float = 0.0  # 0 to 1, change of lightness within a cell
    pattern: str = "none"
    symbols: bool = False
    left: bool = False  # rows begin at one column
    header: bool = True
    advertisement: bool = False
    letterbox: float = 0.0
    scale: float = 1.0
    turn: float = 0.0  # degrees
    quality: int | None = None  # of JPEG; PNG without
    near: bool = False
    seed: int = 0
    crowded: float = 0.62  # width of a cell over the step from tube to tube
    shape: str = "plain"  # of cells: plain ones are discs or layers, others a ring, a nut or a bird
    wave: float = 0.0  # of the surfaces of layers, over the width of a cell
    taper: float = 0.0  # by how much a side comes in from mouth to foot, over the width of a cell
    low: bool = False  # one cell is lower than its place by a tenth
    capped: bool = False  # tubes full of one colour have a lid
    mirrored: bool = False
    locked: str = ""  # the sign on a locked place after the last tube, which ``rows`` count: lock, plus or ad
    dashes: float = 0.0  # share of its outline that is left out; and the outline is this much fainter


STYLES: dict[str, dict[str, Any]] = {
    "square": {"foot": "flat", "gap": 0.0},
    "cups": {"foot": "flat", "taper": 0.15, "gap": 0.05},
    "water with waves": {"foot": "round", "wave": 0.06},
    "glossy balls": {"puzzle": "ball-sort", "gloss": 1.0},
    "flat balls": {"puzzle": "ball-sort", "gloss": 0.0, "shade": 0.0},
    "rings on posts": {"foot": "post", "shape": "ring", "pitch": 0.45, "gap": 0.0},
    "birds": {"foot": "post", "shape": "bird", "pitch": 0.9, "gap": 0.0},
    "nuts": {"foot": "post", "shape": "nut", "pitch": 0.55, "gap": 0.0},
    "patterned balls": {"puzzle": "ball-sort", "pattern": "stripes"},
    "symbols": {"puzzle": "ball-sort", "symbols": True},
}
"""What sets styles of games apart; birds sit on branches that lie, so that a reader should refuse them."""


@dataclass(frozen=True)
class Drawn:
    """A picture and what it shows."""

    data: bytes
    tubes: list[list[str | None]]
    capacities: list[int]
    puzzle: str
    style: Style
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)


def random_tubes(random: Random, colours: int, capacity: int, empty: int, partly: bool = False) -> list[list[str]]:
    """A shuffled board, its colours called a, b, …; where asked for with room in some tubes."""
    cells = [chr(97 + colour) for colour in range(colours) for _ in range(capacity)]
    random.shuffle(cells)
    tubes = [cells[start : start + capacity] for start in range(0, len(cells), capacity)]
    tubes += [[] for _ in range(empty)]
    if partly:
        for _ in range(3):
            source, target = random.randrange(len(tubes)), random.randrange(len(tubes))
            if source != target and len(tubes[source]) > 1 and len(tubes[target]) < capacity:
                tubes[target].append(tubes[source].pop())
    return tubes


def random_style(random: Random, tubes: int, seed: int = 0) -> Style:
    """Any style that a reader should cope with."""
    count = max(1, math.ceil(tubes / 7), random.choice([1, 2, 2, 2, 3])) if tubes > 3 else 1
    base, more = divmod(tubes, count)
    rows = tuple(base + (index < more) for index in range(count))
    puzzle = random.choice(["ball-sort", "water-sort"])
    balls = puzzle == "ball-sort"
    return Style(
        puzzle=puzzle,
        theme=random.choice([name for name in THEMES if name != "dark on dark"] * 3 + ["dark on dark"]),
        rows=rows,
        pitch=random.uniform(1.02, 1.35) if balls else random.uniform(0.6, 1.15),
        gap=random.uniform(0.06, 0.3) if balls else random.choice([0.0, 0.05, 0.1]),
        line=random.choice([2.0, 3.0, 4.0]),
        foot=random.choice(["round", "flat", "corners"]),
        mouth=random.uniform(0.2, 0.7),
        lip=random.random() < 0.3,
        gloss=random.choice([0, 0, 0, 0.5, 1.0]),
        shade=random.choice([0, 0, 0.3, 0.7]),
        pattern=random.choice(["none"] * 6 + ["stripes", "dots"]),
        symbols=random.random() < 0.15,
        left=random.random() < 0.15,
        header=random.random() < 0.8,
        advertisement=random.random() < 0.3,
        letterbox=random.choice([0, 0, 0, 0.05]),
        scale=random.choice([0.5, 0.75, 1.0, 1.0, 1.5, 2.0]),
        turn=random.choice([0.0] * 7 + [random.uniform(-1.2, 1.2)]),
        quality=random.choice([None, None, 90, 75, 40]),
        near=random.random() < 0.1,
        seed=seed,
        crowded=random.uniform(0.5, 0.72),
    )


def draw(
    tubes: list[list[str | None]], style: Style, capacity: int | list[int], colours: dict[str, RGB] | None = None
) -> Drawn:
    """The picture of a board; None in a tube is a cell that the game covers."""
    random = Random(style.seed)
    capacities = capacity if isinstance(capacity, list) else [capacity] * len(tubes)
    names = sorted({cell for tube in tubes for cell in tube if cell is not None})
    if colours is None:
        pool = list(NEAR + PALETTE) if style.near else list(PALETTE)
        theme = THEMES[style.theme]
        pool = _clear(pool, theme, len(names))
        chosen = pool[: len(names)] if style.near else random.sample(pool, len(names))
        colours = dict(zip(names, chosen, strict=True))
    fine = 2.0 if style.scale <= 1.2 else 1.2
    unit = style.scale * fine
    image = _ground(style, random, unit)
    pen = ImageDraw.Draw(image, "RGBA")
    if style.header:
        _header(pen, random, unit)
    boxes = Canvas(image, style, colours, unit).tubes(tubes, capacities)
    if style.advertisement:
        _advertisement(pen, random, unit)
    if style.letterbox:
        bar = style.letterbox * HIGH * unit
        pen.rectangle((0, 0, WIDE * unit, bar), fill=(0, 0, 0))
        pen.rectangle((0, HIGH * unit - bar, WIDE * unit, HIGH * unit), fill=(0, 0, 0))
    if style.turn:
        image = image.rotate(style.turn, Image.Resampling.BICUBIC, fillcolor=THEMES[style.theme].top)
    if style.shape == "bird":  # all branches grow from one side
        boxes = [(top, WIDE * unit - right, bottom, WIDE * unit - left) for left, top, right, bottom in boxes]
        image = image.transpose(Image.Transpose.ROTATE_90)
    image = image.resize((round(image.width / fine), round(image.height / fine)), Image.Resampling.LANCZOS)
    boxes = [tuple(side / fine for side in box) for box in boxes]
    if style.mirrored:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        boxes = [(image.width - right, top, image.width - left, bottom) for left, top, right, bottom in boxes]
        ends = list(itertools.accumulate(style.rows, initial=0))
        order = [place for start, end in itertools.pairwise(ends) for place in reversed(range(start, end))]
        tubes, capacities, boxes = ([each[place] for place in order] for each in (tubes, capacities, boxes))
    data = io.BytesIO()
    if style.quality is None:
        image.save(data, "PNG", compress_level=1)
    else:
        image.save(data, "JPEG", quality=style.quality)
    return Drawn(data.getvalue(), [list(tube) for tube in tubes], capacities, style.puzzle, style, boxes)


def rows_of(drawn: Drawn) -> list[tuple[int, int, int, int, int, int]]:
    """Of each row of a picture in one piece: left, top, right and bottom of a frame through the middles of its corner
    cells, in pixels; how many tubes it has; and how many cells each can hold."""
    rows, first = [], 0
    for count in drawn.style.rows:
        (left, _, right, bottom), last = drawn.boxes[first], drawn.boxes[first + count - 1]
        gap, cells = drawn.style.gap, drawn.capacities[first]
        width = (right - left) / (1 + 2 * gap)
        pitch, lowest = drawn.style.pitch * width, bottom - gap * width
        lower = lowest - (width if drawn.puzzle == "ball-sort" else pitch) / 2
        middle, end = (left + right) / 2, (last[0] + last[2]) / 2
        upper = lower - (cells - 1) * pitch
        rows.append((round(middle), round(upper), round(end), round(lower), count, cells))
        first += count
    return rows


def random_picture(seed: int) -> Drawn:
    """The picture of a number: any board in any style."""
    random = Random(seed)
    colours = random.choice([3, 4, 5, 6, 7, 8, 9, 10, 12, 14])
    capacity = random.choice([3, 4, 4, 4, 4, 5, 6, 8])
    empty = random.choice([1, 2, 2, 2, 3])
    tubes = random_tubes(random, colours, capacity, empty, partly=random.random() < 0.3)
    style = random_style(random, len(tubes), seed)
    if style.near:
        tubes = random_tubes(random, min(colours, 8), capacity, empty)
        style = replace(random_style(random, len(tubes), seed), near=True)
    if style.pattern != "none" and random.random() < 0.5:
        style = replace(style, symbols=False)
    return draw([list(tube) for tube in tubes], style, capacity)


KINDS = ("plain", "covered", "mixed", "completed", "short", "posts", "capped", "low", "mirrored")
"""What boards of `random_shot` have; its docstring says it."""


def random_shot(seed: int, kind: str = "plain", of_style: str | None = None) -> Drawn:
    """The upright picture of a number, in one of `STYLES` where asked for.

    Its board is plain, or has ``covered`` cells, ``mixed`` capacities, no empty tube but one ``completed`` in a colour
    near the ground, tubes with room that are ``short``, ``posts`` in place of glasses, a completed tube with a lid
    (``capped``), or a cell that is ``low``; or all of the picture is ``mirrored``.
    """
    random = Random(seed)
    colours, capacity = random.randrange(3, 13), random.choice([3, 4, 4, 4, 4, 5, 6])
    if kind in ("completed", "short", "posts"):
        return _trap(random, kind, colours, capacity, seed)
    tubes: list[list[str | None]] = [
        list(tube) for tube in random_tubes(random, colours, capacity, 2, partly=kind == "plain" and seed % 3 == 0)
    ]
    capacities = [capacity] * len(tubes)
    if kind == "covered":
        tubes = [[None] * (len(tube) - 1) + tube[-1:] for tube in tubes]
    elif kind == "mixed":
        capacities = [random.choice([capacity, capacity + 2]) for _ in range(colours)]
        cells = [chr(97 + colour) for colour, size in enumerate(capacities) for _ in range(size)]
        random.shuffle(cells)
        ends = list(itertools.accumulate(capacities, initial=0))
        tubes = [[*cells[start:end]] for start, end in itertools.pairwise(ends)] + [[], []]
        capacities += [capacity + 2] * 2
    elif kind == "capped":
        tubes[:colours] = [*random_tubes(random, colours - 1, capacity, 0), [chr(96 + colours)] * capacity]
    style = random_style(random, len(tubes), seed)
    style = replace(style, turn=0.0, scale=random.choice([0.6, 0.75, 1.0]), near=style.near and colours <= 8)
    style = replace(style, low=kind == "low", capped=kind == "capped", mirrored=kind == "mirrored")
    if of_style is not None:
        plain: dict[str, Any] = {"puzzle": "water-sort", "symbols": False, "pattern": "none"}
        style = replace(style, **plain | {"pitch": random.uniform(0.6, 1.15)} | STYLES[of_style])
        if style.puzzle == "ball-sort":
            style = replace(style, pitch=random.uniform(1.02, 1.35), gap=random.uniform(0.06, 0.3))
    return draw(tubes, style, capacities)


def _trap(random: Random, kind: str, colours: int, capacity: int, seed: int) -> Drawn:
    """A picture of a board that is easily taken for another one; see `random_shot`."""
    tubes: list[list[str | None]] = [list(tube) for tube in random_tubes(random, colours, capacity, 0)]
    if random.random() < 0.5:  # a tube with room for what is taken from two others
        tubes.append([tube.pop() for tube in random.sample(tubes, 2)])
    capacities, shades = [capacity] * len(tubes), None
    if kind == "completed":
        completed = chr(97 + colours)
        place = random.randrange(len(tubes) + 1)
        tubes.insert(place, [completed] * capacity)
        capacities.append(capacity)
    else:
        tubes += [[], []]
        capacities += [capacity] * 2
        if kind == "short":
            lower = random.choice([number for number, tube in enumerate(tubes) if len(tube) <= max(capacity - 2, 0)])
            capacities[lower] = random.randrange(max(2, len(tubes[lower])), capacity)
    style = random_style(random, len(tubes), seed)
    style = replace(style, turn=0.0, scale=random.choice([0.6, 0.75, 1.0]), near=False)
    if kind == "posts":
        style = replace(style, puzzle="water-sort", foot="post", pitch=random.uniform(0.35, 0.6), gap=0.0)
    if kind == "completed":
        theme = THEMES[style.theme]
        far = _clear(PALETTE, theme, colours)
        near = _mixed(theme.glass, random.choice(far), random.uniform(0.2, 0.5))
        shades = dict(zip([chr(97 + colour) for colour in range(colours)], random.sample(far, colours), strict=True))
        shades[completed] = near
    return draw(tubes, style, capacities, shades)


def _clear(pool: Sequence[RGB], theme: Theme, least: int) -> list[RGB]:
    """The colours that are far from those of a theme; all where these are too few."""
    far = [colour for colour in pool if _apart(colour, theme.glass) > 90 and _apart(colour, theme.top) > 90]
    return far if len(far) >= least else list(pool)


def _apart(one: RGB, other: RGB) -> float:
    return sum(abs(first - second) for first, second in zip(one, other, strict=True))


def _mixed(one: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (
        max(0, min(255, round(first + (second - first) * share))) for first, second in zip(one, other, strict=True)
    )
    return red, green, blue


def _ground(style: Style, random: Random, unit: float) -> Image.Image:
    theme = THEMES[style.theme]
    size = round(WIDE * unit), round(HIGH * unit)
    strip = Image.new("RGB", (1, 64))
    for row in range(64):
        strip.putpixel((0, row), _mixed(theme.top, theme.bottom, row / 63))
    image = strip.resize(size, Image.Resampling.BILINEAR)
    pen = ImageDraw.Draw(image, "RGBA")
    if theme.texture == "doodles":
        for _ in range(60):
            x, y, r = random.uniform(0, size[0]), random.uniform(0, size[1]), 14 * unit
            pen.arc((x - r, y - r, x + r, y + r), random.randrange(360), random.randrange(360), (255, 255, 255, 16), 2)
    elif theme.texture == "grid":
        for step in range(0, HIGH, 36):
            pen.line((0, step * unit, size[0], step * unit), (255, 255, 255, 14), max(1, round(unit)))
            pen.line((step * unit, 0, step * unit, size[1]), (255, 255, 255, 14), max(1, round(unit)))
    elif theme.texture == "wood":
        for _ in range(120):
            x, w = random.uniform(0, size[0]), random.uniform(1, 5) * unit
            dark = (0, 0, 0, 22) if random.random() < 0.6 else (255, 200, 150, 14)
            pen.line((x, 0, x + random.uniform(-20, 20) * unit, size[1]), dark, max(1, round(w)))
    elif theme.texture == "leaves":
        for _ in range(40):
            x, y, r = random.uniform(0, size[0]), random.uniform(0, size[1]), random.uniform(15, 60) * unit
            pen.ellipse((x - r, y - r / 2, x + r, y + r / 2), (90, 160, 90, 22))
    elif theme.texture == "noise":
        # Not Pillow's noise, which is another one each time.
        grains = np.random.default_rng(style.seed).normal(128, 9, (size[1] // 4 + 1, size[0] // 4 + 1))
        noise = Image.fromarray(grains.clip(0, 255).astype(np.uint8)).resize(size).convert("RGB")
        image = Image.blend(image, noise, 0.06)
    return image


def _header(pen: ImageDraw.ImageDraw, random: Random, unit: float) -> None:
    for index in range(random.randrange(2, 6)):
        x, y = (30 + index * 125) * unit, 40 * unit
        pen.rounded_rectangle((x, y, x + 90 * unit, y + 56 * unit), 12 * unit, fill=random.choice(PALETTE))
        pen.ellipse((x + 30 * unit, y + 14 * unit, x + 58 * unit, y + 42 * unit), fill=(40, 30, 20))
    for index in range(8):
        x = (220 + 36 * index) * unit
        pen.rectangle((x, 140 * unit, x + 22 * unit, 172 * unit), fill=(245, 245, 245))
        pen.rectangle((x + 6 * unit, 148 * unit, x + 16 * unit, 158 * unit), fill=(90, 90, 90))


def _advertisement(pen: ImageDraw.ImageDraw, random: Random, unit: float) -> None:
    top = (HIGH - 110) * unit
    pen.rectangle((0, top, WIDE * unit, HIGH * unit), fill=(255, 255, 255))
    for _ in range(14):
        x, y = random.uniform(0, WIDE - 80) * unit, top + random.uniform(5, 70) * unit
        w, h = random.uniform(10, 120) * unit, random.uniform(8, 34) * unit
        pen.rectangle((x, y, x + w, y + h), fill=random.choice(PALETTE))


@dataclass(frozen=True)
class Canvas:
    """What tubes are drawn on, and how."""

    image: Image.Image
    style: Style
    colours: dict[str, RGB]
    unit: float

    def tubes(self, tubes: list[list[str | None]], capacities: list[int]) -> list[tuple[float, float, float, float]]:
        """Draws all tubes, row by row; their boxes."""
        style = self.style
        area = HIGH - 330 - 40 * (len(style.rows) - 1)
        of_row = area / len(style.rows)
        widest = max(style.rows)
        step = (WIDE - 30) / max(widest, 4)
        width = min(step * style.crowded, of_row / ((max(capacities) + style.mouth + 0.3) * style.pitch))
        boxes = []
        number = 0
        for row, count in enumerate(style.rows):
            bottom = 190 + (row + 1) * of_row + row * 40
            spread = step if style.left or count == widest else min(step, (WIDE - 30) / count)
            start = 15 + step / 2 if style.left else WIDE / 2 - spread * (count - 1) / 2
            for column in range(count):
                if number == len(tubes):
                    self.locked(max(capacities), start + column * spread, bottom, width)
                    break
                boxes.append(self.tube(tubes[number], capacities[number], start + column * spread, bottom, width))
                number += 1
        return boxes

    def tube(
        self, cells: list[str | None], capacity: int, centre: float, bottom: float, width: float
    ) -> tuple[float, float, float, float]:
        """Draws a tube with all that is in it; its box."""
        style, unit, theme = self.style, self.unit, THEMES[self.style.theme]
        pitch = style.pitch * width
        gap = style.gap * width
        half = width / 2 + gap
        top = bottom - capacity * pitch - style.mouth * pitch
        left, right = (centre - half) * unit, (centre + half) * unit
        foot = (bottom + gap) * unit
        radius = {"round": 0.96 * half, "corners": 0.35 * half, "flat": 0.0, "post": 0.0}[style.foot] * unit
        box = (left, top * unit, right, foot)
        corners = (False, False, True, True)
        inwards = style.taper * width * unit
        cup = ((left, top * unit), (left + inwards, foot), (right - inwards, foot), (right, top * unit))

        def glass(image: Image.Image, fill: RGB | int) -> None:
            pen = ImageDraw.Draw(image, "RGBA" if image.mode == "RGB" else None)
            if inwards:
                pen.polygon(cup, fill=fill)
            else:
                pen.rounded_rectangle(box, radius, fill=fill, corners=corners)

        pen = ImageDraw.Draw(self.image, "RGBA")
        if style.foot == "post":
            post, plate = 0.08 * width * unit, 0.12 * width * unit
            pen.rectangle((centre * unit - post, top * unit, centre * unit + post, foot), fill=theme.outline)
            pen.rectangle((left, foot, right, foot + plate), fill=theme.outline)
        else:
            glass(self.image, theme.glass)
        shape = Image.new("L", self.image.size, 0) if style.puzzle == "water-sort" else None
        if shape is not None:
            glass(shape, 255)
        for index, cell in reversed(list(enumerate(cells))):  # waves of a layer are in front of the one above
            lowered = style.low and index == style.seed % capacity == len(cells) - 1
            lower = bottom - index * pitch + 0.1 * width * lowered
            if style.puzzle == "ball-sort":
                middle = lower - width / 2
                place = (centre - width / 2, middle - width / 2, centre + width / 2, middle + width / 2)
            else:
                reach = width / 2 + (gap if inwards or style.wave else 0)
                upper = lower - pitch - style.wave * width
                place = (centre - reach, upper, centre + reach, lower + (gap if index == 0 else 0))
            self.cell(tuple(side * unit for side in place), cell, shape)
        if style.foot == "post":
            return box
        line = max(1, round(style.line * unit))
        if inwards:
            pen.line(cup, theme.outline, line, "curve")
        else:
            pen.rounded_rectangle(box, radius, outline=theme.outline, width=line, corners=corners)
        if style.capped and len(cells) == capacity and len(set(cells)) == 1:
            lid = 0.3 * width * unit
            pen.rounded_rectangle((left, top * unit - lid, right, top * unit + lid), lid / 2, fill=theme.outline)
        if style.lip:
            lip = 5 * unit
            rim = (left - lip, top * unit - lip, right + lip, top * unit + 2 * lip)
            pen.rounded_rectangle(rim, lip, outline=theme.outline, width=line)
        return box

    def locked(self, capacity: int, centre: float, bottom: float, width: float) -> None:
        """Draws a locked place for a tube."""
        style, unit, under = self.style, self.unit, self.image.copy()
        theme = THEMES[style.theme]
        outline = _mixed(theme.outline, theme.top, style.dashes)
        pen, pitch, gap = ImageDraw.Draw(self.image), style.pitch * width * unit, style.gap * width * unit
        half, foot = width / 2 * unit + gap, bottom * unit + gap
        top, middle = bottom * unit - (capacity + style.mouth) * pitch, centre * unit
        box, radius = (middle - half, top, middle + half, foot), 0.3 * half
        line = max(1, round(style.line * unit))
        pen.rounded_rectangle(box, radius, outline=outline, width=line)
        for at in range(round(top), round(foot), max(2, round(pitch / 3))) if style.dashes else ():
            strip = (round(box[0]) - line, at, round(box[2]) + line, at + round(pitch / 3 * style.dashes))
            self.image.paste(under.crop(strip), strip[:2])
        size, y = 0.28 * width * unit, foot - (0.5 if style.locked == "lock" else capacity / 2) * pitch
        if style.locked == "plus":
            pen.line((middle - size, y, middle + size, y), (240, 240, 240), round(size / 2))
            pen.line((middle, y - size, middle, y + size), (240, 240, 240), round(size / 2))
        elif style.locked == "ad":
            pen.rounded_rectangle((middle - size, y - size, middle + size, y + size), size / 3, fill=(250, 190, 40))
            pen.text((middle, y), "Ad", (20, 20, 20), ImageFont.load_default(size), "mm")
        else:
            pen.arc(
                (middle - size / 2, y - size, middle + size / 2, y + size / 2),
                180,
                360,
                (190, 190, 195),
                round(size / 4),
            )
            pen.rectangle((middle - 0.8 * size, y - size / 4, middle + 0.8 * size, y + 0.9 * size), (190, 190, 195))

    def cell(self, place: tuple[float, ...], cell: str | None, shape: Image.Image | None) -> None:
        """Draws a ball or a layer; ``shape`` is that of the water in its tube."""
        style = self.style
        left, top, right, bottom = (round(side) for side in place)
        if right <= left or bottom <= top:
            return
        size = w, h = (right - left, bottom - top)
        colour = (58, 58, 62) if cell is None else self.colours[cell]
        tile = Image.new("RGB", size, colour)
        pen = ImageDraw.Draw(tile, "RGBA")
        if style.shade and cell is not None:
            for column in range(w):
                share = style.shade * 0.35 * (column / w - 0.5)
                shade = (255, 255, 255, round(255 * share)) if share > 0 else (0, 0, 0, round(-255 * share))
                pen.line((column, 0, column, h), shade)
        if style.pattern == "stripes" and cell is not None:
            for start in range(-h, w, max(4, w // 4)):
                pen.line((start, h, start + h, 0), (0, 0, 0, 34), max(1, w // 10))
        elif style.pattern == "dots" and cell is not None:
            for x, y in itertools.product(range(3), repeat=2):
                cx, cy, r = w * (x + 0.5) / 3, h * (y + 0.5) / 3, w / 18
                pen.ellipse((cx - r, cy - r, cx + r, cy + r), (255, 255, 255, 70))
        if cell is None or style.symbols:
            _symbol(pen, size, "?" if cell is None else cell)
        if style.gloss and style.puzzle == "ball-sort":
            pen.ellipse((w * 0.22, h * 0.12, w * 0.52, h * 0.36), (255, 255, 255, round(150 * style.gloss)))
        elif style.gloss:
            pen.rectangle((w * 0.1, 0, w * 0.2, h), (255, 255, 255, round(110 * style.gloss)))
        mask = Image.new("L", size, 255)
        if style.shape != "plain":
            tile, mask = _figure(tile, colour, style.shape)
        elif style.puzzle == "ball-sort":
            mask = Image.new("L", size, 0)
            ImageDraw.Draw(mask).ellipse((0, 0, w - 1, h - 1), fill=255)
        elif shape is not None:
            mask = shape.crop((left, top, right, bottom))
        if style.wave:
            rise = style.wave / style.pitch * h / (1 + style.wave / style.pitch)
            for column in range(w):
                height = rise * (1 + math.sin(9 * column / w)) / 2
                ImageDraw.Draw(mask).line((column, 0, column, height), 0)
        self.image.paste(tile, (left, top), mask)


def _figure(tile: Image.Image, colour: RGB, shape: str) -> tuple[Image.Image, Image.Image]:
    """A ring, a nut or a bird seen from the side, and its mask."""
    w, h = tile.size
    mask = Image.new("L", tile.size, 0)
    pen, edge = ImageDraw.Draw(tile), ImageDraw.Draw(mask)
    if shape == "ring":
        edge.rounded_rectangle((0, 0, w - 1, h - 1), 0.45 * h, fill=255)
    elif shape == "nut":
        edge.polygon(
            (0, 0.2 * h, 0.1 * w, 0, 0.9 * w, 0, w, 0.2 * h, w, 0.8 * h, 0.9 * w, h, 0.1 * w, h, 0, 0.8 * h), 255
        )
        for left, right in ((0, 0.27 * w), (0.73 * w, w)):
            pen.rectangle((left, 0, right, h), _mixed(colour, (0, 0, 0), 0.3))
    else:
        edge.ellipse((0.1 * w, 0.15 * h, 0.9 * w, 0.95 * h), 255)
        pen.ellipse((0.2 * w, 0.3 * h, 0.45 * w, 0.55 * h), (255, 255, 255))
        pen.ellipse((0.28 * w, 0.36 * h, 0.4 * w, 0.48 * h), (0, 0, 0))
        edge.polygon((0.5 * w, 0, 0.6 * w, 0.3 * h, 0.4 * w, 0.3 * h), 255)
        pen.polygon((0.5 * w, 0, 0.6 * w, 0.2 * h, 0.4 * w, 0.2 * h), (250, 170, 30))
    return tile, mask


def _symbol(pen: ImageDraw.ImageDraw, size: tuple[int, int], name: str) -> None:
    w, h = size
    side = 0.26 * min(w, h)
    x, y = w / 2, h / 2
    white = (255, 255, 255, 230)
    kind = (ord(name) - 97) % 4
    if name == "?":
        line = max(1, round(side / 3))
        pen.arc((x - side, y - 1.3 * side, x + side, y + 0.5 * side), 180, 450, white, line)
        pen.ellipse((x - line, y + side, x + line, y + side + 2 * line), white)
    elif kind == 0:
        pen.ellipse((x - side, y - side, x + side, y + side), white)
    elif kind == 1:
        pen.polygon((x, y - side, x + side, y + side, x - side, y + side), white)
    elif kind == 2:
        pen.rectangle((x - side, y - 0.4 * side, x + side, y + 0.4 * side), white)
    else:
        pen.polygon((x, y - side, x + side, y, x, y + side, x - side, y), white)


def blurred(drawn: Drawn, radius: float) -> bytes:
    """The same picture out of focus."""
    image = Image.open(io.BytesIO(drawn.data)).convert("RGB").filter(ImageFilter.GaussianBlur(radius))
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()
