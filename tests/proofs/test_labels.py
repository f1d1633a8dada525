"""Distance labels: the checker's own rules and bounds, what it accepts, and who writes what it accepts."""

import itertools
import json
import random
import shutil
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from bsp_sat import BallSort, Status, Unsupported, WaterSort, load, make_backend, random_boards, solve
from bsp_sat.backends.proofs.certificate import (
    BORDERS,
    LABELS,
    LABELS_FILE,
    LRAT,
    verify_certificate,
    write_certificate,
)
from bsp_sat.backends.proofs.kinds import PROOFS
from bsp_sat.backends.proofs.labels import compiled_labels, find_labels, readable_labels, write_labels
from bsp_sat.backends.search.borders import search_tables
from bsp_sat.cli.boards import file_name
from bsp_sat.formal import check_labels as checker
from bsp_sat.formal.check_other_puzzles import TubeRule
from bsp_sat.instances.errors import CertificateError, NoLabels, Refuted
from bsp_sat.instances.shot import Shot
from bsp_sat.instances.sorting import TUBE_RULES, Lock
from bsp_sat.instances.text.words import quantity
from bsp_sat.instances.tiles import Tiles
from tests.proofs.checkers import verdicts
from tests.proofs.forging import boards_without_covers
from tests.support import naive, naive_variants
from tests.support.command import bsp_sat
from tests.support.helpers import RULES, answer, board, every_rule, reference, solve_here

EASY = board(BallSort, "caac|bbac|bbac|-", 4)
CHECKER = Path(checker.__file__)
MANY = 1_000_000

every_family = pytest.mark.parametrize(("counts", "capacity", "tubes"), naive.FAMILIES, ids=str)
every_goal = pytest.mark.parametrize("goal", ["full", "monochrome"])


def every_case(test):
    """Each family under each rule with each goal."""
    return every_rule(every_goal(every_family(test)))


@cache
def solved(counts, capacity, tubes, goal, rule):
    """All boards of a family, and the distances of those that have a plan."""
    boards = frozenset(naive.all_boards(counts, capacity, tubes))
    return boards, naive.distances(set(boards), capacity, goal, water=rule is WaterSort, tubes_in_order=True)


def rules_of(puzzle):
    """The checker's rules for a board."""
    fields = json.loads(json.dumps(puzzle.to_json()))
    rules = checker.rules_of(fields)
    assert not fields
    return rules


def sample_boards():
    """Boards of every puzzle, few enough positions to look at many."""
    for rule in RULES:
        for seed in range(6):
            yield next(random_boards(rule, 4, 3, 2, seed=seed)).puzzle
        yield board(rule, "aab|bba|aab|bba|-|-", 3)
        yield board(rule, "ab|ba|bb|a|-", 3, "monochrome")
        yield board(rule, "aabb|bbaa|abab|b|-", 4, "monochrome")
    for instance in reference("grids.jsonl"):
        yield instance.puzzle


def walk(puzzle, steps, seed):
    """Positions on a random walk."""
    rng = random.Random(seed)
    for _ in range(steps):
        yield puzzle
        moves = list(puzzle.legal_moves())
        if not moves:
            return
        puzzle = puzzle.apply(rng.choice(moves))


def as_position(rules, parts):
    """A position of the checker's from parts as the format has them."""
    own = map(rules.part, parts)
    return tuple(sorted(own) if isinstance(rules, checker.Sort) else own)


def parts_of(puzzle):
    """A position of the package's as byte strings."""
    if isinstance(puzzle, Shot):
        return tuple(bytes(sorted(x for x, y in puzzle.balls if y == row)) for row in range(puzzle.height))
    return puzzle.columns if isinstance(puzzle, Tiles) else tuple(sorted(puzzle.tubes))


def boards_with_rules(count):
    """Small boards whose tubes have rules, as fields and as puzzles."""
    boards = boards_without_covers(itertools.count())
    return itertools.islice((each for each in boards if not each[1].features().isdisjoint(TUBE_RULES)), count)


def ruled_parts(rules, position):
    """The tubes of a position with rules, as the format has them."""
    for tube, rule in zip(position.tubes, position.rules.tubes, strict=True):
        lock = rule.lock or Lock()
        accepts = None if rule.accepts is None else frozenset(rule.accepts)
        own = TubeRule(rule.capacity, rule.takes, rule.gives, accepts, lock.colour, lock.tubes)
        yield bytes([rules.rules.index(own)]) + tube


class TestTheCheckersOwnRules:
    @pytest.mark.parametrize("ruled", [False, True], ids=["plain", "with rules"])
    def test_moves_goals_and_bounds_are_those_of_the_package(self, ruled):
        """Whose bound on boards with rules is held against distances in tests/backends/test_rules_of_tubes.py."""
        boards = [puzzle for _, puzzle in boards_with_rules(60)] if ruled else list(sample_boards())
        for seed, start in enumerate(boards):
            rules = rules_of(start)

            def own(position, rules=rules):
                return as_position(rules, ruled_parts(rules, position) if ruled else parts_of(position))

            for position in walk(start, 30 if ruled else 60, seed):
                after = {own(position.apply(move)) for move in position.legal_moves()}
                assert set(rules.after(own(position))) == after
                assert rules.is_goal(own(position)) == position.is_goal()
                assert rules.bound(own(position)) == position.lower_bound()

    def test_plans_replay_and_mutilated_ones_do_not(self):
        for puzzle in (instance.puzzle for instance in reference("grids.jsonl")):
            result = solve_here("astar", puzzle)
            if result.plan is None:
                continue
            moves = json.loads(json.dumps(result.plan.to_json(puzzle)))
            checker.replay(rules_of(puzzle), moves)
            for wrong in (moves[:-1], moves[1:], [*moves, moves[-1]]):
                with pytest.raises(checker.NotVerified):
                    checker.replay(rules_of(puzzle), wrong)


def rules_codes(tubes):
    """From the colours of naive boards to the checker's, which go by the first board it saw."""
    codes = bytearray(range(256))
    for code, colour in enumerate(dict.fromkeys(b"".join(tubes))):
        codes[colour] = code
    return bytes(codes)


class TestSoundness:
    """Against distances found by looking at every board of a family."""

    def family(self, counts, capacity, tubes, goal, rule):
        """The rules, and the checker's positions with their distances, infinite where there is no plan."""
        boards, distances = solved(counts, capacity, tubes, goal, rule)
        first = max(boards)
        rules = rules_of(rule(first, capacity, goal, tuple(range(len(counts)))))
        codes = rules_codes(first)
        own = {each: as_position(rules, (tube.translate(codes) for tube in each)) for each in boards}
        return rules, {own[each]: distances.get(each, checker.INFINITE) for each in boards}

    @every_case
    def test_true_distances_are_accepted_and_one_more_is_not(self, counts, capacity, tubes, goal, rule):
        rules, distances = self.family(counts, capacity, tubes, goal, rule)
        labels = {position: distance for position, distance in distances.items() if distance}
        checker.check_labels(rules, labels)
        tried = 0
        for position, distance in labels.items():
            if distance == checker.INFINITE:
                continue
            for wrong in (distance + 1, checker.INFINITE):
                with pytest.raises(checker.NotVerified, match="but a move leads to"):
                    checker.check_labels(rules, {**labels, position: wrong})
                # Nor alone, where its neighbours are worth their bounds.
                with pytest.raises(checker.NotVerified, match="but a move leads to"):
                    checker.check_labels(rules, {position: wrong})
                tried += 1
        assert tried > 2 or len(labels) < 3
        for position, distance in distances.items():
            if distance == 0:
                with pytest.raises(checker.NotVerified, match="is a goal"):
                    checker.check_labels(rules, {**labels, position: 1})

    @every_case
    def test_certificates_of_a_family_hold_and_one_move_more_is_refused(
        self, counts, capacity, tubes, goal, rule, tmp_path
    ):
        """Written for random boards of the family: the claim holds, and one move more is refused."""
        boards, distances = solved(counts, capacity, tubes, goal, rule)
        for each in random.Random(3).sample(sorted(boards), min(len(boards), 20)):
            puzzle = rule(each, capacity, goal, tuple(range(len(counts))))
            length = distances.get(each)
            labels = checked_labels(find_labels(puzzle, length), puzzle, tmp_path)
            assert labels >= (checker.INFINITE if length is None else length)
            if length is not None:
                with pytest.raises(Refuted, match=f"there is a plan of {quantity(length, 'move')}$"):
                    find_labels(puzzle, length + 1)
                with pytest.raises(Refuted, match=f"there is a plan of {quantity(length, 'move')}$"):
                    find_labels(puzzle, None)


def checked_labels(labels, puzzle, folder):
    """Writes labels, has them checked, and returns what they say of the board."""
    write_labels(labels, folder / LABELS_FILE)
    rules = rules_of(puzzle)
    read = checker.read_labels(folder, rules)
    assert len(read) == len(labels)
    checker.check_labels(rules, read)
    return read.get(rules.start, rules.bound(rules.start))


class TestWriters:
    @every_rule
    def test_both_writers_write_the_same_labels(self, rule, tmp_path, one_in):
        """Also where colours fill several tubes."""
        known = [(instance.puzzle, instance.known_answer) for instance in reference("small.jsonl", rule.kind)]
        for text, goal in product(
            ("aab|bba|aab|bba|-|-", "bab|aab|aba|bba|-", "aaab|bbba|abba|abab|-|-"), ("full", "monochrome")
        ):
            puzzle = board(rule, text, len(text.partition("|")[0]), goal)
            known.insert(0, (puzzle, answer(solve_here("bfs", puzzle))))
        for puzzle, optimum in [*known[:6], *known[6 :: one_in(5)]]:
            length = optimum if isinstance(optimum, int) else None
            readable = readable_labels(puzzle, length, MANY)
            assert compiled_labels(puzzle, length, MANY) == readable
            worth = checked_labels(readable, puzzle, tmp_path)
            assert worth >= length if length is not None else worth == checker.INFINITE

    @every_rule
    def test_a_position_in_the_middle_of_a_plan_has_other_first_colours(self, rule, tmp_path):
        puzzle = next(random_boards(rule, 4, 4, 2)).puzzle
        for position in walk(puzzle, 10, seed=5):
            result = solve_here("astar", position)
            assert checked_labels(find_labels(position, result.length), position, tmp_path) >= (result.length or 0)

    @pytest.mark.parametrize("find", [readable_labels, compiled_labels], ids=["readable", "compiled"])
    def test_too_many_labels_are_refused_and_a_false_length_is_refuted(self, find):
        puzzle = load("level-80")
        with pytest.raises(NoLabels, match=r"more than 100 positions would need a label"):
            find(puzzle, 38, 100)
        with pytest.raises(Refuted, match="there is a plan of 38 moves"):
            find(puzzle, 39, MANY)

    def test_colours_that_are_very_long_numbers_have_no_labels(self):
        with pytest.raises(NoLabels, match="digits"):
            find_labels(BallSort.from_tubes([[10**15, 1], [1, 10**15], []], 2), 3)

    def test_columns_that_the_format_has_no_length_for_are_refused(self, tmp_path):
        """They stand in the table with their lengths in two bytes."""
        for height in (65_535, 65_536):
            puzzle = Tiles.from_columns([[1] * (height - 2) + [2, 1], [2, 1], [1, 2]])
            labels = find_labels(puzzle, 4)
            if height == 65_535:
                assert checked_labels(labels, puzzle, tmp_path) == 4
            else:
                with pytest.raises(NoLabels, match="a column of more than 65535 tiles"):
                    write_labels(labels, tmp_path / LABELS_FILE)

    @pytest.mark.parametrize(("limit", "most"), [("MAX_NUMBERS", 20), ("MAX_TABLE_BYTES", 20)])
    def test_nothing_is_written_that_the_checkers_refuse_for_its_size(self, limit, most, tmp_path, monkeypatch):
        monkeypatch.setattr(f"bsp_sat.backends.proofs.labels.{limit}", most)
        with pytest.raises(NoLabels, match="more space than the checkers allow"):
            write_certificate(tmp_path, EASY, solve_here("bfs", EASY), LABELS)
        assert list(tmp_path.iterdir()) == []

    def test_boards_too_large_for_the_compiled_search_have_labels_all_the_same(self, tmp_path):
        tubes = [[colour, colour] for colour in range(70)]
        tubes[0][0], tubes[1][0] = 1, 0
        puzzle = BallSort.from_tubes([*tubes, []], 2)
        with pytest.raises(Unsupported, match="takes up to 64 colours, the board has 70"):
            make_backend("kernel").check(puzzle)
        assert checked_labels(find_labels(puzzle, 3), puzzle, tmp_path) == 3


def certificate_cases():
    """Boards of every puzzle and goal, solvable and not."""
    for rule in RULES:
        for text, goal in (("caac|bbac|bbac|-", "full"), ("021|012|012|-", "full"), ("aa|bb|-", "full")):
            yield board(rule, text, len(text.partition("|")[0]), goal)
        yield board(rule, "aab|bab|ba|-", 3, "monochrome")
        yield board(rule, "abab|baba|abab|-", 4, "monochrome")
        yield board(rule, "aab|bba|aab|bba|-", 3)
    yield load("tiles-2022-11-16")
    yield Tiles.from_columns([[1, 2], [2, 1], []])
    yield load("shot-literate")
    yield Shot.from_balls(7, 9, [(0, 0), (3, 4), (3, 5), (5, 8)])
    yield Shot.from_balls(4, 4, [(0, 0)])
    for seed in range(3):
        yield next(random_boards(Tiles, 4, 4, 3, seed=seed)).puzzle
        yield next(random_boards(Shot, 8, 7, 9, seed=seed)).puzzle


class TestCertificates:
    def test_certificates_of_every_puzzle_and_goal_are_verified(self, tmp_path):
        folders = []
        for number, puzzle in enumerate(certificate_cases()):
            folders.append(tmp_path / str(number))
            result = solve(puzzle)
            assert result.status in (Status.OPTIMAL, Status.UNSOLVABLE)
            made = write_certificate(folders[-1], puzzle, result, LABELS)
            assert (made.kind, made.bytes) == (LABELS, sum(path.stat().st_size for path in folders[-1].iterdir()))
            verified = verify_certificate(folders[-1])
            assert verified.length == result.length
            assert verified.particulars["positions"] == made.positions
            assert verified.puzzle.to_json() == puzzle.to_json()
        assert verdicts(folders) == [0] * len(folders)

    @pytest.mark.parametrize("compiled", [False, True])
    def test_certificates_of_boards_with_rules_are_verified(self, compiled, tmp_path, monkeypatch):
        """Both writers; the claims are those of the naive program."""
        if compiled:
            monkeypatch.setattr("bsp_sat.backends.proofs.labels.FIRST_POSITIONS", 0)
        folders = []
        for number, (fields, puzzle) in enumerate(boards_with_rules(40)):
            folders.append(tmp_path / str(number))
            write_certificate(folders[-1], puzzle, solve_here("bfs", puzzle))
            verified = verify_certificate(folders[-1], board=puzzle)
            assert verified.length == naive_variants.Game(fields).optimum()
        assert verdicts(folders) == [0] * len(folders)

    def test_covered_cells_have_no_labels(self):
        puzzle = WaterSort.from_json(
            {"capacity": 2, "tubes": [["a", "b"], ["b", "a"], []], "hidden": [[True, False]] * 2 + [[]]}
        )
        with pytest.raises(NoLabels, match="covered cells"):
            find_labels(puzzle, 3)

    def test_the_checker_alone_prints_the_board(self, tmp_path):
        tubes = [["a", "∞\n\x1b[2J"], ["∞\n\x1b[2J", "a"], []]
        boards = [BallSort.from_tubes(tubes, 2), Shot.from_balls(3, 2, [(0, 0), (2, 0), (1, 1)])]
        boards.append(Tiles.from_columns([[1, 2], [2, 1], []]))
        printed = []
        for number, puzzle in enumerate(boards):
            folder = tmp_path / str(number)
            write_certificate(folder, puzzle, solve_here("bfs", puzzle), LABELS)
            run = subprocess.run([sys.executable, "-I", str(CHECKER), str(folder)], capture_output=True, text=True)
            printed.append(run.stdout.splitlines())
        balls, shot, tiles = printed
        assert balls[0] == "Board: ball-sort, capacity 2, goal full, tubes bottom first:"
        assert [json.loads(line.partition(": ")[2]) for line in balls[1:4]] == tubes
        assert shot[:3] == ["Board: shot:", "  #.#", "  .#."]
        assert tiles[:4] == ["Board: tiles, columns bottom first:", "  1: [1, 2]", "  2: [2, 1]", "  3: []"]

    def test_solve_and_verify_say_how_many_labels_there_are(self, tmp_path):
        run = bsp_sat("solve", "level-80", "--certificate", str(tmp_path))
        assert run.returncode == 0
        assert "labels of 4,428 positions" in run.stdout
        run = bsp_sat("verify", str(tmp_path))
        assert run.returncode == 0
        assert run.stdout.splitlines()[-4:-2] == [
            "Plan: 38 moves, replayed.",
            "Labels: 4428 positions, 16587 moves from them, all consistent.",
        ]
        assert run.stdout.splitlines()[-1] == "Verified: 38 moves is the minimum."
        assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 100_000
        assert bsp_sat("verify", str(tmp_path), "--checker", "cake_lpr").returncode == 2

    @pytest.mark.parametrize("proof", [None, *PROOFS])
    def test_an_unsolvable_board_is_certified_by_each_kind_of_proof(self, proof, tmp_path):
        arguments = [] if proof is None else ["--proof", proof]
        run = bsp_sat("solve", "-", "--certificate", str(tmp_path), "--json", *arguments, stdin="021|012|012|-")
        assert run.returncode == 1
        assert json.loads(run.stdout)["certificate"]["kind"] == (proof or BORDERS)
        run = bsp_sat("verify", str(tmp_path))
        assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "Verified: no plan exists.")

    def test_borders_that_are_asked_for_are_searched_to_the_end(self, tmp_path, monkeypatch):
        monkeypatch.setattr("bsp_sat.backends.proofs.certificate.BORDER_TABLES", 0)
        puzzle = board(BallSort, "021|012|012|-", 3)
        made = write_certificate(tmp_path, puzzle, solve_here("borders", puzzle), BORDERS)
        assert made.kind == BORDERS
        other = tmp_path / "other"
        assert write_certificate(other, puzzle, solve_here("borders", puzzle)).kind == LABELS

    def test_too_many_positions_go_to_lrat(self, tmp_path, monkeypatch):
        monkeypatch.setattr("bsp_sat.backends.proofs.labels.FIRST_POSITIONS", 3)
        monkeypatch.setattr("bsp_sat.backends.proofs.labels.COMPILED_POSITIONS", 3)
        assert write_certificate(tmp_path, EASY, solve_here("astar", EASY)).kind == LRAT
        (other := tmp_path / "other").mkdir()
        with pytest.raises(NoLabels, match="more than 3 positions"):
            write_certificate(other, EASY, solve_here("astar", EASY), LABELS)
        assert list(other.iterdir()) == []

    def test_too_many_positions_without_an_encoding_are_refused(self, tmp_path, monkeypatch):
        puzzle = board(WaterSort, "abab|baba|abab|-", 4, "monochrome")
        monkeypatch.setattr("bsp_sat.backends.proofs.labels.FIRST_POSITIONS", 0)
        monkeypatch.setattr("bsp_sat.backends.proofs.labels.COMPILED_POSITIONS", 0)
        result = solve_here("astar", puzzle)
        assert result.status is Status.UNSOLVABLE
        monkeypatch.setattr("bsp_sat.backends.proofs.certificate.BORDER_TABLES", 0)
        with pytest.raises(CertificateError, match="more than 0 positions would need a label, and no encoding"):
            write_certificate(tmp_path, puzzle, result)


class TestManyBoards:
    LINES = "\n".join(
        json.dumps({"name": name, "capacity": 3, "tubes": [list(tube) for tube in tubes], "goal": goal})
        for name, tubes, goal in [
            ("one", ["acb", "abc", "abc", ""], "full"),
            ("a/../b c", ["cab", "abc", "bca", ""], "full"),
            ("…", ["aab", "bab", "ba", ""], "monochrome"),
        ]
    )

    def test_each_of_many_boards_gets_a_folder(self, tmp_path):
        source, folder, out = tmp_path / "boards.jsonl", tmp_path / "proofs", tmp_path / "out.jsonl"
        source.write_text(self.LINES)
        command = ["solve", str(source), "--certificate", str(folder), "--resume", str(out)]
        assert bsp_sat(*command).returncode == 0
        assert sorted(path.name for path in folder.iterdir()) == ["000-one", "001-a-..-b-c", "002--"]
        lines = out.read_text().splitlines()
        assert [json.loads(line)["certificate"]["kind"] for line in lines] == [BORDERS, LABELS, LABELS]
        for path in folder.iterdir():
            assert bsp_sat("verify", str(path)).returncode == 0
        # A run that was killed after the last certificate and before its line.
        out.write_text("\n".join(lines[:2]) + "\n")
        assert bsp_sat(*command).returncode == 0
        assert len(out.read_text().splitlines()) == 3

    @pytest.mark.parametrize(("boards", "first"), [(1000, "000"), (1001, "0000")])
    def test_the_names_of_folders_have_as_many_digits_as_the_last_one_and_no_long_names(self, boards, first):
        assert file_name(0, boards, "x" * 70) == f"{first}-{'x' * 60}"


class TestBorders:
    @every_rule
    def test_the_checker_of_borders_agrees_with_the_backend(self, rule):
        ways = set()
        for colours, capacity, empty in ((3, 3, 1), (4, 4, 1), (5, 3, 1), (4, 4, 2)):
            for seed in range(30):
                puzzle = next(random_boards(rule, colours, capacity, empty, seed=seed)).puzzle
                found = checker.border_tables_lead_out(list(puzzle.tubes), puzzle.capacity)
                assert found == search_tables(puzzle, 100_000)
                ways.add(found[0])
        assert ways == {True, False}


class TestTheFileAlone:
    @pytest.mark.parametrize(
        ("puzzle", "other"),
        [
            (board(BallSort, "ab|ba|-", 2), False),
            (board(BallSort, "ab|ba|-", 2, "gathered"), True),
            (Tiles.from_columns([["a", "b"], ["b"]]), True),
        ],
        ids=["plain", "gathered", "tiles"],
    )
    def test_without_the_file_beside_it_only_plain_sort_boards_are_checked(self, tmp_path, puzzle, other):
        folder = tmp_path / "certificate"
        write_certificate(folder, puzzle, solve_here("astar", puzzle), LABELS)
        alone = shutil.copy(CHECKER, tmp_path)
        beside, without = (
            subprocess.run([sys.executable, "-I", str(program), str(folder)], capture_output=True, text=True)
            for program in (CHECKER, alone)
        )
        assert beside.returncode == 0
        assert without.returncode == (2 if other else 0)
        assert ("check_other_puzzles.py has to be beside this program" in without.stdout) == other

    def test_no_program_in_the_folder_of_a_certificate_is_run(self, tmp_path):
        puzzle = Tiles.from_columns([["a", "b"], ["b"]])
        write_certificate(tmp_path, puzzle, solve_here("astar", puzzle), LABELS)
        program = shutil.copy(CHECKER, tmp_path)
        (tmp_path / "check_other_puzzles.py").write_text("print('Verified: anything')")
        run = subprocess.run([sys.executable, "-I", program, str(tmp_path)], capture_output=True, text=True)
        assert (run.returncode, "anything" in run.stdout) == (2, False)
        assert "the program has to be outside of the certificate's folder" in run.stdout

    def test_the_checker_imports_the_standard_library_only(self):
        program = f"import sys; sys.argv = ['x']; import runpy; runpy.run_path({str(CHECKER)!r}); print(*sys.modules)"
        run = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
        roots = {name.partition(".")[0] for name in run.stdout.split()}
        assert "bsp_sat" not in roots
        assert "numpy" not in roots

    def test_the_checker_without_a_folder_says_how_it_is_used(self):
        run = subprocess.run([sys.executable, "-I", str(CHECKER)], capture_output=True, text=True)
        assert run.returncode == 2
        assert "usage" in run.stderr
