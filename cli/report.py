"""Reports as one page of HTML that needs no other file. All texts go through an XML library."""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from bsp_sat.instances.errors import printable

STYLE = """
body{font:15px/1.45 ui-sans-serif,system-ui,'DejaVu Sans',Arial,sans-serif;margin:2em auto;max-width:72em;
 padding:0 1em;color:#222;background:#fff}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}
th{border-bottom:2px solid #888}.number{text-align:right}.note{font-weight:600}
svg{max-width:100%;height:auto}
"""


class Page:
    """A page that grows from top to bottom."""

    def __init__(self, title: str) -> None:
        self._root = Element("html", {"lang": "en"})
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

    def picture(self, drawing: Element) -> None:
        """A drawing, as an SVG element."""
        self._body.append(drawing)

    def html(self) -> bytes:
        """The file."""
        text: bytes = tostring(self._root, encoding="utf-8", method="html")
        return b"<!DOCTYPE html>\n" + text + b"\n"
