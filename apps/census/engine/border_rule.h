/* When a border may go, for boards in which each colour fills one tube; proved in
`bsp_sat.backends.search.borders`. */

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

#endif
