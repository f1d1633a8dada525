/* Border tables of boards in which each colour fills one tube, and when a border may go; proved in
`bsp_sat.backends.search.borders`. A table says of each tube down to which of its runs the border has gone; its number
is written in digits, one a tube. */

#ifndef BORDER_RULE_H
#define BORDER_RULE_H

#include "memory.h"

#include <stdbool.h>

/* Returns whether a border may go. `free`: the empty tubes, and those without borders, less the colours that need one.
`missing`: of the colour right above it, the balls above borders less its places. `places`: those above it, which this
colour loses, and may need a tube for that. */
static inline bool border_may_go (int64_t free, int64_t missing, int64_t places) {
  return free > 0 || (free == 0 && (missing > 0 || missing + places <= 0));
}

/* Returns how many border tables boards of a class may have: h^n. */
static inline int64_t tables_of (int64_t colours, int64_t capacity) {
  int64_t tables = 1;
  for (int64_t colour = 0; colour < colours; colour++)
    tables = times (tables, capacity);
  return tables;
}

/* One run of a tube. */
struct run {
  int32_t colour;
  int32_t end; // balls of the tube from the top down to its end
};

/* The tables of a board, or of what is uncovered of one, and a search through them. */
struct border_tables {
  int64_t colours, capacity, empty; // n, h and k
  int32_t *runs;                    // [n] runs of each tube that are uncovered, at least one
  struct run *run;                  // [n, h] they, from the top
  int32_t *above;                   // [n * h, n] balls of each colour of a tube down to the end of each run
  int32_t *radix;                   // [n + 1] what a tube's runs count in the number of a table; last, all tables
  int64_t *seen;                    // [tables] mark of the last search that reached a table
  int64_t mark;                     // of the search in work
  int32_t *stack;                   // [tables] to go on from
  int64_t waiting;                  // tables on the stack
  int32_t number;                   // of the table in work
  int32_t *table;                   // [n] of it, the last run above each tube's border
  int32_t *left;                    // [n] of it, for each colour, the balls above borders less the places for them
  int64_t open;                     // of it, tubes without borders, with the empty ones
  int64_t free;                     // they less the colours that need one: negative if there are too few
};

/* Lays the arrays out in a block, see `part_of`. */
void lay_border_tables (struct border_tables *, char *block, int64_t *used);

/* Puts a run below those of a tube. */
void put_run (struct border_tables *, int64_t tube, int32_t colour, int32_t length);

/* Begins a search from the first table, of which no border has gone. */
void begin_tables (struct border_tables *);

/* Puts a table on the stack; returns false for one that was there in this search. */
bool put_table (struct border_tables *, int32_t number);

/* Makes a table the one in work, and counts in `left` the balls above its borders. */
void take_table (struct border_tables *, int32_t number);

/* Takes the places for them from `left`, and sets `open` and `free`. */
void find_free (struct border_tables *);

/* Returns the last run above a tube's border in the table in work. */
static inline const struct run *run_above (const struct border_tables *tables, int64_t tube) {
  return tables->run + tube * tables->capacity + tables->table[tube];
}

/* Returns whether a tube in the table in work has a border, and it may go. */
static inline bool may_go (const struct border_tables *tables, int64_t tube) {
  const struct run *run = run_above (tables, tube);
  return run->end < tables->capacity && border_may_go (tables->free, tables->left[run->colour], run->end);
}

#endif
