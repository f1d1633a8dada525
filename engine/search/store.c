/* Room for states, and what happens when there is no more: see store.h. */

#include "search/store.h"

#include "memory.h"

enum {
  FIRST_BYTES = 1 << 18,  // of records
  FIRST_STATES = 1 << 12, // at most: a large table takes longer to clear than an easy board takes
  FIRST_BUCKETS = 1 << 14,
  FIRST_STACK = 1 << 16,  // bytes
  LEAST_ROOM = 16,        // states, whatever the limit is
  PLACE_BYTES = 6,        // of the table for a state
  FEW_BYTES = 1 << 24,    // up to which room is doubled whatever is left
};

static int64_t places_for (int64_t room) { return room + room / 2 + 1; }

static void update_bytes (struct bspsat_search *search) {
  search->facts.bytes = search->record_bytes + (search->table ? 4 * search->places : 0) + 4 * search->buckets +
                        search->stack_bytes + (int64_t) sizeof (struct extra) * search->extras_room;
  for (int32_t part = 0; search->parts && part < PARTS; part++)
    search->facts.bytes += search->parts[part].facts.bytes;
}

/* Sets the room that the records' memory is enough for. */
static void set_room (struct bspsat_search *search) {
  search->room = (int32_t) (search->record_bytes / search->stride);
  if (!search->grown)
    search->room = least (search->room, FIRST_STATES);
  search->id_bits = 1;
  while (search->room >> search->id_bits)
    search->id_bits++;
}

/* Takes a table for the room, which is filled with what there is. */
static bool take_table (struct bspsat_search *search) {
  search->places = places_for (search->room);
  search->table = take_large (4 * search->places);
  if (!search->table) {
    search->places = 0;
    return false;
  }
  memset (search->table, 0xff, 4 * (size_t) search->places);
  const uint32_t ids = (UINT32_C (1) << search->id_bits) - 1;
  for (int32_t state = 0; state < search->states; state++) {
    const uint64_t hash = hash_of (key_at (record_at (search, state)), search->packing.words);
    int64_t place = place_of (search, hash);
    while (search->table[place] != EMPTY)
      if (++place == search->places)
        place = 0;
    search->table[place] = ((uint32_t) hash & ~ids) | (uint32_t) state;
  }
  return true;
}

bool limit_room (struct bspsat_search *search, int64_t most_bytes) {
  search->most_bytes = most_bytes < 0 ? 0 : most_bytes;
  const int64_t fits = search->most_bytes / (search->stride + PLACE_BYTES);
  set_room (search);
  if (!search->table && !take_table (search))
    return false;
  if (fits < search->room)
    search->room = (int32_t) fits;
  search->room = most_of (search->room, most_of (search->states, LEAST_ROOM));
  return true;
}

static void give_back_table (struct bspsat_search *search) {
  give_back_large (search->table, 4 * search->places);
  search->table = 0, search->places = 0;
}

void give_back_heads (struct bspsat_search *search) {
  give_back_large (search->heads, 4 * search->buckets);
  search->heads = 0, search->buckets = search->used_buckets = 0;
}

void empty_for_notes (struct bspsat_search *search) {
  give_back_table (search);
  memset (search->records, 0xff, (size_t) search->record_bytes);
  search->places = search->record_bytes / (WAYS * search->stride);
  search->is_clear = false;
}

void give_back_store (struct bspsat_search *search) {
  give_back_large (search->records, search->record_bytes);
  give_back_table (search);
  give_back_heads (search);
  give_back_large (search->extras, search->extras_room * (int64_t) sizeof *search->extras);
  search->is_clear = false;
  search->records = 0, search->record_bytes = 0;
  search->extras = 0, search->extras_room = 0;
}

void give_back_states (struct bspsat_search *search) {
  give_back_store (search);
  give_back_large (search->stack, search->stack_bytes);
  give_back (search->keys);
}

bool clear_states (struct bspsat_search *search) {
  search->is_clear = search->is_over = search->notes = false;
  search->states = 0;
  search->found = NOTHING;
  search->waits = false;
  search->turn = most_work (search);
  if (!search->heads) {
    search->heads = take_large (4 * FIRST_BUCKETS);
    if (!search->heads)
      return false;
    search->buckets = search->used_buckets = FIRST_BUCKETS;
  }
  memset (search->heads, 0xff, 4 * (size_t) search->used_buckets);
  search->grown = false;
  if (search->record_bytes != FIRST_BYTES) { // what was taken for many states would take long to clear
    char *records = resize_large (search->records, search->record_bytes, FIRST_BYTES);
    if (!records)
      return false;
    search->records = records, search->record_bytes = FIRST_BYTES;
  }
  set_room (search);
  if (search->table && search->places == places_for (search->room))
    memset (search->table, 0xff, 4 * (size_t) search->places);
  else {
    give_back_table (search);
    if (!take_table (search))
      return false;
  }
  search->extras_made = search->stacked = search->waiting = 0;
  search->extras_free = search->unfinished = search->half = NOTHING;
  search->used_buckets = search->bucket = search->layer = 0;
  search->facts = (struct bspsat_facts){0};
  update_bytes (search);
  return search->is_clear = true;
}

/*------------------------------------------------------------------------*/

/* The room to make next: twice as much, or so that later doublings use the memory up; less than half as much more where
there is none. */
static int64_t next_room (const struct bspsat_search *search) {
  const int64_t each = search->stride + PLACE_BYTES, others = search->facts.bytes - search->record_bytes - 4 * search->places;
  const int64_t fits = (search->most_bytes - others) / each;
  const int64_t most = search->outbox ? MOST_STATES / PARTS : MOST_STATES;
  int64_t room = fits < most ? fits : most;
  if (2 * (int64_t) search->room <= room && 2 * search->room * each <= FEW_BYTES)
    return 2 * search->room;
  while (room >= 3 * (int64_t) search->room)
    room /= 2;
  return room;
}

bool grow_states (struct bspsat_search *search) {
  const int64_t room = next_room (search), old_bytes = search->record_bytes, bytes = room * search->stride;
  if (room < search->room + search->room / 2)
    return false;
  const bool had_grown = search->grown;
  char *records = resize_large (search->records, old_bytes, bytes);
  if (!records)
    return false;
  search->records = records, search->record_bytes = bytes;
  search->grown = true;
  give_back_table (search); // before the new one is taken, so that both are never there at once
  set_room (search);
  if (!take_table (search)) {
    records = resize_large (search->records, bytes, old_bytes);
    if (records)
      search->records = records, search->record_bytes = old_bytes;
    search->grown = had_grown || !records;
    set_room (search);
    take_table (search); // if it fails, `begin_deepening` sees that
    update_bytes (search);
    return false;
  }
  search->waits = 4 * search->places > FEW_BYTES / 16;
  update_bytes (search);
  return true;
}

bool grow_buckets (struct bspsat_search *search, int64_t bucket) {
  int64_t buckets = search->buckets;
  while (buckets <= bucket)
    buckets *= 2;
  int32_t *heads = resize_large (search->heads, 4 * search->buckets, 4 * buckets);
  if (!heads)
    return false;
  memset (heads + search->buckets, 0xff, 4 * (size_t) (buckets - search->buckets));
  search->heads = heads, search->buckets = buckets;
  update_bytes (search);
  return true;
}

bool grow_extras (struct bspsat_search *search) {
  const int32_t room = search->extras_room ? 2 * search->extras_room : 1 << 10;
  struct extra *extras = room == MOST_STATES ? 0 : resize_large (search->extras, search->extras_room * (int64_t) sizeof *extras,
                                                                 room * (int64_t) sizeof *extras);
  if (!extras)
    return false;
  search->extras = extras, search->extras_room = room;
  update_bytes (search);
  return true;
}

bool grow_stack (struct bspsat_search *search) {
  const int64_t bytes = search->stack_bytes ? 2 * search->stack_bytes : FIRST_STACK;
  char *stack = bytes / search->stride > MOST_STATES / 2 ? 0 : resize_large (search->stack, search->stack_bytes, bytes);
  if (!stack)
    return false;
  search->stack = stack, search->stack_bytes = bytes;
  update_bytes (search);
  return true;
}
