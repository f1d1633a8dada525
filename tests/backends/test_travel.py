"""What is public can be copied and goes to other processes and back; what can't go says so."""

import copy
import multiprocessing
import pickle
import subprocess
import sys
import threading

import pytest

import bsp_sat
from bsp_sat import BallSort, BspSatError, Plan, Unsupported, load, load_instance, solve
from bsp_sat.apps.levels.figure import Figure
from bsp_sat.instances.errors import BackendError, BoardError
from tests.support.helpers import board
from tests.support.misbehaving import Misbehaving

EASY = board(BallSort, "ab|ba|-", 2)
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle-{protocol}": lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol))
        for protocol in (2, pickle.HIGHEST_PROTOCOL)
    },
}

READING = bsp_sat.Reading((load_instance("level-80"),), "as it is shipped", ("it is solved already",))
EXAMPLES = {
    "Advice": bsp_sat.Advice((bsp_sat.Pour(0, 1),), left=2.5),
    "AmbiguousBoard": bsp_sat.AmbiguousBoard("line 3", "rows or columns", [READING]),
    "BackendError": BackendError("it claims\nnonsense"),
    "BallSort": EASY,
    "BoardFields": bsp_sat.BoardFields(name="easy"),
    "Cell": bsp_sat.Cell("r", "red"),
    "Choice": bsp_sat.Choice("depth", dict, "depth"),
    "BoardError": BoardError("tubes[2]", "expected\x1b nothing"),
    "BspSatError": BspSatError("a\nb"),
    "CertificateError": bsp_sat.CertificateError("missing"),
    "Click": bsp_sat.Click(3),
    "Figure": bsp_sat.Figure.exact(3),
    "Failure": bsp_sat.Failure("killed"),
    "Grade": bsp_sat.Grade(Figure.exact(3), 50.0),
    "Grades": bsp_sat.Grades(bsp_sat.Status.OPTIMAL, None, None, {"optimum": bsp_sat.Grade(Figure.exact(3), None)}),
    "GoalNotReached": bsp_sat.GoalNotReached("after 3 moves"),
    "Contradiction": bsp_sat.Contradiction("cell 2 was red"),
    "Effects": bsp_sat.Effects(opened=(1,), solved=True),
    "Hint": bsp_sat.Hint(EASY, bsp_sat.Status.FEASIBLE, 3, 4, (), None, None, None),
    "IllegalMove": bsp_sat.IllegalMove(2, "1 → 2", "tube 1 is empty"),
    "Instance": load_instance("level-80"),
    "Knock": bsp_sat.Knock(1, 2, "left"),
    "Limits": bsp_sat.Limits(3, 4.5),
    "Picture": EASY.picture(),
    "PictureBoard": bsp_sat.PictureBoard("ball-sort", (), (), {"red": (220, 40, 40)}, ("too dark",), (360, 640)),
    "PictureError": bsp_sat.PictureError("no tubes"),
    "Plan": Plan((bsp_sat.Pour(0, 1),)),
    "PlanError": bsp_sat.PlanError("line 3: no"),
    "Pour": bsp_sat.Pour(0, 1),
    "Progress": bsp_sat.Progress("sat", 1.5, 3, None),
    "Reading": READING,
    "ReadingChoices": bsp_sat.ReadingChoices(top_first=True, room=("0",)),
    "Result": bsp_sat.Result(bsp_sat.Status.UNKNOWN, None, 3, "interrupted", "sat", stats={"a": 1}),
    "Scope": bsp_sat.Scope.of(BallSort),
    "Shot": load("shot-literate"),
    "Status": bsp_sat.Status.OPTIMAL,
    "Tiles": load("tiles-2022-11-16"),
    "Unsat": bsp_sat.Unsat.UP_TO,
    "Unsupported": Unsupported("no such thing"),
    "WaterSort": load("level-80", "water-sort"),
}
"""A value of each public class; of the others the name itself stands for what travels."""


def test_there_is_an_example_of_every_public_class():
    classes = {name for name in bsp_sat.__all__ if isinstance(getattr(bsp_sat, name), type)}
    abstract = {"Backend", "Encoding", "PlanFormula", "Puzzle", "Report"}
    assert classes - abstract - {"Explorer"} <= set(EXAMPLES)  # an explorer is at work
    for name in classes & set(EXAMPLES):
        assert type(EXAMPLES[name]) is getattr(bsp_sat, name)


@pytest.mark.parametrize("way", WAYS)
def test_every_public_name_travels(way):
    for name in bsp_sat.__all__:
        value = getattr(bsp_sat, name)
        arrived = WAYS[way](value)
        assert repr(arrived) == repr(value) or arrived.keys() == value.keys(), name


@pytest.mark.parametrize("way", WAYS)
def test_a_value_of_every_public_class_travels(way):
    for value in EXAMPLES.values():
        arrived = WAYS[way](value)
        assert type(arrived) is type(value)
        if isinstance(value, Exception):
            assert (str(arrived), arrived.args, vars(arrived)) == (str(value), value.args, vars(value))
        else:
            assert arrived == value


def public_errors(kind=BspSatError):
    return {kind}.union(*map(public_errors, kind.__subclasses__()))


def test_no_error_needs_more_than_its_text_and_attributes():
    """Also those that are not public: they travel from workers."""
    for kind in public_errors():
        error = kind.__new__(kind, "a text")
        error.more = [1]
        arrived = pickle.loads(pickle.dumps(error))
        assert (type(arrived), str(arrived), arrived.more) == (kind, "a text", [1])


def test_a_pool_hands_errors_over_instead_of_hanging():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        waiting = pool.map_async(load, ["no-such-board"])
        with pytest.raises(BoardError, match="no-such-board: no such file") as caught:
            waiting.get(timeout=600)
    assert caught.value.where == "no-such-board"


OWN_BACKEND = """
from dataclasses import dataclass
import bsp_sat

@dataclass(frozen=True)
class Mine(bsp_sat.Backend):
    inner: object = None
    name = "mine"

    def run(self, puzzle, report, max_steps=None):
        return "nothing"

if __name__ == "__main__":
    from bsp_sat.backends.portfolio import Portfolio
    from bsp_sat.backends.registry import make_backend
    board = bsp_sat.load("level-80")
    for backend in (Mine(), Portfolio(make_backend("astar"), Mine())):
        try:
            bsp_sat.solve(board, backend)
        except bsp_sat.Unsupported as error:
            print(error)
"""


class TestBackendsThatCannotGo:
    def test_a_backend_of_main_is_refused_with_the_reason(self, tmp_path):
        program = tmp_path / "program.py"
        program.write_text(OWN_BACKEND)
        run = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=600)
        message = (
            "Mine is defined in the program that is run (__main__), which a backend's process doesn't import: "
            "put it into a module of its own, in a notebook by %%writefile mine.py as the first line of its cell, "
            "and import it from there\n"
        )
        assert (run.returncode, run.stdout, run.stderr) == (0, message * 2, "")

    @pytest.mark.usefixtures("no_process_is_left")
    def test_a_backend_that_holds_a_lock_is_refused_with_the_reason(self):
        with pytest.raises(Unsupported, match="can't be handed to its process: cannot pickle"):
            solve(EASY, Misbehaving(threading.Lock()))

    def test_a_backend_of_a_module_travels(self):
        assert solve(EASY, Misbehaving("nothing")).reason == "nothing more"


@pytest.mark.usefixtures("no_process_is_left")
@pytest.mark.parametrize("backend", ["kernel", "bfs", "sat"])
@pytest.mark.parametrize("late", [False, True])
def test_a_hook_that_raises_reaches_the_caller_and_leaves_nothing(backend, late):
    threads = threading.active_count()

    def hook(progress):
        if not late or progress.length is not None:
            raise RuntimeError("the hook fails")

    with pytest.raises(RuntimeError, match="the hook fails"):
        solve(EASY, backend, on_progress=hook)
    assert threading.active_count() == threads
    assert solve(EASY, backend).length == 3
