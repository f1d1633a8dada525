/* A search for a shortest plan of one board: the part of the door for one board at a time.

A* with lower bounds, over positions in which tubes that change places make no difference; docs/search.md has the two
spaces, instances/README.md and engine/homes.md the arguments for what is left out of them. A search goes in turns. When its memory is used up it goes on
depth first, from all positions that wait. */

#ifndef SEARCH_H
#define SEARCH_H

#include "contents/board.h"

enum { BSPSAT_UNREACHABLE = 1 << 20, BSPSAT_NO_LIMIT = BSPSAT_UNREACHABLE - 1 }; // moves
enum { BSPSAT_MOST_WEIGHT = 16 };

struct bspsat_search;

/* What a search has found so far. */
struct bspsat_facts {
  int64_t expansions; // positions whose next ones were looked at
  int64_t states;     // positions that are stored
  int64_t bytes;      // that they take, with what finds them
  int64_t rank;       // the least rank of a position that waits: with equal weights, no plan that is still to be found is
                      // shorter; while it goes depth first, as it was when the memory was used up
  int64_t cost;       // moves to the goal that was found
  int64_t cut;        // whether a limit on moves kept a position out; if not, an exhausted search has seen all
  int64_t deepening;  // whether the memory is used up, so that it goes depth first
};

/* Makes a search, or returns NULL when memory is used up. The board stays in use. A position's rank is its cost so far and
the bound on the moves ahead, with these weights, 0 to BSPSAT_MOST_WEIGHT (else NULL as well); equal ones give a shortest
plan. `pruned`: moves that others are as good as are left out. `bspsat_search_start` comes next, `bspsat_search_free` in
the end. All between them but `bspsat_search_facts` is BSPSAT_INVALID without a start. */
DOOR struct bspsat_search *bspsat_search_new (const struct bspsat_board *, int64_t cost_weight, int64_t bound_weight,
                                              int64_t pruned);

/* Frees a search; NULL is nothing. */
DOOR void bspsat_search_free (struct bspsat_search *);

/* Begins, also again, at a position: the number of each tube, see `bspsat_board_numbers`; in the space of homes with all balls
of each colour. Returns BSPSAT_FOUND; BSPSAT_INVALID, and what was begun goes on; or BSPSAT_MEMORY, and nothing is begun. */
DOOR int64_t bspsat_search_start (struct bspsat_search *, const int32_t *numbers);

/* Goes on for up to `budget` expansions, fewer where they would take more than a fraction of a second, to plans of at most
`limit` moves. `most_bytes`: that positions may take.

Returns BSPSAT_FOUND for a goal, BSPSAT_EXHAUSTED when no position is left, BSPSAT_PAUSED; BSPSAT_MEMORY when it needs more
memory than it may take or can get. What was found stays true. It goes on where more is allowed, or after
`bspsat_search_deepen`; if it goes depth first already, that was the end, and BSPSAT_MEMORY it stays up to a new start or
`bspsat_search_again`. */
DOOR int64_t bspsat_search_run (struct bspsat_search *, int64_t limit, int64_t budget, int64_t most_bytes);

/* Makes a search go on depth first, once it needs more memory. After that a plan is shortest only if `limit` is at most the
proved bound: the rank at that moment, and one more for each limit that is exhausted.
Returns BSPSAT_FOUND; BSPSAT_MEMORY when there isn't even enough for that, or BSPSAT_INVALID for one that goes depth first:
then it goes on as before. */
DOOR int64_t bspsat_search_deepen (struct bspsat_search *);

/* Spreads the positions over parts, so that it goes on by rounds, in which several threads can take part. What it finds
doesn't depend on their number. Returns BSPSAT_FOUND; BSPSAT_MEMORY, or BSPSAT_INVALID for one with unequal weights, one
that is spread, hasn't begun or goes depth first: then it goes on as before. */
DOOR int64_t bspsat_search_spread (struct bspsat_search *);

/* Helps the one thread that calls `bspsat_search_run`, from before that until it returns, and does so for the `calls`-th
time since the search was spread. In between nothing else may be called; afterwards, when all who help have returned.
Returns BSPSAT_FOUND; BSPSAT_INVALID at once where the search isn't spread, goes depth first or has still to be run before. */
DOOR int64_t bspsat_search_help (struct bspsat_search *, int64_t calls);

/* Returns its facts, which the next call changes. */
DOOR const struct bspsat_facts *bspsat_search_facts (const struct bspsat_search *);

/* Begins again, for a higher limit, which may not rise before. Returns BSPSAT_FOUND; BSPSAT_INVALID where it doesn't go depth
first; or BSPSAT_MEMORY, which was the end. */
DOOR int64_t bspsat_search_again (struct bspsat_search *);

/* Writes the plan to the goal that the last `bspsat_search_run` found: source and target of each move, as far as there is
room for `room` moves. Returns the number of moves; BSPSAT_MEMORY; BSPSAT_INVALID where that found none. */
DOOR int64_t bspsat_search_plan (struct bspsat_search *, uint8_t *moves, int64_t room);

/* Writes the positions that may be on plans of at most `limit` moves into `rows`, [states, tubes + 1]: the numbers of
tubes, from high to low, then the fewest moves that lead there. Returns how many; BSPSAT_INVALID in the space of homes, for
a search that is spread, and for one that may have forgotten some, as it goes depth first. */
DOOR int64_t bspsat_search_states (const struct bspsat_search *, int64_t limit, int32_t *rows);

#endif
