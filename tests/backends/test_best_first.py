"""The loop behind the readable searches, on small graphs."""

from bsp_sat.backends.search.best_first import BestFirst

EDGES = {"s": "ax", "a": "b", "b": "c", "x": "c", "c": "g", "g": ""}
"""From s to g by way of a and b, or a step less by way of x."""


def search(guesses):
    return BestFirst("s", EDGES.__getitem__, lambda state, cost: cost + guesses.get(state, 0))


def test_states_come_by_rank_with_their_costs():
    assert [(state, cost) for _, cost, state in search({"x": 5})][:4] == [("s", 0), ("a", 1), ("b", 2), ("c", 3)]


def test_a_state_that_is_reached_more_cheaply_comes_again():
    """A guess that is too high keeps the short way back at first."""
    found = search({"x": 3})
    order = [(state, cost) for _, cost, state in found]
    assert order.count(("c", 3)) == order.count(("c", 2)) == 1
    assert found.reached["g"] == (3, "c")
    assert found.path_to("g") == ["s", "x", "c", "g"]


def test_what_has_no_rank_is_left_out():
    found = BestFirst("s", EDGES.__getitem__, lambda state, cost: None if state == "x" else cost)
    assert {state for _, _, state in found} == set("sabcg")
    assert list(BestFirst("s", EDGES.__getitem__, lambda state, cost: None)) == []


def test_of_equal_ranks_the_newest_or_the_deepest_comes_first():
    edges = {"s": "ax", "a": "b", "b": "c", "x": "y", "c": "", "y": ""}
    ranks = {"s": 0, "a": 0, "b": 0, "x": 1, "c": 2, "y": 2}

    def order(**choices):
        found = BestFirst("s", edges.__getitem__, lambda state, cost: ranks[state], **choices)
        return "".join(state for _, _, state in found)

    assert order() == "sabxyc"
    assert order(deepest_first=True) == "sabxcy"
