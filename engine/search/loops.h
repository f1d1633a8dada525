/* What the loops are to those who keep a search for many boards, and to those who go another way through its space. */

#ifndef LOOPS_H
#define LOOPS_H

#include "search/states.h"

/* A*: as `bspsat_search_run`, but BSPSAT_MEMORY says that memory is used up, and it may go on depth first. */
enum bspsat_status go_by_rank (struct bspsat_search *, int32_t limit, int64_t budget);

/* Depth first from each state that waited, to all states on plans of at most `limit` moves. */
enum bspsat_status go_by_depth (struct bspsat_search *, int32_t limit, int64_t budget);

/* Whether the goal accepts a state, its numbers from high to low; in the space of homes, whether all balls are home. */
bool is_at_goal (struct bspsat_search *, const int32_t *numbers);

/* The lower bound on the moves from a state, its numbers from high to low. */
int32_t bound_of_state (struct bspsat_search *, const int32_t *numbers, uint64_t homes);

/* Makes a state the one in work, and returns its open homes. */
uint64_t take_up (struct bspsat_search *, const struct record *, int32_t state);

/* Enters all states a step after the one in work; false when memory is used up. */
bool expand (struct bspsat_search *, uint64_t homes);

/* Enters the start; false when memory is used up. */
bool enter_start (struct bspsat_search *);

/* Enters the children that wait for their memory; false when memory is used up. */
bool enter_waiting (struct bspsat_search *);

/* Enters a state that another part has found; false when memory is used up. */
bool enter_known (struct bspsat_search *, const uint64_t *key, const struct child *, int32_t bound, bool is_closed);

/* Whether a state waits; goes on to the bucket of the first one. */
bool has_next (struct bspsat_search *);

/* Takes the first entry out of a bucket, and returns its state. */
int32_t take_out (struct bspsat_search *, int64_t bucket);

#endif
