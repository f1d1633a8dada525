"""Pictures as arrays of pixels: what is too large, cut off or no picture is refused before it fills the memory.

The size that a file claims is read before any pixel is. Only the decoders of PNG, JPEG and WebP are asked: a reader of
other formats, in which no screenshots are sent, is one more way to be attacked.
"""

import io
import warnings
from dataclasses import dataclass, replace
from math import cos, degrees, sin
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from bsp_sat.instances.errors import PictureError
from bsp_sat.instances.text.reading import in_words, read_bytes

FORMATS = ("PNG", "JPEG", "WEBP")
MAX_BYTES = 50_000_000
MAX_PIXELS = 40_000_000  # 7,300 by 5,500; decoded 160 MB
MOST = f"{MAX_PIXELS // 1_000_000} million"
MIN_SIDE = 60  # pixels; below, no tube is wide enough to tell its cells
LONG_SIDE = 1100  # pixels that a picture is worked on with
SHORT_SIDE = 420  # a small picture is enlarged to it, so that outlines are wider than one pixel
MOST_ENLARGED = 2.0

Pixels = NDArray[np.uint8]
"""Height × width × 3, red, green and blue."""


@dataclass(frozen=True)
class Loaded:
    """A picture to work on.

    Attributes:
        image: as the file has it, upright, in RGB.
        pixels: the same at working size.
        scale: pixels of ``pixels`` for one of ``image``.
        name: of the picture, for messages.
        turn: by what ``pixels`` are turned against the file, in radians, clockwise.
    """

    image: Image.Image
    pixels: Pixels
    scale: float
    name: str = "the picture"
    turn: float = 0.0

    def turned(self, angle: float) -> "Loaded":
        """The same with its pixels turned clockwise by an angle in radians."""
        image = Image.fromarray(self.pixels).rotate(-degrees(angle), Image.Resampling.BICUBIC)
        return replace(self, pixels=np.asarray(image), turn=self.turn + angle)

    def original(self, left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
        """A box of ``pixels`` in the pixels of ``image``; where it is turned, one as large about the same middle."""
        height, width = self.pixels.shape[:2]
        across, down = (left + right - width) / 2, (top + bottom - height) / 2
        x = width / 2 + across * cos(self.turn) + down * sin(self.turn)
        y = height / 2 + down * cos(self.turn) - across * sin(self.turn)
        half_width, half_height = (right - left) / 2, (bottom - top) / 2
        first, last = (x - half_width, y - half_height), (x + half_width, y + half_height)
        start = max(0, round(first[0] / self.scale)), max(0, round(first[1] / self.scale))
        end = round(last[0] / self.scale), round(last[1] / self.scale)
        return *start, min(self.image.width, end[0]), min(self.image.height, end[1])


def load_picture(source: str | Path | bytes) -> Loaded:
    """Loads a picture from its bytes, a path, or ``-`` for standard input.

    Raises:
        PictureError: not a picture, of another format, cut off, animated, too small or too large.
        BoardError: the file can't be read.
        FileNotFoundError: there is no such file.
    """
    name = "the picture" if isinstance(source, bytes) else in_words(str(source))
    data = source if isinstance(source, bytes) else read_bytes(str(source))
    if len(data) > MAX_BYTES:
        raise PictureError(f"{name}: expected at most {MAX_BYTES // 1_000_000} MB, found more")
    try:
        image = _decoded(data, name)
    except PictureError:
        raise
    except UnidentifiedImageError:
        raise PictureError(f"{name}: expected a PNG, JPEG or WebP picture, found something else") from None
    except Image.DecompressionBombError:
        raise PictureError(f"{name}: expected at most {MOST} pixels, found several times as many") from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise PictureError(f"{name}: the picture is damaged: {error}") from None
    return at_working_size(image, name)


def _decoded(data: bytes, name: str) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of sizes, which are checked here, and of odd metadata
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        width, height = image.size
        if width * height > MAX_PIXELS:
            raise PictureError(f"{name}: expected at most {MOST} pixels, found {width} × {height}")
        if min(width, height) < MIN_SIDE:
            raise PictureError(f"{name}: expected at least {MIN_SIDE} pixels a side, found {width} × {height}")
        if image.format in FORMATS and getattr(image, "n_frames", 1) > 1:  # photos may be MPO, with a second view
            raise PictureError(f"{name}: expected one picture, found an animation")
        image.load()
        upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I"):  # 16 bits a pixel; Pillow would cut shades off instead of scaling them
        upright = Image.fromarray((np.asarray(upright) >> 8).astype(np.uint8))
    if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
        clear = upright.convert("RGBA")
        ground = Image.new("RGBA", clear.size, (0, 0, 0, 255))
        upright = Image.alpha_composite(ground, clear)
    return upright.convert("RGB")


def at_working_size(image: Image.Image, name: str) -> Loaded:
    """A picture in RGB with its pixels at working size."""
    longer, shorter = max(image.size), min(image.size)
    if longer > LONG_SIDE:
        scale = LONG_SIDE / longer
    else:
        scale = max(1.0, min(MOST_ENLARGED, LONG_SIDE / longer, SHORT_SIDE / shorter))
    if scale == 1.0:
        return Loaded(image, np.asarray(image), scale, name)
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    if scale > 1:
        return Loaded(image, np.asarray(image.resize(size, Image.Resampling.BICUBIC)), scale, name)
    return Loaded(image, np.asarray(image.resize(size, Image.Resampling.BOX, reducing_gap=2.0)), scale, name)
