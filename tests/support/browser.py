"""What the tests of the page share: a real browser, driven by Playwright, and what people do on the page."""

import atexit
import base64
import json
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bsp_sat.backends.engine import has_tab_library
from tests.support.helpers import wait_until
from tests.support.optional import needed
from tests.support.server import serving

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 600_000  # milliseconds, for a loaded machine
SWITCHES = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--renderer-process-limit=1",  # a process for each visit costs a tenth of it
]


SMALL = {"name": "small", "puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []]}
"""Solved in three moves: tube 1 to 3, 2 to 1, 2 to 3."""


PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
"""What a phone's browser leaves of its screen."""

LISTENER = """
addEventListener("DOMContentLoaded", () => {
  const live = document.getElementById("live");
  window.announced = [];
  if (live) new MutationObserver(() => window.announced.push(live.textContent)).observe(live, { childList: true });
});
"""
"""Keeps all that was announced: one sentence takes the place of another."""


WITHOUT_TIMER = """(milliseconds) => {
  const { setTimeout } = window;
  window.setTimeout = (call, after) => (after === milliseconds ? 0 : setTimeout(call, after));
}"""
"""Has the page wait for as long as it takes, where it ends something after a time: a loaded machine is slow."""


KEPT = """
async () => {
  const { KEYS, canKeep, read } = await (await import("./page/main.js")).$load("core/kept.js");
  const names = Object.keys(KEYS).filter((name) => canKeep() && localStorage.getItem(KEYS[name]) !== null);
  return names.map((name) => [name, localStorage.getItem(KEYS[name]), read(name)]);
}
"""
"""What the page has kept in the browser: each with its name, as it stands there, and as it is read."""


class Site:
    """A server, a browser, and what the pages asked for and complained of."""

    def __init__(self, address: str, browser: Any, *, has_files: bool = False) -> None:
        self.address, self.browser, self._has_files = address, browser, has_files
        self.asked: set[str] = set()
        self.complaints: list[str] = []
        self._visitors: dict[str, Any] = {}
        """By screen, those who have left: their browsers have the page's files at hand, and nothing else but an empty
        page, without which the next visit would cost half as much again."""

    @contextmanager
    def visit(
        self, board: dict[str, Any] | str | None = None, *, has_files: bool = True, **context: Any
    ) -> Iterator[Any]:
        """A page of a visitor who hasn't been here before, at the first screen or with a board in play.

        At the end all has to be well. The browser may have the page's files at hand, where both the site and the visit
        allow that: it halves the work.
        """
        has_files = has_files and self._has_files
        key = json.dumps(context, sort_keys=True)
        visitor = self._visitors.pop(key, None) if has_files else None
        if visitor is None:
            visitor = self.browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **context})
            if has_files:
                visitor.new_page()
        try:
            page = visitor.new_page()
            self.listen(page)
            fragment = packed(board) if isinstance(board, dict) else board
            page.goto(self.address + (f"#{fragment}" if fragment else ""))
            if isinstance(board, dict):
                page.locator("#board > *").first.wait_for()
            yield page
            self.well()
            for last in visitor.pages[-1:]:
                if last.url.startswith(self.address):
                    reads_all_that_it_kept(last)
            if has_files:
                forget_all_but_files(visitor, self.address)
        except BaseException:
            visitor.close()
            raise
        if not has_files or self._visitors.setdefault(key, visitor) is not visitor:
            visitor.close()

    def listen(self, page: Any) -> None:
        page.context.set_default_timeout(PATIENCE)
        page.add_init_script(LISTENER)
        page.add_init_script(f"({WITHOUT_TIMER})(10_000)")  # of reading a picture
        page.on("request", lambda request: self.asked.add(urlsplit(request.url).netloc))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        # A refused board is a refused request, which browsers report too; all else is a fault of the page.
        page.on("console", lambda said: said.type in ("error", "warning") and self.hear(said.text))

    def well(self) -> None:
        """Fails where a request has left the server, a script has failed, or the content security policy was broken."""
        complaints, self.complaints = self.complaints, []
        assert not complaints, complaints
        assert self.asked <= {urlsplit(self.address).netloc}

    def hear(self, text: str) -> None:
        if not any(usual in text for usual in ("the server responded with a status of 400", "with a user activation")):
            self.complaints.append(text)


def reads_all_that_it_kept(page: Any) -> None:
    """Fails where something that the page has kept is lost, or is another thing, when it is read."""
    for name, text, found in page.evaluate(KEPT):
        assert found == (text if isinstance(found, str) else json.loads(text)), name


def forget_all_but_files(visitor: Any, address: str) -> None:
    """Takes all that a visitor has kept, allowed or set up away, and closes the pages but the first, empty one."""
    empty, *others = visitor.pages
    for each in others:
        if each.url.startswith(address):
            each.evaluate("localStorage.clear()")  # written last, it may come after what is cleared below
        each.close()
    session = visitor.new_cdp_session(empty)
    types = "cookies,local_storage,indexeddb,service_workers,cache_storage"
    session.send("Storage.clearDataForOrigin", {"origin": address.rstrip("/"), "storageTypes": types})
    session.detach()
    visitor.unroute_all()
    visitor.clear_permissions()


@contextmanager
def browsing(before: str = "") -> Iterator[Site]:
    """A server, which runs ``before`` first, and a browser; skips the test where there is none."""
    has_tab_library()  # what the page loads is built by then: on a loaded machine it takes minutes
    with serving(before=before) as (_, address), browser_for(address, has_files=True) as site:
        yield site


@contextmanager
def browser_for(address: str, *, has_files: bool = False) -> Iterator[Site]:
    """A browser for the page at an address; skips the test where there is none."""
    browser = driver().chromium.launch(executable_path=_chromium(), args=SWITCHES, timeout=PATIENCE)
    yield Site(address, browser, has_files=has_files)
    browser.close()


@contextmanager
def browser_of(visitor: Path, address: str) -> Iterator[Site]:
    """The browser of one visitor, with the profile in a folder; skips the test where there is none."""
    browser = driver().chromium.launch_persistent_context(
        visitor, executable_path=_chromium(), args=SWITCHES, timeout=PATIENCE
    )
    yield Site(address, browser)
    browser.close()


def _chromium() -> str:
    return CHROMIUM or pytest.skip("no Chromium: apt-get install chromium")


@cache
def driver() -> Any:
    """Playwright, once for all tests of a worker: it can't be started twice. Skips the test where there is none."""
    playwright = needed("playwright.sync_api", "browser")
    playwright.expect.set_options(timeout=PATIENCE)
    started = playwright.sync_playwright().start()
    atexit.register(started.stop)
    return started


def violations(page: Any) -> list[Any]:
    """What axe finds wrong on the page as it is now; skips the test where axe isn't installed."""
    axe = needed("axe_playwright_python.base", "browser")
    if not page.evaluate("'axe' in window"):  # once in each document: it is a large script
        page.evaluate(axe.AXE_SCRIPT)
    passes, wrong = page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations']}).then((all) => [all.passes.length, all.violations])"
    )
    assert passes
    return list(wrong)


def give(page: Any, file: dict[str, Any], event: str) -> None:
    """Drops a file on the page, or pastes it."""
    page.evaluate(
        """([event, name, type, data]) => {
             const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
             const transfer = new DataTransfer();
             transfer.items.add(new File([bytes], name, { type }));
             const given = { bubbles: true, cancelable: true, dataTransfer: transfer, clipboardData: transfer };
             document.body.dispatchEvent(new (event === "drop" ? DragEvent : ClipboardEvent)(event, given));
           }""",
        [event, file["name"], file["mimeType"], base64.b64encode(file["buffer"]).decode()],
    )


def packed(board: dict[str, Any], look: dict[str, Any] | None = None) -> str:
    """A board as links hold it, and how its game shows it."""
    deflate = zlib.compressobj(wbits=-15)
    data = deflate.compress(json.dumps([board, [], look]).encode()) + deflate.flush()
    return "1." + base64.urlsafe_b64encode(data).decode().rstrip("=")


SETTLED = """
async () => {
  if (history.state?.sheet && !document.querySelector("dialog[open]")) return false;
  if (!["follow", "play", "levels"].includes(document.documentElement.dataset.screen)) return true;
  const { $load } = await import("./page/main.js");
  const [{ read }, { unpack }] = [await $load("core/kept.js"), await $load("core/link.js")];
  const [game] = read("games");
  const { board, steps } = await unpack(location.hash.slice(1)).catch(() => ({}));
  return !game || JSON.stringify([board, steps]) === JSON.stringify([game.board, game.made]);
}
"""
"""Whether the history has come back from a dialog that was closed, and the address has the game in play."""


def settled(page: Any) -> None:
    """Waits until the history and the address are where they seem to be: a step meanwhile would go astray."""
    wait_until(lambda: page.wait_for_timeout(10) or page.evaluate(SETTLED))


def reload(page: Any) -> None:
    """Loads the page again."""
    settled(page)
    page.reload()


def choose_file(page: Any, name: str, file: Any) -> None:
    """Presses a button that asks for a file, and chooses one.

    Browsers open the dialog only within some seconds after the button is pressed. A loaded machine may miss that, so it
    is pressed again, as a person would.
    """
    from playwright.sync_api import TimeoutError as Missed

    for patience in (60_000, 120_000, PATIENCE):
        with suppress(Missed):
            with page.expect_file_chooser(timeout=patience) as chooser:
                page.get_by_role("button", name=name).click()
            chooser.value.set_files(file)
            return
    pytest.fail(f"{name} opened no dialog")


def back(page: Any) -> None:
    """Goes back, as the browser's button does."""
    settled(page)
    page.go_back()


def enter(page: Any, text: str) -> None:
    """Types a board and plays it, from the screen with the board in play."""
    more(page, "Another board")
    page.get_by_label("Board as text or JSON").fill(text)
    play(page)


def more(page: Any, what: str) -> None:
    """Does something from the menu beside the board in play."""
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=what, exact=True).click()


def play(page: Any) -> None:
    """Plays what has been entered."""
    page.get_by_role("dialog").get_by_role("button", name="Play", exact=True).click()
    page.locator("dialog[open]").wait_for(state="detached")


def left(page: Any, moves: int) -> None:
    """Waits until a number of moves are left, proved."""
    says(page, "optimal", str(moves), "left, proved")


def says(page: Any, kind: str, figure: str, words: str = "") -> None:
    """Waits until the proof is of a kind and says something."""
    from playwright.sync_api import expect

    proof = page.locator(f'.proof[data-kind="{kind}"]')
    expect(proof.locator(".figure")).to_have_text(figure)
    expect(proof).to_contain_text(words)


def tube(page: Any, number: int) -> Any:
    return page.locator(f'#board .tube[data-place="{number - 1}"]')


def made(page: Any, count: int) -> None:
    """Waits until a number of moves are made."""
    from playwright.sync_api import expect

    expect(page.get_by_role("slider", name="Moves made")).to_have_value(str(count))


def heard(page: Any, words: str) -> None:
    """Waits until something has been announced, and forgets what was announced by then."""

    def is_announced() -> bool:
        page.wait_for_timeout(20)  # in which it may happen; sleeping would stop the browser's events
        return any(words in each for each in page.evaluate("window.announced"))

    wait_until(is_announced)
    page.evaluate("window.announced = []")
