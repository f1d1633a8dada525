/* The search: A* over packed states.

docs/search.md has the two spaces of states, moves and homes; instances/README.md and engine/homes.md the arguments for
what is left out of them. */

#include "search/spaces.h"

#include "memory.h"

bool fit_search (struct bspsat_search *search, const struct bspsat_board *board) {
  search->has_begun = false;
  search->board = board;
  search->tables = board->tables;
  search->packing = packing_of (board);
  search->expands = board->by_homes ? expand_homes : board->ruled ? expand_ruled : expand_moves;
  search->stride = HEAD + 8 * search->packing.words;
  search->waits = false;
  search->waiting = 0;
  give_back (search->keys);
  search->keys = take (8 * WAITING * search->packing.words);
  if (!search->keys)
    return false;
  return clear_states (search);
}

bool is_at_goal (struct bspsat_search *search, const int32_t *numbers) {
  if (search->packing.by_homes)
    return numbers[0] == 0;
  if (search->tables.needs)
    return true;
  for (int32_t place = 0; place < search->packing.tubes; place++)
    if (!search->tables.done[numbers[place]])
      return false;
  return true;
}

bool finds_goal (struct bspsat_search *search) {
  if (search->now_bound > 0 || !is_at_goal (search, search->state))
    return false;
  search->found = search->now, search->facts.cost = search->now_cost;
  return true;
}

bool expand (struct bspsat_search *search, uint64_t homes) {
  search->facts.expansions++;
  search->waiting = 0;
  if (search->expands (search, homes) && settle (search))
    return true;
  search->facts.expansions--;
  return false;
}

uint64_t take_up (struct bspsat_search *search, const struct record *record, int32_t state) {
  search->now = state, search->now_cost = record->cost, search->now_bound = bound_at (record);
  unpack (&search->packing, key_at (record), search->state);
  return homes_of (search, search->state);
}

bool enter_start (struct bspsat_search *search) {
  uint64_t homes = 0;
  for (int32_t tube = 0; tube < search->packing.tubes; tube++) {
    const int32_t number = search->start[tube];
    search->child[tube] = most_of (0, number);
    if (number < 0)
      homes = with (homes, -1 - number);
  }
  search->now = NOTHING;
  search->limit = BSPSAT_NO_LIMIT; // a start from which no goal can be reached is left out
  search->waiting = 0;
  if (!emit (search, homes, 0) || !settle (search))
    return false;
  search->bucket = most_of (0, (int32_t) search->used_buckets - 1); // it alone waits: passing by the others took a tenth
  return true;                                                      // of an easy search
}

bool has_next (struct bspsat_search *search) {
  while (search->bucket < search->used_buckets && search->heads[search->bucket] == NOTHING)
    search->bucket++;
  return search->bucket < search->used_buckets;
}

int32_t take_out (struct bspsat_search *search, int64_t bucket) {
  const int32_t entry = search->heads[bucket];
  int32_t state = entry;
  if (entry >= 0) {
    struct record *record = record_at (search, state);
    record->bound &= (uint16_t) ~LINKED;
    search->heads[bucket] = record->next;
  } else {
    struct extra *extra = &search->extras[FIRST_EXTRA - entry];
    state = extra->state;
    search->heads[bucket] = extra->next;
    extra->next = search->extras_free;
    search->extras_free = FIRST_EXTRA - entry;
  }
  if (search->heads[bucket] >= 0)
    __builtin_prefetch (record_at (search, search->heads[bucket]));
  return state;
}

static void leave_unfinished (struct bspsat_search *search, int32_t state) {
  search->unfinished = state;
  record_at (search, state)->bound &= (uint16_t) ~CLOSED;
}

/* Expands up to `budget` states in the order of their buckets; first the one that wasn't finished, which is in none of
them. */
enum bspsat_status go_by_rank (struct bspsat_search *search, int32_t limit, int64_t budget) {
  if (search->states == 0 && !enter_start (search))
    return BSPSAT_MEMORY;
  search->limit = limit;
  search->work = 0;
  while (budget-- > 0 && search->work < search->turn) {
    int32_t state = search->unfinished;
    if (state == NOTHING) {
      if (!has_next (search))
        return BSPSAT_EXHAUSTED;
      search->layer = search->bucket / TIES;
      state = take_out (search, search->bucket);
    }
    search->unfinished = NOTHING;
    struct record *record = record_at (search, state);
    if (record->bound & CLOSED)
      continue; // it was reached more cheaply since it was put in
    record->bound |= CLOSED;
    if (record->cost + bound_at (record) > limit) {
      search->facts.cut = true;
      continue;
    }
    const uint64_t homes = take_up (search, record, state);
    if (finds_goal (search))
      return BSPSAT_FOUND;
    if (!expand (search, homes)) {
      leave_unfinished (search, state);
      search->half = NOTHING;
      return BSPSAT_MEMORY;
    }
    if (search->half != NOTHING)
      leave_unfinished (search, state);
  }
  return BSPSAT_PAUSED;
}
