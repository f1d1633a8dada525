/* Rounds, and how threads share their work: see parallel.h. */

#include "search/parallel.h"

#include "memory.h"
#include "search/outbox.h"
#include "search/spaces.h"

#include <stdatomic.h>

#if defined _WIN32
__declspec (dllimport) int __stdcall SwitchToThread (void);
#elif !defined __wasm__
#include <sched.h>
#endif

enum {
  BATCH_TUBES = 24000,    // the same times the square of tubes, so that a round takes no longer on large boards
  TURN = 4,               // works of a call, as it also begins and ends for all threads
  MOST_CAPACITY = 12,     // of tubes that are left in whole runs, as all ways to do so are listed at once
  SLOWLY = 4,             // rounds of a layer after which the batch doubles: a goal may be near
  FIRST_SENT = 1 << 14,   // bytes of children
  PATIENCE = 1 << 10,     // looks at what others do before the processor is left to them
  TASK_BITS = 8,
};

struct rounds {
  struct outbox outboxes[PARTS];
  int64_t layer;      // rank of the states that are expanded
  int32_t in_layer;   // rounds so far with that rank
  int32_t limit;
  bool is_unfinished; // whether the last round is to be done again
  // The work of a round has two steps, and a task for each part; a ticket is the step's number and that of the next task.
  _Atomic uint64_t ticket;
  _Atomic int32_t done;  // tasks of this step
  _Atomic int64_t ended; // calls that have ended
};

/*------------------------------------------------------------------------*/
/* What is done for one part. */

/* Chooses the states of a round: of the least bound, those put in last. */
static void choose (struct bspsat_search *part, const struct rounds *rounds) {
  struct outbox *outbox = part->outbox;
  const int32_t tubes = part->packing.tubes, batch = most_of (1, least (BATCH, BATCH_TUBES / (tubes * tubes)));
  const int32_t most = least (batch, 1 << least (rounds->in_layer / SLOWLY, 30));
  outbox->batched = 0;
  while (outbox->batched < most && has_next (part) && part->bucket / TIES <= rounds->layer) {
    const int32_t state = take_out (part, part->bucket);
    if (!(record_at (part, state)->bound & CLOSED))
      outbox->batch[outbox->batched++] = state;
  }
}

static enum bspsat_status expand_batch (struct bspsat_search *search, int32_t number) {
  const struct rounds *rounds = search->rounds;
  struct bspsat_search *part = &search->parts[number];
  struct outbox *outbox = part->outbox;
  part->layer = rounds->layer, part->limit = rounds->limit;
  outbox->used = 0;
  outbox->expansions = part->facts.expansions;
  memset (outbox->first, 0xff, sizeof outbox->first);
  if (!rounds->is_unfinished)
    choose (part, rounds);
  for (int32_t at = 0; at < outbox->batched; at++) {
    const int32_t state = outbox->batch[at];
    struct record *record = record_at (part, state);
    record->bound |= CLOSED;
    const uint64_t homes = take_up (part, record, whole_number (number, state));
    if (finds_goal (part))
      return BSPSAT_FOUND;
    if (!expand (part, homes))
      return BSPSAT_MEMORY;
  }
  return BSPSAT_PAUSED;
}

static enum bspsat_status enter_children (struct bspsat_search *search, int32_t number) {
  struct bspsat_search *part = &search->parts[number];
  const int32_t words = part->packing.words;
  part->waiting = 0;
  for (int32_t from = 0; from < PARTS; from++) {
    const struct outbox *outbox = search->parts[from].outbox;
    for (int32_t at = outbox->first[number]; at != NOTHING;) {
      const struct sent *child = (const struct sent *) (outbox->sent + at);
      const uint32_t place = place_of (part, child->hash);
      __builtin_prefetch (&part->table[place]);
      memcpy (part->keys + part->waiting * words, child + 1, 8 * (size_t) words);
      part->children[part->waiting++] = (struct child){child->hash, child->homes, child->cost, child->parent, place};
      if (part->waiting == WAITING && !settle (part))
        return BSPSAT_MEMORY;
      at = child->next;
    }
  }
  return settle (part) ? BSPSAT_PAUSED : BSPSAT_MEMORY;
}

/*------------------------------------------------------------------------*/
/* How threads share the tasks of a step. A thread that draws a task has it for itself: the ticket has changed then. All that
was done in a step is seen by whoever draws from the next one. */

static void wait_a_little (int32_t *looks) {
  if (++*looks < PATIENCE) {
#if defined __x86_64__
    __builtin_ia32_pause ();
#endif
    return;
  }
#if defined _WIN32
  SwitchToThread ();
#elif !defined __wasm__
  sched_yield ();
#endif
}

/* Does tasks while there are some; returns whether it did any. */
static bool do_tasks (struct bspsat_search *search) {
  struct rounds *rounds = search->rounds;
  bool did_some = false;
  for (;;) {
    uint64_t ticket = atomic_load_explicit (&rounds->ticket, memory_order_acquire);
    const int32_t part = (int32_t) (ticket & ((1 << TASK_BITS) - 1));
    if (part == PARTS)
      return did_some;
    if (!atomic_compare_exchange_weak_explicit (&rounds->ticket, &ticket, ticket + 1, memory_order_acq_rel,
                                                memory_order_relaxed))
      continue;
    const bool is_first = ticket >> TASK_BITS & 1;
    search->parts[part].outbox->status = is_first ? expand_batch (search, part) : enter_children (search, part);
    atomic_fetch_add_explicit (&rounds->done, 1, memory_order_release);
    did_some = true;
  }
}

/* Does a step with all threads that help, and returns how it ended: with a goal, with too little memory, or well. */
static enum bspsat_status do_step (struct bspsat_search *search, bool is_first) {
  struct rounds *rounds = search->rounds;
  const uint64_t step = atomic_load_explicit (&rounds->ticket, memory_order_relaxed) >> TASK_BITS;
  atomic_store_explicit (&rounds->done, 0, memory_order_relaxed);
  // Odd numbers are first steps; where a round ended early the number of its second one is passed over.
  const uint64_t next = (step & 1) == is_first ? step + 2 : step + 1;
  atomic_store_explicit (&rounds->ticket, next << TASK_BITS, memory_order_release);
  do_tasks (search);
  for (int32_t looks = 0; atomic_load_explicit (&rounds->done, memory_order_acquire) < PARTS;)
    wait_a_little (&looks);
  enum bspsat_status status = BSPSAT_PAUSED;
  for (int32_t part = PARTS - 1; part >= 0; part--) {
    const enum bspsat_status own = search->parts[part].outbox->status;
    if (own == BSPSAT_FOUND)
      search->found = search->parts[part].found, search->facts.cost = search->parts[part].facts.cost;
    if (own == BSPSAT_FOUND || (own == BSPSAT_MEMORY && status != BSPSAT_FOUND))
      status = own;
  }
  return status;
}

int64_t bspsat_search_help (struct bspsat_search *search, int64_t calls) {
  struct rounds *rounds = search->rounds;
  if (!rounds || search->facts.deepening || calls - 1 > atomic_load_explicit (&rounds->ended, memory_order_acquire))
    return BSPSAT_INVALID;
  for (int32_t looks = 0; atomic_load_explicit (&rounds->ended, memory_order_acquire) < calls;)
    if (do_tasks (search))
      looks = 0;
    else
      wait_a_little (&looks);
  return BSPSAT_FOUND;
}

/*------------------------------------------------------------------------*/

/* Sets the rank of the states to expand: the least of those that wait. False where none waits. */
static bool find_layer (struct bspsat_search *search) {
  struct rounds *rounds = search->rounds;
  int64_t layer = INT64_MAX;
  for (int32_t part = 0; part < PARTS; part++)
    if (has_next (&search->parts[part]) && search->parts[part].bucket / TIES < layer)
      layer = search->parts[part].bucket / TIES;
  if (layer == INT64_MAX)
    return false;
  rounds->in_layer = layer == rounds->layer ? rounds->in_layer + 1 : 0;
  rounds->layer = layer;
  return true;
}

static void add_up (struct bspsat_search *search) {
  struct bspsat_facts *facts = &search->facts;
  facts->expansions = facts->states = facts->bytes = search->states = 0;
  search->work = 0;
  for (int32_t number = 0; number < PARTS; number++) {
    const struct bspsat_search *part = &search->parts[number];
    facts->expansions += part->facts.expansions;
    search->work += part->work;
    facts->states += part->states;
    facts->bytes += part->facts.bytes;
    search->states = most_of (search->states, part->states * PARTS);
    facts->cut |= part->facts.cut;
  }
}

/* Makes the states of a round wait again: its children aren't all entered. */
static void take_back (struct bspsat_search *search) {
  for (int32_t number = 0; number < PARTS; number++) {
    struct bspsat_search *part = &search->parts[number];
    part->facts.expansions = part->outbox->expansions;
    for (int32_t at = 0; at < part->outbox->batched; at++)
      record_at (part, part->outbox->batch[at])->bound &= (uint16_t) ~CLOSED;
  }
  search->rounds->is_unfinished = true;
}

enum bspsat_status go_by_rounds (struct bspsat_search *search, int32_t limit, int64_t budget, int64_t most_bytes) {
  struct rounds *rounds = search->rounds;
  const int64_t until = search->facts.expansions + budget;
  rounds->limit = limit;
  enum bspsat_status status = BSPSAT_PAUSED;
  for (int32_t part = 0; part < PARTS; part++) {
    if (!limit_room (&search->parts[part], most_bytes / PARTS))
      status = BSPSAT_MEMORY;
    search->parts[part].work = 0;
  }
  search->work = 0;
  while (status == BSPSAT_PAUSED && search->facts.expansions < until && search->work < TURN * most_work (search)) {
    if (!rounds->is_unfinished && !find_layer (search))
      status = BSPSAT_EXHAUSTED;
    else if (rounds->layer > limit)
      search->facts.cut = true, status = BSPSAT_EXHAUSTED;
    else {
      status = do_step (search, true);
      if (status == BSPSAT_PAUSED)
        status = do_step (search, false);
      rounds->is_unfinished = false;
      if (status != BSPSAT_PAUSED)
        take_back (search);
      add_up (search);
    }
  }
  search->facts.rank = rounds->layer;
  atomic_fetch_add_explicit (&rounds->ended, 1, memory_order_release);
  return status;
}

/*------------------------------------------------------------------------*/

void give_back_parts (struct bspsat_search *search) {
  for (int32_t part = 0; search->parts && part < PARTS; part++) {
    give_back_states (&search->parts[part]);
    if (search->rounds)
      give_back_large (search->rounds->outboxes[part].sent, search->rounds->outboxes[part].bytes);
  }
  give_back (search->parts);
  give_back (search->rounds);
  search->parts = 0, search->rounds = 0;
}

/* Makes empty parts; false when memory is used up. */
static bool take_parts (struct bspsat_search *search) {
  search->rounds = take_zeros (sizeof *search->rounds);
  search->parts = take_zeros (PARTS * (int64_t) sizeof *search->parts);
  if (!search->rounds || !search->parts)
    return false;
  for (int32_t number = 0; number < PARTS; number++) {
    struct bspsat_search *part = &search->parts[number];
    struct outbox *outbox = &search->rounds->outboxes[number];
    part->outbox = outbox;
    part->cost_weight = search->cost_weight, part->bound_weight = search->bound_weight, part->pruned = search->pruned;
    outbox->sent = take_large (FIRST_SENT);
    if (!outbox->sent)
      return false;
    outbox->bytes = FIRST_SENT;
    if (!fit_search (part, search->board))
      return false;
    part->layer = search->layer;
    if (!limit_room (part, search->most_bytes / PARTS))
      return false;
  }
  search->rounds->ticket = PARTS;
  return true;
}

/* Copies the states into the parts; false when memory is used up. */
static bool fill_parts (struct bspsat_search *search, int32_t *numbers) {
  const int32_t words = search->packing.words;
  int32_t states[PARTS] = {0};
  for (int32_t state = 0; state < search->states; state++) {
    const int32_t part = (int32_t) (hash_of (key_at (record_at (search, state)), words) % PARTS);
    numbers[state] = whole_number (part, states[part]++);
  }
  for (int32_t state = 0; state < search->states; state++) {
    const struct record *record = record_at (search, state);
    struct bspsat_search *part = &search->parts[numbers[state] % PARTS];
    const key_word *key = key_at (record);
    const struct child child = {.hash = hash_of (key, words), .cost = record->cost,
                                .parent = record->parent < 0 ? NOTHING : numbers[record->parent]};
    const int64_t bucket = record->bound & CLOSED ? NOTHING : bucket_of (part, child.cost, bound_at (record));
    if (!enter (part, slot_of (part, key, child.hash, place_of (part, child.hash)), key, &child, bound_at (record), bucket))
      return false;
  }
  return true;
}

int64_t bspsat_search_spread (struct bspsat_search *search) {
  if (search->parts || search->facts.deepening || search->cost_weight != search->bound_weight || !search->has_begun || !search->states ||
      (search->packing.by_homes && search->tables.capacity > MOST_CAPACITY))
    return BSPSAT_INVALID;
  int32_t *numbers = take (search->states * (int64_t) sizeof *numbers);
  const bool has_all = numbers && take_parts (search) && fill_parts (search, numbers);
  const int32_t found = has_all && search->found != NOTHING ? numbers[search->found] : NOTHING;
  give_back (numbers);
  if (!has_all) {
    give_back_parts (search);
    return BSPSAT_MEMORY;
  }
  search->found = found;
  search->parts[0].facts.expansions = search->facts.expansions;
  search->rounds->layer = search->layer;
  search->unfinished = search->half = NOTHING; // it waits in its part
  give_back_store (search);
  search->waits = false;
  add_up (search);
  return BSPSAT_FOUND;
}
