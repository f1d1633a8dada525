"""The levels that are shipped with the page, and boards imported from files."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bsp_sat import load_instance
from bsp_sat.apps.levels.canonical_form import canonical_form
from bsp_sat.instances.files import Instance, parse_instances, shipped_names, shipped_text
from tests.support.helpers import answer, solve_here

FILE = Path(__file__).parents[3] / "apps" / "page" / "data" / "levels.json"
LEVELS = json.loads(FILE.read_text(encoding="utf-8"))
COLOURS = {"easy": (5, 6), "medium": (7, 8), "hard": (9, 10), "expert": (12,)}
EACH = [
    (puzzle, difficulty, number)
    for puzzle, packs in LEVELS["packs"].items()
    for difficulty, levels in packs.items()
    for number in range(len(levels))
]


def level(puzzle, difficulty, number):
    """A level as the page reads it: the board, its optimum, and how many of 100 boards of its size are easier."""
    letters, optimum, percentile = LEVELS["packs"][puzzle][difficulty][number].split()
    return board_of(puzzle, letters), int(optimum), int(percentile)


def board_of(puzzle, letters):
    size = LEVELS["capacity"]
    tubes = [letters[start : start + size] for start in range(0, len(letters), size)]
    (instance,) = parse_instances("|".join([*tubes, *["-"] * LEVELS["empty"]]), puzzle=puzzle)
    return instance.puzzle


class TestShippedLevels:
    def test_the_file_of_levels_is_small_and_sent_compressed(self, client):
        assert FILE.stat().st_size <= 40_000
        response = client.get("/data/levels.json")
        assert response.json() == LEVELS
        assert response.headers["Content-Encoding"] == "gzip"

    def test_there_are_a_hundred_levels_of_each_difficulty_with_its_sizes_and_no_two_alike(self):
        assert Counter((puzzle, difficulty) for puzzle, difficulty, _ in EACH) == {
            (puzzle, difficulty): 100 for puzzle in ("ball-sort", "water-sort") for difficulty in COLOURS
        }
        boards = [level(*place)[0] for place in EACH]
        assert len({(board.kind, canonical_form(board)) for board in boards}) == len(EACH)
        for board, (_, difficulty, _) in zip(boards, EACH, strict=True):
            assert len(board.palette) in COLOURS[difficulty]
            assert len(board.tubes) == len(board.palette) + LEVELS["empty"]

    @pytest.mark.sampled(every=2)
    def test_a_level_is_as_hard_as_the_page_says_of_its_board(self, ask, one_in):
        """The words' limits are in `core/measures.js`."""
        source = Path("apps/page/page/core/measures.js").read_text(encoding="utf-8")
        limits = re.findall(r'word: "(\w+)", low: ([\d.]+), high: (Infinity|[\d.]+)', source)
        words = {word: (float(low), float(high.replace("Infinity", "inf"))) for word, low, high in limits}
        for puzzle, difficulty, number in EACH[:: one_in(20)]:
            board, _, _ = level(puzzle, difficulty, number)
            success = ask("grade", board=board.to_json(), measures=["greedy_success"])["grades"]["greedy_success"]
            low, high = words[difficulty]
            assert low <= success["value"] < high, (puzzle, difficulty, number)

    @pytest.mark.sampled(every=2)
    def test_in_tricky_levels_many_moves_lead_into_a_trap(self, ask, one_in):
        for puzzle, tricky in LEVELS["tricky"].items():
            assert len(tricky) == 10
            for words in tricky[:: one_in(5)]:
                board = board_of(puzzle, words.split()[0]).to_json()
                grades = ask("grade", board=board, measures=["trap_share", "optimum"])["grades"]
                assert grades["trap_share"]["value"] >= 0.1
                assert grades["optimum"]["value"] == int(words.split()[1])

    @pytest.mark.parametrize("difficulty", ["easy", "medium", "hard", pytest.param("expert", marks=pytest.mark.slow)])
    @pytest.mark.parametrize("puzzle", LEVELS["packs"])
    @pytest.mark.sampled(every=3)
    def test_the_optima_of_the_shipped_levels_are_right(self, puzzle, difficulty, one_in):
        """By SAT, which shares neither the search nor the machine code that found them."""
        for number in range(0, 100, one_in(25)):
            board, optimum, _ = level(puzzle, difficulty, number)
            assert answer(solve_here("sat", board)) == optimum, number

    def test_the_script_makes_the_shipped_levels(self, command):
        words = "generate levels --puzzle water-sort --colours 5 --greedy-success 50..% --count 3 --seed 2026 --jobs 1"
        shipped = {level("water-sort", "easy", number)[0] for number in range(50)}
        for line in command(*words.split()):
            letters = [["abcde"[ball] for ball in tube] for tube in line["tubes"]]
            (made,) = parse_instances(json.dumps({**line, "tubes": letters}))
            assert made.puzzle in shipped


def lines(*instances):
    return "".join(json.dumps(instance.to_json()) + "\n" for instance in instances)


class TestImport:
    def test_shipped_boards_are_listed_in_the_same_way(self, ask, client):
        text = "".join(json.dumps(json.loads(shipped_text(name))) + "\n" for name in shipped_names())
        boards = client.get("/data/boards.json").json()
        assert ask("import", text=text)["boards"] == boards
        assert [each["board"] for each in boards] == [load_instance(name).to_json() for name in shipped_names()]
        assert [each["puzzle"] for each in boards] == [each["board"]["puzzle"] for each in boards]
        level = boards[list(shipped_names()).index("level-80")]
        assert (level["optimum"], level["summary"]) == (38, "ball-sort, 9 colours, 11 tubes of 4")

    def test_one_board_is_imported_in_any_notation(self, ask):
        (found,) = ask("import", text="\ufeffcaac|bbac|bbac|-", puzzle="water-sort")["boards"]
        assert (found["puzzle"], len(found["board"]["tubes"])) == ("water-sort", 4)

    def test_the_line_of_a_bad_board_is_named(self, ask):
        (good,) = parse_instances("ab|ba|-")
        bad = '{"puzzle": "ball-sort", "tubes": [["a"]], "capacity": 0}\n'
        found = ask("import", text=lines(good, good) + bad)
        assert [each["board"] for each in found["boards"]] == [good.to_json()] * 2
        assert [each.partition(": ")[0] for each in found["refused"]] == ["line 3"]
        assert ask("import", text=lines(good) + bad).startswith("line 2: capacity: ")
        wide = Instance(good.puzzle, {}).to_json() | {"tubes": [["a"]] + [[]] * 100, "capacity": 1}
        assert ask("import", text=lines(good) + json.dumps(wide)).startswith(
            "board 2: the page takes boards of at most"
        )

    def test_a_file_of_too_many_boards_is_refused(self, ask, client):
        (small,) = parse_instances("ab|ba|-")
        assert len(ask("import", text=lines(*[small] * 1_000))["boards"]) == 1_000
        assert ask("import", text=lines(*[small] * 1_001)) == "text: expected at most 1,000 boards, found 1,001"
        assert client.post("/api/import", json={"text": "a" * 300_000}).status_code == 413
        assert ask("import", text=3) == "text: expected the text of a file, found 3"
        assert ask("import", text=" ") == "expected a board, found nothing"
