/* A beam search where balls go anywhere: of the positions after each move only the best ones are kept.

Every move can be undone where tubes have no rules, so there are no dead ends. A position is better the less its bound is,
and of equal bounds the fewer balls lie on the balls of a home that will be cleared next. */

#include "anywhere/space.h"

#include "memory.h"
#include "search/packing.h"

#include <string.h>

enum { BOUND_COUNTS = 20, NEXT_COUNTS = 10, ALL_COUNT = 2, MOST_SCORE = 1 << 15, MOST_CANDIDATES = 1 << 18, MOST_LAYERS = 1 << 11 };

struct candidate {
  uint64_t hash;
  int32_t score, parent;
  uint8_t from, to;
};

struct step { int32_t parent; uint8_t from, to; };

struct beam {
  int64_t width, most, limit;  // positions that are kept; candidates; moves of a plan
  int64_t left;                // steps that it may still take
  struct candidate *candidates, *kept;
  uint64_t *keys, *next_keys;  // [width, words]
  uint64_t *seen;              // [seen_room] hashes of all that were kept, 0 for none
  int64_t seen_room, seen_number;
  struct step *steps;          // [steps_room] of all layers
  int64_t steps_room, steps_made;
  int32_t *starts;             // [MOST_SCORE + 1]
  int64_t depth, positions, layer; // of the layer in work: moves, positions, and the step of the first one
  int64_t at, listed;          // the position in work, and candidates so far
  int32_t from;                // the tube whose moves come next
};

/* Balls that lie in homes and have to leave before their colours' homes are cleared: those of the home with fewest count
once more. The homes are given, or each colour's is the tube with most of it at the bottom. */

static int32_t work_left (const struct bspsat_anywhere *search, const struct position *position) {
  int32_t home[COLOURS], at[TUBES], first = 1 << 10, all = 0;
  bool is_clean[COLOURS];
  memset (at, 255, sizeof at);
  for (int32_t colour = 0; colour < search->colours; colour++) {
    int32_t best = 0;
    home[colour] = -1;
    for (int32_t tube = 0; tube < search->tubes; tube++) {
      const int32_t kept = kept_in (search, position, tube, colour);
      if (at[tube] < 0 && is_in (colour, search->ends[tube]) &&
          (home[colour] < 0 || search->rules[tube].own == colour || kept > best))
        home[colour] = tube, best = kept;
    }
    if (home[colour] >= 0)
      at[home[colour]] = colour;
    is_clean[colour] = home[colour] < 0 || kept_in (search, position, home[colour], colour) == position->load[home[colour]];
  }
  for (int32_t tube = 0; tube < search->tubes; tube++) {
    if (at[tube] < 0)
      continue;
    int32_t foreign = 0;
    for (int32_t ball = kept_in (search, position, tube, at[tube]); ball < position->load[tube]; ball++)
      foreign += position->balls[tube][ball] != at[tube] && !is_clean[position->balls[tube][ball]];
    if (!is_clean[at[tube]])
      first = least (first, foreign);
    all += foreign;
  }
  return NEXT_COUNTS * (first == 1 << 10 ? 0 : first) + ALL_COUNT * all;
}

/* Whether a hash is new; it isn't any more then. */

static bool is_new (struct beam *beam, uint64_t hash) {
  hash += !hash;
  int64_t slot = (int64_t) (hash % (uint64_t) beam->seen_room);
  for (; beam->seen[slot]; slot = slot + 1 < beam->seen_room ? slot + 1 : 0)
    if (beam->seen[slot] == hash)
      return false;
  beam->seen[slot] = hash;
  beam->seen_number++;
  return true;
}

/* Lists the moves of the position in work, which has a bound, from one tube; up to a goal, and returns whether there is one. */

static bool list_from (struct bspsat_anywhere *search, int32_t bound, int32_t from) {
  struct beam *beam = search->beam;
  struct position *work = &search->work, *next = &search->other;
  uint64_t key[MOST_KEY];
  search->spent++;
  if (!may_give (search, work, from))
    return false;
  for (int32_t to = 0; to < search->tubes; to++) {
    if (to == from || !may_take (search, work, to, top_of (work, from)))
      continue;
    const int32_t after = bound_after (search, work, bound, from, to);
    if (beam->depth + 1 + after > beam->limit || beam->listed == beam->most)
      continue;
    *next = *work;
    play (search, next, from, to);
    int32_t last = 0;
    write_key (search, next, key, &last);
    const int32_t score = BOUND_COUNTS * after + work_left (search, next);
    search->spent += search->tubes * (20 + search->colours) + search->words;
    beam->candidates[beam->listed++] = (struct candidate) {
      .hash = hash_of (key, search->words), .score = least (score, MOST_SCORE - 1), .parent = (int32_t) beam->at,
      .from = (uint8_t) from, .to = (uint8_t) to};
    if (!after)
      return true;
  }
  return false;
}

/* Lists the moves from the positions of the layer, up to a goal, or while there are steps, but from one tube at least. */

static enum bspsat_status list (struct bspsat_anywhere *search, int64_t until) {
  struct beam *beam = search->beam;
  for (; beam->at < beam->positions; beam->at++, beam->from = 0) {
    read_key (search, beam->keys + beam->at * search->words, &search->work);
    const int32_t bound = bound_of (search, &search->work);
    while (beam->from < search->tubes) {
      if (list_from (search, bound, beam->from++))
        return BSPSAT_FOUND;
      if (search->spent >= until)
        return BSPSAT_PAUSED;
    }
  }
  return BSPSAT_EXHAUSTED;
}

/* Orders candidates by their scores. */

static void order (struct beam *beam) {
  memset (beam->starts, 0, (MOST_SCORE + 1) * sizeof *beam->starts);
  for (int64_t number = 0; number < beam->listed; number++)
    beam->starts[beam->candidates[number].score + 1]++;
  for (int32_t score = 0; score < MOST_SCORE; score++)
    beam->starts[score + 1] += beam->starts[score];
  for (int64_t number = 0; number < beam->listed; number++)
    beam->kept[beam->starts[beam->candidates[number].score]++] = beam->candidates[number];
}

/* Begins the next layer with the best candidates; false where there are none, or no room for them. */

static bool begin_layer (struct bspsat_anywhere *search) {
  struct beam *beam = search->beam;
  int64_t next = 0;
  const int64_t first = beam->steps_made;
  order (beam);
  search->spent += MOST_SCORE / 8;
  for (int64_t number = 0; number < beam->listed && next < beam->width; number++) {
    const struct candidate *candidate = &beam->kept[number];
    if (!is_new (beam, candidate->hash))
      continue;
    if (beam->steps_made == beam->steps_room || 2 * beam->seen_number > beam->seen_room)
      return false;
    struct position *work = &search->work;
    read_key (search, beam->keys + candidate->parent * (int64_t) search->words, work);
    play (search, work, candidate->from, candidate->to);
    int32_t last = 0;
    write_key (search, work, beam->next_keys + next++ * search->words, &last);
    const int32_t parent = beam->depth ? (int32_t) beam->layer + candidate->parent : -1;
    beam->steps[beam->steps_made++] = (struct step) {parent, candidate->from, candidate->to};
    search->spent += 2 * search->tubes;
  }
  uint64_t *keys = beam->keys;
  beam->keys = beam->next_keys, beam->next_keys = keys;
  beam->positions = next, beam->layer = first, beam->depth++;
  beam->at = beam->listed = 0, beam->from = 0;
  return next;
}

int64_t bspsat_anywhere_beam_run (struct bspsat_anywhere *search, int64_t steps) {
  struct beam *beam = search->beam;
  const int64_t before = search->spent, most = steps < beam->left ? steps : beam->left;
  enum bspsat_status status = BSPSAT_EXHAUSTED;
  do
    status = list (search, before + most);
  while (status == BSPSAT_EXHAUSTED && begin_layer (search));
  beam->left -= search->spent - before;
  return status == BSPSAT_PAUSED && beam->left <= 0 ? BSPSAT_EXHAUSTED : status;
}

int64_t bspsat_anywhere_beam_plan (struct bspsat_anywhere *search, uint8_t *moves, int64_t room) {
  const struct beam *beam = search->beam;
  const struct candidate *goal = &beam->candidates[beam->listed - 1];
  const int64_t length = beam->depth + 1;
  if (length > room)
    return length;
  moves[2 * length - 2] = goal->from, moves[2 * length - 1] = goal->to;
  int64_t step = beam->layer + goal->parent;
  for (int64_t move = length - 1; move--; step = beam->steps[step].parent)
    moves[2 * move] = beam->steps[step].from, moves[2 * move + 1] = beam->steps[step].to;
  // A step is between places, in the order of keys; on the board, the move is the one to the same key.
  struct position *work = &search->work, *next = &search->other, canonical;
  uint64_t key[MOST_KEY], wanted[MOST_KEY];
  const size_t bytes = (size_t) search->words * sizeof *key;
  int32_t place = 0;
  *work = search->start;
  for (int64_t move = 0; move < length; move++) {
    write_key (search, work, wanted, &place);
    read_key (search, wanted, &canonical);
    play (search, &canonical, moves[2 * move], moves[2 * move + 1]);
    write_key (search, &canonical, wanted, &place);
    bool is_found = false;
    for (int32_t pair = 0; pair < search->tubes * search->tubes && !is_found; pair++) {
      const int32_t from = pair / search->tubes, to = pair % search->tubes;
      if (from == to || !may_give (search, work, from) || !may_take (search, work, to, top_of (work, from)))
        continue;
      *next = *work;
      play (search, next, from, to);
      write_key (search, next, key, &place);
      if (memcmp (key, wanted, bytes))
        continue;
      moves[2 * move] = (uint8_t) from, moves[2 * move + 1] = (uint8_t) to;
      is_found = true;
    }
    *work = *next;
  }
  return length;
}

void give_back_beam (struct bspsat_anywhere *search) {
  struct beam *beam = search->beam;
  if (!beam)
    return;
  give_back (beam->candidates), give_back (beam->kept), give_back (beam->keys), give_back (beam->next_keys);
  give_back (beam->seen), give_back (beam->steps), give_back (beam->starts), give_back (beam);
  search->beam = 0;
}

int64_t bspsat_anywhere_beam (struct bspsat_anywhere *search, int64_t width, int64_t limit, int64_t steps) {
  give_back_beam (search);
  struct beam *beam = search->beam = take_zeros (sizeof *beam);
  if (!beam)
    return BSPSAT_MEMORY;
  const int64_t each = search->tubes * (int64_t) search->tubes;
  beam->limit = limit, beam->left = steps;
  beam->width = width < 1 ? 1 : width * each > MOST_CANDIDATES ? (MOST_CANDIDATES + each - 1) / each : width;
  beam->most = beam->width * each;
  beam->steps_room = (steps / 16 < beam->width * MOST_LAYERS ? steps / 16 : beam->width * MOST_LAYERS) + 1;
  beam->seen_room = 2 * beam->steps_room + 1;
  const int64_t key_bytes = beam->width * search->words * (int64_t) sizeof *beam->keys;
  beam->candidates = take (beam->most * (int64_t) sizeof *beam->candidates);
  beam->kept = take (beam->most * (int64_t) sizeof *beam->kept);
  beam->keys = take (key_bytes), beam->next_keys = take (key_bytes);
  beam->seen = take_zeros (beam->seen_room * (int64_t) sizeof *beam->seen);
  beam->steps = take (beam->steps_room * (int64_t) sizeof *beam->steps);
  beam->starts = take ((MOST_SCORE + 1) * (int64_t) sizeof *beam->starts);
  if (!beam->candidates || !beam->kept || !beam->keys || !beam->next_keys || !beam->seen || !beam->steps || !beam->starts) {
    give_back_beam (search);
    return BSPSAT_MEMORY;
  }
  int32_t place = 0;
  write_key (search, &search->start, beam->keys, &place);
  beam->positions = search->start_bound < NO_PLAN;
  return BSPSAT_FOUND;
}
