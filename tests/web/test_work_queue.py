"""Places for searches, and the queue before them; what is at work here waits for an event of the test."""

import asyncio
from threading import Event

import pytest
from starlette.testclient import TestClient

from bsp_sat.backends.run import Process
from bsp_sat.web.http.memory import Held, Memory
from bsp_sat.web.http.streams import EventStream, LastWord
from bsp_sat.web.work import work_queue as jobs
from bsp_sat.web.work.work_queue import QueueFull, WorkQueue
from bsp_sat.web.work.worker_pool import WorkerPool
from tests.support.server import HARD, run_apart


class NoWorkers(WorkerPool):
    """Hands out workers without processes."""

    def take(self):
        return Process()

    def give_back(self, worker):
        pass


def played(scene):
    """Plays a scene with one place, two that wait, and work that goes on until it is stopped."""

    async def play():
        jobs = WorkQueue(1, 2, NoWorkers(1))
        try:
            async with asyncio.timeout(60):
                await scene(jobs)
        finally:
            await jobs.close()

    run_apart(play)


def until_stopped(worker, stop, emit):
    emit("progress", {})
    stop.wait()
    return "answer", "stopped"


def at_once(worker, stop, emit):
    return "answer", "done"


async def all_events(job):
    events = []
    while (event := await job.event_queue.get()) is not None:
        events.append(event)
    return events


def test_work_is_done_where_there_is_a_place():
    async def scene(jobs):
        assert await all_events(jobs.enter(at_once)) == [("answer", "done")]
        assert await jobs.enter(until_stopped).event_queue.get() == ("progress", {})  # and not that it waits

    played(scene)


def test_others_wait_and_hear_how_many_are_before_them():
    async def scene(jobs):
        first, second, third = jobs.enter(until_stopped), jobs.enter(at_once), jobs.enter(at_once)
        assert await second.event_queue.get() == ("queued", {"ahead": 0})
        assert await third.event_queue.get() == ("queued", {"ahead": 1})
        first.close()
        assert await all_events(second) == [("answer", "done")]
        assert await all_events(third) == [("queued", {"ahead": 0}), ("answer", "done")]

    played(scene)


@pytest.mark.parametrize(("newest_first", "order"), [(False, [1, 2, 3]), (True, [3, 2, 1])])
def test_who_came_first_is_next_or_who_came_last(newest_first, order):
    async def scene():
        done = []

        def work(number):
            return lambda *_: ("answer", done.append(number))

        jobs = WorkQueue(1, 3, NoWorkers(1), newest_first=newest_first)
        first = jobs.enter(until_stopped)
        waiting = [jobs.enter(work(number)) for number in (1, 2, 3)]
        first.close()
        for job in waiting:
            await all_events(job)
        await jobs.close()
        assert done == order

    run_apart(scene)


def test_no_more_wait_than_may():
    async def scene(jobs):
        waiting = [jobs.enter(until_stopped) for _ in range(3)]
        with pytest.raises(QueueFull):
            jobs.enter(at_once)
        waiting[2].close()
        jobs.enter(at_once).close()

    played(scene)


def test_who_leaves_the_queue_is_never_begun():
    async def scene(jobs):
        begun = Event()

        def never(worker, stop, emit):
            begun.set()
            return "answer", None

        first, second, third = jobs.enter(until_stopped), jobs.enter(never), jobs.enter(at_once)
        second.close()
        assert [await third.event_queue.get(), await third.event_queue.get()] == [
            ("queued", {"ahead": 1}),
            ("queued", {"ahead": 0}),
        ]
        first.close()
        assert await all_events(third) == [("answer", "done")]
        assert not begun.is_set()

    played(scene)


def test_a_place_is_free_when_its_work_has_ended_and_not_before():
    async def scene(jobs):
        may_end = Event()

        def slow_to_stop(worker, stop, emit):
            emit("progress", {})
            stop.wait()
            may_end.wait()
            return "answer", None

        first, second = jobs.enter(slow_to_stop), jobs.enter(at_once)
        assert await first.event_queue.get() == ("progress", {})
        first.close()
        assert await second.event_queue.get() == ("queued", {"ahead": 0})
        await asyncio.sleep(0.05)
        assert second.event_queue.empty()
        may_end.set()
        assert await all_events(second) == [("answer", "done")]

    played(scene)


def test_who_leaves_while_a_worker_is_begun_is_never_begun():
    begun = Event()

    class Slow(NoWorkers):
        def take(self):
            begun.wait()
            return Process()

    async def scene():
        jobs = WorkQueue(1, 0, Slow(1))
        job = jobs.enter(lambda *_: pytest.fail("the answer isn't wanted"))
        job.close()
        begun.set()
        assert await all_events(job) == [("error", {"error": "interrupted"})]
        await jobs.close()

    run_apart(scene)


def test_an_error_is_the_last_word(caplog):
    async def scene(jobs):
        def broken(worker, stop, emit):
            raise ZeroDivisionError

        sentence = "this is a bug in bsp-sat, please report it: ZeroDivisionError"
        assert await all_events(jobs.enter(broken)) == [("error", {"error": sentence})]
        assert await all_events(jobs.enter(at_once)) == [("answer", "done")]

    played(scene)


def test_a_page_that_does_not_read_misses_some_of_the_progress():
    async def scene(jobs):
        has_reported = Event()

        def talkative(worker, stop, emit):
            for number in range(10_000):
                emit("progress", number)
            has_reported.set()
            return "answer", None

        job = jobs.enter(talkative)
        await asyncio.to_thread(has_reported.wait)
        assert 0 < job.event_queue.qsize() < 10_000
        assert (await all_events(job))[-1] == ("answer", None)

    played(scene)


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

        scope = {"type": "http", "headers": [], "held": Held(Memory(1_000))}
        await response(scope, receive, send or put)
        return sent

    @pytest.mark.parametrize("kind", [EventStream, LastWord])
    def test_a_page_that_goes_away_ends_its_work(self, kind):
        async def scene(jobs):
            leave = asyncio.Event()
            leave.set()
            await self.respond(kind(jobs, until_stopped), leave=leave)
            assert (await all_events(jobs.enter(at_once)))[-1] == ("answer", "done")

        played(scene)

    def test_silence_is_not_taken_for_death(self, monkeypatch):
        monkeypatch.setattr(jobs, "SILENCE_SECONDS", 0.01)
        may_end = Event()
        sent = []

        def silent(worker, stop, emit):
            may_end.wait()
            return "answer", 1

        async def scene(jobs):
            async def put(message):
                sent.append(message.get("body"))
                if sent.count(b": \n\n") == 2:
                    may_end.set()

            await self.respond(EventStream(jobs, silent), send=put)

        played(scene)
        assert sent[-2:] == [b"event: answer\ndata: 1\n\n", b""]

    @pytest.mark.parametrize("kind", [EventStream, LastWord])
    def test_the_server_ends_them(self, kind):
        async def scene(jobs):
            jobs.ending.set()
            sent = await self.respond(kind(jobs, until_stopped))
            assert any(b"the server has ended" in message.get("body", b"") for message in sent)
            assert sent[0]["status"] == (200 if kind is EventStream else 503)

        played(scene)

    def test_what_cannot_be_written_is_a_bug(self, caplog):
        async def scene(jobs):
            await self.respond(EventStream(jobs, lambda *_: ("answer", object())))

        played(scene)
        assert "this is a bug in bsp-sat: TypeError" in caplog.text

    def test_the_last_word_is_the_answer(self):
        async def scene(jobs):
            start, body = await self.respond(LastWord(jobs, at_once))
            assert (start["status"], body["body"]) == (200, b'"done"')

        played(scene)


class TestEndpoints:
    @pytest.fixture
    def full(self, client: TestClient):
        """A server whose places, for turns and searches, are all taken."""
        queues = client.app.state.queues
        both = (queues.searches, queues.turns)
        taken = client.portal.call(lambda: [jobs.enter(until_stopped) for jobs in both for _ in range(4)])
        yield client
        client.portal.call(lambda: [job.close() for job in taken])

        async def free():
            for queue in both:
                assert await queue.enter(at_once).last_word() == ("answer", "done")

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
