"""Pictures as bytes: what is too large, cut off or no picture is refused before it fills the memory.

The size that a file claims is read before any pixel is. Only the decoders of PNG, JPEG and WebP are asked: a reader of
other formats, in which no screenshots are sent, is one more way to be attacked.
"""

import io
import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from bsp_sat.apps.pictures.loaded import Loaded
from bsp_sat.instances.errors import PictureError
from bsp_sat.instances.text.reading import in_words, read_bytes

FORMATS = ("PNG", "JPEG", "WEBP")
HEIC = "HEIC: on an iPhone save it to Files, hold it, and choose Quick Actions, Convert Image, to share a JPEG"
HEIC_STARTS = b"ftyphei", b"ftyphev", b"ftypmif"  # from the fifth byte on
MAX_BYTES = 50_000_000
MAX_PIXELS = 40_000_000  # 7,300 by 5,500; decoded 160 MB
MOST = f"{MAX_PIXELS // 1_000_000} million"
STRIP = 64  # rows of pixels that are copied at a time, as each copy of a whole picture takes 10 MB
MIN_SIDE = 60  # pixels; below, no tube is wide enough to tell its cells


def load_picture(source: str | Path | bytes) -> Loaded:
    """Loads a picture from its bytes, a path, or ``-`` for standard input.

    PictureError if it is none, of another format, cut off, animated, too small or too large; BoardError if unreadable.
    """
    name = "the picture" if isinstance(source, bytes) else in_words(str(source))
    try:
        data = source if isinstance(source, bytes) else read_bytes(str(source))
    except FileNotFoundError:
        raise PictureError(f"{name}: no such file") from None
    if len(data) > MAX_BYTES:
        raise PictureError(f"{name}: expected at most {MAX_BYTES // 1_000_000} MB, found more")
    try:
        image = _decoded(data, name)
    except UnidentifiedImageError:
        found = HEIC if data[4:11] in HEIC_STARTS else "something else"
        raise PictureError(f"{name}: expected a PNG, JPEG or WebP picture, found {found}") from None
    except Image.DecompressionBombError:
        raise PictureError(f"{name}: expected at most {MOST} pixels, found several times as many") from None
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise PictureError(f"{name}: the picture is damaged: {error}") from None
    rgb = bytearray()
    for top in range(0, image.height, STRIP):
        rgb += _rgb_of(image.crop((0, top, image.width, min(top + STRIP, image.height))))
    return Loaded(rgb, image.size, name)


def clipboard_picture() -> Loaded:
    """Loads the picture that was copied last.

    PictureError if there is no clipboard, no picture on it, or it is refused as `load_picture` does.
    """
    from PIL import ImageGrab  # which loads modules that nothing else needs

    try:
        found = ImageGrab.grabclipboard()
    except (NotImplementedError, OSError, ValueError) as error:  # Pillow's, where a system has no clipboard
        raise PictureError(f"the clipboard can't be read: {error}") from None
    if isinstance(found, list) and len(found) == 1:  # a file was copied rather than a picture
        return load_picture(str(found[0]))
    if not isinstance(found, Image.Image):
        raise PictureError("expected a picture on the clipboard, found none")
    data = io.BytesIO()
    found.save(data, "PNG")
    return load_picture(data.getvalue())


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
        ImageOps.exif_transpose(image, in_place=True)
    return image


def _rgb_of(strip: Image.Image) -> bytes:
    """Red, green and blue of a part of a picture; what is transparent is black."""
    if strip.mode.startswith("I"):  # 16 bits a pixel; Pillow would cut shades off instead of scaling them
        strip = strip.point(lambda level: level / 256).convert("L")
    if strip.mode in ("RGBA", "LA", "PA") or "transparency" in strip.info:
        clear = strip.convert("RGBA")
        strip = Image.alpha_composite(Image.new("RGBA", clear.size, (0, 0, 0, 255)), clear)
    return strip.convert("RGB").tobytes()
