"""What docs/order-by-example.md shows: the order encoding of one tiny board, taken apart by the program itself."""

from collections.abc import Callable, Iterator
from functools import cache

from pysat.solvers import Solver

from bsp_sat.encoder.blocks import blocks_of
from bsp_sat.encoder.description import clause_text, literal_text
from bsp_sat.encoder.formula import Literal
from bsp_sat.encoder.order.ball import BallFormula
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import BallSort

BOARD = BallSort.from_text("ab|ba|-")
PLAN_LENGTH = 3
GROUPS = ("_keep", "_visit", "_route", "_tubes", "_paid_gaps", "_paid_visits", "_lost_bottoms", "_early")
GROUPS += ("_straight_home", "_eager")
SHOWN = {  # the clauses of each group that are shown
    "events": slice(1, 2),
    "_keep": slice(3),
    "_visit": slice(2),
    "_route": slice(4, 6),
    "_tubes": slice(8, 12),
    "_paid_gaps": slice(1),
    "_paid_visits": slice(1),
    "_lost_bottoms": slice(2),
    "_early": slice(1, 3),
}
FAMILIES = BallFormula.kinds


class Example:
    """The formula of the board, and which method wrote which of its clauses."""

    def __init__(self) -> None:
        self.formula = BallFormula(BOARD, True)
        self.groups: dict[str, list[list[Literal]]] = {name: [] for name in ("events", *GROUPS)}
        for group in self.formula.groups:
            name = group.name if group.name == "events" else f"_{group.name}"
            self.groups[name] += self.formula.clauses[group.start : group.end]
        self.variables = len(self.formula.names)
        self.assumptions = {}
        for horizon in (PLAN_LENGTH - 1, PLAN_LENGTH):
            before = len(self.formula.clauses)
            self.assumptions[horizon] = self.formula.at_horizon(horizon)
            self.groups[f"at most {horizon}"] = self.formula.clauses[before:]

    def literal(self, literal: Literal) -> str:
        """A literal in words: ``¬kept(0)``."""
        return literal_text(self.formula, literal)

    def clause(self, clause: list[Literal]) -> str:
        """A clause as an implication, ``visit(1,0,2) → before(1,2)``."""
        return clause_text(self.formula, clause)

    def variable_of(self, literal: str) -> Literal:
        """The literal that is written so."""
        return next(
            candidate
            for variable in range(1, len(self.formula.names) + 1)
            for candidate in (variable, -variable)
            if self.literal(candidate) == literal
        )

    def refutation(self) -> list[tuple[str, str]]:
        """What follows from the assumption for a move too few, round by round, each with the clause it follows from."""
        reasons: dict[Literal, list[Literal]] = {}
        true = set(self.assumptions[PLAN_LENGTH - 1])
        clauses = [
            clause for name, group in self.groups.items() if name != f"at most {PLAN_LENGTH}" for clause in group
        ]
        while True:
            found: dict[Literal, list[Literal]] = {}
            for clause in clauses:
                left = [literal for literal in clause if -literal not in true]
                if not left:
                    return [*self._steps_to(clause, reasons), ("a contradiction", self.clause(clause))]
                if len(left) == 1 and left[0] not in true:
                    found.setdefault(left[0], clause)
            assert found, "propagation alone refutes nothing"
            reasons |= found
            true |= found.keys()

    def _steps_to(self, conflict: list[Literal], reasons: dict[Literal, list[Literal]]) -> Iterator[tuple[str, str]]:
        needed = {-literal for literal in conflict}
        for literal, clause in reversed(reasons.items()):
            if literal in needed:
                needed |= {-other for other in clause if other != literal}
        for literal, clause in reasons.items():
            if literal in needed:
                yield self.literal(literal), self.clause(clause)

    @cache  # noqa: B019
    def model(self) -> list[Literal]:
        """Of the models for a plan of the least length, the one in which the first variables are false if they can."""
        fixed = list(self.assumptions[PLAN_LENGTH])
        with Solver(name="glucose4", bootstrap_with=self.formula.clauses) as solver:
            for variable in range(1, len(self.formula.names) + 1):
                if variable not in fixed and -variable not in fixed:
                    fixed.append(-variable if solver.solve(assumptions=[*fixed, -variable]) else variable)
        return sorted(fixed, key=abs)

    def plan(self) -> Plan:
        """The plan of that model."""
        plan = self.formula.decode(self.model(), PLAN_LENGTH)
        plan.replay(BOARD)
        return plan


@cache
def example() -> Example:
    """The one example."""
    return Example()


def drawn(puzzle: BallSort) -> str:
    """A board, its top row first."""
    rows = [
        "  ".join(str(puzzle.palette[tube[level]]) if level < len(tube) else "·" for tube in puzzle.tubes)
        for level in reversed(range(puzzle.capacity))
    ]
    return "\n".join(rows)


def numbered() -> str:
    """The board with the number of its block behind each ball, and a line of tube numbers."""
    rows = [["·"] * len(BOARD.tubes) for _ in range(BOARD.capacity)]
    for block in blocks_of(BOARD):
        rows[BOARD.capacity - 1 - block.level][block.tube] = f"{BOARD.palette[block.colour]}{block.index}"
    lines = [*rows, [str(tube + 1) for tube in range(len(BOARD.tubes))]]
    return "\n".join("   ".join(text.ljust(2) for text in line).rstrip() for line in lines)


def variables() -> list[list[str]]:
    """One row a family."""
    return [[f"`{name}({','.join(kind.arguments)})`", kind.says(*kind.arguments)] for name, kind in FAMILIES.items()]


def clauses() -> str:
    """Some clauses of each group, a line each, and how large the formula is before a horizon is asked for."""
    lines = []
    for name, part in SHOWN.items():
        group = [example().clause(clause) for clause in example().groups[name][part]]
        lines += [f"{label:15}{clause}" for label, clause in zip([name, *[""] * len(group)], group, strict=False)]
    written = sum(len(group) for name, group in example().groups.items() if not name.startswith("at most"))
    return "\n".join([*lines, f"… {example().variables} variables and {written} clauses in all"])


def shown_steps() -> list[list[str]]:
    """The steps of the refutation, but for those of the counters."""
    counters = set(map(example().clause, example().groups[f"at most {PLAN_LENGTH - 1}"]))
    return [[f"`{what}`", f"`{reason}`"] for what, reason in example().refutation() if reason not in counters]


def true_variables() -> str:
    """What holds in the model, a family a line."""
    lines: dict[str, list[str]] = {}
    for literal in example().model():
        name = example().literal(literal)
        family = name.partition("(")[0]
        if literal > 0 and family in FAMILIES:
            lines.setdefault(family, []).append(name)
    return "\n".join("   ".join(lines[name]) for name in FAMILIES if name in lines)


def plan() -> str:
    """The moves, and the board after each."""
    boards, moves, puzzle = [drawn(BOARD)], ["start"], BOARD
    for move in example().plan().moves:
        moves.append(f"{move[0] + 1} → {move[1] + 1}")
        puzzle = puzzle.apply(move)
        boards.append(drawn(puzzle))
    columns = [[move, *board.splitlines(), "1  2  3"] for move, board in zip(moves, boards, strict=True)]
    return "\n".join("      ".join(text.ljust(7) for text in line).rstrip() for line in zip(*columns, strict=True))


def parts(table: Callable[..., str], fenced: Callable[..., str]) -> dict[str, Callable[[], str]]:
    """The parts of the page, by name."""
    return {
        "board": lambda: fenced(numbered()),
        "variables": lambda: table(["variable", "meaning"], variables()),
        "clauses": lambda: fenced(clauses()),
        "refutation": lambda: table(["what follows", "from"], shown_steps()),
        "model": lambda: fenced(true_variables()),
        "plan": lambda: fenced(plan()),
    }
