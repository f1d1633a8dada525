/* The search: A* over packed states, and depth first from those that wait when its memory is used up.

docs/search.md has the two spaces of states, moves and homes; instances/README.md and engine/homes.md the arguments for
what is left out of them. */

#include "search/loops.h"

#include "memory.h"
#include "search/homes.h"
#include "search/moves.h"

bool is_at_goal (struct bspsat_search *search, const int32_t *numbers) {
  if (search->packing.by_homes)
    return numbers[0] == 0;
  if (search->tables.needs)
    return bound_by_needs (search, numbers) == 0;
  for (int32_t place = 0; place < search->packing.tubes; place++)
    if (!search->tables.done[numbers[place]])
      return false;
  return true;
}

int32_t bound_of_state (struct bspsat_search *search, const int32_t *numbers, uint64_t homes) {
  return search->packing.by_homes ? bound_of_homes (search, numbers, homes) : bound_in_moves (search, numbers);
}

bool expand (struct bspsat_search *search, uint64_t homes) {
  search->facts.expansions++;
  search->waiting = 0;
  if (search->packing.by_homes)
    return expand_homes (search, homes) && settle (search);
  if (search->board->ruled)
    return expand_ruled (search) && settle (search);
  return expand_moves (search) && settle (search);
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

bool enter_waiting (struct bspsat_search *search) { return settle (search); }

bool enter_known (struct bspsat_search *search, const uint64_t *key, const struct child *child, int32_t bound,
                  bool is_closed) {
  uint32_t *slot = slot_of (search, key, child->hash, place_of (search, child->hash));
  const int64_t bucket = is_closed ? NOTHING : bucket_of (search, child->cost, bound);
  return enter (search, slot, key, child, bound, bucket);
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
  while (budget-- > 0 && search->work < most_work (search)) {
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
    if (is_at_goal (search, search->state)) {
      search->found = state;
      search->facts.cost = record->cost;
      return BSPSAT_FOUND;
    }
    if (!expand (search, homes)) {
      search->facts.expansions--;
      leave_unfinished (search, state);
      search->half = NOTHING;
      return BSPSAT_MEMORY;
    }
    if (search->half != NOTHING)
      leave_unfinished (search, state);
  }
  return BSPSAT_PAUSED;
}

/* Goes depth first from each state that waited to all states on plans of at most `limit` moves.

The states of the store serve to recognise what is reached from another one that waited at no greater cost. A state on
the stack that is CLOSED has been expanded, and goes when it is on top again. */

static enum bspsat_status go_by_depth (struct bspsat_search *search, int32_t limit, int64_t budget) {
  search->limit = limit;
  search->work = 0;
  while (budget-- > 0 && search->work < most_work (search)) {
    int32_t state = search->unfinished;
    while (state == NOTHING && search->stacked &&
           any_record_at (search, search->states + search->stacked - 1)->bound & CLOSED)
      search->stacked--;
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
    } else
      return BSPSAT_EXHAUSTED;
    const uint64_t homes = take_up (search, record, state);
    if (is_at_goal (search, search->state)) {
      search->found = state;
      search->facts.cost = record->cost;
      return BSPSAT_FOUND;
    }
    if (!expand (search, homes)) {
      search->is_over = true;
      return BSPSAT_MEMORY;
    }
    if (search->half != NOTHING)
      search->unfinished = state;
  }
  return BSPSAT_PAUSED;
}

int64_t bspsat_search_run (struct bspsat_search *search, int64_t limit, int64_t budget, int64_t most_bytes) {
  if (!search->has_begun)
    return BSPSAT_INVALID;
  const int32_t within = (int32_t) (limit < 0 ? -1 : limit < BSPSAT_NO_LIMIT ? limit : BSPSAT_NO_LIMIT);
  budget = budget < 0 ? 0 : budget < MOST_STATES ? budget : MOST_STATES;
  search->found = NOTHING;
  if (search->facts.deepening)
    return search->is_over ? BSPSAT_MEMORY : go_by_depth (search, within, budget);
  if (search->parts)
    return go_by_rounds (search, within, budget, most_bytes);
  if (!limit_room (search, most_bytes))
    return BSPSAT_MEMORY;
  const enum bspsat_status status = go_by_rank (search, within, budget);
  search->facts.rank = search->bucket / TIES;
  search->facts.states = search->states;
  return status;
}

int64_t bspsat_search_deepen (struct bspsat_search *search) {
  if (!search->has_begun || search->facts.deepening)
    return BSPSAT_INVALID;
  if (!search->states || !begin_deepening (search))
    return BSPSAT_MEMORY;
  search->cut_before = search->facts.cut;
  return BSPSAT_FOUND;
}

int64_t bspsat_search_again (struct bspsat_search *search) {
  if (!search->facts.deepening)
    return BSPSAT_INVALID;
  search->is_over = false;
  search->found = NOTHING;
  search->facts.cut = search->cut_before;
  search->unfinished = search->half = NOTHING;
  search->stacked = 0;
  search->frontier_at = search->frontier;
  return BSPSAT_FOUND;
}

/*------------------------------------------------------------------------*/

struct bspsat_search *bspsat_search_new (const struct bspsat_board *board, int64_t cost_weight, int64_t bound_weight,
                                         int64_t pruned) {
  const bool is_weighted = cost_weight >= 0 && bound_weight >= 0 && cost_weight <= BSPSAT_MOST_WEIGHT &&
                           bound_weight <= BSPSAT_MOST_WEIGHT;
  struct bspsat_search *search = is_weighted ? take_zeros (sizeof *search) : 0;
  if (!search)
    return 0;
  search->cost_weight = (int32_t) cost_weight, search->bound_weight = (int32_t) bound_weight;
  search->pruned = pruned;
  if (fit_search (search, board))
    return search;
  bspsat_search_free (search);
  return 0;
}

void bspsat_search_free (struct bspsat_search *search) {
  if (!search)
    return;
  give_back_parts (search);
  give_back_states (search);
  give_back (search);
}

/* Whether these are the numbers of a board's tubes; in the space of homes, with as many balls of each colour as fill one. */

static bool are_numbers (const struct bspsat_search *search, const int32_t *numbers) {
  const struct bspsat_tables *tables = &search->tables;
  const bool by_homes = search->packing.by_homes;
  int32_t counts[MOST_COLOURS] = {0};
  for (int32_t tube = 0; tube < search->packing.tubes; tube++) {
    int32_t left = numbers[tube];
    if (left >= tables->numbers || left < (by_homes ? -tables->colours : 0))
      return false;
    if (left < 0)
      counts[-1 - left] += (int32_t) tables->capacity;
    for (; by_homes && left > 0; left = tables->less[left])
      counts[tables->top[left]] += tables->run[left];
  }
  for (int32_t colour = 0; by_homes && colour < tables->colours; colour++)
    if (counts[colour] != tables->capacity)
      return false;
  return true;
}

int64_t bspsat_search_start (struct bspsat_search *search, const int32_t *numbers) {
  if (!are_numbers (search, numbers))
    return BSPSAT_INVALID;
  search->has_begun = false;
  give_back_parts (search);
  if ((search->states || !search->is_clear) && !clear_states (search))
    return BSPSAT_MEMORY;
  copy (numbers, search->start, search->packing.tubes);
  search->has_begun = true;
  return BSPSAT_FOUND;
}

const struct bspsat_facts *bspsat_search_facts (const struct bspsat_search *search) { return &search->facts; }

int64_t bspsat_search_states (const struct bspsat_search *search, int64_t limit, int32_t *rows) {
  if (!search->has_begun || search->parts || search->packing.by_homes)
    return BSPSAT_INVALID;
  const int32_t tubes = search->packing.tubes;
  int64_t listed = 0;
  for (int32_t state = 0; state < search->states; state++) {
    const struct record *record = record_at (search, state);
    if (record->cost + bound_at (record) > limit)
      continue;
    unpack (&search->packing, key_at (record), rows);
    rows[tubes] = record->cost;
    rows += tubes + 1;
    listed++;
  }
  return listed;
}
