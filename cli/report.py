"""Reports as one page of HTML that needs no other file, or as Markdown. All texts go through an XML library."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from bsp_sat.instances.errors import printable

STYLE = """
body{font:15px/1.45 ui-sans-serif,system-ui,'DejaVu Sans',Arial,sans-serif;margin:2em auto;max-width:72em;
 padding:0 1em;color:#222;background:#fff}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
th{border-bottom:2px solid #888}.number{text-align:right}.note{font-weight:600}
img{max-width:100%;height:auto}
"""


class Page:
    """A page that grows from top to bottom."""

    def __init__(self, title: str) -> None:
        self._root = Element("html", {"lang": "en"})
        self._pictures: list[bytes] = []
        head = SubElement(self._root, "head")
        SubElement(head, "meta", {"charset": "utf-8"})
        SubElement(head, "meta", {"name": "viewport", "content": "width=device-width"})
        SubElement(head, "title").text = printable(title)
        SubElement(head, "style").text = STYLE
        self._body = SubElement(self._root, "body")
        SubElement(self._body, "h1").text = printable(title)

    def heading(self, words: str) -> None:
        """A heading."""
        SubElement(self._body, "h2").text = printable(words)

    def say(self, words: str) -> None:
        """A paragraph."""
        SubElement(self._body, "p").text = printable(words)

    def list_all(self, lines: Iterable[str]) -> None:
        """A list with a dot before each line."""
        items = SubElement(self._body, "ul")
        for line in lines:
            SubElement(items, "li").text = printable(line)

    def table(self, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """A table; numbers stand to the right, None is left out."""
        table = SubElement(self._body, "table")
        first = SubElement(SubElement(table, "thead"), "tr")
        for words in headings:
            SubElement(first, "th").text = printable(words)
        body = SubElement(table, "tbody")
        for row in rows:
            line = SubElement(body, "tr")
            for cell in row:
                place = SubElement(line, "td", {"class": "number"} if isinstance(cell, int | float) else {})
                place.text = "" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else printable(str(cell))

    def picture(self, drawing: bytes, words: str) -> None:
        """An SVG file, and what it shows."""
        self._pictures.append(drawing)
        source = f"data:image/svg+xml;base64,{b64encode(drawing).decode()}"
        SubElement(self._body, "img", {"alt": words, "src": source})

    def html(self) -> bytes:
        """The file."""
        text: bytes = tostring(self._root, encoding="utf-8", method="html")
        return b"<!DOCTYPE html>\n" + text + b"\n"

    def markdown(self, name: str) -> dict[str, bytes]:
        """The files of the same report as Markdown: the text, and its pictures, numbered, with .svg for its suffix."""
        numbered = enumerate(self._pictures, start=1)
        pictures = {f"{name.rpartition('.')[0]}-{number}.svg": drawing for number, drawing in numbered}
        places = iter(pictures)
        text = "\n\n".join("\n".join(_lines(part, places)) for part in self._body)
        return {name: f"{text}\n".encode(), **pictures}


def _lines(part: Element, pictures: Iterator[str]) -> list[str]:
    """A part of a page as lines of Markdown."""
    if part.tag == "img":
        return [f"![{part.get('alt')}]({next(pictures)})"]
    if part.tag == "ul":
        return [f"- {_plain(item)}" for item in part]
    if part.tag == "table":
        first, *rows = [[_plain(cell) for cell in row] for row in part.iter("tr")]
        aligned = [any(row[place].get("class") for row in part.iter("tr")) for place in range(len(first))]
        return [_row(cells) for cells in (first, ["--:" if right else "---" for right in aligned], *rows)]
    return [{"h1": "# ", "h2": "## "}.get(part.tag, "") + _plain(part)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(element: Element) -> str:
    """A text on one line, of which nothing means more to Markdown than it says."""
    return re.sub(r"([\\`*_\[\]<>|#~&])", r"\\\1", " ".join((element.text or "").split()))
