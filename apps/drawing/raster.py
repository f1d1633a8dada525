"""Films as pixels: PNG of the start, GIF of the whole film. Needs Pillow, so import this module only when drawing.

Everything is painted larger and then scaled down, which smooths the edges. The font is DejaVu Sans if it is installed,
and otherwise Pillow's own font, which has only the letters of English.
"""

from collections.abc import Iterable
from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from bsp_sat.apps.drawing.film import END_SECONDS, MOVE_SECONDS, MOVING, START_SECONDS, Film, Piece
from bsp_sat.apps.drawing.shapes import CAPITALS, Disc, Line, Point, Rectangle, Shape, Words
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.palette import GROUND

SHARP = 2  # pixels of a PNG for each pixel of the film, if no size is asked for
SMOOTH = 3  # scale of painting, before scaling down
MOST_PIXELS = 60_000_000  # pixels of a picture as painted: 180 MB
MOST_OF_ALL_FRAMES = 1_000_000_000  # pixels of all frames of a GIF as painted: a few seconds
FRAMES = 6  # frames of a GIF for each motion
EDGE = 1.2  # width of the edges of boxes and discs


def png(film: Film) -> bytes:
    """The start of a film as a PNG. Unsupported if the picture would be too large."""
    painter = _Painter(film, film.scale or SHARP)
    image = painter.painted(film.pieces, 0).reduce(SMOOTH)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(film: Film) -> bytes:
    """The whole film as an endless GIF. Unsupported if the picture would be too large."""
    painter = _Painter(film, film.scale or 1)
    painter.limit(1 + film.moves * (FRAMES + 1))
    frames = [painter.painted(film.pieces, 0).reduce(SMOOTH)]
    seconds = [START_SECONDS]
    for move in range(1, film.moves + 1):
        moving = [piece for piece in film.pieces if piece.changes(move - 1, move)]
        ids = set(map(id, moving))
        rest = painter.painted([piece for piece in film.pieces if id(piece) not in ids], move)
        for frame in range(1, FRAMES + 1):
            time = move - 1 + MOVING * frame / FRAMES
            frames.append(painter.painted(moving, time, rest).reduce(SMOOTH))
            seconds.append(MOVE_SECONDS * MOVING / FRAMES)
        seconds[-1] += MOVE_SECONDS * (1 - MOVING)
    seconds[-1] += END_SECONDS if film.moves else 0
    # All frames share a palette, against flicker. The first and the last frame together have all colours.
    both = Image.new("RGB", (frames[0].width, 2 * frames[0].height))
    both.paste(frames[0], (0, 0))
    both.paste(frames[-1], (0, frames[0].height))
    colours = both.quantize(256)
    few = [frame.quantize(palette=colours, dither=Image.Dither.NONE) for frame in frames]
    file = BytesIO()
    durations = [round(1000 * second) for second in seconds]
    if len(few) == 1:
        few[0].save(file, "GIF")
    else:
        few[0].save(file, "GIF", save_all=True, append_images=few[1:], duration=durations, loop=0)
    return file.getvalue()


class _Painter:
    """Paints a film at a given time, with ``sharp`` pixels for each of its own; `Unsupported` if that is too large."""

    def __init__(self, film: Film, sharp: float) -> None:
        self.scale = sharp * SMOOTH
        # A multiple of the scale, so that scaling down gives whole pixels.
        self.size = (round(film.width * sharp) * SMOOTH, round(film.height * sharp) * SMOOTH)
        self.pixels = self.size[0] * self.size[1]
        if self.pixels > MOST_PIXELS:
            raise Unsupported("the picture would be too large as PNG or GIF; SVG has no such limit")
        self.ground = Image.new("RGB", self.size, GROUND)
        self.corner = Point(-film.origin.x, -film.origin.y)
        _paint(ImageDraw.Draw(self.ground, "RGBA"), film.still, self.corner, 1, self.scale)

    def limit(self, frames: int) -> None:
        """Refuses films with too many frames to paint in a reasonable time."""
        if frames * self.pixels > MOST_OF_ALL_FRAMES:
            raise Unsupported("the plan is too long for a GIF of such a board; SVG has no such limit")

    def painted(self, pieces: Iterable[Piece], time: float, ground: Image.Image | None = None) -> Image.Image:
        """Paints pieces at a time over ``ground``; by default over the still shapes."""
        image = (self.ground if ground is None else ground).copy()
        pen = ImageDraw.Draw(image, "RGBA")
        for piece in pieces:
            key = piece.at_time(time)
            if key.opacity > 0:
                place = Point(self.corner.x + key.place.x, self.corner.y + key.place.y)
                _paint(pen, piece.shapes, place, key.opacity, self.scale)
        return image


def _paint(pen: ImageDraw.ImageDraw, shapes: Iterable[Shape], at: Point, opacity: float, scale: float) -> None:
    def place(x: float, y: float) -> tuple[float, float]:
        return (at.x + x) * scale, (at.y + y) * scale

    def ink(colour: str) -> str:
        return f"{colour}{round(255 * opacity):02x}"

    edge = max(1, round(EDGE * scale))
    for shape in shapes:
        match shape:
            case Rectangle(left, top, width, height, fill, line, radius):
                corners = (*place(left, top), *place(left + width, top + height))
                outline = None if line is None else ink(line)
                pen.rounded_rectangle(corners, radius * scale, ink(fill), outline, edge)
            case Disc(centre, radius, fill, line):
                corners = (*place(centre.x - radius, centre.y - radius), *place(centre.x + radius, centre.y + radius))
                pen.ellipse(corners, ink(fill), None if line is None else ink(line), edge)
            case Line(points, colour, width):
                pen.line([place(*point) for point in points], ink(colour), round(width * scale), joint="curve")
            case Words(centre, text, size, colour, bold):
                font, complete = _font(round(size * scale), bold)
                middle = place(centre.x, centre.y + CAPITALS * size)
                pen.text(middle, text if complete else text.replace("→", "->"), ink(colour), font, anchor="ms")


@cache
def _font(size: int, bold: bool) -> tuple[ImageFont.FreeTypeFont | ImageFont.ImageFont, bool]:
    """The font, and whether it has more than the letters of English."""
    try:
        return ImageFont.truetype("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf", size), True
    except OSError:
        return ImageFont.load_default(size), False
