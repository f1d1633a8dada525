"""The engine as a package of npm: what is in it, and that it works without this checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from bsp_sat.backends.engine import has_tab_library

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "apps" / "page" / "package"
MISSING = [program for program in ("node", "npm", "tsc") if shutil.which(program) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"no {', '.join(MISSING)}: npm install --global typescript@5"),
    pytest.mark.skipif(
        not has_tab_library(), reason="no compiled search for browsers of these sources: see CONTRIBUTING.md"
    ),
]


def run(*command: str | Path, cwd: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # packing asks for `python3`: this one
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of somebody who has installed the package that `npm pack` makes."""
    folder = tmp_path_factory.mktemp("project")
    run("npm", "pack", "--silent", "--pack-destination", folder, cwd=SOURCES)
    (archive,) = folder.glob("*.tgz")
    assert archive.stat().st_size <= 35_000
    with tarfile.open(archive) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", None)  # which came with Python 3.11.4
        files.extractall(folder)
    (folder / "node_modules").mkdir()
    (folder / "package").rename(folder / "node_modules" / "bsp-sat-engine")
    return folder


def test_packing_leaves_the_sources_as_they_were(project: Path) -> None:
    assert {path.name for path in SOURCES.iterdir()} == {"README.md", "package.json"}
    packed = {path.name for path in (project / "node_modules" / "bsp-sat-engine").iterdir()}
    assert packed == {"README.md", "package.json", "engine.js", "engine.d.ts", "search.wasm"}


def test_the_examples_say_what_they_say(project: Path) -> None:
    """Each line of the examples that says its result in a comment."""
    examples = re.findall(r"```js\n(.+?)```", (SOURCES / "README.md").read_text(), re.S)
    documented = re.findall(r"^(?:const .+? = )?(engine\.\w+\(board\)); // (.+)$", "".join(examples), re.M)
    assert len(examples) == 4
    lines = "".join(f"console.log(JSON.stringify({call}));\n" for call, _ in documented)
    (project / "examples.mjs").write_text(f"{examples[0]}\n{lines}")
    lost, best, solved = map(json.loads, run("node", "examples.mjs", cwd=project).splitlines())
    assert [json.dumps(lost), json.dumps(best)] == [words for _, words in documented[:2]]
    assert documented[2][1] == f'"{solved["status"]}", {solved["length"]}, [{json.dumps(solved["plan"][0])}, …]'


LOST = 'readBoard({ puzzle: "ball-sort", capacity: 2, tubes: [["a", "b"], ["b", "a"]] })'
USE = f"""
import {{ type Answer, type Move, loadEngine, isSolved, legalMoves, NotTaken, play, readBoard }} from "bsp-sat-engine";

const engine = await loadEngine();
const board = readBoard("ab|ba|-");
const answer: Answer = engine.solve(board, {{ milliseconds: 1000 }});
const plan: Move[] = answer.plan ?? [];
const best: Move | null = engine.bestMove(board);
const lost: boolean | null = engine.isLost({LOST});
// @ts-expect-error there may be none
const certain: Move = engine.bestMove(board);
let said = "";
try {{
  readBoard({{ capacity: 2, tubes: [["a"]] }});
}} catch (error) {{
  if (error instanceof NotTaken) said = error.message;
}}
console.log(JSON.stringify([isSolved(plan.reduce(play, board)), best, lost, certain, legalMoves(board), said]));
"""


def test_types_and_answers_are_right_without_this_checkout(project: Path) -> None:
    (project / "use.mts").write_text(USE)
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"]
    run("tsc", *options, "use.mts", cwd=project)
    solved, best, lost, certain, legal, said = json.loads(run("node", "use.mjs", cwd=project))
    assert (solved, best in legal, certain, lost) == (True, True, best, True)
    assert legal == [[0, 2], [1, 2]]
    assert said.startswith("tubes: 1 of colour 'a' cannot fill whole tubes of 2; ")


LIMITS = """
import { loadEngine, readBoard } from "bsp-sat-engine";
const engine = await loadEngine(undefined, 1);
const balls = Array.from({ length: 160 }, (_, place) => (place * 37) % 40);
const tubes = Array.from({ length: 40 }, (_, tube) => balls.slice(4 * tube, 4 * tube + 4));
const board = readBoard({ puzzle: "ball-sort", capacity: 4, tubes: [...tubes, [], []] });
const small = readBoard("ab|ba|-");
const found = [{}, { expansions: 10 }, { milliseconds: 0 }].map((limits) => engine.solve(board, limits).status);
console.log(JSON.stringify([...found, engine.isLost(board), engine.costs(board), engine.solve(small).length]));
"""


def test_a_limit_is_no_proof_and_the_next_search_is_whole(project: Path) -> None:
    """Of memory, of expansions, of time."""
    (project / "limits.mjs").write_text(LIMITS)
    found = json.loads(run("node", "limits.mjs", cwd=project))
    assert found == ["unknown", "unknown", "unknown", None, None, 3]
