"""Sort boards as plain STRIPS, which every classical planner reads.

The goal of `pddl` ("each tube is empty or of one colour") needs "for all", "or" and "there is", from which planners
make derived predicates; many heuristics, such as `lmcut`, `cegar` and `ipdb` of Fast Downward, refuse those. Here the
goal is a list of facts, by counting. A **block** is a maximal run of one colour in a tube. ``(count c n)`` says:

- at the goal ``full``: colour c has n blocks. With balls for m tubes, it has m blocks if and only if it fills m tubes,
  as a block holds at most a tubeful. So the goal is ``(count c m)`` for each colour.
- at the goal ``monochrome``: n blocks of colour c lie on another colour. No tube mixes colours if and only if no block
  does. So the goal is ``(count c 0)`` for each colour.

Balls go only onto their own colour or into an empty tube. So a move changes the count of its own colour alone, and by
what is below the balls at both ends: that is why there are several action schemas for the same heights. In each
position exactly one of them stands for a legal move, so plans are those of the board, move by move, and as long.

The predicates ``height-k`` and ``cell-p`` are those of `pddl`. Nothing is negated: ``different-tubes`` and
``different-colours`` say that two things aren't the same, and ``next`` counts. Tubes are counted from 1.
"""

from collections.abc import Iterator
from itertools import pairwise

from bsp_sat.instances.sorting import SortPuzzle, WaterSort

SAME, OTHER, NOTHING = "same", "other", "nothing"
"""What is below the balls that leave: their own colour, another one, or the bottom of the tube."""


def strips_domain(puzzle: SortPuzzle) -> str:
    """The rules, for the capacity and the goal of ``puzzle``: ``full`` or ``monochrome``, in tubes of one kind."""
    h = puzzle.capacity
    heights = "\n    ".join(f"(height-{k} ?t - tube)" for k in range(h + 1))
    cells = "\n    ".join(f"(cell-{p} ?t - tube ?c - colour)" for p in range(1, h + 1))
    return f"""(define (domain {puzzle.kind}-strips)
  (:requirements :strips :typing)
  (:types tube colour amount)
  (:predicates
    {heights}
    {cells}
    (different-tubes ?s ?t - tube)
    (different-colours ?c ?d - colour)
    (next ?n ?m - amount)
    (count ?c - colour ?n - amount))
{chr(10).join(_actions(puzzle))})
"""


def strips_problem(puzzle: SortPuzzle, name: str) -> str:
    """The board and its goal; in its name characters other than ASCII letters and digits become hyphens."""
    tubes = [f"tube-{number}" for number in range(1, len(puzzle.tubes) + 1)]
    colours = [f"colour-{number}" for number in range(1, len(puzzle.palette) + 1)]
    balls = [sum(tube.count(colour) for tube in puzzle.tubes) for colour in range(len(colours))]
    amounts = [f"amount-{number}" for number in range(max(balls) + 1)]
    facts = []
    for tube, content in zip(tubes, puzzle.tubes, strict=True):
        facts.append(f"(height-{len(content)} {tube})")
        facts += [f"(cell-{p} {tube} {colours[ball]})" for p, ball in enumerate(content, start=1)]
    facts += [f"(different-tubes {s} {t})" for s in tubes for t in tubes if s != t]
    facts += [f"(different-colours {c} {d})" for c in colours for d in colours if c != d]
    facts += [f"(next {n} {m})" for n, m in pairwise(amounts)]
    facts += [f"(count {symbol} {amounts[_count(puzzle, colour)]})" for colour, symbol in enumerate(colours)]
    wanted = [each // puzzle.capacity if puzzle.goal == "full" else 0 for each in balls]
    goal = "\n    ".join(f"(count {c} {amounts[number]})" for c, number in zip(colours, wanted, strict=True))
    legend = "\n".join(f"; {symbol} is {colour!s}" for symbol, colour in zip(colours, puzzle.palette, strict=True))
    safe_name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    return f"""{legend}
(define (problem board-{safe_name})
  (:domain {puzzle.kind}-strips)
  (:objects {" ".join(tubes)} - tube
    {" ".join(colours)} - colour
    {" ".join(amounts)} - amount)
  (:init
    {chr(10).join("    " + fact for fact in facts).strip()})
  (:goal (and
    {goal})))
"""


def _count(puzzle: SortPuzzle, colour: int) -> int:
    """Blocks of a colour; at the goal ``monochrome`` only those that lie on another colour."""
    bottoms = puzzle.goal == "full"
    return sum(
        ball == colour and (tube[at - 1] != colour if at else bottoms)
        for tube in puzzle.tubes
        for at, ball in enumerate(tube)
    )


def _actions(puzzle: SortPuzzle) -> Iterator[str]:
    """An action for each amount, heights of both tubes and what is below the balls that leave."""
    h = puzzle.capacity
    water = isinstance(puzzle, WaterSort)
    for source in range(1, h + 1):
        for target in range(h):
            for amount in range(1, min(source, h - target) + 1) if water else [1]:
                for below in [NOTHING] if amount == source else [SAME, OTHER]:
                    if below == SAME and water and amount < h - target:
                        continue  # a pour goes on until the run is gone or the target is full
                    gone = below == OTHER or (below == NOTHING and puzzle.goal == "full")
                    new = target == 0 and puzzle.goal == "full"
                    heights = f"{source}-{target}-{amount}" if water else f"{source}-{target}"
                    name = f"{'pour' if water else 'move'}-{heights}-{below}"
                    yield _action(name, source, target, amount, below, new - gone)


def _action(name: str, source: int, target: int, amount: int, below: str, change: int) -> str:
    parameters = ["?s ?t - tube ?c - colour"]
    taken = [f"(cell-{source - i} ?s ?c)" for i in range(amount)]
    gone = [f"(height-{source} ?s)", f"(height-{target} ?t)", *taken]
    needs = [*gone, "(different-tubes ?s ?t)"]
    new = [f"(height-{source - amount} ?s)", f"(height-{target + amount} ?t)"]
    new += [f"(cell-{target + 1 + i} ?t ?c)" for i in range(amount)]
    if target:
        needs.append(f"(cell-{target} ?t ?c)")
    if below == SAME:
        needs.append(f"(cell-{source - amount} ?s ?c)")
    if below == OTHER:
        parameters.append("?d - colour")
        needs += [f"(cell-{source - amount} ?s ?d)", "(different-colours ?c ?d)"]
    if change:
        parameters.append("?n ?m - amount")
        needs += ["(count ?c ?n)", "(next ?n ?m)" if change > 0 else "(next ?m ?n)"]
        gone.append("(count ?c ?n)")
        new.append("(count ?c ?m)")
    return f"""  (:action {name}
    :parameters ({" ".join(parameters)})
    :precondition (and {" ".join(needs)})
    :effect (and {" ".join(f"(not {fact})" for fact in gone)} {" ".join(new)}))"""
