"""Functions in a worker's process: what they return, refuse and don't come to."""

import os
import time
from threading import Event

import pytest

from bsp_sat.apps.page.answering import PROGRESS_SECONDS, Pace
from bsp_sat.apps.page.answering import call_with_progress as value_of
from bsp_sat.backends.limits import Limits
from bsp_sat.backends.run import Call, Process
from bsp_sat.instances.errors import BackendError, BoardError, Unsupported


@pytest.fixture(scope="module")
def worker():
    with Process() as worker:
        yield worker


def called(worker, function, *arguments, stop=None):
    """The value of a call, and its events."""
    events = []
    call = Call(function, arguments, Limits())
    return value_of(worker, stop or Event(), lambda *event: events.append(event), call), events


def test_progress_is_shown_now_and_then_and_each_bound_at_once():
    events = []
    pace = Pace(lambda name, data: events.append((data["seconds"], data["lower"])))
    for seconds, lower in ((0, 4), (0.01, 4), (0.02, 5), (0.03, 5), (0.04 + PROGRESS_SECONDS, 5)):
        pace.show(seconds, lower, None, {})
    assert events == [(0, 4), (0.02, 5), (0.14, 5)]


def test_a_refusal_comes_back(worker):
    with pytest.raises(BoardError, match="board: no tubes") as caught:
        called(worker, refuse, "board", "no tubes")
    assert caught.value.where == "board"


def refuse(where, problem):
    raise BoardError(where, problem)


def test_a_crash_is_a_bug(worker):
    with pytest.raises(BackendError, match="_exit ended with exit code 7"):
        called(worker, os._exit, 7)


def test_a_call_ends_when_it_is_stopped(worker):
    stop = Event()
    stop.set()
    with pytest.raises(Unsupported, match="no answer: interrupted"):
        called(worker, time.sleep, 600, stop=stop)


def test_a_generator_tells_how_far_it_is(worker):
    value, said = called(worker, counting)
    assert value == "all"
    assert said
    name, data = said[-1]
    assert (name, data["lower"], data["phase"]) == ("progress", None, "searching")


def counting():
    yield {"made": 1}
    yield {"made": 2}
    return "all"
