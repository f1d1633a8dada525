/* What a beam is to the spaces that it goes through: sort boards (`sorting.c`), tiles (`tiles.c`) and balls that go
anywhere (`anywhere/beam.c`).

The states that were kept are records of a search (`search/store.h`), in which each knows the one before, so that a plan
is read as there. Children wait as **candidates** until their layer is complete. When there are twice as many as the
width, the better half stays, and worse ones aren't taken any more. */

#ifndef LAYERS_H
#define LAYERS_H

#include "beam/beam.h"
#include "search/store.h"

enum { MEASURES = 8, ONE_MOVE = 64 }; // a move in the units of weights

/* Weights of the bound, in units of `ONE_MOVE`, and of the space's measures of a state. */
struct weights { int16_t bound, measures[MEASURES]; };

struct candidate {
  uint64_t rank; // the less the better: value of the state, then bits of its hash, so that no two are equal
  uint64_t hash;
  int32_t body;  // where its record is
};

struct bspsat_beam {
  struct bspsat_search search; // first: its room to work in, its records and what finds them
  struct bspsat_beam_facts facts;
  bool (*begin) (struct bspsat_beam *);                 // takes the start as a candidate; the same
  bool (*expand) (struct bspsat_beam *, int32_t state); // takes all children of a state; false when memory is used up
  int64_t (*plan) (struct bspsat_beam *, uint8_t *moves, int64_t room);
  const struct weights *weights; // [vectors]
  int32_t vectors, vector;       // how many there are; the one in work
  int32_t width, only_width;     // 0 for a width that grows from round to round
  int32_t at;                    // next state to expand
  bool complete;                 // whether the width has left nothing out in this round
  bool found;                    // whether a goal was found since the last call
  bool is_over;                  // whether memory is used up

  struct candidate *candidates;  // [2 * width]
  char *bodies;                  // [2 * width] their records
  int32_t *found_at;             // [slots] candidates by hash, NOTHING for none
  int32_t slots;                 // a power of two
  int32_t waiting;               // candidates
  int32_t worst;                 // value from which on none is taken
  char *block;                   // of these arrays
  void *space;                   // its own: of sort boards, [numbers] runs of each content; of tiles, theirs
  struct bspsat_anywhere *board; // where balls go anywhere; not its own
};

/* Takes a child of the state in work, its key in `key`, as a candidate; at once, it becomes a state that is expanded in the
same layer. A child that is known at no greater cost, or isn't among the best, is left. False when memory is used up. */
bool take_candidate (struct bspsat_beam *, const uint64_t *key, int32_t cost, int32_t bound, const int32_t *measures,
                     bool at_once);

/* Takes a goal. False when memory is used up. */
bool take_goal (struct bspsat_beam *, const uint64_t *key, int32_t cost);

#endif
