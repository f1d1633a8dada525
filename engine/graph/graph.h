/* The positions of one board, and the moves between them: the part of the door that grading calls.

A position is the numbers of its tubes' contents (`contents/board.h`), from high to low, so that the order of tubes makes
no difference. The board isn't in the space of homes, and its tubes have no rules. */

#ifndef GRAPH_H
#define GRAPH_H

#include "contents/board.h"

enum { BSPSAT_LIMBS = 4 }; // 64-bit words of an exact number, the least significant first

struct bspsat_graph;

/* Makes a graph of a board, which stays in use. Returns NULL when memory is used up, and for other boards;
`bspsat_graph_free` frees it, after all walks. */
DOOR struct bspsat_graph *bspsat_graph_new (const struct bspsat_board *);

/* Frees a graph; NULL is nothing. */
DOOR void bspsat_graph_free (struct bspsat_graph *);

/* Lists the different next positions, [positions, tubes], also of a goal. Returns how many there are; `next` is set to
them, which stay until the next call. BSPSAT_INVALID for what is no position, here and below. */
DOOR int64_t bspsat_graph_next (struct bspsat_graph *, const int32_t *position, const int32_t **next);

/*------------------------------------------------------------------------*/
/* Walks: positions are numbered in the order in which a breadth-first walk meets them, the first being 0. */

struct bspsat_walk;

/* What is known of a walk's positions; no game goes on from a goal. */
struct bspsat_walked {
  int64_t positions, edges;
  const int32_t *depth;      // [positions] fewest moves from the first
  const int32_t *goal;       // [positions] 1 where the goal accepts it
  const int32_t *successors; // [positions] the number of its different next positions, kept or not
  const int32_t *first;      // [positions + 1] its first edge
  const int32_t *target;     // [edges] a different next position that was kept
  const int32_t *distance;   // [positions] fewest moves to a goal, BSPSAT_UNREACHABLE where there is no way; if measured
  const int32_t *good;       // [positions] next positions that are on shortest plans; this and what follows if counted
  const uint64_t *plans;     // [positions, BSPSAT_LIMBS] exact number of shortest plans from here
  const double *before;      // [positions] the shortest plans' beginnings that lead here
  const double *after;       // [positions] the number of `plans` again, rounded
};

/* Begins a walk from a position, to at most `most` positions; with `limit` below BSPSAT_NO_LIMIT only to those that may be
on plans of at most that many moves. `spare`: never move balls out of full tubes that hold every ball of their colour.
Returns NULL when memory is used up, where that is no position, or `most` isn't at least 1; `bspsat_walk_free` frees it. */
DOOR struct bspsat_walk *bspsat_walk_new (struct bspsat_graph *, const int32_t *position, int64_t limit, int64_t most,
                                          int64_t spare);

/* Frees a walk; NULL is nothing. */
DOOR void bspsat_walk_free (struct bspsat_walk *);

/* Goes on for up to `steps` positions. Returns BSPSAT_PAUSED; BSPSAT_EXHAUSTED when there are no more; BSPSAT_FOUND when
there are more than `most`, or too many moves between them; BSPSAT_MEMORY; BSPSAT_INVALID once it is measured or counted. */
DOOR int64_t bspsat_walk_on (struct bspsat_walk *, int64_t steps);

/* Finds the distance of every position to a goal, after an exhausted walk without limit, in calls of up to `steps`
positions. Returns BSPSAT_PAUSED, BSPSAT_EXHAUSTED when it is done, or BSPSAT_MEMORY; BSPSAT_INVALID after another one. */
DOOR int64_t bspsat_walk_measure (struct bspsat_walk *, int64_t steps);

/* Counts the shortest plans through every position, after an exhausted walk with their length as its limit, in the same
way. Returns BSPSAT_FOUND where an exact number has too many digits, which is the end. A plan is a sequence of moves, as
`bsp_sat.backends.count` has it. A walk is measured or counted, not both, and counted for one length. */
DOOR int64_t bspsat_walk_count (struct bspsat_walk *, int64_t length, int64_t steps);

/* Sets `walked` to what is known: numbers at any time, and the lists, which stay until the next call, once it is exhausted. */
DOOR void bspsat_walk_positions (const struct bspsat_walk *, struct bspsat_walked *walked);

/* Writes one of the positions. Returns BSPSAT_FOUND; BSPSAT_INVALID where there are fewer. */
DOOR int64_t bspsat_walk_position (const struct bspsat_walk *, int64_t place, int32_t *position);

/* Returns the place of a position; -1 if it isn't among them. */
DOOR int64_t bspsat_walk_place (const struct bspsat_walk *, const int32_t *position);

/*------------------------------------------------------------------------*/
/* Simulated players: they make moves that aren't pointless until the board is solved, or they have had enough. */

/* Plays some times from a position, and returns how often that solves the board within `most` moves. `greedy`: which of
the two players of `plays.c`. `chance` is the state of the random numbers. */
DOOR int64_t bspsat_graph_play (struct bspsat_graph *, const int32_t *position, uint64_t *chance, int64_t plays,
                                int64_t most, int64_t greedy);

/* Plays some times, each 1 to `most` moves, all with the same chance, and writes where each play is then, or where it
ended before, into `positions`, [plays, tubes]. Returns BSPSAT_FOUND; BSPSAT_INVALID also where `most` isn't at least 1. */
DOOR int64_t bspsat_graph_wander (struct bspsat_graph *, const int32_t *position, uint64_t *chance, int64_t plays,
                               int64_t most, int32_t *positions);

#endif
