"""Places for answers, and the queue before them; what is at work here waits for an event of the test."""

import asyncio
from functools import wraps
from inspect import Signature, signature
from threading import Event

import pytest
from starlette.testclient import TestClient

from bsp_sat.apps.page.errors import Refused
from bsp_sat.apps.page.http import queue as queues
from bsp_sat.apps.page.http.queue import Queue
from bsp_sat.apps.page.http.streams import EventStream, LastWord
from bsp_sat.backends.run import Places, Process, QueueFull
from tests.support.server import HARD, run_apart


@pytest.fixture(autouse=True)
def no_processes(request, monkeypatch):
    """Places without processes, but for the tests of a whole server."""
    if request.cls not in (TestEndpoints, TestPlaces):
        monkeypatch.setattr(Process, "start", lambda process: None)
        monkeypatch.setattr(Process, "prepare", lambda process, function: None)


def scene(play):
    """A test with a queue: it has one place, two may wait, and answers go on until they are stopped."""

    @wraps(play)
    def test(*instance, **fixtures):
        async def played():
            queue = Queue(1, 2)
            try:
                async with asyncio.timeout(600):
                    await play(*instance, queue=queue, **fixtures)
            finally:
                queue.close()

        run_apart(played)

    test.__signature__ = Signature([each for each in signature(play).parameters.values() if each.name != "queue"])
    return test


def until_stopped(runner, stop, emit):
    emit("progress", {})
    stop.wait()
    return "stopped"


def at_once(runner, stop, emit):
    return "done"


async def all_of(asked):
    """All events of a question, and its answer."""
    return [event async for event in asked.events()], asked.result()


@scene
async def test_a_question_is_answered_where_there_is_a_place(queue):
    assert await all_of(queue.enter(at_once)) == ([], "done")
    assert await anext(queue.enter(until_stopped).events()) == ("progress", {})  # and not that it waits


@scene
async def test_others_wait_and_hear_how_many_are_before_them(queue):
    first, second, third = queue.enter(until_stopped), queue.enter(at_once), queue.enter(at_once)
    assert await anext(second.events()) == ("queued", {"ahead": 0})
    assert await anext(third.events()) == ("queued", {"ahead": 1})
    first.close()
    assert await all_of(second) == ([], "done")
    assert await all_of(third) == ([("queued", {"ahead": 0})], "done")


@scene
async def test_no_more_wait_than_may(queue):
    waiting = [queue.enter(until_stopped) for _ in range(3)]
    with pytest.raises(QueueFull):
        queue.enter(at_once)
    waiting[2].close()
    queue.enter(at_once).close()


@scene
async def test_a_question_that_leaves_the_queue_is_never_begun(queue):
    begun = Event()
    first, second = queue.enter(until_stopped), queue.enter(lambda *_: begun.set())
    third = queue.enter(at_once)
    second.close()
    events = third.events()
    assert [await anext(events), await anext(events)] == [("queued", {"ahead": 1}), ("queued", {"ahead": 0})]
    first.close()
    assert await third.answered() == "done"
    assert not begun.is_set()


@scene
async def test_a_place_is_free_when_its_answer_has_ended_and_not_before(queue):
    may_end = Event()

    def slow_to_stop(runner, stop, emit):
        emit("progress", {})
        stop.wait()
        may_end.wait()

    first, second = queue.enter(slow_to_stop), queue.enter(at_once)
    assert await anext(first.events()) == ("progress", {})
    first.close()
    assert await anext(second.events()) == ("queued", {"ahead": 0})
    await asyncio.sleep(0.05)
    with pytest.raises(Refused):
        second.result()
    may_end.set()
    assert await second.answered() == "done"


@pytest.fixture
def begun(monkeypatch):
    """No process begins before this event."""
    begun = Event()
    monkeypatch.setattr(Process, "start", lambda process: begun.wait())
    return begun


@scene
async def test_a_question_whose_page_leaves_while_a_process_is_begun_is_never_begun(queue, begun):
    asked = queue.enter(lambda *_: pytest.fail("the answer isn't wanted"))
    asked.close()
    begun.set()
    with pytest.raises(Refused, match="interrupted"):
        await asked.answered()


@scene
async def test_an_error_is_the_answer(queue, caplog):
    def broken(runner, stop, emit):
        raise ZeroDivisionError

    with pytest.raises(Refused, match="this is a bug in bsp-sat, please report it: ZeroDivisionError"):
        await queue.enter(broken).answered()
    assert await queue.enter(at_once).answered() == "done"


@scene
async def test_a_page_that_does_not_read_misses_some_of_the_progress(queue):
    has_reported = Event()

    def talkative(runner, stop, emit):
        for number in range(10_000):
            emit("progress", number)
        has_reported.set()

    asked = queue.enter(talkative)
    await asyncio.to_thread(has_reported.wait)
    events, _ = await all_of(asked)
    assert 0 < len(events) < 10_000


@pytest.mark.usefixtures("no_process_is_left")
class TestPlaces:
    """Places with processes."""

    def test_work_keeps_its_process_and_one_that_was_ended_is_replaced(self):
        places = Places(1, prepare=queues.load_for_searches)
        first = places.submit(lambda process: (process, process.is_warm)).result()
        assert first[1]
        places.submit(lambda process: process.close()).result()
        assert places.submit(lambda process: (process, process.is_warm)).result() == first
        places.close()

    def test_those_that_have_ended_take_nothing(self):
        places = Places(1)
        waiting = Event()
        begun = places.submit(lambda process: waiting.wait())
        left = places.submit(lambda process: pytest.fail("it was cancelled"))
        waiting.set()
        places.close()
        assert begun.done()
        assert places.submit(lambda process: None).cancelled()
        assert left.cancelled() or left.done()


class TestStreams:
    """What a page gets, or doesn't, in place of a network."""

    async def respond(self, response, *, send=None, leave=None):
        """Has a response sent to a page that leaves when the event is set, and gives back what it was sent."""
        sent = []

        async def receive():
            await (leave or asyncio.Event()).wait()
            return {"type": "http.disconnect"}

        async def put(message):
            sent.append(message)

        scope = {"type": "http", "headers": []}
        await response(scope, receive, send or put)
        return sent

    @pytest.mark.parametrize("kind", [EventStream, LastWord])
    @scene
    async def test_a_page_that_goes_away_ends_its_work(self, queue, kind):
        leave = asyncio.Event()
        leave.set()
        await self.respond(kind(queue, until_stopped), leave=leave)
        assert await queue.enter(at_once).answered() == "done"

    @scene
    async def test_silence_is_not_taken_for_death(self, queue, monkeypatch):
        monkeypatch.setattr(queues, "SILENCE_SECONDS", 0.01)
        may_end = Event()
        sent = []

        def silent(runner, stop, emit):
            may_end.wait()
            return 1

        async def put(message):
            sent.append(message.get("body"))
            if sent.count(b": \n\n") == 2:
                may_end.set()

        await self.respond(EventStream(queue, silent), send=put)
        assert sent[-2:] == [b"event: answer\ndata: 1\n\n", b""]

    @pytest.mark.parametrize("kind", [EventStream, LastWord])
    @scene
    async def test_the_server_ends_them(self, queue, kind):
        response = kind(queue, until_stopped)
        queue.end()
        start, *bodies = await self.respond(response)
        assert start["status"] == 503
        assert any(b"the server has ended" in message["body"] for message in bodies)
        with pytest.raises(Refused, match="the server has ended"):
            kind(queue, at_once)

    @scene
    async def test_what_cannot_be_written_is_a_bug(self, queue, caplog):
        await self.respond(EventStream(queue, lambda *_: object()))
        assert "this is a bug in bsp-sat: TypeError" in caplog.text


class TestEndpoints:
    @pytest.fixture
    def full(self, client: TestClient):
        """A server whose places, for turns and searches, are all taken."""
        both = client.app.state.queues
        taken = client.portal.call(lambda: [queue.enter(until_stopped) for queue in both for _ in range(4)])
        yield client
        client.portal.call(lambda: [asked.close() for asked in taken])

        async def free():
            for queue in both:
                assert await queue.enter(at_once).answered() == "done"

        client.portal.call(free)

    def test_refuse_where_the_queue_is_full(self, full):
        for path in ("solve", "hint"):
            response = full.post(f"/api/{path}", json={"board": HARD})
            assert response.status_code == 503
            assert response.json() == {"error": "too many searches are waiting; try again later"}
            assert int(response.headers["retry-after"]) > 0

    def test_answer_what_needs_no_place(self, full):
        assert full.post("/api/position", json={"board": HARD}).status_code == 200
        assert full.get("/").status_code == 200

    def test_refuse_a_bad_board_before_it_takes_a_place(self, full):
        assert full.post("/api/solve", json={"board": {}}).status_code == 400
