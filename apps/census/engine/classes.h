/* All boards of a class, and the border tables of the one in work: what `classes.c` and `border_tables.c` share. */

#ifndef CLASSES_H
#define CLASSES_H

#include "border_rule.h"
#include "census.h"

/* What comes next: another colour at the place, another order of the tubes so far, another border table. */
enum phase { FILLING, ORDERING, DECIDING };

struct bspsat_classes {
  int64_t colours, capacity;        // n and h
  enum { NOTHING_BEGUN, LISTING, COUNTING } task;
  int64_t steps;                    // left in this call

  // The walk, see `classes.c`.
  enum phase phase;
  int64_t begin, end;               // first place that is tried; length of words
  int64_t place;                    // that is filled next
  bool only_unsolvable;
  int64_t counted;                  // words since the beginning
  int64_t listed;                   // words in `rows`
  int32_t *word;                    // [n * h] colours of the board in work, tube by tube, bottom first
  int32_t *used;                    // [n] balls of each colour in it
  int32_t *named;                   // [n * h + 1] colours that occur before each place
  int64_t level;                    // tubes that are in their other order so far
  int32_t *order;                   // [n] tubes in another order
  int32_t *taken;                   // [n] whether a tube is in that order
  int32_t *names;                   // [n + 1, n] names of colours in that order before each tube, -1 for none yet
  uint8_t *rows;                    // [ROWS * n * h] words that were found

  struct border_tables tables;      // of the board in work, see `border_tables.c`
  double *ways;                     // [tables] number of paths to a table
};

/* Returns whether all of some balls have colours of the class. */
static inline bool are_colours (const struct bspsat_classes *classes, const uint8_t *balls, int64_t number) {
  while (number > 0 && balls[number - 1] < classes->colours)
    number--;
  return number == 0;
}

enum way_out { UNKNOWN, NO_WAY_OUT, WAY_OUT };

/* Writes down the borders of the board in work, and begins at its first table. */
void begin_at_first_table (struct bspsat_classes *);

/* Goes on to look for a path of tables from the first one to the one without borders; UNKNOWN when no step is left. */
enum way_out look_for_way_out (struct bspsat_classes *);

#endif
