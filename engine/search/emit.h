/* The children of a state: each is packed, found or entered, and put into the queue.

Where the table is large, looking at a slot and then at a record are two misses of the cache, most of a search's time.
So children wait until some dozens are there: their slots, then their records come meanwhile. The order in which they
are entered is the same. */

#ifndef EMIT_H
#define EMIT_H

#include "search/bounds.h"
#include "search/rounds.h"

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

/* Enters a new state, and puts it into a bucket; one that doesn't wait, NOTHING, into none. False when memory is used up. */
static inline bool enter (struct bspsat_search *search, uint32_t *slot, const uint64_t *key, const struct child *child,
                          int32_t bound, int64_t bucket) {
  if (search->states == search->room) {
    if (!grow_states (search))
      return false;
    slot = slot_of (search, key, child->hash, place_of (search, child->hash));
  }
  const int32_t state = search->states;
  struct record *record = record_at (search, state);
  *record = (struct record){NOTHING, child->parent, (uint16_t) child->cost, (uint16_t) bound};
  if (bucket == NOTHING)
    record->bound |= CLOSED;
  else if (!put (search, record, state, bucket))
    return false;
  memcpy ((char *) record + HEAD, key, (size_t) search->packing.words * sizeof *key);
  *slot = ((uint32_t) child->hash & ~((UINT32_C (1) << search->id_bits) - 1)) | (uint32_t) state;
  search->states++;
  return true;
}

/* The bucket of a state with a cost and bound. */
static inline int64_t bucket_of (const struct bspsat_search *search, int32_t cost, int32_t bound) {
  int64_t rank = (int64_t) search->cost_weight * cost + (int64_t) search->bound_weight * bound;
  if (search->cost_weight == search->bound_weight && rank < search->layer)
    rank = search->layer; // what holds for the way so far holds for all of it
  return rank * TIES + least (bound, TIES - 1);
}

/* Enters a child, unless it is known already at no greater cost, or the limit keeps it out; false when memory is used
up. */
static inline bool settle_child (struct bspsat_search *search, const int32_t *numbers, const uint64_t *key,
                                 const struct child *child) {
  const uint64_t hash = child->hash;
  const int32_t cost = child->cost;
  const struct bspsat_search *store = store_of (search, hash);
  uint32_t *slot = slot_of (store, key, hash, child->place);
  const uint32_t ids = (UINT32_C (1) << store->id_bits) - 1;
  struct record *record = *slot == EMPTY ? 0 : record_at (store, (int32_t) (*slot & ids));
  if (record && record->cost <= cost)
    return true;
  int32_t bound;
  if (record)
    bound = bound_at (record);
  else {
    if (!numbers)
      unpack (&search->packing, key, search->numbers), numbers = search->numbers;
    bound = search->packing.by_homes ? bound_of_homes (search, numbers, child->homes) : bound_in_moves (search, numbers);
  }
  if (cost + bound > search->limit) {
    search->facts.cut |= bound < UNREACHABLE;
    return true;
  }
  if (cost > MOST_COST || bound > MOST_BOUND)
    return false; // no plan of so many moves is ever found: it would take more memory than there is
  if (search->facts.deepening) {
    if ((search->stacked + 1) * search->stride > search->stack_bytes && !grow_stack (search))
      return false;
    record = (struct record *) (search->stack + search->stacked++ * search->stride);
    *record = (struct record){NOTHING, child->parent, (uint16_t) cost, (uint16_t) bound};
    memcpy ((char *) record + HEAD, key, (size_t) search->packing.words * sizeof *key);
    return true;
  }
  const int64_t bucket = bucket_of (search, cost, bound);
  if (!record) {
    if (!enter (search, slot, key, child, bound, bucket))
      return false;
  } else {
    if (!put (search, record, (int32_t) (*slot & ids), bucket))
      return false;
    record->cost = (uint16_t) cost;
    record->parent = child->parent;
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
    struct child *child = &search->children[at];
    if (search->places != places)
      child->place = place_of (search, child->hash);
    if (!settle_child (search, 0, search->keys + at * words, child))
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
  if (search->outbox)
    return send (search, hash, homes, cost, key);
  const uint32_t place = place_of (store_of (search, hash), hash);
  struct child *made = &search->children[search->waiting];
  *made = (struct child){hash, homes, cost, search->now, place};
  if (!search->waits)
    return settle_child (search, child, key, made);
  __builtin_prefetch (&search->table[place]);
  search->waiting++;
  return search->waiting < WAITING || settle (search);
}

#endif
