/* All boards of a class, one of those that differ by names of colours and the order of tubes.

A board is written as a word, tube by tube, each bottom first, with the colours named in order of appearance. Of all
orders of its tubes, the one with the first word in alphabetical order counts. If the first tubes of a word could be put
into an order with a smaller word, then so could the whole. So the walk fills places one by one, and goes back where the
tubes so far aren't in their first order.

Of tubes whose exchange leaves the board the same but for names, only the first is tried next in another order, since the
orders after them have the same words: tubes with the same balls, and tubes that hold all balls of one colour. Neither
colour of two such tubes has a name yet, when none of them is in the order. */

#include "classes.h"
#include "memory.h"
#include "parts.h"

#include <stddef.h>

enum { ROWS = 1 << 12, MOST_TABLES = 1 << 24, MOST_EMPTY = 1 << 20 }; // ROWS: words of one call

/* Lays the arrays out in a block, or in none; returns the bytes that they take. */
static int64_t lay_out (struct bspsat_classes *classes, char *block) {
  int64_t colours = classes->colours, places = colours * classes->capacity, used = 0;
  classes->word = part_of (block, &used, places, sizeof *classes->word);
  classes->used = part_of (block, &used, colours, sizeof *classes->used);
  classes->named = part_of (block, &used, places + 1, sizeof *classes->named);
  classes->order = part_of (block, &used, colours, sizeof *classes->order);
  classes->taken = part_of (block, &used, colours, sizeof *classes->taken);
  classes->names = part_of (block, &used, (colours + 1) * colours, sizeof *classes->names);
  classes->rows = part_of (block, &used, ROWS * places, sizeof *classes->rows);
  classes->ways = part_of (block, &used, tables_of (colours, classes->capacity), sizeof *classes->ways);
  lay_border_tables (&classes->tables, block, &used);
  return used;
}

struct bspsat_classes *bspsat_classes_new (int64_t colours, int64_t capacity, int64_t empty) {
  if (colours < 1 || colours > UINT8_MAX || capacity < 1 || empty < 0 || empty > MOST_EMPTY ||
      tables_of (colours, capacity) > MOST_TABLES)
    return NULL;
  struct bspsat_classes size = {.colours = colours, .capacity = capacity, .tables = {colours, capacity, empty}};
  struct bspsat_classes *classes = take_zeros ((int64_t) sizeof size + lay_out (&size, NULL));
  if (!classes)
    return NULL;
  *classes = size;
  lay_out (classes, (char *) (classes + 1));
  return classes;
}

void bspsat_classes_free (struct bspsat_classes *classes) {
  give_back (classes);
}

int64_t bspsat_classes_begin (struct bspsat_classes *classes, int64_t begin, const uint8_t *beginning, int64_t length,
                              int64_t only_unsolvable) {
  int64_t places = classes->colours * classes->capacity;
  if (begin < 0 || begin % classes->capacity || begin >= length || length > places ||
      (only_unsolvable && length < places) || !are_colours (classes, beginning, begin))
    return BSPSAT_INVALID;
  classes->task = LISTING;
  for (int64_t colour = 0; colour < classes->colours; colour++)
    classes->used[colour] = 0;
  for (int64_t place = 0; place < begin; place++) {
    int32_t colour = beginning[place], named = classes->named[place];
    classes->word[place] = colour;
    classes->used[colour]++;
    classes->named[place + 1] = colour < named ? named : colour + 1;
  }
  classes->word[begin] = -1;
  classes->begin = classes->place = begin;
  classes->end = length;
  classes->only_unsolvable = only_unsolvable;
  classes->counted = 0;
  classes->phase = FILLING;
  return BSPSAT_FOUND;
}

/* Puts the next colour at a place, in turn; returns false after the last, with which the place is empty again. */
static bool put_next (struct bspsat_classes *classes, int64_t place) {
  int32_t *used = classes->used, colour = classes->word[place], known = classes->named[place];
  if (colour >= 0)
    used[colour]--;
  for (int32_t following = colour + 1; following <= known && following < classes->colours; following++)
    if (used[following] < classes->capacity) {
      classes->word[place] = following;
      used[following]++;
      classes->named[place + 1] = known > following ? known : following + 1;
      return true;
    }
  classes->word[place] = -1;
  return false;
}

/* Returns whether a tube holds nothing but one colour, of which it then has all balls. */
static bool is_uniform (const int32_t *balls, int64_t capacity) {
  for (int64_t at = 1; at < capacity; at++)
    if (balls[at] != balls[0])
      return false;
  return true;
}

/* Returns whether a tube that isn't in the order so far, and is exchangeable with `tube`, comes before it. */
static bool is_tried (const struct bspsat_classes *classes, int64_t tube) {
  int64_t capacity = classes->capacity;
  const int32_t *balls = classes->word + tube * capacity;
  bool uniform = is_uniform (balls, capacity);
  for (int64_t other = 0; other < tube; other++) {
    if (classes->taken[other])
      continue;
    const int32_t *others = classes->word + other * capacity;
    int64_t at = 0;
    while (at < capacity && others[at] == balls[at])
      at++;
    if (at == capacity || (uniform && is_uniform (others, capacity)))
      return true;
  }
  return false;
}

/* Returns whether `tube` as the next one gives a smaller word, -1, the same, 0, or a larger one, 1. Writes the names after
it. */
static int compared (struct bspsat_classes *classes, int64_t tube) {
  int64_t colours = classes->colours, capacity = classes->capacity, level = classes->level;
  const int32_t *before = classes->names + level * colours, *balls = classes->word + tube * capacity;
  const int32_t *present = classes->word + level * capacity;
  int32_t *names = classes->names + (level + 1) * colours, known = 0;
  for (int64_t colour = 0; colour < colours; colour++) {
    names[colour] = before[colour];
    if (before[colour] >= known)
      known = before[colour] + 1;
  }
  for (int64_t at = 0; at < capacity; at++) {
    int32_t *name = names + balls[at];
    if (*name < 0)
      *name = known++;
    if (*name != present[at])
      return *name < present[at] ? -1 : 1;
  }
  return 0;
}

/* Begins to try other orders of the tubes so far. */
static void begin_orders (struct bspsat_classes *classes) {
  for (int64_t tube = 0; tube < classes->colours; tube++)
    classes->taken[tube] = 0;
  for (int64_t colour = 0; colour < classes->colours; colour++)
    classes->names[colour] = -1;
  classes->level = 0;
  classes->order[0] = -1;
  classes->phase = ORDERING;
}

enum order { UNDECIDED, FIRST, LATER };

/* Goes on to try other orders of the tubes so far; returns whether none has a smaller word, FIRST, or one has, LATER;
UNDECIDED when no step is left. */
static enum order try_orders (struct bspsat_classes *classes) {
  int64_t tubes = classes->place / classes->capacity;
  int32_t *order = classes->order, *taken = classes->taken;
  while (classes->level >= 0) {
    if (classes->steps <= 0)
      return UNDECIDED;
    if (order[classes->level] >= 0)
      taken[order[classes->level]] = 0;
    int32_t tube = order[classes->level] + 1;
    for (; tube < tubes; tube++) {
      classes->steps--;
      if (taken[tube] || is_tried (classes, tube))
        continue;
      int difference = compared (classes, tube);
      if (difference < 0)
        return LATER;
      if (difference == 0)
        break;
    }
    if (tube >= tubes) {
      classes->level--;
      continue;
    }
    order[classes->level] = tube;
    taken[tube] = 1;
    if (classes->level + 1 < tubes)
      order[++classes->level] = -1;
  }
  return FIRST;
}

/* Adds the word to those that were found, and goes on after it. */
static void list_word (struct bspsat_classes *classes) {
  uint8_t *row = classes->rows + classes->listed++ * classes->end;
  for (int64_t at = 0; at < classes->end; at++)
    row[at] = (uint8_t) classes->word[at];
}

/* Goes on where the tubes up to the place are in their first order. */
static void go_further (struct bspsat_classes *classes) {
  classes->phase = FILLING;
  if (classes->place < classes->end) {
    classes->word[classes->place] = -1;
    return;
  }
  classes->counted++;
  if (!classes->only_unsolvable) {
    list_word (classes);
    classes->place--;
    return;
  }
  begin_at_first_table (classes);
  classes->phase = DECIDING;
}

/* Fills the place; returns false when there are no more words. */
static bool fill (struct bspsat_classes *classes) {
  classes->steps--;
  if (!put_next (classes, classes->place))
    return --classes->place >= classes->begin;
  classes->place++;
  if (classes->place % classes->capacity == 0)
    begin_orders (classes);
  else
    go_further (classes);
  return true;
}

int64_t bspsat_classes_go_on (struct bspsat_classes *classes, int64_t steps, const uint8_t **found, int64_t *number,
                              int64_t *counted) {
  bool more = true;
  if (classes->task != LISTING)
    return BSPSAT_INVALID;
  classes->steps = steps;
  classes->listed = 0;
  while (more && classes->steps > 0 && classes->listed < ROWS) {
    if (classes->phase == FILLING) {
      more = classes->place >= classes->begin && fill (classes);
    } else if (classes->phase == ORDERING) {
      enum order order = try_orders (classes);
      if (order == FIRST)
        go_further (classes);
      else if (order == LATER) {
        classes->place--;
        classes->phase = FILLING;
      }
    } else {
      enum way_out way_out = look_for_way_out (classes);
      if (way_out == UNKNOWN)
        continue;
      if (way_out == NO_WAY_OUT)
        list_word (classes);
      classes->place--;
      classes->phase = FILLING;
    }
  }
  *found = classes->rows;
  *number = classes->listed;
  *counted = classes->counted;
  return more ? BSPSAT_PAUSED : BSPSAT_EXHAUSTED;
}
