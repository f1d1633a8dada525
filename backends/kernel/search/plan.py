"""Turns states of the compiled search into a plan."""

from bsp_sat.backends.kernel.contents.ruled import RuledAlphabet
from bsp_sat.backends.kernel.native.memory import zeros
from bsp_sat.backends.kernel.search.search import KernelSearch
from bsp_sat.backends.search.paths import plan_through
from bsp_sat.instances.plan import Plan
from bsp_sat.instances.sorting import Pour

SOME_MOVES = 1 << 10


def plan_of(search: KernelSearch) -> Plan:
    """The plan to the goal that a search has found."""
    puzzle, alphabet = search.puzzle, search.alphabet
    if isinstance(alphabet, RuledAlphabet):
        states = map(sorted, search.states_on_way()[1:])
        return plan_through(puzzle, states, lambda position: sorted(filter(None, alphabet.start(position)[0])))
    moves = zeros("B", 2 * SOME_MOVES)
    made = search.write_plan(moves)
    if made > SOME_MOVES:
        moves = zeros("B", 2 * made)
        search.write_plan(moves)
    return plan_from(moves[: 2 * made].tobytes())


def plan_from(moves: bytes) -> Plan:
    """The plan of moves in the form of compiled code: source and target of each."""
    return Plan(tuple(map(Pour, moves[::2], moves[1::2])))
