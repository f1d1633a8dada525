/* Boards on which balls go wherever there is room: the part of the door for them.

A* in the order of ranks, the moves so far and a lower bound; `engine/anywhere.md` has the way, `anywhere/bounds.c` the bounds
with their proofs. Before it, a plan by construction and a beam search give plans at once. */

#ifndef ANYWHERE_H
#define ANYWHERE_H

#include "search/search.h"

/* When a board is solved, see `docs/formats.md`. */
enum bspsat_goal {
  BSPSAT_GOAL_FULL,
  BSPSAT_GOAL_MONOCHROME,
  BSPSAT_GOAL_GATHERED,
  BSPSAT_GOAL_COLOURED,
  BSPSAT_GOAL_WANTED,
};

/* The rules of a tube. */
struct bspsat_tube {
  uint64_t takes;      // set of the colours that may be put in
  int32_t capacity;
  int32_t group;       // tubes of a group have the same rules: all that follows and precedes this
  int32_t own;         // its colour at the goal coloured, -1 for none
  int32_t gives;       // whether it may be a source
  int32_t matches;     // whether a ball may only go onto its own colour
  int32_t lock_colour; // colour that opens its lock when it is complete, or whose tubes count; -1 for none
  int32_t lock_tubes;  // number of complete tubes that opens it, 0 for none
};

/* A board: its rules, and its balls. */
struct bspsat_loose {
  int32_t goal, colours, tubes;
  int32_t corks;                    // whether complete tubes are closed
  int32_t pours;                    // whether a move takes as much of the run as fits (water sort)
  int32_t whole;                    // then, whether all of it has to fit
  int32_t drains;                   // whether balls leave at the bottom
  int32_t plain;                    // without the bound of two colours, and no move left out: for distance labels
  int32_t wanted[BSPSAT_MOST_COLOURS]; // full tubes of each colour, at the goal wanted
  int32_t homes[BSPSAT_MOST_COLOURS];  // tubes that end with each colour, at most
  const struct bspsat_tube *rules;  // [tubes]
  const uint8_t *loads;             // [tubes] numbers of balls
  const uint8_t *balls;             // of all tubes, bottom first
};

struct bspsat_anywhere;

/* Makes a search of a board, which isn't needed any more then. Sets `made`, which `bspsat_anywhere_free` frees. Returns
BSPSAT_FOUND, BSPSAT_INVALID or BSPSAT_MEMORY. */
DOOR int64_t bspsat_anywhere_new (const struct bspsat_loose *, struct bspsat_anywhere **made);

/* Frees a search; NULL is nothing. */
DOOR void bspsat_anywhere_free (struct bspsat_anywhere *);

/* Goes on for some `steps`, of some nanoseconds each, to plans of at most `limit` moves, which may fall from call to call.
`most_bytes`: that positions may take. Returns BSPSAT_FOUND for a shortest plan, BSPSAT_EXHAUSTED, BSPSAT_PAUSED;
BSPSAT_MEMORY where it needs more than it may take or can get, and it goes on where it may take more. BSPSAT_INVALID would
be an error in here: a bound that isn't consistent; it is the end. */
DOOR int64_t bspsat_anywhere_run (struct bspsat_anywhere *, int64_t limit, int64_t steps, int64_t most_bytes);

/* Returns its facts, which the next call changes. It never goes depth first. */
DOOR const struct bspsat_facts *bspsat_anywhere_facts (const struct bspsat_anywhere *);

/* Writes the shortest plan, as `bspsat_search_plan` does, but only where there is room for all of it. BSPSAT_INVALID before it
is found. */
DOOR int64_t bspsat_anywhere_plan (struct bspsat_anywhere *, uint8_t *moves, int64_t room);

/* Writes the positions that may be on plans of at most `limit` moves into `rows`, each as its moves so far in four bytes,
the low one first, then for each tube its number of balls and, in the tallest tube's capacity of bytes, its balls, from
the end at which they may stay. Sets `locked` for each position and tube. Returns how many positions there are; with NULL it only counts. */
DOOR int64_t bspsat_anywhere_states (struct bspsat_anywhere *, int64_t limit, uint8_t *rows, uint8_t *locked);

/* Writes a plan made by exchanging balls through an empty tube, as `bspsat_anywhere_plan` does. Returns 0 where tubes have
rules for that, where a move isn't one ball from the top, or there isn't enough room, and where it would be longer than `room`. */
DOOR int64_t bspsat_anywhere_sure (struct bspsat_anywhere *, uint8_t *moves, int64_t room);

/* Begins a beam search of some width, for a plan of at most `limit` moves, that may take so many `steps` in all; an earlier
one ends. Returns BSPSAT_FOUND, BSPSAT_MEMORY, or BSPSAT_INVALID where a move isn't one ball from the top. */
DOOR int64_t bspsat_anywhere_beam (struct bspsat_anywhere *, int64_t width, int64_t limit, int64_t steps);

/* Goes on with it for some steps. Returns BSPSAT_FOUND for a plan, BSPSAT_EXHAUSTED without one at its end, or
BSPSAT_PAUSED; BSPSAT_MEMORY where it needs more than it may take or can get, which ends it; BSPSAT_INVALID where none was
begun, or it has ended. */
DOOR int64_t bspsat_anywhere_beam_run (struct bspsat_anywhere *, int64_t steps);

/* Writes the plan that it found, as `bspsat_anywhere_plan` does; BSPSAT_INVALID up to then. */
DOOR int64_t bspsat_anywhere_beam_plan (struct bspsat_anywhere *, uint8_t *moves, int64_t room);

#endif
