/* All boards of n colours, n full tubes of capacity h, and k empty tubes: the part of the door that the census calls.

A call that may take long does a number of steps, and is called again where it returns PAUSED. A step is mostly a small
part of a microsecond, at most n * n additions. */

#ifndef CENSUS_H
#define CENSUS_H

#include "common.h"


/*------------------------------------------------------------------------*/
/* Board by board, one of all that differ by names of colours and the order of tubes. A board is n * h bytes: its colours,
tube by tube, bottom first. */

struct bspsat_classes;

/* Makes a list of the boards of a class: n from 1 to 255, h at least 1, k from 0 to 2^20, and at most 2^24 border tables, h^n.
Returns NULL when memory is used up, and for other classes; `bspsat_classes_free` frees it. */
DOOR struct bspsat_classes *bspsat_classes_new (int64_t colours, int64_t capacity, int64_t empty);

/* Frees a list; NULL is nothing. */
DOOR void bspsat_classes_free (struct bspsat_classes *);

/* Begins to list the first `length` bytes of boards that begin with some whole tubes, `begin` bytes; or, of whole boards,
only those that can't be solved. `length` is more than `begin`, and at most n * h. Returns BSPSAT_FOUND, or BSPSAT_INVALID,
and what was begun goes on. */
DOOR int64_t bspsat_classes_begin (struct bspsat_classes *, int64_t begin, const uint8_t *beginning, int64_t length,
                                int64_t only_unsolvable);

/* Goes on for up to `steps` steps, or until its list is full. Returns EXHAUSTED when there are no more, else PAUSED;
BSPSAT_INVALID where no list was begun, or paths are counted since.
`found` is set to what was found in this call, `number` of them, which stay until the next; `counted` to how many there
were since the beginning, whether they can be solved or not. */
DOOR int64_t bspsat_classes_go_on (struct bspsat_classes *, int64_t steps, const uint8_t **found, int64_t *number,
                                   int64_t *counted);

/* Begins to count the paths through the border tables of a board. What is listed is lost. Returns BSPSAT_FOUND, or
BSPSAT_INVALID, and what was begun goes on. */
DOOR int64_t bspsat_classes_count_paths (struct bspsat_classes *, const uint8_t *board);

/* Goes on for up to `steps` steps. Returns PAUSED, or EXHAUSTED when `paths` is set to their number, rounded; it is 0 if
the board can't be solved. BSPSAT_INVALID where no board was given, or a list was begun since. */
DOOR int64_t bspsat_classes_count_paths_on (struct bspsat_classes *, int64_t steps, double *paths);

/*------------------------------------------------------------------------*/
/* Case by case, each known only as far as deciding it takes. */

struct bspsat_cases;

/* The first run of a tube. */
struct bspsat_top { int32_t colour, balls; };

/* What was found in some cases. */
struct bspsat_decided {
  int64_t cases;          // how many there were
  int64_t dead;           // how many of them can't be solved
  uint64_t boards;        // how many boards they have in all, modulo 2^64
  uint64_t unsolvable;    // how many of those can't be solved, modulo 2^64
  const int32_t *example; // [n * h] of the first that can't be solved, each tube's balls from the top, -1 where covered
};

enum {
  CASES_UNCOVER = 0, // what a proof says of a case: plus a tube, its next run tells cases apart
  CASES_DIG = 32,    // plus a tube, its border goes
  CASES_KNOWN = 64,  // the position is one that is won
};

/* Makes a case distinction: n from 1 to 11, h from 1 to 31, k from 0 to 2^20, at most 2^22 border tables. `places` is how many decided
positions are kept, a power of 2 of at least 8; fewer where there isn't memory for as many, which only takes longer.
Returns NULL when memory is used up, and for other classes; `bspsat_cases_free` frees it. */
DOOR struct bspsat_cases *bspsat_cases_new (int64_t colours, int64_t capacity, int64_t empty, int64_t places);

/* Frees a case distinction; NULL is nothing. */
DOOR void bspsat_cases_free (struct bspsat_cases *);

/* Begins with the boards whose n tubes begin with some runs, of colours numbered in order of appearance. `ways`: in how
many ways colours and tubes can be exchanged, modulo 2^64. Returns BSPSAT_FOUND, or BSPSAT_INVALID where these aren't the
first runs of such boards. */
DOOR int64_t bspsat_cases_begin (struct bspsat_cases *, int64_t tubes, const struct bspsat_top *, uint64_t ways);

/* Goes on for up to `steps` steps, or until its part of the proof is full. Returns PAUSED, or EXHAUSTED when all boards are
decided; BSPSAT_INVALID where none are begun, or a position was placed since. `proof` is set to the next part of the proof, `bytes` of it, which stay until the next call; `decided` to what
was found so far. */
DOOR int64_t bspsat_cases_go_on (struct bspsat_cases *, int64_t steps, const uint8_t **proof, int64_t *bytes,
                                 struct bspsat_decided *decided);

/* Begins to look for a border after which a position is won, whatever is found below it. `exposed`: [n] balls of each
colour above borders and in tubes without one; of each tube with a border, the colour right above it, and all balls
above. What was begun before is lost. Returns BSPSAT_FOUND or BSPSAT_INVALID. */
DOOR int64_t bspsat_cases_place (struct bspsat_cases *, const int32_t *exposed, int64_t tubes, const struct bspsat_top *);

/* Goes on for up to `steps` steps. Returns PAUSED, or EXHAUSTED when `border` is set to its tube, -1 if there is none: the
position isn't won, or has at most k borders. BSPSAT_INVALID where no position was placed, or boards were begun since. */
DOOR int64_t bspsat_cases_border (struct bspsat_cases *, int64_t steps, int64_t *border);

#endif
