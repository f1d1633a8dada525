"""What the page answers by itself, without Python: the same as Python's answers."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import fields as fields_of
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bsp_sat.apps.levels.hint import hint
from bsp_sat.apps.page.position import position_asked
from bsp_sat.backends.engine import engine_module, has_tab_library
from bsp_sat.backends.kernel import Kernel, solve_boards
from bsp_sat.backends.result import Findings
from bsp_sat.instances.errors import BspSatError
from bsp_sat.instances.files import instance_of
from bsp_sat.instances.generators import random_boards
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort
from bsp_sat.instances.sorting.rules import SortFields
from bsp_sat.instances.text.reading import ABOUT

HERE = Path(__file__).parent
NODE = shutil.which("node")
pytestmark = [
    pytest.mark.skipif(NODE is None, reason="no node: apt-get install nodejs"),
    pytest.mark.skipif(
        not has_tab_library(), reason="no compiled search for browsers of these sources: see CONTRIBUTING.md"
    ),
]

Board = dict[str, Any]
Question = tuple[str, Board]
OF_PYTHON_ALONE = {"lower_bound", "unfinished"}
"""Keys of a position that the page has no use for on boards that it reads by itself."""


@pytest.fixture(scope="session")
def page_says(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[Question]], list[Any]]:
    """The page's answers to questions, None for those that Python has to answer."""
    module = tmp_path_factory.mktemp("engine") / "search.wasm"
    module.write_bytes(engine_module())

    def answers(asked: list[Question]) -> list[Any]:
        lines = "".join(json.dumps(question) + "\n" for question in asked)
        command = [str(NODE), HERE / "page_answers.mjs", module]
        run = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return [json.loads(line) for line in run.stdout.splitlines()]

    return answers


def boards_of_all_kinds(number: int) -> Iterator[Board]:
    """Random boards: each colour fills one tube or two, or half a tube at the goal monochrome."""
    for seed in range(number):
        chance = Random(seed)
        goal = chance.choice(["full", "full", "full", "monochrome"])
        colours, capacity = chance.randint(1, 7), chance.randint(1, 5)
        homes = chance.choice([1, 1, 1, 2])
        filled: list[list[Any]] = [[] for _ in range(colours * homes + chance.randint(0, 3))]
        puzzle = chance.choice(["ball-sort", "water-sort"])
        count = homes * capacity if goal == "full" else max(1, capacity // 2)
        balls = [f"colour {colour}" if colour % 3 else colour for colour in range(colours) for _ in range(count)]
        chance.shuffle(balls)
        for ball in balls:
            chance.choice([tube for tube in filled if len(tube) < capacity]).append(ball)
        fields = {"puzzle": puzzle, "capacity": capacity, "tubes": filled, "goal": goal, "name": "dealt"}
        yield {key: value for key, value in fields.items() if (key, value) != ("goal", "full")}


def test_solutions_are_those_of_python(page_says, one_in):
    boards = list(boards_of_all_kinds(2000 // one_in(8)))
    puzzles = [instance_of(board).puzzle for board in boards]
    outcomes, hard = set(), 0
    pages = page_says([("solve", {"board": board}) for board in boards])
    for board, puzzle, here, there in zip(boards, puzzles, pages, solve_boards(puzzles), strict=True):
        if here is None or not there.settled:  # too hard: Python searches on, by other means
            hard += 1
            continue
        outcomes.add(here["status"])
        assert (here["status"], here["length"]) == ("unsolvable" if there.dead else "optimal", there.length), board
        if here["plan"] is not None:
            assert len(here["plan"]) == here["lower_bound"] == there.length
            Plan.from_json(puzzle, here["plan"]).replay(puzzle)
    assert (outcomes, hard < 20) == ({"optimal", "unsolvable"}, True)


def test_a_board_that_takes_a_beam_beside_the_proof_has_the_same_answer(page_says):
    boards = [each.puzzle for each in islice(random_boards(BallSort, 16, 4, 3, seed=1), 3)]
    pages = page_says([("solve", {"board": board.to_json()}) for board in boards])
    for board, here in zip(boards, pages, strict=True):
        there = Findings(board, "kernel")
        Kernel().run(board, there)
        assert (here["status"], here["length"]) == ("optimal", there.bound)


def test_a_board_too_hard_for_the_page_has_a_plan_while_python_begins(page_says):
    board = next(random_boards(BallSort, 30, 4, 3, seed=1)).puzzle
    (event,) = page_says([("first", {"board": board.to_json()})])
    found = event["data"]
    plan = Plan.from_json(board, found["plan"])
    plan.replay(board)
    assert event["event"] == "progress"
    assert board.lower_bound() < found["lower"] < found["upper"] == len(plan)


def test_what_each_move_costs_is_what_python_says(page_says):
    boards = [board for board in boards_of_all_kinds(150) if not instance_of(board).puzzle.is_goal()]
    for board, here in zip(boards, page_says([("hint", {"board": board}) for board in boards]), strict=True):
        there = hint(instance_of(board), seconds=600).to_json()
        assert (here["status"], here["moves"]) == (str(there["status"]), there["moves"]), board


def plain_answer(fields: Board) -> Any:
    """Python's answer about a position, without what the page has no use for; refusals as their sentences."""
    try:
        answer = position_asked(fields)
    except BspSatError as error:
        return {"error": str(error)}
    return {key: value for key, value in answer.items() if key not in OF_PYTHON_ALONE}


def agrees(fields: Board, here: Any) -> None:
    assert here is not None, fields
    here.pop("lower_bound", None)
    assert here == json.loads(json.dumps(plain_answer(fields))), fields


def test_positions_in_a_game_are_those_of_python(page_says):
    """And what any move makes of them, legal or not."""
    asked = []
    for seed, board in enumerate(boards_of_all_kinds(200)):
        chance, position, moves = Random(seed), instance_of(board).puzzle, []
        while (legal := list(position.legal_moves())) and len(moves) < 12:
            moves.append(chance.choice(legal))
            position = position.apply(moves[-1])
        places = range(-1, len(board["tubes"]) + 1)
        any_moves = chance.sample(list(product(places, repeat=2)), 8)
        asked += [{"board": board, "moves": each} for each in (moves, *([*moves, move] for move in any_moves))]
    asked = json.loads(json.dumps(asked))
    for fields, here in zip(asked, page_says([("position", fields) for fields in asked]), strict=True):
        agrees(fields, here)


NAMES = (
    "red", "Red", "rose", "dark red", "maroon", "x", "é", "日", "日本", "r", "-", "red ", 7, -7, "7", 10**15,
    "constructor", "__proto__",
)  # fmt: skip


def test_colours_look_as_python_says(page_says):
    """Names, numbers, and more colours than there are names for."""
    asked = []
    for seed in range(60):
        chance = Random(seed)
        palette = chance.sample(NAMES, chance.randint(1, len(NAMES))) + [f"n{number}" for number in range(seed % 40)]
        asked.append({"board": {"puzzle": "ball-sort", "capacity": 1, "tubes": [[colour] for colour in palette]}})
    for fields, here in zip(asked, page_says([("position", fields) for fields in asked]), strict=True):
        if here is None:  # a name may be room
            found = plain_answer(fields)
            assert "error" in found or found["read_as"], fields
        else:
            agrees(fields, here)


def test_a_text_is_read_as_python_reads_it(page_says):
    asked = []
    for seed in range(700):
        chance = Random(seed)
        letters = [letter for letter in "abcB"[: chance.randint(1, 4)] for _ in range(chance.choice([1, 2, 3, 4]))]
        chance.shuffle(letters)
        tubes = ["" for _ in range(chance.randint(2, 6))]
        for letter in letters:
            place = chance.randrange(len(tubes))
            tubes[place] += letter
        asked.append({"board": "|".join(tube or "-" for tube in tubes)} | chance.choice([{}, {"puzzle": "water-sort"}]))
    read = 0
    for fields, here in zip(asked, page_says([("position", fields) for fields in asked]), strict=True):
        if here is not None:
            read += 1
            agrees(fields, here)
        else:  # a tube that isn't full at the left, or a refusal, for which Python has the words
            assert fields["board"].startswith("-") or "error" in plain_answer(fields), fields
    assert read > 50


def test_a_board_of_known_rules_that_is_none_is_refused_in_the_words_of_python_without_it(page_says):
    """Nonsense in a link waits for nothing."""
    asked = []
    for seed in range(500):
        chance = Random(seed)
        colours = chance.sample(["a", "b", 7, "x", "0", "none"], chance.randint(1, 4))
        tubes = [chance.choices(colours, k=chance.randint(0, 3)) for _ in range(chance.randint(1, 4))]
        fields = {"puzzle": chance.choice(["ball-sort", "water-sort"]), "capacity": chance.randint(1, 3)}
        goal = chance.choice([{}, {"goal": "monochrome"}])
        asked.append({"board": {**fields, "tubes": tubes, **goal}})
    found = page_says([("position", fields) for fields in asked])
    for fields, here in zip(asked, found, strict=True):
        has_room = any("none" in tube for tube in fields["board"]["tubes"])
        if here is not None and has_room:  # of two reasons Python may name the other
            assert ("error" in here) == ("error" in plain_answer(fields)), fields
        elif here is not None:
            agrees(fields, here)
    refused = [here["error"] for here in found if here is not None and "error" in here]
    assert len(refused) > 100
    for words in ("cannot fill whole tubes of", "(the capacity), found", "to be kept apart, found"):
        assert any(words in each for each in refused), words


OF_PYTHON = [
    {"board": {"puzzle": "tiles", "columns": [["a"]]}},
    {"board": {"capacity": 2, "tubes": [["a", None], ["a"]]}},
    {"board": {"capacity": 2, "tubes": [["a", "?"], ["?", "a"], []]}},
    {"board": {"capacity": 2, "tubes": [["a", "a"]], "cork": True}},
    {"board": {"capacity": 2, "tubes": [["a", "a"]], "order": "top-down"}},
    {"board": {"capacity": 2, "tubes": ["ab", "ba"]}},
    {"board": {"capacity": 2, "tubes": [["a"]]}},
    {"board": {"capacity": 65, "tubes": [["a"] * 65]}},
    {"board": {"capacity": 64, "tubes": [[]] * 40}},
    {"board": {"capacity": 1, "tubes": [[number] for number in range(65)]}},
    {"board": {"capacity": 1, "tubes": [["a" * 65]]}},
    {"board": {"capacity": 1, "tubes": [["a"]], "optimal": 7}},
    {"board": {"capacity": 1, "tubes": [["a"]], "name": 7}},
    {"board": {"capacity": 1, "tubes": [["a"]]}, "moves": [[0]]},
    {"board": "ab,ba"},
    {"board": ""},
    {"board": [["a"]]},
]


def test_everything_else_is_for_python(page_says):
    assert page_says([("position", fields) for fields in OF_PYTHON]) == [None] * len(OF_PYTHON)


def test_every_key_that_a_sort_board_may_have_besides_is_for_python(page_says):
    """So that a rule added later is not overlooked."""
    keys = [field.name for field in fields_of(SortFields) if ABOUT not in field.metadata or field.name == "contents"]
    board = {"puzzle": "ball-sort", "capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "goal": "full"}
    others = [key for key in keys if key not in board]
    assert "placement" in others
    assert page_says([("position", {"board": {**board, key: []}}) for key in others]) == [None] * len(others)
    assert page_says([("position", {"board": board})]) != [None]


def test_an_unsolvable_board_that_is_solvable_upside_down_is_noted(page_says, ask):
    boards = []
    for seed in range(40):
        balls = list("aaaabbbbcccc")
        Random(seed).shuffle(balls)
        boards.append({"capacity": 4, "tubes": [balls[:4], balls[4:8], balls[8:], []]})
    found = page_says([("solve", {"board": board}) for board in boards])
    lost = [(board, here) for board, here in zip(boards, found, strict=True) if here["status"] == "unsolvable"][:8]
    assert {len(here["notes"]) for _, here in lost} == {0, 1}
    for board, here in lost:
        assert here["notes"] == ask("solve", board=board)["notes"]
