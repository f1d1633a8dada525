"""3-Partition as sort boards: numbers to tubes, plans to triples, triples to plans.

3-Partition asks whether 3m numbers, all between B/4 and B/2 and with sum m·B, fall into m triples of sum B. It is
NP-complete also for small numbers (Garey and Johnson 1975). The board: for each number a, a tube with B − a blue balls
below a red ones, and one empty tube; the capacity is B. It is solvable if and only if the numbers fall into triples, in
ball sort and in water sort, as docs/three-partition.md says. The proofs:

**Plans contain triples.** In any plan, take the tubes in the order in which they are *exposed*, that is, lose their
last red ball: each three in a row have the sum B (`Core.triples_of`).

Let S be the set of tubes exposed so far, Σ the sum of their numbers, and b the next one, with number a, at the moment
when its last red ball leaves. Tubes outside S ∪ {b} hold blue below red, so only red balls fit there, and as they were
full, at most as many as they had. Hence at least Σ + a red balls are elsewhere, and b has blue on top: they are in the
tubes of S or in the tube that was empty, one tube more than S has. The blue balls of S can only be in these as well: Σ
of (B − number), that is s·B − Σ balls, s the number of tubes in S. In these tubes nothing lies on another colour (what
the tubes of S started with is gone or all blue), so

    ⌈(Σ + a) / B⌉ + ⌈(s·B − Σ) / B⌉ ≤ s + 1,   that is   ⌈(Σ + a) / B⌉ ≤ ⌊Σ / B⌋ + 1.        (1)

So Σ can't step over a multiple of B; it has to stop at each. Two numbers are less than B and four are more: between two
stops lie exactly three numbers.

**Shortest plans.** Triples give plans of 5·m pours, or of 2·m·B − Σ max(triple) single balls; for the triples with the
largest sum of maxima no plan is shorter (`Core.plan_of`). On balls:

Each of the m·B red balls moves, as none lies at the bottom. Consider the moment of the (3j + 1)-th exposure, with
equality on the right of (1): Σ = j·B, the red balls fill at least j + 1 of the 3j + 1 tubes that were exposed or empty,
and the 2j·B blue ones fill the other 2j to the top. So, from one such moment to the next (the last is the end of the
plan), 2(j − 1) tubes full of blue and the three tubes of the j-th triple T, 2j + 1 tubes with blue balls, become 2j.
One of them has lost all its blue balls: B, or B − a with a in T. These are at least B − max(T) moves of blue balls,
different ones for each j. The sum over j is m·B − Σ max(T).

On water:

Each red part needs a pour of its own. Between two of the moments above, the number of tubes with blue water falls from
2j + 1 to 2j, so some blue pour empties one of these onto another. If it were the only blue pour in that time, both
would hold what they held in the beginning, each more than B/2, and not fit into one tube. So there are two.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from bsp_sat.instances.errors import BoardError
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.puzzle import Colour, Number
from bsp_sat.instances.sorting import MAX_CAPACITY, Pour, SortPuzzle, block_count
from bsp_sat.instances.text.words import short

Triple = tuple[int, int, int]
BLUE: Colour = "blue"
RED: Colour = "red"
MAX_TRIPLES = 1000  # far more than useful: a board of 24 numbers is hard

NUMBERS = {
    "triples": Number("Number of triples; a third of the numbers.", most=MAX_TRIPLES),
    "target": Number("Sum of each triple, and capacity of the tubes.", most=MAX_CAPACITY),
}
"""The generator's numbers, for the command line and the page."""


def allowed(target: int) -> range:
    """The numbers strictly between a quarter and a half of ``target``."""
    return range(target // 4 + 1, (target + 1) // 2)


def check_numbers(numbers: Sequence[int], target: int) -> None:
    """Refuses numbers that are no instance of 3-Partition, with a BoardError."""
    _check_target(target)
    if not numbers or len(numbers) % 3:
        raise BoardError("numbers", f"expected three for each triple, found {len(numbers)}")
    for number in numbers:
        if number not in allowed(target):
            raise BoardError(
                "numbers",
                f"expected numbers above {target}/4 and below {target}/2 (the target is {target}), found {number}",
            )
    if sum(numbers) != len(numbers) // 3 * target:
        raise BoardError("numbers", f"expected a sum of {len(numbers) // 3} × {target}, found {sum(numbers)}")


def partition_tubes(numbers: Sequence[int], target: int) -> list[list[Colour]]:
    """The tubes of the board, bottom to top, the empty one last; raises as `check_numbers` does.

    >>> ["".join(ball[0] for ball in tube) for tube in partition_tubes([2, 2, 3], 7)]
    ['bbbbbrr', 'bbbbbrr', 'bbbbrrr', '']
    """
    check_numbers(numbers, target)
    tubes: list[list[Colour]] = [[BLUE] * (target - number) + [RED] * number for number in numbers]
    return [*tubes, []]


@dataclass(frozen=True)
class Core:
    """The 3-Partition tubes of a position. ``numbers``: balls of the upper colour in each of the tubes."""

    puzzle: SortPuzzle
    numbers: tuple[int, ...]
    tubes: tuple[int, ...]

    @classmethod
    def of(cls, puzzle: SortPuzzle) -> "Core":
        """Finds the tubes: all but the empty one, each with the same colour below another; else BoardError."""
        if puzzle.goal != "full":
            raise BoardError("goal", f"expected full, found {puzzle.goal}")
        if puzzle.tubes.count(b"") != 1:
            raise BoardError("tubes", f"expected one empty tube, found {puzzle.tubes.count(b'')}")
        if any(0 < len(tube) < puzzle.capacity for tube in puzzle.tubes):
            raise BoardError("tubes", "expected full tubes and an empty one, found one that is neither")
        tubes = tuple(at for at, tube in enumerate(puzzle.tubes) if tube)
        filled = [puzzle.tubes[at] for at in tubes]
        pairs = {(tube[0], tube[-1]) if block_count(tube) == 2 else None for tube in filled}
        if len(pairs) != 1 or None in pairs:
            raise BoardError("tubes", "expected one colour below another, the same two in all but the empty one")
        numbers = tuple(tube.count(tube[-1:]) for tube in filled)
        check_numbers(numbers, puzzle.capacity)
        return cls(puzzle, numbers, tubes)

    def triples_of(self, plan: Plan) -> list[Triple]:
        """The triples of a plan, as tubes: first those that lose their upper balls first. Raises IllegalMove."""
        plan.replay(self.puzzle)
        lower = dict(zip(self.tubes, (self.puzzle.capacity - number for number in self.numbers), strict=True))
        exposed: dict[int, None] = {}
        position = self.puzzle
        for move in plan:
            assert isinstance(move, Pour)  # replayed above
            position = position.after_legal(move)
            if len(position.tubes[move.source]) <= lower.get(move.source, -1):
                exposed.setdefault(move.source)
        order = list(exposed)
        triples = list(zip(order[::3], order[1::3], order[2::3], strict=True))
        self.check_triples(triples)
        return triples

    def check_triples(self, triples: Sequence[Triple]) -> None:
        """Refuses triples of tubes that are no partition, with a BoardError."""
        for triple in triples:
            numbers = self.numbers_of(triple)
            if sum(numbers) != self.puzzle.capacity:
                raise BoardError("triples", f"{' + '.join(map(str, numbers))} isn't {self.puzzle.capacity}")
        if sorted(at for triple in triples for at in triple) != sorted(self.tubes):
            raise BoardError("triples", "expected each number once")

    def numbers_of(self, triple: Triple) -> Triple:
        """The numbers of three tubes."""
        i, j, k = (self.numbers[self.tubes.index(at)] for at in triple)
        return i, j, k

    def tubes_of(self, triples: Sequence[Sequence[int]]) -> list[Triple]:
        """The tubes for triples of numbers. BoardError if the triples are no partition of the board's numbers."""
        free = defaultdict(list)
        for at, number in zip(self.tubes, self.numbers, strict=True):
            free[number].append(at)
        found = []
        for triple in triples:
            for number in triple:
                if not free[number]:
                    problem = f"expected {number} at most {self.numbers.count(number)} times, found more"
                    raise BoardError("triples", problem)
            if len(triple) != 3:
                raise BoardError("triples", f"expected three numbers each, found {len(triple)}")
            i, j, k = (free[number].pop(0) for number in triple)
            found.append((i, j, k))
        self.check_triples(found)
        return found

    def plan_of(self, triples: Sequence[Triple]) -> Plan:
        """A plan along the triples of tubes: no plan that empties the same triples, in any order, is shorter.

        The three upper parts fill the empty tube. Then the tube with the fewest balls left fills the other two.

        BoardError if the triples are no partition.
        """
        self.check_triples(triples)
        empty = self.puzzle.tubes.index(b"")
        position = self.puzzle
        moves: list[Pour] = []
        for triple in triples:
            *kept, given = sorted(triple, key=lambda at: self.numbers[self.tubes.index(at)])
            pours = [Pour(source, empty) for source in triple] + [Pour(given, target) for target in kept]
            for move in pours:
                colour = position.tubes[move.source][-1:]
                while position.tubes[move.source][-1:] == colour and position.refusal(move) is None:
                    moves.append(move)
                    position = position.after_legal(move)
            empty = given
        return Plan(tuple(moves))


def _check_target(target: int) -> None:
    if target > MAX_CAPACITY:
        raise BoardError("target", f"expected at most {MAX_CAPACITY}, the largest capacity, found {short(str(target))}")


# -- instances --------------------------------------------------------------------------------------


def check_size(triples: int, target: int, *, solvable: bool | None = None) -> None:
    """Refuses sizes without an instance, with a BoardError.

    Three allowed numbers of sum B exist for B = 3, 6, 7 and from 9 on. Numbers without a partition need m ≥ 2, and B =
    13 or B ≥ 15. With B = 3, 6, 7, 9, 10 and 12 there are one or two allowed numbers, whose shares are fixed by the
    sum, so a partition always exists. With B = 11 and 14 the numbers are v, v + 1 and v + 2 with B = 3v + 2. Let n₀,
    n₁, n₂ be how many there are: n₁ + 2·n₂ = 2m, so n₁ is even and n₀ = m + n₂. Then n₂ triples (v, v, v + 2) and n₁/2
    triples (v, v + 1, v + 1) use up all. For all other B see `stuck_numbers`.
    """
    NUMBERS["triples"].check("triples", triples)
    _check_target(target)
    numbers = allowed(target)
    if not numbers or not 3 * numbers[0] <= target <= 3 * numbers[-1]:
        raise BoardError("target", f"no three numbers above {target}/4 and below {target}/2 have the sum {target}")
    if solvable is False and triples == 1:
        raise BoardError("triples", "expected 2 or more with no partition: three numbers are a triple themselves")
    if solvable is False and (target < 13 or target == 14):
        problem = f"numbers for the target {target} always fall into triples; expected 13, or 15 or more"
        raise BoardError("target", problem)


def random_numbers(triples: int, target: int, chance: Random) -> list[int]:
    """Numbers of the right sum, about uniformly; with and without a partition."""
    choice = allowed(target)
    numbers = [chance.choice(choice) for _ in range(3 * triples)]
    while (missing := triples * target - sum(numbers)) != 0:
        at = chance.randrange(len(numbers))
        if (changed := numbers[at] + (1 if missing > 0 else -1)) in choice:
            numbers[at] = changed
    return numbers


def planted_numbers(triples: int, target: int, chance: Random) -> list[int]:
    """Numbers that fall into triples, each of them uniformly chosen."""
    choice = allowed(target)
    numbers: list[int] = []
    while len(numbers) < 3 * triples:
        first, second = chance.choice(choice), chance.choice(choice)
        if (third := target - first - second) in choice:
            numbers += [first, second, third]
    chance.shuffle(numbers)
    return numbers


def stuck_numbers(triples: int, target: int) -> list[int]:
    """One instance without a partition, for any size that has one.

    With q = ⌊B/3⌋ and numbers written as differences to q, a triple has the sum r = B − 3·q.

    * r = 0, differences ±1 and at most one 0: each triple needs an even one.
    * r = 1, differences 0, 2 and at most one 1: each triple needs an odd one.
    * r = 2, differences ±1 and at most one 0: each triple needs an even one. Where −1 isn't allowed 0, 1 and one 3,
      which is too much already.
    """
    least, remainder = divmod(target, 3)
    odd = triples % 2
    match remainder:
        case 0:
            half = (3 * triples - odd) // 2
            differences = [1] * half + [-1] * half + [0] * odd
        case 1:
            twos = triples // 2
            differences = [2] * twos + [1] * odd + [0] * (3 * triples - twos - odd)
        case _ if least - 1 in allowed(target):
            ups = (5 * triples - odd) // 2
            differences = [1] * ups + [-1] * (3 * triples - odd - ups) + [0] * odd
        case _:
            differences = [3] + [1] * (2 * triples - 3) + [0] * (triples + 2)
    return [least + difference for difference in differences]


def exchanged(numbers: Sequence[int], target: int, chance: Random) -> list[int]:
    """The numbers with one raised and another lowered by 1, where both stay allowed."""
    changed = list(numbers)
    up, down = chance.sample(range(len(changed)), 2)
    if changed[up] + 1 in allowed(target) and changed[down] - 1 in allowed(target):
        changed[up] += 1
        changed[down] -= 1
    return changed
