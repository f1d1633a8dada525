/* The border tables that the uncovered runs of a case lead to. A table says of each tube down to which of its runs the
border has gone; its number is written in digits, one a tube. */

#include "border_rule.h"
#include "cases.h"

void begin_case (struct bspsat_cases *cases) {
  cases->radix[0] = 1;
  for (int64_t tube = 0; tube < cases->colours; tube++)
    cases->radix[tube + 1] = cases->radix[tube] * cases->runs[tube];
  cases->mark++;
  cases->stack[0] = 0;
  cases->seen[0] = cases->mark;
  cases->waiting = 1;
  cases->candidates = 0;
  cases->searching = false;
}

/* Returns the last run above a tube's border in the table in work. */
static const struct run *last_run (const struct bspsat_cases *cases, int64_t tube) {
  return cases->run + tube * cases->capacity + cases->table[tube];
}

/* Writes the position of the table in work, of which `left` has the balls above borders, to the first level. */
static void write_position (struct bspsat_cases *cases) {
  struct level_of_positions *level = cases->positions;
  int32_t tubes = 0;
  for (int64_t colour = 0; colour < cases->colours; colour++)
    level->exposed[colour] = cases->left[colour];
  for (int64_t tube = 0; tube < cases->colours; tube++) {
    const struct run *run = last_run (cases, tube);
    if (run->end < cases->capacity)
      add_tube (level, tubes++, run->end, run->colour);
  }
  level->tubes = tubes;
}

/* Reads the table in work from its number, and writes its position. Returns the empty tubes, and those without borders,
less the colours that need one: negative if there are too few. */
static int64_t free_tubes (struct bspsat_cases *cases) {
  int64_t colours = cases->colours, free = cases->empty;
  int32_t rest = cases->number, *left = cases->left;
  for (int64_t colour = 0; colour < colours; colour++)
    left[colour] = 0;
  for (int64_t tube = 0; tube < colours; tube++) {
    cases->table[tube] = rest % cases->runs[tube];
    rest /= cases->runs[tube];
    const int32_t *above = cases->above + (tube * cases->capacity + cases->table[tube]) * colours;
    for (int64_t colour = 0; colour < colours; colour++)
      left[colour] += above[colour];
  }
  write_position (cases);
  for (int64_t tube = 0; tube < colours; tube++) {
    const struct run *run = last_run (cases, tube);
    if (run->end < cases->capacity)
      left[run->colour] -= run->end;
    else
      free++;
  }
  for (int64_t colour = 0; colour < colours; colour++)
    free -= left[colour] > 0;
  return free;
}

/* Goes on from the table in work to those after it: notes the tubes below whose border the next run is covered. */
static void follow_borders (struct bspsat_cases *cases) {
  for (int64_t tube = 0; tube < cases->colours; tube++) {
    const struct run *run = last_run (cases, tube);
    if (run->end == cases->capacity || !border_may_go (cases->free, cases->left[run->colour], run->end))
      continue;
    int32_t following = cases->number + cases->radix[tube];
    if (cases->table[tube] + 1 == cases->runs[tube])
      cases->candidates |= UINT32_C (1) << tube;
    else if (cases->seen[following] != cases->mark) {
      cases->seen[following] = cases->mark;
      cases->gone[following] = (uint8_t) tube;
      cases->stack[cases->waiting++] = following;
    }
  }
}

enum verdict decide_case (struct bspsat_cases *cases) {
  while (cases->searching || cases->waiting) {
    if (!cases->searching) {
      if (cases->steps-- <= 0)
        return UNDECIDED;
      cases->number = cases->stack[--cases->waiting];
      cases->free = free_tubes (cases);
      if (cases->free < 0)
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
