/* From the states of a search to a plan, move by move.

A state tells what tubes hold, not where they stand. So moves are made on a table, where tubes stand in their order, and
for each state those are found that lead there. */

#ifndef PLANS_H
#define PLANS_H

#include "search/states.h"

struct plan {
  const struct bspsat_tables *tables;
  int32_t tubes;
  uint8_t *moves;              // source and target of each
  int64_t room;                // for moves
  int32_t state[MOST_TUBES];   // the numbers that the next step leads to, sorted
  int32_t numbers[MOST_TUBES]; // of the tubes on the table, -1 - colour for the open home of a colour
  int32_t after[MOST_TUBES];   // the same after a step that is tried
  int32_t decided[MOST_TUBES]; // after a decision that is tried
  int32_t targets[MOST_TUBES], amounts[MOST_TUBES]; // tubes, and balls for each of them
};

/* Writes a move down, if there is room. */
static inline void write (struct plan *plan, int32_t place, int32_t source, int32_t target) {
  if (place < plan->room) {
    plan->moves[2 * place] = (uint8_t) source;
    plan->moves[2 * place + 1] = (uint8_t) target;
  }
}

/* The set of the colours whose homes are open. */
static inline uint64_t open_homes (const int32_t *numbers, int32_t tubes) {
  uint64_t homes = 0;
  for (int32_t tube = 0; tube < tubes; tube++)
    if (numbers[tube] < 0)
      homes = with (homes, -1 - numbers[tube]);
  return homes;
}

/* Whether tubes are those of the state. */
static inline bool is_at (const struct plan *plan, const int32_t *numbers, uint64_t homes) {
  if (open_homes (numbers, plan->tubes) != homes)
    return false;
  int32_t sorted[MOST_TUBES];
  for (int32_t tube = 0; tube < plan->tubes; tube++)
    sorted[tube] = most_of (0, numbers[tube]);
  sort (sorted, plan->tubes);
  return !memcmp (sorted, plan->state, (size_t) plan->tubes * sizeof *sorted);
}

/* Makes the moves of a step in the space of homes to the state, up to the place `most` where such are found, else the
fewest.

`before` and `after` are the open homes before and after the step, `place` is that of the first move. The costs of the
two states say that `most` is behind the last one or further on. Returns the place behind the last of them; -1 where no
step leads there. */
int32_t step_by_homes (struct plan *, uint64_t before, uint64_t after, int32_t place, int32_t most);

#endif
