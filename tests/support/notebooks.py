"""Runs the code cells of a notebook, and writes down what they show, as Jupyter would.

After a change: ``python -m tests.support.notebooks``. Nothing is shown that differs from run to run, such as times.
"""

import ast
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

LESSON = Path(__file__).parents[2] / "docs" / "from-board-to-proof.ipynb"

SHOWN_AS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def run(notebook: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each code cell with its outputs; the cells share their names."""
    names: dict[str, Any] = {}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            yield cell, _outputs("".join(cell["source"]), names, number)


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {kind: _lines(getattr(value, method)()) for kind, method in SHOWN_AS.items() if hasattr(value, method)}
        data = data or {"text/plain": _lines(repr(value))}
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    """The file of a notebook."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Runs the lesson and writes its outputs into it."""
    notebook = json.loads(LESSON.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(run(notebook), start=1):
        cell["execution_count"], cell["outputs"] = number, outputs
    LESSON.write_text(written(notebook), encoding="utf-8")


if __name__ == "__main__":
    main()
