"""The picture on the clipboard, where there is one."""

import io

from PIL import Image, ImageGrab

from bsp_sat.instances.errors import PictureError
from bsp_sat.screenshots.loaded import Loaded
from bsp_sat.screenshots.loading import load_picture


def clipboard_picture() -> Loaded:
    """Loads the picture that was copied last.

    Raises:
        PictureError: there is no clipboard, no picture on it, or it is refused as `load_picture` does.
    """
    try:
        found = ImageGrab.grabclipboard()
    except (NotImplementedError, OSError, ValueError) as error:
        raise PictureError(f"the clipboard can't be read: {error}") from None
    if isinstance(found, list) and len(found) == 1:  # a file was copied rather than a picture
        return load_picture(str(found[0]))
    if not isinstance(found, Image.Image):
        raise PictureError("expected a picture on the clipboard, found none")
    data = io.BytesIO()
    found.save(data, "PNG")
    return load_picture(data.getvalue())
