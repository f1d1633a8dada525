/* Border tables, and ways through those of one board. */

#include "classes.h"
#include "parts.h"

#include <string.h>

void lay_border_tables (struct border_tables *tables, char *block, int64_t *used) {
  const int64_t colours = tables->colours, places = colours * tables->capacity;
  const int64_t most = tables_of (colours, tables->capacity);
  tables->runs = part_of (block, used, colours, sizeof *tables->runs);
  tables->run = part_of (block, used, places, sizeof *tables->run);
  tables->above = part_of (block, used, places * colours, sizeof *tables->above);
  tables->radix = part_of (block, used, colours + 1, sizeof *tables->radix);
  tables->seen = part_of (block, used, most, sizeof *tables->seen);
  tables->stack = part_of (block, used, most, sizeof *tables->stack);
  tables->table = part_of (block, used, colours, sizeof *tables->table);
  tables->left = part_of (block, used, colours, sizeof *tables->left);
}

void put_run (struct border_tables *tables, int64_t tube, int32_t colour, int32_t length) {
  const int64_t colours = tables->colours, at = tube * tables->capacity + tables->runs[tube];
  int32_t *above = tables->above + at * colours;
  for (int64_t other = 0; other < colours; other++)
    above[other] = tables->runs[tube] ? above[other - colours] : 0;
  above[colour] += length;
  tables->run[at] = (struct run) {colour, tables->runs[tube] ? tables->run[at - 1].end + length : length};
  tables->runs[tube]++;
}

bool put_table (struct border_tables *tables, int32_t number) {
  if (tables->seen[number] == tables->mark)
    return false;
  tables->seen[number] = tables->mark;
  tables->stack[tables->waiting++] = number;
  return true;
}

void begin_tables (struct border_tables *tables) {
  tables->radix[0] = 1;
  for (int64_t tube = 0; tube < tables->colours; tube++)
    tables->radix[tube + 1] = tables->radix[tube] * tables->runs[tube];
  tables->mark++;
  tables->waiting = tables->number = 0;
  put_table (tables, 0);
}

void take_table (struct border_tables *tables, int32_t number) {
  const int64_t colours = tables->colours;
  memset (tables->left, 0, (size_t) colours * sizeof *tables->left);
  tables->number = number;
  for (int64_t tube = 0; tube < colours; tube++) {
    tables->table[tube] = number % tables->runs[tube];
    number /= tables->runs[tube];
    const int32_t *above = tables->above + (tube * tables->capacity + tables->table[tube]) * colours;
    for (int64_t colour = 0; colour < colours; colour++)
      tables->left[colour] += above[colour];
  }
}

void find_free (struct border_tables *tables) {
  tables->open = tables->empty;
  for (int64_t tube = 0; tube < tables->colours; tube++) {
    const struct run *run = run_above (tables, tube);
    if (run->end < tables->capacity)
      tables->left[run->colour] -= run->end;
    else
      tables->open++;
  }
  tables->free = tables->open;
  for (int64_t colour = 0; colour < tables->colours; colour++)
    tables->free -= tables->left[colour] > 0;
}

/*------------------------------------------------------------------------*/

void begin_at_first_table (struct bspsat_classes *classes) {
  struct border_tables *tables = &classes->tables;
  const int64_t capacity = classes->capacity;
  for (int64_t tube = 0; tube < classes->colours; tube++) {
    const int32_t *balls = classes->word + tube * capacity;
    tables->runs[tube] = 0;
    for (int64_t top = capacity - 1, below; top >= 0; top = below) {
      for (below = top - 1; below >= 0 && balls[below] == balls[top]; below--)
        ;
      put_run (tables, tube, balls[top], (int32_t) (top - below));
    }
  }
  begin_tables (tables);
}

enum way_out look_for_way_out (struct bspsat_classes *classes) {
  struct border_tables *tables = &classes->tables;
  while (tables->waiting) {
    if (classes->steps-- <= 0)
      return UNKNOWN;
    take_table (tables, tables->stack[--tables->waiting]);
    find_free (tables);
    if (tables->open >= tables->colours) // a tube for each colour: from here on every border may go
      return WAY_OUT;
    for (int64_t tube = 0; tube < tables->colours; tube++)
      if (may_go (tables, tube))
        put_table (tables, tables->number + tables->radix[tube]);
  }
  return NO_WAY_OUT;
}

int64_t bspsat_classes_count_paths (struct bspsat_classes *classes, const uint8_t *board) {
  if (!are_colours (classes, board, classes->colours * classes->capacity))
    return BSPSAT_INVALID;
  classes->task = COUNTING;
  for (int64_t place = 0; place < classes->colours * classes->capacity; place++)
    classes->word[place] = board[place];
  begin_at_first_table (classes);
  memset (classes->ways, 0, (size_t) classes->tables.radix[classes->colours] * sizeof *classes->ways);
  classes->ways[0] = 1;
  return BSPSAT_FOUND;
}

int64_t bspsat_classes_count_paths_on (struct bspsat_classes *classes, int64_t steps, double *paths) {
  struct border_tables *tables = &classes->tables;
  double *ways = classes->ways;
  if (classes->task != COUNTING)
    return BSPSAT_INVALID;
  for (; tables->number < tables->radix[tables->colours] - 1; tables->number++, steps--) {
    if (steps <= 0)
      return BSPSAT_PAUSED;
    if (ways[tables->number] <= 0)
      continue;
    take_table (tables, tables->number);
    find_free (tables);
    for (int64_t tube = 0; tube < tables->colours; tube++)
      if (may_go (tables, tube))
        ways[tables->number + tables->radix[tube]] += ways[tables->number];
  }
  *paths = ways[tables->number];
  return BSPSAT_EXHAUSTED;
}
