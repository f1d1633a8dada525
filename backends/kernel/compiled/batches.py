"""Many boards: one exact search after the other, all in one arena."""

import numpy as np

from bsp_sat.backends.kernel.arrays import (
    BASE,
    BUCKET,
    BYTE,
    CURSOR,
    ENTRIES,
    EXHAUSTED,
    EXPANSIONS,
    FOUND,
    GOAL,
    GROW,
    ITEM,
    LOADS,
    MOST_EXPANSIONS,
    MOVES,
    MOVES_END,
    NEXT,
    NO_LIMIT,
    NO_PLAN,
    OUTCOME,
    PAUSED,
    PHASE,
    PLANS,
    REACHED,
    SEARCHING,
    SPENT,
    TIES,
    TUBES,
    UNFINISHED,
    WRITTEN,
    Batch,
    Packed,
    Store,
)
from bsp_sat.backends.kernel.compiled.alphabet import after_tubes, byte, make_tables, number_contents
from bsp_sat.backends.kernel.compiled.arena import (
    empty,
    grow,
    lay_search,
    read_contents,
    read_scratch,
    read_shape,
    read_store,
    read_table,
)
from bsp_sat.backends.kernel.compiled.loops import search
from bsp_sat.backends.kernel.compiled.packing import ONE, compiled
from bsp_sat.backends.kernel.compiled.plans import write_plan


@compiled
def advance(packed: Packed, batch: Batch, budget: int) -> int:
    """Goes on with a batch.

    Returns:
        `EXHAUSTED` when all is answered; `PAUSED` when the budget of expansions is used up; `GROW` where the next plan
        needs more room among the moves, which the caller gives by taking out what is there; `NO_PLAN` for a plan that
        isn't what its search has found, which never happens.
    """
    arena, progress, answers = packed.arena, batch.progress, batch.answers
    left = budget
    while progress[ITEM] < len(answers):
        if left <= 0:
            return PAUSED
        if progress[PHASE] == NEXT:
            if not begin(packed, batch):
                left -= 1
                answer(packed, batch, UNFINISHED, 0, 0)
                continue
            progress[PHASE] = SEARCHING
        contents, shape, scratch, store = (
            read_contents(arena),
            read_shape(arena),
            read_scratch(arena),
            read_store(arena),
        )
        outcome = GOAL
        if progress[PHASE] == SEARCHING:
            spent = store.counters[EXPANSIONS]
            turn = min(left, progress[MOST_EXPANSIONS] - spent)
            outcome = search(contents, shape, store, scratch, NO_LIMIT, turn)
            if outcome == PAUSED:
                left -= turn
            else:
                left -= 1 + store.counters[EXPANSIONS] - spent
            if (outcome == PAUSED and store.counters[EXPANSIONS] < progress[MOST_EXPANSIONS]) or (
                outcome == GROW and grow(arena)
            ):
                continue
            if outcome in (PAUSED, GROW):
                outcome = UNFINISHED
        moves = 0
        if outcome == GOAL:
            progress[PHASE] = REACHED
            moves = store.cost[store.counters[FOUND]]
            if progress[PLANS]:
                behind = progress[WRITTEN] + moves
                if 2 * behind <= len(packed.moves):
                    table = read_table(arena)
                    made = write_plan(contents, shape, scratch, store, table, packed.moves, progress[WRITTEN])
                    if made != behind:
                        return NO_PLAN
                    progress[WRITTEN] = behind
                elif progress[WRITTEN]:
                    return GROW
                else:
                    outcome = UNFINISHED
        empty_queue(store)
        answer(packed, batch, outcome, moves, store.counters[EXPANSIONS])
    return EXHAUSTED


@compiled
def begin(packed: Packed, batch: Batch) -> bool:
    """Makes the next search ready; False where the arena is too small for it."""
    arena, board = packed.arena, batch.progress[BYTE]
    arena[CURSOR] = arena[BASE]
    if not (
        number_contents(arena, packed.boards, board, 0)
        and make_tables(arena, packed.boards, board)
        and lay_search(arena)
    ):
        return False
    scratch, store = read_scratch(arena), read_store(arena)
    empty(store)
    numbers = read_table(arena).numbers
    homes = np.uint64(0)
    for tube in range(len(numbers)):
        scratch.child[tube] = max(0, numbers[tube])
        if numbers[tube] < 0:
            homes |= ONE << np.uint64(-1 - numbers[tube])
    scratch.key[len(scratch.key) - 1] = homes
    return True


@compiled
def answer(packed: Packed, batch: Batch, outcome: int, moves: int, expansions: int) -> None:
    """Writes an answer down, and goes on to the next board."""
    progress = batch.progress
    row = batch.answers[progress[ITEM]]
    row[OUTCOME], row[MOVES], row[SPENT], row[MOVES_END] = outcome, moves, expansions, progress[WRITTEN]
    progress[BYTE] = after_tubes(packed.boards, progress[BYTE] + LOADS, byte(packed.boards, progress[BYTE] + TUBES))
    progress[ITEM] += 1
    progress[PHASE] = NEXT


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
