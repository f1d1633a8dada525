"""Functions in a worker's process: what they return, refuse and don't come to."""

import os
import time
from threading import Event

import pytest

from bsp_sat.backends.kernel import MachineCode
from bsp_sat.backends.process.limits import Limits
from bsp_sat.backends.process.worker import Worker
from bsp_sat.backends.result import BackendError, Findings
from bsp_sat.instances.errors import BoardError, Unsupported
from bsp_sat.web.work.chores import NOTHING, Chore, call
from bsp_sat.web.work.stock import Stock
from tests.misbehaving import Misbehaving


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
    """It is waited for where another process makes it, told meanwhile."""

    def run(self, monkeypatch, *, made):
        happened = []

        class Compilation:
            def wait(self):
                happened.append("waited")

        def compile_in_background(code):
            happened.append(code.name)
            return Compilation() if made else None

        class Recorder(Findings):
            def stats(self, **figures):
                happened.append(figures)

        monkeypatch.setattr(MachineCode, "compile_in_background", compile_in_background)
        Chore(divmod, (7, 2)).run(NOTHING, Recorder(NOTHING, "chore", claims_bounds=False))
        return happened

    def test_that_is_there_or_cannot_be_kept(self, monkeypatch):
        assert self.run(monkeypatch, made=False) == ["search", "grading", {"answer": (3, 1)}]

    def test_that_is_being_made(self, monkeypatch):
        waiting = [{"compiling": True}, "waited", {"compiling": False}]
        expected = ["search", *waiting, "grading", *waiting, {"answer": (3, 1)}]
        assert self.run(monkeypatch, made=True) == expected


@pytest.mark.usefixtures("no_process_is_left")
class TestStock:
    @pytest.fixture
    def stock(self):
        stock = Stock(2)
        stock.fill()
        yield stock
        stock.close()

    def test_the_one_that_was_at_work_last_is_taken_first(self, stock):
        first, second = stock.take(), stock.take()
        stock.give_back(second)
        stock.give_back(first)
        assert stock.take() is first
        assert first.is_warm
        stock.give_back(first)

    def test_one_that_was_ended_is_begun_anew(self, stock):
        worker = stock.take()
        with pytest.raises(BackendError):
            worker.run(Misbehaving("exits"), NOTHING, Limits())
        assert not worker.is_warm
        stock.give_back(worker)
        taken = {stock.take(), stock.take()}
        assert worker in taken
        assert all(each.is_warm for each in taken)
