/* When a border may go, for boards in which each colour fills one tube; proved in docs/search.md, see also
`bsp_sat.backends.search.borders`. */

#ifndef BORDER_RULE_H
#define BORDER_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether a border may go. `free`: the empty tubes, and those without borders, less the colours that need one.
`missing`: of the colour right above it, the balls above borders less its places. `places`: those above it, which this
colour loses, and may need a tube for that. */
static inline bool border_may_go (int64_t free, int64_t missing, int64_t places) {
  return free > 0 || (free == 0 && (missing > 0 || missing + places <= 0));
}

#endif
