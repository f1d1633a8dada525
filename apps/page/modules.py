"""The page's modules and styles as they travel: few files instead of a hundred, without comments and indentation.

What the first board needs is one module, `main.js`; the other screens are a second one, `more.js`. A module becomes a
function in them, called when it is first imported, that returns what it exports. `$load` in `main.js` gives any module.
The module that starts the engine's worker stays alone: it runs while the others are on their way.
"""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

FIRST = ("tab/begin.js", "main.js", "screens/play.js")
"""What the first board needs, with all that these import."""

EARLY = "core/searcher.js"

_COMMENT_LINES = re.compile(r"^[ \t]*(?:/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*)[ \t]*\n", re.MULTILINE)
_TYPES = re.compile(r"/\*\*[^*]*\*+(?:[^/*][^*]*\*+)*/ ?")  # within lines
_REST = re.compile(r"(?<=[;,{(\[)]) // .*$", re.MULTILINE)  # likewise
_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'import\("(\.[^"]+\.js)"\)')
_EXPORT = re.compile(r"^export (?:\{ (\w+) \};$|(?=(?:async )?(?:function\*?|class|const) (\w+)))", re.MULTILINE)

_LEFT = re.compile(r"^(?:import|export)\s.*", re.MULTILINE)
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)

_HEAD = """\
export const $parts = {};
const $made = {};
export const $part = (name) => ($made[name] ??= $parts[name]());
export const $load = async (name) => (name in $parts || (await import("./more.js")), $part(name));
"""
_HEAD_OF_MAIN = f'import * as $early from "./{EARLY}";\n{_HEAD}$parts["{EARLY}"] = () => $early;\n'
_HEAD_OF_MORE = 'import { $load, $part, $parts } from "./main.js";\n'


def without_comments(text: str) -> str:
    """A text without types, comments on lines of their own, and indentation: the page has no text that needs it."""
    return _INDENTATION.sub("", _REST.sub("", _TYPES.sub("", _COMMENT_LINES.sub("", text))))


@cache
def joined(page: Path) -> dict[str, str]:
    """What stands for the modules and styles in a folder, by path. Modules of other workers stay as they are."""
    sources = {
        path.relative_to(page).as_posix(): without_comments(path.read_text(encoding="utf-8"))
        for path in sorted(page.rglob("*.js"))
    }
    roots = [name for name in FIRST if name in sources]
    first, reached = _imported(roots, sources), _imported(roots, sources, later=True)
    start = "".join(f'$part("{name}");\n' for name in roots if name != FIRST[-1])
    texts = {name: text for name, text in sources.items() if name not in reached}
    texts[EARLY] = sources[EARLY]
    texts["main.js"] = _HEAD_OF_MAIN + _parts([name for name in first if name != EARLY], sources, ".") + start
    texts["more.js"] = _HEAD_OF_MORE + _parts([name for name in reached if name not in first], sources, ".")
    worker = "engine/worker.js"
    texts[worker] = _HEAD + _parts(_imported([worker], sources), sources, "engine") + f'$part("{worker}");\n'
    styles = sorted(page.glob("styles/*.css"))
    texts["styles/page.css"] = "".join(without_comments(path.read_text(encoding="utf-8")) for path in styles)
    return texts


def _imported(roots: list[str], sources: dict[str, str], later: bool = False) -> list[str]:
    """Some modules and all that they import, also those that they import later if asked for."""
    found = [*roots]
    for name in found:  # which grows
        names = [path for _, path in _IMPORT.findall(sources[name])]
        names += _LATER.findall(sources[name]) if later else []
        found += [path for each in dict.fromkeys(names) if (path := _path(name, each)) not in found]
    return found


def _path(module: str, imported: str) -> str:
    return normpath(join(dirname(module), imported))


def _parts(names: list[str], sources: dict[str, str], folder: str) -> str:
    """Modules as functions, in a module that lies in a folder."""
    # In brackets they are compiled with the file, beside the page's thread; without them when they are called, in it.
    functions = "".join(f'"{name}": (() => {{\n{_body(name, sources[name], folder)}}}),\n' for name in names)
    return f"Object.assign($parts, {{\n{functions}}});\n"


def _body(name: str, text: str, folder: str) -> str:
    exported = ", ".join(first or second for first, second in _EXPORT.findall(text))
    text = _IMPORT.sub(lambda found: f'const {_names(found[1])} = $part("{_path(name, found[2])}");', text)
    text = _LATER.sub(lambda found: f'$load("{_path(name, found[1])}")', text)
    text = text.replace("import.meta.url", f'new URL("{relpath(name, folder)}", import.meta.url)')
    text = _EXPORT.sub("", text)
    if left := _LEFT.search(text):
        raise ValueError(f"{name}: modules can't be joined with {left[0]!r}")
    return f"{text}return {{ {exported} }};\n"


def _names(imported: str) -> str:
    return imported.replace(" as ", ": ").removeprefix("*: ")
