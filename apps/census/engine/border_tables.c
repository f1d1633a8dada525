/* The border argument (`border_rule.h`) for one board: tables that say how many borders are left in each tube. */

#include "border_rule.h"
#include "classes.h"

/* Writes down the borders of the board in work, and what lies above them. */
static void read_borders (struct bspsat_classes *classes) {
  int64_t colours = classes->colours, capacity = classes->capacity;
  classes->radix[0] = 1;
  for (int64_t tube = 0; tube < colours; tube++) {
    const int32_t *balls = classes->word + tube * capacity;
    int32_t *heights = classes->heights + tube * capacity, number = 0;
    heights[0] = 0;
    for (int32_t height = 1; height < capacity; height++)
      if (balls[height] != balls[height - 1])
        heights[++number] = height;
    classes->borders[tube] = number;
    classes->radix[tube + 1] = classes->radix[tube] * (number + 1);
    for (int64_t level = 0; level <= number; level++) {
      int32_t *row = classes->above + (tube * capacity + level) * colours;
      for (int64_t colour = 0; colour < colours; colour++)
        row[colour] = 0;
      for (int64_t height = heights[level]; height < capacity; height++)
        row[balls[height]]++;
    }
  }
}

/* Counts, for the table in work, each colour's balls above borders less its places. Returns the empty tubes, and those
without borders, less the colours that need one: negative if there are too few. */
static int64_t free_tubes (struct bspsat_classes *classes) {
  int64_t colours = classes->colours, capacity = classes->capacity, free = classes->empty;
  int32_t *left = classes->left;
  for (int64_t colour = 0; colour < colours; colour++)
    left[colour] = 0;
  for (int64_t tube = 0; tube < colours; tube++) {
    int32_t level = classes->table[tube];
    const int32_t *row = classes->above + (tube * capacity + level) * colours;
    for (int64_t colour = 0; colour < colours; colour++)
      left[colour] += row[colour];
    if (level) {
      int32_t height = classes->heights[tube * capacity + level];
      left[classes->word[tube * capacity + height]] -= (int32_t) capacity - height;
    } else
      free++;
  }
  for (int64_t colour = 0; colour < colours; colour++)
    free -= left[colour] > 0;
  return free;
}

/* Returns whether the lowest border of a tube in the table in work may go, where `free_tubes` has returned `free`. */
static bool may_go (const struct bspsat_classes *classes, int64_t tube, int64_t free) {
  int64_t capacity = classes->capacity;
  int32_t height = classes->heights[tube * capacity + classes->table[tube]];
  return border_may_go (free, classes->left[classes->word[tube * capacity + height]], capacity - height);
}

void begin_at_first_table (struct bspsat_classes *classes) {
  read_borders (classes);
  classes->stamp++;
  classes->stack[0] = classes->radix[classes->colours] - 1;
  classes->seen[classes->stack[0]] = classes->stamp;
  classes->waiting = 1;
}

enum way_out look_for_way_out (struct bspsat_classes *classes) {
  int64_t colours = classes->colours;
  while (classes->waiting) {
    if (classes->steps-- <= 0)
      return UNKNOWN;
    int32_t number = classes->stack[--classes->waiting], rest = number;
    int64_t open_tubes = classes->empty;
    for (int64_t tube = 0; tube < colours; tube++) {
      classes->table[tube] = rest % (classes->borders[tube] + 1);
      rest /= classes->borders[tube] + 1;
      open_tubes += classes->table[tube] == 0;
    }
    if (open_tubes >= colours) // a tube for each colour: from here on every border may go
      return WAY_OUT;
    int64_t free = free_tubes (classes);
    for (int64_t tube = 0; tube < colours; tube++) {
      int32_t following = number - classes->radix[tube];
      if (classes->table[tube] && classes->seen[following] != classes->stamp && may_go (classes, tube, free)) {
        classes->seen[following] = classes->stamp;
        classes->stack[classes->waiting++] = following;
      }
    }
  }
  return NO_WAY_OUT;
}

int64_t bspsat_classes_count_paths (struct bspsat_classes *classes, const uint8_t *board) {
  if (!are_colours (classes, board, classes->colours * classes->capacity))
    return BSPSAT_INVALID;
  classes->task = COUNTING;
  for (int64_t place = 0; place < classes->colours * classes->capacity; place++)
    classes->word[place] = board[place];
  read_borders (classes);
  classes->number = classes->radix[classes->colours] - 1;
  for (int64_t other = 0; other < classes->number; other++)
    classes->ways[other] = 0;
  classes->ways[classes->number] = 1;
  for (int64_t tube = 0; tube < classes->colours; tube++)
    classes->table[tube] = classes->borders[tube];
  return BSPSAT_FOUND;
}

int64_t bspsat_classes_count_paths_on (struct bspsat_classes *classes, int64_t steps, double *paths) {
  double *ways = classes->ways;
  if (classes->task != COUNTING)
    return BSPSAT_INVALID;
  for (; classes->number; steps--) {
    if (steps <= 0)
      return BSPSAT_PAUSED;
    if (ways[classes->number] > 0) {
      int64_t free = free_tubes (classes);
      for (int64_t tube = 0; tube < classes->colours; tube++)
        if (classes->table[tube] && may_go (classes, tube, free))
          ways[classes->number - classes->radix[tube]] += ways[classes->number];
    }
    classes->number--;
    int64_t tube = 0;
    for (; classes->table[tube] == 0; tube++) // the table with the number before
      classes->table[tube] = classes->borders[tube];
    classes->table[tube]--;
  }
  *paths = ways[0];
  return BSPSAT_EXHAUSTED;
}
