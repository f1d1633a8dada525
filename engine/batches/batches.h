/* Many boards, one exact search after the other in the same memory: the part of the door for thousands of boards that
take milliseconds each. */

#ifndef BATCHES_H
#define BATCHES_H

#include "common.h"

struct bspsat_batch;

/* What was found for a board. */
struct bspsat_answer {
  int32_t status;     // BSPSAT_FOUND, BSPSAT_EXHAUSTED: there is no plan; BSPSAT_PAUSED: it needs more expansions than it
                      // may take, BSPSAT_MEMORY: more memory; BSPSAT_INVALID: it is no board
  int32_t moves;      // of a shortest plan
  int32_t expansions; // that it took
  int32_t end;        // its plan ends behind so many moves of this call, and begins where the one before ends
};

/* Makes room for batches; returns NULL when memory is used up. `bspsat_batch_free` frees it. */
DOOR struct bspsat_batch *bspsat_batch_new (void);

/* Frees it; NULL is nothing. */
DOOR void bspsat_batch_free (struct bspsat_batch *);

/* Begins with `number` packed boards, see `contents/board.h`, one behind the other; they stay the caller's and in place.
`plans`: whether they are wanted. One board may take so many expansions, and so much memory. What was begun before is
lost. Returns BSPSAT_FOUND; BSPSAT_INVALID for a negative number or no bytes for some boards. */
DOOR int64_t bspsat_batch_begin (struct bspsat_batch *, const uint8_t *boards, int64_t bytes, int64_t number, int64_t plans,
                              int64_t most_expansions, int64_t most_bytes);

/* Goes on for about `budget` expansions. Returns BSPSAT_PAUSED, or BSPSAT_EXHAUSTED when all boards are answered. `answers`
is set to those of this call, `answered` of them, and `moves` to source and target of each of their moves; they stay
until the next call. Before boards are given, it has answered all. */
DOOR int64_t bspsat_batch_go_on (struct bspsat_batch *, int64_t budget, const struct bspsat_answer **answers,
                                 int64_t *answered, const uint8_t **moves);

#endif
