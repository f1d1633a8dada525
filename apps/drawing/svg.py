"""Films as SVG: the start as shapes and, if there are moves, a style sheet that animates it.

The animation is CSS within ``@media (prefers-reduced-motion: no-preference)``. People who prefer reduced motion, and
programs without animations, show the start. All text goes through an XML library, so names and colours of a board
can't inject markup.
"""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from bsp_sat.apps.drawing.film import Film, Key
from bsp_sat.apps.drawing.shapes import CAPITALS, Disc, Line, Rectangle, Shape, Words
from bsp_sat.instances.palette import GROUND

FONT = "ui-sans-serif, system-ui, 'DejaVu Sans', Arial, sans-serif"


ANIMATED = "animation:{seconds}s linear infinite"


def svg(film: Film) -> bytes:
    """The SVG file, animated if the film has moves."""
    data: bytes = tostring(drawn(film, ANIMATED, "(prefers-reduced-motion: no-preference)"), encoding="utf-8")
    return data + b"\n"


def drawn(film: Film, animation: str, media: str) -> Element:
    """The film as an element.

    The style sheet says ``animation`` of each piece that changes, with the film's duration for ``{seconds}``, where the
    media query ``media`` holds.
    """
    scale = film.scale or 1
    x, y, width, height = map(_number, (*film.origin, film.width, film.height))
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"{x} {y} {width} {height}",
            "width": _number(film.width * scale),
            "height": _number(film.height * scale),
            "role": "img",
            "font-family": FONT,
            "text-anchor": "middle",
            "fill": "none",
            "stroke-linecap": "round",
            "stroke-linejoin": "round",
        },
    )
    SubElement(root, "title").text = film.title
    SubElement(root, "desc").text = film.description
    rules: list[str] = []
    if film.moves:
        sheet = SubElement(root, "style")
    corner = {} if film.scale is None else {"x": x, "y": y}
    SubElement(root, "rect", {**corner, "width": width, "height": height, "fill": GROUND})
    _paint(root, film.still)
    for piece in film.pieces:
        first = piece.keys[0]
        group = SubElement(root, "g", {"transform": f"translate({_number(first.place.x)} {_number(first.place.y)})"})
        if first.opacity < 1:
            group.set("opacity", _number(first.opacity))
        if len(piece.keys) > 1:
            group.set("class", name := f"p{len(rules)}")
            rules.append(f".{name}{{animation-name:{name}}}\n@keyframes {name}{{{_keyframes(film, piece.keys)}}}")
        if piece.title:
            SubElement(group, "title").text = piece.title
        _paint(group, piece.shapes)
    if film.moves:
        every = f"[class]{{{animation.format(seconds=_number(film.seconds))}}}"
        sheet.text = "\n".join([f"@media {media}{{", every, *rules, "}"])
    return root


def _keyframes(film: Film, keys: Sequence[Key]) -> str:
    """The keys as CSS; only properties that change are written."""
    moves = len({key.place for key in keys}) > 1
    fades = len({key.opacity for key in keys}) > 1
    times = [0.0, *(film.second(key.time) for key in keys), film.seconds]
    frames = []
    for time, key in zip(times, (keys[0], *keys, keys[-1]), strict=True):
        part = 100 * time / film.seconds
        place = f"transform:translate({_number(key.place.x)}px,{_number(key.place.y)}px)" if moves else ""
        opacity = f"opacity:{_number(key.opacity)}" if fades else ""
        frames.append(f"{part:.3f}%{{{';'.join(filter(None, (place, opacity)))}}}")
    return "".join(frames)


def _paint(parent: Element, shapes: Iterable[Shape]) -> None:
    for shape in shapes:
        match shape:
            case Rectangle(left, top, width, height, fill, line, radius):
                box = _with_numbers(parent, "rect", x=left, y=top, width=width, height=height, rx=radius)
                _fill(box, fill, line)
            case Disc(centre, radius, fill, line):
                _fill(_with_numbers(parent, "circle", cx=centre.x, cy=centre.y, r=radius), fill, line)
            case Line(points, colour, width):
                joined = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
                SubElement(parent, "polyline", {"points": joined, "stroke": colour, "stroke-width": _number(width)})
            case Words(centre, text, size, colour, bold):
                words = _with_numbers(parent, "text", x=centre.x, y=centre.y + CAPITALS * size)
                words.set("font-size", _number(size))
                words.set("fill", colour)
                if bold:
                    words.set("font-weight", "bold")
                words.text = text


def _with_numbers(parent: Element, tag: str, **numbers: float) -> Element:
    """A new element with some numbers as attributes."""
    return SubElement(parent, tag, {key: _number(value) for key, value in numbers.items()})


def _fill(element: Element, fill: str, line: str | None) -> None:
    element.set("fill", fill)
    if line is not None:
        element.set("stroke", line)


def _number(value: float) -> str:
    """The shortest text of a number, rounded to a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
