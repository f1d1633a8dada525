/* Depth first, when the memory of A* is used up: from all states that wait, with a limit on moves that rises by one each round
(IDA*: Korf 1985; from such a frontier, MREC: Sen and Bagchi 1989).

The stored states serve to recognise what is reached from another one that waited at no greater cost. But what isn't stored is
reached again and again, five times as often with each round. So after a round with more expansions than there are states, that
memory is used otherwise: the search begins at the start, and **notes** (notes.c) each state that it goes on from, with its
cost, in place of the deepest of a few (Reinefeld and Marsland 1994). Two rules leave states out, whatever was forgotten in
between:

- One that was noted in this round at no greater cost. Of a plan within the limit, the start is expanded in each round;
  and if a state of it is expanded at no greater cost than the plan has there, so is the next, now or before. So a goal is.
- If there is no plan of fewer than `proven` moves, then none from a state that can be reached at cost g has fewer than
  `proven` - g: a bound on it, also in later rounds.

A state that was noted at less cost than it is cut at is no loss: the way to where it was noted first at the least cost is
taken in each round, step by step, or one of the states on it is unknown and cut, which `facts.cut` says. */

#include "search/spaces.h"

#include "memory.h"

/* Lists the states that wait, those with the least bound on plans first, of equal ones the one found first. The list goes
by the records' own entries; the queue is used up. */
static void line_up (struct bspsat_search *search, int32_t *heads, int64_t buckets) {
  const int64_t last = buckets - 1; // for all from there on: only where bounds have no weight there may be some
  memset (heads, 0xff, 4 * (size_t) buckets);
  for (int32_t state = search->states - 1; state >= 0; state--) {
    if (search->parts && state / PARTS >= search->parts[state % PARTS].states)
      continue;
    struct record *record = any_record_at (search, state);
    if (record->bound & CLOSED)
      continue;
    const int64_t rank = record->cost + bound_at (record);
    int32_t *head = &heads[rank < last ? rank : last];
    record->next = *head;
    *head = state;
  }
  int32_t *end = &search->frontier;
  for (int64_t rank = 0; rank <= last; rank++) {
    *end = heads[rank];
    while (*end >= 0)
      end = &any_record_at (search, *end)->next;
  }
  *end = NOTHING;
}

static bool line_up_all (struct bspsat_search *search) {
  struct bspsat_search *stores = search->parts ? search->parts : search;
  const int32_t number = search->parts ? PARTS : 1;
  for (int32_t at = 0; at < number; at++)
    if (!stores[at].table)
      return false;
  if (!search->stack && !grow_stack (search))
    return false;
  line_up (search, stores->heads, stores->buckets);
  for (int32_t at = 0; at < number; at++)
    give_back_heads (&stores[at]);
  return true;
}

enum bspsat_status go_by_depth (struct bspsat_search *search, int32_t limit, int64_t budget) {
  search->limit = limit;
  search->work = 0;
  while (budget-- > 0 && search->work < search->turn) {
    int32_t state = search->unfinished;
    while (state == NOTHING && search->stacked &&
           any_record_at (search, search->states + search->stacked - 1)->bound & CLOSED)
      search->stacked--; // it has been expanded
    struct record *record;
    if (state != NOTHING) {
      record = any_record_at (search, state);
      search->unfinished = NOTHING;
    } else if (search->stacked) {
      state = search->states + search->stacked - 1;
      record = any_record_at (search, state);
      record->bound |= CLOSED;
    } else if (search->frontier_at >= 0) {
      state = search->frontier_at;
      record = any_record_at (search, state);
      search->frontier_at = record->next;
      if (record->cost + bound_at (record) > limit) {
        search->facts.cut = true;
        continue;
      }
    } else {
      search->proven = most_of (search->proven, limit + 1);
      return BSPSAT_EXHAUSTED;
    }
    const uint64_t homes = take_up (search, record, state);
    if (finds_goal (search))
      return BSPSAT_FOUND;
    if (!expand (search, homes)) {
      search->is_over = true;
      return BSPSAT_MEMORY;
    }
    if (search->half != NOTHING)
      search->unfinished = state;
  }
  return BSPSAT_PAUSED;
}

int64_t bspsat_search_deepen (struct bspsat_search *search) {
  if (!search->has_begun || search->facts.deepening)
    return BSPSAT_INVALID;
  if (!search->states || !line_up_all (search))
    return BSPSAT_MEMORY;
  search->cut_before = search->facts.cut;
  search->facts.deepening = true;
  search->proven = 0;
  search->expanded_before = search->facts.expansions;
  const int32_t found = search->found; // stays: so does its way
  bspsat_search_again (search);
  search->found = found;
  return BSPSAT_FOUND;
}

/* Forgets the states that are stored, and uses their memory for notes. */
static void begin_notes (struct bspsat_search *search) {
  for (int32_t part = 0; part < (search->parts ? PARTS : 1); part++)
    empty_for_notes (search->parts ? &search->parts[part] : search);
  search->states = 0;
  search->frontier = search->round = NOTHING;
  search->cut_before = false;
  search->notes = search->waits = true;
}

int64_t bspsat_search_again (struct bspsat_search *search) {
  if (!search->facts.deepening)
    return BSPSAT_INVALID;
  search->is_over = false;
  search->found = search->unfinished = search->half = NOTHING;
  search->stacked = 0;
  if (search->facts.expansions - search->expanded_before > search->states && !search->notes)
    begin_notes (search);
  search->expanded_before = search->facts.expansions;
  search->facts.cut = search->cut_before;
  search->frontier_at = search->frontier;
  search->round++;
  search->is_over = search->notes && !enter_start (search);
  return search->is_over ? BSPSAT_MEMORY : BSPSAT_FOUND;
}
