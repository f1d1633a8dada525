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
  struct bspsat_anywhere *search;
  int64_t width, most;         // positions that are kept; candidates
  struct candidate *candidates, *kept;
  uint64_t *keys, *next_keys;  // [width, words]
  uint64_t *seen;              // [seen_room] hashes of all that were kept, 0 for none
  int64_t seen_room, seen_number;
  struct step *steps;          // [steps_room] of all layers
  int64_t steps_room, steps_made;
  int32_t *starts;             // [MOST_SCORE + 1]
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

/* Lists the moves from the positions of a layer, up to goals: returns the number of the candidate that is one, or -1. */

static int64_t list (struct beam *beam, int64_t positions, int64_t depth, int64_t limit, int64_t *listed) {
  struct bspsat_anywhere *search = beam->search;
  struct position *work = &search->work, *next = &search->other;
  uint64_t key[MOST_KEY];
  *listed = 0;
  for (int64_t number = 0; number < positions; number++) {
    read_key (search, beam->keys + number * search->words, work);
    const int32_t bound = bound_of (search, work);
    for (int32_t from = 0; from < search->tubes; from++) {
      if (!may_give (search, work, from))
        continue;
      for (int32_t to = 0; to < search->tubes; to++) {
        if (to == from || !may_take (search, work, to, top_of (work, from)))
          continue;
        const int32_t after = bound_after (search, work, bound, from, to);
        if (depth + 1 + after > limit || *listed == beam->most)
          continue;
        *next = *work;
        play (search, next, from, to);
        int32_t last = 0;
        write_key (search, next, key, &last);
        const int32_t score = BOUND_COUNTS * after + work_left (search, next);
        search->spent += search->tubes * 20 + search->words;
        beam->candidates[(*listed)++] = (struct candidate) {
          .hash = hash_of (key, search->words), .score = least (score, MOST_SCORE - 1), .parent = (int32_t) number,
          .from = (uint8_t) from, .to = (uint8_t) to};
        if (!after)
          return *listed - 1;
      }
    }
  }
  return -1;
}

/* Orders candidates by their scores. */

static void order (struct beam *beam, int64_t listed) {
  memset (beam->starts, 0, (MOST_SCORE + 1) * sizeof *beam->starts);
  for (int64_t number = 0; number < listed; number++)
    beam->starts[beam->candidates[number].score + 1]++;
  for (int32_t score = 0; score < MOST_SCORE; score++)
    beam->starts[score + 1] += beam->starts[score];
  for (int64_t number = 0; number < listed; number++)
    beam->kept[beam->starts[beam->candidates[number].score]++] = beam->candidates[number];
}

/* Searches layer by layer; returns the number of the last step of a plan, or -1. */

static int64_t go_by_layers (struct beam *beam, int64_t limit, int64_t until) {
  struct bspsat_anywhere *search = beam->search;
  int64_t positions = 1, layer = 0; // the first step of the layer's positions
  for (int64_t depth = 0; search->spent < until; depth++) {
    int64_t listed, next = 0;
    const int64_t goal = list (beam, positions, depth, limit, &listed), first = beam->steps_made;
    if (goal >= 0)
      beam->kept[0] = beam->candidates[goal], listed = 1, beam->seen_number = 0;
    else
      order (beam, listed);
    for (int64_t number = 0; number < listed && next < beam->width; number++) {
      const struct candidate *candidate = &beam->kept[number];
      if (goal < 0 && !is_new (beam, candidate->hash))
        continue;
      if (beam->steps_made == beam->steps_room || 2 * beam->seen_number > beam->seen_room)
        return -1;
      struct position *work = &search->work;
      read_key (search, beam->keys + candidate->parent * (int64_t) search->words, work);
      play (search, work, candidate->from, candidate->to);
      int32_t last = 0;
      write_key (search, work, beam->next_keys + next++ * search->words, &last);
      beam->steps[beam->steps_made++] = (struct step) {
        depth ? (int32_t) (layer + candidate->parent) : -1, candidate->from, candidate->to};
      search->spent += 2 * search->tubes;
    }
    if (goal >= 0)
      return beam->steps_made - 1;
    if (!next)
      return -1;
    uint64_t *keys = beam->keys;
    beam->keys = beam->next_keys, beam->next_keys = keys;
    positions = next, layer = first;
  }
  return -1;
}

/* Writes the plan that ends with a step, each move between the tubes as they stand on the board. */

static int64_t write_plan (struct beam *beam, int64_t last, uint8_t *moves, int64_t room) {
  struct bspsat_anywhere *search = beam->search;
  int64_t length = 0;
  for (int64_t step = last; step >= 0; step = beam->steps[step].parent)
    length++;
  if (length > room)
    return 0;
  for (int64_t step = last, move = length; step >= 0; step = beam->steps[step].parent) {
    move--;
    moves[2 * move] = beam->steps[step].from, moves[2 * move + 1] = beam->steps[step].to;
  }
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

int64_t bspsat_anywhere_beam (struct bspsat_anywhere *search, int64_t width, int64_t limit, int64_t steps, uint8_t *moves,
                              int64_t room) {
  const int64_t each = search->tubes * (int64_t) search->tubes;
  struct beam beam = {.search = search};
  beam.width = width < 1 ? 1 : width * each > MOST_CANDIDATES ? (MOST_CANDIDATES + each - 1) / each : width;
  beam.most = beam.width * each;
  beam.steps_room = (steps / 16 < beam.width * MOST_LAYERS ? steps / 16 : beam.width * MOST_LAYERS) + 1;
  beam.seen_room = 2 * beam.steps_room + 1;
  const int64_t key_bytes = beam.width * search->words * (int64_t) sizeof *beam.keys;
  const int64_t seen_bytes = beam.seen_room * (int64_t) sizeof *beam.seen;
  const int64_t steps_bytes = beam.steps_room * (int64_t) sizeof *beam.steps;
  beam.candidates = take (beam.most * (int64_t) sizeof *beam.candidates);
  beam.kept = take (beam.most * (int64_t) sizeof *beam.kept);
  beam.keys = take (key_bytes), beam.next_keys = take (key_bytes);
  beam.seen = take_zeros (seen_bytes), beam.steps = take (steps_bytes);
  beam.starts = take ((MOST_SCORE + 1) * (int64_t) sizeof *beam.starts);
  int64_t length = BSPSAT_MEMORY;
  if (beam.candidates && beam.kept && beam.keys && beam.next_keys && beam.seen && beam.steps && beam.starts) {
    int32_t place = 0;
    write_key (search, &search->start, beam.keys, &place);
    const int64_t last = search->start_bound < NO_PLAN ? go_by_layers (&beam, limit, search->spent + steps) : -1;
    length = last < 0 ? 0 : write_plan (&beam, last, moves, room);
  }
  give_back (beam.candidates), give_back (beam.kept), give_back (beam.keys), give_back (beam.next_keys);
  give_back (beam.seen), give_back (beam.steps), give_back (beam.starts);
  return length;
}
