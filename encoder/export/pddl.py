"""Sort boards as PDDL, for classical planners with support for disjunctive goals.

Heights are part of the predicates' names, so that actions stay small: ``height-k`` means that a tube holds k balls,
``cell-p`` is the colour of its place p. Tubes and places are counted from 1, at the bottom. There is an action schema
for each way that heights can change: ``move-a-b`` moves a ball from a tube of height a to one of height b (in water
sort, ``pour-a-b-k`` pours k units). At the goal ``coloured``, ``own`` is a tube's colour; ``any-in`` is said of tubes
into which any ball goes, if it isn't all. Every action costs one, so a shortest plan has the fewest moves.
"""

from collections.abc import Iterator

from bsp_sat.instances.sorting import SortPuzzle, WaterSort


def pddl_domain(puzzle: SortPuzzle) -> str:
    """The rules, for the capacity of ``puzzle``."""
    h = puzzle.capacity
    heights = "\n    ".join(f"(height-{k} ?t - tube)" for k in range(h + 1))
    cells = "\n    ".join(f"(cell-{p} ?t - tube ?c - colour)" for p in range(1, h + 1))
    own = "\n    (own ?t - tube ?c - colour)" if puzzle.goal == "coloured" else ""
    onto = "" if puzzle.rules.anywhere else "(cell-{} ?t ?c)"
    if puzzle.rules.any_in:
        own += "\n    (any-in ?t - tube)"
        onto = "(or (any-in ?t) (cell-{} ?t ?c))"
    actions = "\n".join((_pour_actions if isinstance(puzzle, WaterSort) else _move_actions)(h, onto))
    return f"""(define (domain {puzzle.kind})
  (:requirements :strips :typing :equality :disjunctive-preconditions :universal-preconditions
    :existential-preconditions)
  (:types tube colour)
  (:predicates
    {heights}
    {cells}{own})
{actions})
"""


def pddl_problem(puzzle: SortPuzzle, name: str) -> str:
    """The board and its goal; in its name characters other than ASCII letters and digits become hyphens."""
    h = puzzle.capacity
    tubes = [f"tube-{number}" for number in range(1, len(puzzle.tubes) + 1)]
    colours = [f"colour-{number}" for number in range(1, len(puzzle.palette) + 1)]
    legend = "\n".join(f"; {symbol} is {colour!s}" for symbol, colour in zip(colours, puzzle.palette, strict=True))
    facts = []
    for tube, balls in zip(tubes, puzzle.tubes, strict=True):
        facts.append(f"(height-{len(balls)} {tube})")
        facts += [f"(cell-{p} {tube} {colours[ball]})" for p, ball in enumerate(balls, start=1)]
    facts += [
        f"(own {tube} {colours[rule.colour]})"
        for tube, rule in zip(tubes, puzzle.rules.tubes, strict=puzzle.goal == "coloured")
        if rule.colour is not None
    ]
    facts += [f"(any-in {tubes[place]})" for place in puzzle.rules.any_in]
    own = "(own ?t ?c) " if puzzle.goal == "coloured" else ""
    sorted_heights = [h] if puzzle.goal == "full" else range(1, h + 1)
    ways = "\n      ".join(_sorted_tube(height, own) for height in sorted_heights)
    safe_name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    return f"""{legend}
(define (problem board-{safe_name})
  (:domain {puzzle.kind})
  (:objects {" ".join(tubes)} - tube
    {" ".join(colours)} - colour)
  (:init
    {chr(10).join("    " + fact for fact in facts).strip()})
  (:goal (forall (?t - tube) (or (height-0 ?t)
      {ways}))))
"""


def _sorted_tube(height: int, own: str) -> str:
    cells = own + " ".join(f"(cell-{p} ?t ?c)" for p in range(1, height + 1))
    return f"(and (height-{height} ?t) (exists (?c - colour) (and {cells})))"


def _move_actions(h: int, onto: str) -> Iterator[str]:
    for source in range(1, h + 1):
        for target in range(h):
            yield _action(f"move-{source}-{target}", source, target, 1, [], onto=onto)


def _pour_actions(h: int, onto: str) -> Iterator[str]:
    """A pour of k balls either empties the run (below it is another colour, or nothing) or fills the target."""
    for source in range(1, h + 1):
        for target in range(h):
            for k in range(1, min(source, h - target) + 1):
                name = f"pour-{source}-{target}-{k}"
                if k == h - target or k == source:
                    yield _action(name, source, target, k, [], onto=onto)
                else:
                    extra = [f"(cell-{source - k} ?s ?d)", "(not (= ?c ?d))"]
                    yield _action(name, source, target, k, extra, " ?d", onto)


def _action(
    name: str, source: int, target: int, amount: int, extra: list[str], other: str = "", onto: str = "(cell-{} ?t ?c)"
) -> str:
    """``onto`` is what the target's top has to be, where it isn't empty."""
    taken = [f"(cell-{source - i} ?s ?c)" for i in range(amount)]
    matches = [onto.format(target)] if target and onto else []
    needs = [f"(height-{source} ?s)", f"(height-{target} ?t)", "(not (= ?s ?t))", *taken, *matches, *extra]
    gone = [f"(height-{source} ?s)", f"(height-{target} ?t)", *taken]
    new = [f"(height-{source - amount} ?s)", f"(height-{target + amount} ?t)"]
    new += [f"(cell-{target + 1 + i} ?t ?c)" for i in range(amount)]
    effects = [*(f"(not {fact})" for fact in gone), *new]
    return f"""  (:action {name}
    :parameters (?s ?t - tube ?c{other} - colour)
    :precondition (and {" ".join(needs)})
    :effect (and {" ".join(effects)}))"""
