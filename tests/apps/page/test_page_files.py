"""The page's files, without a browser: types, weight, and what they may not do."""

import gzip
import json
import re
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bsp_sat.apps.page.modules import EARLY, joined, without_comments
from tests.support.helpers import wait_until
from tests.support.static import hosting

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PAGE = ROOT / "apps" / "page" / "page"
FILES = [path for path in PAGE.rglob("*") if path.is_file() and path.name != "types.d.ts" and path.suffix != ".txt"]
MODULES = [path for path in FILES if path.suffix == ".js"]
TSC = shutil.which("tsc")
PRETTIER = shutil.which("prettier")


def loaded_with(start: Path) -> set[Path]:
    """A module, and all that a browser loads before it runs."""
    found, waiting = set(), [start]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [path.parent / name for name in re.findall(r'^import [^;]*?"(.+?)";', path.read_text(), re.M)]
            waiting = [each.resolve() for each in waiting]
    return found


def test_the_first_load_is_light() -> None:
    """With a board: the first screen needs no more files."""
    texts = joined(PAGE)
    others = [path.read_bytes() for path in FILES if path.suffix not in (".js", ".css")]
    first = [texts[name].encode() for name in (EARLY, "main.js", "styles/page.css")]
    first.append((PAGE / "index.html").read_bytes())
    assert sum(map(len, first)) <= 215_000
    assert compressed(first) <= 60_000  # the face for headings comes after it
    assert compressed([*others, *(text.encode() for text in texts.values())]) <= 160_000


def compressed(files: Iterable[bytes]) -> int:
    """Bytes of some files as they travel."""
    return sum(len(gzip.compress(file)) for file in files)


def test_modules_and_styles_are_joined_without_their_comments(client: TestClient) -> None:
    kept = ["const a = /** @type {any} */ (1); // one", 'f("//x");']
    text = "\n".join(["/** Says it. */", kept[0], "  /**", "   * Of two lines.", "   */", "  // b", kept[1], ""])
    assert without_comments(text) == "\n".join(["const a = (1);", kept[1], ""])
    texts = joined(PAGE)
    for path in MODULES:
        lines = [line.strip() for line in without_comments(path.read_text()).splitlines()]
        assert not [line for line in lines if line.startswith(("* ", "//")) or line in ("/**", "*/")], path
        part = f'"{path.relative_to(PAGE).as_posix()}": (() => {{'
        assert path == PAGE / EARLY or any(part in text for text in texts.values()), path
    for path, text in texts.items():
        first = client.get(f"/page/{path}")
        assert first.text == text
        assert first.headers["content-type"].startswith("text/css" if path.endswith(".css") else "text/javascript")
        again = client.get(f"/page/{path}", headers={"If-None-Match": first.headers["etag"]})
        assert again.status_code == 304
    assert client.get("/page/core/dom.js").status_code == 404
    assert client.post("/page/main.js").status_code == 405


def test_a_joined_module_gives_what_the_module_exports(tmp_path: Path) -> None:
    """All kinds of imports and exports that the page has, also from a module that is loaded later."""
    sources = {
        "main.js": 'import { one as first, two } from "./a/b.js";\n'
        'import * as all from "./a/b.js";\nimport { seven } from "./core/searcher.js";\nexport { two };\n'
        'export const said = async () => [first, two(), all.Three.name, (await import("./later.js")).four, seven];\n',
        "a/b.js": "/** One. */\nexport const one = 1;\nexport function two() {\n  return 2;\n}\n"
        "export class Three {}\nexport async function five() {}\nexport function* six() {}\n"
        "const [part, parts, load, made] = [];\n",
        "later.js": 'import {\n  one,\n} from "./a/b.js";\nexport const four = [one, import.meta.url];\n',
        "core/searcher.js": "export const seven = 7;\n",
        "engine/worker.js": "",
    }
    for name, text in sources.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    for name, text in joined(tmp_path / "in").items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = """
      import { $load } from "./main.js";
      const { said, two } = await $load("main.js");
      console.log(JSON.stringify([await said(), two(), Object.keys(await $load("a/b.js"))]));
    """
    run = subprocess.run(["node", "--input-type=module", "-e", program], cwd=tmp_path, capture_output=True, text=True)
    assert run.stderr == ""
    address = (tmp_path / "later.js").as_uri()
    assert json.loads(run.stdout) == [[1, 2, "Three", [1, address], 7], 2, ["one", "two", "Three", "five", "six"]]


@pytest.mark.parametrize("line", ["export let a = 1;", "export default 1;", 'import a from "./b.js";', 'import "b";'])
def test_a_module_that_joining_would_change_is_refused_by_name(line: str, tmp_path: Path) -> None:
    for name in ("engine/worker.js", EARLY):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    (tmp_path / "b.js").write_text("")
    (tmp_path / "main.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"main\.js: modules can't be joined with '(export|import) "):
        joined(tmp_path)


def test_hover_styles_are_for_mice_alone() -> None:
    """On a touch screen they would stay after a tap."""
    for path in PAGE.rglob("*.css"):
        for block in path.read_text().split("\n}\n"):
            assert ":hover" not in block or "@media (hover: hover) {" in block, (path, block)


def test_only_three_modules_send_requests() -> None:
    """Two of them for files that come with the page."""
    sending = {path.name for path in MODULES if re.search(r"\bfetch\(|XMLHttpRequest|EventSource", path.read_text())}
    assert sending == {"api.js", "transport.js", "engine.js"}


def test_one_module_knows_what_the_browser_keeps() -> None:
    """Two that used the same key lost levels that people had made. Files of the page are kept by other means."""
    modules = [*MODULES, *(ROOT / "apps" / "page" / "tab" / "files").rglob("*.js")]
    kinds = r"\b(localStorage|sessionStorage|indexedDB|document\.cookie)\b"
    assert [path.name for path in modules if re.search(kinds, path.read_text())] == ["kept.js"]


def test_addresses_on_the_page_are_relative() -> None:
    """The page may be served below a prefix."""
    for path in [*MODULES, PAGE / "index.html"]:
        assert not re.search(r"""["'`(=]/(page|api)/""", path.read_text()), path


def test_the_core_of_the_page_stands_on_itself_and_the_engine() -> None:
    for path in (PAGE / "core").glob("*.js"):
        imported = re.findall(r'^(?:import|\}) .*?from "(\.\./.+?)"', path.read_text(), re.M)
        assert all(name.startswith("../engine/") for name in imported), (path, imported)


def test_no_text_goes_on_in_an_indented_line() -> None:
    """The indentation doesn't travel."""
    for path in MODULES:
        is_open = False
        for line in path.read_text().splitlines():
            assert not (is_open and line.startswith((" ", "\t"))), (path, line)
            is_open ^= line.count("`") % 2 == 1


def test_every_module_of_the_page_is_used() -> None:
    starts = {PAGE / "main.js"}
    for path in MODULES:
        starts |= {
            (path.parent / name).resolve()
            for name in re.findall(r'(?:(?:await|=>) import|new Worker\(new URL)\("(.+?)"', path.read_text())
        }
    used = set[Path]().union(*map(loaded_with, starts))
    assert used == {path.resolve() for path in MODULES}


def test_nothing_is_inline_and_names_never_become_markup() -> None:
    page = (PAGE / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:(?!//www\.w3\.org)", page)
    for path in MODULES:
        forbidden = (
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://(?!www\.w3\.org)"
        )
        assert not re.search(forbidden, path.read_text()), path


@pytest.mark.skipif(shutil.which("node") is None, reason="no node: apt-get install nodejs")
def test_what_the_page_computes_is_right_without_a_browser() -> None:
    run = subprocess.run(["node", "--test", HERE / "page_logic.test.mjs"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


@pytest.mark.slow
@pytest.mark.skipif(TSC is None, reason="no TypeScript compiler: npm install --global typescript@5")
def test_the_types_of_the_page_are_right() -> None:
    run = subprocess.run(
        [str(TSC), "-p", str(Path(__file__).with_name("tsconfig.json"))], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(PRETTIER is None, reason="no formatter: npm install --global prettier@3")
def test_the_files_of_the_page_are_formatted() -> None:
    kinds = ("js", "mjs", "css", "html", "ts")
    files = [path for kind in kinds for path in (ROOT / "apps" / "page").rglob(f"*.{kind}")]
    run = subprocess.run([str(PRETTIER), "--check", *files], cwd=ROOT, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    # It leaves long texts and comments as they are.
    assert [path for path in files for line in path.read_text().splitlines() if len(line) > 120] == []


def test_a_visitor_who_leaves_early_is_no_error_of_the_host_of_files(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "large").write_bytes(bytes(20_000_000))  # more than the system takes without the visitor
    with hosting(tmp_path) as address, socket.socket() as visitor:
        before = threading.active_count()
        visitor.connect(("127.0.0.1", int(address.strip("/").rpartition(":")[2])))
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        visitor.sendall(b"GET /large HTTP/1.1\r\n\r\n")
        visitor.recv(1)
        visitor.close()
        wait_until(lambda: threading.active_count() <= before)
    assert capfd.readouterr().err == ""
