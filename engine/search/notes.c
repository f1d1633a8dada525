/* What a search depth first (depth.c) goes on from: the stack of states, and notes of those that were put there. */

#include "search/spaces.h"

#include "memory.h"

bool push (struct bspsat_search *search, const key_word *key, const struct child *child, int32_t bound) {
  if ((search->stacked + 1) * search->stride > search->stack_bytes && !grow_stack (search))
    return false;
  struct record *record = (struct record *) (search->stack + search->stacked++ * search->stride);
  *record = (struct record){NOTHING, child->parent, (uint16_t) child->cost, (uint16_t) bound};
  memcpy (key_at (record), key, (size_t) search->packing.words * sizeof *key);
  return true;
}

/* The note of a state; else the one that it is to take the place of. */
static struct record *note_of (const struct bspsat_search *store, const key_word *key, uint32_t set, bool *is_known) {
  const size_t bytes = (size_t) store->packing.words * sizeof *key;
  struct record *deepest = record_at (store, (int32_t) (WAYS * set));
  for (int32_t way = 0; way < WAYS; way++) {
    struct record *record = record_at (store, (int32_t) (WAYS * set) + way);
    *is_known = record->next != NOTHING && !memcmp (key_at (record), key, bytes);
    if (*is_known)
      return record;
    if (record->cost > deepest->cost)
      deepest = record;
  }
  return deepest;
}

void await_notes (const struct bspsat_search *store, uint32_t set) {
  const char *first = (const char *) record_at (store, (int32_t) (WAYS * set));
  for (int64_t byte = 0; byte < WAYS * store->stride; byte += 64)
    __builtin_prefetch (first + byte);
}

bool push_noted (struct bspsat_search *search, const key_word *key, const struct child *child) {
  bool is_known;
  struct record *record = note_of (store_of (search, child->hash), key, child->place, &is_known);
  if (is_known && record->next == search->round && record->cost <= child->cost)
    return true;
  int32_t bound;
  if (is_known)
    bound = most_of (bound_at (record), search->proven - record->cost);
  else {
    unpack (&search->packing, key, search->numbers);
    bound = bound_of_state (search, search->numbers, child->homes);
  }
  if (child->cost + bound > search->limit) {
    search->facts.cut |= bound < UNREACHABLE && !(is_known && record->cost < child->cost);
    return true;
  }
  if (child->cost > MOST_COST || bound > MOST_BOUND || !push (search, key, child, bound))
    return false;
  *record = (struct record){search->round, NOTHING, (uint16_t) child->cost, (uint16_t) bound};
  memcpy (key_at (record), key, (size_t) search->packing.words * sizeof *key);
  return true;
}
