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
            case Rectangle():
                places = {
                    "x": shape.left,
                    "y": shape.top,
                    "width": shape.width,
                    "height": shape.height,
                    "rx": shape.radius,
                }
                element = SubElement(parent, "rect", {key: _number(value) for key, value in places.items()})
                _fill(element, shape.fill, shape.line)
            case Disc():
                places = {"cx": shape.centre.x, "cy": shape.centre.y, "r": shape.radius}
                element = SubElement(parent, "circle", {key: _number(value) for key, value in places.items()})
                _fill(element, shape.fill, shape.line)
            case Line():
                points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
                line = {"points": points, "stroke": shape.colour, "stroke-width": _number(shape.width)}
                SubElement(parent, "polyline", line)
            case Words():
                element = SubElement(
                    parent,
                    "text",
                    {
                        "x": _number(shape.centre.x),
                        "y": _number(shape.centre.y + CAPITALS * shape.size),
                        "font-size": _number(shape.size),
                        "fill": shape.colour,
                    },
                )
                if shape.bold:
                    element.set("font-weight", "bold")
                element.text = shape.text


def _fill(element: Element, fill: str, line: str | None) -> None:
    element.set("fill", fill)
    if line is not None:
        element.set("stroke", line)


def _number(value: float) -> str:
    """The shortest text of a number, rounded to a hundredth of a pixel."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
