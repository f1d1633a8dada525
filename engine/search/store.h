/* States found so far, and the queue of those that wait; what all parts of a search share.

States are numbered as they are found. A **record** has all that is known of one: figures, then its key, so that looking
at it costs one miss of the cache or two. A table finds them: open addressing with linear probing, whole keys are
compared. Its slots hold a number and, in the bits that numbers don't need, a part of the hash, so that other records
are rarely looked at in vain.

The queue has a bucket, a list, for each rank and bound: of equal ranks, the least bound goes first, of equal bounds the
last one put in. A record is itself an entry of a list. When a cheaper way to a waiting state is found it is put in once
more, by an **extra** entry. That one comes out first: its rank is lower, or it is before the other in the same bucket.
When the other one comes out the state is closed, and it is passed over.

Nothing here fails but for memory: what returns false was refused some, and has changed nothing that counts. */

#ifndef STATES_H
#define STATES_H

#include "search/packing.h"
#include "search/search.h"

enum {
  UNREACHABLE = BSPSAT_UNREACHABLE,
  TIES = 256,                 // buckets for each rank
  MOST_COST = (1 << 16) - 1,
  MOST_BOUND = (1 << 14) - 1,
  LINKED = 1 << 14,           // flag of a record's bound: it is an entry of a list
  CLOSED = 1 << 15,           // flag: it doesn't wait; of a state on the stack, it has been expanded
  MOST_STATES = 1 << 30,
  PARTS = 32,                 // of a search that is spread
  WAYS = 4,                   // states of which one makes room for another, see depth.c
  WAITING = 64,               // children that wait for their memory
};

struct record {
  int32_t next;   // entry of the list that it is in: a state, FIRST_EXTRA - an extra, NOTHING
  int32_t parent; // the state before on the way, NOTHING for the start
  uint16_t cost;  // moves of the best way found
  uint16_t bound; // lower bound on the moves to a goal, and flags
};              // behind it comes its key

enum { NOTHING = -1, FIRST_EXTRA = -2, HEAD = sizeof (struct record) };

struct extra { int32_t state, next; };

#define EMPTY UINT32_MAX // slot of the table

struct bspsat_search {
  struct bspsat_facts facts;
  const struct bspsat_board *board;
  struct bspsat_tables tables;  // the board's, at hand
  struct packing packing;
  int32_t cost_weight, bound_weight;
  bool pruned;
  bool (*expands) (struct bspsat_search *, uint64_t homes); // its space's, see spaces.h

  char *records;                // [room] of `stride` bytes
  int64_t record_bytes, stride;
  int32_t room, states;
  bool grown;                   // whether there is more room than at first
  bool is_clear;                // whether all memory of a search without states is there
  bool has_begun;               // whether there is a start
  bool is_over;                 // whether memory ran out depth first: what wasn't searched is lost
  uint32_t *table;
  int64_t places;               // of the table; of notes, how many sets
  int32_t id_bits;              // of a slot that are a state's number
  int32_t *heads;               // [buckets] first entry of each
  int64_t buckets, used_buckets;
  struct extra *extras;
  int32_t extras_room, extras_made, extras_free;
  int64_t bucket;               // in work
  int64_t layer;                // the rank of the states in work
  int64_t most_bytes;
  int32_t found;                // the goal's state, or NOTHING
  int32_t unfinished;           // a state whose children aren't all there, as memory or the call's work was used up; or NOTHING
  int32_t half;                 // then, for the latter, the tube that it is to go on with, see homes.c; else NOTHING
  int64_t work, turn;           // of this call, so far and at most

  char *stack;                  // records of states on the way while it goes depth first
  int64_t stack_bytes;
  int32_t stacked;              // on the stack
  bool notes;                   // whether states are noted there, not stored
  int32_t round;                // of those that began at the start, so far
  int32_t proven;               // no plan has fewer moves: one more than the limit that was exhausted
  int64_t expanded_before;      // before this round
  int32_t frontier, frontier_at; // first and next of the list of states that waited
  bool cut_before;              // whether a limit had kept a state out before it went depth first

  int32_t now, now_cost, now_bound; // the state in work
  int32_t limit;
  int32_t start[MOST_TUBES];    // numbers of the board's tubes, as given
  int32_t state[MOST_TUBES];    // the numbers of the state in work
  int32_t child[MOST_TUBES];    // the numbers of a state after it
  int32_t kept[MOST_TUBES];     // the same, kept while a variant of it is in work
  int32_t numbers[MOST_TUBES];  // the numbers of a child that waited
  int32_t targets[MOST_TUBES], amounts[MOST_TUBES]; // places, and balls for each of them
  int32_t best[MOST_COLOURS], longest[MOST_COLOURS], savings[MOST_COLOURS], loads[MOST_COLOURS]; // figures by colour
  int32_t fullest[MOST_COLOURS], most_room[MOST_COLOURS];
  uint64_t by_top[MOST_COLOURS][2]; // set of the places whose top run has the colour
  int32_t ranks[MOST_COLOURS * (BSPSAT_MOST_CAPACITY + 1)]; // bottom runs of a colour that are worth so much

  int32_t source, sink, left;   // of the step to `child`: the place that balls leave, -1 for none; what goes from there to the sink
  int32_t shared;               // and how many of `targets` get `amounts` of them
  int32_t decided;              // the place that has become a home by a decision; -1 for none
  bool (*enters) (struct bspsat_search *, uint64_t homes, int32_t cost); // what takes children instead of the store
  void *taker;                  // for that
  bool waits;                   // whether children wait, see `emit`
  int32_t waiting;              // how many do
  struct child { uint64_t hash, homes; int32_t cost, parent; uint32_t place; } children[WAITING];
  uint64_t *keys;               // [WAITING, words] theirs

  struct bspsat_search *parts;  // [PARTS] that hold the states of a search that is spread, see parallel.h; else NULL
  struct rounds *rounds;        // how threads share the work on them
  struct outbox *outbox;        // of a part, children on the way to others; else NULL
};

static inline struct record *record_at (const struct bspsat_search *search, int32_t state) {
  return (struct record *) (search->records + state * search->stride);
}

/* The part that has a state, as its hash says; the search itself where it isn't spread. */
static inline struct bspsat_search *store_of (struct bspsat_search *search, uint64_t hash) {
  return search->parts ? &search->parts[hash % PARTS] : search;
}

/* The number of a part's state for the whole search. */
static inline int32_t whole_number (int32_t part, int32_t state) { return state * PARTS + part; }

/* The record of a state of any part, or on the stack: those are numbered behind the others. */
static inline struct record *any_record_at (const struct bspsat_search *search, int32_t state) {
  if (state < search->states)
    return search->parts ? record_at (&search->parts[state % PARTS], state / PARTS) : record_at (search, state);
  return (struct record *) (search->stack + (state - search->states) * search->stride);
}

#ifndef WORK
#define WORK (1 << 24)
#endif

/* The most work of a call, in children times tubes: some hundredths of a second. A child takes longer where tubes are tall. */
static inline int64_t most_work (const struct bspsat_search *search) { return WORK / (16 + search->tables.capacity); }

static inline key_word *key_at (const struct record *record) { return (key_word *) (record + 1); }

static inline int32_t bound_at (const struct record *record) { return record->bound & MOST_BOUND; }

static inline uint32_t place_of (const struct bspsat_search *search, uint64_t hash) {
  return (uint32_t) ((hash >> 32) * (uint64_t) search->places >> 32);
}

/* The slot of the state that `key` is, or the free one where it belongs, from its first place on. */
static inline uint32_t *slot_of (const struct bspsat_search *search, const key_word *key, uint64_t hash,
                                 uint32_t place) {
  const uint32_t ids = (UINT32_C (1) << search->id_bits) - 1, tag = (uint32_t) hash & ~ids;
  const int32_t words = search->packing.words;
  for (;;) {
    uint32_t *slot = &search->table[place];
    if (*slot == EMPTY)
      return slot;
    if ((*slot & ~ids) == tag && is_same (key, key_at (record_at (search, (int32_t) (*slot & ids))), words))
      return slot;
    if (++place == search->places)
      place = 0;
  }
}

/* The open homes of a position: of the colours some of whose balls are in no other tube. */
static inline uint64_t homes_of (const struct bspsat_search *search, const int32_t *numbers) {
  if (!search->packing.by_homes)
    return 0;
  const struct bspsat_board *board = search->board;
  const int32_t colours = (int32_t) board->tables.colours, bits = board->tally_bits;
  uint64_t homes = 0;
  const uint64_t *tally = board->tally;
  for (int32_t colour = 0; colour < colours; tally += board->tables.numbers) {
    uint64_t sum = board->tally_start;
    for (int32_t place = 0; place < search->packing.tubes; place++)
      sum += tally[numbers[place]];
    for (int32_t field = bits - 1; field < 64 && colour < colours; field += bits)
      homes |= (~sum >> field & 1) << colour++;
  }
  return homes;
}

/* Room for states, also when there are more. */
void give_back_states (struct bspsat_search *);
void give_back_heads (struct bspsat_search *);
void empty_for_notes (struct bspsat_search *); // its records, and without a table
void give_back_store (struct bspsat_search *); // but what a search needs to go on over the states of its parts
bool clear_states (struct bspsat_search *);
bool limit_room (struct bspsat_search *, int64_t most_bytes); // to what may be taken; false without memory for the table
bool grow_states (struct bspsat_search *);
bool grow_buckets (struct bspsat_search *, int64_t bucket);
bool grow_extras (struct bspsat_search *);
bool grow_stack (struct bspsat_search *);

#endif
