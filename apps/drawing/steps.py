"""Films as HTML pages to step through: a radio button for each position, without scripts.

The picture is the animated SVG, held still: the chosen button sets a negative delay, which shows the animation as it is
at that time (https://www.w3.org/TR/css-animations-1/#animation-delay). Arrow keys move between the buttons.
"""

from math import ceil
from xml.etree.ElementTree import Element, SubElement, tostring

from bsp_sat.apps.drawing.film import Film
from bsp_sat.apps.drawing.svg import FONT, drawn
from bsp_sat.instances.palette import GROUND, INK
from bsp_sat.instances.text.words import quantity

HELD = "animation:{seconds}s linear infinite paused;animation-delay:var(--at)"
REST = 0.1  # before the end of a move's time, when its pieces are at rest and its caption still shows

LEAST_WIDTH = 240
BUTTON = 20  # width and height of a radio button with the space around it
ROW = 44  # height of the row with "back" and "next"

STYLE = f"""
:root{{color-scheme:light}}
body{{margin:0;background:{GROUND};color:{INK};font:14px {FONT}}}
form{{display:flex;flex-wrap:wrap;align-items:center}}
svg{{order:-2;flex:none;max-width:100%}}
input{{width:{BUTTON - 6}px;height:{BUTTON - 6}px;margin:3px}}
p{{order:-1;display:none;width:100%;height:{ROW}px;margin:0;align-items:center;gap:8px}}
label{{padding:6px 14px;border:1px solid;border-radius:6px;cursor:pointer;user-select:none}}
"""


def page(film: Film) -> bytes:
    """The HTML file: the picture, and buttons if the film has moves."""
    width, _ = size(film)
    root = Element("html", {"lang": "en"})
    head = SubElement(root, "head")
    SubElement(head, "meta", {"charset": "utf-8"})
    SubElement(head, "title").text = film.title
    sheet = SubElement(head, "style")
    form = SubElement(SubElement(root, "body"), "form", {"style": f"width:{width}px;max-width:100%"})
    rules = [STYLE]
    for move in range(film.moves + 1 if film.moves else 0):
        label = f"after {quantity(move, 'move')}"
        button = {"type": "radio", "name": "position", "id": f"m{move}", "aria-label": label}
        SubElement(form, "input", button if move else {**button, "checked": ""})
        time = film.second(move - REST) if move else 0
        rules.append(f"#m{move}:checked~svg{{--at:-{time:.2f}s}}#m{move}:checked~.m{move}{{display:flex}}")
        row = SubElement(form, "p", {"class": f"m{move}"})
        for to, word in ((move - 1, "‹ Back"), (move + 1, "Next ›")):
            if 0 <= to <= film.moves:
                SubElement(row, "label", {"for": f"m{to}"}).text = word
    sheet.text = "\n".join(rules)
    form.append(drawn(film, HELD, "all"))
    data: bytes = tostring(root, encoding="utf-8", method="html")
    return b"<!DOCTYPE html>\n" + data + b"\n"


def size(film: Film) -> tuple[int, int]:
    """The width and height of the page, in pixels."""
    width = max(ceil(film.width * (film.scale or 1)), LEAST_WIDTH)
    buttons = ceil((film.moves + 1) / (width // BUTTON)) * BUTTON + ROW if film.moves else 0
    return width, ceil(film.height * (film.scale or 1)) + buttons
