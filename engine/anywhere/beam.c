/* A beam search where balls go anywhere: of the positions after each move only the best ones are kept.

Every move can be undone where tubes have no rules, so there are no dead ends. A position is better the less its bound is,
and the less has to be moved for the next ball to go home. */

#include "anywhere/space.h"

#include "memory.h"
#include "search/packing.h"

#include <string.h>

enum { BOUND_COUNTS = 20, ABOVE_COUNTS = 3, FOREIGN_COUNTS = 2, FAR = 1 << 18 };
enum { MOST_SCORE = 1 << 15, MOST_CANDIDATES = 1 << 18, MOST_LAYERS = 1 << 11 };

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
  enum bspsat_status status;   // PAUSED while it may go on
};

/* Foreign balls in homes, and those that have to leave before one more ball can go home: the foreign ones on its home, and
with a greater weight the ones above it; the colour with fewest counts. So to put a ball aside on a home, where it lies above
another that goes there, is a gain. The homes are given, or each colour's is the tube with most of it at the bottom; those
without any choose last, since they would take others' homes: that left boards of (12,8) with 13 tubes without a plan. */

static int32_t work_left (const struct bspsat_anywhere *search, const struct position *position) {
  int32_t home[COLOURS], above[COLOURS], fewest = FAR, all = 0;
  bool is_home[TUBES] = {false};
  for (int32_t colour = 0; colour < search->colours; colour++)
    home[colour] = -1, above[colour] = FAR;
  for (int32_t round = 0; round < 2; round++) // those without a ball at a bottom choose last
    for (int32_t colour = 0; colour < search->colours; colour++) {
      int32_t best = -HEIGHT - 1, *chosen = &home[colour];
      if (*chosen >= 0)
        continue;
      for (int32_t tube = 0; tube < search->tubes; tube++) {
        if (is_home[tube] || !is_in (colour, search->ends[tube]))
          continue;
        const int32_t kept = kept_in (search, position, tube, colour);
        const int32_t worth = search->rules[tube].own == colour ? HEIGHT + 1 : kept ? kept : -position->load[tube];
        if (worth > best && (worth > 0 || round == 1))
          *chosen = tube, best = worth;
      }
      if (*chosen >= 0)
        is_home[*chosen] = true;
    }
  for (int32_t tube = 0; tube < search->tubes; tube++)
    for (int32_t ball = position->load[tube] - 1; ball >= 0; ball--) {
      const int32_t colour = position->balls[tube][ball];
      if (home[colour] != tube || ball >= kept_in (search, position, tube, colour))
        above[colour] = least (above[colour], position->load[tube] - 1 - ball);
    }
  for (int32_t colour = 0; colour < search->colours; colour++) {
    if (home[colour] < 0)
      continue;
    const int32_t foreign = position->load[home[colour]] - kept_in (search, position, home[colour], colour);
    fewest = least (fewest, FOREIGN_COUNTS * foreign + ABOVE_COUNTS * above[colour]);
    all += foreign;
  }
  return (fewest == FAR ? 0 : fewest) + all;
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
  if (!beam || beam->status != BSPSAT_PAUSED)
    return BSPSAT_INVALID;
  const int64_t before = search->spent, most = steps < 0 ? 0 : steps < beam->left ? steps : beam->left;
  enum bspsat_status status = BSPSAT_EXHAUSTED;
  do
    status = list (search, before + most);
  while (status == BSPSAT_EXHAUSTED && begin_layer (search));
  beam->left -= search->spent - before;
  return beam->status = status == BSPSAT_PAUSED && beam->left <= 0 ? BSPSAT_EXHAUSTED : status;
}

int64_t bspsat_anywhere_beam_plan (struct bspsat_anywhere *search, uint8_t *moves, int64_t room) {
  const struct beam *beam = search->beam;
  if (!beam || beam->status != BSPSAT_FOUND)
    return BSPSAT_INVALID;
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
    if (!is_found)
      return BSPSAT_INVALID;
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
  if (!search->by_ball)
    return BSPSAT_INVALID;
  struct beam *beam = search->beam = take_zeros (sizeof *beam);
  if (!beam)
    return BSPSAT_MEMORY;
  const int64_t each = search->tubes * (int64_t) search->tubes;
  beam->limit = limit, beam->left = steps < 0 ? 0 : steps;
  beam->status = BSPSAT_PAUSED;
  beam->width = width < 1 ? 1 : times (width, each) > MOST_CANDIDATES ? (MOST_CANDIDATES + each - 1) / each : width;
  beam->most = beam->width * each;
  beam->steps_room = (beam->left / 16 < beam->width * MOST_LAYERS ? beam->left / 16 : beam->width * MOST_LAYERS) + 1;
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
