/* What a search (`astar.c`, `parallel.c`, `depth.c`) and the spaces that it goes through are to each other.

A space lists the children of the state in work by `expands`: moves and rules of tubes (moves.c), homes (homes.c), balls
that go anywhere (`anywhere/search.c`). Its bounds never exceed the moves ahead. Children are entered by children.c. */

#ifndef SPACES_H
#define SPACES_H

#include "search/store.h"

/* Makes a search ready for another board; false when memory is used up. */
bool fit_search (struct bspsat_search *, const struct bspsat_board *);

/* A*: as `bspsat_search_run`, but BSPSAT_MEMORY says that memory is used up, and it may go on depth first. */
enum bspsat_status go_by_rank (struct bspsat_search *, int32_t limit, int64_t budget);

/* Depth first, to all states on plans of at most `limit` moves. */
enum bspsat_status go_by_depth (struct bspsat_search *, int32_t limit, int64_t budget);

/* Puts a child on the stack, with its bound; false when memory is used up. */
bool push (struct bspsat_search *, const key_word *key, const struct child *, int32_t bound);

/* The same, if neither what was noted nor the limit keeps it out, and notes it. */
bool push_noted (struct bspsat_search *, const key_word *key, const struct child *);

/* Lets the memory come that such a call looks at. */
void await_notes (const struct bspsat_search *store, uint32_t set);

/* Makes a state the one in work, and returns its open homes. */
uint64_t take_up (struct bspsat_search *, const struct record *, int32_t state);

/* Enters all states a step after the one in work; false when memory is used up. */
bool expand (struct bspsat_search *, uint64_t homes);

/* Enters the start; false when memory is used up. */
bool enter_start (struct bspsat_search *);

/* Whether a state waits; goes on to the bucket of the first one. */
bool has_next (struct bspsat_search *);

/* Takes the first entry out of a bucket, and returns its state. */
int32_t take_out (struct bspsat_search *, int64_t bucket);

/*------------------------------------------------------------------------*/
/* Children; each is false when memory is used up. */

/* Takes a child whose numbers are in `search->child`, by places of the state in work. */
bool emit (struct bspsat_search *, uint64_t homes, int32_t cost);

/* Enters the children that wait for their memory. */
bool settle (struct bspsat_search *);

/* Enters a new state, and puts it into a bucket; one that doesn't wait, NOTHING, into none. */
bool enter (struct bspsat_search *, uint32_t *slot, const key_word *key, const struct child *, int32_t bound, int64_t bucket);

/* Puts a state on top of a bucket. */
bool put (struct bspsat_search *, struct record *, int32_t state, int64_t bucket);

/* The bucket of a state with a cost and bound. */
int64_t bucket_of (const struct bspsat_search *, int32_t cost, int32_t bound);

/*------------------------------------------------------------------------*/
/* The spaces of boards: their steps, all but dominated ones if they are pruned. */

bool expand_moves (struct bspsat_search *, uint64_t homes);
bool expand_ruled (struct bspsat_search *, uint64_t homes);
bool expand_homes (struct bspsat_search *, uint64_t homes);

/* Makes a legal move from one place to another, but for the locks that it opens. */
void pour (const struct bspsat_tables *, bool one_ball, int32_t *numbers, int32_t source, int32_t target);

/* In the space of homes, moves the top run of `search->source` to the places that get it. */
void move_run (const struct bspsat_search *, int32_t *numbers);

/* Whether the goal accepts a state whose bound is 0, its numbers from high to low; in the space of homes, whether all balls
are home. */
bool is_at_goal (struct bspsat_search *, const int32_t *numbers);

/* Whether the state in work is a goal, which is then what was found. */
bool finds_goal (struct bspsat_search *);

/* The lower bound on the moves from a state, its numbers from high to low; the same in the space of moves. */
int32_t bound_of_state (struct bspsat_search *, const int32_t *numbers, uint64_t homes);
int32_t bound_in_moves (struct bspsat_search *, const int32_t *numbers);

/* The part of the bound in the space of homes that each step changes by a known amount.

Each ball has to move, but the bottom run of one tube for each colour whose home isn't open. A ball in a temporary moves
twice, unless its colour has a longer bottom run that may become its home. `savings` gets, by colour, the moves saved by
that bottom run, `search->longest` the balls of the longest bottom run. */
int32_t balls_of_homes (struct bspsat_search *, const int32_t *numbers, uint64_t homes, int32_t *savings);

#endif
