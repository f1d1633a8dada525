/* The case distinction, and the search for positions that are won: what `cases.c`, `tables.c` and `positions.c` share.

See `bsp_sat.apps.census.cases` for the argument. A call may stop anywhere where its steps are used up: what is in work is
below, and the functions that return UNDECIDED go on with it when they are called again. */

#ifndef CASES_H
#define CASES_H

#include "border_rule.h"
#include "census.h"

enum { PROOF_BYTES = 1 << 16 }; // written in one call

/* What is known of a case or a position; OPEN: of a case, that it depends on what is covered. */
enum verdict { UNDECIDED, LOST, WON, OPEN };

/* The walk through the cases: at each level, one more run is uncovered. */
struct level_of_cases {
  int32_t tube;   // whose next run is uncovered
  int32_t colour; // of that run, -1 before the first
  int32_t length; // of that run, 0 if there is none in place
  int32_t used;   // colours in use
  uint64_t ways;  // in how many ways colours and tubes of the level's case can be exchanged, modulo 2^64
};

/* A level of the search for won positions: the position, and what is tried from there. */
struct level_of_positions {
  int32_t tubes;    // that have a border
  int32_t free;     // tubes without borders, less the colours that need one
  int32_t tube;     // whose border goes, -1 before the first
  int32_t colour;   // of the run below it
  int32_t length;   // of that run, 0 before the first
  int32_t *sizes;   // [n] balls above the border of each tube, from high to low
  int32_t *colours; // [n] the colour right above it
  int32_t *exposed; // [n] balls of each colour above borders and in tubes without one
  int32_t *left;    // [n] the same less the places for them
  uint64_t *key;    // [n] the position as it is known by, see `write_key`
};

struct bspsat_cases {
  int64_t colours, capacity;        // n and h
  enum { NOTHING_BEGUN, BOARDS, POSITION } task;
  int64_t steps;                    // left in this call

  // The walk, see `cases.c`.
  int64_t level;                    // runs that were uncovered
  enum { BEGIN, DECIDE, CHOOSE, NEXT_RUN } phase;
  int32_t *rest;                    // [n] balls of each colour that are still covered
  struct level_of_cases *levels;    // [n * h + 1]
  uint64_t *binomials;              // [n * h + 1, n * h + 1] modulo 2^64
  int32_t *taken;                   // [n] balls that are taken from `rest` for a count
  int32_t *example;                 // [n * h] see `bspsat_decided`
  struct bspsat_decided decided;    // so far
  uint8_t *proof;                   // [PROOF_BYTES] its steps in this call
  int64_t written;                  // bytes of it
  struct {                          // the choice of the tube whose next run tells cases apart
    int64_t tube;                   // in work
    bool deciding;                  // whether the case after one of its runs is in work
    int64_t runs, open;             // cases of the tube, and those of them that stay open
    uint32_t candidates;            // a bit for each tube that may be chosen
    int64_t best, best_open, best_runs, best_end;
  } choice;

  // Border tables of the case in work, see `tables.c`.
  struct border_tables tables;      // they, and its runs that are uncovered
  uint8_t *gone;                    // [tables] the tube whose border went last on the way to a table
  bool searching;                   // whether the search for a won position from its table is in work
  uint32_t candidates;              // a bit for each tube whose next run may be uncovered

  // The search for won positions, see `positions.c`.
  struct level_of_positions *positions; // [n * h + 1]
  int64_t first, depth;             // the level that is decided, the level in work; less than `first` where none is
  bool fresh;                       // whether the level in work hasn't been looked at
  enum verdict value;               // of the level that was decided last
  int64_t places;                   // of the table of decided positions, a power of 2
  uint64_t *known;                  // [places, n] keys of positions that were decided
  int8_t *values;                   // [places] their verdicts, UNDECIDED where there is no key
};

/* Whether these may be runs of some tubes of the class. */
bool are_tops (const struct bspsat_cases *, int64_t tubes, const struct bspsat_top *);

/* Begins to decide the case in work. */
void begin_case (struct bspsat_cases *);

/* Goes on to decide the case in work by the tables that its uncovered runs lead to. Returns WON if some table's position is
won, of which `number` is the table; LOST if no border may go below which the next run is covered; else OPEN, and
`candidates` has the tubes of such borders; UNDECIDED when no step is left. */
enum verdict decide_case (struct bspsat_cases *);

/* Begins to decide whether every board with the position at a level can be solved. */
void begin_position (struct bspsat_cases *, int64_t level);

/* Goes on with that. Returns WON or LOST; UNDECIDED when no step is left. */
enum verdict decide_position (struct bspsat_cases *);

/* Returns what the position at a level is, if that is known or plain; else prepares its search, UNDECIDED. */
enum verdict settle_position (struct bspsat_cases *, int64_t level);

/* Takes the next border of a level that may go; returns false after the last. */
bool take_border (struct bspsat_cases *, int64_t level);

/* Takes the next run that there may be below the border that goes; returns false after the last. */
bool take_run (struct bspsat_cases *, int64_t level);

/* Writes the position after a level's border and run to the next level. */
void uncover_run (struct bspsat_cases *, int64_t level);

/* Puts a tube among the first `tubes` ones of a position, which are sorted by size. */
void add_tube (struct level_of_positions *, int32_t tubes, int32_t size, int32_t colour);

#endif
