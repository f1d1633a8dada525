/* The children of a state: each is packed, found or entered, and put into the queue.

Where the table is large, looking at a slot and then at a record are two misses of the cache, most of a search's time.
So children wait until some dozens are there: their slots, then their records come meanwhile. The order in which they
are entered is the same. */

#ifndef EMIT_H
#define EMIT_H

#include "search/bounds.h"

/* Puts `state` on top of a bucket; false when memory is used up. */
static inline bool put (struct bspsat_search *search, struct record *record, int32_t state, int64_t bucket) {
  if (bucket >= search->buckets && !grow_buckets (search, bucket))
    return false;
  int32_t entry = state;
  int32_t *next = &record->next;
  if (record->bound & LINKED) {
    int32_t place = search->extras_free;
    if (place >= 0)
      search->extras_free = search->extras[place].next;
    else {
      if (search->extras_made == search->extras_room && !grow_extras (search))
        return false;
      place = search->extras_made++;
    }
    search->extras[place].state = state;
    next = &search->extras[place].next;
    entry = FIRST_EXTRA - place;
  } else
    record->bound |= LINKED;
  *next = search->heads[bucket];
  search->heads[bucket] = entry;
  if (bucket >= search->used_buckets)
    search->used_buckets = bucket + 1;
  return true;
}

/* Enters a child, unless it is known already at no greater cost, or the limit keeps it out; false when memory is used
up. */
static inline bool settle_child (struct bspsat_search *search, const int32_t *numbers, const uint64_t *key,
                                 uint64_t hash, uint32_t place, uint64_t homes, int32_t cost) {
  uint32_t *slot = slot_of (search, key, hash, place);
  const uint32_t ids = (UINT32_C (1) << search->id_bits) - 1;
  struct record *record = *slot == EMPTY ? 0 : record_at (search, (int32_t) (*slot & ids));
  if (record && record->cost <= cost)
    return true;
  int32_t bound;
  if (record)
    bound = bound_at (record);
  else
    bound = search->packing.by_homes ? bound_of_homes (search, numbers, homes) : bound_in_moves (search, numbers);
  if (cost + bound > search->limit) {
    search->facts.cut |= bound < UNREACHABLE;
    return true;
  }
  if (cost > MOST_COST || bound > MOST_BOUND)
    return false; // no plan of so many moves is ever found: it would take more memory than there is
  const size_t bytes = (size_t) search->packing.words * sizeof *key;
  if (search->facts.deepening) {
    if ((search->stacked + 1) * search->stride > search->stack_bytes && !grow_stack (search))
      return false;
    record = (struct record *) (search->stack + search->stacked++ * search->stride);
    *record = (struct record){NOTHING, search->now, (uint16_t) cost, (uint16_t) bound};
    memcpy ((char *) record + HEAD, key, bytes);
    return true;
  }
  int64_t rank = (int64_t) search->cost_weight * cost + (int64_t) search->bound_weight * bound;
  if (search->cost_weight == search->bound_weight && rank < search->bucket / TIES)
    rank = search->bucket / TIES; // what holds for the way so far holds for all of it
  const int64_t bucket = rank * TIES + least (bound, TIES - 1);
  if (!record) {
    if (search->states == search->room) {
      if (!grow_states (search))
        return false;
      slot = slot_of (search, key, hash, place_of (search, hash));
    }
    const int32_t state = search->states;
    record = record_at (search, state);
    *record = (struct record){NOTHING, search->now, (uint16_t) cost, (uint16_t) bound};
    if (!put (search, record, state, bucket))
      return false;
    memcpy ((char *) record + HEAD, key, bytes);
    *slot = ((uint32_t) hash & ~((UINT32_C (1) << search->id_bits) - 1)) | (uint32_t) state;
    search->states++;
  } else {
    if (!put (search, record, (int32_t) (*slot & ids), bucket))
      return false;
    record->cost = (uint16_t) cost;
    record->parent = search->now;
    record->bound &= (uint16_t) ~CLOSED;
  }
  if (bucket < search->bucket)
    search->bucket = bucket;
  return true;
}

/* Enters the children that wait. */
static inline bool settle (struct bspsat_search *search) {
  const int32_t waiting = search->waiting, words = search->packing.words;
  const uint32_t ids = (UINT32_C (1) << search->id_bits) - 1;
  search->waiting = 0;
  for (int32_t child = 0; child < waiting; child++) {
    const uint32_t slot = search->table[search->children[child].place];
    if (slot != EMPTY && (slot & ~ids) == ((uint32_t) search->children[child].hash & ~ids)) {
      const char *record = (const char *) record_at (search, (int32_t) (slot & ids));
      __builtin_prefetch (record);
      __builtin_prefetch (record + search->stride - 1);
    }
  }
  const int64_t places = search->places;
  for (int32_t at = 0; at < waiting; at++) {
    const struct child *child = &search->children[at];
    const uint32_t place = search->places == places ? child->place : place_of (search, child->hash);
    if (!settle_child (search, search->numbers + at * search->packing.tubes, search->keys + at * words, child->hash,
                       place, child->homes, child->cost))
      return false;
  }
  return true;
}

/* Takes a child whose numbers are in `search->child`; false when memory is used up. */
static inline bool emit (struct bspsat_search *search, uint64_t homes, int32_t cost) {
  const struct packing *packing = &search->packing;
  int32_t *child = search->child;
  sort (child, packing->tubes);
  if (search->enters)
    return search->enters (search, homes, cost);
  uint64_t *key = search->keys + search->waiting * packing->words;
  pack (packing, child, key);
  const uint64_t hash = hash_of (key, packing->words);
  const uint32_t place = place_of (search, hash);
  if (!search->waits)
    return settle_child (search, child, key, hash, place, homes, cost);
  __builtin_prefetch (&search->table[place]);
  copy (child, search->numbers + search->waiting * packing->tubes, packing->tubes);
  search->children[search->waiting++] = (struct child){hash, homes, cost, place};
  return search->waiting < WAITING || settle (search);
}

#endif
