"""Formulas under construction: named variables, clauses, and common constraints."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import combinations
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

Literal = int
"""A variable (1, 2, …) or its negation (−1, −2, …), as in DIMACS."""

Model = Sequence[int]
"""A satisfying assignment: a literal for each variable, in order."""

VariableName = tuple[str | int, ...]
"""The meaning of a variable, for example ``("from", 12, 3)``: with 12 moves left, tube 3 is the source."""


class VariableKind(NamedTuple):
    """The meaning of the variables of one kind; their names begin with the same word.

    After that word follow the arguments; the text is part of a sentence, with them in braces.

    >>> VariableKind(("x", "y"), "block {x} is dug before block {y}").says(3, 7)
    'block 3 is dug before block 7'
    """

    arguments: tuple[str, ...]
    text: str

    def says(self, *values: str | int) -> str:
        """The text with ``values`` as arguments."""
        return self.text.format(**dict(zip(self.arguments, values, strict=True)))


def chosen(literals: Sequence[Literal], model: Model) -> int:
    """The index of the one of some variables that holds."""
    return next(index for index, literal in enumerate(literals) if model[literal - 1] > 0)


class ClauseGroup(NamedTuple):
    """Consecutive clauses that one method added; the first paragraph of its docstring is their meaning."""

    name: str
    meaning: str
    start: int
    end: int


class Formula:
    """A formula in CNF that may grow. ``names``: the names of variables; variable v has the one at index v − 1."""

    def __init__(self) -> None:
        self.clauses: list[list[Literal]] = []
        self.names: list[VariableName] = []
        self.groups: list[ClauseGroup] = []

    def variable(self, *name: str | int) -> Literal:
        """A new variable with this name."""
        self.names.append(name)
        return len(self.names)

    def variables(self, count: int, *name: str | int) -> list[Literal]:
        """New variables whose names are ``name`` followed by numbers from 0."""
        return [self.variable(*name, index) for index in range(count)]

    def add(self, *literals: Literal) -> None:
        """Adds one clause: at least one of ``literals`` holds."""
        self.clauses.append(list(literals))

    def define_or(self, name: VariableName, literals: Sequence[Literal]) -> Literal:
        """A new variable that holds if and only if one of ``literals`` does."""
        either = self.variable(*name)
        self.add(-either, *literals)
        for literal in literals:
            self.add(either, -literal)
        return either

    def define_and(self, name: VariableName, literals: Sequence[Literal]) -> Literal:
        """A new variable that holds if and only if all of ``literals`` do."""
        both = self.variable(*name)
        self.add(both, *(-literal for literal in literals))
        for literal in literals:
            self.add(-both, literal)
        return both

    def at_most_one(self, literals: Iterable[Literal]) -> None:
        """At most one of ``literals`` holds; n(n − 1)/2 clauses, no new variables, so that models stay countable."""
        for first, second in combinations(literals, 2):
            self.add(-first, -second)

    def exactly_one(self, literals: Sequence[Literal]) -> None:
        """Exactly one of ``literals`` holds."""
        self.add(*literals)
        self.at_most_one(literals)

    def at_most(self, bound: int, literals: Sequence[Literal], *name: str | int) -> None:
        """At most ``bound`` of ``literals`` hold: the sequential counter of Sinz (CP 2005).

        ``counts[k]`` says that more than k of the literals so far hold; n·bound variables and about twice
        as many clauses.
        """
        if bound >= len(literals):
            return
        counts: list[Literal] = []
        for index, literal in enumerate(literals):
            if len(counts) == bound:
                self.add(-literal, *(-most for most in counts[-1:]))
            following = self.variables(min(bound, index + 1), *name, index)
            for level, more in enumerate(following):
                if level < len(counts):
                    self.add(-counts[level], more)
                self.add(-literal, *(-fewer for fewer in counts[level - 1 : level]), more)
            counts = following


FormulaT = TypeVar("FormulaT", bound=Formula)
P = ParamSpec("P")
T = TypeVar("T")


def clause_group(method: Callable[Concatenate[FormulaT, P], T]) -> Callable[Concatenate[FormulaT, P], T]:
    """Marks a method of a formula that adds one group of clauses, see `Formula.groups`."""
    name, meaning = method.__name__.strip("_"), " ".join((method.__doc__ or "").partition("\n\n")[0].split())

    @wraps(method)
    def recording(formula: FormulaT, /, *args: P.args, **kwargs: P.kwargs) -> T:
        start = len(formula.clauses)
        value = method(formula, *args, **kwargs)
        formula.groups.append(ClauseGroup(name, meaning, start, len(formula.clauses)))
        return value

    return recording
