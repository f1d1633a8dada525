/* The border tables that the uncovered runs of a case lead to. */

#include "cases.h"

#include <string.h>

void begin_case (struct bspsat_cases *cases) {
  begin_tables (&cases->tables);
  cases->candidates = 0;
  cases->searching = false;
}

/* Writes the position of the table in work, of which `left` has the balls above borders, to the first level. */
static void write_position (struct bspsat_cases *cases) {
  struct level_of_positions *level = cases->positions;
  int32_t tubes = 0;
  memcpy (level->exposed, cases->tables.left, (size_t) cases->colours * sizeof *level->exposed);
  for (int64_t tube = 0; tube < cases->colours; tube++) {
    const struct run *run = run_above (&cases->tables, tube);
    if (run->end < cases->capacity)
      add_tube (level, tubes++, run->end, run->colour);
  }
  level->tubes = tubes;
}

/* Goes on from the table in work to those after it: notes the tubes below whose border the next run is covered. */
static void follow_borders (struct bspsat_cases *cases) {
  struct border_tables *tables = &cases->tables;
  for (int64_t tube = 0; tube < cases->colours; tube++) {
    const int32_t following = tables->number + tables->radix[tube];
    if (!may_go (tables, tube))
      continue;
    if (tables->table[tube] + 1 == tables->runs[tube])
      cases->candidates |= UINT32_C (1) << tube;
    else if (put_table (tables, following))
      cases->gone[following] = (uint8_t) tube;
  }
}

enum verdict decide_case (struct bspsat_cases *cases) {
  struct border_tables *tables = &cases->tables;
  while (cases->searching || tables->waiting) {
    if (!cases->searching) {
      if (cases->steps-- <= 0)
        return UNDECIDED;
      take_table (tables, tables->stack[--tables->waiting]);
      write_position (cases);
      find_free (tables);
      if (tables->free < 0)
        continue;
      begin_position (cases, 0);
      cases->searching = true;
    }
    enum verdict verdict = decide_position (cases);
    if (verdict == UNDECIDED)
      return UNDECIDED;
    cases->searching = false;
    if (verdict == WON)
      return WON;
    follow_borders (cases);
  }
  return cases->candidates ? OPEN : LOST;
}
