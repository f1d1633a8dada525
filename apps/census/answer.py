"""Can every board of a class be solved? One way after the other, until one answers.

Theorem, known witnesses, enumeration, case distinction: the cheapest first. Each answer is true whichever way
gives it:

* `True` only by the theorem, an enumeration whose count agrees with Burnside's lemma, or a case distinction whose cases
  have all boards;
* `False` only with a board, which the border argument decides once more.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from bsp_sat.apps.census import theorem, witnesses
from bsp_sat.apps.census.board_class import BoardClass, line_of
from bsp_sat.apps.census.cases import MODULUS, PART_NAMES, CasePart, count_boards, decide
from bsp_sat.apps.census.certifying import certify_cases
from bsp_sat.apps.census.counting import count_classes
from bsp_sat.apps.census.enumeration import ClassPart, beginnings, enumerate_part
from bsp_sat.apps.census.sampling import BOARDS, decide_some, parts_of, share_of
from bsp_sat.apps.census.store import PartT, Store
from bsp_sat.backends.proofs import move_files, staging
from bsp_sat.backends.run import Call, Failure, Pool
from bsp_sat.instances.errors import Unsupported
from bsp_sat.instances.sorting import BallSort

WAYS = ("enumeration", "cases", "sample")
"""The ways that may be asked for."""

FEW_CLASSES = 1_000_000  # of boards: enumerated at once
MANY_CLASSES = 100_000_000  # classes with more aren't counted, nor enumerated
MANY_PLACES = 40  # boards with more are too many, and counting them by Burnside's lemma takes long


@dataclass(frozen=True)
class CensusAnswer:
    """The answer about a class: whether every board can be solved, None if that is open, and how that is known.

    ``share`` is an interval of 95 % for the share of all boards that can't be solved, from a sample; ``reason`` says
    why the answer is open, or lengths are missing.
    """

    always_solvable: bool | None
    how: str | None = None
    classes: int | None = None
    witness: BallSort | None = None
    part: ClassPart | None = None
    cases: CasePart | None = None
    share: tuple[float, float] | None = None
    reason: str = ""


class Census:
    """Looks for the answer about a class, with so many calls submitted ahead as ``jobs``, on which no answer depends.

    ``folder`` receives the proof that every board can be solved, if cases show it; ``tell`` is called with what is
    done.
    """

    def __init__(
        self,
        of: BoardClass,
        pool: Pool,
        stop: Event,
        store: Store,
        *,
        seed: int = 0,
        jobs: int = 1,
        folder: Path | None = None,
        tell: Callable[[str], object] = lambda words: None,
    ) -> None:
        self._of, self._pool, self._stop, self._store = of, pool, stop, store
        self._seed, self._jobs, self._folder, self._tell = seed, jobs, folder, tell

    def answer(self, by: str | None = None, *, lengths: bool = False, boards: int = BOARDS) -> CensusAnswer:
        """The answer by one of `WAYS`, or by all that may prove something, the cheapest first.

        With ``lengths`` every board is measured, which is an enumeration; ``boards`` are those of a sample. Raises
        `Unsupported` if the class is too large for the way that was asked for, and if what must agree doesn't,
        `BackendError`, or `BoardError` with parts that an earlier run left in the file.
        """
        if lengths or by == "enumeration":
            return self._enumerated(lengths)
        if by == "cases":
            return self._by_cases()
        if by == "sample":
            return self._sampled(boards)
        try:
            return self._at_once() or self._by_search()
        except Unsupported as error:  # of all ways
            return CensusAnswer(None, reason=str(error))

    def _at_once(self) -> CensusAnswer | None:
        """The answer of the theorem or the known boards."""
        always = theorem.always_solvable(self._of)
        if always:
            return CensusAnswer(True, "theorem")
        if always is not None:
            return self._unsolvable("theorem", theorem.unsolvable_board(self._of))
        known = witnesses.unsolvable_board(self._of)
        return None if known is None else self._unsolvable("monotony", known)

    def _by_search(self) -> CensusAnswer:
        """The answer of an enumeration or a case distinction; never an enumeration where a proof is wanted."""
        classes = self._count()
        if classes is not None and classes <= FEW_CLASSES and self._folder is None:
            return self._enumerated(False)
        return self._by_cases()

    def _count(self) -> int | None:
        """The boards up to names and order; of large ones more than `MANY_CLASSES`, None if it was stopped."""
        of = self._of
        if of.colours * of.capacity > MANY_PLACES:
            return MANY_CLASSES + 1
        return count_classes(of.colours, of.capacity, self._stop.is_set)

    def _unsolvable(self, how: str, board: BallSort, part: ClassPart | None = None) -> CensusAnswer:
        if not witnesses.is_unsolvable(board):
            raise self._store.contradiction(f"the border argument doesn't refute the board {line_of(board)}")
        return CensusAnswer(False, how, None if part is None else part.boards, board, part)

    def _enumerated(self, lengths: bool) -> CensusAnswer:
        """All boards, part by part; those in the store aren't looked at again."""
        of = self._of
        classes = self._count()
        if classes is None:
            return CensusAnswer(None, reason="the boards weren't counted")
        if classes > MANY_CLASSES:
            raise Unsupported(f"{of} has more than {MANY_CLASSES:,} boards up to names and order; try --by cases")
        parts = beginnings(of)
        done = self._parts(
            "lengths" if lengths else "boards",
            ClassPart,
            parts,
            lambda part: Call(enumerate_part, (of, part, lengths)),
            lambda found: f"{sum(part.boards for part in found):,} of {classes:,} boards",
        )
        whole = _merged(done, parts)
        if len(done) < len(parts):
            reason = f"{whole.boards:,} of {classes:,} boards were looked at"
            if whole.examples:
                answer = self._unsolvable("witness", of.board(whole.examples[0]), whole)
                return replace(answer, classes=None, reason=reason if lengths else "")
            return CensusAnswer(None, part=whole, reason=reason)
        if whole.boards != classes:
            raise self._store.contradiction(f"{of}: {whole.boards:,} boards were found, but there are {classes:,}")
        if whole.examples:
            return self._unsolvable("enumerated", of.board(whole.examples[0]), whole)
        return CensusAnswer(True, "enumerated", classes, None, whole)

    def _sampled(self, boards: int) -> CensusAnswer:
        """Random boards, for the share of all that can't be solved."""
        names = parts_of(boards)
        done = self._parts(
            f"{boards} random boards of seed {self._seed}",
            ClassPart,
            names,
            lambda part: Call(decide_some, (self._of, self._seed, part)),
            lambda found: f"{sum(part.boards for part in found):,} of {boards:,} random boards",
        )
        whole = _merged(done, names)
        if whole.boards > boards:
            raise self._store.contradiction(f"{self._of}: {whole.boards:,} of {boards:,} random boards were decided")
        left = boards - whole.boards
        reason = f"no answer for {left:,} of {boards:,} random boards" if left else ""
        share = share_of(whole, boards)
        if whole.examples:
            answer = self._unsolvable("sample", self._of.board(whole.examples[0]), whole)
            return replace(answer, classes=None, share=share, reason=reason)
        reason = reason or f"{boards:,} random boards can all be solved"
        return CensusAnswer(None, part=whole, share=share, reason=reason)

    def _by_cases(self) -> CensusAnswer:
        """A case distinction over all boards; with a folder, at first one that is checked and written on the way."""
        of = self._of
        problem = ""
        if self._folder is not None:
            certified = self._certify(self._folder)
            if isinstance(certified, CasePart):
                return CensusAnswer(True, "cases", cases=certified)
            problem = certified
        done = self._parts(
            "cases",
            CasePart,
            PART_NAMES,
            lambda part: Call(decide, (of, part), keeps=True),
            lambda found: f"{sum(part.cases for part in found):,} cases, {len(found)} of {len(PART_NAMES)} parts",
        )
        whole = CasePart()
        for name in PART_NAMES:
            if name in done:
                whole = whole.merged(done[name])
        if len(done) < len(PART_NAMES):
            if whole.example is not None:
                return self._unsolvable("witness", of.board(whole.example))
            reason = f"{len(done)} of {len(PART_NAMES)} parts of the case distinction were done"
            return CensusAnswer(None, reason=reason)
        if whole.boards != count_boards(of) % MODULUS:
            found = f"{of}: the cases have {whole.boards:,} boards modulo 2^64, not {count_boards(of):,}"
            raise self._store.contradiction(found)
        if whole.example is not None:
            return replace(self._unsolvable("cases", of.board(whole.example)), cases=whole)
        return CensusAnswer(True, "cases", cases=whole, reason=problem)

    def _certify(self, folder: Path) -> CasePart | str:
        """Writes the proof of a case distinction; returns what that found, or why there is no proof."""
        self._tell(f"{self._of}: writing the certificate")
        with staging(folder) as staged:
            for found in self._pool.in_order(iter([Call(certify_cases, (self._of, staged))]), self._stop, 1):
                if isinstance(found, Failure):
                    return found.error
                move_files(staged, folder)
                return found
        return "the certificate isn't complete"

    def _parts(
        self,
        what: str,
        kind: type[PartT],
        names: Sequence[bytes],
        call: Callable[[bytes], Call[PartT]],
        progress: Callable[[Collection[PartT]], str],
    ) -> dict[bytes, PartT]:
        """The parts of the class, by name, as far as they are done; those in the store aren't looked at again."""
        self._store.agree_on(self._of, what)
        done = self._store.parts(self._of, names, kind)
        left = [name for name in names if name not in done]
        for number, found in self._pool.do_all([call(name) for name in left], self._stop):
            if isinstance(found, Failure):
                raise Unsupported(found.error)
            done[left[number]] = found
            self._store.add(left[number], found)
            self._tell(f"{self._of}: {progress(done.values())}")
        return done


def _merged(done: Mapping[bytes, ClassPart], names: Sequence[bytes]) -> ClassPart:
    """The parts that are done together, in the order of their names."""
    whole = ClassPart()
    for name in names:
        if name in done:
            whole.merge(done[name])
    return whole
