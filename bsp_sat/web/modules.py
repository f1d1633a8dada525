"""The page's modules as they travel: without the comments, a fifth of what would be loaded; the first ones at once."""

import re
from pathlib import Path

_COMMENT_LINES = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.DOTALL | re.MULTILINE)

_IMPORTS = re.compile(r'^(?:import|\}) .*from "(\.[^"]+)";$', re.MULTILINE)


def without_comments(module: str) -> str:
    """A module without the comments that have lines of their own; the formatter puts nearly all there."""
    return _COMMENT_LINES.sub("", module)


def index_of(page: Path) -> str:
    """The page's first file, with links to all modules that the first screen needs.

    Without them browsers learn of a module when they have the one that imports it: two round trips more.
    """
    page = page.resolve()
    found = [page / "main.js"]
    for module in found:  # which grows
        imported = _IMPORTS.findall(module.read_text(encoding="utf-8"))
        found += [path for each in imported if (path := (module.parent / each).resolve()) not in found]
    links = (f'    <link rel="modulepreload" href="page/{path.relative_to(page).as_posix()}" />\n' for path in found)
    return (page / "index.html").read_text(encoding="utf-8").replace("  </head>", "".join(links) + "  </head>")
