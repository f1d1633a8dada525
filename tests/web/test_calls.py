"""Functions in a worker's process: what they return, refuse and don't come to."""

import os
import time
from threading import Event

import pytest

from bsp_sat.backends.kernel import code
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import BackendError, Findings
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.web.work.calls import NOTHING, Chore, call
from bsp_sat.web.work.worker_pool import WorkerPool
from tests.support.misbehaving import Misbehaving


@pytest.fixture(scope="module")
def worker():
    with Worker() as worker:
        yield worker


def called(worker, function, *arguments, limits=None, told=(), stop=None):
    """The value of a call, and what was told meanwhile."""
    said = []
    chore = Chore(function, arguments, compiled=False)
    value = call(worker, stop or Event(), lambda *event: said.append(event), limits or Limits(), chore, *told)
    return value, said


def test_the_value_comes_back(worker):
    assert called(worker, divmod, 7, 2)[0] == (3, 1)


def test_so_does_a_refusal(worker):
    with pytest.raises(BoardError, match="board: no tubes") as caught:
        called(worker, refuse, "board", "no tubes")
    assert caught.value.where == "board"


def refuse(where, problem):
    raise BoardError(where, problem)


def test_a_crash_is_a_bug(worker):
    with pytest.raises(BackendError, match="chore ended with exit code 7"):
        called(worker, os._exit, 7)


def test_a_limit_leaves_no_answer(worker):
    with pytest.raises(Unsupported, match=r"no answer: time limit of 0.1 s reached"):
        called(worker, time.sleep, 600, limits=Limits(seconds=0.1))
    with pytest.raises(Unsupported, match=r"no answer: memory limit of 1 MB reached"):
        called(worker, time.sleep, 600, limits=Limits(memory_mb=1))


def test_it_ends_when_it_is_stopped(worker):
    stop = Event()
    stop.set()
    with pytest.raises(Unsupported, match="no answer: interrupted"):
        called(worker, time.sleep, 600, stop=stop)


def test_a_generator_tells_how_far_it_is(worker):
    value, said = called(worker, counting, told=("made",))
    assert value == "all"
    assert said
    name, data = said[-1]
    assert (name, data["lower"], data["phase"]) == ("progress", None, "searching")


def counting():
    yield {"made": 1}
    yield {"made": 2}
    return "all"


class TestCompiledCode:
    """It is waited for where another process makes it, told meanwhile, and done without where nobody does."""

    def run(self, monkeypatch, *, looks, being_made=True, kept=True):
        asked, looked = [], []

        def file(entry):
            looked.append(entry)
            return "file" if len(looked) > looks else None

        monkeypatch.setattr(code, "file", file)
        monkeypatch.setattr(code, "can_be_kept", lambda: kept)
        monkeypatch.setattr(code, "is_being_made", lambda entry: being_made)
        monkeypatch.setattr(code, "compile_in_background", asked.append)
        monkeypatch.setattr("bsp_sat.web.work.calls.LOOK_SECONDS", 0)
        monkeypatch.setattr("bsp_sat.web.work.calls.START_SECONDS", 0)
        findings = Findings(NOTHING, "chore", claims_bounds=False)
        Chore(divmod, (7, 2)).run(NOTHING, findings)
        assert findings.figures["answer"] == (3, 1)
        return asked, findings.figures

    def test_that_is_there(self, monkeypatch):
        asked, figures = self.run(monkeypatch, looks=0)
        assert (asked, figures) == ([], {"answer": (3, 1)})

    def test_that_comes(self, monkeypatch):
        asked, figures = self.run(monkeypatch, looks=3)
        assert ([entry.name for entry in asked], figures["compiling"]) == (["search"], False)

    def test_that_nobody_makes(self, monkeypatch):
        asked, figures = self.run(monkeypatch, looks=1_000, being_made=False)
        assert ([entry.name for entry in asked], figures["compiling"]) == (["search", "grading"], False)

    def test_that_cannot_be_kept(self, monkeypatch):
        assert self.run(monkeypatch, looks=1_000, kept=False)[0] == []


@pytest.mark.usefixtures("no_process_is_left")
class TestStock:
    @pytest.fixture
    def pool(self):
        pool = WorkerPool(2)
        pool.fill()
        yield pool
        pool.close()

    def test_the_one_that_was_at_work_last_is_taken_first(self, pool):
        first, second = pool.take(), pool.take()
        pool.give_back(second)
        pool.give_back(first)
        assert pool.take() is first
        assert first.is_warm
        pool.give_back(first)

    def test_one_that_was_ended_is_begun_anew(self, pool):
        worker = pool.take()
        with pytest.raises(BackendError):
            worker.run(Misbehaving("exits"), NOTHING, Limits())
        assert not worker.is_warm
        pool.give_back(worker)
        taken = {pool.take(), pool.take()}
        assert worker in taken
        assert all(each.is_warm for each in taken)
