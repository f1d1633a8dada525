/* A move without rules for tubes, in terms of contents. */

#ifndef POUR_H
#define POUR_H

#include "contents/contents.h"

/* Makes a legal move from one place to another. */
static inline void pour (const struct bspsat_tables *tables, bool one_ball, int32_t *numbers, int32_t source,
                         int32_t target) {
  int32_t from = numbers[source], to = numbers[target];
  const int32_t colour = tables->top[from];
  const int32_t amount = one_ball ? 1 : least (tables->run[from], tables->room[to]);
  for (int32_t ball = 0; ball < amount; ball++)
    from = tables->less[from];
  if (to == 0)
    to = *founded (tables, colour, amount);
  else
    for (int32_t ball = 0; ball < amount; ball++)
      to = tables->more[to];
  numbers[source] = from;
  numbers[target] = to;
}

#endif
