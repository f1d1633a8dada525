/* Layers, candidates and rounds of a beam search: see layers.h. */

#include "beam/layers.h"

#include "memory.h"
#include "parts.h"
#include "search/spaces.h"

enum { FIRST_WIDTH = 10, MOST_WIDTH = 1 << 20, MOST_VALUE = (1 << 30) - 1 };

/*------------------------------------------------------------------------*/
/* Candidates. */

static struct record *body_at (const struct bspsat_beam *beam, int32_t body) {
  return (struct record *) (beam->bodies + body * beam->search.stride);
}

static int64_t lay_candidates (struct bspsat_beam *beam, char *block, int32_t width) {
  int64_t used = 0;
  beam->slots = 16;
  while (beam->slots < 4 * width)
    beam->slots *= 2;
  beam->candidates = part_of (block, &used, 2 * (int64_t) width, sizeof *beam->candidates);
  beam->bodies = part_of (block, &used, 2 * (int64_t) width, (size_t) beam->search.stride);
  beam->found_at = part_of (block, &used, beam->slots, sizeof *beam->found_at);
  return used;
}

/* The slot of a candidate with this hash, or the free one where it belongs. */
static int32_t *candidate_slot (const struct bspsat_beam *beam, uint64_t hash) {
  uint32_t slot = (uint32_t) hash & (uint32_t) (beam->slots - 1);
  while (beam->found_at[slot] != NOTHING && beam->candidates[beam->found_at[slot]].hash != hash)
    slot = (slot + 1) & (uint32_t) (beam->slots - 1);
  return &beam->found_at[slot];
}

static void forget_candidates (struct bspsat_beam *beam) {
  memset (beam->found_at, 0xff, (size_t) beam->slots * sizeof *beam->found_at);
  for (int32_t body = 0; body < 2 * beam->width; body++)
    beam->candidates[body].body = body;
  beam->waiting = 0;
  beam->worst = INT32_MAX;
}

/* Puts the `width` best candidates first, in any order (Hoare 1961), and forgets the others. */
static void keep_best (struct bspsat_beam *beam) {
  struct candidate *candidates = beam->candidates;
  int32_t first = 0, last = beam->waiting - 1;
  while (first < last) {
    const uint64_t pivot = candidates[first + (last - first) / 2].rank;
    int32_t left = first, right = last;
    while (left <= right) {
      while (candidates[left].rank < pivot)
        left++;
      while (candidates[right].rank > pivot)
        right--;
      if (left > right)
        break;
      const struct candidate candidate = candidates[left];
      candidates[left++] = candidates[right];
      candidates[right--] = candidate;
    }
    if (beam->width <= right)
      last = right;
    else if (beam->width >= left)
      first = left;
    else
      break;
  }
  beam->complete = false;
  beam->waiting = beam->width;
  beam->worst = 0;
  memset (beam->found_at, 0xff, (size_t) beam->slots * sizeof *beam->found_at);
  for (int32_t at = 0; at < beam->waiting; at++) {
    beam->worst = most_of (beam->worst, (int32_t) (candidates[at].rank >> 32));
    *candidate_slot (beam, candidates[at].hash) = at;
  }
}

/*------------------------------------------------------------------------*/
/* States. */

/* Makes a record a state; false when memory is used up. */
static bool append (struct bspsat_beam *beam, const struct record *record, const key_word *key, uint64_t hash) {
  struct bspsat_search *search = &beam->search;
  const struct child child = {hash, 0, record->cost, record->parent, 0};
  return enter (search, slot_of (search, key, hash, place_of (search, hash)), key, &child, record->bound, NOTHING);
}

/* Whether a state with this key is known at no greater cost. */
static bool is_known (const struct bspsat_search *search, const uint64_t *key, uint64_t hash, int32_t cost) {
  const uint32_t slot = *slot_of (search, key, hash, place_of (search, hash));
  return slot != EMPTY && record_at (search, (int32_t) (slot & ((UINT32_C (1) << search->id_bits) - 1)))->cost <= cost;
}

static struct record record_of (const struct bspsat_beam *beam, int32_t cost, int32_t bound) {
  return (struct record){NOTHING, beam->search.now, (uint16_t) cost, (uint16_t) bound};
}

bool take_candidate (struct bspsat_beam *beam, const uint64_t *key, int32_t cost, int32_t bound,
                     const int32_t *measures, bool at_once) {
  const struct bspsat_search *search = &beam->search;
  const struct weights *weights = &beam->weights[beam->vector];
  int32_t value = ONE_MOVE * cost + weights->bound * bound;
  for (int32_t measure = 0; measure < MEASURES; measure++)
    value += weights->measures[measure] * measures[measure];
  value = most_of (0, least (value + MOST_VALUE / 2, MOST_VALUE));
  if (value >= beam->worst) {
    beam->complete = false;
    return true;
  }
  const uint64_t hash = hash_of (key, search->packing.words);
  if (is_known (search, key, hash, cost))
    return true;
  const struct record record = record_of (beam, cost, bound);
  if (at_once)
    return append (beam, &record, key, hash);
  int32_t *slot = candidate_slot (beam, hash);
  if (*slot == NOTHING) {
    if (beam->waiting == 2 * beam->width) {
      keep_best (beam);
      slot = candidate_slot (beam, hash);
    }
    *slot = beam->waiting++;
  } else if (body_at (beam, beam->candidates[*slot].body)->cost <= cost)
    return true;
  struct candidate *candidate = &beam->candidates[*slot];
  candidate->rank = (uint64_t) value << 32 | hash >> 32;
  candidate->hash = hash;
  struct record *body = body_at (beam, candidate->body);
  *body = record;
  memcpy (key_at (body), key, (size_t) search->packing.words * sizeof *key);
  return true;
}

bool take_goal (struct bspsat_beam *beam, const uint64_t *key, int32_t cost) {
  struct bspsat_search *search = &beam->search;
  const struct record record = record_of (beam, cost, 0);
  if (!append (beam, &record, key, hash_of (key, search->packing.words)))
    return false;
  search->found = search->states - 1;
  beam->facts.cost = cost;
  search->limit = cost - 1;
  beam->found = true;
  return true;
}

/*------------------------------------------------------------------------*/
/* Layers and rounds. */

/* Makes the best candidates the next layer; false when memory is used up. */
static bool next_layer (struct bspsat_beam *beam) {
  struct bspsat_search *search = &beam->search;
  if (beam->waiting > beam->width)
    keep_best (beam);
  beam->at = search->states;
  bool has_room = true;
  for (int32_t at = 0; at < beam->waiting && has_room; at++) {
    const struct candidate *candidate = &beam->candidates[at];
    const struct record *body = body_at (beam, candidate->body);
    if (body->cost + bound_at (body) <= search->limit)
      has_room = append (beam, body, key_at (body), candidate->hash);
  }
  forget_candidates (beam);
  return has_room;
}

/* Begins a round; false when memory is used up. */
static bool begin_round (struct bspsat_beam *beam, int32_t vector, int32_t width) {
  struct bspsat_search *search = &beam->search;
  const int32_t limit = search->limit;
  if (width != beam->width) {
    give_back (beam->block);
    beam->width = width;
    beam->block = take (lay_candidates (beam, 0, width));
    if (!beam->block) {
      beam->width = 0;
      return false;
    }
    lay_candidates (beam, beam->block, width);
  }
  forget_candidates (beam);
  beam->vector = vector;
  beam->facts.width = width;
  beam->complete = true;
  if (!clear_states (search))
    return false;
  search->now = NOTHING;
  const bool entered = beam->begin (beam) && next_layer (beam);
  search->limit = limit;
  beam->at = 0; // the start itself may be undecided: then it is a state already
  return entered;
}

/* Begins the next round: with each vector of weights in turn until there is a plan, then with the one that has found it; then
with a greater width. */
static bool next_round (struct bspsat_beam *beam) {
  if (beam->width == 0)
    return begin_round (beam, 0, beam->only_width ? beam->only_width : FIRST_WIDTH);
  if (beam->facts.cost == 0 && beam->vector + 1 < beam->vectors)
    return begin_round (beam, beam->vector + 1, beam->width);
  if (beam->width >= MOST_WIDTH)
    return false;
  return begin_round (beam, beam->facts.cost ? beam->vector : 0, beam->width * 317 / 100);
}

/* Goes on for up to `budget` states. */
static enum bspsat_status go_on (struct bspsat_beam *beam, int64_t budget) {
  struct bspsat_search *search = &beam->search;
  for (; budget > 0 && search->work < search->turn; budget--) {
    while (beam->at == search->states) {
      const bool narrow = beam->waiting == 0;
      if (narrow && beam->width && (beam->complete || beam->only_width))
        return BSPSAT_EXHAUSTED;
      if (!(narrow ? next_round (beam) : next_layer (beam)))
        return BSPSAT_MEMORY;
    }
    const struct record *record = record_at (search, beam->at);
    if (record->cost + bound_at (record) <= search->limit) {
      beam->facts.expansions++;
      if (!beam->expand (beam, beam->at))
        return BSPSAT_MEMORY;
    }
    beam->at += search->half == NOTHING;
    if (beam->found) {
      beam->found = false;
      return BSPSAT_FOUND;
    }
  }
  return BSPSAT_PAUSED;
}

int64_t bspsat_beam_run (struct bspsat_beam *beam, int64_t limit, int64_t budget, int64_t most_bytes) {
  struct bspsat_search *search = &beam->search;
  search->limit = (int32_t) (limit < 0 ? -1 : limit < BSPSAT_NO_LIMIT ? limit : BSPSAT_NO_LIMIT);
  search->found = NOTHING;
  search->work = 0;
  const enum bspsat_status status =
      beam->is_over || !limit_room (search, most_bytes) ? BSPSAT_MEMORY : go_on (beam, budget);
  beam->is_over = status == BSPSAT_MEMORY;
  return status;
}

int64_t bspsat_beam_plan (struct bspsat_beam *beam, uint8_t *moves, int64_t room) {
  return beam->search.found == NOTHING ? BSPSAT_INVALID : beam->plan (beam, moves, room);
}

const struct bspsat_beam_facts *bspsat_beam_facts (const struct bspsat_beam *beam) { return &beam->facts; }

/*------------------------------------------------------------------------*/

void bspsat_beam_free (struct bspsat_beam *beam) {
  if (!beam)
    return;
  give_back (beam->space);
  give_back_states (&beam->search);
  give_back (beam->block);
  give_back (beam);
}
