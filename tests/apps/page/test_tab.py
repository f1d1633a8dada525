"""The page without a server, in a browser: from a plain host of files, under the strictest policy it works with."""

import base64
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bsp_sat import random_boards, solve
from bsp_sat.apps.pictures.corrections import RowByHand
from bsp_sat.apps.pictures.loading import load_picture
from bsp_sat.apps.pictures.reading import read_loaded, read_rows
from bsp_sat.cli.group import commands
from bsp_sat.instances.registry import PUZZLES
from tests.support.browser import SMALL, Site, browser_for, browser_of, left, packed, reload
from tests.support.drawn_screens import random_picture, rows_of
from tests.support.helpers import from_fields, wait_until
from tests.support.naive_variants import random_board
from tests.support.server import HARD
from tests.support.static import PAGE_LINE, hosting, made_page

ASK = """async ([path, body]) => {
  const { answer } = await (await import("./page/main.js")).$load("core/api.js");
  return answer(path, body, new AbortController().signal).catch((error) => ({ error: error.message }));
}"""

MEMORY_IS_KEPT = "caches.match('page/tab/memory').then(Boolean)"

CANCEL = """async ([path, body, milliseconds]) => {
  const { answer, call } = await (await import("./page/main.js")).$load("core/api.js");
  const work = new AbortController();
  const cancelled = answer(path, body, work.signal).then(() => "answered", (error) => error.name);
  await new Promise((go) => setTimeout(go, milliseconds));
  work.abort();
  const how = await cancelled;
  const small = await answer("solve", { board: SMALL }, new AbortController().signal);
  return [how, small.length];
}""".replace("SMALL", json.dumps(SMALL))

pytestmark = [pytest.mark.first, pytest.mark.slow]


ENDED_BY_TIME = """async (body) => {
  const { stream } = await (await import("./page/main.js")).$load("core/api.js");
  const { setTimeout } = window;
  let timeUp;
  const late = (body.seconds + 5) * 1000;
  window.setTimeout = (call, after) => (after === late ? void (timeUp = call) : setTimeout(call, after));
  try {
    for await (const { event, data } of stream("horizons", body, new AbortController().signal)) {
      if (event === "answer") return data;
      if (data.questions?.length && data.lower > data.questions[0].horizon) timeUp();
    }
  } finally {
    window.setTimeout = setTimeout;
  }
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return made_page(tmp_path_factory.mktemp("page") / "page")


@pytest.fixture
def own(folder, tmp_path) -> Path:
    """A copy of the page, which a test may change."""
    return shutil.copytree(folder, tmp_path / "page")


@pytest.fixture(scope="module")
def tab(folder) -> Iterator[Site]:
    """The page on its host, and a browser."""
    with hosting(folder) as address, browser_for(address) as site:
        yield site


@pytest.fixture(scope="module")
def page(tab) -> Iterator[Any]:
    """One visit, by a link to a board, for all tests that only ask questions: each new one takes some seconds."""
    with tab.visit("level-80") as page:
        yield page


def ask(page: Any, path: str, **fields: Any) -> Any:
    return page.evaluate(ASK, [path, fields])


def until(page: Any, expression: str) -> None:
    """Waits; Playwright's own way needs `unsafe-eval`."""

    def holds() -> bool:
        page.wait_for_timeout(50)
        return bool(page.evaluate(expression))

    wait_until(holds)


def test_a_board_is_played_and_proved_before_python_is_there(tab):
    with tab.visit() as page:
        held: list[Any] = []
        page.context.route("**/pyodide*", lambda route: held.append(route))  # not answered before the end
        page.goto(f"{tab.address}#{packed(SMALL)}")
        left(page, 3)
        page.keyboard.type("13")
        left(page, 2)
        page.keyboard.press("h")
        page.locator("#notice", has_text="choose a tube").wait_for()
        # What only Python can read says that it is coming.
        page.goto(f"{tab.address}?#{packed({**SMALL, 'cork': True})}")
        page.get_by_role("alert").filter(has_text="the solver is at work").wait_for()
        for route in held:
            route.abort()
        page.context.unroute_all(behavior="ignoreErrors")
        tab.complaints.clear()  # of the files that didn't come


def test_the_first_screen_fetches_nothing_of_python(tab):
    with tab.visit() as page:
        page.evaluate("navigator.serviceWorker.ready")
        kept = "(await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))).flat()"
        paths = page.evaluate(f"(async () => {kept}.map((each) => new URL(each.url).pathname))()")
        assert "/page/main.js" in paths
        assert [path for path in paths if path.startswith("/engine/")] == []


def test_later_visits_need_no_network_and_wait_for_no_service_worker(tab, folder):
    with hosting(folder) as address, tab.visit() as page:
        page.goto(f"{address}#{packed(SMALL)}")
        left(page, 3)
        assert ask(page, "horizons", board=SMALL)["length"] == 3
        page.evaluate("navigator.serviceWorker.ready")
        until(page, MEMORY_IS_KEPT)
        until(page, "caches.match('engine/python_sat.whl').then(Boolean)")
        page.context.set_offline(True)
        page.goto(f"{address}#{packed({**SMALL, 'name': 'again'})}")
        reload(page)
        left(page, 3)
        assert page.evaluate("performance.getEntriesByType('navigation')[0].workerFinalSourceType") == "cache"
        assert ask(page, "horizons", board=SMALL)["length"] == 3  # python-sat is kept too
        tab.asked.clear()


def test_a_visit_that_cannot_begin_with_the_memory_kept_begins_without_it(tab):
    with tab.visit("level-80") as page:
        left(page, 38)
        assert ask(page, "horizons", board=SMALL)["length"] == 3
        until(page, MEMORY_IS_KEPT)
        page.evaluate(
            """async () => {
              const name = (await caches.keys()).find((each) => each.startsWith("started"));
              await (await caches.open(name)).put("page/tab/memory", new Response("damaged"));
            }"""
        )
        reload(page)
        left(page, 38)
        page.evaluate("async () => (await (await import('./page/main.js')).$load('core/api.js')).prepare()")
        wait_until(lambda: page.wait_for_timeout(50) or tab.complaints)
        tab.complaints.clear()


def test_two_tabs_answer_at_once(tab):
    with tab.visit("level-80") as page:
        other = page.context.new_page()
        tab.listen(other)
        other.goto(f"{tab.address}#{packed(SMALL)}")
        left(other, 3)
        left(page, 38)
        for each in (page, other):
            each.evaluate(
                f"() => void (window.asked = ({ASK})(['solve', {json.dumps({'board': HARD, 'seconds': 2})}]))"
            )
        assert [each.evaluate("window.asked")["ending"] for each in (page, other)] == ["time-limit"] * 2


def test_where_chromium_blocks_cookies_boards_are_solved_all_the_same(folder, tmp_path):
    (tmp_path / "Default").mkdir()
    blocked = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(blocked))
    with hosting(folder) as address, browser_of(tmp_path, address) as site:
        page = site.browser.new_page()
        site.listen(page)
        page.goto(f"{address}#level-80")
        refused = "navigator.locks.request('any', () => {}).catch((error) => error.name)"
        assert page.evaluate(refused) == "SecurityError"
        left(page, 38)
        assert ask(page, "horizons", board=SMALL)["length"] == 3
        page.goto(address)
        page.get_by_text("lets the page keep nothing").wait_for()
        site.well()


def caches_kept(page: Any, kind: str) -> list[str]:
    """The names of the caches of a kind: their versions are the last words."""
    names = page.evaluate("caches.keys()")
    return [name for name in names if name.startswith(kind)]


@pytest.mark.parametrize("played_at", ["the first visit", "a later visit", "a forced reload"])
def test_an_update_never_interrupts_a_game(tab, own, played_at):
    from playwright.sync_api import expect

    with hosting(own) as address, tab.visit() as page:
        page.goto(f"{address}#{packed(SMALL)}")
        left(page, 3)
        until(page, "navigator.serviceWorker.controller !== null")
        other = page.context.new_page()
        tab.listen(other)
        other.goto(f"{address}#{packed(SMALL)}")
        left(other, 3)
        game, home = (page, other) if played_at == "the first visit" else (other, page)
        if played_at == "a forced reload":
            with game.expect_navigation():
                page.context.new_cdp_session(game).send("Page.reload", {"ignoreCache": True})
            left(game, 3)
            assert game.evaluate("navigator.serviceWorker.controller === null")
        game.evaluate(
            """() => {
              window.stays = true;
              navigator.serviceWorker.addEventListener("controllerchange", () => (window.hasNew = true));
            }"""
        )
        (before,) = caches_kept(page, "bsp-sat")
        worker = own / "service-worker.js"
        worker.write_text(worker.read_text().replace(before.split()[-1], "another"))
        home.evaluate("navigator.serviceWorker.getRegistration().then((kept) => kept.update())")
        until(home, "navigator.serviceWorker.getRegistration().then((kept) => kept.waiting !== null)")
        offer = game.get_by_text("There is a new version")
        expect(offer).not_to_be_visible()
        home.goto(address)
        with home.expect_navigation():
            home.get_by_role("button", name="Reload").click()
        until(home, "caches.keys().then((names) => names.filter((name) => name.startsWith('bsp-sat')).length === 1)")
        assert caches_kept(home, "bsp-sat") == [before.replace(before.split()[-1], "another")]
        until(game, "window.hasNew")
        left(game, 3)
        assert ask(game, "solve", board=SMALL)["length"] == 3
        expect(offer).not_to_be_visible()
        game.get_by_role("button", name="Home").click()
        expect(offer).to_have_count(1)
        assert game.evaluate("window.stays")
        with game.expect_navigation():
            game.get_by_role("button", name="Reload").click()
        tab.asked.clear()


def test_copies_at_one_origin_leave_what_the_others_keep(tab, folder, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(folder, tmp_path / name)
    with hosting(tmp_path) as address, tab.visit() as page:
        for name in ("one", "two"):
            page.goto(f"{address}{name}/#{packed(SMALL)}")
            left(page, 3)
            assert ask(page, "horizons", board=SMALL)["length"] == 3  # which Python answers
            until(page, "navigator.serviceWorker.controller?.state === 'activated'")
            until(page, MEMORY_IS_KEPT)
        for kind in ("bsp-sat", "started"):
            assert len(caches_kept(page, kind)) == 2
        page.context.set_offline(True)
        for name in ("one", "two"):
            page.goto(f"{address}{name}/#{packed({**SMALL, 'name': 'again'})}")
            left(page, 3)
        tab.asked.clear()


def test_the_same_sources_make_the_same_bytes(folder, tmp_path):
    """Here by the command, as documents have it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(PAGE_LINE.split(), cwd=tmp_path, env={**os.environ, "PATH": path}, check=True)
    (again,) = tmp_path.iterdir()
    files = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert files == {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()}


def boards() -> list[Any]:
    """Boards of all kinds, most of them solvable."""
    found = [next(random_boards(PUZZLES[kind], seed=seed, **given)) for seed in range(12) for kind, given in KINDS]
    return [*(board.to_json() for board in found), *(random_board(seed, locked=True) for seed in range(20))]


KINDS: list[tuple[str, dict[str, Any]]] = [
    ("ball-sort", {"colours": 6, "capacity": 4, "empty": 2}),
    ("ball-sort", {"colours": 4, "capacity": 3, "empty": 1}),
    ("water-sort", {"colours": 7, "capacity": 4, "empty": 2}),
    ("water-sort", {"colours": 4, "capacity": 3, "empty": 1}),
    ("tiles", {"columns": 5, "rows": 4, "colours": 3}),
    ("shot", {"width": 5, "height": 5, "balls": 5}),
]


def test_answers_are_those_of_an_installation(page):
    for board in boards():
        found, result = ask(page, "solve", board=board), solve(from_fields(board))
        assert (found["status"], found["length"]) == (str(result.status), result.length), board


@pytest.mark.parametrize(("path", "milliseconds"), [("solve", 300), ("horizons", 1500), ("solve", 0)])
def test_after_a_cancel_the_next_search_begins(page, path, milliseconds):
    assert page.evaluate(CANCEL, [path, {"board": HARD}, milliseconds]) == ["AbortError", 3]


def test_sat_that_is_ended_by_its_time_leaves_the_bound(page):
    """The page ends the worker five seconds late; here it does so as soon as SAT has proved something."""
    board = next(random_boards(PUZZLES["ball-sort"], seed=1, colours=12, capacity=4, empty=2)).to_json()
    # 59, since the page itself asks questions that may take 60.
    answer = page.evaluate(ENDED_BY_TIME, {"board": board, "encoding": "order", "seconds": 59})
    expected = {"status": "unknown", "ending": "time-limit", "reason": "time limit of 59 s reached"}
    assert {key: answer[key] for key in expected} == expected
    assert answer["lower_bound"] > answer["stats"]["questions"][0]["horizon"]
    assert not answer["stats"]["questions"][0]["satisfiable"]
    assert ask(page, "solve", board=SMALL)["length"] == 3


def test_a_sat_solver_that_cannot_be_loaded_says_so_and_is_loaded_later(tab, own, tmp_path):
    away = tmp_path / "python_sat.whl"
    (own / "engine" / away.name).rename(away)
    with hosting(own) as address, tab.visit() as page:
        page.goto(f"{address}#{packed(SMALL)}")
        left(page, 3)
        assert "can't be loaded" in ask(page, "horizons", board=SMALL, encoding="order")["error"]
        away.rename(own / "engine" / away.name)
        assert ask(page, "horizons", board=SMALL, encoding="order")["length"] == 3
        tab.asked.clear()
        tab.complaints.clear()  # of files that aren't there


def test_a_worker_that_is_ended_by_the_browser_is_replaced(tab):
    with tab.visit() as page:
        ask(page, "solve", board=SMALL)
        page.evaluate(f"() => void (window.asked = ({ASK})(['solve', {json.dumps({'board': HARD})}]))")
        for worker in page.workers:
            with suppress(Exception):  # it closes before it can answer
                worker.evaluate("self.close()")
        assert "ended by the browser" in page.evaluate("window.asked")["error"]
        assert ask(page, "solve", board=SMALL)["length"] == 3


def test_certificates_of_the_tab_hold_in_an_installation(page, tmp_path):
    for proof in ("labels", "lrat"):
        made = ask(page, "certificate", board=SMALL, proof=proof)["certificate"]
        here = tmp_path / proof
        with zipfile.ZipFile(BytesIO(base64.b64decode(made["zip"]))) as files:
            files.extractall(here)
        assert CliRunner().invoke(commands, ["verify", str(here / "certificate")]).exit_code == 0


@pytest.mark.parametrize("shown", [False, True])
def test_the_tab_reads_the_board_that_the_command_line_reads(page, shown):
    drawn = random_picture(1)
    rows = rows_of(drawn) if shown else []
    loaded = load_picture(drawn.data)
    board = read_rows(loaded, [RowByHand(*row) for row in rows]) if shown else read_loaded(loaded)
    found = page.evaluate(
        """async ([data, rows]) => {
          const { call } = await (await import("./page/main.js")).$load("core/api.js");
          const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
          return call(`read?${rows}`, new Blob([bytes], { type: "image/png" }));
        }""",
        [base64.b64encode(drawn.data).decode(), "&".join(f"row={','.join(map(str, row))}" for row in rows)],
    )
    assert found == json.loads(json.dumps({**board.to_json(), "reasons": board.reasons()}))


def test_a_picture_can_be_shared_to_the_page(tab, folder):
    from playwright.sync_api import expect

    data = base64.b64encode(random_picture(1).data).decode()
    with hosting(folder) as address, tab.visit() as page:
        page.goto(address)
        until(page, "navigator.serviceWorker.controller !== null")
        page.evaluate(
            """async (data) => {
              const form = new FormData();
              const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
              form.append("picture", new File([bytes], "shot.png", { type: "image/png" }));
              await fetch("share", { method: "POST", body: form });
            }""",
            data,
        )
        page.goto(address)
        expect(page.get_by_role("button", name="Is this your board?")).to_be_visible()
        tab.asked.clear()
