"""Many boards: one exact search after the other, all in one arena."""

import numpy as np

from bsp_sat.backends.kernel.batches import arrays
from bsp_sat.backends.kernel.batches.arrays import Batch
from bsp_sat.backends.kernel.batches.compiled.arena import empty, grow, lay_search, search_in
from bsp_sat.backends.kernel.contents.arrays import BASE, CURSOR, LOADS, TUBES
from bsp_sat.backends.kernel.contents.compiled.alphabet import after_tubes, byte, make_tables, number_contents
from bsp_sat.backends.kernel.contents.compiled.arena import numbered_in
from bsp_sat.backends.kernel.contents.compiled.packing import ONE
from bsp_sat.backends.kernel.native.compiling import compiled
from bsp_sat.backends.kernel.native.layout import EXHAUSTED, GOAL, GROW, PAUSED
from bsp_sat.backends.kernel.search.arrays import BUCKET, ENTRIES, EXPANSIONS, FOUND, NO_LIMIT, TIES, PlanOf, Store
from bsp_sat.backends.kernel.search.compiled.loops import advance
from bsp_sat.backends.kernel.search.compiled.plans import write_plan


@compiled
def go_on(batch: Batch, budget: int) -> int:
    """Goes on with a batch.

    Returns:
        `EXHAUSTED` when all is answered; `PAUSED` when the budget of expansions is used up; `GROW` where the next plan
        needs more room among the moves, which the caller gives by taking out what is there; `NO_PLAN` for a plan that
        isn't what its search has found, which never happens.
    """
    arena, progress, answers = batch.arena, batch.progress, batch.answers
    left = budget
    while progress[arrays.ITEM] < len(answers):
        if left <= 0:
            return PAUSED
        if progress[arrays.PHASE] == arrays.NEXT:
            if not begin(batch):
                left -= 1
                answer(batch, arrays.UNFINISHED, 0, 0)
                continue
            progress[arrays.PHASE] = arrays.SEARCHING
        search = search_in(arena)
        store = search.store
        outcome = GOAL
        if progress[arrays.PHASE] == arrays.SEARCHING:
            spent = store.counters[EXPANSIONS]
            turn = min(left, progress[arrays.MOST_EXPANSIONS] - spent)
            outcome = advance(search, NO_LIMIT, turn)
            if outcome == PAUSED:
                left -= turn
            else:
                left -= 1 + store.counters[EXPANSIONS] - spent
            if (outcome == PAUSED and store.counters[EXPANSIONS] < progress[arrays.MOST_EXPANSIONS]) or (
                outcome == GROW and grow(arena)
            ):
                continue
            if outcome in (PAUSED, GROW):
                outcome = arrays.UNFINISHED
        moves = 0
        if outcome == GOAL:
            progress[arrays.PHASE] = arrays.REACHED
            moves = store.cost[store.counters[FOUND]]
            if progress[arrays.PLANS]:
                behind = progress[arrays.WRITTEN] + moves
                if 2 * behind <= len(batch.moves):
                    plan = PlanOf(search, numbered_in(arena).table, batch.moves)
                    made = write_plan(plan, progress[arrays.WRITTEN])
                    if made != behind:
                        return arrays.NO_PLAN
                    progress[arrays.WRITTEN] = behind
                elif progress[arrays.WRITTEN]:
                    return GROW
                else:
                    outcome = arrays.UNFINISHED
        empty_queue(store)
        answer(batch, outcome, moves, store.counters[EXPANSIONS])
    return EXHAUSTED


@compiled
def begin(batch: Batch) -> bool:
    """Makes the next search ready; False where the arena is too small for it."""
    arena, board = batch.arena, batch.progress[arrays.BYTE]
    arena[CURSOR] = arena[BASE]
    boards = batch.boards
    if not (number_contents(arena, boards, board, 0) and make_tables(arena, boards, board) and lay_search(arena)):
        return False
    _, _, scratch, store = search_in(arena)
    empty(store)
    numbers = numbered_in(arena).table.numbers
    homes = np.uint64(0)
    for tube in range(len(numbers)):
        scratch.child[tube] = max(0, numbers[tube])
        if numbers[tube] < 0:
            homes |= ONE << np.uint64(-1 - numbers[tube])
    scratch.key[len(scratch.key) - 1] = homes
    return True


@compiled
def answer(batch: Batch, outcome: int, moves: int, expansions: int) -> None:
    """Writes an answer down, and goes on to the next board."""
    progress = batch.progress
    row = batch.answers[progress[arrays.ITEM]]
    row[arrays.OUTCOME], row[arrays.MOVES], row[arrays.SPENT], row[arrays.MOVES_END] = (
        outcome,
        moves,
        expansions,
        progress[arrays.WRITTEN],
    )
    progress[arrays.BYTE] = after_tubes(
        batch.boards, progress[arrays.BYTE] + LOADS, byte(batch.boards, progress[arrays.BYTE] + TUBES)
    )
    progress[arrays.ITEM] += 1
    progress[arrays.PHASE] = arrays.NEXT


@compiled
def empty_queue(store: Store) -> None:
    """Takes out of the queue what is still in there, in time that depends on nothing else."""
    rank = store.counters[BUCKET] // TIES
    for place in range(store.counters[ENTRIES]):
        state, cost = store.entry[place, 0], store.entry[place, 1]
        if cost >= 0:
            bound = store.bound[state]
            # What was put in at a lower rank, when that was the queue's, has been taken out; see `emit`.
            store.heads[max(rank, cost + bound) * TIES + min(bound, TIES - 1)] = -1
